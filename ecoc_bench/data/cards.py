"""Data sets: a YAML card describes a data set, a CSV holds it; the user's CSV needs no card."""

import hashlib
import os
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ..errors import DataError, unknown
from ..files import shipped
from .block import Roles
from .csvfile import Dataset, label_columns, to_dataset
from .label_sets import Labels
from .reading import read_table
from .sparse import is_sparse
from .suspects import suspects
from .svmlight import load_svmlight
from .table import Table, read_bytes

RARE_CLASSES = ("error", "keep", "drop")
MISSING_LABELS = ("error", "drop")
ALL = "*"  # in the place of the names of all attributes


@dataclass(frozen=True)
class Card:
    """What is known about a shipped data set; tests check its counts against the file."""

    name: str
    title: str
    home: str
    source: str
    licence: str
    citation: str
    rows: int
    attributes: int
    classes: int
    missing_cells: int
    kinds: str | dict[str, list[str]]  # numeric, nominal, or {numeric: [...]}, the others nominal
    papers: tuple[str, ...]
    format: str = "csv"  # or svmlight: the training rows first, the labels are numbers
    target: str = "class"
    labels: Labels | None = None  # where a row may have several; `classes` then counts the labels
    split: dict[str, int] | None = None  # rows of the original train and test parts
    missing: str = "missing"  # "value": an empty nominal cell is a separate value
    rare_classes: str = "error"
    sha256: str = ""  # of the uncompressed CSV
    sha256_test: str = ""  # of its test rows, if no more is known
    notes: str = ""
    stand_in: str | None = None
    sources: tuple[dict[str, str], ...] = ()  # each: raw file -> address; none if bundled

    @property
    def suffix(self) -> str:
        return {"csv": ".csv", "svmlight": ".svm"}[self.format]

    @property
    def is_counted(self) -> bool:
        """Whether no checksum is published."""
        return not (self.sha256 or self.sha256_test)

    def nominal(self, columns: Iterable[str]) -> list[str]:
        """The nominal ones among the attribute columns."""
        if isinstance(self.kinds, str):
            return list(columns) if self.kinds == "nominal" else []
        return [column for column in columns if column not in self.kinds["numeric"]]


def card_names() -> list[str]:
    return sorted(path.stem for path in shipped("datasets").glob("*.yaml"))


def read_card(name: str) -> Card:
    names = card_names()
    if name not in names:
        raise DataError(unknown("data set", name, names))
    text = (shipped("datasets") / f"{name}.yaml").read_text(encoding="utf-8")
    fields: dict[str, Any] = yaml.safe_load(text)
    for key in ("papers", "sources"):
        fields[key] = tuple(fields.get(key, ()))
    if "labels" in fields:
        given = fields["labels"]
        fields["labels"] = Labels(given.get("separator"), tuple(given.get("columns", ())))
    return Card(name=name, **fields)


def cache_dir() -> Path:
    """The folder of the fetched data sets."""
    from pooch import os_cache

    return Path(os_cache("ecoc-bench"))


def locate(card: Card) -> Path | None:
    """The file of a card: bundled, or in $ECOC_BENCH_DATA, or in the cache, in this order."""
    own = os.environ.get("ECOC_BENCH_DATA")
    if card.sources:
        folders = [Path(own).expanduser(), cache_dir()] if own else [cache_dir()]
    else:
        folders = [shipped("datasets")]
    ends = (f"{card.suffix}.gz", card.suffix)
    paths = (folder / f"{card.name}{end}" for folder in folders for end in ends)
    return next((path for path in paths if path.is_file()), None)


def load(name: str) -> Dataset:
    """A shipped data set, whose file must be here."""
    card = read_card(name)
    path = locate(card)
    if path is None:
        raise DataError(f"data set {name} is not here: {_how_to_get(card)}.")
    return _read(card, path)


def load_classes(name: str) -> Dataset:
    """A shipped data set whose rows have one label each."""
    if read_card(name).labels is not None:
        raise DataError(f"data set {name} has several labels in a row. Choose another.")
    return load(name)


def load_if_here(name: str) -> Dataset | None:
    """A shipped data set, or its smaller stand-in if its file is not here; None without both."""
    card = read_card(name)
    path = locate(card)
    if path is not None:
        return _read(card, path)
    other = None if card.stand_in is None else load_if_here(card.stand_in)
    if other is None:
        return None
    note = f"stand-in {card.stand_in}: {len(other.y)} of {card.rows} rows"
    return replace(other, name=name, note=note)


def _read(card: Card, path: Path) -> Dataset:
    raw = read_bytes(path)
    why = problem(card, raw)
    if why is not None:
        raise DataError(
            f"{path}: not the data set of the card: {why}. "
            f"Remove the file, then {_how_to_get(card)}."
        )
    if card.format == "svmlight":
        return _sparse(card, path)
    own = {*label_columns(card.target, card.labels), "split"}

    def roles(names: tuple[str, ...]) -> Roles:
        attributes = tuple(name for name in names if name not in own)
        return Roles(attributes, frozenset({*own, *card.nominal(attributes)}))

    table, sha256 = read_table(path, roles, raw=raw)
    return to_dataset(
        table,
        name=card.name,
        target=card.target,
        nominal=card.nominal(roles(table.names).attributes),
        split="split" if card.split else None,
        rare_classes=card.rare_classes,
        empty_is_value=card.missing == "value",
        sha256=sha256,
        labels=card.labels,
    )


def _sparse(card: Card, path: Path) -> Dataset:
    data = load_svmlight(path, name=card.name, rare_classes=card.rare_classes)
    train = None if card.split is None else np.arange(len(data.y)) < card.split["train"]
    return replace(data, train=train)


def _how_to_get(card: Card) -> str:
    if not card.sources:
        return "install ecoc-bench again"
    return f"run `ecoc-bench data fetch {card.name}`, or set ECOC_BENCH_DATA to a folder with it"


def load_csv(
    path: str | Path,
    *,
    name: str,
    target: str,
    nominal: Collection[str] = (),
    split: str | None = None,
    rare_classes: str = "error",
    drop: Collection[str] = (),
    missing_labels: str = "error",
    labels: Labels | None = None,
    sequence: str | None = None,
    dtype: str = "float64",
    read: Callable[..., tuple[Table, str]] = read_table,
) -> Dataset:
    """A user's CSV or CSV.GZ with a header, or what ``read`` reads; ``drop`` leaves columns out.

    Its remarks say how it was read, and which columns are suspect.
    Without ``nominal``, a column with more text than numbers becomes nominal; any other text is an
    error. A column called ``split`` is the train/test split unless ``split`` names another. Rows
    with the same cell in the column ``sequence`` are one sequence, in the order of the file.
    """
    path = Path(path).expanduser()
    for key, value, known in (
        ("rare_classes", rare_classes, RARE_CLASSES),
        ("missing_labels", missing_labels, MISSING_LABELS),
    ):
        if value not in known:
            raise DataError(f"{path}: {unknown(key, value, known)}")
    others = {*label_columns(target, labels), *drop, *([] if sequence is None else [sequence])}

    def roles(names: tuple[str, ...]) -> Roles:
        own = {*others, "split" if split is None else split}
        attributes = tuple(name for name in names if name not in own)
        text = {*own, *(attributes if list(nominal) == [ALL] else nominal)}
        return Roles(attributes, frozenset(text - {*drop}), frozenset(drop))

    table, sha256 = read(path, roles, nameless="" in drop, dtype=dtype)
    if split is None and "split" in set(table.names) - others:
        split = "split"
    if list(nominal) == [ALL]:
        nominal = roles(table.names).attributes
    data = to_dataset(
        table,
        name=name,
        target=target,
        nominal=nominal or None,
        split=split,
        rare_classes=rare_classes,
        empty_is_value=False,
        sha256=sha256,
        drop=drop,
        missing_labels=missing_labels,
        labels=labels,
        sequence=sequence,
        dtype=dtype,
    )
    return replace(data, remarks=(*data.remarks, *suspects(data)))


def without(data: Dataset, columns: Collection[str]) -> Dataset:
    """The data without these columns."""
    for name in columns:
        if name not in data.columns:
            raise DataError(unknown("column", name, data.columns))
    kept = [j for j, name in enumerate(data.columns) if name not in columns]
    if not kept:
        raise DataError("no attribute columns are left. Remove one from drop.")
    X = data.X[:, kept]
    return replace(
        data,
        X=X if is_sparse(X) else np.ascontiguousarray(X),
        columns=tuple(data.columns[j] for j in kept),
        categories=tuple(data.categories[j] for j in kept),
    )


def as_nominal(data: Dataset, columns: Collection[str]) -> Dataset:
    """The data with these numeric columns as nominal ones: their numbers are then only names."""
    if is_sparse(data.X):
        raise DataError(f"{data.name} is a sparse matrix of numbers. Remove nominal.")
    X, categories = data.X.copy(), list(data.categories)
    for name in columns:
        if name not in data.columns:
            raise DataError(unknown("column", name, data.columns))
        j = data.columns.index(name)
        if categories[j] is not None:
            continue
        known = ~np.isnan(X[:, j])
        values, X[known, j] = np.unique(X[known, j], return_inverse=True)
        categories[j] = tuple(f"{value:.17g}" for value in values)
    return replace(data, X=X, categories=tuple(categories))


def check_pca(data: Dataset, n: int) -> None:
    """Refuse principal components of what is nominal, incomplete or sparse, or too many of them."""
    if is_sparse(data.X):
        raise DataError("pca would make a sparse matrix dense. Remove it.")
    if data.nominal.any() or np.isnan(data.X).any():
        raise DataError("pca needs numeric attributes without missing values.")
    if n > data.X.shape[1]:
        raise DataError(f"pca is {n}, but there are only {data.X.shape[1]} attributes.")


def note_of(card: Card) -> Path:
    """Where the first fetch of a set without a published checksum notes the one that it found."""
    return cache_dir() / f"{card.name}.sha256"


def problem(card: Card, raw: bytes) -> str | None:
    """What is wrong with the uncompressed file of a card, or None."""
    found = hashlib.sha256(raw).hexdigest()
    if card.sha256:
        return None if found == card.sha256 else f"sha256 {found}, the card has {card.sha256}"
    counts = _sparse_counts(raw) if card.format == "svmlight" else _counts(raw)
    for what, count in counts.items():
        if count != getattr(card, what):
            return f"{count} {what}, the card has {getattr(card, what)}"
    return _changed(card, found) if card.is_counted else _wrong_test_rows(card, raw)


def _counts(raw: bytes) -> dict[str, int]:
    """Of a CSV: the rows, and what they have beside a column of the split."""
    header, *rows = raw.splitlines(keepends=True) or [b""]
    names = header.strip().split(b",")
    classes = {row.rsplit(b",", 1)[-1].strip() for row in rows}
    attributes = len(names) - 1 - (b"split" in names)
    return {"rows": len(rows), "attributes": attributes, "classes": len(classes)}


def _sparse_counts(raw: bytes) -> dict[str, int]:
    rows = [row.split() for row in raw.splitlines()]
    highest = max((int(row[-1].partition(b":")[0]) for row in rows if len(row) > 1), default=0)
    classes = {row[0] for row in rows if row}
    return {"rows": len(rows), "attributes": highest, "classes": len(classes)}


def _wrong_test_rows(card: Card, raw: bytes) -> str | None:
    rows = raw.splitlines(keepends=True)[1:]
    found = hashlib.sha256(b"".join(r for r in rows if r.startswith(b"test,"))).hexdigest()
    if found != card.sha256_test:
        return f"test rows of sha256 {found}, the card has {card.sha256_test}"
    return None


def _changed(card: Card, found: str) -> str | None:
    note = note_of(card)
    if not note.is_file() or (noted := note.read_text(errors="replace").strip()) == found:
        return None
    return f"sha256 {found}, the first fetch noted {noted}. If it may change, remove {note}"
