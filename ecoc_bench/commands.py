"""`ecoc-bench run`: the steps from a config's name to a printed table, with narration on stderr."""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from .codebook import CodeBook
from .config import find_config, read_config
from .plan import Plan
from .present import write_tables
from .run import Outcome, run
from .store import Store

console = Console(stderr=True, highlight=False, soft_wrap=True)


def run_config(
    config: str, jobs: int | None, out: Path | None, only: Sequence[str], dry_run: bool
) -> int:
    """Run a config, print its table, and give the exit code."""
    path = find_config(config)
    experiment = read_config(path)
    folder = out or Path("results") / experiment.name
    console.print(f"planning {experiment.name}: reading data, drawing codes")
    plan = Plan(experiment, str(path), CodeBook(folder / "codes"), only)
    if dry_run:
        click.echo(describe(plan, plan.chosen, folder))
        return 0
    for name in plan.absent:
        console.print(
            f"{name} is left out: `ecoc-bench data fetch {name}` gets it.", style="yellow"
        )
    console.print(f"fitting into {folder}")
    with _progress() as (start, step):
        outcome = run(plan, plan.chosen, folder, jobs, start, step)
    if outcome.n_rows:
        click.echo(write_tables(folder, plan))
    _narrate(outcome)
    return outcome.exit_code


def describe(plan: Plan, cells, folder: Path) -> str:
    """What a run would do: cells, fits, and what is stored already."""
    store = Store(folder / "store")
    total = sum(len(t.columns) for t in plan.tasks(cells, ()))
    missing = sum(len(t.columns) for t in plan.tasks(cells, store))
    naive = sum(plan.matrices[c.dataset, c.code, c.draw].shape[1] for c in cells)
    lines = [
        f"{len(cells)} cells, {len(plan.experiment.decoders)} decoders each",
        f"{total} distinct columns to fit ({naive} if every cell fitted its own)",
        f"{total - missing} already stored in {folder}, {missing} to do",
    ]
    lines += [f"left out: {d} {c}: {why}" for (d, c), why in plan.left_out.items()]
    lines += [f"not here: {name}: `ecoc-bench data fetch {name}` gets it" for name in plan.absent]
    return "\n".join(lines)


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


def _narrate(outcome: Outcome) -> None:
    console.print(f"{outcome.fitted} columns fitted; results in {outcome.folder}")
    if outcome.damaged:
        console.print(f"{outcome.damaged} damaged records were set aside and fitted again.")
    if outcome.failures:
        first = outcome.failures[0]
        console.print(
            f"{len(outcome.failures)} tasks failed, see {outcome.folder / 'failures.csv'}. "
            f"The first, {first.learner} on {first.dataset}: {first.reason}. "
            "Running again retries them.",
            style="red",
        )
    if outcome.interrupted:
        console.print("interrupted; what was done is kept, run again to go on.", style="yellow")
    if not outcome.n_rows:
        console.print("nothing was measured: no cell is complete.", style="red")
