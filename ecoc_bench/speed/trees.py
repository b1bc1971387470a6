"""How fast boosting of trees is: the same loop on our C4.5 and on scikit-learn's trees.

Both sides run AdaBoost.SECC with resampling (Sun et al. 2005) and differ only in the base learner:
unpruned C4.5, or DecisionTreeClassifier by entropy. They take turns, several times, in one thread.
Times are processor seconds of `fit` only, so that other programs count little; compilation is timed
separately. The trees differ, too: C4.5 splits nominal attributes by value, while the peer gets
indicators, or the plain numbers if it is only we who treat numbers as nominal.
"""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from ..data.cards import as_nominal, check_pca, load_classes
from ..data.inputs import prepare, projected
from ..errors import UserError
from ..joint.boosting import AdaBoostSECC
from ..learners.c45 import C45Classifier
from ..results.rows import to_csv
from .stumps import Comparison

COLUMNS = ("who", "repeat", "rounds", "fit_seconds", "error_rate")
OURS, PEER = "ecoc-bench", "sklearn"


class Side(NamedTuple):
    """The name of a side, its base learner, and the data in its form."""

    who: str
    base: BaseEstimator
    X: np.ndarray
    X_test: np.ndarray


def run_speed_joint(dataset, rounds, repeats, nominal=False, pca=None, out: Path | None = None):
    """What `ecoc-bench speed --base trees` prints; the single timings go to the CSV `out`."""
    data = load_classes(dataset)
    if data.train is None:
        raise UserError(
            f"data set {dataset} has no train/test split. Use one that has, such as letter."
        )
    if pca is not None:
        check_pca(data, pca)
    y, y_test = data.y[data.train], data.y[~data.train]
    pair = sides(replace(data, pca=pca), nominal)
    comparison = compare(pair, y, y_test, rounds, repeats)
    if out is not None:
        out.write_text(to_csv(COLUMNS, comparison.rows))
    notes = ["numbers as nominal values"] * nominal + [f"{pca} components"] * (pca is not None)
    title = ", ".join([dataset, *notes, f"{len(y)} rows, AdaBoost.SECC, {rounds} rounds"])
    return f"{title}\n{render(comparison)}"


def sides(data, nominal: bool) -> list[Side]:
    """Ours and the peer's; with `nominal` we treat numbers as nominal values."""
    mask, *theirs = projected(data, data.train, ~data.train)
    peer = DecisionTreeClassifier(criterion="entropy")
    seen = Side(PEER, peer, *prepare("raw", mask, *theirs))
    if nominal:
        data = as_nominal(data, data.columns)
    mask, *ours = projected(data, data.train, ~data.train)
    return [Side(OURS, C45Classifier(prune=False, nominal=mask), *ours), seen]


def compare(pair: list[Side], y, y_test, rounds: int, repeats: int) -> Comparison:
    """Fit both in turn, `repeats` times."""
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        compile_seconds = time_fit(pair[0], y, 1)[0]
        for repeat in range(repeats):
            for side in pair:
                seconds, model = time_fit(side, y, rounds)
                error_rate = float((model.predict(side.X_test) != y_test).mean())
                values = (side.who, repeat, len(model.estimators_), seconds, error_rate)
                rows.append(dict(zip(COLUMNS, values, strict=True)))
    return Comparison(PEER, rows, compile_seconds)


def time_fit(side: Side, y, rounds: int) -> tuple[float, AdaBoostSECC]:
    """Seconds of a fit, and the model."""
    model = AdaBoostSECC(side.base, rounds=rounds, update="resampling", random_state=0)
    start = time.process_time()
    model.fit(side.X, y)
    return time.process_time() - start, model


def render(comparison: Comparison) -> str:
    """The comparison in a few lines of text."""
    rounds, times = comparison.rows[0]["rounds"], [row["fit_seconds"] for row in comparison.rows]
    ratios = [theirs / ours for ours, theirs in zip(times[::2], times[1::2], strict=True)]
    return "\n".join(
        [
            *(
                f"{who:{len(OURS)}}  {1000 * comparison.seconds(who) / rounds:8.2f} ms per round  "
                f"error {comparison.error_rate(who):.2%}"
                for who in (OURS, PEER)
            ),
            f"{comparison.ratio:.1f} times as fast as {PEER} "
            f"(median of the repeats; {min(ratios):.1f} to {max(ratios):.1f})",
            f"not counted: compiling or loading our kernels, {comparison.compile_seconds:.1f} s",
        ]
    )
