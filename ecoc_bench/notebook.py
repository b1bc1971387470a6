"""The entry point for notebooks, `ecoc_bench.Run("results/uci_svm")`; no module imports it."""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from .errors import UserError, unknown
from .experiment.codebook import CodeBook
from .experiment.plan import Plan
from .experiment.tasks import Cell
from .papers.claims import Verdict, judge
from .report.figures import FigureFile, write_figures
from .results import run as results
from .running.replay import read_source
from .running.store import Store


class CellMargins(NamedTuple):
    """A cell's code, and its margins at the last stage: F[i, s] = f_s(x_i), with the labels.

    Labels are rows of M; those of the training part are as the learner saw them.
    """

    M: np.ndarray
    train: np.ndarray
    y_train: np.ndarray
    test: np.ndarray
    y_test: np.ndarray


class Run(results.Run):
    """A run's folder in Python.

    `results` is the pandas frame of results.csv and `facts` the manifest; `summary()` is the table
    of errors as a frame and `table()` as text; `rows("costs.csv")` is any other CSV of the run.

    >>> run = Run("results/reference/quick")  # doctest: +SKIP
    >>> run.summary().query("dataset == 'glass'")[["code", "decoder", "error"]]  # doctest: +SKIP
    """

    def claims(self) -> list[Verdict]:
        """What the run says about the papers' claims."""
        return judge(self)

    def figures(self) -> list[FigureFile]:
        """Draw the figures of the run into its folder; each has `svg` and `png`."""
        return write_figures(self)

    def margins(
        self, dataset: str, learner: str, code: str, draw: int = 0, repeat: int = 0, fold: int = 0
    ) -> CellMargins:
        """The margins of a cell, from the store of the run."""
        cell = Cell(dataset, learner, code, draw, repeat, fold)
        if cell not in self._plan.cells:
            raise UserError(f"{self.folder}: {_missing(cell, self._plan.cells)}")
        context, names, sign = self._plan.columns(cell)
        if not all((context.key, name) in self._store for name in names):
            raise UserError(
                f"{self.folder}: no stored margins of {cell}. {results.REMEDY} Committed reference "
                "runs have no store."
            )
        found = [self._store.load(context.key, [name])[name] for name in names]
        train = np.column_stack([record.train[-1, :, j] for record, j in found]) * sign
        test = np.column_stack([record.test[-1, :, j] for record, j in found]) * sign
        n = context.n_validation
        M = self._plan.matrices[dataset, code, draw]
        return CellMargins(M, train, context.y_train, test[n:], context.y_test[n:])

    @cached_property
    def _plan(self) -> Plan:
        path = self.folder / "manifest.json"
        source = read_source(path)
        return Plan(source.experiment, str(path), CodeBook(self.folder / "codes"), source.only)

    @cached_property
    def _store(self) -> Store:
        return Store(self.folder / "store", repair=False)


def _missing(cell: Cell, cells: Sequence[Cell]) -> str:
    """Which name or number of a cell the run does not have."""
    wanted = vars(cell)
    for axis, value in wanted.items():
        known = sorted({str(vars(other)[axis]) for other in cells})
        if str(value) not in known:
            return f"no such cell: {unknown(axis, str(value), known)}"
    parts = ", ".join(f"{axis} {value}" for axis, value in wanted.items())
    return f"no such cell: {parts} do not go together in this run. See `results` for those that do."
