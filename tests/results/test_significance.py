"""From the rows of a run to the units of the tests, and what little data allow."""

from itertools import product
from math import isnan

import numpy as np
import pandas as pd
import pytest
from demsar import LOSS, slow_corrected_t
from runs import committed, row

from ecoc_bench.errors import UserError
from ecoc_bench.plots.critical_difference import draw_cd
from ecoc_bench.results.significance import NotEnoughData, compare, notes, render
from ecoc_bench.results.summary import summarize


def rows_of(errors, *, axis="code", folds=1, n_test=1000):
    """Rows of results.csv from {method: [error % of each data set]}; folds differ a little."""
    found = []
    for (method, values), fold in product(errors.items(), range(folds)):
        for i, value in enumerate(values):
            key = {"learner": "l", "code": "c", "decoder": "d", axis: method, "dataset": f"set{i}"}
            wrong = round(n_test * value / 100) + fold * (len(method) % 3)
            sizes = {"n_train": n_test * max(folds - 1, 1), "n_test": n_test, "errors": wrong}
            found.append(row(**key, fold=fold, **sizes))
    return pd.DataFrame(found)


# --- from rows to units


def test_demsars_table_through_compare():
    names = ["C4.5", "+m", "+cf", "+m+cf"]
    found = compare(rows_of(dict(zip(names, LOSS.T, strict=True)), n_test=100_000), "code")
    assert found.methods == ("+m+cf", "+m", "+cf", "C4.5")
    assert found.joint.friedman.chi2 == pytest.approx(9.28, abs=0.005)
    assert found.joint.cd == pytest.approx(1.25, abs=0.005)
    # Nemenyi finds no pair between 1.964 and 3.143 apart by 1.25, as the paper says.
    assert found.joint.groups == (found.methods,)
    assert (found.joint.nemenyi.to_numpy() > 0.05).all()
    best, worst = found.pairs[1], found.pairs[2]
    assert (best.first, best.second, worst.second) == ("+m+cf", "+cf", "C4.5")
    assert (worst.wins, worst.ties, worst.losses) == (11, 1, 2)
    assert found.within == ()


def test_a_data_set_counts_once_whatever_it_is_averaged_over():
    results = committed("uci_adaboost")
    found = compare(results, "decoder")
    assert len(found.datasets) == results["dataset"].nunique() == 12
    glass = summarize(results).query("dataset == 'glass' and decoder == 'l1'")
    assert len(glass) == 5
    assert found.errors.loc["glass", "l1"] == pytest.approx(glass["error"].mean())
    one = compare(results, "decoder", keep={"code": ["ova"]})
    ova = glass.set_index("code")["error"]["ova"]
    assert one.errors.loc["glass", "l1"] == pytest.approx(ova)
    assert one.averaged["code"] == ("ova",)


def test_the_mean_is_over_settings_that_all_methods_have():
    results = committed("uci_svm")
    gone = (results["dataset"] == "glass") & (results["decoder"] == "loss")
    fewer = results[~(gone & (results["code"] == "dense"))]
    found = compare(fewer, "decoder")
    only = compare(results, "decoder", keep={"code": ["ova", "complete", "all_pairs", "sparse"]})
    assert found.errors.loc["glass"].equals(only.errors.loc["glass"])


def test_whole_methods_are_every_combination_and_every_joint_method():
    coded = rows_of({"ova": [10, 20, 30], "dense": [11, 19, 28]})
    joint = rows_of({"forest": [9, 25, 27]}).assign(learner="joint", decoder="joint")
    found = compare(pd.concat([coded, joint], ignore_index=True), "method")
    learner, decoder = coded["learner"].iloc[0], coded["decoder"].iloc[0]
    names = {f"ova {decoder} ({learner})", f"dense {decoder} ({learner})", "forest"}
    assert set(found.methods) == names
    assert found.errors["forest"].tolist() == [9, 25, 27]
    assert found.joint is not None
    assert "(--method)" not in render(found, "terminal")


def test_data_sets_without_a_method_stay_out_of_the_joint_tests_only():
    found = compare(committed("uci_adaboost"), "code", keep={"decoder": ["exponential"]})
    assert len(found.datasets) == 8
    assert found.left_out == dict.fromkeys(
        ["soybean", "thyroid", "audiology", "letter"], ("complete",)
    )
    sizes = {(p.first, p.second): len(p.datasets) for p in found.pairs}
    assert {n for pair, n in sizes.items() if "complete" in pair} == {8}
    assert {n for pair, n in sizes.items() if "complete" not in pair} == {12}
    assert any("soybean, thyroid, audiology, letter (without complete)" in n for n in notes(found))


def test_missing_folds_leave_a_entry_out_and_are_named():
    results = committed("uci_svm")
    lost = (results["dataset"] == "glass") & (results["code"] == "ova") & (results["fold"] == 3)
    found = compare(results[~lost], "code")
    assert isnan(found.errors.loc["glass", "ova"])
    assert found.incomplete == ("ova on glass",)
    assert "glass" not in found.datasets
    assert ("ova", "glass") not in {(one.first, one.dataset) for one in found.within}
    assert any("folds are missing: ova on glass" in note for note in notes(found))


def test_corrected_t_over_the_folds_of_results_csv():
    results = committed("uci_svm")
    found = compare(results, "decoder", keep={"code": ["dense"]})
    assert {one.dataset for one in found.within} == {"dermatology", "ecoli", "glass", "yeast"}
    glass = next(one for one in found.within if one.dataset == "glass")
    mine = results.query("dataset == 'glass' and code == 'dense'")
    folds = {
        decoder: [
            100 * np.mean([r.errors / r.n_test for r in part[part["fold"] == f].itertuples()])
            for f in range(10)
        ]
        for decoder, part in mine.groupby("decoder")
    }
    n_train, n_test = mine["n_train"].mean(), mine["n_test"].mean()
    slow = slow_corrected_t(folds[glass.first], folds[glass.second], n_train, n_test)
    assert glass.test == pytest.approx(slow, abs=1e-6)
    assert glass.folds == 10


def test_stage_is_taken_and_an_unknown_one_is_a_sentence():
    results = rows_of({"a": [10, 20, 30], "b": [12, 22, 35]}).assign(stage=5)
    later = rows_of({"a": [9, 18, 28], "b": [8, 15, 20]}).assign(stage=50)
    both = pd.concat([results, later], ignore_index=True)
    assert compare(both, "code").methods == ("b", "a")
    assert compare(both, "code", stage=5).methods == ("a", "b")
    with pytest.raises(UserError, match=r"no rows of stage 7\. It has: 5, 50"):
        compare(both, "code", stage=7)


# --- little data


def test_one_data_set_has_the_corrected_t_test_only():
    found = compare(rows_of({"a": [10.0], "bb": [14.0], "ccc": [14.5]}, folds=5), "code")
    assert (found.joint, found.pairs) == (None, ())
    assert len(found.within) == 3
    assert "Only 1 data set" in render(found)


def test_few_data_sets_are_said_to_say_little():
    found = compare(rows_of({"a": [10, 20, 30], "b": [12, 22, 35], "c": [1, 2, 3]}), "code")
    text = render(found)
    assert "Only 3 data sets: tests over data sets say little or nothing." in text
    assert "p is at least 0.25" in " ".join(text.split())
    assert all(pair.wilcoxon.p >= 0.25 for pair in found.pairs)


def test_eight_data_sets_and_ten_pairs_cannot_survive_holm():
    found = compare(committed("uci_svm"), "code")
    assert any("at most 8 data sets" in note for note in notes(found))
    assert not any("at most" in note for note in notes(compare(committed("uci_svm"), "decoder")))


def test_two_methods_have_wilcoxon_only(tmp_path):
    found = compare(committed("uci_svm"), "decoder")
    assert found.joint is None
    assert found.pairs[0].p_holm == found.pairs[0].wilcoxon.p
    assert "Friedman chi-square" not in render(found)
    with pytest.raises(UserError, match="needs 3 or more decoders"):
        draw_cd(found, tmp_path / "cd.svg")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        (rows_of({"a": [10, 20]}), "has 1 code"),
        (rows_of({"a": [10], "b": [20]}), "one data set with one split"),
    ],
)
def test_not_enough_data_is_a_sentence_and_exit_code_4(results, message):
    with pytest.raises(NotEnoughData, match=message) as caught:
        compare(results, "code")
    assert caught.value.exit_code == 4


def test_names_that_the_run_does_not_have():
    with pytest.raises(UserError, match=r"'los'\. Did you mean 'loss'\?"):
        compare(committed("uci_svm"), "code", keep={"decoder": ["los"]})
    with pytest.raises(UserError, match="unknown axis 'dataset'"):
        compare(committed("uci_svm"), "dataset")
    with pytest.raises(UserError, match="rope must be above 0"):
        compare(committed("uci_svm"), "code", rope=0)
