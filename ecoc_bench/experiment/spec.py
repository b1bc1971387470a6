"""What all parts of a config have in common: strict keys, and how they may be named."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.+@-]*$")]


class Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)
