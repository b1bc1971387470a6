"""Costs of mistakes: a CSV file or a tree of classes -> costs[r, q] of predicting q for true r.

Mohri et al., Section 9.1: "different misclassification weights to each pair of classes", and
classes "organized in a hierarchy".
"""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from ..errors import DataError, shown, unknown
from .table import read_bytes


def read_costs(path: Path, classes: Sequence[str]) -> np.ndarray:
    """The costs in a CSV: a header with the predicted classes, a line for each true class.

    The first cell of a line names its class; lines and columns may come in any order.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
        lines = [line for line in csv.reader(text.splitlines()) if any(map(str.strip, line))]
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read as a CSV in UTF-8: {error}.") from error
    if not lines:
        raise DataError(f"{path}: empty. Write a header with the classes, then a line for each.")
    head = [cell.strip() for cell in lines[0][1:]]
    _check_names(f"{path}: the header", head, classes)
    _check_names(f"{path}: the first column", [line[0].strip() for line in lines[1:]], classes)
    place = {name: i for i, name in enumerate(classes)}
    costs = np.empty((len(classes), len(classes)))
    for line in lines[1:]:
        name = line[0].strip()
        if len(line) != len(lines[0]):
            raise DataError(
                f"{path}: class '{name}': {len(line)} cells, the header has {len(lines[0])}. Write "
                "one number for each class."
            )
        for other, cell in zip(head, line[1:], strict=True):
            costs[place[name], place[other]] = _number(path, name, other, cell)
    return costs


def _number(path: Path, true: str, predicted: str, cell: str) -> float:
    where = f"{path}: the cost of predicting '{predicted}' for '{true}'"
    try:
        cost = float(cell)
    except ValueError:
        raise DataError(f"{where} must be a number. Got {shown(cell)} instead.") from None
    if not 0 <= cost < np.inf:
        raise DataError(f"{where} must be 0 or more, and finite. Got {shown(cell)} instead.")
    if true == predicted and cost:
        raise DataError(f"{where} must be 0: it is right. Got {shown(cell)} instead.")
    return cost


def _check_names(where: str, names: Sequence[str], classes: Sequence[str]) -> None:
    """Every class once, and nothing else."""
    for i, name in enumerate(names):
        if name not in classes:
            raise DataError(f"{where}: {unknown('class', name, classes)}")
        if name in names[:i]:
            raise DataError(f"{where}: class '{name}' is there twice. Keep one.")
    if missing := [name for name in classes if name not in names]:
        raise DataError(f"{where}: without class '{missing[0]}'. Add it: all classes are needed.")


def tree_costs(tree, classes: Sequence[str]) -> np.ndarray:
    """The number of edges between two classes in a tree.

    A list or a mapping is a node, anything else a class; the names of a mapping are for the reader.

    >>> tree_costs({"living": ["cat", "dog"], "thing": "car"}, ["car", "cat", "dog"]).tolist()
    [[0.0, 3.0, 3.0], [3.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    """
    leaves = list(_leaves(tree, ()))
    _check_names("the tree", [name for name, _ in leaves], classes)
    path = dict(leaves)
    return np.array([[_distance(path[r], path[q]) for q in classes] for r in classes], dtype=float)


def _leaves(node, path: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Each class and the way to it from the root, one number for each edge."""
    if not isinstance(node, dict | list | tuple):
        yield str(node), path
        return
    if not node:
        raise DataError("the tree has a node without classes. Remove it.")
    for i, child in enumerate(node.values() if isinstance(node, dict) else node):
        yield from _leaves(child, (*path, i))


def _distance(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    if a == b:
        return 0
    shared = next(i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)
    return len(a) + len(b) - 2 * shared
