"""What all kinds of predictors share: fields that are checked, and pieces that a file can hold.

A kind is a frozen dataclass. Its arrays are declared in `layout`, a type and the names of the
dimensions of each: equal names are equal lengths. Its other fields are settings, plain JSON values,
or parts, which are predictors again. A predictor is checked when it is made, from an estimator as
from a file: nothing that it computes with is out of range.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple, Self, get_type_hints

import numpy as np

from ...errors import ModelError, shown


class Pieces(NamedTuple):
    """A predictor taken apart."""

    kind: str
    settings: dict[str, Any]
    arrays: dict[str, np.ndarray]
    parts: dict[str, "Predictor"]


@dataclass(frozen=True, eq=False)
class Predictor:
    """A fitted function of inputs: `outputs(X)`, rows x outputs.

    Of a classifier, the outputs are the scores of its classes. Of the columns of a code they are
    its margins, and of the rounds of boosting the labels -1 and +1.
    """

    kind: ClassVar[str]
    layout: ClassVar[dict[str, tuple[str, str]]] = {}
    infinite: ClassVar[frozenset[str]] = frozenset()  # arrays that may hold what is not finite

    @classmethod
    def from_estimator(cls, estimator: Any) -> "Predictor | None":
        """The predictor of a fitted classifier; None if it is of another kind."""
        raise NotImplementedError

    @property
    def n_inputs(self) -> int:
        raise NotImplementedError

    @property
    def n_outputs(self) -> int:
        raise NotImplementedError

    def outputs(self, X: np.ndarray) -> np.ndarray:
        """Of checked rows, float64 and of `n_inputs` columns."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise a ModelError unless indices are in range and settings are known."""

    def __post_init__(self) -> None:
        lengths: dict[str, int] = {}
        for name, (dtype, dimensions) in self.layout.items():
            array = getattr(self, name)
            _check_array(self.kind, name, array, np.dtype(dtype), dimensions.split(), lengths)
            floats = array.dtype.kind == "f"
            if floats and name not in self.infinite and not np.isfinite(array).all():
                raise ModelError(f"{self.kind}: {name} holds numbers that are not finite.")
        self.check()

    def require(self, is_so: Any, what: str) -> None:
        """A ModelError that says what is wrong with a predictor of this kind, unless it is so."""
        if not is_so:
            raise ModelError(f"{self.kind}: {what}.")

    @classmethod
    def made(cls, arrays: Iterable[Any], **others: Any) -> Self:
        """Of arrays in the order of `layout`, copied and of its types, and the other fields."""
        types = [dtype for dtype, _ in cls.layout.values()]
        copies = (as_array(array, dtype) for array, dtype in zip(arrays, types, strict=True))
        return cls(**dict(zip(cls.layout, copies, strict=True)), **others)

    def pieces(self) -> Pieces:
        every = {field.name: getattr(self, field.name) for field in fields(self)}
        parts = {name: value for name, value in every.items() if isinstance(value, Predictor)}
        settings = {
            name: value
            for name, value in every.items()
            if name not in self.layout and name not in parts
        }
        return Pieces(self.kind, settings, {name: every[name] for name in self.layout}, parts)

    @classmethod
    def from_pieces(cls, pieces: Pieces) -> Self:
        """The predictor, or a ModelError: the names and types must be those of the fields."""
        given = {**pieces.settings, **pieces.arrays, **pieces.parts}
        types = get_type_hints(cls)
        names = [field.name for field in fields(cls)]
        if sorted(given) != sorted(names) or sorted(pieces.arrays) != sorted(cls.layout):
            raise ModelError(f"{cls.kind}: holds {sorted(given)}, must hold {sorted(names)}.")
        for name, value in given.items():
            if not _is_a(value, types[name]):
                raise ModelError(f"{cls.kind}: {name} is {shown(value)}: of a wrong type.")
        return cls(**given)


def _is_a(value, wanted) -> bool:
    if wanted is float:
        return type(value) in (int, float) and bool(np.isfinite(value))
    if wanted in (int, str, bool):
        return type(value) is wanted
    return isinstance(value, wanted)


def _check_array(kind, name, array, dtype, dimensions, lengths) -> None:
    """The type and the shape; a dimension that is met for the first time gets its length here."""
    if array.dtype != dtype or array.ndim != len(dimensions):
        raise ModelError(
            f"{kind}: {name} is {array.dtype} of {array.ndim} dimensions, must be {dtype} of "
            f"{len(dimensions)}."
        )
    for dimension, length in zip(dimensions, array.shape, strict=True):
        if lengths.setdefault(dimension, length) != length:
            raise ModelError(
                f"{kind}: {name} has {length} {dimension}, elsewhere {lengths[dimension]}."
            )


def as_array(values, dtype: str) -> np.ndarray:
    """A contiguous copy: what is fitted may change, a predictor does not."""
    return np.array(values, dtype=np.dtype(dtype), order="C")
