"""A method in the place of a learner, so that the runner treats both in the same way."""

from collections.abc import Iterator

import numpy as np
import sklearn
from sklearn.base import clone

from ..learners.contract import Learner
from ..learners.parameters import stages

ROUNDS = ("rounds", "epochs", "n_estimators", "max_iter")  # they set a method's last stage


class Joint(Learner):
    """A multiclass classifier as a learner: its one column holds labels, its margins predict them.

    `nominal` and `random_state` go to the method, or to its base estimator, whichever takes them.
    A method may declare the `inputs` it needs, and its `version`.
    """

    identity = "ecoc_bench.joint.adapter:Joint"
    single_call = True
    loss = ""
    itemsize = 2  # bytes of a stored label

    def __init__(self, method=None, nominal=None, random_state=None):
        self.method = method
        self.nominal = nominal
        self.random_state = random_state

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
    def n_stages(self) -> int:  # type: ignore[override]
        """How many stages the method will have: all its rounds, unless `record` says otherwise."""
        params = self.method.get_params(deep=False)
        last = next((params[name] for name in ROUNDS if name in params), 1)
        return len(stages(params["record"], last)) if "record" in params else 1

    def _places(self, name: str) -> list[str]:
        params = self.method.get_params(deep=True)
        return [place for place in (name, f"estimator__{name}") if place in params]

    def fit(self, X, Y, sample_weight=None):
        """Y holds the labels, as numbers, in its only column."""
        settings = {}
        for name in ("nominal", "random_state"):
            if getattr(self, name) is not None and (places := self._places(name)):
                settings[places[0]] = getattr(self, name)
        self.method_ = clone(self.method).set_params(**settings).fit(X, Y[:, 0])
        return self

    def staged_margins(self, X) -> Iterator[tuple[int, np.ndarray]]:
        """The predicted labels at each stage; stage 0 if the method has no stages."""
        if not hasattr(self.method_, "stages_"):
            yield 0, _labels(self.method_.predict(X))
            return
        staged = self.method_.staged_predict(X)
        for stage, labels in zip(self.method_.stages_, staged, strict=True):
            yield stage, _labels(labels)

    @property
    def history_(self) -> dict[str, np.ndarray] | None:  # type: ignore[override]
        """What the method tells of its rounds, if it does."""
        return getattr(self.method_, "history_", None)

    def margins(self, X) -> np.ndarray:
        """The predicted labels at the end, as one column."""
        return _labels(self.method_.predict(X))


def _labels(predicted) -> np.ndarray:
    labels = np.asarray(predicted)
    if labels.shape != (len(labels),) or labels.dtype.kind not in "iu":
        raise ValueError(f"predict must give one of the labels for each row. Got {labels!r}")
    return labels.astype(np.int16)[:, None]
