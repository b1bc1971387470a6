"""Codes fitted on shipped data, and the bounds.csv of a run of them."""

from functools import cache

import numpy as np

from ecoc_bench.coding import bounds
from ecoc_bench.coding.boosting_margins import Boosting
from ecoc_bench.coding.codes import CODES
from ecoc_bench.data.cards import load
from ecoc_bench.data.inputs import prepare
from ecoc_bench.learners.adaboost import AdaBoostLearner
from ecoc_bench.learners.svm import SVM
from ecoc_bench.results.catalogue import FILES
from ecoc_bench.results.rows import to_csv


@cache
def problem(name):
    data = load(name)
    return data.X, data.y, data.nominal


@cache
def fitted(name, learner, code):
    """(M, F on the training rows, y, the learner) of one fitted code."""
    X, y, nominal = problem(name)
    family, rng = CODES[code], np.random.default_rng(0)
    M = family.make(int(y.max()) + 1, rng, **({"tries": 50} if family.random else {}))
    model = {
        "svm": SVM(),
        "single": AdaBoostLearner(rounds=30),
        "multi": AdaBoostLearner(rounds=30, calls="multi"),
        "single discrete": AdaBoostLearner(rounds=30, outputs="discrete"),
        "multi discrete": AdaBoostLearner(rounds=30, calls="multi", outputs="discrete"),
    }[learner]
    X, _ = prepare(model.inputs, nominal, X, X)
    return M, model.fit(X, M[y]).margins(X), y, model


def write_bounds(folder, learner="single", loss="exponential"):
    """bounds.csv as a run writes it: two codes, two folds, two stages."""
    rows = []
    for code in ("ova", "all_pairs"):
        M, F, y, model = fitted("glass", learner, code)
        eta = model.eta_.max() if loss == "exponential" else None
        for fold in (0, 1):
            for stage in (50, 500):
                cell = {"dataset": "glass", "learner": "adaboost", "code": code, "draw": 0}
                place = {"repeat": 0, "fold": fold, "stage": stage}
                part, more = slice(fold, None, 2), stage / 50
                boosting = None if eta is None else Boosting(eta * more)
                numbers = bounds.cell_bounds(M, F[part] * more, y[part], loss, boosting)
                rows.append({**cell, **place, **numbers})
    (folder / "bounds.csv").write_text(to_csv(FILES["bounds.csv"].columns, rows))
