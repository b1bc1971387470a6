"""The matrices of an experiment's codes for each data set: made, or recalled from its code book.

`plan` is a `Plan`, whose module uses this one.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from ..coding import column_sums
from ..coding.column_sums import is_wide
from ..errors import CodeError, CodeTooLarge, ConfigError
from ..plugins import is_import_path
from ..seeds import digest, seed_for
from .config import CodeSpec
from .kept import no_sums
from .resolve import at_key


class Drawn(NamedTuple):
    """Matrices by data set, code and draw; those of the code book by their names there.

    `left_out`: why a data set has fewer draws of a code, or none.
    """

    matrices: dict[tuple[str, str, int], np.ndarray]
    named: dict[str, np.ndarray]
    left_out: dict[tuple[str, str], str]


def draw_all(plan, where: str, jobs: int, told: Callable[[int, int], None]) -> Drawn:
    """Every code for every data set; `told` gets how many are drawn, and of how many."""
    codes = plan.experiment.codes
    pairs = [(d, i, spec) for d in plan.datasets for i, spec in enumerate(codes)]
    total = sum(_n_draws(plan, spec) for _, _, spec in pairs)
    finished: list[str] = []

    def tell(name: str) -> None:
        finished.append(name)
        told(len(finished), total)

    threads = Parallel(n_jobs=jobs, backend="threading")
    with threadpool_limits(1):
        found = threads(
            delayed(at_key)(f"codes[{i}]", where, _draw, plan, dataset, spec, tell)
            for dataset, i, spec in pairs
        )
    drawn = Drawn({}, {}, {})
    for (dataset, _, spec), (matrices, names, why) in zip(pairs, found, strict=True):
        if why:
            drawn.left_out[dataset, spec.name] = why
        for draw, M in enumerate(matrices):
            drawn.matrices[dataset, spec.name, draw] = M
        drawn.named.update(zip(names, matrices, strict=False))
    for i, spec in enumerate(codes):
        _refuse_useless(plan, f"{where}: codes[{i}]", spec, drawn)
    return drawn


def _n_draws(plan, spec: CodeSpec) -> int:
    return plan.experiment.evaluation.draws if plan.resolved.families[spec.name].random else 1


def _draw(
    plan, dataset: str, spec: CodeSpec, tell: Callable[[str], None]
) -> tuple[list[np.ndarray], list[str], str]:
    """The matrices of a code, their names in the code book, and why there are no more."""
    family, k = plan.resolved.families[spec.name], plan.datasets[dataset].n_classes
    sets = plan.datasets[dataset].sets
    if sets is not None:
        tell(spec.name)
        return [sets], [], ""
    known = family.random and not _own(spec)  # the user's function may change
    matrices: list[np.ndarray] = []
    names: list[str] = []
    for draw in range(_n_draws(plan, spec)):
        content = (plan.experiment.seed, "code", dataset, k, spec.family, spec.params, draw)
        name = f"{dataset}.{spec.name}.{draw}.{digest(*content)[:12]}"
        M = plan.book.recall(name) if known else None
        if known and M is None and not plan.choice.draws(dataset, spec.name):
            break
        try:
            if M is None or len(M) != k:
                M = family.make(k, np.random.default_rng(seed_for(*content)))
            _check_size(plan, dataset, M)
        except CodeError as error:
            return matrices, names, str(error)
        matrices.append(M)
        names += [name] if known else []
        tell(name)
    return matrices, names, ""


def _check_size(plan, dataset: str, M: np.ndarray) -> None:
    if plan.experiment.keep == "rows" and is_wide(M) and (why := no_sums(plan, dataset, M)):
        raise CodeTooLarge(
            f"with 'keep: rows' a code of more than {column_sums.WIDE:,} columns is decoded by "
            f"sums over its columns; this one has {M.shape[1]:,} for {len(M):,} classes. "
            f"{why}. Change that, or use a code with fewer columns, such as 'trellis', "
            "'hadamard' or 'dense'."
        )


def _refuse_useless(plan, key: str, spec: CodeSpec, drawn: Drawn) -> None:
    """Refuse the user's code if it suits none of the data sets: it is a mistake, not a gap."""
    reasons = [why for (_, code), why in drawn.left_out.items() if code == spec.name]
    if _own(spec) and reasons and len(reasons) == len(plan.datasets):
        raise ConfigError(f"{key}: {reasons[0]}")


def _own(spec: CodeSpec) -> bool:
    """Whether a code comes from the user: a matrix, or a function by its import path."""
    return spec.family is None or is_import_path(spec.family)
