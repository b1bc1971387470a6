"""`ecoc-bench run`: the steps from a config's name to a printed table, with progress on stderr."""

import contextlib
import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ..experiment.codebook import CodeBook
from ..experiment.config import find_config
from ..experiment.plan import Plan
from ..experiment.room import gigabytes, need
from ..experiment.tasks import Cell
from ..report.write import write_all
from ..results.catalogue import JOINT
from ..results.failures import read_failures
from ..results.ownership import refuse_foreign
from ..running.folder import empty, locked
from ..running.manifest import refuse_dirty
from ..running.replay import read_source
from ..running.run import Outcome, run
from ..running.store import Store
from ..running.workers.pool import Workers

console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)


@dataclass(frozen=True)
class Options:
    """The options of `ecoc-bench run`."""

    jobs: int
    out: Path | None = None
    only: tuple[str, ...] = ()
    dry_run: bool = False
    fresh: bool = False
    only_failed: bool = False
    backend: str = "loky"
    scheduler: str | None = None
    enforce_clean: bool = False
    room_check: bool = True
    report: bool = True


def run_config(config: str, options: Options) -> int:
    """Run a config, print its table, and return the exit code."""
    if options.enforce_clean:
        refuse_dirty()
    path = find_config(config)
    source = read_source(path)
    folder = options.out or Path("results") / source.experiment.name
    refuse_foreign(folder)
    console.print(f"planning {source.experiment.name}: reading data, drawing codes")
    book = CodeBook(folder / "codes")
    plan = Plan(source.experiment, str(path), book, (*source.only, *options.only), options.jobs)
    source.check(plan)
    for line in _on_the_data(plan):
        console.print(line, style="yellow")
    if options.dry_run:
        click.echo(describe(plan, _cells(plan, folder, options), folder, options.jobs))
        return 0
    with locked(folder):
        if options.fresh:
            console.print(f"{gigabytes(empty(folder))} of earlier runs removed from {folder}")
        return _run(plan, _cells(plan, folder, options), folder, options)


def _on_the_data(plan: Plan) -> list[str]:
    """What is odd about the data: how files were read, and columns that should perhaps go."""
    of = {spec.name: spec.of or spec.name for spec in plan.experiment.datasets}
    said = (
        f"{of[name]}: {remark}."
        for name, data in plan.datasets.items()
        for remark in (*([data.note] if data.note else []), *data.remarks)
    )
    return list(dict.fromkeys(said))


def _cells(plan: Plan, folder: Path, options: Options) -> list[Cell]:
    return failed_cells(plan, folder) if options.only_failed else plan.chosen


def _run(plan: Plan, cells: list[Cell], folder: Path, options: Options) -> int:
    for name, source in plan.absent.items():
        console.print(
            f"{name} is left out: `ecoc-bench data fetch {source}` gets it.", style="yellow"
        )
    place = options.jobs, options.backend, options.scheduler
    workers = Workers(*place, console.print, plan.experiment.folder)
    console.print(f"{counted(plan, cells)}; fitting what is missing into {folder}")
    with _progress() as (start, step), _stopped_by_sigterm():
        outcome = run(plan, cells, folder, workers, options.room_check, start, step)
    troubles: list[str] = []
    if outcome.n_rows and not outcome.full:
        with_page = options.report and not outcome.interrupted
        if with_page:
            console.print("writing tables, drawing figures, writing the page")
        expected = Counter((c.dataset, c.learner, c.code) for c in plan.cells)
        text, troubles = write_all(folder, expected, with_page)
        click.echo(text)
    _narrate(outcome, troubles)
    return outcome.exit_code or (1 if troubles else 0)


def failed_cells(plan: Plan, folder: Path) -> list[Cell]:
    """The chosen cells that use a column which failed last time."""
    failed = {(f.context, c) for f in read_failures(folder / "failures.csv") for c in f.columns}
    return [cell for cell in plan.chosen if not failed.isdisjoint(plan.places(cell))]


@contextlib.contextmanager
def _stopped_by_sigterm() -> Iterator[None]:
    """SIGTERM, which batch systems send, has the effect of Ctrl-C."""

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def describe(plan: Plan, cells, folder: Path, jobs: int) -> str:
    """What a run would do: its cells, its fits, how many are stored, and the room it needs."""
    store = Store(folder / "store", repair=False)
    missing = sum(len(t.columns) for t in plan.tasks(cells, store))
    lines = [
        _cells_and_decoders(plan, cells),
        counted(plan, cells),
        f"{distinct(plan, cells) - missing} already stored in {folder}, {missing} to do",
    ]
    asked = need(plan, plan.tasks(cells, store))
    lines.append(
        f"about {gigabytes(asked.memory(jobs))} of memory with {jobs} workers, "
        f"{gigabytes(asked.disk)} more on disk"
    )
    lines += [f"left out: {d} {c}: {why}" for (d, c), why in plan.left_out.items()]
    lines += [
        f"not here: {name}: `ecoc-bench data fetch {source}` gets it"
        for name, source in plan.absent.items()
    ]
    return "\n".join(lines)


def distinct(plan: Plan, cells) -> int:
    """How many columns these cells need, each counted once."""
    return sum(len(t.columns) for t in plan.tasks(cells, ()))


def counted(plan: Plan, cells) -> str:
    """The fits of a run, and how many they would be if nothing were shared."""
    naive = sum(
        plan.matrices[c.dataset, c.code, c.draw].shape[1] * len(plan.contexts(c)) for c in cells
    )
    return f"{distinct(plan, cells)} distinct columns to fit ({naive} if every cell fitted its own)"


def _cells_and_decoders(plan: Plan, cells) -> str:
    methods = sum(cell.learner == JOINT for cell in cells)
    coded = f"{len(cells) - methods} cells, {len(plan.experiment.decoders)} decoders each"
    return f"{coded}; {methods} cells of methods without a code" if methods else coded


@contextlib.contextmanager
def _progress() -> Iterator[tuple]:
    """A bar with the time left, on a terminal only."""
    bar = Progress(
        TextColumn("fitting"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
    )
    with bar:
        line = bar.add_task("fit")
        yield (
            lambda cost: bar.update(line, total=cost),
            lambda task: bar.advance(line, task.cost),
        )


def _narrate(outcome: Outcome, troubles: list[str]) -> None:
    console.print(f"{outcome.fitted} columns fitted; results in {outcome.folder}")
    if outcome.damaged:
        console.print(f"{outcome.damaged} damaged files were set aside and made again.")
    if outcome.failures:
        first = outcome.failures[0]
        console.print(
            f"{len(outcome.failures)} failures, see {outcome.folder / 'failures.csv'}. "
            f"The first, {first.what}: {first.reason}. Running again retries them.",
            style="red",
        )
    for trouble in troubles:
        console.print(trouble, style="red")
    if outcome.full:
        console.print(f"stopped: {outcome.full}", style="red")
    if outcome.interrupted:
        console.print("interrupted; finished work is kept, run again to continue.", style="yellow")
    if not outcome.n_rows:
        console.print("nothing was measured: no cell is complete.", style="red")
