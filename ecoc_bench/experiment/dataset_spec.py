"""A data set in a config: where its rows and labels are, and how they are divided."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from ..plugins import is_import_path
from .spec import Name, Spec


class LabelsSpec(Spec):
    """Where the labels are of rows that may have several.

    They are in the cells of the target, `red;round` with `separator: ";"`, or there is a 0/1 column
    for each label.
    """

    separator: str | None = Field(default=None, min_length=1)
    columns: tuple[str, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _one_of_the_two(self):
        if (self.separator is None) == (not self.columns):
            raise ValueError("give a 'separator' or 'columns', one of the two")
        if len(set(self.columns)) < len(self.columns) or len(self.columns) == 1:
            raise ValueError("'columns' must name at least two columns, each once")
        return self


class PartsSpec(Spec):
    """Training, validation and test rows: drawn again, class by class, in each repeat.

    `train`, `validation` and `test` divide all rows in these proportions. `validation` with `of`
    is a share of one part of the original split: the part that `of` names.
    """

    train: float | None = Field(default=None, gt=0, allow_inf_nan=False, strict=False)
    validation: float = Field(default=0.0, ge=0, allow_inf_nan=False, strict=False)
    test: float | None = Field(default=None, gt=0, allow_inf_nan=False, strict=False)
    of: Literal["train", "test"] | None = None

    @model_validator(mode="after")
    def _of_a_part_or_of_all(self):
        if self.of is None and (self.train is None or self.test is None):
            raise ValueError(
                "'train' and 'test' are needed, in proportion; or 'validation' with 'of: train'"
            )
        if self.of is not None and (self.train, self.test) != (None, None):
            raise ValueError("'of' keeps the original split: remove 'train' and 'test'")
        if self.of is not None and not 0 < self.validation < 1:
            raise ValueError(
                "'validation' must be above 0 and below 1: a share of the part in 'of'"
            )
        return self


class DatasetSpec(Spec):
    """A shipped data set by its name, the user's file, or the data set that a function makes.

    With `noise`, `of` names the data set without the noise; `nominal: all` becomes ["*"].
    """

    name: Name
    of: Name | None = None
    noise: float = Field(default=0.0, ge=0, lt=1, allow_inf_nan=False, strict=False)
    parts: PartsSpec | None = None
    repeats: int | None = Field(default=None, ge=1, le=1000)
    pca: int | None = Field(default=None, ge=1)
    path: Path | None = Field(default=None, strict=False)
    format: Literal["csv", "parquet", "svmlight"] | None = None
    dtype: Literal["float64", "float32"] | None = None
    make: str | None = None
    params: dict[str, Any] = Field(default={})
    target: str = "class"
    labels: LabelsSpec | None = None
    nominal: tuple[str, ...] | None = Field(default=None, strict=False)
    split: str | None = None
    rare_classes: Literal["error", "keep", "drop"] = "error"
    drop: tuple[str, ...] = Field(default=(), strict=False)
    missing_labels: Literal["error", "drop"] = "error"
    sequence: str | None = None
    costs: Any = None

    @field_validator("costs")
    @classmethod
    def _file_or_tree(cls, value):
        if value is not None and not (isinstance(value, str | dict | list) and value):
            raise ValueError("must be the path of a CSV file, or a tree of classes: lists in lists")
        return value

    @model_validator(mode="after")
    def _options_need_a_source(self):
        given = self.model_dump(exclude_defaults=True).keys()
        of_csv = given & {
            "target", "labels", "split", "rare_classes", "missing_labels", "sequence",
            "format", "dtype",
        }  # fmt: skip
        if self.path is not None and self.make is not None:
            raise ValueError("'path' and 'make' exclude each other; keep one")
        if self.path is None and of_csv:
            raise ValueError(f"'{min(of_csv)}' goes with a 'path'; a shipped data set has its card")
        if self.labels is not None and self.labels.columns and "target" in given:
            raise ValueError("'target' goes with labels in one column; remove it")
        if self.make is None and "params" in given:
            raise ValueError("'params' goes with a 'make'")
        if self.make is not None and not is_import_path(self.make):
            raise ValueError("'make' must be an import path, module:function")
        if self.sequence is not None and "drop" in (self.rare_classes, self.missing_labels):
            raise ValueError("rows of a 'sequence' cannot be dropped: its neighbours would not be")
        return self
