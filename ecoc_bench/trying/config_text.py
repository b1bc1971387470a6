"""The candidates of a trial as a config that `ecoc-bench run` accepts: try.yaml."""

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from .answer import RANKED, Entry
from .candidates import dense_columns
from .look import Problem

HEAD = """\
# The ranked candidates of `ecoc-bench try` as an experiment: every learner with every code, and the
# methods, on folds of its own. `ecoc-bench run {name}` fits it, draws figures and writes a page.
# `try` searches gamma and C of the machines by an inner split; here they are fixed.{more}
"""
# candidate -> learner, its settings, its code
REDUCTIONS: dict[str, tuple[str, dict[str, Any], str]] = {
    "ridge": ("least_squares", {"inputs": "standardize"}, "ova"),
    "linear_ova": ("logistic", {"max_iter": 300}, "ova"),
    "linear_pairs": ("logistic", {"max_iter": 300}, "all_pairs"),
    "linear_dense": ("logistic", {"max_iter": 300}, "dense"),
    "svm_pairs": ("svm", {"kernel": "rbf", "C": 10, "inputs": "standardize"}, "all_pairs"),
    "svm_ova": ("svm", {"kernel": "rbf", "C": 10, "inputs": "standardize"}, "ova"),
    "stumps_pairs": ("adaboost", {"rounds": 300}, "all_pairs"),
    "trees_dense": (
        "boosted_trees",
        {
            "type": "sklearn.ensemble:HistGradientBoostingClassifier",
            "max_iter": 60,
            "early_stopping": False,
            "inputs": "raw",
        },
        "dense",
    ),
}
METHODS: dict[str, dict[str, Any]] = {
    "prior": {"type": "sklearn.dummy:DummyClassifier", "strategy": "prior"},
    "forest": {
        "type": "sklearn.ensemble:RandomForestClassifier", "n_estimators": 200, "inputs": "raw",
    },
    "hist_boosting": {
        "type": "sklearn.ensemble:HistGradientBoostingClassifier", "inputs": "raw",
    },
    "multiclass_svm": {
        "type": "crammer_singer", "kernel": "rbf", "gamma": "1/d", "C": 10,
        "inputs": "standardize",
    },
    "secc_c45": {
        "type": "adaboost_secc", "rounds": 100, "eta": 0.2,
        "estimator": {"type": "c45", "prune": False},
    },
}  # fmt: skip


def config_of(problem: Problem, entries: Sequence[Entry], seed: int, source: dict[str, Any]) -> str:
    """The text of try.yaml; nothing if the table is in no file that a config could name."""
    if "path" not in source:
        return ""
    names = [one.name for one in entries if one.status == RANKED]
    content: dict[str, Any] = {
        "name": _name(problem.data.name),
        "title": f"The candidates of a trial on {Path(problem.look.source).name}",
        "seed": seed,
        "datasets": [_dataset(problem, source)],
        "evaluation": {"folds": 5, "repeats": 1},
    }
    reductions = [REDUCTIONS[name] for name in names if name in REDUCTIONS]
    if reductions:
        content["learners"] = {learner: settings for learner, settings, _ in reductions}
        k = problem.data.n_classes
        content["codes"] = sorted({_code(code, k) for *_, code in reductions})
        content["decoders"] = ["loss"]
    content["methods"] = {name: METHODS[name] for name in names if name in METHODS}
    more = "" if problem.train is None else "\n# The rows of --test are not in it."
    head = HEAD.format(name="try.yaml", more=more)
    return head + yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100)


def _dataset(problem: Problem, source: dict[str, Any]) -> dict[str, Any]:
    data, left_out = problem.data, problem.left_out
    folder = Path(source.get("out") or ".")
    nominal = [name for name, is_one in zip(data.columns, data.nominal, strict=True) if is_one]
    found: dict[str, Any] = {
        "name": _name(data.name),
        "path": Path(os.path.relpath(source["path"], folder)).as_posix(),
        "target": problem.look.target,
        "nominal": nominal,
        "missing_labels": "drop",
    }
    if problem.group is not None:
        found["sequence"] = problem.group
        found["missing_labels"] = "error"
    return found | ({"drop": list(left_out)} if left_out else {})


def _code(name: str, k: int) -> str:
    """As the candidates do: all dichotomies where a dense code would have more columns."""
    return "complete" if name == "dense" and dense_columns(k) == 2 ** min(k - 1, 30) - 1 else name


def _name(text: str) -> str:
    """A name that configs accept.

    >>> _name("my table (2)")
    'my_table_2'
    """
    return re.sub(r"[^A-Za-z0-9_.+@-]+", "_", text).strip("_.+@-")[:80] or "table"
