"""What cannot be done with a data set whose matrix is sparse."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import ConfigError

if TYPE_CHECKING:
    from .config import Experiment
    from .resolve import Resolved


def check_sparse(experiment: "Experiment", resolved: "Resolved", where: str) -> None:
    """Refuse learners that need every cell of a matrix."""
    sparse = (n for n, d in resolved.datasets.items() if d is not None and hasattr(d.X, "indptr"))
    name = next(sparse, None)
    if name is None:
        return
    for key, what in _refused(experiment, resolved):
        raise ConfigError(f"{where}: {key} {what}, but '{name}' is sparse. {INSTEAD}")


def _refused(experiment: "Experiment", resolved: "Resolved") -> Iterator[tuple[str, str]]:
    for kind, specs, made in (
        ("learners", experiment.learners, resolved.learners),
        ("methods", experiment.methods, resolved.methods),
    ):
        for spec in specs:
            learner = made[spec.name]
            if not learner.takes_sparse:
                yield f"{kind}.{spec.name}:", "it needs a dense matrix"
            if (spec.inputs or learner.inputs) == "coded":
                yield f"{kind}.{spec.name}.inputs:", "'coded' is for tables of columns"


INSTEAD = "Use least_squares, logistic, svm or a scikit-learn estimator that takes sparse matrices."
