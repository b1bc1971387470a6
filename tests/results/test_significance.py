"""Demsar's worked examples, plain-loop twins of the tests, and what `stats` says of real runs."""

import io
from itertools import combinations, product
from math import inf, isnan, sqrt

import numpy as np
import pandas as pd
import pytest
import scikit_posthocs
from runs import REFERENCE
from scipy import stats
from statsmodels.stats.multitest import multipletests

from ecoc_bench.errors import UserError
from ecoc_bench.plots.critical_difference import draw_cd
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS
from ecoc_bench.results.significance import NotEnoughData, blocks, compare, notes, render
from ecoc_bench.results.significance import procedures as P
from ecoc_bench.results.significance.comparison import rank_groups
from ecoc_bench.results.summary import summarize

# AUC of C4.5, with m, with cf, with both, on 14 data sets: Table 6 of Demsar 2006.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
LOSS = np.round(100 * (1 - DEMSAR), 6)


@pytest.fixture(autouse=True)
def small_sample(monkeypatch):
    """The Bayesian sample is most of the time of a comparison; a small one shows the same."""
    monkeypatch.setattr(P, "SAMPLES", 2000)


def rows(name):
    return pd.read_csv(REFERENCE / name / "results.csv")


def made_up(errors, *, axis="code", folds=1, n_test=1000):
    """Rows of results.csv from {method: [error % of each data set]}; folds differ a little."""
    found = []
    for (method, values), fold in product(errors.items(), range(folds)):
        for i, value in enumerate(values):
            key = {"learner": "l", "code": "c", "decoder": "d", axis: method, "dataset": f"set{i}"}
            wrong = round(n_test * value / 100) + fold * (len(method) % 3)
            sizes = {"n_train": n_test * max(folds - 1, 1), "n_test": n_test, "errors": wrong}
            found.append({**dict.fromkeys(COLUMNS, 0), **key, "fold": fold, **sizes})
    return pd.DataFrame(found)


# --- the published numbers


def test_average_ranks_of_demsars_table_6():
    assert P.average_ranks(LOSS) == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)


def test_friedman_and_iman_davenport_of_demsars_example():
    test = P.friedman(LOSS)
    assert test.chi2 == pytest.approx(9.28, abs=0.005)
    assert pytest.approx(3.69, abs=0.005) == test.F
    assert test.df == (3, 39)
    assert test.p_F < 0.05  # the critical value of F(3, 39) is 2.85
    assert stats.f.isf(0.05, 3, 39) == pytest.approx(2.85, abs=0.005)


def test_critical_difference_of_demsars_example_is_1_25():
    assert P.critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert P.critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)


@pytest.mark.parametrize(
    ("alpha", "values"),
    [
        (0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]),
        (0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]),
    ],
)
def test_critical_values_of_demsars_table_5(alpha, values):
    for k, value in enumerate(values, start=2):
        q = P.critical_difference(k, 1, alpha) / sqrt(k * (k + 1) / 6)
        # The printed values are off by up to 0.0007: 2.343 for 2.3437, 2.949 for 2.9483.
        assert q == pytest.approx(value, abs=0.001)


def test_wilcoxon_of_demsars_table_2():
    """C4.5 against C4.5+m: R+ = 93, R- = 12, and T = 12 is below the critical 21."""
    test = P.wilcoxon(LOSS[:, 0], LOSS[:, 1])
    assert test.T == 12
    assert test.p < 0.05


# --- other implementations


@pytest.fixture
def tables():
    rng = np.random.default_rng(1)
    sizes = [(int(rng.integers(3, 14)), int(rng.integers(3, 7))) for _ in range(25)]
    # Whole numbers: ties within rows and zero differences are common.
    return [rng.integers(0, 12, size).astype(float) for size in sizes]


def slow_ranks(row):
    return [sum(b < a for b in row) + (sum(b == a for b in row) + 1) / 2 for a in row]


def test_ranks_and_friedman_agree_with_plain_loops_and_scipy(tables):
    for table in [LOSS, *tables]:
        N, k = table.shape
        R = [sum(slow_ranks(row)[j] for row in table.tolist()) / N for j in range(k)]
        assert P.average_ranks(table) == pytest.approx(R)
        test = P.friedman(table)
        # Another form of the same: between-method sum of squares of ranks.
        assert test.chi2 == pytest.approx(
            12 * N / (k * (k + 1)) * sum((r - (k + 1) / 2) ** 2 for r in R), abs=1e-9
        )
        assert test.chi2_ties >= test.chi2 - 1e-9
        assert (test.chi2_ties, test.p_ties) == pytest.approx(stats.friedmanchisquare(*table.T))


def test_friedman_without_ties_is_scipys():
    table = np.random.default_rng(2).normal(size=(9, 4))
    test = P.friedman(table)
    assert (test.chi2, test.p_chi2) == pytest.approx((test.chi2_ties, test.p_ties))


def test_friedman_at_its_ends():
    alike = np.tile([1.0, 2.0, 3.0], (6, 1))
    assert inf == P.friedman(alike).F
    assert P.friedman(alike).p_F == 0
    tied = P.friedman(np.ones((6, 3)))
    assert (tied.chi2, tied.chi2_ties, tied.F) == (0, 0, 0)
    assert tied.p_F == tied.p_ties == 1


def test_nemenyi_and_the_critical_difference_say_the_same(tables):
    for table in [LOSS, *tables]:
        N, k = table.shape
        R, p = P.average_ranks(table), P.nemenyi(table)
        cd = P.critical_difference(k, N, 0.05)
        for i, j in combinations(range(k), 2):
            q = abs(R[i] - R[j]) / sqrt(k * (k + 1) / (6 * N)) * sqrt(2)
            assert p[i, j] == pytest.approx(stats.studentized_range.sf(q, k, inf), abs=1e-6)
            assert (p[i, j] < 0.05) == (abs(R[i] - R[j]) > cd)


def slow_wilcoxon(a, b):
    """T and exact p by all signs; the ranks of zeros go half to either side."""
    d = [round(x - y, 9) for x, y in zip(a, b, strict=True)]
    ranks = slow_ranks([abs(x) for x in d])

    def plus(signs):
        pairs = zip(signs, ranks, strict=True)
        return sum(rank * (sign > 0) + rank * (sign == 0) / 2 for sign, rank in pairs)

    total, seen = sum(ranks), plus(d)
    moving = [(1, -1) if x else (0,) for x in d]
    every = [plus(signs) for signs in product(*moving)]
    extreme = sum(abs(one - total / 2) >= abs(seen - total / 2) - 1e-9 for one in every)
    return min(seen, total - seen), extreme / len(every)


def test_wilcoxon_agrees_with_plain_loops_over_all_signs(tables):
    for table in tables:
        a, b = table[:10, 0], table[:10, 1]
        T, p = slow_wilcoxon(a.tolist(), b.tolist())
        test = P.wilcoxon(a, b)
        assert pytest.approx(T) == test.T
        assert test.p == pytest.approx(p, abs=1e-9)


def test_wilcoxon_agrees_with_scikit_posthocs():
    a, b = LOSS[:, 0], LOSS[:, 3]
    other = scikit_posthocs.posthoc_wilcoxon([a.tolist(), b.tolist()], zero_method="zsplit")
    assert P.wilcoxon(a, b).p == pytest.approx(other.to_numpy()[0, 1])


def test_methods_that_never_differ():
    a = np.array([1.0, 2.0, 3.0])
    assert P.wilcoxon(a, a) == (3.0, 1.0)
    assert P.bayesian_signed_rank(a, a, 1.0) == (0, 1, 0)
    assert P.corrected_t(a, a, 0.1) == (0, 1)


def slow_holm(p):
    adjusted = []
    for value in p:
        smaller = [x for x in p if x <= value]
        steps = [x * (len(p) - sum(y < x for y in p)) for x in smaller]
        adjusted.append(min(1, max(steps)))
    return adjusted


def test_holm_agrees_with_plain_loops_and_statsmodels():
    rng = np.random.default_rng(3)
    for size in range(1, 12):
        p = rng.random(size) ** 3
        assert P.holm(p) == pytest.approx(multipletests(p, method="holm")[1])
        assert P.holm(p) == pytest.approx(slow_holm(p.tolist()))


def slow_corrected_t(a, b, n_train, n_test):
    d = [x - y for x, y in zip(a, b, strict=True)]
    J = len(d)
    mean = sum(d) / J
    variance = sum((x - mean) ** 2 for x in d) / (J - 1)
    t = mean / sqrt((1 / J + n_test / n_train) * variance)
    return t, 2 * stats.t.cdf(-abs(t), J - 1)


def test_corrected_t_agrees_with_plain_loops_and_exceeds_the_naive_p():
    rng = np.random.default_rng(4)
    for folds in (2, 5, 10):
        a, b = rng.normal(20, 3, folds), rng.normal(22, 3, folds)
        test = P.corrected_t(a, b, 1 / (folds - 1))
        assert test == pytest.approx(slow_corrected_t(a, b, folds - 1, 1), abs=1e-6)
        assert test.p > stats.ttest_rel(a, b).pvalue


def test_corrected_t_without_variance_is_not_judged():
    assert isnan(P.corrected_t(np.array([2.0, 3.0]), np.array([1.0, 2.0]), 1.0).p)


def test_bayesian_test_knows_who_is_better_and_repeats_itself():
    rng = np.random.default_rng(5)
    a = rng.normal(20, 1, 12)
    assert P.bayesian_signed_rank(a, a + 5, 1.0).first_better > 0.99
    assert P.bayesian_signed_rank(a + 5, a, 1.0).second_better > 0.99
    assert P.bayesian_signed_rank(a, a + 0.5, 1.0).equal > 0.99
    b = a + rng.normal(1, 1, 12)
    one = P.bayesian_signed_rank(a, b, 1.0)
    assert one == P.bayesian_signed_rank(a, b, 1.0)
    assert sum(one) == pytest.approx(1)
    assert one.equal < P.bayesian_signed_rank(a, b, 2.0).equal


def test_groups_within_the_critical_difference():
    assert rank_groups({"a": 1.0, "b": 1.5, "c": 2.9, "d": 5.0}, 2.0) == (("a", "b", "c"),)
    assert rank_groups({"a": 1.0, "b": 2.5, "c": 4.0}, 1.4) == ()


# --- from rows to units


def test_demsars_table_through_compare():
    names = ["C4.5", "+m", "+cf", "+m+cf"]
    found = compare(made_up(dict(zip(names, LOSS.T, strict=True)), n_test=100_000), "code")
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
    results = rows("uci_adaboost")
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
    results = rows("uci_svm")
    gone = (results["dataset"] == "glass") & (results["decoder"] == "loss")
    fewer = results[~(gone & (results["code"] == "dense"))]
    found = compare(fewer, "decoder")
    only = compare(results, "decoder", keep={"code": ["ova", "complete", "all_pairs", "sparse"]})
    assert found.errors.loc["glass"].equals(only.errors.loc["glass"])


def test_whole_methods_are_every_combination_and_every_joint_method():
    coded = made_up({"ova": [10, 20, 30], "dense": [11, 19, 28]})
    joint = made_up({"forest": [9, 25, 27]}).assign(learner="joint", decoder="joint")
    found = compare(pd.concat([coded, joint], ignore_index=True), "method")
    learner, decoder = coded["learner"].iloc[0], coded["decoder"].iloc[0]
    names = {f"ova {decoder} ({learner})", f"dense {decoder} ({learner})", "forest"}
    assert set(found.methods) == names
    assert found.errors["forest"].tolist() == [9, 25, 27]
    assert found.joint is not None
    assert "(--method)" not in render(found, "terminal")


def test_data_sets_without_a_method_stay_out_of_the_joint_tests_only():
    found = compare(rows("uci_adaboost"), "code", keep={"decoder": ["exponential"]})
    assert len(found.datasets) == 8
    assert found.left_out == dict.fromkeys(
        ["soybean", "thyroid", "audiology", "letter"], ("complete",)
    )
    sizes = {(p.first, p.second): len(p.datasets) for p in found.pairs}
    assert {n for pair, n in sizes.items() if "complete" in pair} == {8}
    assert {n for pair, n in sizes.items() if "complete" not in pair} == {12}
    assert any("soybean, thyroid, audiology, letter (without complete)" in n for n in notes(found))


def test_missing_folds_leave_a_cell_out_and_are_named():
    results = rows("uci_svm")
    lost = (results["dataset"] == "glass") & (results["code"] == "ova") & (results["fold"] == 3)
    found = compare(results[~lost], "code")
    assert isnan(found.errors.loc["glass", "ova"])
    assert found.incomplete == ("ova on glass",)
    assert "glass" not in found.datasets
    assert ("ova", "glass") not in {(one.first, one.dataset) for one in found.within}
    assert any("folds are missing: ova on glass" in note for note in notes(found))


def test_corrected_t_over_the_folds_of_results_csv():
    results = rows("uci_svm")
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
    results = made_up({"a": [10, 20, 30], "b": [12, 22, 35]}).assign(stage=5)
    later = made_up({"a": [9, 18, 28], "b": [8, 15, 20]}).assign(stage=50)
    both = pd.concat([results, later], ignore_index=True)
    assert compare(both, "code").methods == ("b", "a")
    assert compare(both, "code", stage=5).methods == ("a", "b")
    with pytest.raises(UserError, match=r"no rows of stage 7\. It has: 5, 50"):
        compare(both, "code", stage=7)


# --- little data


def test_one_data_set_has_the_corrected_t_test_only():
    found = compare(made_up({"a": [10.0], "bb": [14.0], "ccc": [14.5]}, folds=5), "code")
    assert (found.joint, found.pairs) == (None, ())
    assert len(found.within) == 3
    assert "Only 1 data set" in render(found)


def test_few_data_sets_are_said_to_say_little():
    found = compare(made_up({"a": [10, 20, 30], "b": [12, 22, 35], "c": [1, 2, 3]}), "code")
    text = render(found)
    assert "Only 3 data sets: tests over data sets say little or nothing." in text
    assert "p is at least 0.25" in " ".join(text.split())
    assert all(pair.wilcoxon.p >= 0.25 for pair in found.pairs)


def test_eight_data_sets_and_ten_pairs_cannot_survive_holm():
    found = compare(rows("uci_svm"), "code")
    assert any("at most 8 data sets" in note for note in notes(found))
    assert not any("at most" in note for note in notes(compare(rows("uci_svm"), "decoder")))


def test_two_methods_have_wilcoxon_only(tmp_path):
    found = compare(rows("uci_svm"), "decoder")
    assert found.joint is None
    assert found.pairs[0].p_holm == found.pairs[0].wilcoxon.p
    assert "Friedman chi-square" not in render(found)
    with pytest.raises(UserError, match="needs 3 or more decoders"):
        draw_cd(found, tmp_path / "cd.svg")


@pytest.mark.parametrize(
    ("results", "message"),
    [
        (made_up({"a": [10, 20]}), "has 1 code"),
        (made_up({"a": [10], "b": [20]}), "one data set with one split"),
    ],
)
def test_not_enough_data_is_a_sentence_and_exit_code_4(results, message):
    with pytest.raises(NotEnoughData, match=message) as caught:
        compare(results, "code")
    assert caught.value.exit_code == 4


def test_names_that_the_run_does_not_have():
    with pytest.raises(UserError, match=r"'los'\. Did you mean 'loss'\?"):
        compare(rows("uci_svm"), "code", keep={"decoder": ["los"]})
    with pytest.raises(UserError, match="unknown axis 'dataset'"):
        compare(rows("uci_svm"), "dataset")
    with pytest.raises(UserError, match="rope must be above 0"):
        compare(rows("uci_svm"), "code", rope=0)


# --- what is printed and drawn


@pytest.fixture(scope="module")
def adaboost():
    return compare(rows("uci_adaboost"), "decoder")


def test_every_style_holds_the_numbers(adaboost):
    p = f"{adaboost.pairs[0].wilcoxon.p:.3f}"
    for style in ("terminal", "markdown", "latex"):
        text = render(adaboost, style)
        assert p in text
        assert f"{adaboost.joint.cd:.2f}" in text
        assert "1.17" in text  # the average rank of exponential
    assert max(map(len, render(adaboost).splitlines())) <= 120


def test_csv_is_tidy_and_complete(adaboost):
    table = pd.read_csv(io.StringIO(render(adaboost, "csv")))
    assert list(table) == ["measure", "first", "second", "dataset", "value"]
    assert not table.duplicated(["measure", "first", "second", "dataset"]).any()
    value = table.set_index("measure")["value"]
    assert value["critical_difference"] == pytest.approx(adaboost.joint.cd, rel=1e-5)
    assert len(value["error"]) == 36
    assert len(value["nemenyi_p"]) == len(value["holm_p"]) == 3
    sums = sum(value[f"bayes_{n}"].to_numpy() for n in ("first_better", "equal", "second_better"))
    assert sums == pytest.approx(np.ones(3))


def test_blocks_are_rectangles_of_text(adaboost):
    for block in blocks(adaboost):
        assert all(len(row) == len(block.head) for row in block.rows)


def test_the_diagram_names_all_and_its_bytes_repeat(adaboost, tmp_path):
    draw_cd(adaboost, tmp_path / "a.svg")
    draw_cd(adaboost, tmp_path / "b.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    for word in [*adaboost.methods, "CD = 0.96", "1.17", "12 data sets"]:
        assert word in text
    draw_cd(adaboost, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(UserError, match=r"\.svg, \.pdf or \.png"):
        draw_cd(adaboost, tmp_path / "a.gif")
    with pytest.raises(UserError, match="cannot be written"):
        draw_cd(adaboost, tmp_path / "a.svg" / "b.svg")


def test_stats_command(command, tmp_path):
    run = REFERENCE / "uci_adaboost"
    plot = tmp_path / "cd.svg"
    result = command("stats", run, "--compare", "decoder", "--code", "dense", "--plot", plot)
    assert result.exit_code == 0
    assert result.stdout.startswith("Decoders compared: ")
    assert "code dense" in result.stdout
    assert plot.exists()
    assert "cd.svg" in result.stderr
    nothing = command("stats", run, "--compare", "learner")
    assert nothing.exit_code == 4
    assert nothing.stderr.startswith("Error: not enough data")
    assert command("stats", tmp_path, "--compare", "code").exit_code == 2


def test_level_and_rope_change_what_is_said(command):
    run = REFERENCE / "uci_adaboost"
    call = ["stats", run, "--compare", "decoder", "--style", "csv"]
    tables = {
        options: pd.read_csv(io.StringIO(command(*call, *options).stdout)).set_index("measure")
        for options in [(), ("--alpha", 0.01), ("--rope", 3)]
    }
    usual, strict, wide = (table["value"] for table in tables.values())
    assert strict["critical_difference"] > usual["critical_difference"]
    assert wide["bayes_equal"].max() > usual["bayes_equal"].min()
    assert wide["bayes_equal"].sum() > usual["bayes_equal"].sum()
