"""Support-vector machines, one per column (Section 2 of Allwein et al. 2000: the hinge loss)."""

from sklearn.svm import SVC

from .columns import MultiCall
from .machines import MOST

SOLVERS = ("own", "libsvm")


class SVM(MultiCall):
    """Scikit-learn's SVC by our solver. The polynomial kernel is (gamma x.z + coef0)^degree.

    `gamma` is a number, "scale", or "1/d" with d the number of inputs. `max_iter` caps the pair
    steps of the solver; columns that reach it are kept and counted as unconverged. `solver`: "own",
    which shares the kernel of all columns and ends at the optimum, or "libsvm", which stops at its
    tolerance. Columns of too many rows for a kernel matrix are always libsvm's (`machines.MOST`).
    """

    identity = "ecoc_bench.learners.svm:SVM"
    loss = "hinge"
    version = 2

    def __init__(
        self,
        kernel="poly",
        degree=4,
        coef0=1.0,
        gamma="1/d",
        C=1.0,
        max_iter=1_000_000,
        cache_size=200,
        solver="own",
    ):
        self.kernel = kernel
        self.degree = degree
        self.coef0 = coef0
        self.gamma = gamma
        self.C = C
        self.max_iter = max_iter
        self.cache_size = cache_size
        self.solver = solver

    def room(self, n_train: int, n_test: int) -> float:
        """Bytes of the kernel matrices that a process keeps, or of libsvm's cache of their rows."""
        if self.solver == "libsvm" or n_train > MOST:
            return 1e6 * self.cache_size
        return 4.0 * n_train * (n_train + n_test)

    def remark(self, n_train):
        if self.solver == "libsvm" or n_train <= MOST:
            return None
        return f"columns of more than {MOST:,} rows are fitted by libsvm, without a kernel matrix"

    def _by_our_solver(self, estimator, X):
        if self.solver not in SOLVERS:
            raise ValueError(
                f"solver must be one of {', '.join(SOLVERS)}. Got {self.solver!r} instead."
            )
        return self.solver == "own" and super()._by_our_solver(estimator, X)

    def binary_estimator(self, n_features):
        return SVC(
            kernel=self.kernel,
            degree=self.degree,
            coef0=self.coef0,
            gamma=1.0 / n_features if self.gamma == "1/d" else self.gamma,
            C=self.C,
            max_iter=self.max_iter,
            cache_size=self.cache_size,
        )
