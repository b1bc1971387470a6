"""Figures 3 and 4 of Sun et al. 2005, for a run of its Table 3, and Section 3 over the rounds.

Figure 3 shows "four databases at three noise levels", which the text does not name, because the
curves of 20% and 30% are similar, and so are those of the two databases of digits. Here they are
20%, and PenDigits.
"""

from collections.abc import Iterator

import pandas as pd

from ...plots.compared import Sheet, sheets
from ...plots.hidden import hidden_curves
from ...plots.picture import Picture
from ...published import load_paper
from ...results.run import Run
from ...results.sweeps import sweeps
from ..paper import Drawn
from .curves import draw_test_errors, draw_training_errors
from .experiment import (
    NAMES,
    TITLES,
    choices,
    has_rounds,
    is_of,
    is_of_figure4,
    split,
    training,
    with_choice,
)
from .section3 import TYPICAL, argument

DATABASES = ("car", "imageseg", "letter", "pendigits")
LEVELS = (0, 0.1, 0.2)
PAPER = load_paper("sun2005")["short"]


def pictures(run: Run) -> Iterator[Picture]:
    """The figures that the run has numbers for."""
    for sheet in sheets(run) if is_of(run) else ():
        yield from _of_table(sheet)
    if has_rounds(run):
        yield from _of_rounds(run)


def drawn(run: Run) -> Drawn:
    """The figures show errors against rounds, and the chosen member of the sweep of eta."""
    if not (is_of(run) or is_of_figure4(run)):
        return Drawn()
    names = run.results["dataset"].unique()
    return Drawn(
        sweeps=frozenset((sweep.name, name) for sweep in sweeps(run.config) for name in names),
        rounds=True,
    )


def _of_table(sheet: Sheet) -> Iterator[Picture]:
    stages = with_choice(sheet.run)
    test = _curves(stages, "error_rate")
    test = test[test["database"].isin(DATABASES) & test["noise"].isin(LEVELS)]
    if len(test):
        yield _figure3(sheet, test)
    errors = _of_letters(sheet.run)
    if len(errors):
        yield _figure4(sheet.label, sheet.suffix, errors)


def _of_rounds(run: Run) -> Iterator[Picture]:
    """What every round did: Figure 4, unless it is drawn already, and the argument of Section 3."""
    errors = _of_letters(run)
    if len(errors) and is_of_figure4(run):
        yield _figure4(run.name, "", errors)
    yield argument(run)


def _of_letters(run: Run) -> pd.DataFrame:
    errors = _curves(training(run), "train_error_rate")
    return errors[errors["database"] == TYPICAL]


def _curves(stages: pd.DataFrame, rate: str) -> pd.DataFrame:
    """Errors in percent, means over the runs, one row per point; databases in the paper's order."""
    points = stages.groupby(["dataset", "code", "stage"])[rate].mean().mul(100)
    table = split(points.rename("error").reset_index())
    order = pd.Categorical(table["database"], list(NAMES))
    return table.assign(order=order.codes).sort_values(["order", "noise", "stage"], kind="stable")


def _figure3(sheet: Sheet, curves: pd.DataFrame) -> Picture:
    runs = sheet.run.results["repeat"].nunique()
    chosen = choices(sheet.run)
    steps = dict(zip(chosen.index, zip(chosen["eta"], chosen["stage"], strict=True), strict=True))
    title = f"{sheet.label}: test error against rounds (Figure 3 of {sheet.paper.paper})"
    caption = (
        f"After Figure 3 of {sheet.paper.paper}: test error in percent against the boosting round, "
        f"the mean over up to {runs} runs, for each database and noise level. SECC is shown with "
        "the eta* that cross-validation chose, and its T* is marked; with eta* = 1 its curve is "
        "that of ECC. The panels of a row share their scale."
    )
    levels = curves.assign(noise=curves["noise"].map("{:.0%}".format))
    names = {**TITLES, **NAMES}
    caption += hidden_curves(levels, ["database", "noise"], "code", "stage", names)
    return Picture(
        f"figure3{sheet.suffix}",
        title,
        caption,
        draw_test_errors(curves, steps, TITLES, NAMES, title),
    )


def _figure4(label: str, suffix: str, curves: pd.DataFrame) -> Picture:
    source = f"Figure 4 of {PAPER}"
    title = f"{label}: training error on {NAMES[TYPICAL]} against rounds ({source})"
    caption = (
        f"After {source}: training error in percent, on the noisy labels, against the boosting "
        "round, for each noise level."
    )
    levels = curves.assign(noise=curves["noise"].map("{:.0%}".format))
    caption += hidden_curves(levels, ["noise"], "code", "stage", TITLES)
    figure = draw_training_errors(curves, TITLES, title)
    return Picture(f"figure4{suffix}", title, caption, figure)
