"""YAML -> Experiment: frozen and validated; every error names file, key, value and next step."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from ..errors import ConfigError, shown, unknown
from ..files import shipped
from ..published import table_names
from ..results.catalogue import JOINT
from . import shorthand
from .dataset_spec import DatasetSpec, LabelsSpec, PartsSpec
from .spec import Name, Spec
from .yamlfile import read_yaml

PLAIN_WORDS = {
    "tuple_type": "must be a list",
    "model_type": "must be a mapping",
    "path_type": "must be the path of a file",
    "too_short": "must hold at least one",
    "string_pattern_mismatch": "must be letters, digits and _.+@-, a letter or digit first",
}
MOST_MESSAGES = 20
CODED = ("learners", "codes", "decoders")  # what an experiment with output codes needs
Rho = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class CodeSpec(Spec):
    """A code family with parameters, a matrix from a CSV, or a function by its import path."""

    name: Name
    family: str | None = None
    matrix: Path | None = Field(default=None, strict=False)
    params: dict[str, Any] = Field(default={})


class LearnerSpec(Spec):
    """A learner of the registry, or a class by its import path, with its parameters.

    `timeout`: seconds that a fit (of a column, or of a whole code in a single call) may take. For
    a learner of a sweep, `of` is the name of the sweep and `swept` are its values of the
    parameters.
    """

    name: Name
    type: str
    of: Name | None = None
    swept: dict[str, Any] = Field(default={})
    timeout: float | None = Field(default=None, gt=0, allow_inf_nan=False, strict=False)
    inputs: Literal["coded", "raw", "standardize", "minmax"] | None = None
    params: dict[str, Any] = Field(default={})


class DecoderSpec(Spec):
    """A decoder of the registry, or a function `(M, F) -> D` by its import path."""

    name: Name
    call: str


class SelectSpec(Spec):
    """A choice `among` learners or methods, and among their stages, by the lowest criterion.

    The name of a sweep stands for all its members. The criterion is the error on the validation
    part averaged over the repeats, or, separately for each training part, its error by inner folds
    (`cv`) or its leave-one-out bound.
    """

    among: tuple[Name, ...] = Field(min_length=1, strict=False)
    by: Literal["validation", "cv", "loo_bound"] = "validation"

    def members(self, experiment: "Experiment") -> tuple[str, list[str]]:
        """The column of results.csv that the choice is about (`learner` or `code`), and its names.

        Methods are in the column `code`.
        """
        for axis, specs in (("learner", experiment.learners), ("code", experiment.methods)):
            found = [s.name for s in specs if s.name in self.among or s.of in self.among]
            if found:
                return axis, found
        raise ValueError("a validated choice has members")


class Evaluation(Spec):
    """How the error is measured; `draws`: how many times a random code is drawn.

    `equal_folds`: test folds of floor(n/folds) rows each; the rows left over are never tested.
    """

    folds: int = Field(default=10, ge=2, le=1000)
    equal_folds: bool = False
    repeats: int = Field(default=1, ge=1, le=1000)
    draws: int = Field(default=1, ge=1, le=1000)
    original_split: bool = True

    @model_validator(mode="after")
    def _not_too_many(self):
        if self.folds * self.repeats > 10_000:
            raise ValueError("folds times repeats must be at most 10,000")
        return self


class MarginBounds(Spec):
    """The bounds of Mohri et al., Section 9.2, for the methods that are kernel machines."""

    rho: tuple[Rho, ...] = Field(default=(0.1, 0.3, 1.0, 3.0, 10.0), min_length=1, strict=False)
    delta: float = Field(default=0.05, gt=0, lt=1, allow_inf_nan=False, strict=False)

    @field_validator("rho")
    @classmethod
    def _each_once(cls, value):
        if len(set(value)) < len(value):
            raise ValueError("must hold each value once")
        return value


class Experiment(Spec):
    """Everything that a run needs to know."""

    name: Name
    title: str = ""
    paper: str | None = None
    seed: int = Field(default=0, ge=0, lt=2**63)
    datasets: tuple[DatasetSpec, ...] = Field(min_length=1, strict=False)
    evaluation: Evaluation = Evaluation()
    parts: PartsSpec | None = None
    noise: tuple[float, ...] | None = Field(default=None, min_length=1, strict=False)
    learners: tuple[LearnerSpec, ...] = Field(default=(), strict=False)
    codes: tuple[CodeSpec, ...] = Field(default=(), strict=False)
    decoders: tuple[DecoderSpec, ...] = Field(default=(), strict=False)
    methods: tuple[LearnerSpec, ...] = Field(default=(), strict=False)
    measures: tuple[Name, ...] = Field(default=(), strict=False)
    select: dict[Name, SelectSpec] = Field(default={})
    margin_bounds: MarginBounds | None = None
    rounds: bool = False
    keep: Literal["margins", "rows"] = "margins"
    folder: Path = Field(default=Path(), exclude=True, strict=False)

    @field_validator("paper")
    @classmethod
    def _known_table(cls, value):
        if value is not None and value not in table_names():
            raise ValueError(unknown("table", value, table_names()).rstrip("."))
        return value

    @model_validator(mode="before")
    @classmethod
    def _noise_of_all(cls, value):
        noise, given = value.get("noise"), value.get("datasets")
        if noise is None or not isinstance(given, list | tuple):
            return value
        return {**value, "datasets": [shorthand.with_noise(v, noise) for v in given]}

    @field_validator("datasets", mode="before")
    @classmethod
    def _short_datasets(cls, value):
        return [spec for v in shorthand.listed(value) for spec in shorthand.datasets(v)]

    @field_validator("codes", mode="before")
    @classmethod
    def _short_codes(cls, value):
        return [shorthand.code(v, set(CodeSpec.model_fields)) for v in shorthand.listed(value)]

    @field_validator("decoders", mode="before")
    @classmethod
    def _short_decoders(cls, value):
        return [shorthand.decoder(v) for v in shorthand.listed(value)]

    @field_validator("learners", "methods", mode="before")
    @classmethod
    def _short_learners(cls, value):
        return shorthand.learners(value, set(LearnerSpec.model_fields))

    @field_validator("measures")
    @classmethod
    def _distinct_measures(cls, value):
        if twice := [name for name, count in Counter(value).items() if count > 1]:
            raise ValueError(f"the name '{twice[0]}' is there twice; keep one")
        return value

    @field_validator("datasets", "learners", "codes", "decoders", "methods")
    @classmethod
    def _distinct_names(cls, value):
        for name, count in Counter(part.name for part in value).items():
            if count > 1:
                raise ValueError(f"the name '{name}' is used twice; give each its own 'name'")
        return value

    @model_validator(mode="after")
    def _something_to_do(self):
        missing = [key for key in CODED if not getattr(self, key)]
        if missing and (not self.methods or len(missing) < len(CODED)):
            given = missing[0] in self.model_fields_set
            raise ValueError(
                f"{missing[0]}: {'must hold at least one' if given else 'this key is missing'}"
            )
        return self

    @model_validator(mode="after")
    def _one_meaning_per_name(self):
        if any(spec.name == JOINT for spec in self.learners):
            raise ValueError(f"learners: '{JOINT}' stands for all methods; choose another name")
        codes = {spec.name for spec in self.codes}
        for spec in self.methods:
            if spec.name in codes:
                raise ValueError(f"methods: the name '{spec.name}' is that of a code")
        return self

    @model_validator(mode="after")
    def _choices_are_possible(self):
        for name, choice in self.select.items():
            kinds = [self._is_chosen_from(specs, choice) for specs in (self.learners, self.methods)]
            for other in choice.among:
                if not any(other in kind for kind in kinds):
                    known = sorted(set().union(*self._names()))
                    raise ValueError(f"select.{name}: {unknown('learner', other, known)[:-1]}")
            if all(kinds):
                raise ValueError(f"select.{name}: choose among learners or among methods, not both")
            if any(name in names for names in self._names()) and name not in choice.among:
                raise ValueError(f"select.{name}: is the name of something else; choose another")
            needs = choice.by == "validation"
            if needs and not all(self._has_validation(spec) for spec in self.datasets):
                raise ValueError(
                    f"select.{name}: a choice by validation needs 'parts' with 'validation'"
                )
        return self

    def _names(self) -> list[set[str]]:
        kinds = (self.learners, self.methods)
        return [{s.name for s in specs} | {s.of for s in specs if s.of} for specs in kinds]

    @staticmethod
    def _is_chosen_from(specs, choice) -> set[str]:
        return {n for s in specs for n in (s.name, s.of) if n in choice.among}

    def _has_validation(self, spec: DatasetSpec) -> bool:
        parts = spec.parts or self.parts
        return parts is not None and parts.validation > 0


def find_config(name: str) -> Path:
    """A path as it is, or the shipped config or example of that name."""
    path = Path(name)
    if name in example_names() and not path.exists():
        return shipped("configs") / f"{name}.yaml"
    if path.exists() or path.suffix or len(path.parts) > 1:
        return path
    known = config_names()
    if name not in known:
        known += example_names()
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


def _message(raw: dict, error) -> str:
    """One line for one error: the key as the user wrote it, then what is wrong with it."""
    loc = _as_written(raw, list(error["loc"]))
    key = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in loc).lstrip(".")
    if error["type"] == "extra_forbidden":
        owner = f"{key.rpartition('.')[0]}: " if len(loc) > 1 else ""
        return owner + unknown("key", str(loc[-1]), _known_keys(loc))
    if error["type"] == "missing":
        return f"{key}: this key is missing."
    if error["type"] == "value_error":
        return f"{key}: {error['ctx']['error']}.".removeprefix(": ")
    what = PLAIN_WORDS.get(error["type"], error["msg"][0].lower() + error["msg"][1:])
    return f"{key}: {what}. Got {shown(error['input'])} instead."


def _as_written(raw: dict, loc: list) -> list:
    """The place of an error by the user's index or key: one entry may stand for several."""
    if len(loc) < 2 or loc[0] not in ("datasets", "learners", "methods"):
        return loc
    written = raw[loc[0]]
    if loc[0] == "datasets":
        levels = [shorthand.with_noise(v, raw.get("noise")) for v in written]
        owners = [i for i, v in enumerate(levels) for _ in shorthand.datasets(v)]
    elif isinstance(written, dict):
        own = set(LearnerSpec.model_fields)
        owners = [n for n, rest in written.items() for _ in shorthand.learners({n: rest}, own)]
    else:
        return loc
    return [loc[0], owners[loc[1]], *loc[2:]]


def _follows(error) -> bool:
    """Whether an error only says that a list is empty, because its members have errors."""
    return error["type"] == "too_short" and bool(error["input"])


def _known_keys(loc) -> list[str]:
    parts: dict[str, type[BaseModel]] = {
        "datasets": DatasetSpec,
        "codes": CodeSpec,
        "learners": LearnerSpec,
        "decoders": DecoderSpec,
        "evaluation": Evaluation,
        "methods": LearnerSpec,
        "labels": LabelsSpec,
        "parts": PartsSpec,
        "select": SelectSpec,
        "margin_bounds": MarginBounds,
    }
    owners = [parts[part] for part in loc[:-1] if part in parts]
    model: type[BaseModel] = owners[-1] if owners else Experiment
    return [name for name in model.model_fields if name != "folder"]
