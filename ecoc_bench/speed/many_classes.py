"""When do codes pay? Error, time, memory and size of codes and of peers as the classes grow.

Fits are made in a process apart, in one thread and within a limit. All contenders see the
same standardised rows, so that their mistakes are compared row by row.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from ..data.cards import load_classes
from ..data.clusters import clusters
from ..data.inputs import prepare
from ..errors import UserError, reason, unknown
from ..files import write_atomically
from ..results.formats import Style
from ..results.frontier import COLUMNS, paired, render
from ..results.rows import to_csv
from ..results.summary import wilson
from .contenders import BOOSTING, CONTENDERS
from .one_fit import Fit, Fits, Limits, Problem

TABLE = "many_classes"
SUFFIXES: dict[str, Style] = {".txt": "terminal", ".md": "markdown"}
SEED = 18
TEXT = ("data", "contender", "note")
MEASURED = len(COLUMNS[COLUMNS.index("models") : COLUMNS.index("note")])
GIVEN_UP = "not tried, after fewer classes"


class Source(NamedTuple):
    """Data for any number of classes among `classes`."""

    title: str
    classes: tuple[int, ...]
    problem: Callable[[int], Problem]


def run_many_classes(
    out: Path,
    data: Sequence[str],
    classes: Sequence[int],
    limits: Limits,
    say: Callable[[str], None],
) -> str:
    """Measure, add the rows to many_classes.csv in `out`, write the tables and return the text.

    Rows that the file has of the same data and classes are replaced. It is written after every fit,
    so that an interrupted table has what was done.
    """
    for name in data:
        if name not in SOURCES:
            raise UserError(unknown("data", name, SOURCES))
    path = out / f"{TABLE}.csv"
    table = _earlier(path) if path.is_file() else pd.DataFrame(columns=list(COLUMNS))
    process = Fits()
    for name in data or SOURCES:
        for k in SOURCES[name].classes:
            if classes and k not in classes:
                continue
            table = table[(table["data"] != name) | (table["classes"] != k)]
            given_up = set(
                table.query("data == @name and classes < @k and errors.isna()").contender
            )
            others = table.astype(object)
            for rows in measure(process, name, k, limits, given_up, say):
                found = pd.DataFrame(rows, columns=list(COLUMNS))
                table = pd.concat([others, found.astype(object)])
                write(out, table)
    process.close()
    return render(pd.read_csv(path), titles(), "terminal")


def _earlier(path: Path) -> pd.DataFrame:
    """The rows of earlier calls; another file of that name is refused before anything is fitted."""
    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: cannot be read: {reason(error)}. Choose another --out.") from None
    numbers = [name for name in COLUMNS if name not in TEXT]
    if list(table) != list(COLUMNS) or not all(is_numeric_dtype(table[name]) for name in numbers):
        raise UserError(f"{path}: not a table of `ecoc-bench frontier`. Choose another --out.")
    return table


def write(out: Path, table: pd.DataFrame) -> None:
    """The rows by data and classes, and the tables made of them."""
    place = {name: i for i, name in enumerate(SOURCES)}
    table = table.assign(place=table["data"].map(place)).sort_values(
        ["place", "classes"], kind="stable"
    )
    write_atomically(out / f"{TABLE}.csv", to_csv(COLUMNS, table.to_dict("records")))
    stored = pd.read_csv(out / f"{TABLE}.csv")
    for suffix, style in SUFFIXES.items():
        write_atomically(out / f"{TABLE}{suffix}", render(stored, titles(), style))


def titles() -> dict[str, str]:
    return {name: source.title for name, source in SOURCES.items()}


def measure(
    process: Fits,
    name: str,
    k: int,
    limits: Limits,
    given_up: set[str],
    say: Callable[[str], None],
) -> Iterator[list[dict[str, Any]]]:
    """A row for each contender so far that is installed, after every one of them."""
    problem = SOURCES[name].problem(k)
    head = (name, k, problem.X.shape[1], len(problem.y), len(problem.y_test))
    fits: dict[str, Fit | str] = {}  # a fit, or why there is none
    for who, contender in CONTENDERS.items():
        if not contender.is_here:
            say(f"{who} is left out: pip install {contender.needs}")
            continue
        fits[who] = GIVEN_UP if who in given_up else process.fit(who, problem, limits)
        say(f"{name}, {k} classes, {who}: {_told(fits[who])}")
        rows = _rows(fits)
        yield [dict(zip(COLUMNS, (*head, *row), strict=True)) for row in rows]


def _told(fit: Fit | str) -> str:
    return fit if isinstance(fit, str) else f"{fit.wrong.mean():.1%} in {fit.fit_seconds:.1f} s"


def _rows(fits: dict[str, Fit | str]) -> Iterator[tuple]:
    """What follows the head in COLUMNS: a comparison with the best and with the best boosting."""
    done = {who: fit for who, fit in fits.items() if not isinstance(fit, str)}
    best = min(done, key=lambda who: done[who].wrong.sum(), default=None)
    boosted = [who for who in BOOSTING if who in done]
    boosting = min(boosted, key=lambda who: done[who].wrong.sum(), default=None)
    for who, fit in fits.items():
        if isinstance(fit, str):
            yield (who, *[None] * MEASURED, fit)
            continue
        n, errors = len(fit.wrong), int(fit.wrong.sum())
        costs = (fit.models, *(f"{value:.4g}" for value in fit[1:5]))
        interval = (f"{100 * end:.2f}" for end in (errors / n, *wilson(errors / n, n)))
        against = (_difference(fit, done.get(other or "")) for other in (best, boosting))
        compared = (end for pair in against for end in pair)
        yield (who, *costs, errors, *interval, *compared, CONTENDERS[who].note)


def _difference(fit: Fit, other: Fit | None) -> tuple[str | None, ...]:
    if other is None:
        return None, None, None
    return tuple(f"{100 * end:.2f}" for end in paired(fit.wrong, other.wrong))


def _clusters(k: int, **params) -> Problem:
    X, y, train = clusters(np.random.default_rng([SEED, k]), k, **params)
    return _standardised(X, y, train)


def _one_centre(k: int) -> Problem:
    return _clusters(k, dimensions=50, centres=1, spread=1.3, per_class=12)


def _four_centres(k: int) -> Problem:
    return _clusters(k, dimensions=20, centres=4, spread=0.7, per_class=16)


def _card(name: str, k: int) -> Problem:
    """So many classes of a data set with a split, drawn from a seed; fewer are among more."""
    data = load_classes(name)
    assert data.train is not None
    chosen = np.random.default_rng(SEED).permutation(data.n_classes)[:k]
    of = np.full(data.n_classes, -1)
    of[np.sort(chosen)] = np.arange(k)
    kept = of[data.y] >= 0
    return _standardised(data.X[kept], of[data.y[kept]], data.train[kept])


def _standardised(X, y, train) -> Problem:
    nominal = np.zeros(X.shape[1], dtype=bool)
    X_train, X_test = prepare("standardize", nominal, X[train], X[~train])
    return Problem(X_train, y[train], X_test, y[~train])


GROWING = (10, 30, 100, 300, 1000)
SOURCES: dict[str, Source] = {
    "one centre": Source(
        "Clusters, one centre a class, 50 attributes, 12 rows a class", GROWING, _one_centre
    ),
    "four centres": Source(
        "Clusters, four centres a class, 20 attributes, 16 rows a class", GROWING, _four_centres
    ),
    "han": Source(
        "Han characters, 256 pixels, 11 rows a class, test fonts of other designs",
        (100, 300, 1000),
        lambda k: _card("han", k),
    ),
    "letter": Source("letter, 615 rows a class", (26,), lambda k: _card("letter", k)),
    "pendigits": Source("pendigits, 749 rows a class", (10,), lambda k: _card("pendigits", k)),
}
