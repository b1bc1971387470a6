"""Claims of Allwein et al. 2000 on tables made so that each comes out each way, and on runs."""

import csv
import io
import json

import pandas as pd
import pytest
from runs import REFERENCE, copied

from ecoc_bench.papers.allwein2000.claims import CLAIMS, SCOPES
from ecoc_bench.papers.claims import OUTCOMES, exit_code, judge, render
from ecoc_bench.papers.evidence import NotEnough, p_value
from ecoc_bench.results.run import Run

RUNS = ["uci_adaboost", "uci_svm", "allwein_table3"]
REPRODUCED, PARTLY, NOT, NOT_ENOUGH = OUTCOMES
PAIRS = {
    key: list(dict.fromkeys((dataset, code) for dataset, code, _ in scope.cells))
    for key, scope in SCOPES.items()
}
DATASETS = {key: list(dict.fromkeys(d for d, _ in pairs)) for key, pairs in PAIRS.items()}


def rows_of(scope, error, n_test=1000):
    """The cells of a scope with errors by a function of data set, code and decoder."""
    frame = pd.DataFrame(SCOPES[scope].cells, columns=["dataset", "code", "decoder"])
    frame["error"] = [float(error(*cell)) for cell in SCOPES[scope].cells]
    return frame.assign(n_test=n_test, binary_error=frame["error"])


def decoder_counts(scope, lower, higher, gap=0.1, decoder="loss"):
    """`decoder` is lower than the others in so many cells, higher in so many, equal in the rest."""

    def error(dataset, code, name):
        i = PAIRS[scope].index((dataset, code))
        step = -gap if i < lower else gap if i < lower + higher else 0.0
        return 30 + (step if name == decoder else 0.0)

    return rows_of(scope, error)


def code_errors(scope, by_dataset, n_test=1000):
    """Errors by position of the data set: a function that gives a dict of codes (others 30)."""
    return rows_of(
        scope, lambda d, code, _: by_dataset(DATASETS[scope].index(d)).get(code, 30.0), n_test
    )


def gains(**points):
    """Hamming is 30, and loss-based lower by so many points for these codes."""
    return rows_of("table2", lambda d, code, name: 30 - points.get(code, 0) * (name == "loss"))


def one_cell(scope, dataset, code, loss, hamming):
    values = {"loss": loss, "hamming": hamming}
    return rows_of(scope, lambda d, c, name: values[name] if (d, c) == (dataset, code) else 30.0)


def l1_against_exponential(higher, by, lower, less):
    """L_1 is higher by so much in the first cells and lower by so much in the next."""

    def error(dataset, code, name):
        i = PAIRS["table2"].index((dataset, code))
        return 30 + (name == "l1") * (by if i < higher else -less if i < higher + lower else 0.0)

    return rows_of("table2", error)


def ova_higher_on(**counts):
    """One-against-all is above each code on so many data sets, and below it on the others."""
    return code_errors(
        "table3", lambda i: {"ova": 30.0} | {c: 29.0 if i < n else 31.0 for c, n in counts.items()}
    )


def ova_comparisons(higher, lower=0, gap=8.0):
    """In so many comparisons one-against-all is higher by a gap, in so many lower, else equal."""
    others = [pair for pair in PAIRS["table3"] if pair[1] != "ova"]

    def error(dataset, code, _):
        i = others.index((dataset, code)) if code != "ova" else len(others)
        return 30 - gap if i < higher else 30 + gap if i < higher + lower else 30

    return rows_of("table3", error)


def winners(scope, *codes):
    """The code that is alone the lowest on the first data set, the second, ...; None: nobody."""
    return code_errors(scope, lambda i: {codes[i]: 20.0} if i < len(codes) else {})


def ranking(scope, exceptions=0, **errors):
    """Codes with these errors, but all alike on the first few data sets."""
    return code_errors(scope, lambda i: {} if i < exceptions else errors)


def normals(error):
    """Figure 3 by a function of k, code and decoder."""
    return rows_of("figure3", lambda d, code, name: error(int(d[7:].split(".")[0]), code, name))


def hamming_at(points, factor):
    """Hamming is so many times as high at the first points (k, code), else as loss-based."""
    places = [(k, code) for k in range(3, 9) for code in ("complete", "ova")]
    return normals(
        lambda k, code, name: (
            20 * (factor if name == "hamming" and places.index((k, code)) < points else 1)
        )
    )


def complete_at(low, by, other=0.0):
    """Complete is lower by so much at the first so many k >= 4, higher by `other` at the rest."""
    return normals(
        lambda k, code, _: 20 + (-by if k - 4 < low else other) * (code == "complete" and k > 3)
    )


EVEN = {"complete": 29.0, "all_pairs": 28.0, "dense": 27.0, "sparse": 26.0}
CASES = [
    ("loss_often_better", decoder_counts("table3", 20, 19), REPRODUCED),
    ("loss_often_better", decoder_counts("table3", 19, 18), PARTLY),
    ("loss_often_better", decoder_counts("table3", 15, 15), NOT),
    ("loss_often_better", decoder_counts("table2", 30, 28), REPRODUCED),
    ("loss_often_better", decoder_counts("table2", 5, 50), NOT),
    ("loss_almost_always_better", decoder_counts("table2", 45, 5), REPRODUCED),
    ("loss_almost_always_better", decoder_counts("table2", 44, 6), PARTLY),
    ("loss_almost_always_better", decoder_counts("table2", 37, 13), NOT),
    ("loss_very_significant", decoder_counts("table3", 2, 37, gap=10), REPRODUCED),
    ("loss_very_significant", decoder_counts("table3", 1, 38, gap=10), PARTLY),
    ("loss_very_significant", decoder_counts("table3", 39, 0, gap=5), NOT),
    ("loss_very_significant", decoder_counts("table2", 0, 58, gap=10), NOT),
    ("satimage_all_pairs", one_cell("table3", "satimage", "all_pairs", 28, 40), REPRODUCED),
    ("satimage_all_pairs", one_cell("table3", "satimage", "all_pairs", 28, 38), PARTLY),
    ("satimage_all_pairs", one_cell("table3", "satimage", "all_pairs", 28, 29), NOT),
    ("satimage_all_pairs", one_cell("table3", "satimage", "all_pairs", 40, 28), NOT),
    ("gain_ova_dense", gains(ova=5, dense=4, sparse=3), REPRODUCED),
    ("gain_ova_dense", gains(ova=5, sparse=4, dense=3), PARTLY),
    ("gain_ova_dense", gains(complete=5, sparse=4, dense=3), NOT),
    ("l1_not_as_good", l1_against_exponential(30, 1, 10, 1), REPRODUCED),
    ("l1_not_as_good", l1_against_exponential(30, 1, 10, 9), PARTLY),
    ("l1_not_as_good", l1_against_exponential(10, 9, 30, 1), PARTLY),
    ("l1_not_as_good", l1_against_exponential(10, 1, 30, 1), NOT),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=5, dense=5, sparse=5), REPRODUCED),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=4, dense=5, sparse=5), PARTLY),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=4, dense=4, sparse=4), NOT),
    ("ova_often_much_higher", ova_comparisons(16), REPRODUCED),
    ("ova_often_much_higher", ova_comparisons(15), PARTLY),
    ("ova_often_much_higher", ova_comparisons(7), NOT),
    ("ova_often_much_higher", ova_comparisons(31, gap=1.0), NOT),
    ("ova_rarely_better", ova_comparisons(24, 7, gap=1.0), REPRODUCED),
    ("ova_rarely_better", ova_comparisons(23, 8, gap=1.0), PARTLY),
    ("ova_rarely_better", ova_comparisons(30, 1), PARTLY),
    ("ova_rarely_better", ova_comparisons(0, 8), NOT),
    ("yeast_ova", ranking("table3", ova=60, **EVEN), REPRODUCED),
    ("yeast_ova", ranking("table3", ova=40, **EVEN), PARTLY),
    ("yeast_ova", ranking("table3", ova=30, **EVEN), NOT),
    ("yeast_ova", ranking("table3", ova=10, **EVEN), NOT),
    ("no_clear_winner", winners("table3", "dense", "dense", "dense", "dense"), REPRODUCED),
    ("no_clear_winner", winners("table3", *["dense"] * 6), PARTLY),
    ("no_clear_winner", winners("table3", *["dense"] * 7), NOT),
    ("no_clear_winner", winners("table3", *["ova"] * 8), REPRODUCED),
    ("best_code_depends", winners("table2", "ova", "dense", "sparse"), REPRODUCED),
    ("best_code_depends", winners("table2", "ova", "dense", "dense"), PARTLY),
    ("best_code_depends", winners("table2", *["ova"] * 13), NOT),
    ("none_persistently_better", ranking("table2", 3, ova=30, **EVEN), REPRODUCED),
    ("none_persistently_better", ranking("table2", 0, ova=20, sparse=20), PARTLY),
    ("none_persistently_better", ranking("table2", 0, ova=30, **EVEN), NOT),
    ("ova_easy_to_beat", ova_comparisons(16, 15), REPRODUCED),
    ("ova_easy_to_beat", ova_comparisons(15, 16), PARTLY),
    ("ova_easy_to_beat", ova_comparisons(10, 0), NOT),
    ("hamming_much_higher", hamming_at(12, 1.6), REPRODUCED),
    ("hamming_much_higher", hamming_at(12, 1.4), PARTLY),
    ("hamming_much_higher", hamming_at(11, 3.0), PARTLY),
    ("hamming_much_higher", hamming_at(8, 3.0), NOT),
    ("codes_comparable", complete_at(5, 1.9), REPRODUCED),
    ("codes_comparable", complete_at(0, 0, other=2.2), REPRODUCED),
    ("codes_comparable", complete_at(5, 4.0), PARTLY),
    ("codes_comparable", complete_at(5, 6.0), NOT),
    ("complete_lower", complete_at(3, 1.0), REPRODUCED),
    ("complete_lower", complete_at(3, 1.0, other=9.0), PARTLY),
    ("complete_lower", complete_at(2, 9.0, other=1.0), PARTLY),
    ("complete_lower", complete_at(2, 1.0, other=9.0), NOT),
    ("complete_lower", complete_at(0, 0.0), NOT),
    ("binary_errors_reversed", complete_at(0, 0.0, other=1.0), REPRODUCED),
    ("binary_errors_reversed", complete_at(2, 1.0, other=1.0), PARTLY),
    ("binary_errors_reversed", complete_at(3, 1.0, other=1.0), NOT),
]


@pytest.mark.parametrize(("name", "rows", "expected"), CASES)
def test_each_claim_comes_out_each_way(name, rows, expected):
    found = CLAIMS[name].test(rows)
    assert found.verdict == expected, found.evidence
    assert "\n" not in found.evidence
    assert any(character.isdigit() for character in found.evidence)


def test_the_cases_are_of_every_claim_and_every_verdict():
    assert {(name, verdict) for name, _, verdict in CASES} == {
        (name, verdict) for name in CLAIMS for verdict in (REPRODUCED, PARTLY, NOT)
    }


@pytest.mark.parametrize(("name", "scope"), [(n, s) for n, c in CLAIMS.items() for s in c.scopes])
def test_a_claim_without_its_cells_is_not_judged(name, scope):
    rows = rows_of(scope, lambda *cell: 30.0)
    for missing in (rows["decoder"] == "loss", rows["code"].isin(["ova", "all_pairs"])):
        holes = rows["error"].mask(missing)
        with pytest.raises(NotEnough):
            CLAIMS[name].test(rows.assign(error=holes, binary_error=holes))


@pytest.mark.parametrize(("kept", "judged"), [(6, True), (5, False)])
def test_three_quarters_of_the_papers_cells_are_enough(kept, judged):
    rows = rows_of("table3", lambda *cell: 30.0)
    rows["error"] = rows["error"].where(rows["dataset"].isin(DATASETS["table3"][:kept]))
    if judged:
        CLAIMS["loss_often_better"].test(rows)
    else:
        with pytest.raises(NotEnough, match="only 5 of the paper's 8 cells with ova by hamming"):
            CLAIMS["loss_often_better"].test(rows)


@pytest.mark.parametrize("dataset", ["yeast", "satimage"])
def test_a_claim_about_one_data_set_needs_it(dataset):
    rows = rows_of("table3", lambda *cell: 30.0)
    rows["error"] = rows["error"].mask(rows["dataset"] == dataset)
    name = {"yeast": "yeast_ova", "satimage": "satimage_all_pairs"}[dataset]
    with pytest.raises(NotEnough, match=dataset):
        CLAIMS[name].test(rows)


def test_p_values_against_a_textbook_chi_square():
    from scipy.stats import chi2_contingency

    for a, b, n in [(20, 30, 100), (3.1, 26.2, 1000), (50, 52, 200)]:
        counts = [[a * n / 100, n - a * n / 100], [b * n / 100, n - b * n / 100]]
        assert p_value(a, b, n) == pytest.approx(chi2_contingency(counts, correction=False).pvalue)
    assert p_value(0.0, 0.0, 50) == 1.0


# The paper's own numbers and the committed runs


def verdicts(*runs):
    return [verdict for run in runs for verdict in judge(Run(REFERENCE / run))]


@pytest.fixture(scope="module")
def committed():
    return {(v.run, v.name): v for v in verdicts(*RUNS)}


def test_what_the_paper_prints_supports_most_of_what_it_says(committed):
    own = {
        (v.source[-7:], v.name): v.paper_verdict for v in committed.values() if v.run != "uci_svm"
    }
    weak = {key: verdict for key, verdict in own.items() if verdict != REPRODUCED}
    assert weak == {
        ("Table 2", "gain_ova_dense"): PARTLY,  # sparse gains more than dense
        ("Table 2", "ova_easy_to_beat"): NOT,  # 14 of 45 comparisons
        ("Table 3", "loss_almost_always_better"): NOT,  # 22 of the 34 cells that differ
        ("Table 3", "ova_often_much_higher"): PARTLY,
    }


def test_committed_runs_are_judged_by_every_claim_of_their_table(committed):
    for run in RUNS:
        table = json.loads((REFERENCE / run / "manifest.json").read_text())["config"]["paper"]
        due = [name for name, c in CLAIMS.items() if table.rpartition(".")[2] in c.scopes]
        assert [name for r, name in committed if r == run] == due
    assert len([name for run, name in committed if run == "uci_adaboost"]) >= 8
    assert all(v.verdict != NOT_ENOUGH for v in committed.values())


def test_what_the_committed_runs_contradict_is_said(committed):
    assert committed["uci_svm", "satimage_all_pairs"].verdict == NOT
    assert committed["uci_svm", "yeast_ova"].verdict == NOT
    assert committed["uci_adaboost", "loss_often_better"].verdict == REPRODUCED
    assert committed["uci_adaboost", "loss_often_better"].evidence.startswith("lower in 4")


def test_evidence_counts_are_those_of_the_rows(committed):
    rows = pd.read_csv(REFERENCE / "uci_svm" / "results.csv")
    errors = rows.groupby(["dataset", "code", "decoder"])["errors"].sum().unstack()  # noqa: PD010
    counts = f"lower in {(errors.loss < errors.hamming).sum()} of {len(errors)} cells"
    assert committed["uci_svm", "loss_often_better"].evidence.startswith(counts)


# Runs that are short of something


def test_a_run_of_few_data_sets_is_not_judged_and_exits_with_4(tmp_path, command):
    folder = copied("uci_svm", tmp_path / "few", lambda r: r[r.dataset.isin(["glass", "ecoli"])])
    result = command("claims", folder)
    assert result.exit_code == 4
    assert "10 claims: 10 not enough data" in result.stdout
    assert "only 2 of the paper's 8 cells with ova by hamming decoding" in result.stdout


def test_cells_that_lack_folds_do_not_count(tmp_path):
    folder = copied("uci_svm", tmp_path / "cut", lambda r: r[(r.fold == 0) | (r.code != "ova")])
    found = {v.name: v for v in judge(Run(folder))}
    assert found["ova_inferior"].verdict == NOT_ENOUGH
    assert "cells with ova" in found["ova_inferior"].evidence


def test_a_run_of_no_paper_is_not_judged_and_exits_with_4(tmp_path, command):
    result = command("claims", copied("uci_svm", tmp_path / "mine", paper=None))
    assert result.exit_code == 4
    assert "No claim is about these runs" in result.stdout


def test_other_learners_than_the_papers_are_not_judged(tmp_path):
    learners = [{"name": "svm", "type": "sklearn", "inputs": "raw", "params": {}}]
    assert judge(Run(copied("uci_svm", tmp_path / "other", learners=learners))) == []


def test_an_empty_run_is_not_judged(tmp_path, command):
    result = command("claims", copied("uci_svm", tmp_path / "empty", lambda r: r[:0]))
    assert result.exit_code == 4


def test_a_stand_in_is_judged_in_its_place(tmp_path):
    def renamed(rows):
        return rows.assign(dataset=rows["dataset"].replace("dermatology", "dermatology358"))

    new = judge(Run(copied("uci_svm", tmp_path / "stand_in", renamed)))
    assert [v.evidence for v in new] == [v.evidence for v in verdicts("uci_svm")]


def test_adaboosts_own_loss_may_be_called_loss(tmp_path):
    def renamed(rows):
        return rows.assign(decoder=rows["decoder"].replace("exponential", "loss"))

    new = judge(Run(copied("uci_adaboost", tmp_path / "loss", renamed)))
    assert [v.evidence for v in new] == [v.evidence for v in verdicts("uci_adaboost")]


def test_a_run_of_figure_3_is_known_by_its_data(tmp_path):
    names = DATASETS["figure3"]

    def synthetic(rows):
        first = rows[(rows.dataset == "soybean") & rows.code.isin(["ova", "dense"])].query(
            "draw == 0"
        )
        copies = [first.assign(dataset=name) for name in names]
        frame = pd.concat(copies).replace({"code": {"dense": "complete"}})
        return frame.assign(learner="boost")

    learner = {"name": "boost", "type": "adaboost", "inputs": None, "params": {}}
    config = {"paper": None, "learners": [learner], "datasets": [{"name": n} for n in names]}
    found = judge(Run(copied("uci_svm", tmp_path / "fig3", synthetic, **config)))
    assert [v.name for v in found] == [n for n, c in CLAIMS.items() if "figure3" in c.scopes]
    assert all(v.verdict != NOT_ENOUGH and v.paper_verdict == "" for v in found)


# What is printed


def test_the_command_prints_claims_evidence_and_the_papers_own_numbers(command):
    result = command("claims", REFERENCE / "uci_svm", REFERENCE / "allwein_table3")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 100
    assert "What uci_svm (svm) says of the claims of Allwein et al. 2000, Table 3" in result.stdout
    assert "not reproduced   For satimage with the all-pairs code" in result.stdout
    assert "paper's own numbers: reproduced: 27.8 by loss-based decoding" in result.stdout
    assert "\xa0" not in result.stdout


def test_markdown_has_a_row_for_each_claim():
    found = verdicts("uci_adaboost")
    lines = render(found, "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")][2:]
    assert len(rows) == len(found)
    assert all(line.count("|") == 5 for line in rows)


def test_csv_gives_the_verdicts_back():
    found = verdicts("uci_svm")
    rows = list(csv.DictReader(io.StringIO(render(found, "csv"))))
    assert [(r["name"], r["verdict"], r["evidence"]) for r in rows] == [
        (v.name, v.verdict, v.evidence) for v in found
    ]
    assert render([], "csv").startswith("run,learner,source,name")


def test_a_claim_that_is_not_reproduced_is_no_failure():
    found = verdicts("uci_svm")
    failed = [v for v in found if v.verdict == NOT]
    assert exit_code(failed) == 0
    assert exit_code([]) == 4


def test_not_a_run(tmp_path, command):
    result = command("claims", tmp_path)
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr
