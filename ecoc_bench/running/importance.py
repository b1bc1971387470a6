"""How much each attribute counts in the cells of a run: permuted on held-out rows, and by splits.

Slides "Variable Importance Measures" and "RF: Variable Importance Measures". The cells are fitted
again, with the seeds of the run. Each attribute is permuted among the test rows before they are
prepared, so all indicators of a nominal attribute move together. Not handled: decoders that need
inner folds.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..coding import column_sums, decoders
from ..data.inputs import attributes_of, prepare, projected
from ..errors import UserError
from ..experiment.codebook import CodeBook
from ..experiment.plan import Plan
from ..experiment.tasks import Cell
from ..learners.contract import Learner
from ..learners.gains import split_gains
from ..results.catalogue import FILES, JOINT
from ..results.ownership import claim
from ..results.rows import to_csv
from ..seeds import seed_for
from .fit import together
from .folder import locked
from .replay import read_source

NAME = "importance.csv"


def write_importance(folder: Path, only: Iterable[str], repeats: int) -> None:
    """Write importance.csv of a run's folder, for the cells that are chosen."""
    path = folder / "manifest.json"
    source = read_source(path)
    with locked(folder):
        plan = Plan(source.experiment, str(path), CodeBook(folder / "codes"), only)
        source.check(plan)
        rows = [row for cell in plan.chosen for row in cell_importance(plan, cell, repeats)]
        claim(folder).write({NAME: to_csv(FILES[NAME].columns, rows)})


def cell_importance(plan: Plan, cell: Cell, repeats: int) -> Iterator[dict]:
    """A row for each decoder and attribute of a cell."""
    if plan.by_sums(cell):
        raise UserError(
            f"{cell.dataset}, {cell.code}: the margins of more than {column_sums.WIDE:,} columns "
            "are too many to permute each attribute. Choose other codes with --only code=NAME."
        )
    refitted, rules = Refitted(plan, cell), _rules(plan, cell)
    gains, y = refitted.split_gains(), refitted.y
    before = {name: float((rule(refitted.margins()) != y).mean()) for name, rule in rules.items()}
    for j, feature in enumerate(refitted.features):
        moved = [refitted.margins(j, r) for r in range(repeats)]
        for name, rule in rules.items():
            after = float(np.mean([(rule(F) != y).mean() for F in moved]))
            yield {
                **vars(cell),
                "decoder": name,
                "feature": feature,
                "error_rate": f"{before[name]:.6f}",
                "permuted_error": f"{after:.6f}",
                "increase": f"{after - before[name]:.6f}",
                "split_gain": "" if gains is None else f"{gains[j]:.6f}",
            }


class Refitted:
    """The columns of a cell, fitted again as the run fitted them, and its test rows."""

    def __init__(self, plan: Plan, cell: Cell):
        self.context, names, self.sign = plan.columns(cell)
        data, at = plan.datasets[cell.dataset], self.context
        self.recipe = plan.recipes()[at.learner]
        rows = at.train, at.test[at.n_validation :]
        self.nominal, self.train, self.test = projected(data, *rows)
        self.y = at.y_test[at.n_validation :]
        components = tuple(f"component {i + 1}" for i in range(data.pca or 0))
        self.features = components or data.columns
        Y = (plan.matrices[cell.dataset, cell.code, cell.draw] * self.sign)[at.y_train]
        [X] = prepare(self.recipe.inputs, self.nominal, self.train)
        groups = together(self.recipe.learner, len(names))
        self.learners = [self._fit(X, Y[:, part], tuple(names[part])) for part in groups]

    def _fit(self, X, Y, names: tuple[str, ...]) -> Learner:
        learner, settings = self.recipe.learner, dict[str, Any]()
        if self.recipe.inputs == "coded" and learner.takes("nominal"):
            settings["nominal"] = self.nominal
        if learner.takes("random_state"):
            settings["random_state"] = seed_for(self.recipe.seed, self.context.key, names)
        return learner.fresh(**settings).fitted(X, Y)

    def margins(self, j: int | None = None, repeat: int = 0) -> np.ndarray:
        """Margins of the test rows; with j, after that attribute was permuted among them."""
        rows = self.test
        if j is not None:
            rng = np.random.default_rng(seed_for("permuted", self.context.key, j, repeat))
            rows = rows.copy()
            rows[:, j] = rng.permutation(rows[:, j])
        _, X = prepare(self.recipe.inputs, self.nominal, self.train, rows)
        return np.hstack([learner.margins(X) for learner in self.learners]) * self.sign

    def split_gains(self) -> np.ndarray | None:
        """Shares of the attributes in the gains of all splits; None if nothing splits."""
        found = [gains for learner in self.learners if (gains := split_gains(learner)) is not None]
        if not found:
            return None
        owners = attributes_of(self.recipe.inputs, self.nominal, self.train)
        return np.bincount(owners, np.mean(found, axis=0), len(self.nominal))


def _rules(plan: Plan, cell: Cell) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    """How each decoder labels margins; the one column of a method holds labels."""
    if cell.learner == JOINT:
        return {JOINT: lambda F: F[:, 0]}
    M = plan.matrices[cell.dataset, cell.code, cell.draw]
    known = [spec for spec in plan.experiment.decoders if spec.call not in decoders.CALIBRATED]
    return {spec.name: _rule(plan.resolved.decoders[cell.learner, spec.name], M) for spec in known}


def _rule(distances, M) -> Callable[[np.ndarray], np.ndarray]:
    return lambda F: decoders.predict(distances(M, F))
