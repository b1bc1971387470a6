"""A file in the text format of svmlight and libsvm -> a Dataset whose X is a CSR matrix.

A line is a label and the attributes that are not zero, ``3 1:0.5 17:2``; what follows a ``#`` is a
comment. Attributes are counted from 1, or from 0 if the file has one of number 0. Not handled:
ranking queries (``qid``), several labels in a line.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..errors import DataError
from .csvfile import Dataset
from .stream import checksum, opened

NUMBER = rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?"
LINE = re.compile(rb"\s*(%b(\s+\d+:%b)*)?\s*(#.*\s*)?" % (NUMBER, NUMBER))


def load_svmlight(
    path: Path, *, name: str, rare_classes: str = "error", dtype: str = "float64"
) -> Dataset:
    """The data of a file, plain or gzipped; labels are numbers, classes in their order."""
    from sklearn.datasets import load_svmlight_file

    sha256 = checksum(path)
    try:
        with opened(path) as stream:
            X, labels = load_svmlight_file(stream, dtype=np.dtype(dtype), zero_based="auto")
    except (ValueError, OverflowError) as error:
        raise next(_mistakes(path), DataError(f"{path}: {error}. Fix the file.")) from None
    if not X.shape[0] or not X.shape[1]:
        raise DataError(f"{path}: no rows with attributes. Give a line for each example.")
    X.sort_indices()
    if not np.isfinite(X.data).all() or not np.isfinite(labels).all():
        raise next(
            _mistakes(path), DataError(f"{path}: a number is too large for {dtype}. Fix it.")
        )
    values, y, counts = np.unique(labels, return_inverse=True, return_counts=True)
    kept = _kept(path, values, counts, rare_classes)
    rows = kept[y]
    if not rows.all():
        X, y = X[rows], (np.cumsum(kept) - 1)[y[rows]]
    return Dataset(
        name=name,
        X=X,
        y=y.astype(np.int64),
        classes=tuple(f"{value:g}" for value in values[kept].tolist()),
        columns=tuple(f"x{j + 1}" for j in range(X.shape[1])),
        categories=(None,) * X.shape[1],
        train=None,
        sha256=sha256,
        remarks=(f"sparse: {100 * X.nnz / X.shape[0] / X.shape[1]:.2g}% of its values are not 0",),
    )


def _mistakes(path: Path) -> Iterator[DataError]:
    """The lines that are not of this format."""
    with opened(path) as stream:
        for number, line in enumerate(stream, 1):
            found = LINE.fullmatch(line)
            indices = [int(i) for i in re.findall(rb"\s(\d+):", line.partition(b"#")[0])]
            if not found or indices != sorted(set(indices)):
                shown = line[:40].decode(errors="replace").strip()
                yield DataError(
                    f"{path}: line {number}: '{shown}' is not a label and index:value pairs of "
                    "rising index. Fix the line."
                )


def _kept(path: Path, values: np.ndarray, counts: np.ndarray, rare_classes: str) -> np.ndarray:
    """Which classes have the two rows that are needed, or are kept with fewer."""
    kept = counts >= 2
    if rare_classes == "error" and not kept.all():
        first = int(np.argmin(kept))
        raise DataError(
            f"{path}: class '{values[first]:g}' has {counts[first]} rows, at least 2 are needed. "
            "Merge it with another class, or set rare_classes to keep or drop."
        )
    kept = kept | (rare_classes == "keep")
    if kept.sum() < 2:
        raise DataError(f"{path}: {kept.sum()} classes to learn, at least 2 are needed.")
    return kept
