"""Bad input of every kind: exit code 2, a sentence that names the place, and nothing written."""

import copy

import pytest
import yaml
from malformed import (
    CORPUS,
    GOOD,
    LEARNER,
    PARTS,
    attempt,
    change,
    prepared,
    refused,
    tree,
    with_part,
    write,
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    yield from prepared(tmp_path, monkeypatch)


def test_the_good_config_runs_and_writes_into_its_own_folder_only(folder):
    path = write(folder, GOOD)
    before = tree(folder.parents[1])
    result = attempt(path)
    assert result.exit_code == 0, result.stderr
    assert (folder / "here" / "results" / "tiny" / "results.csv").exists()
    assert tree(folder.parents[1]) == before


@pytest.mark.parametrize("case", CORPUS["configs"])
def test_a_bad_config_is_refused(case, folder):
    bad = CORPUS["configs"][case]
    path = write(folder, change((bad["old"], bad["new"])))
    refused(path, bad["says"], str(path))


@pytest.mark.parametrize("case", CORPUS["tables"])
def test_a_bad_table_is_refused(case, folder):
    bad = CORPUS["tables"][case]
    (folder / "mine.csv").write_text(bad["csv"])
    text = with_part("datasets", [{"name": "mine", "path": "mine.csv", "target": "kind"}])
    refused(write(folder, text), "bad.yaml: datasets[0]: ", "mine.csv: ", bad["says"])


@pytest.mark.parametrize("case", CORPUS["books"])
def test_a_bad_matrix_is_refused(case, folder):
    bad = CORPUS["books"][case]
    (folder / "book.csv").write_text(bad["csv"])
    refused(write(folder, GOOD), "bad.yaml: codes[1]: ", bad["says"])


@pytest.mark.parametrize("case", CORPUS["plugins"])
def test_a_bad_plug_in_is_refused(case, folder):
    bad = CORPUS["plugins"][case]
    (folder / "plug.py").write_text(bad["python"] if "python" in bad else LEARNER + bad["base"])
    key, value = PARTS[bad["as"]]
    refused(write(folder, with_part(key, value)), f"bad.yaml: {key}", bad["says"])


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raise KeyError('three')", "'plug:f' fails on margins of real data: KeyError: 'three'"),
        ("raise SystemExit(0)", "'plug:f' fails on margins of real data: SystemExit: 0"),
        ("D[0, 0] = float('nan')", "it gave float64 of shape (3, 3), some NaN"),
        ("D = D[:, :2]", "3 examples and 3 classes, it gave float64 of shape (3, 2)"),
        ("D = None", "it gave object of shape ()"),
    ],
)
def test_a_decoder_that_fails_on_real_data_only_costs_only_its_own_rows(fault, message, folder):
    python = f"def f(M, F):\n    D = -F @ M.T\n    if len(M) == 3: {fault}\n    return D\n"
    (folder / "plug.py").write_text(python)
    path = write(folder, with_part("decoders", ["hamming", "plug:f"]))
    before = tree(folder.parents[1])
    result = attempt(path)
    assert result.exit_code == 1, result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert "Decoder: hamming" in result.stdout
    rows = (folder / "here" / "results" / "tiny" / "results.csv").read_text()
    assert ",hamming," in rows
    assert ",f," not in rows
    assert tree(folder.parents[1]) == before


WRONG = [
    None, True, -1, 2.5, float("nan"), float("-inf"), 2**63, 10**30, "", "../text", "a\0b",
    "\ud800", "[/red]", "x" * 5000, [], [[]], [None], [{}], {"text": 1}, {"name": "../text"},
]  # fmt: skip
FINE = {  # places of the good config where one of these is no mistake
    "title": ["", "../text", "a\0b", "\ud800", "[/red]", "x" * 5000],
    "datasets.0.nominal": [None, []],
    "evaluation.original_split": [True],
    "learners.svm": [None],
    "learners.svm.degree": [True],
    "learners.svm.gamma": [True, 2.5, 2**63],
    "learners.svm.C": [True, 2.5, 2**63],
    "learners.svm.inputs": [None],
    "codes.2.columns": [None],
    "codes.2.tries": [None],
}


def places(part, at=()):
    """The places of all values in a config."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from places(value, (*at, key))


@pytest.mark.parametrize(
    "place", list(places(yaml.safe_load(GOOD))), ids=lambda place: ".".join(map(str, place))
)
def test_a_wrong_value_is_refused_at_every_key(place, folder):
    fine = FINE.get(".".join(map(str, place)), [])
    for value in WRONG:
        if any(value is other or (value == other and value is not True) for other in fine):
            continue
        config = yaml.safe_load(GOOD)
        part = config
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = copy.copy(value)
        says = refused(write(folder, yaml.safe_dump(config)))
        assert "bad.yaml: " + str(place[0]) in says or "a number beyond 64 bits" in says
