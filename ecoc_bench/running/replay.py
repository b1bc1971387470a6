"""The input of `run`: a YAML config, or the manifest of an earlier run to repeat."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import ConfigError, DataError
from ..experiment.config import Experiment, parse_config, read_config
from ..files import parse_json

if TYPE_CHECKING:
    from ..experiment.plan import Plan


@dataclass(frozen=True)
class Source:
    """An experiment and, from a manifest, the checksums of the data and codes of that run."""

    experiment: Experiment
    only: tuple[str, ...] = ()
    data: dict[str, str] = field(default_factory=dict)  # sha256 by data set
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


def read_source(path: Path) -> Source:
    """The experiment of a YAML file, or of a `manifest.json`."""
    if path.suffix != ".json":
        return Source(read_config(path))
    try:
        facts = parse_json(path.read_text(encoding="utf-8"))
        folder = (path.resolve().parent / facts["config_folder"]).resolve()
        experiment = parse_config(facts["config"], str(path), folder)
        data = {name: item["sha256"] for name, item in facts["data"].items()}
        return Source(experiment, tuple(facts["only"]), data, dict(facts["codes"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"{path}: not the manifest of a run ({type(error).__name__}: {error}). "
            "Give a config in YAML, or the manifest.json of a run's folder."
        ) from error
