"""Gaussian clusters, as many classes as wanted: a line parts one class from the rest, or none does.

A class has one centre, and one-vs-all with linear learners is good, or several centres, and it is
not: then a class lies in several places between the others.
"""

import numpy as np

from ..errors import ConfigError


def clusters(
    rng: np.random.Generator,
    classes: int,
    dimensions: int = 50,
    centres: int = 1,
    spread: float = 1.3,
    per_class: int = 20,
    test_rows: int = 4000,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Standard normal centres, of each class as many, and rows around them; (X, y, train).

    `spread` is the standard deviation around a centre, on each axis. Training rows are dealt out to
    the centres of a class in turn, test rows to the classes and then to their centres.
    """
    _check(2, classes=classes)
    _check(1, dimensions=dimensions, centres=centres, test_rows=test_rows)
    _check(max(2, centres), per_class=per_class)
    if isinstance(spread, bool) or not isinstance(spread, int | float) or spread <= 0:
        raise ConfigError(f"spread must be a positive number. Got {spread!r} instead.")
    middles = rng.standard_normal((classes, centres, dimensions))
    rows = np.concatenate([np.arange(classes * per_class), np.arange(test_rows)])
    y = rows % classes
    centre = rows // classes % centres
    X = middles[y, centre] + spread * rng.standard_normal((len(rows), dimensions))
    return X, y, np.arange(len(rows)) < classes * per_class


clusters.identity = "ecoc_bench.data.clusters:clusters"  # type: ignore[attr-defined]


def _check(least: int, **counts) -> None:
    for name, value in counts.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ConfigError(
                f"{name} must be a whole number, {least} or more. Got {value!r} instead."
            )
