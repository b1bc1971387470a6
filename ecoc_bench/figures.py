"""A run's folder -> its figures, as SVG and PNG. Nothing is fitted."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from matplotlib.figure import Figure
from pandas.api.types import is_numeric_dtype

from .bounds import margin_distributions
from .errors import UserError
from .papers import PaperTable, load_table
from .plots.differences import OURS, beside, draw_codes, draw_decoders
from .plots.errors import draw_errors
from .plots.heatmap import draw_differences
from .plots.losses import draw_losses
from .plots.margins import draw_margins
from .plots.stages import draw_stages
from .plots.style import save
from .plots.synthetic import TITLES, draw_synthetic
from .present import read_run
from .results import COLUMNS
from .summary import summarize

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


class Picture(NamedTuple):
    """A figure that is yet to be written."""

    name: str
    title: str
    caption: str
    figure: Figure


class Published(NamedTuple):
    """The figures of Allwein et al. 2000 that follow from one of its tables."""

    learner: str
    decoders: int  # the figure that compares decoders, and the one that compares codes
    codes: int
    losses: dict[str, str]  # loss-based decoders and what the figure calls them
    decoder: str  # of the figure that compares codes


PUBLISHED = {
    "allwein2000.table2": Published(
        "AdaBoost", 4, 7, {"l1": "L1", "exponential": "Exp"}, "exponential"
    ),
    "allwein2000.table3": Published("SVM", 5, 6, {"loss": "hinge loss"}, "loss"),
}


def write_figures(folder: Path) -> list[FigureFile]:
    """Write all that applies to a run into its folder `figures`."""
    results, facts = read_run(folder)
    fault = _fault(results, facts)
    if fault:
        raise UserError(f"{folder}: not the folder of a run: {fault}. Run the config again.")
    target = folder / "figures"
    try:
        target.mkdir(exist_ok=True)
        drawn = chain(pictures(results, facts["config"]), _margins(folder, facts["config"]))
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


def pictures(results: pd.DataFrame, config: dict) -> Iterator[Picture]:
    """The figures of a run, in reading order."""
    made = [d.get("name") for d in config["datasets"] if d.get("make") == NORMALS]
    synthetic = results["dataset"].isin(made)
    if (synthetic & results["code"].isin(list(TITLES))).any():
        yield _synthetic(results[synthetic])
    rest = results[~synthetic]
    for learner, rows in rest.groupby("learner", sort=False):
        several = len(set(rest["learner"])) > 1
        yield from _of_learner(rows, config, f"_{learner}" if several else "")


def _of_learner(rows: pd.DataFrame, config: dict, suffix: str) -> Iterator[Picture]:
    """Beside the paper's where the run reproduces a table, else bars; and curves over rounds."""
    summary = summarize(rows)
    paper = load_table(config["paper"]) if config.get("paper") else None
    run = f"{config.get('name', 'run')}{suffix.replace('_', ' ')}"
    if paper is not None and beside(summary, paper).notna().all(axis=1).any():
        yield from _of_paper(beside(summary, paper), paper, run, suffix)
    else:
        yield _bars(summary, run, suffix)
    if len(set(rows["stage"])) > 1:
        yield from _stages(rows, run, suffix)


def _of_paper(errors: pd.DataFrame, paper: PaperTable, run: str, suffix: str) -> Iterator[Picture]:
    published = PUBLISHED.get(paper.name)
    if published is not None:
        yield _losses(suffix)
        ours = errors[OURS].dropna().index.get_level_values("decoder").unique()
        if "hamming" in ours and any(decoder in ours for decoder in published.losses):
            yield _decoders(errors, paper, published, run, suffix)
        if published.decoder in ours:
            yield _codes(errors, paper, published, run, suffix)
    title = f"{run}: ours minus the errors of {paper.title}"
    caption = (
        "Test error of this run minus the paper's, in points; – where one of them has no number. "
        "Purple: ours is lower; orange: ours is higher."
    )
    yield Picture(f"heatmap{suffix}", title, caption, draw_differences(errors, paper, title))


def _losses(suffix: str) -> Picture:
    caption = (
        "The exponential, square, hinge and logistic losses L(z) of the margin z = y f(x), and "
        "(L(z) + L(−z))/2, which is never below L(0): the property that Theorem 1 asks for (Eq. 7)."
    )
    title = "Margin-based loss functions (Figure 1 of Allwein et al. 2000)"
    return Picture(f"figure1{suffix}", title, caption, draw_losses(title))


def _decoders(errors, paper: PaperTable, published: Published, run: str, suffix: str) -> Picture:
    n = published.decoders
    source = f"Figure {n} of {paper.paper}"
    title = f"{run}: loss-based minus Hamming decoding, {published.learner} ({source})"
    caption = (
        f"After {source}: the test error of loss-based decoding minus that of "
        "Hamming decoding, in points, for each data set and code; below zero loss-based is better. "
        f"The paper's bars follow from its {paper.title.rpartition(', ')[2]}. "
        "A cross: there is no number."
    )
    figure = draw_decoders(errors, paper, published.losses, title)
    return Picture(f"figure{n}{suffix}", title, caption, figure)


def _codes(errors, paper: PaperTable, published: Published, run: str, suffix: str) -> Picture:
    n = published.codes
    source = f"Figure {n} of {paper.paper}"
    title = f"{run}: differences between codes in points, {published.learner} ({source})"
    caption = (
        f"After {source}: the test error of the row's code minus that of the "
        "column's, in points, loss-based decoding "
        f"({paper.block_titles[published.decoder]}). The paper's bars follow from its "
        f"{paper.title.rpartition(', ')[2]}. Each panel has its own scale; a place without a bar "
        "has no number."
    )
    figure = draw_codes(errors, paper, published.decoder, title)
    return Picture(f"figure{n}{suffix}", title, caption, figure)


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
