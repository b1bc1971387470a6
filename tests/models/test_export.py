import json

import numpy as np
import pytest
from fitted import FITS, fitted, model

from ecoc_bench.errors import ModelError
from ecoc_bench.models.export.as_json import to_json
from ecoc_bench.models.export.compare import Comparison, compared, rows_to_compare
from ecoc_bench.models.file import save
from ecoc_bench.models.predictors.linear import Linear

NOT_JSON = {"naive_bayes", "pipeline"}  # by skops
# Missing values take every branch of C4.5 in part; sigmoids have no operators, either.
NOT_ONNX = NOT_JSON | {"c45", "c45_code", "secc_c45", "sigmoids"}


@pytest.mark.parametrize("name", FITS)
def test_json_predicts_as_the_model_or_is_refused(name, tmp_path):
    if name in NOT_JSON:
        with pytest.raises(ModelError, match="no JSON"):
            to_json(model(name), tmp_path / "model.json")
        return
    found = to_json(model(name), tmp_path / "model.json")
    assert found.agrees
    assert found.rows > 500


def test_a_linear_model_can_be_read_by_hand(tmp_path):
    data, inputs, estimator = fitted("ridge")
    to_json(model("ridge"), tmp_path / "model.json")
    text = json.loads((tmp_path / "model.json").read_text())
    x = (data.X[0] - text["inputs"]["shift"]) / text["inputs"]["scale"]
    arrays = text["predictor"]["arrays"]
    scores = x @ np.array(arrays["weights"]) + arrays["bias"]
    best = estimator.predict(inputs.transform(data.X[:1]))[0]
    assert text["table"]["classes"][scores.argmax()] == data.classes[best]
    assert text["predictor"]["how"] == Linear.__doc__


@pytest.mark.parametrize("name", FITS)
def test_onnx_predicts_as_the_model_or_is_refused(name, tmp_path):
    for module in ("onnx", "onnxruntime"):
        pytest.importorskip(module, reason="needs the extra onnx")
    from ecoc_bench.models.export.as_onnx import to_onnx

    path = tmp_path / "model.onnx"
    if name in NOT_ONNX:
        with pytest.raises(ModelError, match="has no ONNX operators"):
            to_onnx(model(name), path)
        assert not path.exists()
        return
    assert to_onnx(model(name), path).agrees


def test_the_command_writes_next_to_the_model(command, tmp_path):
    save(model("ridge"), tmp_path / "model.ecoc")
    result = command("export", tmp_path / "model.ecoc", "--to", "json")
    assert result.exit_code == 0
    assert result.stdout == f"{tmp_path / 'model.json'}\n"
    assert "520 rows compared: 0 other predictions" in result.stderr


def test_a_mismatch_ends_with_3(command, tmp_path, monkeypatch):
    save(model("ridge"), tmp_path / "model.ecoc")
    monkeypatch.setattr("ecoc_bench.models.export.as_json._predictor", lambda node: Skewed())
    assert command("export", tmp_path / "model.ecoc", "--to", "json").exit_code == 3


class Skewed:
    def outputs(self, X):
        return np.tile(np.arange(11.0), (len(X), 1))


def test_a_part_that_the_format_does_not_have_ends_with_2(command, tmp_path):
    save(model("naive_bayes"), tmp_path / "model.ecoc")
    result = command("export", tmp_path / "model.ecoc", "--to", "json")
    assert result.exit_code == 2
    assert "kept by skops" in result.stderr


def test_either_of_two_classes_alike_is_right():
    one = model("ridge")
    rows = rows_to_compare(one)
    P = one.probabilities(one.scores(rows))
    second = np.argsort(-P, axis=1)[:, 1]
    assert compared(one, rows, P.argmax(axis=1), P) == Comparison(len(rows), 0, 0.0)
    assert not compared(one, rows, second, P).agrees
