"""Binary AdaBoost on stumps, as in the slides "Bagging - Boosting" (C. Karakus)."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ..learners.adaboost import AdaBoostLearner
from .stumps import StumpClassifier


class BinaryAdaBoost(StumpClassifier):
    """AdaBoost for two classes, with stumps of lowest error ("A Formal View of Boosting").

    D_1(i) = 1/m; h_t is the stump of lowest error eps_t on D_t, alpha_t = 1/2 ln((1 - eps_t)/eps_t)
    and D_{t+1}(i) = D_t(i) exp(-alpha_t y_i h_t(x_i))/z_t. H(x) = sign(sum_t alpha_t h_t(x)), and
    +1 is the second of `classes_`; a sum of 0 goes to the first. The training error is at most
    prod_t 2 sqrt(eps_t (1 - eps_t)) = prod_t Z_t ("Analyzing Adaboost"), the `bound` of `history_`.

    Deviation: eps_t is at least 1e-12, so that alpha_t is finite. Data of more classes are refused:
    see AdaBoost.MH and AdaBoost.MR. Parameters and attributes are those of StumpClassifier.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> clf = BinaryAdaBoost(rounds=20).fit(X, y)
    >>> errors = [float((labels != y).mean()) for labels in clf.staged_predict(X)]
    >>> all(errors <= clf.history_["bound"])
    True
    """

    takes_sets = False

    def _learner(self):
        return AdaBoostLearner(
            self.rounds, self.record, outputs="discrete", bins=self.bins, nominal=self.nominal
        )

    def _labels(self, y):
        return 2 * y[:, None] - 1

    def _scores(self, F, stage):
        return F[:, 0]

    def _check_classes(self):
        super()._check_classes()
        if len(self.classes_) > 2:
            raise ValueError(
                "Only binary classification is supported: y must hold 2 classes. "
                f"Got {len(self.classes_)} instead."
            )

    @property
    def errors_(self) -> np.ndarray:
        """eps_t of every round, from alpha_t."""
        check_is_fitted(self)
        return 1 / (1 + np.exp(2 * self.alphas_))

    def _terms(self):
        return 1

    @property
    def history_(self) -> dict[str, np.ndarray]:
        """eps_t, alpha_t and the bound on the training error, by round."""
        return super().history_ | {"round_error": self.errors_}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
