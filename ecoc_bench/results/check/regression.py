"""A run against a reference: which entries are worse beyond the noise, which cannot be compared.

An entry is a data set x learner x code x stage x decoder, pooled over folds, repeats and draws.
`alpha` bounds the chance of any false alarm if no entry has become worse, however many there are:
Holm's procedure over the entries, one-sided. Not handled: if many entries become a little worse,
none of them beyond its own noise, this is only drift.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from .read import Key, Row, Rows, Side, read_side, unpack
from .tests import holm, over_draws, over_repeats, sign_test, two_proportions

Verdict = Literal["regression", "improvement", "drift", "identical", "unjudged"]
Test = Literal["paired", "proportions", "draws", "none"]


@dataclass(frozen=True)
class Compared:
    """An entry of both sides: errors in percent, and the one-sided p of "ours is no worse"."""

    key: Key
    ours: float
    reference: float
    p: float
    test: Test
    verdict: Verdict

    @property
    def difference(self) -> float:
        return self.ours - self.reference


@dataclass(frozen=True)
class Absent:
    """An entry of the reference that is missing from the run, or there but not comparable."""

    key: Key
    missing: bool
    why: str


@dataclass(frozen=True)
class Report:
    """Everything that a check found; the exit code of the command follows from it."""

    alpha: float
    entries: tuple[Compared, ...]
    absent: tuple[Absent, ...]
    added: tuple[Key, ...]  # only in the run
    notes: tuple[str, ...]

    def of(self, verdict: Verdict) -> list[Compared]:
        """The entries of that verdict, the lowest p first."""
        return sorted((c for c in self.entries if c.verdict == verdict), key=lambda c: c.p)

    def exit_code(self, allow_missing: bool = False) -> int:
        """0 no regression, 3 a regression or an entry that cannot be compared, 4 nothing judged."""
        if len(self.of("unjudged")) == len(self.entries):
            return 4
        return 3 if self.of("regression") or (self.absent and not allow_missing) else 0


def check(run: Path, reference: Path, alpha: float = 0.01) -> Report:
    """Compare a run with a reference, each a run's folder or a CSV of results."""
    ours, theirs = read_side(run), read_side(reference)
    reasons = {key: _incomparable(key, ours, theirs) for key in theirs.entries}
    absent = [Absent(key, key not in ours.entries, why) for key, why in reasons.items() if why]
    pairs = [_pair(key, ours, theirs) for key, why in reasons.items() if not why]
    return Report(
        alpha,
        entries=tuple(_judge(pairs, alpha)),
        absent=tuple(absent),
        added=tuple(key for key in ours.entries if key not in theirs.entries),
        notes=tuple(_settings_that_differ(ours, theirs)),
    )


def _incomparable(key: Key, ours: Side, theirs: Side) -> str:
    """Why an entry of the reference cannot be compared with the run; empty if it can."""
    if key not in ours.entries:
        unfetched = key.dataset in ours.facts.get("absent", ())
        card = (ours.setting("datasets") or {}).get(key.dataset, {}).get("of") or key.dataset
        return f"`ecoc-bench data fetch {card}` gets it" if unfetched else "not in the run"
    have, want = ours.checksum(key.dataset), theirs.checksum(key.dataset)
    if have and want and have != want:
        return f"other data: sha256 {have[:8]}…, the reference has {want[:8]}…"
    for what, count in {"classes": _n_classes, "test examples": _n_test}.items():
        found, due = count(ours.entries[key]), count(theirs.entries[key])
        if found != due or len(due) > 1:
            numbers = [" or ".join(map(str, sorted(side))) for side in (found, due)]
            return f"{numbers[0]} {what}, the reference has {numbers[1]}"
    return ""


def _n_classes(rows: Rows) -> set[int]:
    return {row.n_classes for row in rows.values()}


def _n_test(rows: Rows) -> set[int]:
    """Test examples of the draws and repeats: one number, unless a fold is missing."""
    sums: dict[tuple[int, int], int] = defaultdict(int)
    for (draw, repeat, _), row in rows.items():
        sums[draw, repeat] += row.n_test
    return set(sums.values())


@dataclass(frozen=True)
class Pair:
    """The rows of an entry on both sides."""

    key: Key
    ours: Rows
    reference: Rows
    fixed: bool  # the code does not depend on the seed
    same_codes: bool

    @property
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


def _pair(key: Key, ours: Side, theirs: Side) -> Pair:
    fixed = ours.is_fixed(key.code) and theirs.is_fixed(key.code)
    draws = {draw for draw, _, _ in ours.entries[key]}
    drawn, due = (
        [side.fingerprint(key.dataset, key.code, draw) for draw in draws] for side in (ours, theirs)
    )
    same_codes = fixed or (None not in drawn and drawn == due)
    return Pair(key, ours.entries[key], theirs.entries[key], fixed, same_codes)


def _judge(pairs: list[Pair], alpha: float) -> Iterator[Compared]:
    """Test whether each entry is worse or better; Holm's procedure decides over all entries."""
    tested = [_test(pair) for pair in pairs]
    worse = holm([p for _, p, _ in tested], alpha)
    better = holm([p for _, _, p in tested], alpha)
    for pair, (test, p, _), down, up in zip(pairs, tested, worse, better, strict=True):
        verdict: Verdict = "regression" if down else "improvement" if up else "drift"
        if pair.identical:
            verdict = "identical"
        elif test == "none":
            verdict = "unjudged"
        ours, reference = (float(100 * np.mean(_rates(r))) for r in (pair.ours, pair.reference))
        yield Compared(pair.key, ours, reference, p, test, verdict)


def _test(pair: Pair) -> tuple[Test, float, float]:
    """The test that suits what is known of an entry, its p of "no worse", its p of "no better"."""
    if pair.same_codes and pair.same_examples:
        changes = _changes(pair)
        p, p_better = (over_repeats([sign_test(s * c) for c in changes]) for s in (1, -1))
        return "paired", p, p_better
    (n,) = _n_test(pair.reference)
    ours, reference = _rates(pair.ours), _rates(pair.reference)
    if pair.fixed:
        p, p_better = (
            two_proportions(a[0], b[0], n) for a, b in [(ours, reference), (reference, ours)]
        )
        return "proportions", p, p_better
    if len(ours) == len(reference) == 1:
        return "none", 1.0, 1.0
    return "draws", over_draws(ours, reference, n), over_draws(reference, ours, n)


def _rates(rows: Rows) -> list[float]:
    """The error rate of each draw: pooled over folds and repeats, which test the same examples."""
    errors: dict[int, int] = defaultdict(int)
    n_test: dict[int, int] = defaultdict(int)
    for (draw, _, _), row in rows.items():
        errors[draw] += row.errors
        n_test[draw] += row.n_test
    return [errors[draw] / n_test[draw] for draw in errors]


def _changes(pair: Pair) -> list[np.ndarray]:
    """Per repeat and test example: our mistakes minus the reference's, summed over draws."""
    sums: dict[int, dict[int, np.ndarray]] = defaultdict(dict)
    for place, row in pair.ours.items():
        _, repeat, fold = place
        change = _bits(row) - _bits(pair.reference[place])
        sums[repeat][fold] = sums[repeat].get(fold, 0) + change
    return [np.concatenate(list(folds.values())) for folds in sums.values()]


def _bits(row: Row) -> np.ndarray:
    return unpack(str(row.mistakes), row.n_test)


def _settings_that_differ(ours: Side, theirs: Side) -> Iterator[str]:
    """The settings that differ between the two configs under the same name."""
    if not (ours.facts and theirs.facts):
        yield "no manifest on both sides: data, codes and settings were not compared."
        return
    for part in ("seed", "evaluation", "parts"):
        mine, other = ours.setting(part), theirs.setting(part)
        if mine != other:
            yield f"{part}: {mine}, in the reference {other}."
    for part in ("datasets", "learners", "codes", "decoders", "methods", "select"):
        mine, other = ours.setting(part) or {}, theirs.setting(part) or {}
        for name in [n for n in mine if n in other and _given(mine[n]) != _given(other[n])]:
            yield f"{part}.{name}: other settings than in the reference."


def _given(spec: dict) -> dict:
    """The settings that have a value: a newer version may know more keys."""
    return {name: value for name, value in spec.items() if value is not None}
