"""`ecoc-bench run`: the steps from a config's name to a printed table, with progress on stderr."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from ..experiment.config import find_config
from ..results.ownership import refuse_foreign
from ..running.replay import Source, read_source

if TYPE_CHECKING:  # what takes long to import waits until the config is known to be good
    from ..experiment.plan import Plan
    from ..experiment.tasks import Cell
    from ..running.run import Outcome

console = Console(stderr=True, highlight=False, markup=False, soft_wrap=True)
COMPILING = "compiling, once"


@dataclass(frozen=True)
class Options:
    """The options of `ecoc-bench run`."""

    jobs: int | None  # None: one for each core
    out: Path | None = None
    only: tuple[str, ...] = ()
    dry_run: bool = False
    fresh: bool = False
    only_failed: bool = False
    backend: str = "loky"
    scheduler: str | None = None
    shared: Path | None = None
    enforce_clean: bool = False
    room_check: bool = True
    report: bool = True


def run_config(config: str, options: Options) -> int:
    """Run a config, print its table, and return the exit code."""
    path = find_config(config)
    source = read_source(path)
    folder = options.out or Path("results") / source.experiment.name
    refuse_foreign(folder)
    if options.enforce_clean:
        from ..running.manifest import refuse_dirty

        refuse_dirty()
    from joblib import cpu_count

    jobs = options.jobs or cpu_count()
    console.print(f"planning {source.experiment.name}: reading data, drawing codes")
    plan = _plan(source, str(path), folder, options.only, jobs)
    for line in _on_the_data(plan):
        console.print(line, style="yellow")
    if options.dry_run:
        from .dry_run import describe

        click.echo(describe(plan, _cells(plan, folder, options), folder, jobs))
        return 0
    from ..experiment.room import gigabytes
    from ..running.folder import empty, locked

    with locked(folder):
        if options.fresh:
            console.print(f"{gigabytes(empty(folder))} of earlier runs removed from {folder}")
        return _run(plan, _cells(plan, folder, options), folder, options, jobs)


def _plan(source: Source, where: str, folder: Path, only, jobs: int) -> "Plan":
    from ..experiment.codebook import CodeBook
    from ..experiment.plan import Plan
    from ..learners.compiling import announced

    only, book = (*source.only, *only), CodeBook(folder / "codes")
    with (
        announced(lambda: console.print(f"{COMPILING}: later runs start at once")),
        console.status("reading data") as status,
    ):
        plan = Plan(
            source.experiment, where, book, only, jobs,
            lambda done, total: status.update(f"{done} of {total} codes drawn"),
        )  # fmt: skip
    source.check(plan)
    return plan


def _on_the_data(plan: "Plan") -> list[str]:
    """What is odd about the data: how files were read, and columns that should perhaps go."""
    of = {spec.name: spec.of or spec.name for spec in plan.experiment.datasets}
    chosen = plan.choice.names.get("dataset", of)
    said = (
        f"{of[name]}: {remark}."
        for name, data in plan.datasets.items()
        if name in chosen
        for remark in (*([data.note] if data.note else []), *data.remarks)
    )
    return list(dict.fromkeys(said))


def _cells(plan: "Plan", folder: Path, options: Options) -> list["Cell"]:
    return failed_cells(plan, folder) if options.only_failed else plan.chosen


def _run(plan: "Plan", cells: list["Cell"], folder: Path, options: Options, jobs: int) -> int:
    from ..learners.compiling import announced
    from ..running.run import run
    from ..running.workers.pool import Workers
    from .dry_run import absent, counted
    from .progress import shown

    for name, source in absent(plan).items():
        console.print(
            f"{name} is left out: `ecoc-bench data fetch {source}` gets it.", style="yellow"
        )
    place = jobs, options.backend, options.scheduler
    workers = Workers(*place, console.print, plan.experiment.folder, options.shared)
    console.print(f"{counted(plan, cells)}; fitting what is missing into {folder}")
    with shown(console, jobs) as meter, announced(lambda: setattr(meter, "notice", COMPILING)):
        outcome = run(plan, cells, folder, workers, options.room_check, meter.start, meter.finish)
    troubles = _present(plan, folder, outcome, options)
    _narrate(outcome, troubles)
    return outcome.exit_code or (1 if troubles else 0)


def _present(plan: "Plan", folder: Path, outcome: "Outcome", options: Options) -> list[str]:
    """Print the tables, write the page, and say which pieces could not be made."""
    if not outcome.n_rows or outcome.full:
        return []
    from ..report.write import write_all

    with_page = options.report and not outcome.interrupted
    if with_page:
        console.print("writing tables, drawing figures, writing the page")
    expected = Counter((c.dataset, c.learner, c.code) for c in plan.cells)
    text, troubles = write_all(folder, expected, with_page)
    click.echo(text)
    return troubles


def failed_cells(plan: "Plan", folder: Path) -> list["Cell"]:
    """The chosen cells that use a column which failed last time."""
    from ..results.failures import read_failures

    failed = {(f.context, c) for f in read_failures(folder / "failures.csv") for c in f.columns}
    return [cell for cell in plan.chosen if not failed.isdisjoint(plan.places(cell))]


def _narrate(outcome: "Outcome", troubles: list[str]) -> None:
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
