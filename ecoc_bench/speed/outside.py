"""Vowpal Wabbit and napkinXC behind `fit` and `predict`, with the bytes of their models."""

import shutil
import tempfile
import weakref
from importlib import import_module
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

PASSES = 10


class VowpalWabbit:
    """`--oaa` or `--recall_tree` of so many classes; each pass is in the order of the rows."""

    def __init__(self, how: str, k: int):
        self.how, self.k = how, k

    def fit(self, X, y):
        make = import_module("vowpalwabbit").Workspace
        bits = max(18, int(np.ceil(np.log2(self.k * (X.shape[1] + 1)))) + 1)
        self.model = make(f"{self.how} {self.k} -b {bits} --quiet --random_seed 1")
        order = np.random.default_rng(0).permutation(len(y))
        lines = [f"{y[i] + 1} {_cells(X[i])}" for i in order]
        examples = [self.model.parse(line) for line in lines]
        for _ in range(PASSES):
            for example in examples:
                self.model.learn(example)
        for example in examples:
            self.model.finish_example(example)
        return self

    def predict(self, X):
        return np.array([self.model.predict(_cells(row)) for row in X]) - 1

    @property
    def nbytes(self) -> int:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            self.model.save(str(path))
            return path.stat().st_size


def _cells(row: np.ndarray) -> str:
    """A row in the text that Vowpal Wabbit reads."""
    return "| " + " ".join(f"{j}:{value:.6g}" for j, value in enumerate(row))


class NapkinXC:
    """`PLT`, a tree of logistic regressions, or `BR`, one of them for each class."""

    def __init__(self, name: str):
        self.name = name

    def fit(self, X, y):
        self.folder = tempfile.mkdtemp()
        weakref.finalize(self, shutil.rmtree, self.folder)
        make = getattr(import_module("napkinxc.models"), self.name)
        self.model = make(self.folder, threads=1, seed=1)
        self.model.fit(csr_matrix(X), [[int(label)] for label in y])
        self.model.load()
        return self

    def predict(self, X):
        return np.array([best[0] for best in self.model.predict(csr_matrix(X), top_k=1)])

    @property
    def nbytes(self) -> int:
        return sum(path.stat().st_size for path in Path(self.folder).rglob("*"))
