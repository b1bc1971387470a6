"""Commands that measure, and that tidy up after it: run, clean, speed, overhead, scaling."""

import sys
from pathlib import Path

import click

from . import main


@main.command()
@click.argument("config")
@click.option(
    "--jobs", "-j", type=click.IntRange(min=1), help="Workers on this machine. Default: all cores."
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
@click.option("--fresh", is_flag=True, help="Start over: remove what earlier runs left there.")
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
@click.option("--enforce-clean", is_flag=True, help="Refuse to run a checkout with changes.")
@click.option("--room-check/--no-room-check", default=True, help="Whether memory and disk suffice.")
@click.option(
    "--report/--no-report", default=True, envvar="ECOC_BENCH_REPORT", show_default=True,
    help="Whether to draw figures and write report.html, too.",
)  # fmt: skip
def run(config, jobs, scheduler, backend, **options):
    """Run CONFIG: a YAML file, the name of a shipped config, or a run's manifest.json.

    Running again continues where it stopped. The table goes to stdout, the rest to stderr.

    \b
    Examples:
      ecoc-bench run configs/uci_svm.yaml --only dataset=glass --only dataset=ecoli
      ecoc-bench run results/uci_svm/manifest.json --out results/again
      ecoc-bench run uci_adaboost --backend dask --scheduler tcp://10.0.0.1:8786
    """
    from joblib import cpu_count

    from ..commands import Options, run_config

    if scheduler and backend != "dask":
        raise click.UsageError("--scheduler goes with --backend dask.")
    settings = Options(jobs or cpu_count(), backend=backend, scheduler=scheduler, **options)
    sys.exit(run_config(config, settings))


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--all", "everything", is_flag=True, help="The whole store: only results stay.")
@click.option("--dry-run", is_flag=True, help="Only say how much would be freed.")
def clean(runs, everything, dry_run):
    """Free space in the folders of RUNS: damaged records, and margins no longer used.

    \b
    Example:
      ecoc-bench clean results/uci_svm
    """
    from ..cleaning import clean
    from ..memory import gigabytes

    for folder in runs:
        freed = clean(folder, everything, dry_run)
        click.echo(f"{folder}: {gigabytes(freed)} {'would be ' if dry_run else ''}freed")


@main.command()
@click.option("--dataset", default="letter", show_default=True, help="A data set with a split.")
@click.option(
    "--base",
    type=click.Choice(["stumps", "trees", "kernels"]),
    default="stumps",
    show_default=True,
    help="Boosted stumps over a code, AdaBoost.SECC on C4.5, or the multiclass SVM.",
)
@click.option("--code", default="ova", show_default=True, help="Stumps: a code family.")
@click.option(
    "--rounds", type=click.IntRange(min=1), default=50, show_default=True, help="Stumps and trees."
)
@click.option(
    "--calls",
    type=click.Choice(["single", "multi"]),
    default="multi",
    show_default=True,
    help="Stumps: one test for all columns, or one each.",
)
@click.option(
    "--peer", default="sklearn", show_default=True, help="Stumps: sklearn, lightgbm or xgboost."
)
@click.option("--nominal", is_flag=True, help="Trees: ours take all numbers as nominal values.")
@click.option("--pca", type=click.IntRange(min=1), help="Trees: so many principal components.")
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the single timings to this CSV."
)
@click.pass_context
def speed(context, dataset, base, code, rounds, calls, peer, nominal, pca, repeats, out):
    """Time our learners beside another library's, on one core, in one process.

    Stumps: both fit the same columns for the same number of rounds, in turn. Trees: the same loop
    on our C4.5 and on scikit-learn's trees, in turn. Kernels: Crammer and Singer's machine beside
    all pairs by libsvm, Gaussian kernel, C = 1, in turn.

    \b
    Examples:
      ecoc-bench speed --dataset letter --code all_pairs --out speed.csv
      ecoc-bench speed --base trees --dataset letter --nominal
      ecoc-bench speed --base trees --dataset usps --pca 54
      ecoc-bench speed --base kernels --dataset satimage
    """
    own = {"stumps": ("code", "calls", "peer"), "trees": ("nominal", "pca")}
    for other, names in own.items():
        for name in names if other != base else ():
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--{name} goes with --base {other}.")
    if base == "kernels":
        from ..speed_kernel import run_speed_kernel

        click.echo(run_speed_kernel([dataset], repeats=repeats, out=out))
    elif base == "stumps":
        from ..speed import run_speed

        click.echo(run_speed(dataset, code, rounds, calls, peer, repeats, out))
    else:
        from ..speed_joint import run_speed_joint

        click.echo(run_speed_joint(dataset, rounds, repeats, nominal, pca, out))


@main.command()
@click.argument("config", default="uci_adaboost")
@click.option("--only", multiple=True, metavar="AXIS=NAME", help="As in `run`. Repeatable.")
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the single timings to this CSV."
)
def overhead(config, only, repeats, out):
    """Time a run of CONFIG beside its bare fits, in turn, on one core.

    \b
    Example:
      ecoc-bench overhead uci_adaboost --only dataset=glass --only dataset=ecoli
    """
    from ..overhead import report

    click.echo(report(config, only, repeats, out))


@main.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/scaling"))
@click.option(
    "--codes", is_flag=True,
    help="Instead: one-vs-all beside all-pairs over classes, Table 9.1 of Mohri et al.",
)  # fmt: skip
def scaling(out, codes):
    """Measure cost against rows, classes and columns, and fit the exponents (some minutes).

    \b
    Examples:
      ecoc-bench scaling --out results/scaling
      ecoc-bench scaling --codes
    """
    if codes:
        from ..class_costs import run_class_costs

        click.echo(run_class_costs(out), nl=False)
    else:
        from ..scaling import run_scaling

        click.echo(run_scaling(out))
