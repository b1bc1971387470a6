"""Data in the format of svmlight: what is read, what is refused, and a run on a sparse matrix."""

import gzip
import re

import numpy as np
import pytest
from runs import invoke, planned, ran
from scipy.sparse import issparse
from sklearn.datasets import dump_svmlight_file

from ecoc_bench.data.formats import load_file
from ecoc_bench.data.inputs import prepare
from ecoc_bench.data.samples import sample
from ecoc_bench.data.sparse import n_bytes
from ecoc_bench.errors import ConfigError, DataError
from ecoc_bench.experiment.room import WORKER, need
from ecoc_bench.learners.linear import LeastSquares
from ecoc_bench.learners.svm import SVM
from ecoc_bench.running.workers.pool import mapped

TEXT = """
name: sparse
seed: 3
datasets: [{name: mine, path: mine.svm}]
evaluation: {folds: 2}
learners:
  least_squares: {}
  logistic: {inputs: minmax}
  svm: {kernel: linear, inputs: standardize}
  bayes: {type: "sklearn.naive_bayes:BernoulliNB", inputs: raw}
codes: [ova, {name: dense, columns: 8}]
decoders: [hamming, loss]
"""


def letters(rows=150):
    """Pixel-like data of several classes: small values of letter become zeros."""
    X, y, _ = sample(np.random.default_rng(0), "pendigits", rows)
    return np.where(X < 30, 0.0, X), y + 98  # classes 98 to 107: order by number, not by text


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("svm")
    X, y = letters()
    dump_svmlight_file(X, y, str(folder / "mine.svm"), zero_based=False)
    packed = gzip.compress((folder / "mine.svm").read_bytes())
    (folder / "mine.svm.gz").write_bytes(packed)
    return folder


@pytest.mark.parametrize("name", ["mine.svm", "mine.svm.gz"])
def test_the_numbers_come_back_as_a_sparse_matrix(name, place):
    X, y = letters()
    data = load_file(place / name, name="mine")
    assert issparse(data.X)
    assert data.X.format == "csr"
    np.testing.assert_array_equal(data.X.toarray(), X)
    assert data.classes == tuple(str(c) for c in range(98, 108))
    np.testing.assert_array_equal(data.y, y - 98)
    assert re.fullmatch(r"sparse: \d+% of its values are not 0", data.remarks[0])
    half = load_file(place / name, name="mine", dtype="float32")
    assert n_bytes(half.X) < n_bytes(data.X)
    assert half.X.dtype == np.float32


GOOD = "1 1:2 3:4\n2 2:1\n1 1:1\n2 3:1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "x 1:2\n", "line 5: 'x 1:2' is not a label and index:value pairs"),
        (GOOD + "1 a:2\n", "line 5: '1 a:2' is not"),
        (
            GOOD + "1 3:2 1:5\n",
            "line 5: '1 3:2 1:5' is not a label and index:value pairs of rising",
        ),
        (GOOD + "1,2 1:2\n", "line 5: '1,2 1:2' is not"),
        (GOOD + "1 1:inf\n", "line 5: '1 1:inf' is not"),
        (GOOD + "nan 1:1\n", "line 5: 'nan 1:1' is not"),
        (GOOD + "3 1:2\n", "class '3' has 1 rows, at least 2 are needed. Merge"),
        ("1 1:1\n1 1:1\n", "1 classes to learn, at least 2"),
        ("", "no rows with attributes"),
        ("x,label\n1,a\n", "line 1: 'x,label' is not"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text, message, tmp_path):
    (tmp_path / "mine.svm").write_text(text)
    with pytest.raises(DataError) as error:
        load_file(tmp_path / "mine.svm", name="mine")
    assert message in str(error.value)


def test_rare_classes_are_kept_or_dropped_and_comments_are_skipped(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("# made by hand\n" + GOOD.replace("\n", " # note\n") + "-1 1:2\n")
    kept = load_file(path, "svmlight", name="mine", rare_classes="keep")
    assert (kept.classes, kept.y.tolist()) == (("-1", "1", "2"), [1, 2, 1, 2, 0])
    dropped = load_file(path, "svmlight", name="mine", rare_classes="drop")
    assert (dropped.classes, dropped.y.tolist()) == (("1", "2"), [0, 1, 0, 1])
    with pytest.raises(DataError, match="'drop' goes with a table of named columns"):
        load_file(path, "svmlight", name="mine", drop=["x1"])


def test_inputs_are_scaled_and_zeros_stay_zeros(place):
    X = load_file(place / "mine.svm", name="mine").X
    nominal = np.zeros(X.shape[1], dtype=bool)
    for mode in ("raw", "minmax", "standardize"):
        (Z,) = prepare(mode, nominal, X)
        assert Z.nnz == X.nnz
    dense = X.toarray()
    np.testing.assert_allclose(
        prepare("minmax", nominal, X)[0].toarray(), dense / dense.max(axis=0)
    )
    np.testing.assert_allclose(
        prepare("standardize", nominal, X)[0].toarray(), dense / dense.std(axis=0)
    )


def test_workers_map_the_three_arrays_of_a_sparse_matrix(place, tmp_path):
    data = load_file(place / "mine.svm", name="mine")
    X = mapped({"mine": data}, str(tmp_path))["mine"].X
    assert (X != data.X).nnz == 0
    for part in (X.data, X.indices, X.indptr):
        while part.base is not None and not isinstance(part, np.memmap):
            part = part.base
        assert isinstance(part, np.memmap)


def test_a_run_has_the_same_rows_for_one_worker_and_for_two(place, tmp_path):
    one = ran(TEXT, place, "--jobs", "1")
    rows = (one / "results.csv").read_bytes()
    assert rows.count(b"\n") == 1 + 4 * 2 * 2 * 2
    two = tmp_path / "two"
    found = invoke("run", str(place / "config.yaml"), "--out", str(two), "--jobs", "2")
    assert found.exit_code == 0, found.stderr
    assert (two / "results.csv").read_bytes() == rows


def test_margins_of_a_sparse_matrix_are_those_of_the_dense_one(place):
    data = load_file(place / "mine.svm", name="mine")
    Y = np.where(np.arange(10)[:, None] == np.arange(10), 1, -1)[data.y]
    for learner in (LeastSquares(), SVM(kernel="linear", solver="libsvm")):
        (Z,) = prepare("minmax", data.nominal, data.X)
        F = learner.fitted(Z, Y).margins(Z)
        np.testing.assert_allclose(
            F, learner.fitted(Z.toarray(), Y).margins(Z.toarray()), atol=1e-2
        )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("least_squares: {}", "adaboost: {}", "learners.adaboost: it needs a dense matrix, but"),
        ("least_squares: {}", "c45: {}", "learners.c45: it needs a dense matrix"),
        ("inputs: minmax", "inputs: coded", "learners.logistic.inputs: 'coded' is for tables"),
        ("path: mine.svm", "path: mine.svm, pca: 2", "pca would make a sparse matrix dense"),
        ("path: mine.svm", "path: mine.svm, target: x", "'target' goes with a table of named"),
        ("decoders:", "methods: [kesler]\ndecoders:", "methods.kesler: it needs a dense matrix"),
    ],
)
def test_what_needs_a_dense_matrix_is_refused_with_its_key(old, new, message, place):
    path = place / "refused.yaml"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises((ConfigError, DataError)) as error:
        planned(path)
    assert message in str(error.value)


def test_room_counts_the_cells_that_are_not_zero(place):
    (place / "config.yaml").write_text(TEXT)
    plan = planned(place / "config.yaml")
    X = plan.datasets["mine"].X
    parts = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    assert need(plan, []).parent == WORKER + parts


def test_show_dataset_says_what_a_sparse_file_holds(place):
    shown = invoke("show", "dataset", str(place / "mine.svm")).stdout
    assert "svmlight" in shown
    assert "98 " in shown
    assert "of its values are not 0" in shown
