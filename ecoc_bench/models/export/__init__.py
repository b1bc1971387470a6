"""A model for other programs, which must predict what it predicts."""

from collections.abc import Callable
from pathlib import Path

from ..model import Model
from .as_json import to_json
from .as_onnx import to_onnx
from .compare import Comparison

# Each writes a file and compares it with the model.
FORMATS: dict[str, Callable[[Model, Path], Comparison]] = {"onnx": to_onnx, "json": to_json}
