"""Are the differences between codes, decoders or learners of a run more than chance?

The data set is the unit: errors over the folds of one data set are not independent, so folds count
only in the corrected t-test, which looks at one data set at a time. Demsar (2006), "Statistical
comparisons of classifiers over multiple data sets", JMLR 7.

    results -> units (data set x method) -> procedures (each test) -> Comparison -> text
"""

from .comparison import ERROR, Comparison, Joint, Pair, Quantity, WithinDataset, compare
from .text import blocks, notes, render
from .units import NotEnoughData

__all__ = [
    "ERROR",
    "Comparison",
    "Joint",
    "NotEnoughData",
    "Pair",
    "Quantity",
    "WithinDataset",
    "blocks",
    "compare",
    "notes",
    "render",
]
