"""A model as a file, and back: a zip of JSON and arrays that is checked before it is believed.

`model.json` holds what is not an array, and the SHA-256 of each array's .npy file. Nothing in a
file is code, and nothing is unpickled. What is read back is checked: the size, the checksums, the
types and shapes of arrays, numbers that must be finite, indices that must be in range. At last, the
stored rows must get their stored scores.
"""

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..data.inputs import INPUTS, FittedInputs
from ..errors import ModelError, UserError
from ..files import parse_json, write_atomically
from .archive import from_npy, packed, to_npy, unpacked
from .model import Model, Parts, check_stored
from .predictors import Pieces, Predictor, predictor_from
from .reference import Reference
from .schema import Schema

JSON = "model.json"
LARGEST_FILE = 2**30  # bytes
LARGEST_JSON = 2**26
DEEPEST = 5  # predictors inside of predictors


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Columns(_Strict):
    target: str
    columns: list[str]
    categories: list[list[str] | None]
    classes: list[str]
    labels: list[str] | list[bool] | list[int] | list[float]


class _Predictor(_Strict):
    kind: str
    settings: dict[str, Any]
    arrays: dict[str, str]  # their members of the archive
    parts: dict[str, "_Predictor"]


class _Document(_Strict):
    format: Literal["ecoc-bench model"]
    version: Literal[1]
    table: _Columns
    inputs: Literal[INPUTS]  # type: ignore[valid-type]
    predictor: _Predictor
    temperature: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    facts: dict[str, Any]
    sha256: dict[str, str]  # of the members


def save(model: Model, path: str | Path) -> None:
    """Write the model; the same model gives the same bytes."""
    write_atomically(Path(path), to_bytes(model))


def load(path: str | Path) -> Model:
    """The model of a file that passes every check; otherwise a ModelError says what is wrong."""
    path = Path(path).expanduser()
    try:
        if path.is_dir():
            raise ModelError("it is a folder.")
        if path.stat().st_size > LARGEST_FILE:
            raise ModelError(f"it has more than {LARGEST_FILE} bytes.")
        return from_bytes(path.read_bytes())
    except FileNotFoundError:
        raise ModelError(f"{path}: no such file. Check the path.") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path}: cannot be read ({error}). Check the path.") from None
    except MemoryError:
        raise ModelError(f"{path}: needs more memory than there is.") from None
    except UserError as error:
        raise ModelError(
            f"{path}: not a model, or damaged: {error} Get a new copy, or make it again with "
            "`ecoc-bench try`."
        ) from None


def to_bytes(model: Model) -> bytes:
    """The file of a model."""
    parts, arrays = model.parts, _own_arrays(model.parts)
    predictor = _described(parts.predictor, "predictor", arrays)
    members = {f"{name}.npy": to_npy(array) for name, array in arrays.items()}
    schema = parts.schema
    document = {
        "format": "ecoc-bench model",
        "version": 1,
        "table": {
            "target": schema.target,
            "columns": schema.columns,
            "categories": schema.categories,
            "classes": schema.classes,
            "labels": schema.labels,
        },
        "inputs": parts.inputs.mode,
        "predictor": predictor,
        "temperature": parts.temperature,
        "facts": parts.facts,
        "sha256": {name: hashlib.sha256(raw).hexdigest() for name, raw in members.items()},
    }
    try:
        text = json.dumps(document, indent=1, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise ModelError(f"the facts of a model must be values of JSON ({error}).") from None
    return packed({JSON: text.encode(), **members})


def _own_arrays(parts: Parts) -> dict[str, np.ndarray]:
    """The arrays that are not the predictor's."""
    inputs, reference = parts.inputs, parts.reference
    lengths = np.array([len(values) for values in inputs.values], dtype="<i8")
    return {
        "inputs/means": inputs.means.astype("<f8"),
        "inputs/values": np.concatenate([np.empty(0), *inputs.values]).astype("<f8"),
        "inputs/lengths": lengths,
        "inputs/shift": inputs.shift.astype("<f8"),
        "inputs/scale": inputs.scale.astype("<f8"),
        "reference/points": reference.points,
        "reference/counts": reference.counts,
        "reference/starts": reference.starts,
        "reference/missing": reference.missing,
        "stored/rows": parts.rows.astype("<f8"),
        "stored/scores": parts.scores.astype("<f8"),
    }


def _described(predictor: Predictor, place: str, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """A predictor as JSON; its arrays are put next to the others, named by their place."""
    pieces = predictor.pieces()
    for name, array in pieces.arrays.items():
        arrays[f"{place}/{name}"] = array
    inner = {name: _described(p, f"{place}/{name}", arrays) for name, p in pieces.parts.items()}
    return {
        "kind": pieces.kind,
        "settings": pieces.settings,
        "arrays": {name: f"{place}/{name}.npy" for name in pieces.arrays},
        "parts": inner,
    }


def from_bytes(raw: bytes) -> Model:
    """The model of a file's bytes."""
    members = unpacked(raw)
    document = _document(members.pop(JSON, b""))
    if sorted(members) != sorted(document.sha256):
        raise ModelError(f"its members are not those that {JSON} names.")
    arrays = {}
    for name, content in members.items():
        if hashlib.sha256(content).hexdigest() != document.sha256[name]:
            raise ModelError(f"{name} has another checksum than {JSON} says.")
        arrays[name] = from_npy(content, name)
    with np.errstate(all="ignore"):  # sums of odd numbers may overflow, and are then refused
        parts = _parts(document, arrays)
    if arrays:
        raise ModelError(f"{min(arrays)} belongs to nothing.")
    check_stored(parts)
    return Model(parts)


def _document(raw: bytes) -> _Document:
    if len(raw) > LARGEST_JSON:
        raise ModelError(f"{JSON} has more than {LARGEST_JSON} bytes.")
    try:
        return _Document.model_validate(parse_json(raw))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))[:200]
        raise ModelError(f"{JSON}: {where}: {first['msg']}.") from None
    except (ValueError, RecursionError):
        raise ModelError(f"{JSON} is not JSON, or not there.") from None


def _parts(document: _Document, arrays: dict[str, np.ndarray]) -> Parts:
    """The parts of a model; takes out of `arrays` what it uses."""
    table = document.table
    schema = Schema(
        table.target,
        tuple(table.columns),
        tuple(None if values is None else tuple(values) for values in table.categories),
        tuple(table.classes),
        tuple(table.labels),
    )
    reference = {
        name: _taken(arrays, f"reference/{name}.npy", "<f8" if name == "points" else "<i8", 1)
        for name in ("points", "counts", "starts", "missing")
    }
    return Parts(
        schema,
        _inputs(document.inputs, schema, arrays),
        _predictor(document.predictor, arrays, DEEPEST),
        document.temperature,
        document.facts,
        Reference(**reference),
        _taken(arrays, "stored/rows.npy", "<f8", 2),
        _taken(arrays, "stored/scores.npy", "<f8", 2),
    )


def _taken(arrays: dict[str, np.ndarray], name: str, dtype: str, ndim: int) -> np.ndarray:
    array = arrays.pop(name, None)
    if array is None or array.dtype.str != dtype or array.ndim != ndim:
        raise ModelError(f"{name} is not there, or not {dtype} of {ndim} dimensions.")
    return array


def _inputs(mode: str, schema: Schema, arrays: dict[str, np.ndarray]) -> FittedInputs:
    """The inputs, whose arrays must fit the columns."""
    means, values, shift, scale = (
        _taken(arrays, f"inputs/{name}.npy", "<f8", 1)
        for name in ("means", "values", "shift", "scale")
    )
    lengths = _taken(arrays, "inputs/lengths.npy", "<i8", 1)
    if not all(np.isfinite(array).all() for array in (means, values, shift, scale)):
        raise ModelError("inputs: numbers that are not finite.")
    if (lengths < 0).any() or (lengths > len(values)).any() or lengths.sum() != len(values):
        raise ModelError("inputs: not the values of each nominal column.")
    each = tuple(np.split(values, np.cumsum(lengths)[:-1])) if len(lengths) else ()
    inputs = FittedInputs(mode, schema.nominal, means, each, shift, scale)
    scaled = inputs.n_inputs if mode in ("standardize", "minmax") else 0
    numbers, names = (0, 0) if mode == "coded" else (sum(~schema.nominal), sum(schema.nominal))
    if len(means) != numbers or len(each) != names or not len(shift) == len(scale) == scaled:
        raise ModelError("inputs: arrays that do not fit the columns.")
    if mode == "standardize" and not scale.all():
        raise ModelError("inputs: a scale of 0.")
    return inputs


def _predictor(node: _Predictor, arrays: dict[str, np.ndarray], deepest: int) -> Predictor:
    if not deepest:
        raise ModelError("predictors are nested too deeply.")
    parts = {name: _predictor(part, arrays, deepest - 1) for name, part in node.parts.items()}
    own = {}
    for name, member in node.arrays.items():
        if member not in arrays:
            raise ModelError(f"{member[:200]} is not there, or belongs to two.")
        own[name] = arrays.pop(member)
    return predictor_from(Pieces(node.kind, node.settings, own, parts))
