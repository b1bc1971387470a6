"""A model as one JSON text with its formulas in words: readable without this package."""

import inspect
import json
from pathlib import Path
from typing import Any

import numpy as np

from ...data.inputs import FittedInputs
from ...errors import ModelError
from ...files import parse_json, write_atomically
from ..model import Model
from ..predictors import KINDS, Pieces, Predictor, predictor_from
from ..predictors.base import as_array
from ..scoring import probabilities
from .compare import Comparison, compared, rows_to_compare

SCORES = (
    "The inputs of a row go through the predictor, whose outputs are the scores of the classes. "
    "The class of highest score wins, the first of equals. Probabilities are the softmax of "
    "temperature x scores. Numbers that are not finite are the texts 'nan', 'inf' and '-inf'."
)


def to_json(model: Model, path: Path) -> Comparison:
    """Write the file, read it back, and compare the predictions."""
    parts = model.parts
    document = {
        "format": "ecoc-bench model as JSON",
        "version": 1,
        "how": {"scores": SCORES, "inputs": inspect.getdoc(FittedInputs)},
        "table": {
            "target": parts.schema.target,
            "columns": parts.schema.columns,
            "categories": parts.schema.categories,
            "classes": parts.schema.classes,
        },
        "inputs": {
            "mode": parts.inputs.mode,
            "nominal": parts.inputs.nominal.tolist(),
            "means": parts.inputs.means.tolist(),
            "values": [values.tolist() for values in parts.inputs.values],
            "shift": parts.inputs.shift.tolist(),
            "scale": parts.inputs.scale.tolist(),
        },
        "predictor": _described(parts.predictor),
        "temperature": parts.temperature,
        "facts": parts.facts,
    }
    write_atomically(path, json.dumps(document, indent=1, allow_nan=False) + "\n")
    return _compare(model, parse_json(path.read_bytes()))


def _described(predictor: Predictor) -> dict[str, Any]:
    pieces = predictor.pieces()
    if pieces.kind == "foreign":
        raise ModelError(
            "a classifier that is kept by skops is no JSON. Export a model of another method."
        )
    return {
        "kind": pieces.kind,
        "how": inspect.getdoc(KINDS[pieces.kind]),
        "settings": pieces.settings,
        "arrays": {name: _listed(array) for name, array in pieces.arrays.items()},
        "parts": {name: _described(part) for name, part in pieces.parts.items()},
    }


def _listed(array: np.ndarray) -> list:
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array.tolist()
    return [_listed(row) if row.ndim else _number(row) for row in array]


def _number(value: np.floating) -> float | str:
    return float(value) if np.isfinite(value) else str(float(value))


def _compare(model: Model, document: dict[str, Any]) -> Comparison:
    given = dict(document["inputs"])
    inputs = FittedInputs(
        given["mode"],
        np.array(given["nominal"], dtype=bool),
        np.array(given["means"]),
        tuple(np.array(values) for values in given["values"]),
        np.array(given["shift"]),
        np.array(given["scale"]),
    )
    rows = rows_to_compare(model)
    scores = _predictor(document["predictor"]).outputs(inputs.transform(rows))
    P = probabilities(scores, document["temperature"])
    return compared(model, rows, scores.argmax(axis=1), P)


def _predictor(node: dict[str, Any]) -> Predictor:
    layout = KINDS[node["kind"]].layout
    arrays = {
        name: as_array(values, layout[name][0]).reshape(_shape(values, layout[name][1]))
        for name, values in node["arrays"].items()
    }
    parts = {name: _predictor(part) for name, part in node["parts"].items()}
    return predictor_from(Pieces(node["kind"], node["settings"], arrays, parts))


def _shape(values: list, dimensions: str) -> tuple[int, ...]:
    """The shape of an array; lists forget it where a dimension is empty."""
    n = len(dimensions.split())
    shape = np.shape(values) if values else (0,)
    return (*shape, *[0] * (n - len(shape)))
