"""The regression check: planted faults are found, honest re-runs are not, and the level holds."""

import json
import shutil

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from runs import REFERENCE
from scipy.stats import norm, t

from ecoc_bench.cli import main
from ecoc_bench.errors import UserError
from ecoc_bench.experiment import resolve
from ecoc_bench.experiment.config import find_config, parse_config, read_config
from ecoc_bench.files import PACKAGE
from ecoc_bench.results.check.read import unpack
from ecoc_bench.results.check.regression import check
from ecoc_bench.results.check.tests import (
    holm,
    over_draws,
    over_repeats,
    sign_test,
    two_proportions,
)
from ecoc_bench.results.check.text import render

QUICK = (PACKAGE.parent / "configs" / "quick.yaml").read_text()
# The support-vector machines of yeast are most of the work of quick.yaml.
PART = {"adaboost": ["glass", "ecoli", "yeast", "vowel", "soybean"], "svm": ["glass"]}


def invoke(*arguments):
    result = CliRunner().invoke(main, [str(a) for a in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def run_part(text, folder, part=PART):
    """A part of quick.yaml, run in this process into `folder`/out; margins there are used again."""
    (folder / "quick.yaml").write_text(text)
    for learner, datasets in part.items():
        chosen = [f"dataset={name}" for name in datasets] + [f"learner={learner}"]
        only = [word for pair in chosen for word in ("--only", pair)]
        ran = invoke("run", folder / "quick.yaml", "--out", folder / "out", "-j", 1, *only)
        assert ran.exit_code == 0, ran.stderr
    return folder / "out"


def without(source, folder, query):
    """A copy of a run's folder without the rows of a query."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("store", "codes", "tables"))
    for name in ("results.csv", "mistakes.csv"):
        rows = pd.read_csv(folder / name, dtype=str)
        rows.drop(rows.query(query).index).to_csv(folder / name, index=False)
    return folder


def edited(source, folder, change):
    """A copy of a run's folder with another manifest."""
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("store", "codes", "tables"))
    facts = json.loads((folder / "manifest.json").read_text())
    change(facts)
    (folder / "manifest.json").write_text(json.dumps(facts))
    return folder


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The committed run of quick.yaml, without the cells that the tests do not fit."""
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


def names(cells):
    return {(c.key.dataset, c.key.learner, c.key.code, c.key.decoder) for c in cells}


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
    assert summary.startswith("72 cells compared: 0 regressions, 0 improvements, ")
    assert summary.endswith(" 0 missing, 0 not comparable")
    # Another processor may round a sum differently, so that cells drift; here they rarely do.
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
    assert {cell.key.decoder for cell in found} == {"loss"}
    assert len(found) == 24  # every cell of it
    assert "decoders.loss: other settings than in the reference." in result.stdout


def test_planted_a_subtly_worse_decoder_is_caught(honest, reference):
    """Hamming decoding in place of the exponential loss: some points worse on some cells."""
    out = run_part(QUICK.replace("l1, loss]", "l1, {name: loss, call: hamming}]"), honest)
    found = check(out, reference)
    assert ("vowel", "adaboost", "ova", "loss") in names(found.of("regression"))
    assert {cell.key.decoder for cell in found.of("regression")} == {"loss"}
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
    assert {cell.key.decoder for cell in found.of("regression")} == {"hamming"}
    # The other way round the same cells are improvements, which are listed and pass.
    mended = invoke("check", reference, "--against", out)
    assert mended.exit_code == 0
    assert "Improvements, level 0.01" in mended.stdout
    assert names(check(reference, out).of("improvement")) == names(found.of("regression"))


def test_planted_shuffled_labels_are_caught(reference, tmp_path, monkeypatch):
    load = resolve.load

    def shuffled(name, **how):
        data = load(name, **how)
        data.y[:] = np.random.default_rng(0).permutation(data.y)
        return data

    monkeypatch.setattr("ecoc_bench.experiment.resolve.load", shuffled)
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
    assert "48 cells compared: 0 regressions" in result.stdout
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
    assert not any(cell.missing for cell in report.absent)
    assert report.absent[0].why == "143 test examples, the reference has 214"
    assert report.exit_code() == 3


def test_nothing_compared_is_exit_4(fitted, reference, tmp_path):
    out = without(fitted / "out", tmp_path / "glass", "dataset != 'glass'")
    other = without(reference, tmp_path / "vowel", "dataset != 'vowel'")
    result = invoke("check", out, "--against", other, "--allow-missing")
    assert result.exit_code == 4
    assert result.stdout.startswith("0 cells compared")


@pytest.mark.parametrize("style", ["terminal", "markdown"])
def test_a_csv_alone_is_compared_by_rates(fitted, tmp_path, style):
    shutil.copy(fitted / "out" / "results.csv", tmp_path / "mine.csv")
    against = REFERENCE / "uci_svm" / "results.csv"
    result = invoke(
        "check", tmp_path / "mine.csv", "--against", against, "--allow-missing", "--style", style
    )
    assert result.exit_code == 0, result.stdout
    assert "8 cells compared: 0 regressions" in result.stdout
    assert "Fisher's exact test" in result.stdout
    assert "no manifest on both sides" in result.stdout
    assert ("| glass" in result.stdout) == (style == "markdown")


def test_one_draw_of_other_random_codes_is_not_judged(fitted, tmp_path):
    """The spread over draws is not known then; the fixed codes are judged all the same."""
    one = without(fitted / "out", tmp_path / "one", "draw != '0'")
    other = edited(one, tmp_path / "other", lambda facts: facts["config"].update(seed=1))
    rows = pd.read_csv(other / "results.csv", dtype=str).assign(errors="0")
    rows.to_csv(other / "results.csv", index=False)
    (other / "mistakes.csv").unlink()
    report = check(one, other)
    assert {cell.key.code for cell in report.of("unjudged")} == {"dense", "sparse"}
    assert {cell.key.code for cell in report.of("regression")} == {"ova", "all_pairs"}
    only = without(one, tmp_path / "only", "code in ['ova', 'all_pairs']")
    (only / "mistakes.csv").unlink()
    assert check(only, other).exit_code(allow_missing=True) == 4


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda folder: (folder / "results.csv").unlink(), "cannot be read"),
        (lambda folder: (folder / "results.csv").write_text("a,b\n1,2\n"), "no column 'dataset'"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json: cannot be"),
    ],
)
def test_a_folder_that_is_no_run_is_a_sentence(fitted, tmp_path, spoil, message):
    out = without(fitted / "out", tmp_path / "spoilt", "dataset == 'glass'")
    spoil(out)
    result = invoke("check", out, "--against", fitted / "out")
    assert result.exit_code == 2
    assert message in result.stderr


def test_rows_twice_and_foreign_mistakes_are_refused(fitted, tmp_path):
    out = without(fitted / "out", tmp_path / "twice", "dataset == 'glass'")
    text = (out / "results.csv").read_text()
    (out / "results.csv").write_text(text + text.splitlines()[-1] + "\n")
    with pytest.raises(UserError, match="this cell has a row already"):
        check(out, fitted / "out")
    rows = pd.read_csv(fitted / "out" / "results.csv").assign(errors=0)
    rows.to_csv(out / "results.csv", index=False)
    with pytest.raises(UserError, match="not the mistakes of"):
        check(out, fitted / "out")


def test_mistakes_are_unpacked_as_they_were_packed():
    wrong = np.random.default_rng(0).random(77) < 0.3
    np.testing.assert_array_equal(unpack(np.packbits(wrong).tobytes().hex(), 77), wrong)


REDUCED = """
name: reduced
seed: {seed}
datasets: [glass]
evaluation: {{folds: 3, draws: 3}}
learners:
  adaboost: {{rounds: 10}}
codes: [ova, all_pairs, {{name: dense, tries: 5}}, {{name: sparse, tries: 5}}]
decoders: [hamming, l1, loss]
"""


def test_twenty_honest_runs_with_other_seeds_raise_no_alarm(tmp_path):
    """At alpha = 0.01 the chance of any alarm among 20 checks would be 18% if the level were met
    exactly; the tests are conservative, since both runs share their examples."""
    for seed in range(21):
        path = tmp_path / "reduced.yaml"
        path.write_text(REDUCED.format(seed=seed))
        assert invoke("run", path, "--out", tmp_path / str(seed), "-j", 1).exit_code == 0
    reports = [check(tmp_path / str(seed), tmp_path / "0") for seed in range(1, 21)]
    assert {cell.test for cell in reports[0].cells} == {"proportions", "draws"}
    assert [len(report.cells) for report in reports] == [12] * 20
    assert [names(report.of("regression")) for report in reports] == [set()] * 20
    # That is no silence: the same runs against a reference of half the errors do raise alarms.
    rows = pd.read_csv(tmp_path / "0" / "results.csv")
    rows.assign(errors=rows.errors // 2).to_csv(tmp_path / "half.csv", index=False)
    assert all(
        check(tmp_path / str(s), tmp_path / "half.csv").exit_code() == 3 for s in range(1, 21)
    )


# The level and the power, on tables drawn from the model of each test.

SIZES = np.array([214, 336, 376, 462, 1484])


def alarms(make_p, tables=300, cells=20, alpha=0.05):
    """The share of tables of that many cells in which Holm's procedure rejects any.

    It does so if and only if the lowest p is at most alpha / cells.
    """
    rng = np.random.default_rng(1)
    lowest = [min(make_p(rng, SIZES[i % 5]) for i in range(cells)) for _ in range(tables)]
    return np.mean(np.array(lowest) <= alpha / cells)


def paired(rng, n, worse_by=0.0, flips=0.06):
    """A share of the examples changes sides; the surplus of those that get worse is `worse_by`."""
    up = (flips + worse_by) / 2
    return sign_test(rng.choice([1, -1, 0], n, p=[up, flips - up, 1 - flips]))


def fixed_code(rng, n, worse_by=0.0):
    rate = rng.uniform(0.02, 0.6)
    ours, reference = rng.binomial(n, [rate + worse_by, rate]) / n
    return two_proportions(ours, reference, n)


def random_code(rng, n, worse_by=0.0, draws=(3, 3), sd=None):
    """Examples shared by the draws of a side, and a spread over draws as large as their noise."""
    rate = rng.uniform(0.05, 0.6)
    sd = np.sqrt(rate * (1 - rate) / n) if sd is None else sd
    sides = [
        np.clip(rng.binomial(n, mean) / n + rng.normal(0, sd, count), 0, 1)
        for mean, count in zip([rate + worse_by, rate], draws, strict=True)
    ]
    return over_draws(*sides, n)


@pytest.mark.parametrize(
    "make_p",
    [
        paired,
        fixed_code,
        random_code,
        lambda rng, n: random_code(rng, n, draws=(1, 5), sd=0.05),
        lambda rng, n: random_code(rng, n, draws=(2, 2), sd=0.01),
        lambda rng, n: random_code(rng, n, draws=(5, 5), sd=0.03),
    ],
    ids=["paired", "fixed", "random", "one draw against five", "two draws", "five draws"],
)
def test_the_family_wise_level_holds(make_p):
    # 0.05 plus three standard errors of 300 tables.
    assert alarms(make_p) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_holm_rejects_step_by_step():
    assert holm([0.03, 0.001, 0.012, 0.5], 0.05).tolist() == [False, True, True, False]
    assert holm([0.013, 0.02, 0.03, 0.5], 0.05).tolist() == [False] * 4
    assert holm([], 0.05).tolist() == []


def test_a_variance_that_left_out_the_spread_over_draws_would_not_hold_the_level():
    """The test of the level can fail: Fisher's test of the mean rates alone raises false alarms."""

    def careless(rng, n):
        rate = rng.uniform(0.05, 0.6)
        sides = rng.binomial(n, rate, 2) / n + rng.normal(0, 0.05, 2)
        return two_proportions(*np.clip(sides, 0, 1), n)

    assert alarms(careless, tables=50) > 0.5


@pytest.mark.parametrize(
    ("make_p", "worse_by", "least"),
    [(paired, 0.04, 0.9), (fixed_code, 0.10, 0.9), (random_code, 0.35, 0.9)],
)
def test_a_worsening_of_that_size_is_found_on_1484_examples(make_p, worse_by, least):
    """One worse cell among 120, at alpha = 0.01: Holm asks it for p below 0.01/120."""
    rng = np.random.default_rng(2)
    p = np.array([make_p(rng, 1484, worse_by) for _ in range(400)])
    assert (p < 0.01 / 120).mean() >= least


def test_p_values_of_single_tests():
    assert sign_test(np.array([1] * 14)) == 2**-14
    assert sign_test(np.array([2, 1, -3, 0, 0])) == 0.5  # an example counts once: 2 against 1
    assert sign_test(np.zeros(5)) == 1
    assert two_proportions(0.5, 0.3, 100) == pytest.approx(0.0029687, rel=1e-4)
    assert over_repeats([0.01]) == 0.01
    assert over_repeats([0.01, 0.03]) == pytest.approx(0.04)
    # Without spread: twice the normal tail. With spread the p of a difference grows.
    none, some = over_draws([0.4, 0.4], [0.3, 0.3], 500), over_draws([0.42, 0.38], [0.3, 0.3], 500)
    assert none == pytest.approx(2 * 0.000457, rel=0.01)
    assert none < some < 0.5
    assert over_draws([0.3, 0.3], [0.4, 0.4], 500) == 1


def test_p_over_draws_is_where_the_two_quantiles_add_up_to_the_difference():
    """Against scipy.stats, for all numbers of draws: quantiles far out in the tail can be wrong."""
    rng = np.random.default_rng(3)
    for freedom in range(1, 60):
        ours, reference = (
            rng.normal(mean, 0.02, count)
            for mean, count in [(0.5, 1 + freedom // 2), (0.35, 1 + (freedom + 1) // 2)]
        )
        p = over_draws(ours, reference, 400)
        middle = (ours.mean() + reference.mean()) / 2
        A = middle * (1 - middle) * 2 / 400
        squares = ((ours - ours.mean()) ** 2).sum() + ((reference - reference.mean()) ** 2).sum()
        B = squares / freedom * (1 / len(ours) + 1 / len(reference))
        bound = norm.isf(p / 2) * np.sqrt(A) + t.isf(p / 2, freedom) * np.sqrt(B)
        assert bound == pytest.approx(ours.mean() - reference.mean(), rel=1e-6)


def test_one_draw_on_each_side_has_no_p():
    with pytest.raises(ValueError, match="one draw on each side"):
        over_draws([0.3], [0.2], 100)
