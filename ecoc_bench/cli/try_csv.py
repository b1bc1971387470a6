"""`ecoc-bench try`: the steps from a CSV to a verdict and files, with progress on stderr."""

import contextlib
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from ..data.formats import SUFFIXES
from ..results.ownership import Ownership
from ..trying.answer import FAILED, Answer
from ..trying.budget import Clock, parse_duration
from ..trying.files import PAGE, claimed, write_files
from ..trying.look import read_problem
from ..trying.nursery import Nursery
from ..trying.try_table import Options, Plan, Trial, run_trial
from ..trying.words import as_record, leaderboard, look_lines, optimism, verdict
from ..trying.workers import Prepared, crew
from .progress import duration

PAGE_MODULE = "ecoc_bench.report.try_page"
SPARE = 0.3  # seconds for the start and the end of the process


@dataclass(frozen=True)
class Asked:
    """The options of `ecoc-bench try`."""

    target: str
    duration: str
    metric: str
    pick: str
    group: str | None
    test: Path | None
    drop: tuple[str, ...]
    only: tuple[str, ...]
    add: str | None
    nested: bool
    jobs: int | None
    seed: int
    out: Path | None
    dry_run: bool
    as_json: bool
    report: bool

    def options(self) -> Options:
        jobs = self.jobs or len(os.sched_getaffinity(0))
        return Options(
            parse_duration(self.duration), self.metric, self.pick, self.only, self.add,
            self.nested, jobs, self.seed,
        )  # fmt: skip


def try_csv(path: Path, asked: Asked, began: float) -> int:
    """Try a table, print the verdict, and return the exit code."""
    options = asked.options()
    clock = Clock(options.seconds, began)
    folder = asked.out or Path("try") / _stem(path)
    if asked.dry_run:
        plan = _looked(path, asked, options, clock)
        click.echo("\n".join(_planned(plan)))
        return 0
    source = {"path": path, "out": folder, "command": _command()}
    with claimed(folder) as owned, crew(options.jobs) as hired:
        plan = _looked(path, asked, options, clock)
        page = Page(hired.nursery, clock) if asked.report else None
        with _progress() as say:
            trial = run_trial(plan, clock, hired, source, say)
        write_files(owned, trial.answer, trial.content)
        clock.mark("files")
        trouble = page.write(owned, trial.answer) if page else ""
    _print(trial, asked.as_json, folder)
    if trouble:
        click.echo(trouble, err=True)
    click.echo(f"files in {folder}; {clock.passed:.0f} of {clock.seconds:g} s", err=True)
    if trial.interrupted:
        click.echo("interrupted; the candidates that were done by then are ranked", err=True)
        return 130
    failed = any(one.status == FAILED for one in trial.answer.entries)
    return 1 if failed or (page and page.failed) else 0


def _stem(path: Path) -> str:
    """The name of a table.

    >>> _stem(Path("a.v2.csv.gz")), _stem(Path("a.parquet")), _stem(Path("a.v2"))
    ('a.v2', 'a', 'a.v2')
    """
    name = Path(path.name.removesuffix(".gz"))
    return name.stem if name.suffix in (".csv", *SUFFIXES) else name.name


def _looked(path: Path, asked: Asked, options: Options, clock: Clock) -> Plan:
    """Read the table, say what is in it, and plan."""
    problem = read_problem(path, asked.target, asked.drop, asked.group, asked.test)
    plan = Plan(problem, options)
    clock.mark("reading")
    for line in look_lines(plan.problem.look):
        click.echo(line, err=True)
    return plan


def _planned(plan: Plan) -> Iterator[str]:
    """The candidates, each with about its time."""
    yield f"{len(plan.candidates)} candidates x {plan.n_fits} fits (test folds, and all rows):"
    total = 0.0
    for one in plan.candidates:
        total += plan.seconds(one)
        yield f"  {one.name:16}{one.title:36}about {duration(plan.seconds(one))}"
    left = plan.options.seconds
    yield f"about {duration(total)} in all with {plan.options.jobs} processes; --time is {left:g} s"
    yield f"about {plan.megabytes / 1000:.1f} GB of memory"


def _command() -> str:
    return shlex.join(["ecoc-bench", *sys.argv[1:]])


def _print(trial: Trial, as_json: bool, folder: Path) -> None:
    answer = trial.answer
    if as_json:
        record = as_record(answer) | {"folder": str(folder)}
        click.echo(json.dumps(record, indent=1, allow_nan=False, default=str))
        return
    lines = (verdict(answer), optimism(answer), answer.why, *answer.comparison)
    click.echo("\n".join((*lines, "", leaderboard(answer))))


class Page:
    """report.html, drawn by a process of its own.

    It loads what it needs during the fits, and is killed when the time is over.
    """

    def __init__(self, nursery: Nursery, clock: Clock):
        self.clock, self.failed = clock, False
        self.process = Prepared(nursery, PAGE_MODULE, clock.left)

    def write(self, owned: Ownership, answer: Answer) -> str:
        """Write the page; what to say if there is none."""
        answer = replace(answer, seconds=answer.seconds | self.clock.steps)
        left = self.clock.left - SPARE
        try:
            owned.write({PAGE: self.process.call(left, "render_try_page", answer)})
        except TimeoutError:
            return f"no {PAGE}: the time was over before it was drawn"
        except RuntimeError as error:
            self.failed = True
            return f"no {PAGE}: {error}"
        return ""


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal; elsewhere a line when a candidate ends."""
    if not sys.stderr.isatty():
        yield lambda line, share: None if line.endswith(" folds") else click.echo(line, err=True)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("starting", total=1.0)
        yield lambda line, share: bar.update(task, completed=share, description=line)
