"""Answers of trials for the tests of the page: real fits of cheap models, without `try` itself."""

from dataclasses import replace

import numpy as np
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from ecoc_bench.coding.codes import CODES
from ecoc_bench.trying.answer import (
    FAILED,
    RANKED,
    UNFINISHED,
    Answer,
    CodeReport,
    Entry,
    Honest,
    Look,
)
from ecoc_bench.trying.choose import tied
from ecoc_bench.trying.folds import ratio

REPEATS, FOLDS = 2, 3
CANDIDATES = {
    "logistic": ("logistic regression", LogisticRegression(max_iter=2000)),
    "bayes": ("naive Bayes", GaussianNB(var_smoothing=1e-3)),
    "neighbours": ("5 nearest neighbours", KNeighborsClassifier(5)),
    "prior": ("prior", DummyClassifier()),
}
NOT_RANKED = (
    Entry("forest", "random forest", UNFINISHED, "3 of 6 folds were done when the time was up"),
    Entry("svm", "SVM (rbf), one-vs-all", FAILED, "the fit ended with MemoryError"),
)
PROVENANCE = {
    "ecoc_bench": "0.1.0",
    "numpy": np.__version__,
    "seed": 0,
    "sha256": "ab" * 32,
    "command": "ecoc-bench try 'data/my table.csv' --target label --time 1m",
}


def iris_answer(**changes):
    """Of three classes, with every part."""
    data = load_iris()
    return answer_of(
        data.data, data.target, data.target_names.tolist(), data.feature_names, **changes
    )


def answer_of(X, y, classes, columns, names=tuple(CANDIDATES), metric="error", **changes):
    """An answer about a table; the first candidate is the pick."""
    folds = _folds(X, y)
    higher = metric in ("balanced_accuracy", "macro_f1")
    entries = _judged([_entry(X, y, folds, name, metric) for name in names], folds, metric, higher)
    naive = entries[0].scores[metric]
    shift = -0.01 if higher else 0.01
    given = dict(
        look=_look(y, classes, columns),
        metric=metric,
        higher_is_better=higher,
        entries=(*entries, *NOT_RANKED),
        best=entries[0].name,
        pick=names[0],
        why="It is the simplest and fastest of those that cannot be told from the best.",
        comparison=("Corrected resampled t-tests with Holm's adjustment, at 5%.",),
        honest=Honest(naive + shift, naive + shift - 0.03, naive + shift + 0.03, naive),
        y=y,
        lines=np.arange(len(y)) + 2,
        folds=folds,
        **_details(y, classes, columns),
        seconds={"asked": 60.0, "reading": 0.1, "fitting": 41.2, "closer look": 3.4},
        provenance=PROVENANCE,
        config="name: try\nseed: 0\n",
    )
    return Answer(**(given | changes))


def _look(y, classes, columns):
    kinds, missing = ("number",) * len(columns), np.zeros(len(columns), dtype=int)
    remarks = ("column `id` was left out: it has another value in each row",)
    return Look(
        "data/my table.csv", "label", len(y), tuple(classes), np.bincount(y), tuple(columns), kinds,
        missing, remarks,
    )  # fmt: skip


def _details(y, classes, columns):
    """Made up: the page only shows them."""
    curve = zip((8, 4, 2, 1), (0.3, 0.2, 0.1, 0.05), strict=True)
    code = CODES["all_pairs" if len(classes) < 20 else "ova"]
    M = code.make(len(classes), None) if len(classes) > 2 else None
    errors = None if M is None else np.random.default_rng(0).uniform(0, 0.3, M.shape[1])
    return {
        "learning_curve": tuple((len(y) // d, v, v - 0.02, v + 0.02) for d, v in curve),
        "importance": tuple((c, 0.2 / (i + 1), 0.01) for i, c in enumerate(columns)),
        "code": None if M is None else CodeReport(M, errors),
    }


def _judged(entries, folds, metric, higher):
    """Best first, with those that cannot be told from it."""
    entries.sort(key=lambda one: one.scores[metric], reverse=higher)
    sign = -1 if higher else 1
    scores = sign * np.array([one.scores[metric] for one in entries])
    by_fold = sign * np.array([one.by_fold for one in entries])
    same = tied(scores[None], by_fold[None], ratio(folds))[0]
    return [replace(one, tied=bool(t)) for one, t in zip(entries, same, strict=True)]


def _folds(X, y):
    folds = np.full((REPEATS, len(y)), -1)
    for repeat in range(REPEATS):
        split = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (_, test) in enumerate(split.split(X, y)):
            folds[repeat, test] = fold
    return folds


def _entry(X, y, folds, name, metric):
    title, estimator = CANDIDATES[name]
    P = np.full((REPEATS, len(y), y.max() + 1), np.nan)
    tests = [(r, np.flatnonzero(folds[r] == f)) for r in range(REPEATS) for f in range(FOLDS)]
    for repeat, test in tests:
        train = np.setdiff1d(np.arange(len(y)), test)
        fitted = make_pipeline(StandardScaler(), clone(estimator)).fit(X[train], y[train])
        P[repeat, test] = fitted.predict_proba(X[test])
    by_metric = {
        name: np.array([score(y[test], P[repeat, test]) for repeat, test in tests])
        for name, score in SCORES.items()
    }
    own, half = by_metric[metric], 1.96 * by_metric[metric].std() / np.sqrt(FOLDS)
    return Entry(
        name, title, RANKED, "", list(CANDIDATES).index(name), P,
        {name: float(values.mean()) for name, values in by_metric.items()},
        (float(own.mean() - half), float(own.mean() + half)), own,
        0.01 * (1 + list(CANDIDATES).index(name)) ** 3, 12.0, 0.1,
    )  # fmt: skip


SCORES = {
    "error": lambda y, P: np.mean(P.argmax(axis=1) != y),
    "balanced_accuracy": lambda y, P: balanced_accuracy_score(y, P.argmax(axis=1)),
    "macro_f1": lambda y, P: f1_score(y, P.argmax(axis=1), average="macro"),
    "log_loss": lambda y, P: log_loss(y, P, labels=np.arange(P.shape[1])),
}
