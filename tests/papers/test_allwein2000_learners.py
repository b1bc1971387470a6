"""The margin-based learners of Section 2 of Allwein et al. 2000, decoded by their own loss."""

import pandas as pd
import pytest
from judged import text_of
from runs import REFERENCE, copied

from ecoc_bench.papers.allwein2000.learners import learner_table
from ecoc_bench.papers.claims import judge
from ecoc_bench.results.run import Run

RUN = REFERENCE / "allwein_learners"


@pytest.fixture(scope="module")
def table():
    return learner_table(Run(RUN)).set_index("learner")


def test_entries_are_counted_as_in_plain_loops(table):
    rows = pd.read_csv(RUN / "results.csv")
    errors = {}
    for row in rows.itertuples():
        wrong, tested = errors.setdefault((row.learner, row.dataset, row.code, row.decoder), [0, 0])
        errors[row.learner, row.dataset, row.code, row.decoder] = (
            wrong + row.errors,
            tested + row.n_test,
        )
    for learner in table.index:
        counts = {"lower": 0, "equal": 0, "higher": 0}
        for (name, dataset, code, decoder), (wrong, tested) in errors.items():
            if name == learner and decoder == "hamming":
                mine, all_rows = errors[learner, dataset, code, "loss"]
                assert all_rows == tested
                counts["lower" if mine < wrong else "higher" if mine > wrong else "equal"] += 1
        assert table.loc[learner, list(counts)].to_dict() == counts


def test_every_kind_of_learner_has_its_own_loss(table):
    assert dict(table["loss"]) == {
        "svm": "hinge",
        "adaboost": "exponential",
        "adaboost_discrete": "exponential",
        "least_squares": "square",
        "logistic": "logistic",
        "c45": "logistic",
        "cart": "square",
    }


def test_a_claim_is_judged_for_each_learner(table):
    verdicts = [v for v in judge(Run(RUN)) if v.name == "loss_often_better"]
    assert len(verdicts) == len(table)


def test_the_text_names_the_learners_that_gain(table):
    shown = " ".join(text_of(RUN).split())
    better = [name for name, row in table.iterrows() if row["lower"] > row["higher"]]
    assert f"for {len(better)} of {len(table)} learners: {', '.join(better)}." in shown


def test_a_run_that_lacks_a_kind_of_learner_has_no_such_table(tmp_path):
    def without_trees(facts):
        learners = facts["config"]["learners"]
        facts["config"]["learners"] = [one for one in learners if one["type"] != "c45"]

    folder = copied(
        "allwein_learners", tmp_path, lambda r: r["learner"] != "c45", facts=without_trees
    )
    assert "learner by learner" not in text_of(folder)
