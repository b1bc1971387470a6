"""Names in a config and what they stand for; an error names file and key before it complains."""

import numpy as np
import pytest

from ecoc_bench.data.cards import load
from ecoc_bench.errors import ConfigError, DataError, UserError
from ecoc_bench.experiment.config import parse_config
from ecoc_bench.experiment.resolve import Resolved, make_family, read_matrix
from ecoc_bench.learners.svm import SVM

PLAIN = {
    "name": "n",
    "datasets": ["glass"],
    "learners": ["svm"],
    "codes": ["ova"],
    "decoders": ["hamming", "loss"],
}


def resolved(tmp_path, **keys):
    return Resolved(parse_config({**PLAIN, **keys}, "my.yaml", tmp_path), "my.yaml")


def test_every_part_is_found_by_its_name(tmp_path):
    learners = {"soft": {"type": "svm", "C": 0.5}, "adaboost": {"rounds": 3}}
    found = resolved(tmp_path, learners=learners, methods=["adaboost_ecc"])
    assert list(found.learners) == ["soft", "adaboost"]
    assert isinstance(found.learners["soft"], SVM)
    assert found.learners["soft"].C == 0.5
    assert list(found.methods) == ["adaboost_ecc"]
    assert list(found.families) == ["ova"]
    assert set(found.decoders) == {(n, d) for n in learners for d in ("hamming", "loss")}
    assert found.datasets["glass"].n_classes == 6


def test_loss_based_decoding_goes_by_each_learners_own_loss(tmp_path):
    found = resolved(tmp_path, learners={"svm": {}, "adaboost": {"rounds": 3}})
    M, F = np.array([[1], [-1]]), np.array([[0.5], [-2.0]])
    hinge, exponential = (found.decoders[name, "loss"](M, F) for name in ("svm", "adaboost"))
    np.testing.assert_allclose(hinge, [[0.5, 1.5], [3, 0]])
    assert not np.allclose(hinge, exponential)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"datasets": ["glass", "ecolli"]}, r"my.yaml: datasets\[1\]: unknown data set 'ecolli'"),
        ({"learners": ["svmm"]}, "my.yaml: learners.svmm: unknown learner 'svmm'"),
        ({"learners": {"svm": {"sweep": {"C": [1, -1]}}}}, "my.yaml: learners.svm: fails on a toy"),
        ({"methods": ["adabost"]}, "my.yaml: methods.adabost: unknown method 'adabost'"),
        ({"codes": ["ova", {"name": "dense", "colums": 3}]}, r"my.yaml: codes\[1\]: unknown param"),
        ({"codes": ["ova", "ovo"]}, r"my.yaml: codes\[1\]: unknown code 'ovo'"),
        (
            {"decoders": ["loss", "math:pi"]},
            r"my.yaml: decoders\[1\]: 'math:pi' must be a function",
        ),
    ],
)
def test_an_error_names_the_file_and_the_key(keys, message, tmp_path):
    with pytest.raises(UserError, match=message):
        resolved(tmp_path, **keys)


def test_an_error_in_data_stays_one_and_names_the_key(tmp_path):
    (tmp_path / "my.csv").write_text("x,class\n1,a\n2,a\n3,b\n")
    with pytest.raises(DataError, match=r"my.yaml: datasets\[0\]: .*class 'b' has 1 rows"):
        resolved(tmp_path, datasets=[{"name": "mine", "path": "my.csv"}])


def test_levels_of_noise_share_the_data_they_are_levels_of(tmp_path):
    found = resolved(tmp_path, noise=[0, 0.2]).datasets
    assert list(found) == ["glass@0", "glass@0.2"]
    assert found["glass@0"].X is found["glass@0.2"].X
    assert [data.name for data in found.values()] == ["glass@0", "glass@0.2"]


def test_numbers_can_be_taken_as_names(tmp_path):
    data = resolved(tmp_path, datasets=[{"name": "letter", "nominal": "all"}]).datasets["letter"]
    assert data.nominal.all()
    plain = load("letter")
    values = [float(v) for v in data.categories[0]]
    np.testing.assert_array_equal(np.array(values)[data.X[:, 0].astype(int)], plain.X[:, 0])


def test_parameters_of_a_code_are_bound_to_its_family(tmp_path):
    spec = parse_config(
        {**PLAIN, "codes": [{"name": "dense", "columns": 7, "tries": 5}]}, "my.yaml", tmp_path
    ).codes[0]
    family = make_family(spec, tmp_path)
    assert family.random
    assert family.make(5, np.random.default_rng(0)).shape == (5, 7)


def test_a_matrix_of_ones_own_is_read_with_signs_quotes_and_blank_lines(tmp_path):
    (tmp_path / "m.csv").write_text('\ufeff+1,"-1"\n\n 0,1\n-1 , 0\n', encoding="utf-8")
    assert read_matrix(tmp_path / "m.csv").tolist() == [[1, -1], [0, 1], [-1, 0]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,-1\n2,1\n", "m.csv: line 2: cells must be -1, 0 or 1. Got '2'"),
        ("1,-1\n\n1\n", "m.csv: line 3: 1 cells, the first has 2"),
        ("1,1\n1,1\n", "m.csv: "),
    ],
)
def test_a_matrix_that_is_none_is_refused_with_its_line(text, message, tmp_path):
    (tmp_path / "m.csv").write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_matrix(tmp_path / "m.csv")
