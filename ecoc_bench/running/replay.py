"""The input of `run`: a YAML config, or the manifest of an earlier run to repeat."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from ..errors import ConfigError, DataError, reason
from ..experiment.config import Experiment, parse_config, read_config
from ..files import parse_json
from ..results.facts import DataPart, Part, at_fault

if TYPE_CHECKING:
    from ..experiment.plan import Plan


@dataclass(frozen=True)
class Source:
    """An experiment and, from a manifest, the checksums of the data and codes of that run."""

    experiment: Experiment
    only: tuple[str, ...] = ()
    data: dict[str, str | None] = field(default_factory=dict)  # sha256 by data set
    codes: dict[str, str] = field(default_factory=dict)  # digest by `dataset.code.draw`

    def check(self, plan: "Plan") -> None:
        """Refuse to repeat a run if the data or the codes have changed since."""
        from ..experiment.codebook import fingerprint

        for name, sha256 in self.data.items():
            if name not in plan.datasets:
                raise DataError(f"data set '{name}' of the manifest is not here: fetch it first.")
            if plan.datasets[name].sha256 != sha256:
                raise DataError(
                    f"data set '{name}' is not what it was in the manifest: its checksum differs. "
                    "Restore the file, or run the config itself."
                )
        for (dataset, code, draw), M in plan.matrices.items():
            name = f"{dataset}.{code}.{draw}"
            if self.codes.get(name, fingerprint(M)) != fingerprint(M):
                raise ConfigError(
                    f"code {name} is not what it was in the manifest. Use the version of "
                    "ecoc-bench that the manifest names, or run the config itself."
                )


class Repeated(Part):
    """What of a manifest repeats its run."""

    config_folder: str
    config: dict[str, Any]
    data: dict[str, DataPart]
    only: list[str]
    codes: dict[str, str]


def read_source(path: Path) -> Source:
    """The experiment of a YAML file, or of a `manifest.json`."""
    if path.suffix != ".json":
        return Source(read_config(path))
    try:
        facts = Repeated.model_validate(parse_json(path.read_bytes()))
        folder = (path.resolve().parent / facts.config_folder).resolve()
        experiment = parse_config(facts.config, str(path), folder)
    except (OSError, ValueError) as error:
        why = at_fault(error) if isinstance(error, ValidationError) else reason(error)
        raise ConfigError(
            f"{path}: not the manifest of a run ({why}). "
            "Give a config in YAML, or the manifest.json of a run's folder."
        ) from error
    data = {name: part.sha256 for name, part in facts.data.items()}
    return Source(experiment, tuple(facts.only), data, facts.codes)
