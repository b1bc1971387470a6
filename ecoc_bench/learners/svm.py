"""Support-vector machines, one per column (Section 2 of Allwein et al. 2000: the hinge loss)."""

from sklearn.svm import SVC

from .columns import MultiCall


class SVM(MultiCall):
    """libsvm through scikit-learn's SVC. The polynomial kernel is (gamma x.z + coef0)^degree.

    `gamma` is a number, "scale", or "1/d" with d the number of inputs. `max_iter` caps the solver's
    iterations; columns that reach it are kept and counted as unconverged.
    """

    identity = "ecoc_bench.learners.svm:SVM"
    loss = "hinge"

    def __init__(
        self,
        kernel="poly",
        degree=4,
        coef0=1.0,
        gamma="1/d",
        C=1.0,
        max_iter=1_000_000,
        cache_size=200,
    ):
        self.kernel = kernel
        self.degree = degree
        self.coef0 = coef0
        self.gamma = gamma
        self.C = C
        self.max_iter = max_iter
        self.cache_size = cache_size

    def room(self, n_train: int, n_test: int) -> float:
        """Bytes of libsvm's cache of kernel rows."""
        return 1e6 * self.cache_size

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
