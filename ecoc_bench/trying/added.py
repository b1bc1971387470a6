"""The learners x codes x decoders and methods of a config as candidates: `--add config.yaml`."""

from collections.abc import Iterator
from pathlib import Path

from ..experiment.config import find_config, read_config
from ..experiment.resolve import make_decoder, make_family
from ..experiment.trials import make_learner, make_method
from ..learners.classifier import ECOCClassifier
from ..plugins import is_import_path
from .candidates import CANDIDATES, Candidate

COST = 1.0  # seconds: unknown before the first fit


def added_candidates(config: str) -> list[Candidate]:
    """After ours in the order of preference: nothing is known about them."""
    path = find_config(config)
    experiment, folder = read_config(path), path.parent
    made = [*_coded(experiment, folder), *_methods(experiment, folder)]
    last = max(one.simplicity for one in CANDIDATES.values())
    return [one._replace(simplicity=last + 1 + i) for i, one in enumerate(made)]


def _coded(experiment, folder: Path) -> Iterator[Candidate]:
    for learner_spec in experiment.learners:
        learner = make_learner(learner_spec, folder)
        for code in experiment.codes:
            family = make_family(code, folder)
            for decoder in experiment.decoders:
                name = f"{learner_spec.name}+{code.name}+{decoder.name}"
                fit = _fit_code(learner, family.make, decoder, folder)
                yield Candidate(name, name, 0, learner.inputs, fit, lambda s: COST)


def _fit_code(learner, make, decoder, folder: Path):
    own = is_import_path(decoder.call)
    called = make_decoder(decoder, learner.loss, folder) if own else decoder.call

    def fit(X, y, nominal, seed):
        settings = {"nominal": nominal} if learner.takes("nominal") else {}
        code = ECOCClassifier(
            learner.fresh(**settings), code=make, decoder=called, random_state=seed
        )
        return code.fit(X, y)

    return fit


def _methods(experiment, folder: Path) -> Iterator[Candidate]:
    for spec in experiment.methods:
        joint = make_method(spec, folder)
        name = spec.name
        yield Candidate(name, name, 0, joint.inputs, _fit_method(joint), lambda s: COST)


def _fit_method(joint):
    def fit(X, y, nominal, seed):
        return joint.configured(nominal, seed).fit(X, y)

    return fit
