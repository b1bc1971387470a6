"""An ONNX graph that grows node by node; its values are named by the order in which they come."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...errors import shown

OPSETS = {"": 17, "ai.onnx.ml": 3}
PRODUCER = "ecoc-bench"


class Graph:
    """Nodes, constants, inputs and outputs; methods give the name of a value."""

    def __init__(self) -> None:
        from onnx import TensorProto, helper

        self._helper = helper
        self._types = {"double": TensorProto.DOUBLE, "string": TensorProto.STRING}
        self._float = TensorProto.FLOAT
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._inputs: list[Any] = []
        self._outputs: list[Any] = []

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        """The value of an operator of these values."""
        name = f"v{len(self._nodes)}"
        node = self._helper.make_node(operator, list(inputs), [name], domain=domain, **attributes)
        self._nodes.append(node)
        return name

    def constant(self, array: np.ndarray) -> str:
        from onnx import numpy_helper

        name = f"c{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def texts(self, names: Sequence[str]) -> str:
        return self.constant(np.array(names, dtype=object))

    def take(self, name: str, kind: str, shape: list) -> str:
        """An input of the graph."""
        self._inputs.append(self._helper.make_tensor_value_info(name, self._types[kind], shape))
        return name

    def give(self, name: str, kind: str, shape: list, value: str) -> None:
        """An output of the graph."""
        self._nodes.append(self._helper.make_node("Identity", [value], [name]))
        self._outputs.append(self._helper.make_tensor_value_info(name, self._types[kind], shape))

    def joined(self, values: list[str]) -> str:
        """Columns next to one another."""
        return values[0] if len(values) == 1 else self.add("Concat", *values, axis=1)

    def columns(self, value: str, which: np.ndarray) -> str:
        return self.add("Gather", value, self.constant(which.astype(np.int64)), axis=1)

    def as_double(self, value: str) -> str:
        return self.add("Cast", value, to=self._types["double"])

    def rounded(self, value: str) -> str:
        """In single precision, then in double precision again."""
        return self.as_double(self.add("Cast", value, to=self._float))

    def encoded(self, names: str, column: int, categories: Sequence[str]) -> str:
        """The index of each name among the categories, NaN for others."""
        one = self.columns(names, np.array([column]))
        keys = [*categories] or [""]
        codes = self.add(
            "LabelEncoder", one, domain="ai.onnx.ml", keys_strings=keys,
            values_floats=[float(i) if categories else float("nan") for i in range(len(keys))],
            default_float=float("nan"),
        )  # fmt: skip
        return self.as_double(codes)

    def product(self, value: str, matrix: np.ndarray) -> str:
        """The rows of a value times a matrix."""
        return self.add("MatMul", value, self.constant(np.asarray(matrix, dtype=np.float64)))

    def plus(self, value: str, row: np.ndarray) -> str:
        return self.add("Add", value, self.constant(np.asarray(row, dtype=np.float64)))

    def times(self, value: str, row: Any) -> str:
        factors = np.atleast_1d(np.asarray(row, dtype=np.float64))
        return self.add("Mul", value, self.constant(factors))

    def serialized(self, facts: dict[str, Any]) -> bytes:
        """The bytes of the checked graph."""
        import onnx

        graph = self._helper.make_graph(
            self._nodes, PRODUCER, self._inputs, self._outputs, self._constants
        )
        opsets = [self._helper.make_opsetid(domain, v) for domain, v in OPSETS.items()]
        model = self._helper.make_model(
            graph, opset_imports=opsets, producer_name=PRODUCER, ir_version=8
        )
        note = self._helper.set_model_props
        note(model, {"facts": shown(json.dumps(facts))})
        onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)
