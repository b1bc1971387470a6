"""A further measure of a run in the place of its error: rows of measures.csv for tables and tests.

All numbers are per 100 test rows: percent, or the cost of 100 rows. A mean over the folds of a
repeat counts each fold by its test rows, as the error does; repeats and draws count equally. Folds
on which a measure is undefined are left out.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from ..coding.measures import Measure, named
from .catalogue import DECODED
from .significance import Quantity
from .summary import KEY, at_stage, summarize

KEPT = [*KEY, "value", "draws", "sd_draws", "min_draw", "max_draw", "n_test", "complete"]


class Measured(NamedTuple):
    """Rows like those of results.csv, of which errors / n_test is the value of a measure."""

    name: str
    measure: Measure
    rows: pd.DataFrame
    undefined: int  # cells without a value

    def losses(self) -> pd.DataFrame:
        """The rows for tests, where the lowest wins: 1 - value of a measure whose highest wins."""
        if self.measure.lowest_wins:
            return self.rows
        return self.rows.assign(errors=self.rows["n_test"] - self.rows["errors"])

    @property
    def lost(self) -> Quantity:
        """What the numbers in `losses` are."""
        heading = self.measure.heading
        if self.measure.lowest_wins:
            return Quantity(self.name, heading)
        return Quantity(f"100 - {self.name}", f"100 minus {heading[0].lower()}{heading[1:]}")

    def notes(self) -> list[str]:
        """Which value is best, and how many cells are left out of the means."""
        which = "lowest" if self.measure.lowest_wins else "highest"
        notes = [f"The {which} value is best."]
        if self.undefined:
            cells = f"{self.undefined} cell{'s' * (self.undefined > 1)}"
            notes.append(f"Undefined in {cells}, left out of the means.")
        return notes


def measured(shown: pd.DataFrame, values: pd.DataFrame, name: str) -> Measured:
    """A measure of the rows of a run, with its choices made, at the last stage of each learner."""
    key = [column for column in DECODED if column != "stage"]  # a choice has stage 0 in `shown`
    mine = values.loc[values["measure"] == name, [*key, "value"]]
    rows = at_stage(shown, None).merge(mine, on=key)
    undefined = rows["value"].isna()
    errors = (rows["value"] * rows["n_test"]).mask(undefined, 0.0)
    # Without test rows, a fold has no weight.
    rows = rows.assign(errors=errors, n_test=rows["n_test"].mask(undefined, 0))
    return Measured(name, named(name), rows.drop(columns="value"), int(undefined.sum()))


def summary_of(found: Measured) -> pd.DataFrame:
    """One row per data set, learner, code and decoder: the value per 100 test rows."""
    return summarize(found.rows).rename(columns={"error": "value"})[KEPT]


def as_errors(found: Measured) -> pd.DataFrame:
    """The summary with the columns of the table of errors; a measure has no interval."""
    return summarize(found.rows).assign(lo=np.nan, hi=np.nan)
