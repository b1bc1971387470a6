"""Claims of Allwein et al. 2000 on the paper's own numbers, on committed runs and on short ones."""

import csv
import io

import pandas as pd
import pytest
from cases_allwein2000 import DATASETS, rows_of
from judged import NOT, NOT_ENOUGH, PARTLY, REPRODUCED
from runs import REFERENCE, committed, copied

from ecoc_bench.papers.allwein2000.claims import CLAIMS
from ecoc_bench.papers.claims import exit_code, judge, render
from ecoc_bench.papers.evidence import p_value
from ecoc_bench.results.run import Run

RUNS = ["uci_adaboost", "uci_svm", "allwein_table3"]


@pytest.mark.parametrize(
    ("name", "scope"), [(n, s) for n, c in CLAIMS.items() for s in c.scopes if s in DATASETS]
)
def test_a_claim_without_its_entries_is_not_judged(name, scope):
    rows = rows_of(scope, lambda *entry: 30.0)
    for missing in (rows["decoder"] == "loss", rows["code"].isin(["ova", "all_pairs"])):
        holes = rows["error"].mask(missing)
        found = CLAIMS[name].judge(rows.assign(error=holes, binary_error=holes))
        assert found.verdict == NOT_ENOUGH


@pytest.mark.parametrize(("kept", "judged"), [(6, True), (5, False)])
def test_three_quarters_of_the_papers_entries_are_enough(kept, judged):
    rows = rows_of("table3", lambda *entry: 30.0)
    rows["error"] = rows["error"].where(rows["dataset"].isin(DATASETS["table3"][:kept]))
    found = CLAIMS["loss_often_better"].judge(rows)
    assert (found.verdict != NOT_ENOUGH) == judged
    few = "only 5 of the paper's 8 entries with ova by hamming"
    assert found.evidence.startswith(few) == (not judged)
    assert f"missing: {', '.join(DATASETS['table3'][kept:])}" in found.evidence


@pytest.mark.parametrize("name", [n for n, c in CLAIMS.items() if "table2" in c.scopes])
def test_what_is_missing_is_named(name):
    rows = rows_of("table2", lambda *entry: 30.0)
    gone = (rows["dataset"] == "isolet") | (rows["dataset"] + rows["code"]).eq("glassdense")
    found = CLAIMS[name].judge(rows.assign(error=rows["error"].mask(gone)))
    assert found.evidence.endswith("; missing: glass with dense, isolet")
    assert "missing" not in CLAIMS[name].judge(rows).evidence


@pytest.mark.parametrize("dataset", ["yeast", "satimage"])
def test_a_claim_about_one_data_set_needs_it(dataset):
    rows = rows_of("table3", lambda *entry: 30.0)
    rows["error"] = rows["error"].mask(rows["dataset"] == dataset)
    name = {"yeast": "yeast_ova", "satimage": "satimage_all_pairs"}[dataset]
    found = CLAIMS[name].judge(rows)
    assert found.verdict == NOT_ENOUGH
    assert dataset in found.evidence


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
def judged_runs():
    return {(v.run, v.name): v for v in verdicts(*RUNS)}


def test_what_the_paper_prints_supports_most_of_what_it_says(judged_runs):
    own = {
        (v.source[-7:], v.name): v.paper_verdict for v in judged_runs.values() if v.run != "uci_svm"
    }
    weak = {key: verdict for key, verdict in own.items() if verdict != REPRODUCED}
    assert weak == {
        ("Table 2", "gain_ova_dense"): PARTLY,  # sparse gains more than dense
        ("Table 2", "ova_easy_to_beat"): NOT,  # 14 of 45 comparisons
        ("Table 3", "loss_almost_always_better"): NOT,  # 22 of the 34 entries that differ
        ("Table 3", "ova_often_much_higher"): PARTLY,
    }


def test_committed_runs_are_judged_by_every_claim_of_their_table(judged_runs):
    for run in RUNS:
        table = Run(REFERENCE / run).config["paper"]
        due = [name for name, c in CLAIMS.items() if table.rpartition(".")[2] in c.scopes]
        assert [name for r, name in judged_runs if r == run] == due
    assert len([name for run, name in judged_runs if run == "uci_adaboost"]) >= 8
    assert all(v.verdict != NOT_ENOUGH for v in judged_runs.values())


def test_what_the_committed_runs_contradict_is_said(judged_runs):
    assert judged_runs["uci_svm", "satimage_all_pairs"].verdict == NOT
    assert judged_runs["uci_svm", "yeast_ova"].verdict == NOT
    assert judged_runs["uci_adaboost", "loss_often_better"].verdict == REPRODUCED
    assert judged_runs["uci_adaboost", "loss_often_better"].evidence.startswith("lower in 4")


def test_evidence_counts_are_those_of_the_rows(judged_runs):
    rows = committed("uci_svm")
    errors = rows.groupby(["dataset", "code", "decoder"])["errors"].sum().unstack()  # noqa: PD010
    counts = f"lower in {(errors.loss < errors.hamming).sum()} of {len(errors)} entries"
    assert judged_runs["uci_svm", "loss_often_better"].evidence.startswith(counts)


# Runs that are short of something


def test_a_run_of_few_data_sets_is_not_judged_and_exits_with_4(tmp_path, command):
    folder = copied("uci_svm", tmp_path / "few", lambda r: r[r.dataset.isin(["glass", "ecoli"])])
    result = command("claims", folder)
    assert result.exit_code == 4
    assert "10 claims: 10 not enough data" in result.stdout
    assert "only 2 of the paper's 8 entries with ova by hamming decoding" in result.stdout


def test_entries_that_lack_folds_do_not_count(tmp_path):
    folder = copied("uci_svm", tmp_path / "cut", lambda r: r[(r.fold == 0) | (r.code != "ova")])
    found = {v.name: v for v in judge(Run(folder))}
    assert found["ova_inferior"].verdict == NOT_ENOUGH
    assert "entries with ova" in found["ova_inferior"].evidence


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
