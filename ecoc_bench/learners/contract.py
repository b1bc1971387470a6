"""What the runner asks of a learner. `fit` and `margins` suffice; the rest has defaults here."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from ..seeds import identity


class Learner(BaseEstimator):
    """Fits the columns of a code and returns their margins.

    A learner must have

    - `fit(X, Y)`: Y[i, s] = M(y_i, s) in {-1, 0, +1}, where 0 leaves example i out of column s. It
      may take `sample_weight`.
    - `margins(X)`: F[i, s] = f_s(x_i).

    It may have the attributes and methods below. A class that is not derived from this one may have
    them, too, and gets the defaults for those that it lacks (`adapt`). A parameter `random_state`
    is set to a seed for each fit; a parameter `nominal` is set to a mask of the nominal features if
    `inputs` is "coded"; a parameter `costs` is set to the costs of the data set, if it has any.
    """

    #: The name of the loss that it minimises, in `coding.losses`: the decoder `loss` uses it. Votes
    #: are for a learner that minimises none, or whose margins have no known scale.
    loss: str = "hamming"
    #: Whether all columns are fitted as one problem; otherwise each column is a separate problem.
    single_call: bool = False
    #: How many separate columns one call of `fit` should get, where the columns share work. More
    #: than 1 says that the numbers of a column are the same, to the byte, with whatever others.
    columns_at_once: int = 1
    #: The preprocessing it gets if the config does not set any: see `data.inputs`.
    inputs: str = "standardize"
    #: Raised whenever its numbers change: stored margins of another version are not used.
    version: int | str = 1
    #: Its name in keys and seeds, declared by each of our classes so that its file can move.
    identity: str
    #: How many stages `staged_margins` yields.
    n_stages: int = 1
    #: Bytes of a stored margin.
    itemsize: float = 8.0
    #: Whether `fit`, `margins` and `staged_margins` take `sequences`, the number of each row's
    #: sequence; they get it where the data have sequences.
    takes_sequences: bool = False
    #: Whether `fit` and `margins` take a sparse matrix (CSR).
    takes_sparse: bool = False
    #: Whether it has `loo_shift_` after `fit`, for the leave-one-out bound.
    has_loo: bool = False
    #: Whether it has `score_margins_` and `norms_` after `fit`, for the bounds of Mohri et al.; of
    #: methods alone, because a learner of columns has no scores of classes.
    has_margin_bound: bool = False
    #: After `fit`: whether the solver of each column converged; None: all did.
    converged_: np.ndarray | None = None
    #: After `fit`: the most that f_s(x_i) can lose when training example i is left out.
    loo_shift_: np.ndarray | None = None
    #: After `fit`: eta of Eq. 16, Allwein et al. 2000, by stage and column; None: not known.
    eta_: np.ndarray | None = None
    #: After `fit`: the sum of ln Z_t, Eq. 14 there, by stage and column; None: Theorem 6 is not
    #: about this learner.
    log_Z_: np.ndarray | None = None
    #: After `fit`: rho_h(x_i, y_i) of the training examples, Mohri et al., Section 9.2.
    score_margins_: np.ndarray | None = None
    #: After `fit`: Lambda, r and the mean radius of `coding.margin_bound`.
    norms_: np.ndarray | None = None
    #: After `fit`, of a method: what its training tells of each round, by columns of rounds.csv.
    history_: dict[str, np.ndarray] | None = None

    def fit(self, X, Y, sample_weight=None):
        raise NotImplementedError

    def margins(self, X) -> np.ndarray:
        raise NotImplementedError

    def staged_margins(self, X) -> Iterator[tuple[int, np.ndarray]]:
        """(stage, margins) at each recorded stage; stage 0 for a learner without stages."""
        yield 0, self.margins(X)

    def room(self, n_train: int, n_test: int) -> float:
        """Bytes that a process keeps for it besides inputs and margins."""
        return 0.0

    def vc_dimension(self, n_features: int, n_columns: int) -> int | None:
        """At least the VC-dimension of its base hypotheses h(x, s); None: not known."""
        return None

    def remark(self, n_train: int) -> str | None:
        """What a plan should say about fits on so many rows."""
        return None

    def described(self) -> tuple[str, dict[str, Any]]:
        """Its identity and parameters: what its fits depend on besides data and version."""
        return identity(type(self)), self.get_params(deep=False)

    def takes(self, parameter: str) -> bool:
        return parameter in self.get_params(deep=False)

    def uses_costs(self, costs: np.ndarray | None) -> bool:
        """Whether its fits depend on these costs of a data set."""
        return costs is not None and self.takes("costs")

    def fresh(self, **settings):
        """An unfitted copy with these parameters changed."""
        return clone(self).set_params(**settings)

    def fitted(self, X, Y, **extra):
        """A fitted copy, whatever `fit` returns; what is None is not passed on to `fit`."""
        learner = self.fresh()
        learner.fit(X, Y, **{name: value for name, value in extra.items() if value is not None})
        return learner
