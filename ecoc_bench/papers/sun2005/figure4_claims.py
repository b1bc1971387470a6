"""What Sun, Todorovic, Li & Wu (2005) say about Figure 4, the convergence of the training error.

As in `table3_claims`, thresholds follow the claims' words. A training error converges faster if its
mean over the stages, the area under the curve in the figure, is lower. The figure shows Letters,
"typical of all five" databases, so claims are judged on Letters and on all five. An entry is here a
database at a noise level. With eta* = 1 SECC is ECC and has no rate of its own: such entries are
left out of its comparisons. Most of the area lies before round 20, so a run that recorded every
tenth round can support a claim, but not refute it.
"""

import pandas as pd

from ..evidence import Finding, NotEnough, graded, lower
from ..missing import Missing
from .experiment import ECC, LEVELS, METHODS, NAMES, OC, SECC, average, entry_title, means, paired


def ecc_fastest(rows: pd.DataFrame, missing: Missing) -> Finding:
    """ECC's error is below both others' on Letters at every noise level, and in 3/4 of all entries;
    partly: one of the two."""
    entries, shrunk = _areas(rows, missing)
    holds = lower(entries[ECC], entries[OC]) & (lower(entries[ECC], entries[SECC]) | ~shrunk)
    return _dense(rows, _typical(pd.Series(holds, entries.index), entries, "lowest"))


def secc_slowest(rows: pd.DataFrame, missing: Missing) -> Finding:
    """SECC's error is above both others' on Letters at every noise level and in 3/4 of all entries;
    partly: one of the two."""
    entries, shrunk = _areas(rows, missing)
    missing.note(map(entry_title, entries.index[~shrunk]), "left out, since eta* = 1")
    entries = entries[shrunk]
    if "letter" not in entries.index.get_level_values("database"):
        raise NotEnough(f"eta* = 1 on Letters at all {len(LEVELS)} noise levels")
    holds = lower(entries[[ECC, OC]].max(axis=1), entries[SECC])
    return _dense(rows, _typical(pd.Series(holds, entries.index), entries, "highest"))


def secc_slower_with_noise(rows: pd.DataFrame, missing: Missing) -> Finding:
    """SECC's excess over ECC's is larger at 20 and 30% than at 0%, on Letters and on average over
    the databases; partly: one of the two."""
    _areas(rows, Missing())  # only whether there is enough: OC is not compared
    wide = paired(rows, missing, (ECC, SECC), LEVELS, "train")
    levels = (wide[SECC] - wide[ECC]).unstack("noise")  # noqa: PD010
    excess = levels.dropna()
    gone = levels.index.difference(excess.index).get_level_values("database").unique()
    missing.note((NAMES[name] for name in gone), "runs without all noise levels left out")
    if "letter" not in excess.index.get_level_values("database"):
        raise NotEnough("no Letters with all noise levels")
    growth = excess[0] - excess[[0.2, 0.3]].mean(axis=1)
    letters = average(growth[growth.index.get_level_values("database") == "letter"])
    everywhere = average(growth)
    at = {noise: average(excess[noise]).mean for noise in LEVELS}
    text = "SECC minus ECC on average: " + ", ".join(f"{v:.1f} at {k:.0%}" for k, v in at.items())
    text += f"; from 0% to 20-30% it grows by {-letters.mean:.1f} on Letters"
    one, all_ = letters.is_below(), everywhere.is_below()
    return _dense(rows, Finding(graded(one and all_, one or all_), text))


def _dense(rows: pd.DataFrame, found: Finding) -> Finding:
    """The finding, unless it is against the claim and rounds are missing in it."""
    gap = int(rows["gap"].max())
    if found.verdict == "not reproduced" and gap > 1:
        raise NotEnough(
            f"of every {gap}th round only: {found.evidence}; a run with `rounds: true`, such as "
            "sun_rounds, has every round"
        )
    return found


def _areas(rows: pd.DataFrame, missing: Missing) -> tuple[pd.DataFrame, pd.Series]:
    """The mean training error of each entry and method, and whether SECC is not just ECC."""
    entries = means(paired(rows, missing, METHODS, LEVELS, "train"))
    found = entries.index.get_level_values("database").tolist().count("letter")
    if found < len(LEVELS):
        raise NotEnough(f"only {found} of the {len(LEVELS)} noise levels of Letters")
    shrunk = rows.groupby(["database", "noise"])["shrunk"].first()
    return entries, shrunk.reindex(entries.index)


def _typical(holds: pd.Series, entries: pd.DataFrame, word: str) -> Finding:
    letters = holds.index.get_level_values("database") == "letter"
    on_letters, often = holds[letters].all(), holds.mean() >= 0.75
    shown = entries.loc[letters, [ECC, OC, SECC]].droplevel("database").reset_index()
    values = ", ".join(
        f"{noise:.0%}: {ecc:.1f}, {oc:.1f}, {secc:.1f}"
        for noise, ecc, oc, secc in shown.itertuples(index=False)
    )
    text = (
        f"{word} in {holds.sum()} of {len(holds)} entries, on Letters in {holds[letters].sum()} of "
        f"{letters.sum()} (mean training error of ECC, OC, SECC at {values})"
    )
    return Finding(graded(bool(on_letters and often), bool(on_letters or often)), text)
