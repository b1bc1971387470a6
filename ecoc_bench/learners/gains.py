"""Which inputs the splits of trees and stumps gain by: slide "Variable Importance Measures".

A fitted learner, method or estimator may have `split_gains_`, a sum over its splits by input;
scikit-learn's trees have `feature_importances_`, the total decrease of the Gini index. What holds
other estimators has the mean of theirs, by its `alphas_` if it weighs them.
"""

from typing import Any

import numpy as np

OWN = ("split_gains_", "feature_importances_")
INSIDE = ("method_", "learner_")


def split_gains(fitted: Any) -> np.ndarray | None:
    """The share of each input in all gains; None if nothing in it splits.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> split_gains(DecisionTreeClassifier().fit([[0, 7], [1, 7]], [0, 1])).tolist()
    [1.0, 0.0]
    """
    for name in OWN:
        if (found := getattr(fitted, name, None)) is not None:
            return _shares(np.asarray(found, dtype=float))
    for name in INSIDE:
        if hasattr(fitted, name):
            return split_gains(getattr(fitted, name))
    members = list(getattr(fitted, "estimators_", []))
    weights = np.asarray(getattr(fitted, "alphas_", np.ones(len(members))), dtype=float)
    parts = [(w, split_gains(member)) for w, member in zip(weights, members, strict=True)]
    known = [w * gains for w, gains in parts if gains is not None]
    return _shares(np.sum(known, axis=0)) if known else None


def _shares(gains: np.ndarray) -> np.ndarray:
    total = gains.sum()
    return gains / total if total > 0 else gains
