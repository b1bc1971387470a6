"""A model as an ONNX graph: numbers and names in, label, probabilities and scores out.

The input `numbers` has the columns of numbers, `names` the nominal ones as texts, both in the order
of the table. A missing number is NaN; any text that is no category is a missing or unseen name.
"""

from pathlib import Path

import numpy as np

from ...errors import ModelError
from ...files import write_atomically
from ..model import Model
from ..schema import Schema
from .compare import Comparison, compared, rows_to_compare
from .onnx_graph import Graph
from .onnx_kinds import written

NO_NAME = "\x1a"  # no category of a table


def to_onnx(model: Model, path: Path) -> Comparison:
    """Write the graph, run it by onnxruntime, and compare the predictions."""
    try:
        import onnx  # noqa: F401
        import onnxruntime
    except ImportError:
        raise ModelError(
            "onnx and onnxruntime are not here. Install them: pip install 'ecoc-bench[onnx]'."
        ) from None
    graph = _graph(model)
    write_atomically(path, graph)
    rows = rows_to_compare(model)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # its warnings are about its own memory
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    labels, P = session.run(["label", "probabilities"], _fed(model.parts.schema, rows))
    index = {name: c for c, name in enumerate(model.parts.schema.classes)}
    found = np.array([index[label] for label in labels.tolist()])
    return compared(model, rows, found, np.asarray(P))


def _fed(schema: Schema, rows: np.ndarray) -> dict[str, np.ndarray]:
    """Coded rows as the inputs of the graph."""
    nominal = schema.nominal
    fed = {"numbers": rows[:, ~nominal]} if (~nominal).any() else {}
    if nominal.any():
        columns = [
            [NO_NAME if np.isnan(c) else categories[int(c)] for c in x]
            for x, categories in zip(rows.T, schema.categories, strict=True)
            if categories is not None
        ]
        fed["names"] = np.array(columns, dtype=object).T
    return fed


def _graph(model: Model) -> bytes:
    parts = model.parts
    graph = Graph()
    coded = _coded(graph, parts.schema)
    scores = written(graph, parts.predictor, _inputs(graph, parts.inputs, coded))
    tempered = graph.add("Mul", scores, graph.constant(np.array([parts.temperature])))
    best = graph.add("ArgMax", scores, axis=1, keepdims=0)
    graph.give(
        "label", "string", [None], graph.add("Gather", graph.texts(parts.schema.classes), best)
    )
    k = len(parts.schema.classes)
    graph.give("probabilities", "double", [None, k], graph.add("Softmax", tempered, axis=1))
    graph.give("scores", "double", [None, k], scores)
    return graph.serialized(model.facts)


def _coded(graph: Graph, schema: Schema) -> str:
    """The columns as `Dataset.X` has them."""
    nominal, columns = schema.nominal, []
    if (~nominal).any():
        columns.append(graph.take("numbers", "double", [None, int((~nominal).sum())]))
    if nominal.any():
        names = graph.take("names", "string", [None, int(nominal.sum())])
        known = [values for values in schema.categories if values is not None]
        columns += [graph.encoded(names, j, values) for j, values in enumerate(known)]
    together = graph.joined(columns)
    order = np.argsort(np.r_[np.flatnonzero(~nominal), np.flatnonzero(nominal)])
    return graph.columns(together, order)


def _inputs(graph: Graph, inputs, coded: str) -> str:
    """The inputs of the predictor, by the mode's rules."""
    if inputs.mode == "coded":
        return coded
    kinds = []
    if not inputs.nominal.all():
        x = graph.columns(coded, np.flatnonzero(~inputs.nominal))
        means = graph.constant(inputs.means[None])
        kinds.append(graph.add("Where", graph.add("IsNaN", x), means, x))
    for j, values in zip(np.flatnonzero(inputs.nominal), inputs.values, strict=True):
        if len(values):
            x = graph.columns(coded, np.array([j]))
            same = graph.add("Equal", x, graph.constant(values[None]))
            kinds.append(graph.as_double(same))
    Z = graph.joined(kinds)
    shift, scale = (graph.constant(a[None]) for a in (inputs.shift, inputs.scale))
    if inputs.mode == "standardize":
        return graph.add("Div", graph.add("Sub", Z, shift), scale)
    if inputs.mode == "minmax":
        return graph.add("Add", graph.add("Mul", Z, scale), shift)
    return Z
