import hashlib
import io
import json
import zipfile

import numpy as np
import pytest
from fitted import FITS, fitted, model
from sklearn.neighbors import KNeighborsClassifier

import ecoc_bench
from ecoc_bench.errors import ModelError
from ecoc_bench.models import archive, file
from ecoc_bench.models.archive import packed, to_npy, unpacked
from ecoc_bench.models.file import from_bytes, load, save, to_bytes
from ecoc_bench.models.model import Model


@pytest.mark.parametrize("name", FITS)
def test_a_file_gives_back_the_scores_to_the_byte(name):
    data, *_ = fitted(name)
    again = from_bytes(to_bytes(model(name)))
    assert again.scores(data.X).tobytes() == model(name).scores(data.X).tobytes()
    assert again.parts.schema == model(name).parts.schema
    assert again.facts == {"target": "class"}


@pytest.mark.parametrize("name", ["forest", "svm_ova"])
def test_the_same_model_gives_the_same_bytes(name):
    data, inputs, estimator = fitted(name)
    again = Model.of(data, inputs, estimator, 1.5, {"target": "class"})
    assert to_bytes(again) == to_bytes(model(name))


def test_load_is_a_name_of_the_package(tmp_path):
    save(model("ridge"), tmp_path / "model.ecoc")
    data, *_ = fitted("ridge")
    names = [model("ridge").classes_[c] for c in data.y]
    assert ecoc_bench.load(tmp_path / "model.ecoc").score(data.X, names) > 0.4


def spoiled(name, change):
    """The bytes of a model after `change(document, arrays)`, with checksums that are right."""
    members = unpacked(to_bytes(model(name)))
    document = json.loads(members.pop("model.json"))
    arrays = {n: np.load(io.BytesIO(raw)) for n, raw in members.items()}
    change(document, arrays)
    members = {n: a if isinstance(a, bytes) else to_npy(a) for n, a in arrays.items()}
    document["sha256"] = {n: hashlib.sha256(raw).hexdigest() for n, raw in members.items()}
    return packed({"model.json": json.dumps(document).encode(), **members})


def put(name, place, value):
    def change(document, arrays):
        arrays[f"{name}.npy"][place] = value

    return change


def retyped(name, dtype):
    def change(document, arrays):
        arrays[f"{name}.npy"] = arrays[f"{name}.npy"].astype(dtype)

    return change


def shorter(name):
    def change(document, arrays):
        arrays[f"{name}.npy"] = arrays[f"{name}.npy"][:-1]

    return change


def said(*keys, value):
    def change(document, arrays):
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value

    return change


def dropped(name):
    def change(document, arrays):
        del arrays[f"{name}.npy"]

    return change


def extra(document, arrays):
    arrays["extra.npy"] = np.zeros(3)


def nested(document, arrays):
    for _ in range(9):
        document["predictor"]["parts"] = {"columns": dict(document["predictor"])}


def pickled(document, arrays):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.array([print], dtype=object))
    arrays["predictor/bias.npy"] = out.getvalue()


def huge(document, arrays):
    raw = to_npy(np.zeros(3))
    arrays["predictor/bias.npy"] = raw.replace(b"(3,), }" + b" " * 11, b"(3" + b"0" * 11 + b",), }")


def two_parents(document, arrays):
    """The second test of the tree gets the children of the first."""
    n, first = (arrays[f"predictor/{name}.npy"] for name in ("n_children", "first_child"))
    a, b = np.flatnonzero(n)[:2]
    n[a], first[a] = n[b], first[b]


FAULTS = [
    ("ridge", put("predictor/weights", (0, 0), np.nan), "not finite"),
    ("ridge", put("predictor/weights", (0, 0), 9.0), "other scores"),
    ("ridge", retyped("predictor/weights", "<f4"), "not an array that a model has"),
    ("ridge", retyped("predictor/weights", "<i8"), "must be float64"),
    ("ridge", shorter("predictor/bias"), "elsewhere 11"),
    ("ridge", shorter("inputs/scale"), "do not fit the columns"),
    ("ridge", put("inputs/scale", 0, 0.0), "a scale of 0"),
    ("ridge", shorter("stored/rows"), "stored rows do not fit"),
    ("ridge", put("stored/rows", (0, 0), np.inf), "not finite"),
    ("ridge", put("reference/starts", 1, 10**9), "reference"),
    ("ridge", dropped("predictor/bias"), "is not there"),
    ("ridge", extra, "belongs to nothing"),
    ("ridge", pickled, "not an array that a model has"),
    ("ridge", huge, "not an array that a model has"),
    ("ridge", said("version", value=2), "model.json: version"),
    ("ridge", said("temperature", value=-1.0), "temperature"),
    ("ridge", said("predictor", "kind", value="os.system"), "unknown kind"),
    ("ridge", said("predictor", "settings", value={"x": 1}), "must hold"),
    ("ridge", said("table", "classes", value=["a"] * 11), "one name"),
    ("ridge", said("table", "columns", 0, value=3), "columns"),
    ("ridge", said("inputs", value="os"), "inputs"),
    ("svm_ova", nested, "nested too deeply"),
    ("svm_ova", put("predictor/index", 0, 10**6), "out of range"),
    ("svm_ova", put("predictor/M", (0, 0), 7), "-1, 0 and +1"),
    ("svm_ova", said("predictor", "decoder", value="x"), "predictor.decoder"),
    ("svm_ova", said("predictor", "settings", "decoder", value="x"), "unknown decoder"),
    ("svm_ova", put("predictor/columns/degree", 0, 10**9), "degree"),
    ("forest", put("predictor/left", 0, 0), "does not come after its parent"),
    ("forest", put("predictor/right", 0, 10**6), "does not come after its parent"),
    ("forest", put("predictor/feature", 0, 10**6), "feature is out of range"),
    ("forest", put("predictor/roots", 1, -5), "roots out of order"),
    ("forest", said("predictor", "settings", "n_features", value=10**12), "does not fit"),
    ("forest", said("predictor", "settings", "gives", value="x"), "gives"),
    ("c45", put("predictor/first_child", 0, 0), "does not come after its parent"),
    ("c45", put("predictor/n_children", 0, 10**9), "children out of range"),
    ("c45", two_parents, "two parents"),
    ("stumps_pairs", put("predictor/columns/features", 0, -1), "feature is out of range"),
    ("secc_c45", put("predictor/alphas", 0, np.inf), "not finite"),
    ("naive_bayes", put("predictor/archive", slice(None, 40), 0), "not a whole zip"),
    ("naive_bayes", said("predictor", "settings", "n_classes", value=7), "classes"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "message"), FAULTS)
def test_a_file_that_does_not_add_up_is_refused_with_a_sentence(name, change, message, tmp_path):
    path = tmp_path / "model.ecoc"
    path.write_bytes(spoiled(name, change))
    with pytest.raises(ModelError, match="not a model, or damaged") as caught:
        load(path)
    assert message in str(caught.value)
    assert "Get a new copy" in str(caught.value)


def test_a_flipped_byte_is_noticed():
    raw = bytearray(to_bytes(model("ridge")))
    raw[len(raw) // 2] ^= 1
    with pytest.raises(ModelError):
        from_bytes(bytes(raw))


@pytest.mark.parametrize("raw", [b"", b"PK\3\4", b"a,b\n1,2\n", packed({"model.json": b"[]"})])
def test_other_files_are_no_models(raw):
    with pytest.raises(ModelError):
        from_bytes(raw)


def test_no_such_file_and_a_folder(tmp_path):
    with pytest.raises(ModelError, match="no such file"):
        load(tmp_path / "nothing.ecoc")
    with pytest.raises(ModelError, match="folder"):
        load(tmp_path)


def test_a_bomb_is_not_uncompressed(monkeypatch):
    monkeypatch.setattr(archive, "LARGEST", 10_000)
    with pytest.raises(ModelError, match="at most 10000 are allowed"):
        from_bytes(packed({"model.json": b" " * 10_001}))


def test_two_members_of_one_name_and_other_compressions_are_refused():
    for compression, names in ((zipfile.ZIP_BZIP2, ["a"]), (zipfile.ZIP_STORED, ["a", "a"])):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", compression) as made, pytest.warns() if names[1:] else made:
            for name in names:
                made.writestr(name, b"x")
            made.close()
        with pytest.raises(ModelError, match=r"one name|not deflated"):
            unpacked(out.getvalue())


def test_a_large_file_is_not_read(monkeypatch, tmp_path):
    monkeypatch.setattr(file, "LARGEST_FILE", 100)
    save(model("ridge"), tmp_path / "model.ecoc")
    with pytest.raises(ModelError, match="more than 100 bytes"):
        load(tmp_path / "model.ecoc")


def test_types_that_are_not_trusted_cannot_be_saved():
    data, inputs, _ = fitted("naive_bayes")
    neighbours = KNeighborsClassifier(algorithm="kd_tree").fit(inputs.transform(data.X), data.y)
    with pytest.raises(ModelError, match="may not hold"):
        Model.of(data, inputs, neighbours, 1.0, {})


def test_the_types_of_a_foreign_classifier_are_told():
    assert model("pipeline").parts.predictor.types == [
        "sklearn.naive_bayes.GaussianNB",
        "sklearn.pipeline.Pipeline",
        "sklearn.preprocessing._data.StandardScaler",
    ]


def test_facts_must_be_json():
    data, inputs, estimator = fitted("ridge")
    odd = Model.of(data, inputs, estimator, 1.0, {"when": object()})
    with pytest.raises(ModelError, match="values of JSON"):
        to_bytes(odd)
