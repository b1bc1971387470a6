"""Parameters that several estimators share, checked and brought into one form."""

from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np

RandomState = int | np.random.RandomState | None
Record = int | Sequence[int] | None  # the stages with results: every n-th, those of a list, or all


def check_int(name, value, least):
    """Raise ValueError unless the value is an integer of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} must be an integer of at least {least}. Got {value!r} instead.")


def check_positive(name, value, others=""):
    """Raise ValueError unless the value is a finite number above 0; `others` are allowed, too."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not 0 < float(value) < np.inf:
        raise ValueError(f"{name} must be a number above 0{others}. Got {value!r} instead.")


def stages(record, last: int, unit: str = "round") -> list[int]:
    """The stages that `record` asks for, and the last: a list, every n-th, or all if None.

    >>> stages([2, 5], 6), stages(2, 5), stages(None, 3)
    ([2, 5, 6], [2, 4, 5], [1, 2, 3])
    """
    check_int(f"the number of {unit}s", last, 1)
    if isinstance(record, Integral):
        check_int("record", record, 1)
        record = range(record, last + 1, record)
    chosen = range(1, last + 1) if record is None else record
    for stage in chosen:
        check_int(f"a {unit} of record", stage, 1)
        if stage > last:
            raise ValueError(f"record must hold {unit}s from 1 to {last}. Got {stage!r} instead.")
    return sorted({*chosen, last})


def nominal_mask(nominal, d: int) -> np.ndarray:
    """Which of d features are nominal; none if `nominal` is None."""
    mask = np.zeros(d, dtype=bool) if nominal is None else np.asarray(nominal, dtype=bool)
    if mask.shape != (d,):
        raise ValueError(
            f"nominal must be a mask over {d} features. Got shape {mask.shape} instead."
        )
    return mask


def seed_of(random_state):
    """A seed for numpy's Generator from scikit-learn's three kinds of random_state."""
    if isinstance(random_state, np.random.RandomState):
        return random_state.randint(2**31 - 1)
    return random_state
