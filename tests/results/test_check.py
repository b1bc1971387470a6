"""The regression check on runs: planted faults are found, honest re-runs are not."""

import json
import shutil
from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from runs import REFERENCE, invoke, ran

from ecoc_bench.errors import UserError
from ecoc_bench.experiment import resolve
from ecoc_bench.experiment.config import find_config, parse_config, read_config
from ecoc_bench.files import PACKAGE
from ecoc_bench.results.check.read import unpack
from ecoc_bench.results.check.regression import check
from ecoc_bench.results.check.text import render

QUICK = (PACKAGE.parent / "configs" / "quick.yaml").read_text()
# The support-vector machines of yeast are most of the work of quick.yaml.
PART = {"adaboost": ["glass", "ecoli", "yeast", "vowel", "soybean"], "svm": ["glass"]}


def run_part(text, folder, part=PART):
    """A part of quick.yaml, run in this process into `folder`/out; margins there are used again."""
    for learner, datasets in part.items():
        chosen = [f"dataset={name}" for name in datasets] + [f"learner={learner}"]
        only = [word for pair in chosen for word in ("--only", pair)]
        out = ran(text, folder, *only)
    return out


COPIED = shutil.ignore_patterns("store", "codes", "tables", ".ecoc-bench")  # to be changed


def without(source, folder, query):
    """A copy of a run's folder without the rows of a query."""
    shutil.copytree(source, folder, ignore=COPIED)
    for name in ("results.csv", "mistakes.csv"):
        rows = pd.read_csv(folder / name, dtype=str)
        rows.drop(rows.query(query).index).to_csv(folder / name, index=False)
    return folder


def edited(source, folder, change):
    """A copy of a run's folder with another manifest."""
    shutil.copytree(source, folder, ignore=COPIED)
    facts = json.loads((folder / "manifest.json").read_text())
    change(facts)
    (folder / "manifest.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The committed run of quick.yaml, without the entries that the tests do not fit."""
    folder = tmp_path_factory.mktemp("reference") / "quick"
    left_out = [name for name in PART["adaboost"] if name not in PART["svm"]]
    return without(REFERENCE / "quick", folder, f"learner == 'svm' and dataset in {left_out}")


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    """The folder in which the part of quick.yaml was fitted; `out` there is the run."""
    folder = tmp_path_factory.mktemp("fitted")
    run_part(QUICK, folder)
    return folder


@pytest.fixture
def honest(fitted, tmp_path):
    """A copy of the fitted run, margins and all, for a test to decode again."""
    shutil.copytree(fitted, tmp_path / "honest")
    return tmp_path / "honest"


def names(entries):
    return {(c.key.dataset, c.key.learner, c.key.code, c.key.decoder) for c in entries}


def test_the_committed_reference_is_that_of_the_shipped_config():
    facts = json.loads((REFERENCE / "quick" / "manifest.json").read_text())
    shipped = read_config(find_config("quick"))
    assert parse_config(facts["config"], "manifest.json", shipped.folder) == shipped
    assert facts["exit_code"] == 0
    assert facts["absent"] == []


def test_the_same_version_and_seed_pass(fitted, reference):
    result = invoke("check", fitted / "out", "--against", reference)
    assert result.exit_code == 0, result.stdout
    summary = result.stdout.splitlines()[0]
    assert summary.startswith("72 entries compared: 0 regressions, 0 improvements, ")
    assert summary.endswith(" 0 missing, 0 not comparable")
    # Another processor may round a sum differently, so that entries drift; here they rarely do.
    assert len(check(fitted / "out", reference).of("identical")) > 50


def test_a_run_is_identical_to_itself_and_says_so(fitted):
    result = invoke("check", fitted / "out", "--against", fitted / "out")
    assert result.exit_code == 0
    assert "0 drifted, 72 identical" in result.stdout
    assert len(result.stdout.splitlines()) == 1
    alone = check(fitted / "out" / "results.csv", fitted / "out" / "results.csv")
    assert len(alone.of("identical")) == 72


def test_planted_a_worse_decoder_under_the_same_name_is_caught(honest, reference):
    (honest / "worse_decoder.py").write_text("def loss(M, F):\n    return -F[:, :1] @ M[:, :1].T\n")
    planted = "{name: loss, call: 'worse_decoder:loss'}"
    out = run_part(QUICK.replace("l1, loss]", f"l1, {planted}]"), honest)
    result = invoke("check", out, "--against", reference)
    assert result.exit_code == 3
    found = check(out, reference).of("regression")
    assert {entry.key.decoder for entry in found} == {"loss"}
    assert len(found) == 24  # every entry of it
    assert "decoders.loss: other settings than in the reference." in result.stdout


def test_planted_a_subtly_worse_decoder_is_caught(honest, reference):
    """Hamming decoding in place of the exponential loss: some points worse on some entries."""
    out = run_part(QUICK.replace("l1, loss]", "l1, {name: loss, call: hamming}]"), honest)
    found = check(out, reference)
    assert ("vowel", "adaboost", "ova", "loss") in names(found.of("regression"))
    assert {entry.key.decoder for entry in found.of("regression")} == {"loss"}
    assert found.exit_code() == 3


def test_planted_ties_to_the_highest_class_are_caught(honest, reference, monkeypatch):
    monkeypatch.setattr(
        "ecoc_bench.coding.decoders.predict",
        lambda D: D.shape[1] - 1 - np.argmin(D[:, ::-1], axis=1),
    )
    out = run_part(QUICK, honest)
    assert invoke("check", out, "--against", reference).exit_code == 3
    found = check(out, reference)
    assert ("yeast", "adaboost", "ova", "hamming") in names(found.of("regression"))
    assert {entry.key.decoder for entry in found.of("regression")} == {"hamming"}
    # The other way round the same entries are improvements, which are listed and pass.
    mended = invoke("check", reference, "--against", out)
    assert mended.exit_code == 0
    assert "Improvements, level 0.01" in mended.stdout
    assert names(check(reference, out).of("improvement")) == names(found.of("regression"))


def test_planted_shuffled_labels_are_caught(reference, tmp_path, monkeypatch):
    load = resolve.load_if_here

    def shuffled(name):
        data = load(name)
        data.y[:] = np.random.default_rng(0).permutation(data.y)
        return data

    monkeypatch.setattr("ecoc_bench.experiment.resolve.load_if_here", shuffled)
    out = run_part(QUICK, tmp_path, {"adaboost": ["glass"]})
    found = check(out, reference)
    assert {key[0] for key in names(found.of("regression"))} == {"glass"}
    assert len(found.of("regression")) == 12
    assert found.exit_code(allow_missing=True) == 3


def test_planted_shuffled_column_in_a_file_is_not_compared_but_caught(fitted, reference, tmp_path):
    def other_file(facts):
        facts["data"]["glass"]["sha256"] = "0" * 64

    out = edited(fitted / "out", tmp_path / "other", other_file)
    result = invoke("check", out, "--against", reference)
    assert result.exit_code == 3
    assert "48 entries compared: 0 regressions" in result.stdout
    assert "24 not comparable" in result.stdout
    assert "not comparable: other data: sha256 00000000…" in result.stdout
    assert invoke("check", out, "--against", reference, "--allow-missing").exit_code == 0


def test_a_missing_data_set_is_caught_and_named(fitted, reference, tmp_path):
    out = without(fitted / "out", tmp_path / "less", "dataset == 'soybean'")
    result = invoke("check", out, "--against", reference)
    assert result.exit_code == 3
    assert "12 missing" in result.stdout.splitlines()[0]
    line = next(line for line in result.stdout.splitlines() if line.startswith("soybean"))
    assert line.split() == ["soybean", "all", "all", "all", "missing:", "not", "in", "the", "run"]
    assert invoke("check", out, "--against", reference, "--allow-missing").exit_code == 0


def test_a_data_set_that_was_not_fetched_says_how_to_get_it(fitted, reference, tmp_path):
    less = without(fitted / "out", tmp_path / "less", "dataset == 'soybean'")
    out = edited(less, tmp_path / "unfetched", lambda facts: facts["absent"].append("soybean"))
    assert "`ecoc-bench data fetch soybean` gets it" in render(check(out, reference))


def test_a_missing_fold_is_not_comparable(fitted, reference, tmp_path):
    less = "dataset == 'glass' and fold == '1' and code == 'ova' and decoder == 'l1'"
    report = check(without(fitted / "out", tmp_path / "less", less), reference)
    assert names(report.absent) == {("glass", learner, "ova", "l1") for learner in PART}
    assert not any(entry.missing for entry in report.absent)
    assert report.absent[0].why == "143 test examples, the reference has 214"
    assert report.exit_code() == 3


def test_nothing_compared_is_exit_4(fitted, reference, tmp_path):
    out = without(fitted / "out", tmp_path / "glass", "dataset != 'glass'")
    other = without(reference, tmp_path / "vowel", "dataset != 'vowel'")
    result = invoke("check", out, "--against", other, "--allow-missing")
    assert result.exit_code == 4
    assert result.stdout.startswith("0 entries compared")


@pytest.mark.parametrize("style", ["terminal", "markdown"])
def test_a_csv_alone_is_compared_by_rates(fitted, tmp_path, style):
    shutil.copy(fitted / "out" / "results.csv", tmp_path / "mine.csv")
    against = REFERENCE / "uci_svm" / "results.csv"
    result = invoke(
        "check", tmp_path / "mine.csv", "--against", against, "--allow-missing", "--style", style
    )
    assert result.exit_code == 0, result.stdout
    assert "8 entries compared: 0 regressions" in result.stdout
    assert "Fisher's exact test" in result.stdout
    assert "no manifest on both sides" in result.stdout
    assert ("| glass" in result.stdout) == (style == "markdown")


def test_one_draw_of_other_random_codes_is_judged_by_what_is_assumed(fitted, tmp_path):
    one = without(fitted / "out", tmp_path / "one", "draw != '0'")
    other = edited(one, tmp_path / "other", lambda facts: facts["config"].update(seed=1))
    rows = pd.read_csv(other / "results.csv", dtype=str).assign(errors="0")
    rows.to_csv(other / "results.csv", index=False)
    (other / "mistakes.csv").unlink()
    report = check(one, other)
    tests = {entry.key.code: entry.test for entry in report.entries}
    assert tests == dict.fromkeys(["ova", "all_pairs"], "proportions") | dict.fromkeys(
        ["dense", "sparse"], "assumed"
    )
    assert {entry.key.code for entry in report.of("regression")} == set(tests)
    text = " ".join(render(report).split())
    assert "a standard deviation of 0.1 sqrt(p(1 - p)) is assumed" in text


@pytest.mark.parametrize(
    "change",
    [
        lambda config: config.update(seed=1),
        lambda config: config["learners"][1]["params"].update(rounds=49),
        lambda config: config["datasets"][0].update(noise=0.1),
        lambda config: config["evaluation"].update(folds=4),
    ],
    ids=["seed", "learner", "dataset", "evaluation"],
)
def test_predictions_are_paired_only_with_equal_seeds_and_settings(fitted, tmp_path, change):
    out = fitted / "out"
    other = edited(out, tmp_path / "other", lambda facts: change(facts["config"]))
    tests = {(e.key.dataset, e.key.learner, e.key.code): e.test for e in check(out, other).entries}
    assert tests["glass", "adaboost", "ova"] != "paired"
    assert tests["glass", "adaboost", "dense"] == "spread"
    assert {entry.test for entry in check(out, out).entries} == {"paired"}


@pytest.mark.parametrize("value", ["nan", "-0.1", "0", "1.5", "inf", "-inf"])
@pytest.mark.parametrize(
    "words", [("check", "--against", REFERENCE / "quick", "--alpha"),
              ("stats", "--compare", "code", "--alpha"), ("stats", "--compare", "code", "--rope")]
)  # fmt: skip
def test_a_level_or_width_out_of_range_is_a_usage_error(words, value):
    if words[-1] == "--rope" and value == "1.5":
        value = "101"
    command, *options = words
    result = invoke(command, REFERENCE / "quick", *options, value)
    assert result.exit_code == 2
    assert f"Invalid value for '{words[-1]}'" in result.stderr


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "results.csv").unlink(), "cannot be read"),
        (lambda folder: (folder / "results.csv").write_text("a,b\n1,2\n"), "no column dataset"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "not the folder of a run"),
    ],
)
def test_a_folder_that_is_no_run_is_a_sentence(fitted, tmp_path, spoil, message):
    out = without(fitted / "out", tmp_path / "spoilt", "dataset == 'glass'")
    spoil(out)
    result = invoke("check", out, "--against", fitted / "out")
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("errors", "many", "line 2: a word among the numbers"),
        ("code", "", "line 2: a value is missing"),
        ("n_test", "", "line 2: a value is missing"),
    ],
)
def test_a_csv_with_a_wrong_value_is_refused_by_its_line(fitted, tmp_path, column, value, message):
    rows = pd.read_csv(fitted / "out" / "results.csv", dtype=str)
    rows.loc[0, column] = value
    rows.to_csv(tmp_path / "mine.csv", index=False)
    result = invoke("check", tmp_path / "mine.csv", "--against", fitted / "out")
    assert result.exit_code == 2
    assert message in result.stderr


def test_rows_twice_and_foreign_mistakes_are_refused(fitted, tmp_path):
    out = without(fitted / "out", tmp_path / "twice", "dataset == 'glass'")
    text = (out / "results.csv").read_text()
    (out / "results.csv").write_text(text + text.splitlines()[-1] + "\n")
    with pytest.raises(UserError, match="this entry has a row already"):
        check(out, fitted / "out")
    rows = pd.read_csv(fitted / "out" / "results.csv").assign(errors=0)
    rows.to_csv(out / "results.csv", index=False)
    with pytest.raises(UserError, match="not the mistakes of"):
        check(out, fitted / "out")


def test_mistakes_are_unpacked_as_they_were_packed():
    wrong = np.random.default_rng(0).random(77) < 0.3
    np.testing.assert_array_equal(unpack(np.packbits(wrong).tobytes().hex(), 77), wrong)


HONEST = """
name: honest
seed: {seed}
datasets: [glass, pendigits]
evaluation: {{folds: 3, draws: 3}}
learners:
  adaboost: {{rounds: 5}}
  tree: {{type: "sklearn.tree:DecisionTreeClassifier", splitter: random, max_depth: 5}}
codes: [ova, {{name: dense, columns: 8, tries: 5}}]
decoders: [hamming, loss]
"""


@pytest.fixture(scope="module")
def honest_runs(tmp_path_factory):
    """Runs of steady and of random learners, on folds and on an original split."""
    folder = tmp_path_factory.mktemp("seeds")
    return [ran(HONEST.format(seed=seed), folder / str(seed), "--no-report") for seed in range(6)]


def test_honest_runs_with_other_seeds_raise_no_alarm(honest_runs, tmp_path):
    """Thirty ordered pairs, with three draws and with one: at alpha = 0.01 some alarm would be
    likely if the level were exceeded as it is by predictions that are paired in spite of it."""
    single = [without(run, tmp_path / run.parent.name, "draw != '0'") for run in honest_runs]
    for runs, tests in [
        (honest_runs, {"identical", "proportions", "spread", "assumed"}),
        (single, {"identical", "proportions", "assumed"}),
    ]:
        reports = [check(a, b) for a, b in permutations(runs, 2)]
        assert {len(report.entries) for report in reports} == {16}
        found = reports[0].entries
        assert {"identical" if e.verdict == "identical" else e.test for e in found} == tests
        assert [names(report.of("regression")) for report in reports] == [set()] * 30
    # That is no silence: the same runs against a reference of half the errors do raise alarms.
    rows = pd.read_csv(honest_runs[0] / "results.csv")
    rows.assign(errors=rows.errors // 2).to_csv(tmp_path / "half.csv", index=False)
    assert all(check(run, tmp_path / "half.csv").exit_code() == 3 for run in honest_runs[1:])
