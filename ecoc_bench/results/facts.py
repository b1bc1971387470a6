"""The manifest of a run, read and checked: every key that its readers need, of the right kind."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from ..errors import UserError
from ..files import parse_json


class Part(BaseModel):
    """A mapping in a manifest; it may hold more than its readers need."""

    model_config = ConfigDict(extra="allow", strict=True)


class Named(Part):
    name: str


class DatasetPart(Named):
    of: str | None = None
    make: str | None = None


class LearnerPart(Named):
    """A learner or a method."""

    type: str = ""
    inputs: str | None = None
    params: dict[str, Any] = {}
    of: str | None = None
    swept: dict[str, int | float | str | bool | None] = {}


class CodePart(Named):
    family: str | None = None
    matrix: str | None = None


class ChoicePart(Part):
    among: list[str]
    by: str


class EvaluationPart(Part):
    folds: int = 10
    equal_folds: bool = False
    repeats: int = 1
    draws: int = 1
    original_split: bool = True


class ConfigPart(Part):
    name: str
    title: str = ""
    paper: str | None = None
    seed: int = 0
    datasets: list[DatasetPart]
    learners: list[LearnerPart]
    codes: list[CodePart]
    decoders: list[Named]
    methods: list[LearnerPart] = []
    measures: list[str] = []
    select: dict[str, ChoicePart] = {}
    evaluation: EvaluationPart
    parts: Part | None = None


class DataPart(Part):
    sha256: str | None = None
    rows: int | None = None
    classes: int | None = None
    original_split: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    parts: dict[str, int] | None = None
    note: str = ""


class LeftOut(Part):
    dataset: str
    code: str
    why: str


class SourcePart(Part):
    commit: str
    clean: bool


def _is_date(text: str) -> str:
    datetime.fromisoformat(text)
    return text


class Facts(Part):
    ecoc_bench: str
    written: Annotated[str, AfterValidator(_is_date)]
    config: ConfigPart
    codes: dict[str, str]
    data: dict[str, DataPart]
    absent: list[str]
    left_out: list[LeftOut]
    packages: dict[str, str]
    only: list[str] = []
    machine: dict[str, str | int | float | None]
    source: SourcePart | None = None


def read_facts(content: bytes, path: Path, remedy: str) -> dict[str, Any]:
    """The manifest in these bytes with all its keys, or a UserError that names the one at fault."""
    try:
        return Facts.model_validate(parse_json(content)).model_dump()
    except ValidationError as error:
        raise UserError(f"{path}: {at_fault(error)}. {remedy}") from error


def at_fault(error: ValidationError) -> str:
    """The first key of a manifest that is not as it should be."""
    *parents, key = map(str, error.errors()[0]["loc"] or ("ecoc_bench",))
    where = f"{'.'.join(parents)}: " if parents else ""
    return f"{where}no '{key[:80]}' as a run writes it"
