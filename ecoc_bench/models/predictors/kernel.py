"""Kernel machines: SVC, our machines for the columns of a code, and the multiclass SVM.

The entries of a kernel matrix are those of the fit: float32 where its matrix was float32.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.svm import SVC

from ...learners.columns import ConstantMargin, MultiCall
from ...learners.machines import AT_ONCE, Machine
from ..scoring import two_sided
from .base import Predictor

LINEAR, POLY, RBF = 0, 1, 2  # as in learners._kernel_rows, which needs numba
NAMES = {"linear": LINEAR, "poly": POLY, "rbf": RBF}
HIGHEST = 64  # degree of a polynomial


@dataclass(frozen=True, eq=False)
class Kernel(Predictor):
    """outputs[:, s] = sum_i coefficients[i, s] K_s(x_i, x) + bias[s], each s with its own kernel.

    K is x.z, (gamma x.z + coef0)^degree or exp(-gamma ||x - z||^2) for `formula` 0, 1 or 2, rounded
    to single precision where `single` says so. `both`: one column f is the scores -f and +f.
    """

    kind: ClassVar[str] = "kernel"
    layout: ClassVar[dict[str, tuple[str, str]]] = {
        "vectors": ("<f8", "vectors inputs"),
        "coefficients": ("<f8", "vectors columns"),
        "bias": ("<f8", "columns"),
        "formula": ("|i1", "columns"),
        "gamma": ("<f8", "columns"),
        "coef0": ("<f8", "columns"),
        "degree": ("<i4", "columns"),
        "single": ("|b1", "columns"),
    }

    vectors: np.ndarray
    coefficients: np.ndarray
    bias: np.ndarray
    formula: np.ndarray
    gamma: np.ndarray
    coef0: np.ndarray
    degree: np.ndarray
    single: np.ndarray
    both: bool

    @classmethod
    def from_estimator(cls, estimator):
        from ...joint.crammer_singer import MulticlassSVM

        if isinstance(estimator, SVC) and len(estimator.classes_) == 2:
            machine = _of_svc(estimator)
            return None if machine is None else cls._of([machine], both=True)
        if not isinstance(estimator, MulticlassSVM) or not hasattr(estimator, "dual_coef_"):
            return None
        if estimator.kernel not in NAMES:
            return None
        alphas = estimator.dual_coef_.T
        if len(alphas) == 2:
            alphas = alphas[1:] - alphas[:1]
        rule = NAMES[estimator.kernel], estimator.gamma_, estimator.coef0, estimator.degree, False
        columns = [(*_used(estimator.support_vectors_, a), 0.0, rule) for a in alphas]
        return cls._of(columns, both=len(alphas) == 1)

    @classmethod
    def of_columns(cls, learner: MultiCall, estimators: Sequence[Any]) -> "Kernel | None":
        """The margins of the columns of a code."""
        if any(used is not None for used in learner.kernel_columns_):
            return None
        columns = [_of_column(one) for one in estimators]
        n_inputs = {c[0].shape[1] for c in columns if c is not None} - {0}
        if any(c is None for c in columns) or len(n_inputs) != 1:
            return None
        return cls._of([c for c in columns if c is not None], both=False)

    @classmethod
    def of_gaussian(cls, svm: Any) -> "Kernel":
        """Of a fitted `GaussianSVM`, whose bias is inside the kernel: K + 1."""
        formula, vectors = svm.formula_, svm.X_[:-1, :-1]  # without the example that is far away
        rule = RBF, formula.gamma, 0.0, 1, svm.dtype_ is np.float32
        columns = [(*_used(vectors, a), a.sum(), rule) for a in svm.alphas_.T]
        return cls._of(columns, both=False)

    @classmethod
    def of_pairs(cls, svc: SVC) -> "Kernel | None":
        """The pairwise machines of a plain SVC with several classes, in libsvm's order."""
        rule = _rule_of(svc)
        if rule is None:
            return None
        k, columns = len(svc.classes_), list[tuple]()
        owner = np.repeat(np.arange(k), svc.n_support_)
        for r in range(k):
            for q in range(r + 1, k):
                a = np.where(owner == r, svc.dual_coef_[q - 1], 0.0)
                a = np.where(owner == q, svc.dual_coef_[r], a)
                columns.append(
                    (*_used(svc.support_vectors_, a), svc.intercept_[len(columns)], rule)
                )
        return cls._of(columns, both=False)

    @classmethod
    def _of(cls, columns, both: bool) -> "Kernel":
        """Of (vectors, their coefficients, bias, rule) of each column; equal vectors are one."""
        every = np.concatenate([c[0] for c in columns if c[0].shape[1]])
        _, first, place = np.unique(every, axis=0, return_index=True, return_inverse=True)
        # In the order of the fit: sums in another order are other sums.
        order = np.argsort(first, kind="stable")
        rank = np.argsort(order, kind="stable")[place.ravel()]
        A, start = np.zeros((len(first), len(columns))), 0
        for s, (vectors, alphas, _, _) in enumerate(columns):
            np.add.at(A[:, s], rank[start : start + len(vectors)], alphas)
            start += len(vectors)
        rules = zip(*(c[3] for c in columns), strict=True)
        return cls.made([every[first[order]], A, [c[2] for c in columns], *rules], both=both)

    @property
    def n_inputs(self) -> int:
        return self.vectors.shape[1]

    @property
    def n_outputs(self) -> int:
        return 2 if self.both else len(self.bias)

    def check(self):
        self.require(np.isin(self.formula, list(NAMES.values())).all(), "an unknown formula")
        self.require((self.gamma > 0).all(), "gamma is not above 0")
        in_range = (self.degree >= 0) & (self.degree <= HIGHEST)
        self.require(in_range.all(), f"a degree is not from 0 to {HIGHEST}")
        self.require(not self.both or len(self.bias) == 1, "several columns for two classes")

    def outputs(self, X):
        few = max(AT_ONCE // (16 * max(len(self.vectors), 1)), 1)
        parts = [self._outputs(X[start : start + few]) for start in range(0, len(X), few)]
        F = np.concatenate(parts) if parts else np.empty((0, len(self.bias)))
        return two_sided(F[:, 0]) if self.both else F

    def _outputs(self, X):
        from ...learners._kernel_rows import Formula, expand
        from ...learners.kernels import new_matrix

        X = np.ascontiguousarray(X, dtype=np.float64)
        F, matrices = np.empty((len(X), len(self.bias))), {}
        for s in range(len(self.bias)):
            rule = Formula(
                *(int(self.formula[s]), float(self.gamma[s]), float(self.coef0[s])),
                int(self.degree[s]),
            )
            dtype: type = np.float32 if self.single[s] else np.float64
            if (rule, dtype) not in matrices:
                matrices = {(rule, dtype): new_matrix(rule, self.vectors, X, dtype)}
            rows = matrices[rule, dtype].rows
            F[:, s] = expand(rows, np.ascontiguousarray(self.coefficients[:, s])) + self.bias[s]
        return F


def _used(vectors, alphas):
    used = alphas != 0
    return vectors[used], alphas[used]


def _rule_of(svc: SVC):
    """Kernel, gamma, coef0, degree and precision, if we have the kernel."""
    if not isinstance(svc.kernel, str) or svc.kernel not in NAMES or svc._sparse:
        return None
    return NAMES[svc.kernel], svc._gamma, svc.coef0, svc.degree, False


def _of_svc(svc: SVC):
    rule = _rule_of(svc)
    if rule is None:
        return None
    return svc.support_vectors_, np.ravel(svc.dual_coef_), float(svc.intercept_[0]), rule


def _of_column(estimator):
    """(vectors, coefficients, bias, rule) of a fitted column; None if it is no kernel machine."""
    if isinstance(estimator, ConstantMargin):
        nothing = np.empty((0, 0)), np.empty(0)
        return *nothing, float(estimator.sign), (LINEAR, 1.0, 0.0, 1, False)
    if isinstance(estimator, SVC):
        return _of_svc(estimator)
    if not isinstance(estimator, Machine) or estimator.formula.kind not in NAMES.values():
        return None
    formula, single = estimator.formula, estimator.dtype is np.float32
    rule = formula.kind, formula.gamma, formula.coef0, formula.degree, single
    vectors, alphas = estimator.support_vectors_, estimator.dual_coef_[0]
    return vectors, alphas, float(estimator.intercept_[0]), rule
