"""Commands that fill and clean a run's folder: run, clean."""

import sys
from pathlib import Path

import click

from . import main


@main.command()
@click.argument("config")
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 4096),
    help="Workers on this machine. Default: all cores.",
)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the run. Default: results/<name>."
)
@click.option(
    "--only",
    multiple=True,
    metavar="AXIS=NAME",
    help="Fit only these: dataset=glass, learner=svm, code=ova, method=kesler. Repeatable.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Say what would be fitted, what is stored already, and about how long it would take.",
)
@click.option(
    "--fresh", is_flag=True, help="Start over: remove what earlier runs left in the folder."
)
@click.option("--only-failed", is_flag=True, help="Fit only what failed last time.")
@click.option(
    "--backend",
    type=click.Choice(["loky", "threading", "dask"]),
    default="loky",
    show_default=True,
    help="Processes, threads, or a Dask cluster.",
)
@click.option(
    "--scheduler",
    metavar="TCP://HOST:PORT",
    help="A running Dask cluster. Default: a local one of --jobs workers.",
)
@click.option(
    "--shared",
    type=click.Path(path_type=Path, exists=True, file_okay=False, writable=True),
    metavar="DIR",
    help="A folder that this machine and all Dask workers see: the data are read there, not sent.",
)
@click.option("--enforce-clean", is_flag=True, help="Refuse to run a checkout with changes.")
@click.option(
    "--room-check/--no-room-check", default=True, help="Check that memory and disk suffice."
)
@click.option(
    "--report/--no-report", default=True, envvar="ECOC_BENCH_REPORT", show_default=True,
    help="Also draw figures and write report.html.",
)  # fmt: skip
def run(config, jobs, scheduler, backend, **options):
    """Run CONFIG: a YAML file, the name of a shipped config, or a run's manifest.json.

    Run it again to continue after an interruption. The table goes to stdout, the rest to stderr.

    \b
    Examples:
      ecoc-bench run configs/uci_svm.yaml --only dataset=glass --only dataset=ecoli
      ecoc-bench run results/uci_svm/manifest.json --out results/again
      ecoc-bench run uci_adaboost --backend dask --scheduler tcp://10.0.0.1:8786
    """
    from .run_config import Options, run_config

    for name, value in (("scheduler", scheduler), ("shared", options["shared"])):
        if value and backend != "dask":
            raise click.UsageError(f"--{name} goes with --backend dask.")
    settings = Options(jobs, backend=backend, scheduler=scheduler, **options)
    sys.exit(run_config(config, settings))


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--all", "everything", is_flag=True, help="Remove the whole store: only results stay."
)
@click.option("--dry-run", is_flag=True, help="Only say how much would be freed.")
def clean(runs, everything, dry_run):
    """Free space in the folders of RUNS: remove damaged records and unused margins.

    \b
    Example:
      ecoc-bench clean results/uci_svm
    """
    from ..experiment.room import gigabytes
    from ..running.cleaning import clean

    for folder in runs:
        freed = clean(folder, everything, dry_run)
        click.echo(f"{folder}: {gigabytes(freed)} {'would be ' if dry_run else ''}freed")
