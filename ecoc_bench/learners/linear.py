"""Linear learners, one model per column, each with the loss it minimises (Section 2)."""

from sklearn.linear_model import LogisticRegression, RidgeClassifier

from .columns import MultiCall


class LogisticRegressions(MultiCall):
    """Pr[y = +1 | x] = 1/(1 + e^-2f(x)), so that f is half of scikit-learn's log-odds."""

    identity = "ecoc_bench.learners.linear:LogisticRegressions"
    loss = "logistic"

    def __init__(self, C=1.0, max_iter=1000):
        self.C = C
        self.max_iter = max_iter

    def binary_estimator(self, n_features):
        return LogisticRegression(C=self.C, max_iter=self.max_iter)


class LeastSquares(MultiCall):
    """Regression on the signs, (y - f(x))^2 = (1 - y f(x))^2, with a ridge penalty `alpha`."""

    identity = "ecoc_bench.learners.linear:LeastSquares"
    loss = "square"

    def __init__(self, alpha=1.0):
        self.alpha = alpha

    def binary_estimator(self, n_features):
        return RidgeClassifier(alpha=self.alpha)
