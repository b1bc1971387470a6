"""The one function: a table in, an answer and a model out, within the time."""

import contextlib
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import __version__
from ..errors import UserError, unknown
from .answer import FAILED, RANKED, Answer
from .budget import Clock, parse_duration
from .candidates import CANDIDATES, Candidate, Size, chosen, estimated
from .choose import PICKS
from .config_text import config_of
from .details import Details, closer_looks
from .files import claimed, write_files
from .folds import make_folds, parts, plan_folds
from .frame import WHERE, to_table
from .judge import judged
from .look import Problem, read_problem, sampled, to_problem
from .metrics import METRICS
from .nested import SHARE, nested
from .race import Race
from .workers import Crew, crew

if TYPE_CHECKING:
    from ..models.model import Model

Say = Callable[[str, float], None]
LINEAR_SHARE = 0.15  # of the time may go into the fits of the fast linear model
MOST_CELLS = 12_000_000  # repeats x rows x classes of the probabilities of a candidate
FEWEST_ROWS = 500
FIRST = ("prior", "ridge")  # so that a model always exists


@dataclass(frozen=True)
class Options:
    """What a user may ask for, besides the table."""

    seconds: float = 300.0
    metric: str = "error"
    pick: str = "simple"
    only: tuple[str, ...] = ()
    add: str | None = None
    nested: bool = False
    jobs: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for what, name, known in (("metric", self.metric, METRICS), ("pick", self.pick, PICKS)):
            if name not in known:
                raise UserError(f"--{what}: {unknown(what, name, known)}")


@dataclass(frozen=True, eq=False)
class Trial:
    """An answer and its model."""

    answer: Answer
    content: bytes  # of model.ecoc
    interrupted: bool = False

    @cached_property
    def model(self) -> "Model":
        """The pick, fitted on all rows: a scikit-learn classifier."""
        from ..models.file import from_bytes

        return from_bytes(self.content)


class Plan:
    """What would be fitted."""

    def __init__(self, problem: Problem, options: Options):
        added = _added(options.add) if options.add else []
        self.options = options
        self.problem = _affordable(problem, options.seconds)
        data = self.problem.data
        self.folds = make_folds(
            data.y, self.problem.groups, self.problem.train, options.seed, options.seconds
        )
        names = (*FIRST[:1], *options.only) if options.only else ()
        self.candidates: list[Candidate] = chosen(names, data.n_classes, added)
        if options.add and options.only:
            self.candidates += [one for one in added if one not in self.candidates]
        self.size = _size(self.problem)

    @property
    def n_fits(self) -> int:
        """Fits of a candidate: the test parts, and all rows."""
        return len(parts(self.folds)) + 1

    def seconds(self, candidate: Candidate) -> float:
        return estimated(candidate, self.size, self.n_fits) / self.options.jobs

    @property
    def megabytes(self) -> float:
        """Memory: the table in each process, scores and probabilities of each candidate."""
        data = self.problem.data
        kept = 2 * len(self.candidates) * self.folds.size * data.n_classes * 8
        table = len(data.y) * (data.X.shape[1] + 2 * self.size.d) * 8
        return (kept + (self.options.jobs + 1) * table) / 1e6 + 150 * (self.options.jobs + 1)


def _added(config: str) -> list[Candidate]:
    from .added import added_candidates  # loads all of scikit-learn

    return added_candidates(config)


def _size(problem: Problem) -> Size:
    data = problem.data
    d = sum(len(values) if values is not None else 1 for values in data.categories)
    n = len(data.y) if problem.train is None else int(problem.train.sum())
    return Size(n, d, data.n_classes)


def _affordable(problem: Problem, seconds: float) -> Problem:
    """The problem, or as many of its rows as the fast linear model can use in its time."""
    size = _size(problem)
    folds, repeats = plan_folds(size.n, seconds)
    cost = estimated(CANDIDATES["ridge"], size, folds * repeats + 1)
    share = min(1.0, LINEAR_SHARE * seconds / cost, MOST_CELLS / (size.n * size.k))
    n = max(int(share * size.n), FEWEST_ROWS, 2 * size.k)
    return problem if n >= size.n else sampled(problem, n, 0)


def try_table(
    X: Any,
    y: Any = None,
    *,
    target: str | None = None,
    time: str | float = "5m",
    group: str | None = None,
    test: str | Path | None = None,
    drop: Sequence[str] = (),
    only: Sequence[str] = (),
    jobs: int | None = None,
    out: str | Path | None = None,
    **options: Any,
) -> Trial:
    """Which method suits a table, how good it will be on new rows, and its model.

    X is a DataFrame or a matrix with the labels y, or the path of a table (or a DataFrame) with the
    column `target`. The other options are those of `ecoc-bench try`: metric, pick, add, nested and
    seed. Files are written if there is a folder `out`.
    """
    clock = Clock(parse_duration(str(time)))
    n_jobs = jobs or len(os.sched_getaffinity(0))
    asked = Options(clock.seconds, only=tuple(only), jobs=n_jobs, **options)
    place = contextlib.nullcontext() if out is None else claimed(Path(out))
    with place as owned, crew(n_jobs) as hired:
        source: dict[str, Any] = {"out": out}
        if isinstance(X, str | Path):
            if target is None:
                raise UserError("target: name the column of the labels.")
            test = None if test is None else Path(test)
            problem = read_problem(Path(X), target, drop, group, test)
            source["path"] = Path(X)
        else:
            if test is not None:
                raise UserError("test goes with the path of a table.")
            problem, source["labels"] = _in_memory(X, y, target, drop, group)
        clock.mark("reading")
        plan = Plan(problem, asked)
        trial = run_trial(plan, clock, hired, source, lambda line, share: None)
        if owned is not None:
            write_files(owned, trial.answer, trial.content)
    return trial


def _in_memory(
    X: Any, y: Any, target: str | None, drop: Sequence[str], group: str | None
) -> tuple[Problem, tuple]:
    """The problem, and its classes in the user's own type."""
    if y is None:
        if target is None or target not in getattr(X, "columns", ()):
            raise UserError("give the labels y, or the name of their column in X as target.")
        X, y = X.drop(columns=target), X[target]
    table, name, classes, sha256 = to_table(X, y)
    problem = to_problem(table, name, drop, group, sha256, WHERE)
    own = dict(classes)
    return problem, tuple(own[text] for text in problem.data.classes)


def run_trial(plan: Plan, clock: Clock, hired: Crew, source: dict[str, Any], say: Say) -> Trial:
    """Race, judge, look closer; `source` holds where the table is and the command, if any."""
    options, problem = plan.options, plan.problem
    facts = _facts(plan)
    race = _race(plan, clock, hired, facts, source, say)
    verdict = judged(race, options.metric, options.pick)
    clock.mark("choosing")
    content = (hired.folder / f"{verdict.pick}.ecoc").read_bytes()
    proof = []
    if options.nested and not race.interrupted:
        proof = [nested(race, options, clock, hired.workers)]
    clock.mark("nested folds")
    say("a closer look at the pick", 1.0)
    closer = Details(race, options.metric, closer_looks(race, verdict.pick, clock))
    answer = Answer(
        look=problem.look,
        metric=options.metric,
        higher_is_better=METRICS[options.metric].higher_is_better,
        entries=verdict.entries,
        best=verdict.best,
        pick=verdict.pick,
        why=verdict.why,
        comparison=(*verdict.comparison, *proof),
        honest=verdict.honest,
        y=problem.data.y,
        lines=problem.lines,
        folds=race.folds,
        learning_curve=closer.learning_curve(),
        importance=closer.importance(),
        code=closer.code(),
        seconds={"asked": options.seconds},
        provenance=facts | {"command": source.get("command", "")},
        config=config_of(problem, verdict.entries, options.seed, source),
    )
    clock.mark("closer look")
    answer = replace(answer, seconds=answer.seconds | clock.steps)
    return Trial(answer, content, race.interrupted)


def _race(plan: Plan, clock: Clock, hired: Crew, facts, source, say: Say) -> Race:
    own = Clock(SHARE * clock.left, tail=0.0) if plan.options.nested else clock
    race = Race(
        plan.problem, plan.candidates, plan.folds, own, hired.workers, plan.options.seed,
        hired.folder, facts, source.get("labels"), say,
    )  # fmt: skip
    race.run()
    clock.mark("fitting")
    if not any(run.status == RANKED for run in race.runs):
        if race.interrupted:
            raise KeyboardInterrupt
        why = "; ".join(f"{run.candidate.name}: {run.reason}" for run in race.runs[:2])
        failed = all(run.status == FAILED for run in race.runs[:2])
        advice = "Try it again with --jobs 1." if failed else "Give it more --time."
        raise UserError(f"no candidate was finished ({why}). {advice}")
    return race


def _facts(plan: Plan) -> dict[str, Any]:
    """What the model file and the page say about how they were made."""
    problem = plan.problem
    return {
        "ecoc_bench": __version__,
        "python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        "source": Path(problem.look.source).name,
        "sha256": problem.data.sha256,
        "target": problem.look.target,
        "rows": len(problem.data.y),
        "rows fitted": len(problem.data.y) if problem.train is None else int(problem.train.sum()),
        "seed": plan.options.seed,
        "metric": plan.options.metric,
        "folds": f"{len(plan.folds)} x {len(np.unique(plan.folds[0][plan.folds[0] >= 0]))}",
    }
