"""The command line: parse, call one function, print, exit. Heavy imports wait until needed."""

import sys
from pathlib import Path

import click

from . import __version__
from .errors import UserError

STYLES = ("terminal", "markdown", "latex", "csv")


class Commands(click.Group):
    """Turns a UserError of any command into one message on stderr and exit code 2."""

    def invoke(self, ctx):
        try:
            return super().invoke(ctx)
        except UserError as error:
            click.echo(f"Error: {error}", err=True)
            ctx.exit(error.exit_code)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ecoc-bench")
def main():
    """Multiclass learning by output codes: codes x learners x decoders.

    \b
    Examples:
      ecoc-bench run uci_svm                  run a shipped config
      ecoc-bench run my.yaml --jobs 4         run your own
      ecoc-bench list codes                   what there is
      ecoc-bench show code dense --classes 10

    Exit codes: 0 done, 1 some cells failed, 2 usage or config, 3 regression, 4 nothing measured or
    compared, 130 interrupted (what was done is kept).
    """


@main.command()
@click.argument("config")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), help="Worker processes. Default: all cores."
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the run. Default: results/<name>."
)
@click.option(
    "--only",
    multiple=True,
    metavar="AXIS=NAME",
    help="Fit only these: dataset=glass, code=ova, learner=svm. Repeatable.",
)
@click.option(
    "--dry-run", is_flag=True, help="Say what would be fitted and what is stored already."
)
def run(config, jobs, out, only, dry_run):
    """Run CONFIG: a YAML file, or the name of a shipped config.

    Running again continues where it stopped. The table goes to stdout, the rest to stderr.

    \b
    Example:
      ecoc-bench run configs/uci_svm.yaml --only dataset=glass --only dataset=ecoli
    """
    from .commands import run_config

    sys.exit(run_config(config, jobs, out, only, dry_run))


@main.command("list")
@click.argument("what", type=click.Choice(["datasets", "codes", "learners", "decoders", "configs"]))
def list_(what):
    """List what there is, a line each.

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
def show_code(name, classes, seed):
    """Show the coding matrix NAME (a family, or a CSV file) for a number of classes.

    \b
    Example:
      ecoc-bench show code dense --classes 10
    """
    from .catalog import describe_code

    click.echo(describe_code(name, classes, seed))


@show.command("dataset")
@click.argument("name")
def show_dataset(name):
    """Show the card of data set NAME.

    \b
    Example:
      ecoc-bench show dataset glass
    """
    from .catalog import describe_dataset

    click.echo(describe_dataset(name))


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--style", type=click.Choice(STYLES), default="terminal", show_default=True)
@click.option("--stage", type=int, help="Of one run: after so many boosting rounds. Default: all.")
def table(runs, style, stage):
    """Print the table of one run, or of several RUNS beside the paper's.

    \b
    Example:
      ecoc-bench table results/reference/allwein_table3 results/reference/uci_svm --style markdown
    """
    from .present import run_table, runs_table

    if len(runs) == 1:
        click.echo(run_table(runs[0], stage)[style])
    else:
        click.echo(runs_table(runs, style))


@main.group()
def data():
    """Fetch data sets that the package may not carry, and see what is here."""


@data.command("fetch")
@click.argument("names", nargs=-1, required=True)
@click.option("--force", is_flag=True, help="Download again what is here already.")
def data_fetch(names, force):
    """Download, check and convert data sets NAMES into the cache.

    \b
    Example:
      ecoc-bench data fetch thyroid dermatology
    """
    from .fetch import fetch

    for name in names:
        path = fetch(name, force=force, progress=lambda line: click.echo(line, err=True))
        click.echo(path)


@data.command("status")
def data_status():
    """Say of every data set whether it is here, and where.

    \b
    Example:
      ecoc-bench data status
    """
    from .fetch import status

    for item in status():
        click.echo(f"{item.name:16}{item.state:20}{item.where}")


@main.command()
@click.option("--dataset", default="letter", show_default=True, help="A data set with a split.")
@click.option("--code", default="ova", show_default=True, help="A code family.")
@click.option("--rounds", type=click.IntRange(min=1), default=50, show_default=True)
@click.option("--calls", type=click.Choice(["single", "multi"]), default="multi", show_default=True)
@click.option("--peer", default="sklearn", show_default=True, help="sklearn, lightgbm or xgboost.")
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the single timings to this CSV."
)
def speed(dataset, code, rounds, calls, peer, repeats, out):
    """Time our AdaBoost on stumps beside another library's, on one core, in one process.

    Both fit the same columns for the same number of rounds, in turn.

    \b
    Example:
      ecoc-bench speed --dataset letter --code all_pairs --out speed.csv
    """
    from .speed import run_speed

    click.echo(run_speed(dataset, code, rounds, calls, peer, repeats, out))
