"""What Allwein, Schapire & Singer (2000) say about Tables 2 and 3, as functions over results.

Every threshold follows the claim's words and is in the docstring. It was set before any run was
judged and must not be fitted to one. Errors are in percent; codes are compared by loss-based
decoding, as in the paper's Figures 6 and 7. An entry is here a data set and a code.
"""

from itertools import permutations

import numpy as np
import pandas as pd

from ..evidence import Finding, NotEnough, by_code, by_decoder, graded, lower, p_value, sizes
from ..missing import Missing

VERY = 0.001  # p of "very significant"
USUAL = 0.05  # p of "statistically significant"
OTHERS = ["complete", "all_pairs", "dense", "sparse"]  # all codes but one-against-all


def often_better(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Lower than Hamming in over half of the entries; partly: more often lower than higher."""
    table = by_decoder(rows, missing, "hamming", "loss")
    better = lower(table["loss"], table["hamming"]).sum()
    worse = lower(table["hamming"], table["loss"]).sum()
    text = f"lower in {better} of {len(table)} entries, equal in {len(table) - better - worse}"
    return Finding(graded(better > len(table) / 2, better > worse), f"{text}, higher in {worse}")


def almost_always_better(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Of the entries that differ, loss-based is lower in at least 90%; partly: at least 75%."""
    table = by_decoder(rows, missing, "hamming", "loss")
    better = lower(table["loss"], table["hamming"]).sum()
    differ = better + lower(table["hamming"], table["loss"]).sum()
    text = f"lower in {better} of the {differ} entries that differ"
    return Finding(graded(better >= 0.9 * differ, better >= 0.75 * differ), text)


def sometimes_very_significant(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Loss-based is lower at p < 0.001 in two entries or more; partly: in one."""
    table = by_decoder(rows, missing, "hamming", "loss")
    table = table[lower(table["loss"], table["hamming"])]
    p = [p_value(*entry) for entry in table[["loss", "hamming", "n_test"]].to_numpy()]
    table = table[np.array(p) < VERY]
    text = f"lower at p < {VERY} in {len(table)} entries"
    if len(table):
        most = table.loc[[(table["hamming"] - table["loss"]).idxmax()]].reset_index().iloc[0]
        text += f", most in {most['dataset']} {most['code']}: "
        text += f"{most['loss']:.1f} against {most['hamming']:.1f}"
    return Finding(graded(len(table) >= 2, len(table) == 1), text)


def satimage_all_pairs(rows: pd.DataFrame, missing: Missing) -> Finding:
    """A drop of half of Table 3's 22.6 points, at p < 0.001; partly: a drop at p < 0.05."""
    loss, hamming, n = _entry(rows, "satimage", "all_pairs")
    p = p_value(loss, hamming, n)
    text = f"{loss:.1f} by loss-based decoding, {hamming:.1f} by Hamming, {_p(p)}"
    big = hamming - loss >= 22.6 / 2 and p < VERY
    return Finding(graded(big, loss < hamming and p < USUAL), text)


def gain_largest_for_ova_and_dense(rows: pd.DataFrame, missing: Missing) -> Finding:
    """These two codes have the two largest mean gains; partly: one of them has.

    Gains are in points over Hamming decoding, as in Figure 4. The sentence follows "Similar results
    are obtained for AdaBoost", so it is taken as a claim about AdaBoost.
    """
    table = by_decoder(rows, missing, "hamming", "loss")
    gains = (table["hamming"] - table["loss"]).groupby("code").mean()
    gains = gains.sort_values(ascending=False)
    top = {"ova", "dense"} & set(gains.index[:2])
    text = ", ".join(f"{code} {gain:.1f}" for code, gain in gains.items())
    return Finding(graded(len(top) == 2, len(top) == 1), f"mean gain in points: {text}")


def l1_not_as_good(rows: pd.DataFrame, missing: Missing) -> Finding:
    """L_1 is more often higher than lower, and higher on average; partly: one of the two."""
    table = by_decoder(rows, missing, "l1", "loss")
    higher = lower(table["loss"], table["l1"]).sum()
    less = lower(table["l1"], table["loss"]).sum()
    mean = (table["l1"] - table["loss"]).mean()
    text = (
        f"L_1 higher in {higher} of {len(table)} entries, lower in {less}; {mean:+.2f} on average"
    )
    return Finding(graded(higher > less and mean > 0, higher > less or mean > 0), text)


def ova_inferior(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Higher than each other code on over half of the data sets; partly: than at least two."""
    table = by_code(rows, missing)
    beaten, parts = 0, []
    for code in OTHERS:
        both = table[["ova", code]].dropna()
        higher = lower(both[code], both["ova"]).sum()
        beaten += higher > len(both) / 2
        parts.append(f"{code} on {higher} of {len(both)}")
    return Finding(
        graded(beaten == len(OTHERS), beaten >= 2), f"higher than {', '.join(parts)} data sets"
    )


def ova_often_much_higher(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Higher than another code at p < 0.05 in over half of the comparisons; partly: a quarter."""
    pairs = _against_ova(rows, missing)
    much = (lower(pairs["error"], pairs["ova"]) & (pairs["p"] < USUAL)).sum()
    text = f"higher at p < {USUAL} in {much} of {len(pairs)} comparisons with another code"
    return Finding(graded(much > len(pairs) / 2, much > len(pairs) / 4), text)


def ova_rarely_better(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Lower in at most a quarter of comparisons, and never at p < 0.05; partly: one of the two."""
    pairs = _against_ova(rows, missing)
    better = pairs[lower(pairs["ova"], pairs["error"])]
    significant = int((better["p"] < USUAL).sum())
    few = len(better) <= len(pairs) / 4
    text = f"lower in {len(better)} of {len(pairs)} comparisons, {significant} at p < {USUAL}"
    return Finding(graded(few and not significant, few or not significant), text)


def yeast_ova(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Above the worst other code by half of Table 3's 25.7 points; partly: above it at p < 0.05."""
    part = rows[(rows["decoder"] == "loss") & (rows["dataset"] == "yeast")]
    errors = part.set_index("code")["error"]
    if errors.isna().any():
        raise NotEnough("not all codes on yeast")
    ova, worst = float(errors["ova"]), float(errors[OTHERS].max())
    p = p_value(ova, worst, sizes(rows)["yeast"])
    text = f"{ova:.1f}, the others {errors[OTHERS].min():.1f} to {worst:.1f}"
    return Finding(graded(ova - worst >= 25.7 / 2, ova > worst and p < USUAL), text)


def no_clear_winner(rows: pd.DataFrame, missing: Missing) -> Finding:
    """No other code is the sole lowest on over half of the data sets; partly: none on over 3/4."""
    wins, n = _sole_wins(by_code(rows, missing)[OTHERS])
    most = wins.max()
    return Finding(graded(most <= n / 2, most <= 0.75 * n), _wins_text(wins, n))


def best_code_depends(rows: pd.DataFrame, missing: Missing) -> Finding:
    """At least three codes are the sole lowest on some data set; partly: two."""
    wins, n = _sole_wins(by_code(rows, missing))
    winners = (wins > 0).sum()
    return Finding(graded(winners >= 3, winners == 2), _wins_text(wins, n))


def none_persistently_better(rows: pd.DataFrame, missing: Missing) -> Finding:
    """No code is lower than another on 90% of the data sets; partly: none than all others."""
    table = by_code(rows, missing)
    rivals: dict[str, int] = {}
    parts = []
    for a, b in permutations(table.columns, 2):
        both = table[[a, b]].dropna()
        below = lower(both[a], both[b]).sum()
        if below >= 0.9 * len(both):
            rivals[a] = rivals.get(a, 0) + 1
            parts.append(f"{a} is below {b} on {below} of {len(both)}")
    text = "; ".join(parts) or f"none is below another on 90% of the {len(table)} data sets"
    over_all = max(rivals.values(), default=0) == len(table.columns) - 1
    return Finding(graded(not rivals, not over_all), text)


def ova_easy_to_beat(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Other codes are lower in over half of the comparisons with it; partly: in over a third."""
    pairs = _against_ova(rows, missing)
    beaten = lower(pairs["error"], pairs["ova"]).sum()
    text = f"another code is lower in {beaten} of {len(pairs)} comparisons"
    return Finding(graded(beaten > len(pairs) / 2, beaten > len(pairs) / 3), text)


def _entry(rows: pd.DataFrame, dataset: str, code: str) -> tuple[float, float, float]:
    """Loss-based error, Hamming error and the number of test examples of one entry."""
    part = rows[(rows["dataset"] == dataset) & (rows["code"] == code)].set_index("decoder")
    if part["error"].isna().any():
        raise NotEnough(f"no {dataset} with {code} by both decoders")
    loss, hamming = part["error"][["loss", "hamming"]]
    return float(loss), float(hamming), float(part["n_test"].max())


def _against_ova(rows: pd.DataFrame, missing: Missing) -> pd.DataFrame:
    """Each comparison of one-against-all with another code: both errors and their p."""
    table = by_code(rows, missing)
    pairs = table.melt("ova", OTHERS, "code", "error", ignore_index=False).dropna()
    n = sizes(rows)[pairs.index]
    p = [p_value(*pair) for pair in zip(pairs["ova"], pairs["error"], n, strict=True)]
    return pairs.assign(p=p)


def _sole_wins(table: pd.DataFrame) -> tuple[pd.Series, int]:
    """On how many data sets each code is the sole lowest, and the number of data sets."""
    lowest = table.sub(table.min(axis=1), axis=0) < 1e-9
    alone = lowest[lowest.sum(axis=1) == 1]
    return alone.sum().sort_values(ascending=False, kind="stable"), len(table)


def _wins_text(wins: pd.Series, n: int) -> str:
    parts = ", ".join(f"{code} {count}" for code, count in wins.items())
    return f"alone the lowest of {n} data sets: {parts}; shared: {n - wins.sum()}"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
