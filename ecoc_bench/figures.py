"""A run's folder -> its figures, as SVG and PNG. Nothing is fitted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from . import reliability
from .bounds import margin_distributions
from .errors import UserError
from .papers import allwein2000_figures, load_table, passerini2004_figures, sun2005_figures
from .papers.evidence import Run
from .papers.passerini2004_runs import NAMES as PASSERINI_SETS
from .papers.passerini2004_runs import is_of as is_passerini
from .plots.differences import beside
from .plots.errors import draw_errors
from .plots.heatmap import draw_differences
from .plots.margins import draw_margins
from .plots.picture import Picture, Sheet
from .plots.stages import draw_stages
from .plots.style import save
from .plots.sweep import draw_sweep
from .plots.synthetic import TITLES, draw_synthetic
from .plots.time_error import draw_time_error, time_and_error
from .present import read_run
from .results import COLUMNS
from .rows import read_rows
from .selection import shown_rows
from .summary import summarize
from .sweeps import Sweep, curves, sweeps

NORMALS = "ecoc_bench.synthetic:normals"
NUMBERS = [c for c in COLUMNS if c not in ("dataset", "learner", "code", "decoder")]


@dataclass(frozen=True)
class FigureFile:
    """A figure that was written."""

    name: str
    title: str
    caption: str
    svg: Path
    png: Path


def write_figures(folder: Path) -> list[FigureFile]:
    """Write all that applies to a run into its folder `figures`."""
    results, facts = read_run(folder)
    fault = _fault(results, facts)
    if fault:
        raise UserError(f"{folder}: not the folder of a run: {fault}. Run the config again.")
    target = folder / "figures"
    try:
        target.mkdir(exist_ok=True)
        run = Run(folder, results, facts)
        config = facts["config"]
        label = config.get("name", "run")
        drawn = chain(pictures(run), _margins(folder, config), reliability.pictures(folder, label))
        return [
            FigureFile(name, title, caption, *save(figure, target / name))
            for name, title, caption, figure in drawn
        ]
    except OSError as error:
        raise UserError(f"{target}: cannot be written to ({error.strerror}).") from error


def _fault(results: pd.DataFrame, facts: Any) -> str | None:
    """What keeps a run from being drawn, or None."""
    config = facts.get("config") if isinstance(facts, dict) else None
    datasets = config.get("datasets") if isinstance(config, dict) else None
    if not isinstance(datasets, list) or not all(isinstance(d, dict) for d in datasets):
        return "manifest.json has no config with data sets"
    if missing := [column for column in COLUMNS if column not in results]:
        return f"results.csv lacks {', '.join(missing)}"
    if results.empty:
        return "results.csv has no rows"
    if words := [c for c in NUMBERS if not is_numeric_dtype(results[c])]:
        return f"results.csv has words among the numbers of {', '.join(words)}"
    return None


def pictures(run: Run) -> Iterator[Picture]:
    """The figures of a run, in reading order; what a choice was made from is left out of bars."""
    config = run.facts["config"]
    made = [d.get("name") for d in config["datasets"] if d.get("make") == NORMALS]
    shown = shown_rows(run.folder, run.results, config)
    synthetic = shown["dataset"].isin(made)
    if (synthetic & shown["code"].isin(list(TITLES))).any():
        yield _synthetic(run.results[run.results["dataset"].isin(made)])
    if config.get("paper") not in OWN_CURVES:
        for sweep in sweeps(config):
            yield from _of_sweep(run, sweep)
    rest = shown[~synthetic]
    for learner, rows in rest.groupby("learner", sort=False):
        several = len(set(rest["learner"])) > 1
        yield from _of_learner(run, str(learner), rows, f"_{learner}" if several else "")
    yield from _time_error(run, rest)


def _of_sweep(run: Run, sweep: Sweep) -> Iterator[Picture]:
    """Errors against the swept parameter; in the paper's figures the data sets that they show."""
    config, points = run.facts["config"], curves(run.results, sweep)
    if is_passerini(config, sweep):
        several = sum(is_passerini(config, other) for other in sweeps(config)) > 1
        yield from passerini2004_figures.pictures(run, sweep, f"_{sweep.name}" if several else "")
        points = points[~points["dataset"].isin(list(PASSERINI_SETS))]
    if points.empty:
        return
    what = f"test error against {sweep.parameter} of {sweep.name}"
    title = f"{config.get('name', 'run')}: {what}"
    caption = (
        f"Test error in percent against {sweep.parameter}: a row of panels for each data set and a "
        "column for each code, or a panel for each data set; a curve for each decoder."
    )
    figure = draw_sweep(points, sweep.parameter, title)
    yield Picture(f"sweep_{sweep.name}", title, caption, figure)


def _of_learner(run: Run, learner: str, rows: pd.DataFrame, suffix: str) -> Iterator[Picture]:
    """Beside the paper's where the run reproduces a table, else bars; and curves over rounds."""
    config, summary = run.facts["config"], summarize(rows)
    paper = load_table(config["paper"]) if config.get("paper") else None
    label = f"{config.get('name', 'run')}{suffix.replace('_', ' ')}"
    if paper is not None and (errors := beside(summary, paper)).notna().all(axis=1).any():
        yield from _of_paper(Sheet(run, paper, errors, label, suffix))
    else:
        yield _bars(summary, label, suffix)
    stages = run.results[run.results["learner"] == learner]
    if len(set(stages["stage"])) > 1 and config.get("paper") not in OWN_CURVES:
        yield from _stages(stages, label, suffix)


def _of_paper(sheet: Sheet) -> Iterator[Picture]:
    paper = sheet.paper
    if paper.name in FIGURES:
        yield from FIGURES[paper.name](sheet)
    title = f"{sheet.label}: ours minus the errors of {paper.title}"
    caption = (
        "Test error of this run minus the paper's, in points; – where one of them has no number. "
        "Purple: ours is lower; orange: ours is higher."
    )
    figure = draw_differences(sheet.errors, paper, title)
    yield Picture(f"heatmap{sheet.suffix}", title, caption, figure)


def _synthetic(results: pd.DataFrame) -> Picture:
    sets = results.groupby("n_classes")["dataset"].nunique().max()
    title = "AdaBoost on synthetic data (Figure 3 of Allwein et al. 2000)"
    caption = (
        "Average binary error, and multiclass error with Hamming and with loss-based decoding, "
        f"against the number of classes: means over {sets} drawn sets, whiskers of one standard "
        "error each way. A row for each learner of the config; rows have their own scales."
    )
    return Picture("figure3", title, caption, draw_synthetic(results, title))


def _bars(summary: pd.DataFrame, run: str, suffix: str) -> Picture:
    title = f"{run}: test errors with 95% intervals"
    caption = (
        "Test error in percent of each data set and code with Wilson's interval, a panel for each "
        "decoder."
    )
    return Picture(f"errors{suffix}", title, caption, draw_errors(summary, title))


def _stages(rows: pd.DataFrame, run: str, suffix: str) -> Iterator[Picture]:
    """One figure per decoder: test error after each recorded round."""
    staged = pd.concat(
        summarize(rows, stage).assign(stage=stage) for stage in sorted(rows["stage"].unique())
    )
    for decoder, errors in staged.groupby("decoder", sort=False):
        title = f"{run}: test error against rounds, decoder {decoder}"
        caption = "Test error in percent after each recorded round, a panel for each data set."
        name = f"rounds_{decoder}{suffix}".replace(":", "_")
        yield Picture(name, title, caption, draw_stages(errors, title))


def _time_error(run: Run, shown: pd.DataFrame) -> Iterator[Picture]:
    """What each method costs and gains, where the run has methods of several kinds."""
    costs = run.folder / "costs.csv"
    config = run.facts["config"]
    found = time_and_error(shown, read_rows(costs), config) if costs.exists() else None
    if found is None:
        return
    title = f"{config.get('name', 'run')}: test error against the time of fitting"
    caption = (
        "Each method by the seconds of all the fits that it is decoded from, on one training part "
        "and as a geometric mean over data sets, and by its test error, a mean over the data sets "
        f"that all methods have ({', '.join(found.datasets)}). Decoders share their fits; a choice "
        "costs those of all it is made among. Bold: the Pareto front, no other method is both as "
        "fast and as good. Times are of the machine that made this run, whatever else it did."
    )
    yield Picture("time_error", title, caption, draw_time_error(found.points, title))


def _margins(folder: Path, config: dict) -> Iterator[Picture]:
    """Margin distributions of boosted learners, where the run has them after several rounds."""
    if not (folder / "bounds.csv").exists():
        return
    found = margin_distributions(folder)
    several = len(set(found["learner"])) > 1
    for learner, rows in found.groupby("learner", sort=False):
        if len(set(rows["stage"])) < 2:
            continue
        run = f"{config.get('name', 'run')} {learner}" if several else config.get("name", "run")
        title = f"{run}: margins of the training examples (Section 5 of Allwein et al. 2000)"
        caption = (
            "Share of the training examples with at most that margin after each recorded round; "
            "margins are scaled by the largest |f|, so that they lie in [-1, 1]."
        )
        name = f"margins_{learner}" if several else "margins"
        yield Picture(name, title, caption, draw_margins(rows, title))


# The makers of a paper's own figures, by the table that a run repeats.
FIGURES: dict[str, Callable[[Sheet], Iterator[Picture]]] = {
    **dict.fromkeys(allwein2000_figures.PUBLISHED, allwein2000_figures.pictures),
    "sun2005.table3": sun2005_figures.pictures,
}
OWN_CURVES = ("sun2005.table3",)  # whose own figures show rounds, and the chosen of its sweep
