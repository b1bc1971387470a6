"""Every mistake in a config: one clear message with file and key, exit code 2, nothing fitted."""

import pytest
from runs import SMALL

from ecoc_bench.errors import ConfigError
from ecoc_bench.experiment.config import config_names, find_config, read_config


def test_short_forms_mean_what_they_say(config):
    e = read_config(config())
    assert [d.name for d in e.datasets] == ["glass", "vowel"]
    assert e.learners[0].type == "svm"
    assert e.learners[0].params == {"kernel": "poly", "degree": 2, "gamma": "1/d"}
    assert e.codes[2].params == {"columns": 8, "tries": 50}
    assert e.evaluation.folds == 3
    assert e.evaluation.original_split


def test_a_learner_may_be_named_twice_with_other_settings(config):
    text = SMALL.replace("  svm:", "  hard: {type: svm, C: 100, inputs: raw}\n  svm:")
    e = read_config(config(text))
    assert [(s.name, s.type, s.inputs) for s in e.learners] == [
        ("hard", "svm", "raw"),
        ("svm", "svm", None),
    ]


def test_the_normal_form_reads_back_the_same(config):
    from ecoc_bench.experiment.config import parse_config

    e = read_config(config())
    assert parse_config(e.model_dump(mode="json"), "again", e.folder) == e


@pytest.mark.parametrize("name", config_names())
def test_every_shipped_config_is_valid_and_titled(name):
    e = read_config(find_config(name))
    assert e.name == name
    assert e.title


def change(old, new):
    assert old in SMALL
    return SMALL.replace(old, new)


MISTAKES = {
    "unknown key": (SMALL + "fold: 3\n", "unknown key 'fold'"),
    "unknown inner key": (change("folds: 3", "fold: 3"), "evaluation: unknown key 'fold'. Did you mean 'folds'?"),
    "wrong type": (change("folds: 3", "folds: three"), "evaluation.folds: input should be a valid integer"),
    "boolean for a number": (change("folds: 3", "folds: true"), "evaluation.folds"),
    "out of range": (change("folds: 3", "folds: 1"), "evaluation.folds: input should be greater than or equal to 2"),
    "missing key": (change("seed: 7", "").replace("decoders: [hamming, loss]", ""), "decoders: this key is missing"),
    "empty list": (change("[glass, vowel]", "[]"), "datasets:"),
    "not a list": (change("[glass, vowel]", "glass"), "datasets: must be a list. Got 'glass' instead"),
    "unknown data set": (change("glass", "glas"), "datasets[0]: unknown data set 'glas'. Did you mean 'glass'?"),
    "unknown code": (change("all_pairs", "all_pair"), "codes[1]: unknown code 'all_pair'. Did you mean 'all_pairs'?"),
    "unknown learner": (change("svm:", "swm:"), "learners.swm: unknown learner 'swm'. Did you mean 'svm'?"),
    "unknown decoder": (change("hamming", "haming"), "decoders[0]: unknown decoder 'haming'. Did you mean 'hamming'?"),
    "unknown learner parameter": (change("degree", "degre"), "learners.svm: unknown parameter 'degre'. Did you mean 'degree'?"),
    "unknown code parameter": (change("tries", "trys"), "codes[2]: unknown parameter 'trys'. Did you mean 'tries'?"),
    "wrong learner value": (change("degree: 2", "degree: two"), "learners.svm: fails on a toy problem: InvalidParameterError"),
    "wrong inputs": (change("degree: 2", "inputs: scaled"), "learners.svm.inputs"),
    "wrong code value": (change("columns: 8", "columns: many"), "codes[2]: columns must be a whole number"),
    "duplicate names": (change("glass, vowel", "glass, glass"), "datasets: the name 'glass' is used twice"),
    "duplicate keys": (SMALL + "seed: 8\n", ":10: the key 'seed' is written twice"),
    "python tag": (change("seed: 7", "seed: !!python/object/apply:os.system ['true']"), ":3: could not determine a constructor for the tag"),
    "broken yaml": (change("[glass, vowel]", "[glass, vowel"), "not valid YAML"),
    "not a mapping": ("- 1\n- 2\n", "must be a mapping"),
    "empty file": ("", "must be a mapping"),
    "name that would leave the folder": (change("name: small", "name: ../small"), "name:"),
    "options without a path": (change("glass,", "{name: glass, target: x},"), "datasets[0]: 'target' goes with a 'path'"),
    "missing file": (change("glass,", "{name: mine, path: no.csv},"), "no.csv: no such file"),
    "missing matrix": (change("ova,", "{name: mine, matrix: no.csv},"), "codes[0]:"),
    "too many folds": (change("folds: 3", "folds: 100"), "the largest class of 'glass' has only 76 rows"),
    "unknown paper": (SMALL + "paper: allwein2000.table9\n", "paper"),
    "bad import": (change("hamming", "'no_such_module:f'"), "decoders[0]: cannot import module 'no_such_module'"),
    "bad attribute": (change("hamming", "'math:nothing'"), "decoders[0]: module 'math' has no 'nothing'"),
    "wrong plug-in": (change("hamming", "'math:floor'"), "decoders[0]: 'math:floor' fails on a toy problem"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gives_one_clear_message_and_exit_code_2(mistake, config, command, tmp_path):
    text, message = MISTAKES[mistake]
    path = config(text)
    result = command("run", path, "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert str(path) in result.stderr
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out").exists()


CSV_MISTAKES = {
    "no target": ("x,label\n1,a\n2,b\n", {"target": "lable"}, "no column 'lable' for target. Did you mean 'label'?"),
    "class of one": ("x,class\n1,a\n2,a\n3,b\n", {}, "line 4: class 'b' has 1 rows, at least 2 are needed"),
    "ragged": ("x,class\n1,a\n2,a,3\n", {}, "line 3: 3 cells, the header has 2"),
    "no label": ("x,class\n1,a\n2,\n", {}, "line 3: no label"),
    "infinite": ("x,class\n1,a\ninf,a\n1,b\n1,b\n", {}, "line 3: column 'x'"),
}  # fmt: skip


@pytest.mark.parametrize("mistake", CSV_MISTAKES)
def test_a_mistake_in_a_csv_names_the_line_or_the_column(mistake, config, command, tmp_path):
    text, options, message = CSV_MISTAKES[mistake]
    (tmp_path / "mine.csv").write_text(text)
    entry = (
        "{"
        + ", ".join(f"{k}: {v}" for k, v in {"name": "mine", "path": "mine.csv", **options}.items())
        + "}"
    )
    result = command("run", config(change("glass, vowel", entry)), "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "datasets[0]" in result.stderr
    assert message in result.stderr


def test_a_matrix_of_the_wrong_height_is_a_mistake(config, command, tmp_path):
    (tmp_path / "m.csv").write_text("1,1\n-1,1\n1,-1\n")
    text = change("ova,", "{name: mine, matrix: m.csv},")
    result = command("run", config(text), "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert "codes[0]: the matrix has 3 rows, the data 6 classes" in result.stderr


def test_an_unknown_config_names_the_nearest():
    with pytest.raises(ConfigError, match="Did you mean 'uci_svm'"):
        find_config("uci_swm")


def test_a_missing_config_file_is_said(command, tmp_path):
    result = command("run", tmp_path / "no.yaml")
    assert result.exit_code == 2
    assert "no such file" in result.stderr
