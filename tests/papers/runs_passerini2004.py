"""Runs made up after Passerini et al. 2004: errors and bounds against gamma, and the choices."""

import pandas as pd
from runs import made_up, row

from ecoc_bench.results.catalogue import DECODED

SMALL = ["anneal", "ecoli", "glass", "soybean", "yeast"]
LARGE = ["letter", "optdigits", "pendigits", "satimage", "segmentation"]
CODES = ["ova", "all_pairs", "bch"]
DECODERS = ["hamming", "linear", "loss", "likelihood"]
GAMMAS = [2.0**k for k in range(-5, 6)]
MEMBERS = {f"gaussian_svm@{gamma:g}": gamma for gamma in GAMMAS}
N_TEST = 1000


def error(dataset, code, decoder, step):
    """In percent, as the paper says: likelihood lowest and flattest, Hamming good for pairs."""
    worse = {"hamming": 12.0 if code == "ova" else 0.6, "linear": 3.0, "loss": 2.0}.get(decoder, 0)
    slope = {"likelihood": 0.1}.get(decoder, 0.3)
    return 5 + worse + slope * (step - 5) ** 2


def bound(dataset, code, decoder, step):
    """Lowest one step above the best, as the paper says."""
    return 30 + 2 * (step - 6) ** 2


def swept(folder, datasets, errors=error, bounds=bound, folds=2, codes=CODES):
    """The folder of a run: curves as above, a little higher in later folds, and its choices."""
    rows, criteria = [], []
    for dataset in datasets:
        for code in codes:
            for decoder in DECODERS:
                for step, member in enumerate(MEMBERS):
                    for fold in range(folds):
                        at = dataset, code, decoder, step
                        rows.append(_row(*at[:3], member, fold, errors(*at) + fold))
                        entry = {c: rows[-1][c] for c in DECODED}
                        cv = errors(*at) / 100 + 0.001
                        criteria.append({**entry, "cv": cv, "loo_bound": bounds(*at) / 100})
    results, table = pd.DataFrame(rows), pd.DataFrame(criteria)
    selected = [_selected(results, table, *c) for c in (("by_loo", "loo_bound"), ("by_cv", "cv"))]
    config = _config(datasets, codes)
    return made_up(folder, results, config, criteria=table, selected=pd.concat(selected))


def _row(dataset, code, decoder, member, fold, percent):
    wrong = round(N_TEST / 100 * percent)
    return row(
        dataset=dataset, learner=member, code=code, decoder=decoder, fold=fold,
        n_classes=6, n_columns=6, rho=2, n_train=4435, n_test=N_TEST,
        errors=wrong, error_rate=wrong / N_TEST, ties=300 if decoder == "hamming" else 0,
    )  # fmt: skip


def _selected(results, criteria, name, by):
    keys = ["dataset", "code", "decoder", "fold"]
    best = criteria.loc[criteria.groupby(keys, sort=False)[by].idxmin(), [*keys, "learner", by]]
    picked = results.merge(best, on=[*keys, "learner"])
    return picked.assign(chosen=picked["learner"], learner=name, criterion=picked[by]).drop(
        columns=by
    )


def _config(datasets, codes=CODES):
    learners = [
        {"name": name, "type": "gaussian_svm", "of": "gaussian_svm", "swept": {"gamma": gamma}}
        for name, gamma in MEMBERS.items()
    ]
    return {
        "name": "passerini", "paper": None, "learners": learners, "methods": [],
        "codes": [{"name": code} for code in codes],
        "decoders": [{"name": decoder} for decoder in DECODERS],
        "datasets": [{"name": dataset} for dataset in datasets],
        "select": {
            "by_loo": {"among": ["gaussian_svm"], "by": "loo_bound"},
            "by_cv": {"among": ["gaussian_svm"], "by": "cv"},
        },
    }  # fmt: skip
