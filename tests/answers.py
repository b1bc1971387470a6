"""Answers of trials for the tests of the page: real fits of cheap models, without `try` itself."""

from dataclasses import replace

import numpy as np
from sklearn.base import clone
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


def answer_of(X, y, classes, columns, names=tuple(CANDIDATES), metric="error", **changes):
    """An answer about a table; the first candidate is the pick."""
    folds = _folds(X, y)
    entries = [_entry(X, y, folds, name, metric) for name in names]
    higher = metric in ("balanced_accuracy", "macro_f1")
    entries.sort(key=lambda one: one.scores[metric], reverse=higher)
    best = entries[0]
    entries = [replace(one, tied=_tied(one, best, metric)) for one in entries]
    naive = best.scores[metric]
    shift = -0.01 if higher else 0.01
    errors = np.array([0.3, 0.2, 0.1])
    M = (
        CODES["all_pairs" if len(classes) < 20 else "ova"].make(len(classes), None)
        if (len(classes) > 2)
        else None
    )
    rng = np.random.default_rng(0)
    given = dict(
        look=Look(
            "data/my table.csv",
            "label",
            len(y),
            tuple(classes),
            np.bincount(y),
            tuple(columns),
            ("number",) * len(columns),
            np.zeros(len(columns), dtype=int),
            ("column `id` was left out: it has another value in each row",),
        ),
        metric=metric,
        higher_is_better=higher,
        entries=(*entries, *NOT_RANKED),
        best=best.name,
        pick=names[0],
        why="It is the simplest and fastest of those that cannot be told from the best.",
        comparison=("Corrected resampled t-tests with Holm's correction, at 5%.",),
        honest=Honest(naive + shift, naive + shift - 0.03, naive + shift + 0.03, naive),
        y=y,
        lines=np.arange(len(y)) + 2,
        folds=folds,
        learning_curve=tuple(
            (len(y) // d, v, v - 0.02, v + 0.02)
            for d, v in zip((8, 4, 2, 1), (*errors, 0.05), strict=True)
        ),
        importance=tuple((c, 0.2 / (i + 1), 0.01) for i, c in enumerate(columns)),
        code=None if M is None else CodeReport(M, rng.uniform(0, 0.3, M.shape[1])),
        seconds={"asked": 60.0, "reading": 0.1, "fitting": 41.2, "refit": 0.4, "page": 2.0},
        provenance={
            "ecoc_bench": "0.1.0",
            "packages": {"numpy": np.__version__},
            "seed": 0,
            "sha256": "ab" * 32,
            "command": "ecoc-bench try 'data/my table.csv' --target label --time 1m",
        },
        config="name: try\nseed: 0\n",
    )
    return Answer(**(given | changes))


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
        0.01 * 4 ** len(name), 12.0, 0.1,
    )  # fmt: skip


def _tied(entry, best, metric):
    return abs(entry.scores[metric] - best.scores[metric]) < 0.03


SCORES = {
    "error": lambda y, P: np.mean(P.argmax(axis=1) != y),
    "balanced_accuracy": lambda y, P: balanced_accuracy_score(y, P.argmax(axis=1)),
    "macro_f1": lambda y, P: f1_score(y, P.argmax(axis=1), average="macro"),
    "log_loss": lambda y, P: log_loss(y, P, labels=np.arange(P.shape[1])),
}
