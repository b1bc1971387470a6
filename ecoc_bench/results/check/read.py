"""One side of a check: the rows of a run, the examples it got wrong, and its manifest."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from ...coding.codes import CODES
from ...errors import UserError
from ..rows import read_rows

KEY = ["dataset", "learner", "code", "stage", "decoder"]
PLACE = ["draw", "repeat", "fold"]


class Key(NamedTuple):
    """An entry of a check: its rows over draws, repeats and folds are compared together."""

    dataset: str
    learner: str
    code: str
    stage: int
    decoder: str


class Row(NamedTuple):
    """An entry on one fold; which examples were tested and mistaken, if this is known."""

    n_classes: int
    n_test: int
    errors: int
    examples: str | None
    mistakes: str | None


Rows = dict[tuple[int, int, int], Row]  # by draw, repeat and fold


@dataclass(frozen=True, eq=False)
class Side:
    """The rows of every entry, in the order of the file."""

    entries: dict[Key, Rows]
    facts: dict  # the manifest; empty if there is none

    def checksum(self, dataset: str) -> str | None:
        return self.facts.get("data", {}).get(dataset, {}).get("sha256")

    def fingerprint(self, dataset: str, code: str, draw: int) -> str | None:
        """The digest of a coding matrix; None if the run did not record it."""
        return self.facts.get("codes", {}).get(f"{dataset}.{code}.{draw}")

    def setting(self, part: str):
        """The value of a key of the config, as {name: spec} if its members have names."""
        value = self.facts.get("config", {}).get(part)
        return {spec["name"]: spec for spec in value} if isinstance(value, list) else value

    def is_fixed(self, code: str) -> bool:
        """Whether a code is the same for every seed; an unknown name may be a random code."""
        spec = (self.setting("codes") or {}).get(code, {"family": code})
        family = CODES.get(str(spec["family"]))
        return bool(spec.get("matrix")) or (family is not None and not family.random)


def read_side(path: Path) -> Side:
    """A run's folder, or a CSV of results; the files next to a results.csv are read, too."""
    file = path / "results.csv" if path.is_dir() else path
    rows = _read_csv(file, [*KEY, *PLACE, "n_classes", "n_test", "errors"])
    again = rows.duplicated([*KEY, *PLACE])
    if again.any():
        line = int(np.flatnonzero(again)[0]) + 2
        raise UserError(f"{file}: line {line}: this entry has a row already. Run its config again.")
    if file.name != "results.csv":
        return Side(_entries(rows.assign(examples=None, mistakes=None)), {})
    rows = _with_mistakes(rows, file.with_name("mistakes.csv"))
    return Side(_entries(rows), _read_manifest(file.with_name("manifest.json")))


def _entries(rows: pd.DataFrame) -> dict[Key, Rows]:
    entries: dict[Key, Rows] = {}
    lists = [rows[name].tolist() for name in [*KEY, *PLACE, *Row._fields]]
    for values in zip(*lists, strict=True):
        entries.setdefault(Key(*values[:5]), {})[values[5:8]] = Row(*values[8:])
    return entries


def _read_csv(file: Path, columns: list[str]) -> pd.DataFrame:
    """These columns of a CSV, without missing values."""
    try:
        rows = read_rows(file)
    except (OSError, ValueError) as error:
        raise UserError(
            f"{file}: cannot be read: {error}. Name a run's folder or its results.csv."
        ) from error
    absent = [name for name in columns if name not in rows]
    if absent:
        raise UserError(f"{file}: no column '{absent[0]}'. Name a run's folder or its results.csv.")
    empty = rows[columns].isna().any(axis=1) | (rows[columns] == "").any(axis=1)
    if empty.any():
        line = int(np.flatnonzero(empty)[0]) + 2
        raise UserError(f"{file}: line {line}: a value is missing. Run its config again.")
    return rows[columns]


def _with_mistakes(rows: pd.DataFrame, file: Path) -> pd.DataFrame:
    """The rows with their test examples and mistakes, which must add up to their errors."""
    if not file.exists():
        return rows.assign(examples=None, mistakes=None)
    wrong = _read_csv(file, [*KEY, *PLACE, "examples", "mistakes"])
    joined = rows.merge(wrong, how="left", on=[*KEY, *PLACE])
    known = joined[joined["mistakes"].notna()]
    for text, n, errors in zip(known["mistakes"], known["n_test"], known["errors"], strict=True):
        if unpack(text, n).sum() != errors:
            raise UserError(
                f"{file}: not the mistakes of the results.csv next to it. Run its config again."
            )
    return joined.astype({"examples": object, "mistakes": object}).where(joined.notna(), None)


def unpack(mistakes: str, n: int) -> np.ndarray:
    """The hex of packed bits -> for each of n examples, 1 if it is mistaken.

    >>> unpack("50", 4)
    array([0, 1, 0, 1])
    """
    packed = np.frombuffer(bytes.fromhex(mistakes), dtype=np.uint8)
    return np.unpackbits(packed, count=n).astype(int)


def _read_manifest(file: Path) -> dict:
    try:
        return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except (OSError, ValueError) as error:
        raise UserError(f"{file}: cannot be read: {error}. Run its config again.") from error
