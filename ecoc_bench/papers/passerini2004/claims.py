"""The claims of Passerini, Pontil & Frasconi (2004), and the experiments that they are about."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from ...results.run import Run
from ..evidence import Claim, Scope
from . import bound_claims as bound
from . import decoding_claims as decoding
from .experiment import FIGURES, experiment, in_full, own_sweeps


@dataclass(frozen=True, kw_only=True)
class Figure(Scope):
    """The data sets of a figure: one row per point of its curves."""

    datasets: tuple[str, ...]

    def read(self, run: Run) -> Iterator[tuple[str, pd.DataFrame]]:
        for sweep in own_sweeps(run):
            yield sweep.name, in_full(experiment(run, sweep), sweep, self.datasets)


def _figure(number: int) -> Figure:
    """The scope of a figure: runs with any of its data sets; it prints curves, no numbers."""
    datasets = tuple(FIGURES[f"figure{number}"])

    def is_of(run: Run) -> bool:
        names = {spec["name"] for spec in run.config["datasets"]}
        return not names.isdisjoint(datasets) and any(own_sweeps(run))

    return Figure(source=f"Passerini et al. 2004, Figure {number}", is_of=is_of, datasets=datasets)


SCOPES: dict[str, Figure] = {f"figure{number}": _figure(number) for number in (2, 3, 4)}
CURVES = ("figure2", "figure3")

CLAIMS: dict[str, Claim] = {
    "likelihood_better": Claim(
        "Likelihood decoding works better for all ECOC schemes and for most values of gamma.",
        "Section V-A",
        CURVES,
        decoding.likelihood_better,
    ),
    "likelihood_less_sensitive": Claim(
        "Likelihood decoding is often less sensitive to the choice of the kernel hyperparameter.",
        "Section V-A",
        CURVES,
        decoding.likelihood_less_sensitive,
    ),
    "hamming_for_pairs": Claim(
        "The Hamming distance works well in the case of pairwise classification, while it performs "
        "poorly with one-vs-all classifiers.",
        "Section V-A",
        CURVES,
        decoding.hamming_for_pairs,
    ),
    "hamming_beats_linear": Claim(
        "The Hamming decoding usually works better than the linear one in the case of pairwise "
        "schemes.",
        "Section III",
        CURVES,
        decoding.hamming_beats_linear,
    ),
    "tuning_helps": Claim(
        "The behavior of all curves shows that tuning kernel parameters may significantly improve "
        "performance.",
        "Section V-A",
        CURVES,
        decoding.tuning_helps,
    ),
    "one_vs_all_well": Claim(
        "A simple encoding scheme such as one-vs-all performs well with respect to more complex "
        "codes.",
        "Section V-A",
        CURVES,
        decoding.one_vs_all_well,
    ),
    "bound_minimum_close": Claim(
        "The minimum of the leave-one-out estimate is very close to the minimum of the test error.",
        "Section V-B",
        ("figure4",),
        bound.minimum_close,
    ),
    "bound_smaller_variance": Claim(
        "We often observed a slight bias [of the bound's minimum] towards smaller values of the "
        "variance.",
        "Section V-B",
        ("figure4",),
        bound.smaller_variance,
    ),
}
