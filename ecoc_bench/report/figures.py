"""The figures of a run, as SVG and PNG: those of the papers it repeats, and those for any run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import pandas as pd

from ..papers.paper import Drawn
from ..papers.registry import PAPERS
from ..plots.compared import Sheet, named, sheets
from ..plots.errors import draw_errors
from ..plots.heatmap import draw_differences
from ..plots.hidden import hidden_curves
from ..plots.importance import draw_importance
from ..plots.looks import run_looks
from ..plots.margins import draw_margins
from ..plots.picture import Picture
from ..plots.reliability import draw_reliability
from ..plots.stages import draw_stages
from ..plots.style import both_kinds
from ..plots.sweep import draw_sweep
from ..plots.time_error import draw_time_error, time_and_error
from ..plots.told import draw_told
from ..results.bounds import margin_distributions
from ..results.calibration import pooled
from ..results.catalogue import JOINT
from ..results.history import TOLD
from ..results.history import curves as told_curves
from ..results.importance import ranked
from ..results.ownership import claim
from ..results.run import Run
from ..results.summary import summarize
from ..results.sweeps import Sweep, curves, sweeps
from .attempt import Attempt, call


@dataclass(frozen=True)
class FigureFile:
    """The files of a figure."""

    name: str
    title: str
    caption: str
    svg: Path
    png: Path


def write_figures(run: Run, attempt: Attempt = call) -> list[FigureFile]:
    """Write all that applies to a run into its folder `figures`."""
    found: list[FigureFile] = []
    for what, make in _makers(run).items():
        found += attempt(f"the figures of {what}", _write, run, make) or []
    return found


def _write(run: Run, make: Callable[[Run], Iterator[Picture]]) -> list[FigureFile]:
    owned, found = claim(run.folder), []
    for name, title, caption, figure in make(run):
        files = {
            f"figures/{name}{suffix}": content for suffix, content in both_kinds(figure).items()
        }
        owned.write(files)
        svg, png = (run.folder / file for file in files)
        found.append(FigureFile(name, title, caption, svg, png))
    return found


def pictures(run: Run) -> Iterator[Picture]:
    """The figures of a run, in reading order."""
    return chain.from_iterable(make(run) for make in _makers(run).values())


def _makers(run: Run) -> dict[str, Callable[[Run], Iterator[Picture]]]:
    """What draws the figures of a run: the papers first, then what any run has."""
    return {
        **{name: paper.figures for name, paper in PAPERS.items()},
        "sweeps": _sweeps,
        "learners": _learners,
        "costs": _time_error,
        "margins": _margins,
        "class probabilities": _reliability,
        "rounds": _told,
        "attributes": _importance,
    }


def _sweeps(run: Run) -> Iterator[Picture]:
    drawn = _drawn(run)
    for sweep in sweeps(run.config):
        yield from _sweep(run, sweep, drawn)


def _learners(run: Run) -> Iterator[Picture]:
    """Errors of all learners, and over their rounds; what a choice was made from is left out."""
    drawn, rest = _drawn(run), _not_drawn(run)
    of_paper = {sheet.learner: sheet for sheet in sheets(run)}
    others = rest[~rest["learner"].isin(list(of_paper))]
    if len(others):
        yield _errors(run, others)
    for learner in rest["learner"].unique():
        if learner in of_paper:
            yield _heatmap(of_paper[learner])
        stages = run.results[run.results["learner"] == learner]
        if len(set(stages["stage"])) > 1 and not drawn.rounds:
            yield from _rounds(run, stages, *named(run, learner))


def _not_drawn(run: Run) -> pd.DataFrame:
    """The rows of the data sets that no paper's figure shows already."""
    return run.shown[~run.shown["dataset"].isin(_drawn(run).datasets)]


def _drawn(run: Run) -> Drawn:
    """What the figures of all papers show together."""
    found = [paper.drawn(run) for paper in PAPERS.values()]
    return Drawn(
        datasets=frozenset().union(*(one.datasets for one in found)),
        sweeps=frozenset().union(*(one.sweeps for one in found)),
        rounds=any(one.rounds for one in found),
    )


def _sweep(run: Run, sweep: Sweep, drawn: Drawn) -> Iterator[Picture]:
    """Errors against the swept parameter, on the data sets that no paper's figure shows."""
    points = curves(run.results, sweep)
    points = points[[(sweep.name, name) not in drawn.sweeps for name in points["dataset"]]]
    if points.empty:
        return
    title = f"{run.name}: test error against {sweep.parameter} of {sweep.name}"
    caption = (
        f"Test error in percent against {sweep.parameter}: a row of panels for each data set and a "
        "column for each code, or a panel for each data set; a curve for each decoder."
    )
    looks = run_looks(run)
    caption += hidden_curves(points, ["dataset", "code"], "decoder", "value")
    figure = draw_sweep(points, sweep.parameter, looks.codes | looks.decoders, title)
    yield Picture(f"sweep_{sweep.name}", title, caption, figure)


def _heatmap(sheet: Sheet) -> Picture:
    title = f"{sheet.label}: ours minus the errors of {sheet.paper.title}"
    caption = (
        "Test error of this run minus the paper's, in points; – where one of them has no number. "
        "Purple: ours is lower; orange: ours is higher."
    )
    figure = draw_differences(sheet.errors, sheet.paper, title)
    return Picture(f"heatmap{sheet.suffix}", title, caption, figure)


def _errors(run: Run, rows: pd.DataFrame) -> Picture:
    title = f"{run.name}: test errors with 95% intervals"
    caption = (
        "Test error in percent with Wilson's interval: a line for each code or method, the lowest "
        "average rank on top, and a panel for each data set with a scale of its own. A number with "
        "an arrow is an error off the scale; a cross: there is no number."
    )
    return Picture("errors", title, caption, draw_errors(summarize(rows), run_looks(run), title))


def _rounds(run: Run, rows: pd.DataFrame, label: str, suffix: str) -> Iterator[Picture]:
    """One figure per decoder: test error after each recorded round."""
    recorded = rows.groupby("code", sort=False)["stage"].nunique()
    flat = list(recorded.index[recorded == 1])
    rows = rows[~rows["code"].isin(flat)]
    if rows.empty:  # each has one stage, but not the same one
        return
    staged = pd.concat(
        summarize(rows, stage).assign(stage=stage) for stage in sorted(rows["stage"].unique())
    )
    for decoder, errors in staged.groupby("decoder", sort=False):
        by = "" if decoder == JOINT else f"_{decoder}"
        title = f"{label}: test error against rounds"
        title += f", decoder {decoder}" if by else ""
        caption = (
            "Test error in percent after each recorded round, a panel for each data set with a "
            "scale of its own; a few of the rounds have a marker."
        )
        caption += f" Without rounds, and not shown: {', '.join(flat)}." if flat else ""
        caption += hidden_curves(errors, ["dataset"], "code", "stage")
        name = f"rounds{by}{suffix}".replace(":", "_")
        yield Picture(name, title, caption, draw_stages(errors, run_looks(run).codes, title))


def _time_error(run: Run) -> Iterator[Picture]:
    """Time and error of each combination and method, if the run has several kinds of them."""
    costs = run.rows("costs.csv")
    found = None if costs is None else time_and_error(_not_drawn(run), costs, run.config)
    if found is None:
        return
    title = f"{run.name}: test error against the time of fitting"
    caption = (
        "Each method by the seconds of all the fits that it is decoded from, on one training part "
        "and as a geometric mean over data sets, and by its test error, a mean over the data sets "
        f"that all methods have ({', '.join(found.datasets)}). Decoders share their fits; a choice "
        "costs those of all it is made among. Bold: the Pareto front, no other method is both as "
        "fast and as good. A code or method has the same marker in all figures. Times are of the "
        "machine that made this run, whatever else it did."
    )
    figure = draw_time_error(found.points, run_looks(run).codes, title)
    yield Picture("time_error", title, caption, figure)


def _margins(run: Run) -> Iterator[Picture]:
    """Margin distributions of boosted learners, if the run has several stages."""
    bounds = run.rows("bounds.csv")
    if bounds is None:
        return
    found = margin_distributions(bounds)
    several = len(set(found["learner"])) > 1
    for learner, rows in found.groupby("learner", sort=False):
        if len(set(rows["stage"])) < 2:
            continue
        label = f"{run.name} {learner}" if several else run.name
        title = f"{label}: margins of the training examples (Section 5 of Allwein et al. 2000)"
        caption = (
            "Share of the training examples with at most that margin after each recorded round; "
            "margins are scaled by the sum of the rounds' alphas (Eq. 16), as in Theorem 6, so "
            "that they lie in [-1, 1]."
        )
        name = f"margins_{learner}" if several else "margins"
        yield Picture(name, title, caption, draw_margins(rows, title))


def _reliability(run: Run) -> Iterator[Picture]:
    """One figure per code: reliability over all data sets and learners of the run."""
    rows = run.rows("calibration.csv")
    if rows is None:
        return
    for code, mine in rows.groupby("code", sort=False):
        ways = {str(how): pooled(part) for how, part in mine.groupby("how", sort=False)}
        title = f"{run.name}: reliability of class probabilities, {code}"
        caption = (
            "How often the most probable class is right, against its probability, over all test "
            "examples of the run's data sets and learners; below, how many examples there are. On "
            "the diagonal a probability can be taken at its word."
        )
        yield Picture(f"reliability_{code}", title, caption, draw_reliability(ways, title))


def _told(run: Run) -> Iterator[Picture]:
    """What methods tell of their rounds next to what was measured: out-of-bag errors, bounds."""
    rounds = run.rows("rounds.csv")
    if rounds is None:
        return
    for name, told in TOLD.items():
        points = told_curves(rounds, run.results, told)
        if points.empty:
            continue
        title = f"{run.name}: {told.words} and {told.words_measured} against rounds"
        log = name == "training_bound"
        caption = (
            f"Solid: {told.words}, which the method tells from its training alone; dotted: "
            f"{told.words_measured} at the recorded rounds. Means over the cells, in percent."
        )
        caption += " A curve ends where it reaches 0." if log else ""
        yield Picture(name, title, caption, draw_told(points, run_looks(run).codes, title, log))


def _importance(run: Run) -> Iterator[Picture]:
    """One figure per data set: what counts most in each method, or code with its decoder."""
    rows = run.rows("importance.csv")
    if rows is None:
        return
    table = ranked(rows)
    parts = table["code"].where(
        table["learner"] == JOINT, table["learner"] + ", " + table["code"] + ", " + table["decoder"]
    )
    for dataset, part in table.assign(panel=parts).groupby("dataset", sort=False):
        title = f"{run.name}: the attributes of {dataset} that count most"
        caption = (
            "By how many points the test error grows when an attribute is permuted among the test "
            "rows, the mean over folds and permutations, and for trees and stumps the attribute's "
            "share of what all splits gain. The first ten attributes of each."
        )
        name = f"importance_{dataset}".replace(":", "_")
        yield Picture(name, title, caption, draw_importance(part, title))
