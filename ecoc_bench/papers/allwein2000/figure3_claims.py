"""What Allwein, Schapire & Singer (2000) say about Figure 3, the synthetic data.

As in `table_claims`, thresholds follow the claims' words. Errors are averaged over the data sets
of each number of classes k. At k = 3 both codes have the same columns, so codes are compared from
k = 4 on.
"""

import pandas as pd

from ..evidence import Finding, by_code, by_decoder, graded, lower
from ..missing import Missing

CLASSES = range(3, 9)
SETS = range(1, 11)


def hamming_much_higher(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Higher at each k with each code, and 1.5 times as high on average; partly: at 3/4 of them."""
    table = by_decoder(rows, missing, "hamming", "loss").reset_index()
    points = table.groupby([_classes(table["dataset"]), "code"])[["hamming", "loss"]].mean()
    higher = lower(points["loss"], points["hamming"]).sum()
    hamming, loss = points["hamming"].mean(), points["loss"].mean()
    text = (
        f"higher at {higher} of {len(points)} points; on average {hamming:.2f} against {loss:.2f}"
    )
    return Finding(
        graded(higher == len(points) and hamming >= 1.5 * loss, higher >= 0.75 * len(points)), text
    )


def codes_comparable(rows: pd.DataFrame, missing: Missing) -> Finding:
    """The codes' mean errors differ by at most a tenth of the higher; partly: a quarter."""
    complete, ova = _curves(by_code(rows, missing)).mean()
    gap = abs(complete - ova) / max(complete, ova)
    text = f"complete {complete:.2f}, one-against-all {ova:.2f} on average"
    return Finding(graded(gap <= 0.1, gap <= 0.25), text)


def complete_lower(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Complete is lower on average and at over half of the k; partly: one of the two."""
    curves = _curves(by_code(rows, missing))
    below = lower(curves["complete"], curves["ova"]).sum()
    complete, ova = curves.mean()
    often, on_average = below > len(curves) / 2, lower(complete, ova)
    text = f"lower at {below} of {len(curves)} k; on average {complete:.2f} against {ova:.2f}"
    return Finding(graded(bool(often and on_average), bool(often or on_average)), text)


def binary_errors_reversed(rows: pd.DataFrame, missing: Missing) -> Finding:
    """Complete has the higher average binary error at every k; partly: at over half of them."""
    curves = _curves(by_code(rows.assign(error=rows["binary_error"]), missing))
    above = lower(curves["ova"], curves["complete"]).sum()
    complete, ova = curves.mean()
    text = f"higher at {above} of {len(curves)} k; on average {complete:.2f} against {ova:.2f}"
    return Finding(graded(above == len(curves), above > len(curves) / 2), text)


def _classes(names: pd.Series) -> pd.Series:
    """The k of "normals<k>.<set>"."""
    return names.str.extract(r"^normals(\d+)\.", expand=False).astype(int)


def _curves(table: pd.DataFrame) -> pd.DataFrame:
    """The mean over the sets of each k >= 4, by complete and one-against-all."""
    table = table.dropna()
    means = table.groupby(_classes(table.index.to_series()))[["complete", "ova"]].mean()
    return means[means.index >= 4]
