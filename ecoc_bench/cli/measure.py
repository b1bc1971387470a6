"""Commands that measure time and memory: speed, overhead, scaling, frontier."""

from pathlib import Path

import click

from . import main


@main.command()
@click.option("--dataset", default="letter", show_default=True, help="A data set with a split.")
@click.option(
    "--base",
    type=click.Choice(["stumps", "trees", "svm", "linear", "kernels", "chains"]),
    default="stumps",
    show_default=True,
    help="Boosted stumps, SVMs or linear learners over a code, AdaBoost.SECC on C4.5, the "
    "multiclass SVM, or conditional random fields.",
)
@click.option(
    "--code", default="ova", show_default=True, help="Stumps, svm and linear: a code family."
)
@click.option(
    "--rounds", type=click.IntRange(min=1), default=50, show_default=True, help="Stumps and trees."
)
@click.option(
    "--calls",
    type=click.Choice(["single", "multi"]),
    default="multi",
    show_default=True,
    help="Stumps: one test for all columns (single), or one for each (multi).",
)
@click.option(
    "--peer", default="sklearn", show_default=True, help="Stumps: sklearn, lightgbm or xgboost."
)
@click.option(
    "--nominal", is_flag=True, help="Trees: our C4.5 takes all numbers as nominal values."
)
@click.option(
    "--pca", type=click.IntRange(min=1), help="Trees: use this many principal components."
)
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the single timings to this CSV."
)
@click.pass_context
def speed(context, dataset, base, code, rounds, calls, peer, nominal, pca, repeats, out):
    """Time our learners against another library's, on one core, in one process.

    Stumps: both fit the same columns for the same number of rounds, in turn. Trees: the same loop
    on our C4.5 and on scikit-learn's trees, in turn. Svm: the columns of a code by our solver and
    by libsvm, polynomial kernel, C = 1, in turn. Linear: ridge and logistic regression of all
    columns in one call, and scikit-learn's, in turn; without --dataset on 1,000 clusters. Kernels:
    Crammer and Singer's machine against all pairs by libsvm, Gaussian kernel, C = 1, in turn.
    Chains: our conditional random field against crfsuite on words of noisy letters, in turn.

    \b
    Examples:
      ecoc-bench speed --dataset letter --code all_pairs --out speed.csv
      ecoc-bench speed --base trees --dataset letter --nominal
      ecoc-bench speed --base trees --dataset usps --pca 54
      ecoc-bench speed --base svm --dataset yeast --code complete
      ecoc-bench speed --base linear --dataset letter --code all_pairs
      ecoc-bench speed --base kernels --dataset satimage
      ecoc-bench speed --base chains --out chains.csv
    """
    own = {
        "code": ("stumps", "svm", "linear"), "calls": ("stumps",), "peer": ("stumps",),
        "nominal": ("trees",), "pca": ("trees",), "rounds": ("stumps", "trees"),
        "dataset": ("stumps", "trees", "svm", "linear", "kernels"),
    }  # fmt: skip
    for name, bases in own.items():
        given = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if given and base not in bases:
            raise click.UsageError(f"--{name} goes with --base {' or '.join(bases)}.")
    if base == "svm":
        from ..speed.machines import run_speed_svm

        click.echo(run_speed_svm(dataset, code, repeats, out))
    elif base == "linear":
        from ..speed.linear import run_speed_linear

        source = context.get_parameter_source("dataset")
        named = source is click.core.ParameterSource.COMMANDLINE
        click.echo(run_speed_linear(dataset if named else None, code, repeats, out))
    elif base == "kernels":
        from ..speed.kernels import run_speed_kernel

        click.echo(run_speed_kernel([dataset], repeats=repeats, out=out))
    elif base == "chains":
        from ..speed.chains import run_speed_chains

        click.echo(run_speed_chains(repeats, out))
    elif base == "stumps":
        from ..speed.stumps import run_speed

        click.echo(run_speed(dataset, code, rounds, calls, peer, repeats, out))
    else:
        from ..speed.trees import run_speed_joint

        click.echo(run_speed_joint(dataset, rounds, repeats, nominal, pca, out))


@main.command()
@click.argument("config", default="uci_adaboost")
@click.option("--only", multiple=True, metavar="AXIS=NAME", help="As in `run`. Repeatable.")
@click.option(
    "--dask",
    multiple=True,
    type=click.IntRange(1, 64),
    metavar="N",
    help="Instead: a run on a Dask cluster of N workers here, with the data read and sent. "
    "Repeatable.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=400,
    show_default=True,
    help="MB of memory of each Dask worker, of which it needs 275 without any data.",
)
@click.option("--repeats", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--out", type=click.Path(path_type=Path), help="Write the single timings to this CSV."
)
def overhead(config, only, dask, limit, repeats, out):
    """Time a run of CONFIG against its bare fits, in turn, on one core.

    \b
    Examples:
      ecoc-bench overhead uci_adaboost --only dataset=glass --only dataset=ecoli
      ecoc-bench overhead load
      ecoc-bench overhead cluster --dask 1 --dask 2 --dask 4
    """
    if dask:
        from ..speed.clusters import report as on_clusters

        click.echo(on_clusters(config, only, dask, limit, repeats, out))
        return
    from ..speed.overhead import report

    click.echo(report(config, only, repeats, out))


@main.command()
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/scaling"))
@click.option(
    "--codes", is_flag=True,
    help="Instead: one-vs-all against all-pairs over classes, Table 9.1 of Mohri et al.",
)  # fmt: skip
def scaling(out, codes):
    """Measure cost against rows, classes and columns, and fit the exponents. Takes minutes.

    Learners are timed first, then codes of 100 to 1,000 classes: drawn, fitted, decoded.

    \b
    Examples:
      ecoc-bench scaling --out results/scaling
      ecoc-bench scaling --codes
    """
    if codes:
        from ..speed.class_costs import run_class_costs

        click.echo(run_class_costs(out), nl=False)
    else:
        from ..speed.scaling import run_scaling

        click.echo(run_scaling(out))


@main.command()
@click.option("--data", multiple=True, help="As in the tables' CSV. Repeatable; default: all.")
@click.option("--classes", multiple=True, type=int, help="Repeatable; default: all.")
@click.option(
    "--limit",
    type=click.FloatRange(min=1),
    default=150.0,
    show_default=True,
    help="Seconds of the processor that a fit may take.",
)
@click.option(
    "--memory",
    type=click.FloatRange(min=0.1),
    default=8.0,
    show_default=True,
    help="Gigabytes that a fit may take.",
)
@click.option("--out", type=click.Path(path_type=Path), default=Path("results/many_classes"))
def frontier(data, classes, limit, memory, out):
    """Measure error against cost as classes grow: codes, boosting and other libraries.

    A fit that exceeds a limit is a row that says so. Rows of the same data and classes in the
    CSV in OUT are replaced. All of it takes about an hour of one core.

    \b
    Examples:
      ecoc-bench frontier --data letter
      ecoc-bench frontier --data han --classes 1000 --out results/many_classes
    """
    from ..plots.frontier import write_frontier
    from ..speed.many_classes import TABLE, run_many_classes
    from ..speed.one_fit import Limits

    limits = Limits(limit, memory)
    text = run_many_classes(out, data, classes, limits, lambda line: click.echo(line, err=True))
    click.echo(text, nl=False)
    write_frontier(out / f"{TABLE}.csv")
