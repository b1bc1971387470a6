"""What cannot be done with a data set whose rows have label sets."""

from typing import TYPE_CHECKING

from ..coding.decoders import CALIBRATED, PAIRWISE
from ..coding.measures import MEASURES
from ..errors import ConfigError
from ..plugins import is_import_path

if TYPE_CHECKING:
    from .config import Experiment
    from .resolve import Resolved


def check_label_sets(experiment: "Experiment", resolved: "Resolved", where: str) -> None:
    """Refuse what has no meaning for a data set with label sets."""
    found = {n: data.sets is not None for n, data in resolved.datasets.items() if data is not None}
    name = next((n for n, has_sets in found.items() if has_sets), None)
    for i, measure in enumerate(experiment.measures):
        kinds = {True: "label sets", False: "one label in each row"}
        if found and MEASURES[measure].label_sets not in found.values():
            kind = kinds[MEASURES[measure].label_sets]
            raise ConfigError(
                f"{where}: measures[{i}]: '{measure}' is for {kind}, and no data set has them. "
                "Remove it."
            )
    if name is None:
        return
    for key, what, instead in (
        *_data(experiment, found),
        *_codes(experiment),
        *_methods(resolved),
        *_choices(experiment),
    ):
        raise ConfigError(f"{where}: {key}: {what}, but '{name}' has label sets. {instead}")


def _data(experiment: "Experiment", found: dict[str, bool]):
    for i, spec in enumerate(experiment.datasets):
        if spec.noise and found.get(spec.name):
            yield f"datasets[{i}]", "noise turns a label into another", "Remove the noise."
        if spec.costs and found.get(spec.name):
            yield f"datasets[{i}]", "costs are those of classes", "Remove the costs."


def _codes(experiment: "Experiment"):
    for i, spec in enumerate(experiment.codes):
        if spec.family != "ova":
            instead = "Use ova, which has a column for each label."
            yield f"codes[{i}]", f"'{spec.name}' is a code of classes", instead
    for i, decoder in enumerate(experiment.decoders):
        if decoder.call in (*CALIBRATED, *PAIRWISE) or is_import_path(decoder.call):
            instead = "Use hamming, or a loss: each gives the sign of every margin."
            yield f"decoders[{i}]", f"'{decoder.name}' is a decoder of classes", instead


def _methods(resolved: "Resolved"):
    from sklearn.utils import get_tags

    from ..joint import METHODS

    can = [name for name, entry in METHODS.items() if entry.label_sets]
    for name, joint in resolved.methods.items():
        tags = get_tags(joint.method)
        takes = tags.classifier_tags is not None and tags.classifier_tags.multi_label
        if not (takes and hasattr(joint.method, "decision_function")):
            instead = f"These take sets: {', '.join(can)}; and so does any learner with ova."
            yield f"methods.{name}", "it learns one label and no scores", instead


def _choices(experiment: "Experiment"):
    for name, choice in experiment.select.items():
        if choice.by == "loo_bound":
            what = "the leave-one-out bound is for classes"
            yield f"select.{name}", what, "Choose by validation or cv."
