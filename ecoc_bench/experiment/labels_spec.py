"""Where a config says that the labels of a file are, if a row may have several."""

from pydantic import BaseModel, ConfigDict, Field, model_validator


class LabelsSpec(BaseModel):
    """Where the labels are of rows that may have several.

    They are in the cells of the target, `red;round` with `separator: ";"`, or there is a 0/1 column
    for each label.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    separator: str | None = Field(default=None, min_length=1)
    columns: tuple[str, ...] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _one_of_the_two(self):
        if (self.separator is None) == (not self.columns):
            raise ValueError("give a 'separator' or 'columns', one of the two")
        if len(set(self.columns)) < len(self.columns) or len(self.columns) == 1:
            raise ValueError("'columns' must name at least two columns, each once")
        return self
