"""The claims of Sun, Todorovic, Li & Wu (2005), and the experiment that they are about."""

from collections.abc import Iterator

import pandas as pd

from ...published import load_table
from ...results.run import Run
from ..evidence import Claim, Scope
from . import figure4_claims as figure4
from . import table3_claims as table3
from .experiment import PAPER, experiment, is_of, is_of_figure4, split


class Experiment(Scope):
    """Section 4: methods are compared repeat by repeat, SECC as the choice that it made."""

    def read(self, run: Run) -> Iterator[tuple[str, pd.DataFrame]]:
        yield "methods", experiment(run)


def _printed() -> pd.DataFrame:
    """Table 3 as a single run; training errors are not printed."""
    entries = load_table(PAPER).entries.items()
    rows = [(dataset, code, error) for (dataset, code, _), error in entries]
    frame = pd.DataFrame(rows, columns=["dataset", "code", "error"])
    return split(frame.assign(repeat=0, last=float("nan"), train=float("nan"), shrunk=True, gap=1))


SCOPES: dict[str, Scope] = {
    "section4": Experiment(
        source="Sun et al. 2005, Section 4",
        is_of=is_of,
        own=_printed(),
    ),
    "figure4": Experiment(
        source="Sun et al. 2005, Figure 4, on every round",
        is_of=is_of_figure4,
    ),
}

CLAIMS: dict[str, Claim] = {
    "ecc_trains_fastest": Claim(
        "Convergence of the training error for AdaBoost.ECC is faster than for AdaBoost.OC and "
        "AdaBoost.SECC.",
        "Section 4, Figure 4",
        ("section4", "figure4"),
        figure4.ecc_fastest,
    ),
    "secc_trains_slowest": Claim(
        "The convergence rate of the training error of AdaBoost.SECC is the slowest.",
        "Section 4, Figure 4",
        ("section4", "figure4"),
        figure4.secc_slowest,
    ),
    "secc_slower_with_noise": Claim(
        "That AdaBoost.SECC is slower becomes very pronounced for high-level noise settings.",
        "Section 4, Figure 4",
        ("section4", "figure4"),
        figure4.secc_slower_with_noise,
    ),
    "ecc_better_without_noise": Claim(
        "In the absence of mislabeling noise AdaBoost.ECC performs slightly better than "
        "AdaBoost.OC with respect to the test error.",
        "Section 4",
        ("section4",),
        table3.ecc_better_without_noise,
    ),
    "oc_better_with_noise": Claim(
        "With the increase of noise level, AdaBoost.OC outperforms AdaBoost.ECC.",
        "Sections 3.2 and 4",
        ("section4",),
        table3.oc_better_with_noise,
    ),
    "secc_best_with_noise": Claim(
        "Overall, AdaBoost.SECC outperforms the other two algorithms at all noise levels above "
        "zero.",
        "Section 4",
        ("section4",),
        table3.secc_best_with_noise,
    ),
    "letters_halved": Claim(
        "For Letters with 10% of the training patterns mislabeled, AdaBoost.SECC improves the "
        "classification performance of AdaBoost.ECC by about 50% (28% vs. 14%).",
        "Section 4",
        ("section4",),
        table3.letters_halved,
    ),
    "early_stopping_helps": Claim(
        "Shrinkage may also lead to overfitting (see Cars and Images), which can be alleviated by "
        "early stopping.",
        "Section 4",
        ("section4",),
        table3.early_stopping_helps,
    ),
}
