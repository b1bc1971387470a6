"""Commands that show things: list, show, table."""

import sys
from pathlib import Path

import click

from . import main

STYLES = ("terminal", "markdown", "latex", "csv")


@main.command("list")
@click.argument(
    "what",
    type=click.Choice(
        ["datasets", "codes", "learners", "decoders", "methods", "measures", "configs"]
    ),
)
def list_(what):
    """List the data sets, codes, learners, decoders, methods, measures or configs.

    \b
    Example:
      ecoc-bench list datasets
    """
    from .catalog import lines

    for line in lines(what):
        click.echo(line)


@main.group()
def show():
    """Show one thing in full."""


@show.command("code")
@click.argument("name")
@click.option(
    "--classes", "-k", type=click.IntRange(min=2), required=True, help="Number of classes."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For random codes."
)
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the matrix into this file instead: .png or .svg.",
)  # fmt: skip
def show_code(name, classes, seed, plot):
    """Show the coding matrix NAME (a family, or a CSV file) for a number of classes.

    A terminal gets the first rows and columns of a large matrix; a file or a pipe gets all.

    \b
    Example:
      ecoc-bench show code dense --classes 10
      ecoc-bench show code dense --classes 10 --plot code.svg
    """
    from .catalog import code_lines, named_code

    M = named_code(name, classes, seed)
    if plot is None:
        for line in code_lines(name, M, terminal=sys.stdout.isatty()):
            click.echo(line)
        return
    from ..plots.code import plot_code

    plot_code(M, name, plot)
    click.echo(plot)


@show.command("dataset")
@click.argument("name")
@click.option("--target", help="The column of the labels, of a file. Default: class.")
@click.option("--drop", multiple=True, help="Leave out this column of a file; may be repeated.")
def show_dataset(name, target, drop):
    """Show the card of data set NAME, or what would be made of your own file.

    A file is a CSV, Parquet or svmlight, by its suffix.

    Both name columns that look like an identifier or a date, or that determine the label alone.

    \b
    Example:
      ecoc-bench show dataset glass
      ecoc-bench show dataset flowers.csv --target species
    """
    from ..results.formats import for_terminal
    from .catalog import describe_dataset, describe_file

    path = Path(name)
    own = bool(path.suffix) or len(path.parts) > 1
    if not own and (target or drop):
        raise click.UsageError("--target and --drop go with the path of a file.")
    with for_terminal():
        click.echo(describe_file(path, target or "class", drop) if own else describe_dataset(name))


@show.command("config")
@click.argument("name")
def show_config(name):
    """Print the shipped config or example NAME, to copy it; files that it needs go to stderr.

    \b
    Example:
      ecoc-bench show config uci_svm > mine.yaml
      ecoc-bench show config examples/own_code
    """
    from .catalog import config_text

    text, files = config_text(name)
    click.echo(text, nl=False)
    for file in files:
        click.echo(f"it needs next to it: {file}", err=True)


@show.command("run")
@click.argument("folder", metavar="RUN", type=click.Path(path_type=Path))
def show_run(folder):
    """Show what RUN was made of, and its training errors compared with the bounds of the theory.

    \b
    Example:
      ecoc-bench show run results/uci_adaboost
    """
    from ..results.formats import for_terminal
    from ..results.overview import describe_run
    from ..results.run import Run

    with for_terminal():
        click.echo(describe_run(Run(folder)))


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--style", type=click.Choice(STYLES), default="terminal", show_default=True)
@click.option(
    "--stage", type=int, help="One run only: after this many boosting rounds. Default: all."
)
@click.option("--measure", help="One run only: this further measure, in place of the error.")
def table(runs, style, stage, measure):
    """Print who is best in a run and its table, or the tables of several RUNS next to the paper's.

    The verdict and the leaderboard come first, in the terminal only; RUN/tables/leaderboard.* has
    them in every style.

    \b
    Example:
      ecoc-bench table results/reference/allwein_table3 results/reference/uci_svm --style markdown
      ecoc-bench table results/mine --measure macro_f1
    """
    from ..results.formats import for_terminal
    from ..results.leaderboard import opening
    from ..results.run import Run
    from ..results.side_by_side import runs_beside_paper

    if measure and (len(runs) > 1 or stage is not None):
        raise click.UsageError("--measure goes with one run, and without --stage.")
    found = [Run(folder) for folder in runs]
    with for_terminal():
        if len(found) > 1:
            click.echo(runs_beside_paper(found, style))
            return
        if style == "terminal" and not measure:
            click.echo(opening(found[0].leaderboard(stage)))
        click.echo(found[0].table(style, stage, measure))
