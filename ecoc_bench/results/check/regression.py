"""A run against a reference: which entries are worse beyond the noise, which cannot be compared.

An entry is a data set x learner x code x stage x decoder, pooled over folds, repeats and draws.
`alpha` bounds the chance of any false alarm if no entry has become worse, however many there are:
Holm's procedure over the entries, one-sided; of paired predictions, how many changed decides how
much of alpha an entry gets. Not handled: if many entries become a little worse, none of them beyond
its own noise, this is only drift.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from .noise import Spreads, single
from .pairs import Pair, changes, pair_up, tested
from .read import Key, Rows, Side, given, read_side
from .tests import holm, over_repeats, refitted, shares, sign_test, two_proportions

Verdict = Literal["regression", "improvement", "drift", "identical"]
Test = Literal["paired", "proportions", "spread", "assumed"]


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
        """0 no regression, 3 a regression or something not comparable, 4 nothing compared."""
        if not self.entries:
            return 4
        return 3 if self.of("regression") or (self.absent and not allow_missing) else 0


def check(run: Path, reference: Path, alpha: float = 0.01) -> Report:
    """Compare a run with a reference, each a run's folder or a CSV of results."""
    return compare(read_side(run), read_side(reference), alpha)


def compare(ours: Side, theirs: Side, alpha: float) -> Report:
    """Every entry of the reference, compared with the run's."""
    reasons = {key: _incomparable(key, ours, theirs) for key in theirs.entries}
    absent = [Absent(key, key not in ours.entries, why) for key, why in reasons.items() if why]
    pairs = [pair_up(key, ours, theirs) for key, why in reasons.items() if not why]
    return Report(
        alpha,
        entries=tuple(judge(pairs, alpha)),
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
    for what, count in {"classes": _n_classes, "test examples": tested}.items():
        found, due = count(ours.entries[key]), count(theirs.entries[key])
        if found != due or len(due) > 1:
            numbers = [" or ".join(map(str, sorted(side))) for side in (found, due)]
            return f"{numbers[0]} {what}, the reference has {numbers[1]}"
    return ""


def _n_classes(rows: Rows) -> set[int]:
    return {row.n_classes for row in rows.values()}


class Tested(NamedTuple):
    """An entry by itself: its p of "no worse" and of "no better"."""

    test: Test
    p: float
    p_better: float
    changed: float = np.nan  # the share of predictions that changed, if they are paired
    least: float = 0.0  # the lowest p that so many changes can have


def judge(pairs: Sequence[Pair], alpha: float) -> Iterator[Compared]:
    """Test whether each entry is worse or better; Holm's procedure decides over all entries."""
    spreads = Spreads(pairs)
    found = [_test(pair, spreads) for pair in pairs]
    weights = shares(
        np.array([entry.changed for entry in found]),
        np.array([entry.least <= alpha for entry in found], dtype=bool),
    )
    worse = holm([entry.p for entry in found], alpha, weights)
    better = holm([entry.p_better for entry in found], alpha, weights)
    for pair, entry, down, up in zip(pairs, found, worse, better, strict=True):
        verdict: Verdict = "regression" if down else "improvement" if up else "drift"
        if pair.identical:
            verdict = "identical"
        ours, reference = (100 * rate for rate in pair.errors)
        yield Compared(pair.key, ours, reference, entry.p, entry.test, verdict)


def _test(pair: Pair, spreads: Spreads) -> Tested:
    """The test that suits what is known of an entry."""
    if pair.same_settings and pair.same_examples:
        return _paired(changes(pair))
    ours, reference = pair.errors
    if pair.same_settings or pair.steady:
        sides = [(ours, reference), (reference, ours)]
        p, p_better = (two_proportions(*rates, pair.n_test) for rates in sides)
        if not pair.same_settings:  # another split moves all examples together, a little
            noise = single(pair)
            p = max(p, refitted(ours - reference, *noise))
            p_better = max(p_better, refitted(reference - ours, *noise))
        return Tested("proportions", p, p_better)
    noise = spreads.noise(pair)
    p, p_better = (refitted(s * (ours - reference), *noise) for s in (1, -1))
    return Tested("spread" if np.isfinite(noise.freedom) else "assumed", p, p_better)


def _paired(found: list[np.ndarray]) -> Tested:
    """Sign tests of the changes of each repeat; `least` if all of them were for worse."""
    p, p_better, least = (
        over_repeats([sign_test(change) for change in signed])
        for signed in (found, [-change for change in found], [abs(change) for change in found])
    )
    changed = float(np.mean([np.mean(change != 0) for change in found]))
    return Tested("paired", p, p_better, changed, least)


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
        for name in [n for n in mine if n in other and given(mine[n]) != given(other[n])]:
            yield f"{part}.{name}: other settings than in the reference."
