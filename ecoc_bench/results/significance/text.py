"""A Comparison as tables and sentences; `blocks` and `notes` give them before they are rendered."""

from collections.abc import Iterator
from itertools import combinations
from math import isnan
from typing import NamedTuple

import pandas as pd

from ..formats import Style, document, grid
from ..tables import DASH, learner_title
from .comparison import ERROR, Comparison, Joint, Pair, WithinDataset

FEW = 5  # data sets; with fewer no test over data sets says much


class Block(NamedTuple):
    """One table: its title, column heads and rows of text."""

    title: str
    head: list[str]
    rows: list[list[str]]


def render(comparison: Comparison, style: Style = "terminal") -> str:
    """The comparison as text; csv is one tidy table of all its numbers."""
    if style == "csv":
        table = pd.DataFrame(
            numbers(comparison), columns=["measure", "first", "second", "dataset", "value"]
        )
        return table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    bodies = [
        (block.title, grid(block.head, [[[cell] for cell in row] for row in block.rows], style))
        for block in blocks(comparison)
    ]
    return document(title(comparison), bodies, notes(comparison), style)


def title(c: Comparison) -> str:
    return f"{c.axis.capitalize()}s compared: {', '.join(c.methods)}"


def blocks(c: Comparison) -> list[Block]:
    """The tables, in the order in which they are read."""
    found = [_errors(c)]
    if c.joint:
        found += [_friedman(c, c.joint), _nemenyi(c, c.joint)]
    if c.pairs:
        found.append(_pairs(c))
    if c.within:
        found.append(_within(c))
    return found


def _errors(c: Comparison) -> Block:
    rows = [
        [str(dataset), *(DASH if isnan(error) else f"{error:.2f}" for error in row)]
        for dataset, row in zip(c.errors.index, c.errors.to_numpy(), strict=True)
    ]
    if c.ranks:
        rows.append(["average rank", *(f"{c.ranks[method]:.2f}" for method in c.methods)])
    return Block(f"{c.of.title}, the lowest average rank first", ["", *c.methods], rows)


def _friedman(c: Comparison, joint: Joint) -> Block:
    f = joint.friedman
    k1, k2 = map(str, f.df)
    rows = [
        ["Friedman chi-square", f"{f.chi2:.2f}", k1, _p(f.p_chi2, c.alpha)],
        ["the same, corrected for ties", f"{f.chi2_ties:.2f}", k1, _p(f.p_ties, c.alpha)],
        ["Iman and Davenport's F", f"{f.F:.2f}", f"{k1}, {k2}", _p(f.p_F, c.alpha)],
        ["Critical difference (Nemenyi)", f"{joint.cd:.2f}", "", f"at {c.alpha:g}"],
    ]
    heading = f"All together, over the {len(c.datasets)} data sets that have every {c.axis}"
    return Block(heading, ["test", "statistic", "d.f.", "p"], rows)


def _nemenyi(c: Comparison, joint: Joint) -> Block:
    rows = [
        [str(method), *(DASH if method == other else _p(p, c.alpha) for other, p in row.items())]
        for method, row in joint.nemenyi.iterrows()
    ]
    return Block("Nemenyi's p of each difference of average ranks", ["", *c.methods], rows)


def _pairs(c: Comparison) -> Block:
    rows = [
        [
            f"{pair.first} : {pair.second}",
            str(len(pair.datasets)),
            f"{pair.wins}/{pair.ties}/{pair.losses}",
            _points(pair.difference),
            f"{pair.wilcoxon.T:g}",
            _p(pair.wilcoxon.p, c.alpha),
            _p(pair.p_holm, c.alpha),
            *(f"{probability:.2f}" for probability in pair.bayes),
        ]
        for pair in c.pairs
    ]
    head = ["first : second", "sets", "W/T/L", "difference", "T", "p", "Holm p"]
    head += ["P(first)", "P(equal)", "P(second)"]
    return Block("Pairs: Wilcoxon with Holm, and the Bayesian signed-rank test", head, rows)


def _within(c: Comparison) -> Block:
    """Pairs down, data sets across."""
    table: dict[tuple[str, str], dict[str, str]] = {}
    for one in c.within:
        table.setdefault((one.first, one.second), {})[one.dataset] = _verdict(one, c.alpha)
    datasets = list(dict.fromkeys(one.dataset for one in c.within))
    rows = [
        [f"{first} : {second}", *(cells.get(dataset, DASH) for dataset in datasets)]
        for (first, second), cells in table.items()
    ]
    heading = "Within data sets: difference in points and p of the corrected resampled t-test"
    return Block(heading, ["first : second", *datasets], rows)


def _verdict(one: WithinDataset, alpha: float) -> str:
    p = DASH if isnan(one.test.p) else _p(one.test.p, alpha)
    return f"{_points(one.difference)} ({p})"


def _points(difference: float) -> str:
    """With its sign, and two decimals: mean differences over data sets are small."""
    text = f"{difference:+.2f}"
    return "0.00" if text in ("+0.00", "-0.00") else text.replace("-", "−")


def _p(p: float, alpha: float | None = None) -> str:
    """Three decimals; a star below alpha."""
    text = "<0.001" if p < 0.001 else f"{p:.3f}"
    return f"{text}*" if alpha is not None and p < alpha else text


def notes(c: Comparison) -> list[str]:
    """The outcome, what was averaged and left out, and how to read the numbers."""
    return [*_verdicts(c), *_what(c), *_how(c)]


def _what(c: Comparison) -> Iterator[str]:
    over = [
        f"{axis} {learner_title(names[0])}" if len(names) == 1 else _mean_over(axis, names)
        for axis, names in c.averaged.items()
    ]
    error = f"Its error: {'; '.join(over)}; of" if over else "Of"
    yield f"The unit is the data set, never the fold. {error} a random code, mean over its draws."
    lacking: dict[tuple[str, ...], list[str]] = {}
    for dataset, methods in c.left_out.items():
        lacking.setdefault(methods, []).append(dataset)
    if lacking:
        lists = [f"{', '.join(d)} (without {', '.join(m)})" for m, d in lacking.items()]
        yield f"Not in the average ranks and the joint tests: {'; '.join(lists)}."
    if c.incomplete:
        yield f"Left out because folds are missing: {', '.join(c.incomplete)}."


def _narrowed(c: Comparison) -> str:
    """The option that chooses what is compared; there is none for `--compare method`."""
    return f" (--{c.axis})" if c.averaged else ""


def _mean_over(axis: str, names: tuple[str, ...]) -> str:
    titles = ", ".join(map(learner_title, names))
    return f"mean over the {axis}s it has of {titles} (--{axis} narrows)"


def _how(c: Comparison) -> Iterator[str]:
    yield f"*: p below {c.alpha:g}. Differences are first minus second, {_unit(c)}."
    if c.pairs:
        yield (
            "Sets: data sets that both have. W/T/L: on how many the first is better, equal, worse. "
            "T and p: Wilcoxon's signed-rank test; Holm p: corrected for the number of pairs. "
            "P(first), P(equal), P(second): Bayesian signed-rank probabilities that the first is "
            f"better, that the two are equal up to {c.rope:g} point{'s' * (c.rope != 1)}, and that "
            "the second is better."
        )
    if c.within:
        yield (
            "Within data sets: cross-validated ones only; Nadeau and Bengio's correction by "
            f"n_test/n_train. The {len(c.within)} p-values are not corrected for their number: if "
            f"no methods differed, about {c.alpha * len(c.within):.1f} of them would be below "
            f"{c.alpha:g}."
        )


def _unit(c: Comparison) -> str:
    return "in points of error" if c.of == ERROR else f"of: {c.of.title}"


def _verdicts(c: Comparison) -> Iterator[str]:
    """The outcome in words, and how far to trust it."""
    if c.joint:
        groups = "; ".join(", ".join(group) for group in c.joint.groups) or "none"
        yield f"Groups of {c.axis}s within the critical difference of each other: {groups}."
    if c.joint and c.joint.friedman.p_F >= c.alpha:
        yield f"The {c.axis}s as a whole do not differ at {c.alpha:g} (Iman and Davenport's F)."
    if c.pairs:
        yield f"Pairs that differ at {c.alpha:g} after Holm: {_differing(c)}."
    most = max((len(pair.datasets) for pair in c.pairs), default=1)
    if most < FEW:
        yield f"Only {most} data set{'s' * (most > 1)}: tests over data sets say little or nothing."
    least = 2.0 ** (1 - most)
    if c.pairs and least * len(c.pairs) > c.alpha:
        yield (
            f"With at most {most} data sets Wilcoxon's p is at least {least:.3g}, and after Holm "
            f"over {len(c.pairs)} pair{'s' * (len(c.pairs) > 1)} no difference, however large, can "
            f"be below {c.alpha:g}. Compare fewer {c.axis}s, chosen beforehand{_narrowed(c)}, or "
            "run more data sets."
        )
    if len(c.methods) == 2 and c.pairs:
        yield "Two methods: Wilcoxon's test takes the place of Friedman's and Nemenyi's."


def _differing(c: Comparison) -> str:
    found = [pair for pair in c.pairs if pair.p_holm < c.alpha]
    return ", ".join(f"{pair.first} : {pair.second}" for pair in found) or "none"


def numbers(c: Comparison) -> Iterator[tuple[str, str, str, str, float]]:
    """Every number as (measure, first, second, data set, value)."""
    for method in c.methods:
        for dataset, error in c.errors[method].dropna().items():
            yield c.of.name, method, "", str(dataset), error
    yield from (("average_rank", method, "", "", rank) for method, rank in c.ranks.items())
    if c.joint:
        yield from _joint_numbers(c.joint)
    for pair in c.pairs:
        for measure, value in _pair_numbers(pair).items():
            yield measure, pair.first, pair.second, "", value
    for one in c.within:
        place = one.first, one.second, one.dataset
        yield "fold_difference", *place, one.difference
        yield "corrected_t", *place, one.test.t
        yield "corrected_t_p", *place, one.test.p


def _joint_numbers(joint: Joint) -> Iterator[tuple[str, str, str, str, float]]:
    f = joint.friedman
    yield "friedman_chi2", "", "", "", f.chi2
    yield "friedman_p", "", "", "", f.p_chi2
    yield "friedman_chi2_ties", "", "", "", f.chi2_ties
    yield "friedman_p_ties", "", "", "", f.p_ties
    yield "iman_davenport_F", "", "", "", f.F
    yield "iman_davenport_p", "", "", "", f.p_F
    yield "critical_difference", "", "", "", joint.cd
    methods, p = list(map(str, joint.nemenyi)), joint.nemenyi.to_numpy()
    for i, j in combinations(range(len(methods)), 2):
        yield "nemenyi_p", methods[i], methods[j], "", p[i, j]


def _pair_numbers(pair: Pair) -> dict[str, float]:
    return {
        "datasets": len(pair.datasets),
        "wins": pair.wins,
        "ties": pair.ties,
        "losses": pair.losses,
        "difference": pair.difference,
        "wilcoxon_T": pair.wilcoxon.T,
        "wilcoxon_p": pair.wilcoxon.p,
        "holm_p": pair.p_holm,
        **{f"bayes_{name}": value for name, value in pair.bayes._asdict().items()},
    }
