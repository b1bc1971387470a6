"""A method in the place of a learner, so that the runner treats both in the same way."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import sklearn
from sklearn.base import clone

from ..learners.contract import Learner
from ..learners.parameters import stages

ROUNDS = ("rounds", "epochs", "n_estimators", "max_iter")  # they set a method's last stage


class Joint(Learner):
    """A multiclass classifier as a learner: its one column holds labels, its margins predict them.

    Label sets have a column of -1 and +1 for each label, and the margins are the method's scores.
    `nominal`, `random_state` and `costs` go to the method, or to its base estimator, whichever
    takes them. A method may declare the `inputs` it needs, its `version`, `has_margin_bound`, and
    that it `takes_sequences`.
    """

    identity = "ecoc_bench.joint.adapter:Joint"
    single_call = True
    loss = ""
    itemsize = 2  # bytes of a stored label

    def __init__(self, method=None, nominal=None, random_state=None, costs=None):
        self.method = method
        self.nominal = nominal
        self.random_state = random_state
        self.costs = costs

    @property
    def inputs(self) -> str:  # type: ignore[override]
        """What the method declares; otherwise "coded" if it handles nominal attributes."""
        wish = "coded" if self._places("nominal") else "standardize"
        return getattr(self.method, "inputs", wish)

    @property
    def version(self) -> str:  # type: ignore[override]
        """The method's version, or scikit-learn's."""
        if type(self.method).__module__.startswith("sklearn."):
            return f"scikit-learn {sklearn.__version__}"
        return str(getattr(self.method, "version", 1))

    @property
    def has_margin_bound(self) -> bool:  # type: ignore[override]
        """Whether the method is a kernel machine that tells its margins and norms."""
        return bool(getattr(self.method, "has_margin_bound", False))

    @property
    def takes_sequences(self) -> bool:  # type: ignore[override]
        """Whether `fit` and `predict` of the method take `sequences`."""
        return bool(getattr(self.method, "takes_sequences", False))

    @property
    def n_stages(self) -> int:  # type: ignore[override]
        """How many stages the method will have: all its rounds, unless `record` says otherwise."""
        params = self.method.get_params(deep=False)
        last = next((params[name] for name in ROUNDS if name in params), 1)
        return len(stages(params["record"], last)) if "record" in params else 1

    def _places(self, name: str) -> list[str]:
        params = self.method.get_params(deep=True)
        return [place for place in (name, f"estimator__{name}") if place in params]

    def takes(self, parameter: str) -> bool:
        """Costs are taken only if the method takes them: others must not depend on them."""
        return super().takes(parameter) and (parameter != "costs" or bool(self._places("costs")))

    def described(self) -> tuple[str, dict[str, Any]]:
        """Without costs, which are a matter of the data set."""
        name, params = super().described()
        return name, {key: value for key, value in params.items() if key != "costs"}

    def fit(self, X, Y, sample_weight=None, **extra):
        """Y holds the labels, as numbers, in its only column, or a column for each label."""
        settings = {}
        for name in ("nominal", "random_state", "costs"):
            if getattr(self, name) is not None and (places := self._places(name)):
                settings[places[0]] = getattr(self, name)
        self.n_columns_ = Y.shape[1]
        self.label_sets_ = self.n_columns_ > 1
        target = (Y > 0).astype(int) if self.label_sets_ else Y[:, 0]
        self.method_ = clone(self.method).set_params(**settings).fit(X, target, **extra)
        if self.has_margin_bound and np.isfinite(self.method_.norms_).all():
            self.score_margins_ = np.asarray(self.method_.score_margins_, dtype=float)
            self.norms_ = np.asarray(self.method_.norms_, dtype=float)
        return self

    def staged_margins(self, X, **extra) -> Iterator[tuple[int, np.ndarray]]:
        """The predicted labels, or scores, at each stage; stage 0 if the method has no stages."""
        if not hasattr(self.method_, "stages_"):
            yield 0, self.margins(X, **extra)
        elif self.label_sets_:
            yield from self._staged(self.method_.staged_decision_function(X), np.asarray)
        else:
            yield from self._staged(self.method_.staged_predict(X, **extra), _labels)

    def _staged(self, found, as_columns) -> Iterator[tuple[int, np.ndarray]]:
        for stage, values in zip(self.method_.stages_, found, strict=True):
            yield stage, as_columns(values)

    @property
    def converged_(self) -> np.ndarray | None:  # type: ignore[override]
        """Whether the method reached its tolerance, if it says so; its columns are one fit."""
        known = getattr(self.method_, "converged_", None)
        return None if known is None else np.full(self.n_columns_, bool(known))

    @property
    def history_(self) -> dict[str, np.ndarray] | None:  # type: ignore[override]
        """What the method tells of its rounds, if it does."""
        return getattr(self.method_, "history_", None)

    def margins(self, X, **extra) -> np.ndarray:
        """The predicted labels at the end, as one column, or the scores of all labels."""
        if self.label_sets_:
            return np.asarray(self.method_.decision_function(X))
        return _labels(self.method_.predict(X, **extra))


def _labels(predicted) -> np.ndarray:
    labels = np.asarray(predicted)
    if labels.shape != (len(labels),) or labels.dtype.kind not in "iu":
        raise ValueError(f"predict must give one of the labels for each row. Got {labels!r}")
    return labels.astype(np.int16)[:, None]
