"""An entry on both sides of a check: its rows, and what may differ between two honest runs."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .read import Key, Row, Rows, Side, unpack

# Learners whose fits depend on their data alone; any other may draw random numbers.
STEADY = (
    "adaboost", "svm", "gaussian_svm", "logistic", "least_squares", "c45", "lightgbm", "xgboost",
)  # fmt: skip


@dataclass(frozen=True)
class Pair:
    """The rows of an entry on both sides."""

    key: Key
    ours: Rows
    reference: Rows
    fixed: bool  # the code does not depend on the seed
    steady: bool  # nor does the fit, given the split
    same_settings: bool  # seed, evaluation, data set, learner, code and method

    @cached_property
    def same_examples(self) -> bool:
        ours, reference = (
            {place: row.examples for place, row in side.items()}
            for side in (self.ours, self.reference)
        )
        return None not in ours.values() and ours == reference

    @property
    def identical(self) -> bool:
        """The same mistakes or, if one side did not record them, the same numbers of mistakes."""
        if self.ours.keys() != self.reference.keys():
            return False
        pairs = [(self.ours[place], self.reference[place]) for place in self.ours]
        noted = all(a.mistakes and b.mistakes for a, b in pairs)
        return all(a == b if noted else a[:3] == b[:3] for a, b in pairs)

    @cached_property
    def n_test(self) -> int:
        """Test examples of a draw and repeat; both sides have the same number."""
        return max(tested(self.reference))

    @cached_property
    def errors(self) -> tuple[float, float]:
        """Both error rates: means over draws."""
        ours, reference = (rates(side) for side in (self.ours, self.reference))
        return sum(ours) / len(ours), sum(reference) / len(reference)


def pair_up(key: Key, ours: Side, theirs: Side) -> Pair:
    fixed = ours.is_fixed(key.code) and theirs.is_fixed(key.code)
    steady = fixed and all(_is_steady(key, side) for side in (ours, theirs))
    draws = {draw for draw, _, _ in ours.entries[key]}
    drawn, due = (
        [side.fingerprint(key.dataset, key.code, draw) for draw in draws] for side in (ours, theirs)
    )
    same_codes = fixed or drawn == due
    same = same_codes and bool(ours.facts) and ours.settings(key) == theirs.settings(key)
    return Pair(key, ours.entries[key], theirs.entries[key], fixed, steady, same)


def _is_steady(key: Key, side: Side) -> bool:
    """Whether only the split depends on the seed; a learner that is not in the config may be ours
    by its name."""
    learner = (side.setting("learners") or {}).get(key.learner, {"type": key.learner})
    dataset = (side.setting("datasets") or {}).get(key.dataset, {})
    drawn = dataset.get("noise") or dataset.get("parts") or side.setting("parts")
    return learner["type"] in STEADY and not drawn


def tested(rows: Rows) -> set[int]:
    """Test examples of the draws and repeats: one number, unless a fold is missing."""
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for (draw, repeat, _), row in rows.items():
        sums[draw, repeat] += row.n_test
    return set(sums.values())


def rates(rows: Rows, axis: int = 0) -> list[float]:
    """The error rate of each draw, pooled over folds and repeats; axis 1: of each repeat."""
    errors: dict[int, int] = defaultdict(int)
    n_test: dict[int, int] = defaultdict(int)
    for place, row in rows.items():
        errors[place[axis]] += row.errors
        n_test[place[axis]] += row.n_test
    return [errors[i] / n_test[i] for i in errors]


def changes(pair: Pair) -> list[np.ndarray]:
    """Per repeat and test example: our mistakes minus the reference's, summed over draws."""
    sums: dict[int, dict[int, np.ndarray]] = defaultdict(dict)
    for place, row in pair.ours.items():
        _, repeat, fold = place
        change = _bits(row) - _bits(pair.reference[place])
        sums[repeat][fold] = sums[repeat].get(fold, 0) + change
    return [np.concatenate(list(folds.values())) for folds in sums.values()]


def _bits(row: Row) -> np.ndarray:
    return unpack(str(row.mistakes), row.n_test)
