"""YAML -> Experiment: frozen and validated; every error names file, key, value and next step."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from .errors import ConfigError, shown, unknown
from .papers import table_names
from .paths import shipped
from .plugins import is_import_path
from .yamlfile import read_yaml

PLAIN_WORDS = {
    "tuple_type": "must be a list",
    "model_type": "must be a mapping",
    "path_type": "must be the path of a file",
    "too_short": "must hold at least one",
    "string_pattern_mismatch": "must be letters, digits and _.+@-, a letter or digit first",
}
MOST_MESSAGES = 20
Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+@-]*$")]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class DatasetSpec(_Part):
    """A shipped data set by its name, a CSV of one's own, or what a function makes."""

    name: Name
    path: Path | None = Field(default=None, strict=False)
    make: str | None = None
    params: dict[str, Any] = {}
    target: str = "class"
    nominal: tuple[str, ...] | None = Field(default=None, strict=False)
    split: str | None = None
    rare_classes: Literal["error", "keep", "drop"] = "error"

    @model_validator(mode="after")
    def _options_need_a_source(self):
        given = self.model_dump(exclude_defaults=True).keys()
        of_csv = given - {"name", "path", "make", "params"}
        if self.path is not None and self.make is not None:
            raise ValueError("'path' and 'make' exclude each other; keep one")
        if self.path is None and of_csv:
            raise ValueError(f"'{min(of_csv)}' goes with a 'path'; a shipped data set has its card")
        if self.make is None and "params" in given:
            raise ValueError("'params' goes with a 'make'")
        if self.make is not None and not is_import_path(self.make):
            raise ValueError("'make' must be an import path, module:function")
        return self


class CodeSpec(_Part):
    """A code family with parameters, a matrix from a CSV, or a function by its import path."""

    name: Name
    family: str | None = None
    matrix: Path | None = Field(default=None, strict=False)
    params: dict[str, Any] = {}


class LearnerSpec(_Part):
    """A learner of the registry, or a class by its import path, with its parameters.

    `timeout`: seconds that a fit (of a column, or of a whole code in a single call) may take.
    """

    name: Name
    type: str
    timeout: float | None = Field(default=None, gt=0, allow_inf_nan=False, strict=False)
    inputs: Literal["coded", "raw", "standardize", "minmax"] | None = None
    params: dict[str, Any] = {}


class DecoderSpec(_Part):
    """A decoder of the registry, or a function `(M, F) -> D` by its import path."""

    name: Name
    call: str


class Evaluation(_Part):
    """How the error is measured; `draws`: how many times a random code is drawn anew."""

    folds: int = Field(default=10, ge=2, le=1000)
    repeats: int = Field(default=1, ge=1, le=1000)
    draws: int = Field(default=1, ge=1, le=1000)
    original_split: bool = True

    @model_validator(mode="after")
    def _not_too_many(self):
        if self.folds * self.repeats > 10_000:
            raise ValueError("folds times repeats must be at most 10,000")
        return self


class Experiment(_Part):
    """All that a run needs to know."""

    name: Name
    title: str = ""
    paper: str | None = None
    seed: int = Field(default=0, ge=0, lt=2**63)
    datasets: tuple[DatasetSpec, ...] = Field(min_length=1, strict=False)
    evaluation: Evaluation = Evaluation()
    learners: tuple[LearnerSpec, ...] = Field(min_length=1, strict=False)
    codes: tuple[CodeSpec, ...] = Field(min_length=1, strict=False)
    decoders: tuple[DecoderSpec, ...] = Field(min_length=1, strict=False)
    folder: Path = Field(default=Path(), exclude=True, strict=False)

    @field_validator("paper")
    @classmethod
    def _known_table(cls, value):
        if value is not None and value not in table_names():
            raise ValueError(unknown("table", value, table_names()).rstrip("."))
        return value

    @field_validator("datasets", mode="before")
    @classmethod
    def _short_datasets(cls, value):
        return [spec for v in _list(value) for spec in _datasets(v)]

    @field_validator("codes", mode="before")
    @classmethod
    def _short_codes(cls, value):
        return [_code(v) for v in _list(value)]

    @field_validator("decoders", mode="before")
    @classmethod
    def _short_decoders(cls, value):
        return [_decoder(v) for v in _list(value)]

    @field_validator("learners", mode="before")
    @classmethod
    def _short_learners(cls, value):
        if isinstance(value, dict):
            return [_learner(name, settings) for name, settings in value.items()]
        return [_learner(v, None) if isinstance(v, str) else v for v in _list(value)]

    @field_validator("datasets", "learners", "codes", "decoders")
    @classmethod
    def _distinct_names(cls, value):
        for name, count in Counter(part.name for part in value).items():
            if count > 1:
                raise ValueError(f"the name '{name}' is used twice; give each its own 'name'")
        return value


def find_config(name: str) -> Path:
    """A path as it is, or the shipped config or example of that name."""
    path = Path(name)
    if name in example_names() and not path.exists():
        return shipped("configs") / f"{name}.yaml"
    if path.exists() or path.suffix or len(path.parts) > 1:
        return path
    known = config_names()
    if name not in known:
        raise ConfigError(unknown("config", name, known) + " A path must end in .yaml.")
    return shipped("configs") / f"{name}.yaml"


def example_names() -> list[str]:
    """The worked examples, `examples/own_decoder` and so on."""
    return sorted(f"examples/{p.stem}" for p in shipped("configs").glob("examples/*.yaml"))


def config_names() -> list[str]:
    """The shipped configs."""
    return sorted(path.stem for path in shipped("configs").glob("*.yaml"))


def read_config(path: Path) -> Experiment:
    """The experiment of a YAML file; paths in it are taken from the file's folder."""
    return parse_config(read_yaml(path), str(path), path.resolve().parent)


def parse_config(raw, where: str, folder: Path) -> Experiment:
    """The experiment of plain data; `where` names it in errors."""
    if not isinstance(raw, dict):
        raise ConfigError(f"{where}: a config must be a mapping with 'name', 'datasets', ...")
    if "folder" in raw:
        raise ConfigError(f"{where}: {unknown('key', 'folder', _known_keys(['folder']))}")
    try:
        return Experiment.model_validate({**raw, "folder": folder})
    except ValidationError as error:
        faults = [f for f in error.errors(include_url=False) if not _follows(f)]
        lines = [_message(raw, fault) for fault in faults[:MOST_MESSAGES]]
        raise ConfigError("\n".join(f"{where}: {line}" for line in lines)) from error


def _list(value):
    if not isinstance(value, list | tuple):
        raise ValueError(f"must be a list. Got {shown(value)} instead")
    return value


def _datasets(value) -> list:
    """`glass`, or a mapping; `copies: 3` stands for three data sets, name.1 to name.3."""
    if not isinstance(value, dict):
        return [{"name": value} if isinstance(value, str) else value]
    copies = value.get("copies")
    if copies is None:
        return [value]
    if type(copies) is not int or not 1 <= copies <= 1000:
        raise ValueError(f"copies must be a whole number, 1 to 1000. Got {shown(copies)} instead")
    if "make" not in value:
        raise ValueError("'copies' goes with a 'make'")
    rest = {key: v for key, v in value.items() if key != "copies"}
    if not isinstance(rest.get("name"), str):
        return [rest]
    return [{**rest, "name": f"{rest['name']}.{i + 1}"} for i in range(copies)]


def _code(value):
    """`dense`, `module:function`, or a mapping whose further keys are the family's parameters."""
    if isinstance(value, str):
        return {"name": _last_name(value), "family": value}
    if isinstance(value, dict) and not value.get("matrix"):
        value = {"family": value.get("name"), **{k: v for k, v in value.items() if v is not None}}
    return _with_params(value, CodeSpec) if isinstance(value, dict) else value


def _learner(name, settings):
    """`svm: {...}`: keys that are not those of a LearnerSpec are the learner's parameters."""
    if not isinstance(settings, dict | None):
        raise ValueError(f"{name}: must be a mapping of parameters. Got {shown(settings)} instead")
    if "name" in (settings or {}):
        raise ValueError(f"{name}: a learner's name is its key; remove 'name'")
    label = _last_name(name) if isinstance(name, str) else name
    return {"type": name, **_with_params(settings or {}, LearnerSpec), "name": label}


def _decoder(value):
    """`hamming`, or `module:function`."""
    return {"name": _last_name(value), "call": value} if isinstance(value, str) else value


def _with_params(value: dict, model: type[_Part]) -> dict:
    own = {key: value[key] for key in value if key in model.model_fields and key != "params"}
    rest = {key: value[key] for key in value if key not in model.model_fields}
    params = value.get("params") or {}
    if not isinstance(params, dict):
        raise ValueError(f"'params' must be a mapping. Got {shown(params)} instead")
    return {**own, "params": {**rest, **params}}


def _last_name(value: str) -> str:
    return value.partition(":")[2] or value if is_import_path(value) else value


def _message(raw: dict, error) -> str:
    """One line for one fault: the key as the user wrote it, then what is wrong with it."""
    loc = list(error["loc"])
    if len(loc) > 1 and loc[0] == "learners" and isinstance(raw.get("learners"), dict):
        loc[1] = list(raw["learners"])[loc[1]]
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    if error["type"] == "extra_forbidden":
        owner = f"{key.rpartition('.')[0]}: " if len(loc) > 1 else ""
        return owner + unknown("key", str(loc[-1]), _known_keys(loc))
    if error["type"] == "missing":
        return f"{key}: this key is missing."
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}."
    what = PLAIN_WORDS.get(error["type"], error["msg"][0].lower() + error["msg"][1:])
    return f"{key}: {what}. Got {shown(error['input'])} instead."


def _follows(error) -> bool:
    """Whether a fault only says that nothing is left of a list whose members have their own."""
    return error["type"] == "too_short" and bool(error["input"])


def _known_keys(loc) -> list[str]:
    parts: dict[str, type[_Part]] = {
        "datasets": DatasetSpec,
        "codes": CodeSpec,
        "learners": LearnerSpec,
        "decoders": DecoderSpec,
        "evaluation": Evaluation,
    }
    model: type[_Part] = Experiment if len(loc) == 1 else parts[loc[0]]
    return [name for name in model.model_fields if name != "folder"]
