"""Commands that judge a run: they only read its folder, nothing is fitted."""

import sys
from math import isnan
from pathlib import Path

import click

from . import main


class Between(click.FloatRange):
    """A number within the range; click's own lets NaN through."""

    def convert(self, value, param, ctx):
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--compare", "axis", type=click.Choice(["code", "decoder", "learner", "method"]),
    required=True,
    help="What to compare; method: every learner with every code and decoder, and every method.",
)  # fmt: skip
@click.option("--code", multiple=True, help="Only this code; may be repeated.")
@click.option("--decoder", multiple=True, help="Only this decoder; may be repeated.")
@click.option("--learner", multiple=True, help="Only this learner; may be repeated.")
@click.option("--stage", type=int, help="After this many boosting rounds. Default: all.")
@click.option("--measure", help="By this further measure, in place of the error.")
@click.option(
    "--rope", type=Between(0, 100, min_open=True), default=1.0, show_default=True,
    help="Differences up to this many points count as equal in the Bayesian test.",
)  # fmt: skip
@click.option(
    "--alpha", type=Between(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="Level of the tests.",
)  # fmt: skip
@click.option(
    "--style", type=click.Choice(["terminal", "markdown", "latex", "csv"]), default="terminal",
    show_default=True,
)  # fmt: skip
@click.option(
    "--plot", type=click.Path(path_type=Path, dir_okay=False),
    help="Write the critical-difference diagram to this file: .svg, .pdf or .png.",
)  # fmt: skip
def stats(run, axis, code, decoder, learner, stage, measure, rope, alpha, style, plot):
    """Test whether the codes, decoders or learners of RUN differ, over its data sets.

    Each data set counts once: its errors are averaged over the axes that are not compared, and over
    the draws of random codes. --code, --decoder and --learner restrict an axis to some names; for
    the compared axis, they choose what is compared.

    \b
    Example:
      ecoc-bench stats results/reference/uci_adaboost --compare code --decoder exponential
      ecoc-bench stats results/reference/uci_adaboost --compare decoder --plot cd.svg
    """
    from ..results.formats import for_terminal
    from ..results.run import Run
    from ..results.significance import render

    if measure and stage is not None:
        raise click.UsageError("--measure is known after the last round only: leave out --stage.")
    given = {"code": code, "decoder": decoder, "learner": learner}
    keep = {name: names for name, names in given.items() if names}
    found = Run(run).stats(axis, keep, stage, rope, alpha, measure)
    with for_terminal():
        click.echo(render(found, style), nl=False)
    if plot is not None:
        from ..plots.critical_difference import draw_cd

        draw_cd(found, plot)
        click.echo(f"Written: {plot}", err=True)


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--against",
    type=click.Path(path_type=Path),
    required=True,
    help="The reference to compare with.",
)
@click.option(
    "--alpha", type=Between(0, 0.5, min_open=True), default=0.01, show_default=True,
    help="Chance of any false alarm, over all entries, if the errors have not changed.",
)  # fmt: skip
@click.option(
    "--allow-missing", is_flag=True,
    help="Entries of the reference that could not be compared are a note, not a failure.",
)  # fmt: skip
@click.option("--style", type=click.Choice(["terminal", "markdown"]), default="terminal")
def check(run, against, alpha, allow_missing, style):
    """Check RUN for regressions against a reference; each is a run's folder or a CSV of results.

    An entry that is worse beyond the noise is a regression, a smaller change is drift. With equal
    seeds and settings, predictions are compared one by one; otherwise fitting anew is part of the
    noise. Exit code 3: a regression, or an entry of the reference that is missing or was measured
    on other data; 4: nothing could be compared.

    \b
    Example:
      ecoc-bench check results/quick --against results/reference/quick
    """
    from ..results.check.regression import check as compare_runs
    from ..results.check.text import render
    from ..results.formats import for_terminal

    report = compare_runs(run, against, alpha)
    with for_terminal():
        click.echo(render(report, style), nl=False)
    sys.exit(report.exit_code(allow_missing))


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False),
    help="File of the page. Default: report.html in the folder of the run.",
)  # fmt: skip
@click.option("--open", "open_", is_flag=True, help="Show the page in the browser.")
def report(run, out, open_):
    """Write RUN as one HTML page: who is best, tables, figures, claims, statistics, provenance.

    The page needs no other file: it can be mailed, archived and printed. The figures are also
    written to RUN/figures, the leaderboard to RUN/tables.

    \b
    Example:
      ecoc-bench report results/reference/uci_svm --out uci_svm.html --open
    """
    from ..report.write import write_page
    from ..results.run import Run

    page = write_page(Run(run), out)
    click.echo(page)
    if open_:
        import webbrowser

        if not webbrowser.open(page.resolve().as_uri()):
            click.echo("No browser was found; open the file by hand.", err=True)


@main.command()
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--style", type=click.Choice(["terminal", "markdown", "csv"]), default="terminal",
    show_default=True,
)  # fmt: skip
def claims(runs, style):
    """Judge the claims of the papers on RUNS, and on the paper's own printed numbers.

    A claim that is not reproduced is a finding, not a failure. Exit code 4: nothing could be
    judged.

    \b
    Example:
      ecoc-bench claims results/reference/uci_adaboost results/reference/uci_svm
    """
    from ..papers.claims import exit_code, judge, render
    from ..results.formats import for_terminal
    from ..results.run import Run

    verdicts = [verdict for folder in runs for verdict in judge(Run(folder))]
    with for_terminal():
        click.echo(render(verdicts, style), nl=False)
    sys.exit(exit_code(verdicts))


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, metavar="AXIS=NAME", help="As in `run`. Repeatable.")
@click.option(
    "--repeats", type=click.IntRange(min=1), default=5, show_default=True,
    help="How many times each attribute is permuted.",
)  # fmt: skip
def importance(run, only, repeats):
    """Measure how much each attribute counts in RUN, and write importance.csv into its folder.

    The chosen cells are fitted again. Each attribute is permuted among the test rows; trees and
    stumps also tell what their splits gain. `ecoc-bench report` then shows both as bars.

    \b
    Example:
      ecoc-bench importance results/textbook --only dataset=glass --only method=random_forest
    """
    from ..results.importance import text
    from ..results.run import Run
    from ..running.importance import write_importance

    write_importance(run, only, repeats)
    rows = Run(run).rows("importance.csv")
    assert rows is not None  # just written
    click.echo(text(rows))


@main.command()
@click.argument("run", type=click.Path(path_type=Path))
def figures(run):
    """Draw the figures of RUN into its folder `figures`, each as SVG and PNG.

    A run that reproduces a paper's table gets the paper's figures next to its own.

    \b
    Example:
      ecoc-bench figures results/uci_svm
    """
    from ..report.figures import write_figures
    from ..results.run import Run

    for figure in write_figures(Run(run)):
        click.echo(figure.svg)
        click.echo(figure.png)
