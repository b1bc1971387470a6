"""Decoders averaged over data sets, and the default one next to scikit-learn's own classifiers.

For runs with the decoder `auto` and, as methods, scikit-learn's multiclass classifiers of the same
estimators that are learners: `configs/defaults.yaml`.
"""

from collections.abc import Iterator
from functools import partial

import pandas as pd

from .catalogue import JOINT
from .formats import Style, TextTable, document, grid
from .run import Run
from .tables import tidy_csv

AUTO = "auto"
MODULE = "sklearn.multiclass:"
PEERS = {"ova": "OneVsRestClassifier", "all_pairs": "OneVsOneClassifier"}  # by family of code
OTHER = "OutputCodeClassifier"


def tables(run: Run) -> Iterator[TextTable]:
    """The two tables of a run that measured the default decoder."""
    if not any(spec["name"] == AUTO for spec in run.config["decoders"]):
        return
    yield TextTable("decoders", partial(_render_decoders, decoders(run)))
    compared = peers(run)
    if len(compared):
        yield TextTable("peers", partial(_render_peers, compared))


def decoders(run: Run) -> pd.DataFrame:
    """Test errors in percent, averaged over data sets: a row for each learner and code."""
    entries = run.summary().query("learner != @JOINT")
    keys = ["learner", "code"]
    return entries.pivot_table("error", keys, "decoder", sort=False).reset_index()


def peers(run: Run) -> pd.DataFrame:
    """The default decoder and scikit-learn's classifier on the data sets that both have."""
    entries = run.summary().groupby(["learner", "code", "decoder"], sort=False)
    error = {key: found.set_index("dataset")["error"] for key, found in entries}
    found = []
    for (learner, code), (peer, method) in _pairs(run).items():
        chosen = {"ours": (learner, code, AUTO), "theirs": (JOINT, method, JOINT)}
        if not all(key in error for key in chosen.values()):
            continue
        both = pd.DataFrame({who: error[key] for who, key in chosen.items()}).dropna()
        means = both.mean()
        row = {"learner": learner, "code": code, "peer": peer, "datasets": len(both)}
        found.append({**row, **means, "difference": means["ours"] - means["theirs"]})
    return pd.DataFrame(found)


def _pairs(run: Run) -> dict[tuple[str, str], tuple[str, str]]:
    """(learner, code) -> the class of its peer, and the method in which it wraps the learner."""
    wrapped = {
        (spec["type"].removeprefix(MODULE), _key(spec["params"]["estimator"])): spec["name"]
        for spec in run.config["methods"]
        if spec["type"].startswith(MODULE) and "estimator" in spec["params"]
    }
    pairs = {}
    for spec in run.config["learners"]:
        own = _key({"type": spec["type"], **spec["params"]})
        for code in run.config["codes"]:
            peer = PEERS.get(code["family"], OTHER)
            if (peer, own) in wrapped:
                pairs[spec["name"], code["name"]] = peer, wrapped[peer, own]
    return pairs


def _key(estimator: dict) -> str:
    return repr(sorted(estimator.items()))


def _render_decoders(table: pd.DataFrame, style: Style = "terminal") -> str:
    if style == "csv":
        return tidy_csv(table)
    body = [
        [[str(learner)], [str(code)], *([f"{value:.1f}"] for value in values)]
        for _, learner, code, *values in table.itertuples()
    ]
    head = ["Learner", "Code", *map(str, table.columns[2:])]
    notes = ["auto: majority for all-pairs, the largest margin for one-vs-all, otherwise loss."]
    blocks = [("Means over data sets", grid(head, body, style))]
    return document("Test error (%) by decoder", blocks, notes, style)


def _render_peers(table: pd.DataFrame, style: Style = "terminal") -> str:
    if style == "csv":
        return tidy_csv(table)
    head = ["Learner", "Code", "scikit-learn's", "Data sets", "Ours", "Theirs", "Difference"]
    body = [
        [
            *([str(row[name])] for name in ("learner", "code", "peer", "datasets")),
            *([f"{row[name]:.2f}"] for name in ("ours", "theirs")),
            [f"{row['difference']:+.2f}".replace("-", "−")],
        ]
        for row in table.to_dict("records")
    ]
    notes = ["Ours: the decoder auto. A negative difference is ours to the good."]
    blocks = [("Means over the data sets that both have", grid(head, body, style))]
    return document("Test error (%) next to scikit-learn's classifiers", blocks, notes, style)
