"""What Passerini, Pontil & Frasconi (2004) say about Figures 2 and 3, the decoding functions.

Thresholds follow the claims' words. The paper prints curves and no numbers, so its numbers cannot
be judged next to ours. A point is a data set, a code and a gamma. Means are over whole curves, so
every data set and every gamma has the same weight. There are five data sets in a figure: counts of
them say more than any test would.
"""

import pandas as pd

from ..evidence import Finding, graded, lower, p_value, sizes
from ..missing import Missing
from .experiment import (
    CODES,
    DECODERS,
    HAMMING,
    LIKELIHOOD,
    LINEAR,
    NAMES,
    OTHERS,
    OVA,
    PAIRS,
    whole_curves,
)

CLOSE = 1.0  # points of error


def likelihood_better(rows: pd.DataFrame, missing: Missing) -> Finding:
    """With every code no other decoder is below likelihood at over half of the points, and its mean
    error is the lowest; partly: one of the two."""
    wide = whole_curves(rows, missing, tuple(DECODERS))
    good = pd.Series(~lower(wide[list(OTHERS)].min(axis=1), wide[LIKELIHOOD]), wide.index)
    share = good.groupby("code", sort=False).mean()
    means = wide.groupby("code", sort=False).mean()
    lowest = lower(means[LIKELIHOOD], means[list(OTHERS)].min(axis=1)).all()
    sets = wide.groupby("dataset", sort=False).mean()
    ahead = lower(sets[LIKELIHOOD], sets[list(OTHERS)].min(axis=1)).sum()
    text = (
        f"no other is lower at {_by_code(100 * share, '%')} of the points; lowest mean error on "
        f"{ahead} of {len(sets)} data sets; means {_by_decoder(means.mean())}"
    )
    often = (share > 0.5).all()
    return Finding(graded(bool(often and lowest), bool(often or lowest)), text)


def likelihood_less_sensitive(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Its standard deviation over gamma is below each other decoder's on over half of the (data
    set, code) pairs; partly: below on over half of the comparisons with all three together."""
    wide = whole_curves(rows, missing, tuple(DECODERS))
    spread = wide.groupby(["dataset", "code"], sort=False).std(ddof=0)
    below = pd.DataFrame({d: lower(spread[LIKELIHOOD], spread[d]) for d in OTHERS})
    counts = ", ".join(f"{below[d].sum()} ({DECODERS[d]})" for d in OTHERS)
    text = (
        f"lower standard deviation over gamma on {counts} of {len(spread)} pairs of data set and "
        f"code; on average {_by_decoder(spread.mean())}"
    )
    each, together = below.mean() > 0.5, below.to_numpy().mean() > 0.5
    return Finding(graded(bool(each.all()), bool(together)), text)


def hamming_for_pairs(rows: pd.DataFrame, missing: Missing) -> Finding:
    """With all-pairs Hamming's mean error is at most 1 point above the lowest of the other three;
    with one-vs-all it has the highest on 3/4 of the data sets; partly: one of the two."""
    wide = whole_curves(rows, missing, tuple(DECODERS), (OVA, PAIRS))
    pairs, ova = (
        wide[wide.index.get_level_values("code") == code].groupby("dataset", sort=False).mean()
        for code in (PAIRS, OVA)
    )
    excess = pairs[HAMMING].mean() - pairs.drop(columns=HAMMING).mean().min()
    highest = lower(ova.drop(columns=HAMMING).max(axis=1), ova[HAMMING])
    decoded = rows[(rows["code"] == OVA) & (rows["decoder"] == HAMMING)]
    ties = decoded.loc[decoded["dataset"].isin(list(ova.index)), "ties"].mean()
    text = (
        f"All-pairs: {_by_decoder(pairs.mean())}; One-vs-all: {_by_decoder(ova.mean())}, Hamming "
        f"the highest on {highest.sum()} of {len(ova)} data sets, with {ties:.0f}% ties"
    )
    well, poorly = excess <= CLOSE, highest.mean() >= 0.75
    return Finding(graded(bool(well and poorly), bool(well or poorly)), text)


def hamming_beats_linear(rows: pd.DataFrame, missing: Missing) -> Finding:
    """With all-pairs Hamming is below linear decoding at over half of the points, and on average;
    partly: one of the two."""
    wide = whole_curves(rows, missing, (HAMMING, LINEAR), (PAIRS,))
    below = lower(wide[HAMMING], wide[LINEAR])
    often, on_average = below.mean() > 0.5, lower(*wide[[HAMMING, LINEAR]].mean())
    sets = wide.groupby("dataset", sort=False).mean()
    ahead = lower(sets[HAMMING], sets[LINEAR]).sum()
    text = (
        f"lower at {below.sum()} of {len(wide)} points and on average on {ahead} of {len(sets)} "
        f"data sets; means {_by_decoder(wide.mean())}"
    )
    return Finding(graded(bool(often and on_average), bool(often or on_average)), text)


def tuning_helps(rows: pd.DataFrame, missing: Missing) -> Finding:
    """The best gamma's error is below the median over gamma with p < 0.05 on over half of the
    curves; partly: on any. The p is cautious (see `p_value`), but the best is chosen on the test
    examples."""
    wide = whole_curves(rows, missing, tuple(DECODERS))
    groups = wide.groupby(["dataset", "code"], sort=False)
    best, middle = groups.min().stack(), groups.median().stack()  # noqa: PD013
    n_test = sizes(rows)[best.index.get_level_values("dataset")]
    values = zip(best, middle, n_test, strict=True)
    clear = pd.Series([p_value(*value) < 0.05 for value in values], best.index)
    text = (
        f"p < 0.05 on {clear.sum()} of {len(clear)} curves; {best.mean():.1f} at the best gamma, "
        f"{middle.mean():.1f} at the median, on average"
    )
    return Finding(graded(bool(clear.mean() > 0.5), bool(clear.any())), text)


def one_vs_all_well(rows: pd.DataFrame, missing: Missing) -> Finding:
    """By likelihood decoding, each code at its best gamma, one-vs-all is at most 1 point above the
    lower of the other codes on 3/4 of the data sets and at most half a point on average; partly:
    at most 1 point on average."""
    wide = whole_curves(rows, missing, (LIKELIHOOD,))
    lowest = wide[LIKELIHOOD].groupby(["dataset", "code"], sort=False).min()
    best = lowest.reset_index().pivot_table(LIKELIHOOD, "dataset", "code", sort=False)
    whole = best[list(CODES)].notna().all(axis=1)
    missing.note((NAMES[str(name)] for name in best.index[~whole]), "not all codes")
    best = best.loc[whole, list(CODES)]
    excess = best[OVA] - best.drop(columns=OVA).min(axis=1)
    near = (excess <= CLOSE).sum()
    text = (
        f"at the best gamma on average {_by_code(best.mean())}; One-vs-all at most 1 point above "
        f"the lower of the others on {near} of {len(best)} data sets, {excess.mean():+.1f} "
        "on average"
    )
    well = near >= 0.75 * len(best) and excess.mean() <= CLOSE / 2
    return Finding(graded(bool(well), bool(excess.mean() <= CLOSE)), text)


def _by_code(values: pd.Series, unit: str = "") -> str:
    digits = 0 if unit else 1
    return ", ".join(f"{v:.{digits}f}{unit} ({CODES[str(code)]})" for code, v in values.items())


def _by_decoder(values: pd.Series) -> str:
    return ", ".join(f"{DECODERS[str(decoder)]} {value:.1f}" for decoder, value in values.items())
