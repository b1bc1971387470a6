"""Experiment -> the cells it asks for and the distinct fits they need; no data are fitted."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csc_array

from ..coding.codes import canonical
from ..coding.column_sums import is_wide
from ..coding.decoders import CALIBRATED
from ..data.csvfile import Dataset
from ..errors import ConfigError
from ..results.catalogue import JOINT
from ..seeds import digest, identity, matrix_digest
from .codebook import CodeBook
from .config import Experiment, LearnerSpec
from .drawing import draw_all
from .kept import cell_task, keeps_rows, no_sums, rows_key, slab_tasks, slabs
from .label_sets import check_label_sets
from .only import parse_only
from .resolve import Resolved, at_key
from .sparse import check_sparse
from .splits import Split, noted, splits
from .tasks import LABELS, ROWS, Cell, Context, Recipe, Task, chunks, column_name, labels_of

if TYPE_CHECKING:
    from ..learners.contract import Learner

INNER = 3  # folds of the training part, as in Section III of Passerini et al. 2004


class Plan:
    """The cells of an experiment, its codes, and which columns each cell is decoded from.

    With `only` (pairs such as `dataset=glass`) the random codes of other cells are not drawn; those
    cells are in the plan if an earlier run left their codes in the code book. Codes are drawn on
    `jobs` threads; `told` gets how many are drawn, and of how many.
    """

    def __init__(
        self,
        experiment: Experiment,
        where: str,
        book: CodeBook,
        only: Iterable[str] = (),
        jobs: int = 1,
        told: Callable[[int, int], None] = lambda done, total: None,
    ):
        self.experiment = experiment
        self.book = book
        self.only = list(only)
        self.choice = parse_only(self.only, experiment)
        self.resolved = Resolved(experiment, where)
        check_label_sets(experiment, self.resolved, where)
        check_sparse(experiment, self.resolved, where)
        self.datasets: dict[str, Dataset] = {
            n: noted(d, experiment) for n, d in self.resolved.datasets.items() if d is not None
        }
        self.absent = {  # for each data set that is not here: the name to fetch
            spec.name: spec.of or spec.name
            for spec in experiment.datasets
            if self.resolved.datasets[spec.name] is None
        }
        self.matrices, self.drawn, self.left_out = draw_all(self, where, jobs, told)
        for dataset, data in self.datasets.items():
            for method in self.resolved.methods:
                M = labels_of(data.n_classes) if data.sets is None else data.sets
                self.matrices[dataset, method, 0] = M
        self.splits: dict[tuple[str, int, int], Split] = {
            (spec.name, split.repeat, split.fold): split
            for i, spec in enumerate(experiment.datasets)
            if spec.name in self.datasets
            for split in at_key(
                f"datasets[{i}]", where, splits, self.datasets[spec.name], spec, experiment
            )
        }
        self._contexts: dict[tuple, Context] = {}
        self._named: dict[tuple[str, str, int], tuple[list[str], np.ndarray]] = {}
        self._digests: dict[tuple[str, str, int], str] = {}
        self._by_sums: dict[tuple[str, str, int], bool] = {}
        self._entries: dict[tuple[str, str, int], csc_array] = {}
        self._check_choices(where)
        self._check_margin_bounds(where)

    def _check_choices(self, where: str) -> None:
        """Refuse a choice among learners that lack its criterion."""
        for name, choice in self.experiment.select.items():
            axis, members = choice.members(self.experiment)
            if axis == "code" and choice.by != "validation":
                raise ConfigError(f"{where}: select.{name}: methods can be chosen by validation.")
            for member in members:
                if choice.by == "loo_bound" and not self.fitters[member].has_loo:
                    raise ConfigError(
                        f"{where}: select.{name}: '{member}' has no leave-one-out bound; a learner "
                        "of type gaussian_svm has. Choose by cv instead."
                    )

    def _check_margin_bounds(self, where: str) -> None:
        """Refuse to bound what no method can tell."""
        if self.experiment.margin_bounds is None:
            return
        if not any(method.has_margin_bound for method in self.resolved.methods.values()):
            raise ConfigError(
                f"{where}: margin_bounds: no method is a kernel machine without a bias. Add "
                "crammer_singer or weston_watkins to 'methods', or remove this key."
            )

    @cached_property
    def inner(self) -> int:
        """The number of inner folds that decoders or choices need; 0 if none does."""
        calibrated = any(spec.call in CALIBRATED for spec in self.experiment.decoders)
        chosen = any(choice.by == "cv" for choice in self.experiment.select.values())
        return INNER if calibrated or chosen else 0

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the order of the config."""
        return tuple(
            Cell(dataset, learner, code, draw, repeat, fold)
            for dataset in self.datasets
            for learner in (*self.resolved.learners, JOINT)
            for (owner, code, draw) in self.matrices
            if owner == dataset and (learner == JOINT) == (code in self.resolved.methods)
            for (other, repeat, fold) in self.splits
            if other == dataset
        )

    @cached_property
    def chosen(self) -> list[Cell]:
        """The cells whose data set, learner, code and method are among the chosen names."""
        return [cell for cell in self.cells if self.choice.has(cell)]

    def columns(self, cell: Cell) -> tuple[Context, list[str], np.ndarray]:
        """Where a cell's margins come from: context, the store's names of its columns, their signs.

        A multi-call learner fits each distinct dichotomy once, no matter which codes use it, and
        with which sign. A single-call learner fits a whole matrix, which is then part of the
        context. Label sets are such a matrix, for methods too.
        """
        M = self.matrices[cell.dataset, cell.code, cell.draw]
        context = self.context(cell)
        if cell.learner == JOINT and self.datasets[cell.dataset].sets is None:
            return context, [LABELS], np.ones(1, dtype=np.int8)
        if self._fits_whole(cell):
            return context, [str(s) for s in range(M.shape[1])], np.ones(M.shape[1], dtype=np.int8)
        return context, *self._dichotomies(cell)

    def context(self, cell: Cell) -> Context:
        """What the fits of a cell depend on besides columns; for a whole matrix, also on this."""
        return self._context(cell, self.digest(cell) if self._fits_whole(cell) else None)

    def _fits_whole(self, cell: Cell) -> bool:
        if cell.learner == JOINT or self.datasets[cell.dataset].sets is not None:
            return self.datasets[cell.dataset].sets is not None
        return self.resolved.learners[cell.learner].single_call

    def digest(self, cell: Cell) -> str:
        """The digest of a cell's matrix, made once."""
        at = (cell.dataset, cell.code, cell.draw)
        if at not in self._digests:
            self._digests[at] = matrix_digest(self.matrices[at])
        return self._digests[at]

    def by_sums(self, cell: Cell) -> bool:
        """Whether a cell is decoded by sums over its columns: see `coding.column_sums`."""
        at = (cell.dataset, cell.code, cell.draw)
        if cell.learner == JOINT or self.datasets[cell.dataset].sets is not None:
            return False
        if at not in self._by_sums:
            M = self.matrices[at]
            self._by_sums[at] = is_wide(M) and not no_sums(self, cell.dataset, M)
        return self._by_sums[at]

    def entries(self, cell: Cell) -> csc_array:
        """A cell's matrix without its zeros, the first entry of every column made +1."""
        at = (cell.dataset, cell.code, cell.draw)
        if at not in self._entries:
            dense = self.matrices[at]
            rows, columns = np.nonzero(dense)
            M = csc_array((dense[rows, columns], (rows, columns)), shape=dense.shape)
            M.sort_indices()
            M.data *= np.repeat(M.data[M.indptr[:-1]], np.diff(M.indptr))
            self._entries[at] = M
        return self._entries[at]

    def _dichotomies(self, cell: Cell) -> tuple[list[str], np.ndarray]:
        """The names and signs of the columns of a cell's matrix, found once."""
        at = (cell.dataset, cell.code, cell.draw)
        if at not in self._named:
            columns, sign = canonical(self.matrices[at])
            self._named[at] = (
                [sys.intern(column_name(c)) for c in np.ascontiguousarray(columns.T)],
                sign,
            )
        return self._named[at]

    def contexts(self, cell: Cell) -> list[Context]:
        """The contexts that a cell needs: its own and, for held-out margins, the inner folds'."""
        own = self.context(cell)
        if not self.inner or cell.learner == JOINT:
            return [own]
        none = np.array([], dtype=np.int64)
        chains = self.datasets[cell.dataset].sequences
        whole = [] if chains is None else [chains.tolist()]  # the inner folds depend on them
        key = digest(own.key, "inner", self.inner, *whole)
        return [
            own,
            replace(own, key=key, test=none, y_test=none, n_validation=0, inner=self.inner),
        ]

    def places(self, cell: Cell) -> set[tuple[str, str]]:
        """The columns that a cell is decoded from, or its rows, by their keys in the store."""
        if keeps_rows(self, cell):
            return set(slabs(self, cell)) if self.by_sums(cell) else {(rows_key(self, cell), ROWS)}
        _, names, _ = self.columns(cell)
        return {(context.key, name) for context in self.contexts(cell) for name in names}

    def keys(self, cell: Cell) -> list[str]:
        """The store's keys of what a cell is decoded from, without the columns."""
        if keeps_rows(self, cell):
            return [key for key, _ in self.places(cell)]
        return [context.key for context in self.contexts(cell)]

    def _context(self, cell: Cell, matrix: str | None) -> Context:
        name = cell.code if cell.learner == JOINT else cell.learner
        at = (cell.dataset, name, cell.repeat, cell.fold, matrix)
        if at not in self._contexts:
            split = self.splits[cell.dataset, cell.repeat, cell.fold]
            test = np.concatenate([split.validation, split.test])
            self._contexts[at] = Context(
                self._key(cell.dataset, name, split, test, matrix),
                *at[:4],
                split.train,
                test,
                split.labels[split.train],
                split.labels[test],
                len(split.validation),
            )
        return self._contexts[at]

    def _key(self, dataset: str, name: str, split: Split, test, matrix: str | None) -> str:
        """A key of everything that a fit depends on, and nothing else: no name of a learner."""
        learner, data = self.fitters[name], self.datasets[dataset]
        name_in_keys, params = learner.described()
        changed = np.flatnonzero(split.labels != data.y)
        costs = data.costs if learner.uses_costs(data.costs) else None
        extra = [changed.tolist(), split.labels[changed].tolist()] if len(changed) else []
        return digest(
            [data.sha256, data.classes, data.columns, data.categories],
            [split.train.tolist(), test.tolist()],
            [name_in_keys, learner.version],
            [{key: _described(value) for key, value in params.items()}, self.inputs(name)],
            [self.experiment.seed if learner.takes("random_state") else None, matrix],
            *([extra] if extra else []),
            *([{"pca": data.pca}] if data.pca else []),
            *([] if data.X.dtype == np.float64 else [{"dtype": str(data.X.dtype)}]),
            *([] if costs is None else [{"costs": costs.tolist()}]),
            *self._chains(learner, data),
        )

    @staticmethod
    def _chains(learner: "Learner", data: Dataset) -> list[dict]:
        if data.sequences is None or not learner.takes_sequences:
            return []
        return [{"sequences": data.sequences.tolist()}]

    def tasks(self, cells: Iterable[Cell], stored) -> list[Task]:
        """The fits that these cells still need, the costliest first."""
        tasks: list[Task] = []
        wanted: dict[str, tuple[Context, dict[str, np.ndarray]]] = {}
        for cell in cells:
            if keeps_rows(self, cell) and self.by_sums(cell):
                tasks += slab_tasks(self, cell, stored)
                continue
            if keeps_rows(self, cell):
                if not all(place in stored for place in self.places(cell)):
                    tasks.append(cell_task(self, cell))
                continue
            _, names, sign = self.columns(cell)
            block = self.matrices[cell.dataset, cell.code, cell.draw] * sign
            for context in self.contexts(cell):
                missing = {
                    n: block[:, s] for s, n in enumerate(names) if (context.key, n) not in stored
                }
                wanted.setdefault(context.key, (context, {}))[1].update(missing)
        for context, columns in wanted.values():
            tasks += chunks(context, columns, self.fitters[context.learner])
        return sorted(tasks, key=lambda task: -task.cost)

    @cached_property
    def fitters(self) -> dict[str, "Learner"]:
        """Learners and methods by their names."""
        return {**self.resolved.learners, **self.resolved.methods}

    def inputs(self, name: str) -> str:
        """The preprocessing for a learner: what the config says, else what the learner asks for."""
        return self._spec(name).inputs or self.fitters[name].inputs

    def recipes(self) -> dict[str, Recipe]:
        """What a worker has to know about each learner."""
        return {
            name: Recipe(learner, self.inputs(name), self.experiment.seed, self._spec(name).timeout)
            for name, learner in self.fitters.items()
        }

    def _spec(self, name: str) -> LearnerSpec:
        specs = (*self.experiment.learners, *self.experiment.methods)
        return next(s for s in specs if s.name == name)


def _described(value) -> Any:
    """A parameter as plain data; an estimator becomes its class and all its parameters.

    Our classes and scikit-learn's are known by their bare names, so that their files can move.
    """
    if not hasattr(value, "get_params"):
        return repr(value)
    params = value.get_params(deep=False)
    package = type(value).__module__.partition(".")[0]
    bare = package in ("ecoc_bench", "sklearn")
    name = type(value).__qualname__ if bare else identity(type(value))
    return [name, {key: _described(v) for key, v in params.items()}]
