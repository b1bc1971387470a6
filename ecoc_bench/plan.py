"""Experiment -> the cells it asks for and the distinct fits they need. Pure: nothing is fitted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from joblib import Parallel, delayed

from .codebook import CodeBook
from .codes import canonical
from .config import CodeSpec, Experiment, LearnerSpec
from .csvfile import Dataset
from .errors import CodeError, ConfigError, unknown
from .fit import Job
from .plugins import is_import_path
from .resolve import Parts, at_key
from .seeds import digest, seed_for
from .splits import splits

ROWS_PER_TASK = 20_000  # training rows times columns fitted by one task: some seconds, not minutes
AXES = ("dataset", "learner", "code")


@dataclass(frozen=True)
class Cell:
    """What is decoded as one: a code on one fold, with the margins of one learner."""

    dataset: str
    learner: str
    code: str
    draw: int
    repeat: int
    fold: int


@dataclass(frozen=True, eq=False)
class Context:
    """All that a fit depends on but its columns; `key` is made of just that content."""

    key: str
    dataset: str
    learner: str
    repeat: int
    fold: int
    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)


@dataclass(frozen=True, eq=False)
class Task:
    """Columns to be fitted in one go: `block[:, j]` is known to the store as `columns[j]`."""

    context: Context
    columns: tuple[str, ...]
    block: np.ndarray = field(repr=False)

    @property
    def cost(self) -> int:
        return len(self.context.train) * len(self.columns)


class Plan:
    """The cells of an experiment, its codes, and which columns each cell is decoded from.

    With `only` (pairs such as `dataset=glass`) random codes of other cells are not drawn; they are
    in the plan if an earlier run left them in the code book. Codes are drawn on `jobs` threads.
    """

    def __init__(
        self,
        experiment: Experiment,
        where: str,
        book: CodeBook,
        only: Iterable[str] = (),
        jobs: int = 1,
    ):
        self.experiment = experiment
        self.book = book
        self.drawn: dict[str, np.ndarray] = {}
        self.parts = Parts(experiment, where)
        self.only = list(only)
        self.choice = parse_only(self.only, self.parts)
        self.datasets: dict[str, Dataset] = {
            n: d for n, d in self.parts.datasets.items() if d is not None
        }
        self.absent = [n for n, d in self.parts.datasets.items() if d is None]
        self.left_out: dict[tuple[str, str], str] = {}
        self.matrices: dict[tuple[str, str, int], np.ndarray] = {}
        self._draw_all(where, jobs)
        for i, spec in enumerate(experiment.codes):
            self._refuse_useless(f"{where}: codes[{i}]", spec)
        self.splits = {
            (name, repeat, fold): parts
            for i, (name, data) in enumerate(self.parts.datasets.items())
            if data is not None
            for repeat, fold, parts in at_key(f"datasets[{i}]", where, splits, data, experiment)
        }
        self._contexts: dict[tuple, Context] = {}

    def _draw_all(self, where: str, jobs: int) -> None:
        """Every code of every data set, or the reason why it is left out of it."""
        pairs = [(d, i, s) for d in self.datasets for i, s in enumerate(self.experiment.codes)]
        threads = Parallel(n_jobs=jobs, backend="threading")
        drawn = threads(
            delayed(at_key)(f"codes[{i}]", where, self._draw, dataset, spec)
            for dataset, i, spec in pairs
        )
        for (dataset, _, spec), (matrices, names, why) in zip(pairs, drawn, strict=True):
            if why:
                self.left_out[dataset, spec.name] = why
            for draw, M in enumerate(matrices):
                self.matrices[dataset, spec.name, draw] = M
            self.drawn.update(zip(names, matrices, strict=False))

    def _draw(self, dataset: str, spec: CodeSpec) -> tuple[list[np.ndarray], list[str], str]:
        """The matrices of a code, their names in the code book, and why there are no more."""
        family, k = self.parts.families[spec.name], self.datasets[dataset].n_classes
        known = family.random and not _own(spec)  # a function of the user's own may change
        matrices: list[np.ndarray] = []
        names: list[str] = []
        for draw in range(self.experiment.evaluation.draws if family.random else 1):
            content = (self.experiment.seed, "code", dataset, k, spec.family, spec.params, draw)
            name = f"{dataset}.{spec.name}.{draw}.{digest(*content)[:12]}"
            M = self.book.recall(name) if known else None
            if known and M is None and not self._is_chosen(dataset=dataset, code=spec.name):
                break
            try:
                if M is None or len(M) != k:
                    M = family.make(k, np.random.default_rng(seed_for(*content)))
            except CodeError as error:
                return matrices, names, str(error)
            matrices.append(M)
            names += [name] if known else []
        return matrices, names, ""

    def _refuse_useless(self, key: str, spec: CodeSpec) -> None:
        """A code of the user's own that suits none of the data sets is a mistake, not a gap."""
        reasons = [why for (_, code), why in self.left_out.items() if code == spec.name]
        if _own(spec) and reasons and len(reasons) == len(self.datasets):
            raise ConfigError(f"{key}: {reasons[0]}")

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the order of the config."""
        return tuple(
            Cell(dataset, learner, code, draw, repeat, fold)
            for dataset in self.datasets
            for learner in self.parts.learners
            for (owner, code, draw) in self.matrices
            if owner == dataset
            for (other, repeat, fold) in self.splits
            if other == dataset
        )

    @cached_property
    def chosen(self) -> list[Cell]:
        """The cells whose data set, learner and code are among the chosen names."""
        return [c for c in self.cells if self._is_chosen(**{a: getattr(c, a) for a in AXES})]

    def _is_chosen(self, **names: str) -> bool:
        return all(name in self.choice.get(axis, {name}) for axis, name in names.items())

    def columns(self, cell: Cell) -> tuple[Context, list[str], np.ndarray]:
        """Where a cell's margins come from: context, the store's names of its columns, their signs.

        A multi-call learner fits each distinct dichotomy once, whatever codes and signs use it. A
        single-call learner fits a whole matrix, which is then part of the context.
        """
        M = self.matrices[cell.dataset, cell.code, cell.draw]
        if self.parts.learners[cell.learner].single_call:
            context = self._context(cell, digest(M.tolist()))
            return context, [str(s) for s in range(M.shape[1])], np.ones(M.shape[1], dtype=np.int8)
        columns, sign = canonical(M)
        return self._context(cell, None), [column_name(c) for c in columns.T], sign

    def _context(self, cell: Cell, matrix: str | None) -> Context:
        at = (cell.dataset, cell.learner, cell.repeat, cell.fold, matrix)
        if at not in self._contexts:
            train, test = self.splits[cell.dataset, cell.repeat, cell.fold]
            learner, data = self.parts.learners[cell.learner], self.datasets[cell.dataset]
            params = learner.get_params(deep=False)
            key = digest(
                [data.sha256, data.classes, data.columns, data.categories],
                [train.tolist(), test.tolist()],
                [f"{type(learner).__module__}:{type(learner).__qualname__}", learner.version],
                [{name: repr(value) for name, value in params.items()}, self.inputs(cell.learner)],
                [self.experiment.seed if "random_state" in params else None, matrix],
            )
            self._contexts[at] = Context(
                key, cell.dataset, cell.learner, cell.repeat, cell.fold, train, test
            )
        return self._contexts[at]

    def tasks(self, cells: Iterable[Cell], stored) -> list[Task]:
        """What is still to be fitted for these cells, the costliest first."""
        tasks: list[Task] = []
        wanted: dict[str, tuple[Context, dict[str, np.ndarray]]] = {}
        for cell in cells:
            context, names, sign = self.columns(cell)
            block = self.matrices[cell.dataset, cell.code, cell.draw] * sign
            missing = {
                n: block[:, s] for s, n in enumerate(names) if (context.key, n) not in stored
            }
            wanted.setdefault(context.key, (context, {}))[1].update(missing)
        for context, columns in wanted.values():
            whole = self.parts.learners[context.learner].single_call
            tasks += _chunks(context, columns, len(columns) if whole else 0)
        return sorted(tasks, key=lambda task: -task.cost)

    def inputs(self, learner: str) -> str:
        """The preprocessing for a learner: the config's word, or else the learner's own wish."""
        return self._spec(learner).inputs or self.parts.learners[learner].inputs

    def jobs(self) -> dict[str, Job]:
        """What a worker has to know of each learner."""
        return {
            name: Job(learner, self.inputs(name), self.experiment.seed, self._spec(name).timeout)
            for name, learner in self.parts.learners.items()
        }

    def _spec(self, learner: str) -> LearnerSpec:
        return next(s for s in self.experiment.learners if s.name == learner)


def _own(spec: CodeSpec) -> bool:
    """Whether a code is the user's own: a matrix, or a function by its import path."""
    return spec.family is None or is_import_path(spec.family)


def _chunks(context: Context, columns: dict[str, np.ndarray], size: int) -> Iterator[Task]:
    names = list(columns)
    size = size or min(max(ROWS_PER_TASK // len(context.train), 1), 64)
    for start in range(0, len(names), size):
        chosen = names[start : start + size]
        yield Task(context, tuple(chosen), np.column_stack([columns[n] for n in chosen]))


def column_name(column: np.ndarray) -> str:
    """A dichotomy as text, one sign per class.

    >>> column_name(np.array([1, 0, -1]))
    '+0-'
    """
    return "".join("-0+"[int(entry) + 1] for entry in column)


def parse_only(pairs: Iterable[str], parts: Parts) -> dict[str, set[str]]:
    """`dataset=glass` pairs -> the names chosen on each axis; several of one axis are a union."""
    known = {"dataset": list(parts.datasets), "learner": list(parts.learners)}
    known["code"] = list(parts.families)
    choice: dict[str, set[str]] = {}
    for pair in pairs:
        axis, _, name = pair.partition("=")
        if axis not in AXES:
            raise ConfigError(f"--only {pair}: {unknown('axis', axis, AXES)} Write axis=name.")
        if name not in known[axis]:
            raise ConfigError(f"--only {pair}: {unknown(axis, name, known[axis])}")
        choice.setdefault(axis, set()).add(name)
    return choice
