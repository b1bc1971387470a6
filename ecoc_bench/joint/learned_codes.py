"""Learned codes (Mohri et al., end of Section 9.4.3): a discrete code becomes a real-valued one.

The binary classifiers f_s are trained by a discrete M. Then the multiclass SVM learns a row M_l for
every class. By a kernel K, the row should be more similar to F(x) = (f_1(x), ..., f_c(x)) for
examples of this class than for others (Crammer & Singer 2000).
"""

import numpy as np

from ..coding.folds import stratified
from ..learners.classifier import ECOCClassifier
from ..learners.parameters import check_positive, seed_of
from ..seeds import seed_for
from .crammer_singer import MulticlassSVM

FOLDS = 3


class LearnedCodeClassifier(ECOCClassifier):
    """An output code whose matrix is learned from the margins of its binary classifiers.

    The end of Section 9.4.3 of Mohri, Rostamizadeh & Talwalkar 2018:

        min |M|_F^2 + C sum_i xi_i,   K(F(x_i), M_{y_i}) >= K(F(x_i), M_l) + 1 - xi_i,   xi_i >= 0,

    for all i and l != y_i; the class of x is argmax_l K(F(x), M_l). Deviations: this is not convex
    in M unless K is linear, so M_l is an element of the kernel's feature space, like w_l of the
    multiclass SVM (which has 1/2 |W|^2: it gets C/2). The text trains on the margins of the
    training examples themselves; here they come from 3 folds, each from classifiers that did not
    see the fold: classifiers have larger margins on their training examples than on new ones.

    Parameters
    ----------
    learner, code, random_state : as in ECOCClassifier
        The random state also deals out the folds.
    C : float
        The price of the slacks.
    kernel : "linear", "rbf", "poly" or callable
        K, as in MulticlassSVM.
    gamma : float, "scale" or "1/d"
        As in MulticlassSVM, where d is the number of columns.

    Attributes
    ----------
    classes_, code_matrix_, learner_ : as in ECOCClassifier; code_matrix_ is the discrete M
    machine_ : the MulticlassSVM on the margins
    learned_matrix_ : the real-valued M, classes x columns (linear kernel only)

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = LearnedCodeClassifier(code="all_pairs", C=10.0, random_state=0).fit(X, y)
    >>> clf.code_matrix_.shape, clf.learned_matrix_.shape
    ((3, 3), (3, 3))
    >>> float(clf.score(X, y)) > 0.9
    True
    """

    def __init__(
        self,
        learner=None,
        code="ova",
        C=1.0,
        kernel="linear",
        gamma="scale",
        random_state=None,
    ):
        super().__init__(learner=learner, code=code, random_state=random_state)
        self.C = C
        self.kernel = kernel
        self.gamma = gamma

    def fit(self, X, y):  # type: ignore[override]  # the second stage takes no weights
        """Fit the binary classifiers of the discrete code, then the real-valued one."""
        check_positive("C", self.C)
        rng = np.random.default_rng(seed_of(self.random_state))
        machine = MulticlassSVM(
            C=self.C / 2,
            kernel=self.kernel,
            gamma=self.gamma,
            random_state=int(rng.integers(2**31 - 1)),
        )
        machine._check_params()  # before the columns are fitted, not after
        super().fit(X, y)
        X = self._inputs(X)
        r = np.searchsorted(self.classes_, np.asarray(y).ravel())
        F = self._unseen_margins(X, r, int(rng.integers(2**31 - 1)))
        self.machine_ = machine.fit(F, r)
        if hasattr(machine, "coef_"):
            self.learned_matrix_ = machine.coef_
        return self

    def _unseen_margins(self, X, r, seed):
        """F of the training examples, each from classifiers trained on the other folds."""
        F = np.zeros((len(r), len(self._index)))
        rng = np.random.default_rng(seed_for("learned code", seed))
        for train, test in stratified(r, FOLDS, rng):
            if len(test):
                part = self._part(X, train, train)
                learner = self._fit_columns(self.learner_.fresh(), part, r[train], None)
                F[test] = self._margins_of(learner, self._part(X, test, train))
        return F

    def decision_function(self, X) -> np.ndarray:
        """K(F(x), M_l), highest wins. Two classes: one column, as usual."""
        F = self.margins(X)
        return self.machine_.decision_function(F)

    def predict(self, X) -> np.ndarray:
        """argmax_l K(F(x), M_l); ties go to the first of `classes_`."""
        F = self.margins(X)
        return self.classes_[self.machine_.predict(F)]
