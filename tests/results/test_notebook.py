"""`ecoc_bench.Run`: a run in a notebook, down to the margins of its cells."""

import json

import numpy as np
import pandas as pd
import pytest
from runs import REFERENCE, ran

import ecoc_bench
from ecoc_bench.coding.decoders import DECODERS, predict
from ecoc_bench.errors import UserError

TEXT = """
name: notebook
seed: 7
paper: allwein2000.table3
datasets: [glass, vowel]
evaluation: {folds: 3, draws: 2}
learners:
  svm: {degree: 2}
  adaboost: {rounds: 6, record: [3]}
codes: [ova, all_pairs, {name: dense, columns: 8, tries: 50}]
decoders: [hamming, loss]
"""
LOSS = {"svm": "hinge", "adaboost": "exponential"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return ran(TEXT, tmp_path_factory.mktemp("notebook"))


@pytest.fixture
def run(folder):
    return ecoc_bench.Run(folder)


def test_results_are_the_rows_of_the_run(run, folder):
    pd.testing.assert_frame_equal(run.results, pd.read_csv(folder / "results.csv"))
    assert repr(run) == f"Run({str(folder)!r}): {len(run.results)} rows"
    assert run.name == run.config["name"] == "notebook"
    assert run.facts["data"]["glass"]["sha256"]
    assert ecoc_bench.Run(str(folder)).results.equals(run.results)


@pytest.mark.parametrize("name", ["nan", "NA", "null"])
def test_names_that_pandas_takes_for_missing_values_are_names(name, folder, tmp_path):
    parts = {"paper": None, "datasets": [{"name": name}]}
    rows = pd.read_csv(folder / "results.csv")
    rows["dataset"] = name
    (tmp_path / "results.csv").write_text(rows.to_csv(index=False))
    facts = json.loads((folder / "manifest.json").read_text())
    facts["config"] |= parts
    (tmp_path / "manifest.json").write_text(json.dumps(facts | {"data": {name: {}}}))
    run = ecoc_bench.Run(tmp_path)
    assert set(run.results["dataset"]) == {name}
    assert f"\n{name} " in run.table()


def test_other_files_are_frames_or_none(run, folder):
    costs = pd.read_csv(folder / "costs.csv")
    pd.testing.assert_frame_equal(run.rows("costs.csv"), costs)
    assert run.rows("selected.csv") is None


def test_the_summary_is_the_error_of_each_cell_beside_the_papers(run):
    table = run.summary().set_index(["dataset", "learner", "code", "decoder"])
    rows = run.results.query(
        "dataset == 'glass' and learner == 'svm' and code == 'ova' and decoder == 'loss'"
    )
    cell = table.loc[("glass", "svm", "ova", "loss")]
    assert cell["error"] == pytest.approx(100 * rows["errors"].sum() / 214)
    assert cell["paper"] == 38.6
    early, late = (
        run.summary(stage).set_index(["dataset", "learner", "code", "decoder"])["error"]
        for stage in (3, 6)
    )
    assert set(early.index.get_level_values("learner")) == {"adaboost"}
    assert (early != late).any()
    pd.testing.assert_series_equal(late, table["error"][late.index])


def test_the_table_is_that_of_the_run_in_every_style(run, folder):
    for style, suffix in (
        ("terminal", "txt"),
        ("markdown", "md"),
        ("latex", "tex"),
        ("csv", "csv"),
    ):
        assert run.table(style) == (folder / "tables" / f"table.{suffix}").read_text()
    assert "adaboost after 3 rounds" in run.table(stage=3)


def test_statistics_compare_codes_over_the_data_sets_of_the_run(run):
    found = run.stats("code", keep={"learner": ["svm"]})
    assert set(found.methods) == {"ova", "all_pairs", "dense"}
    assert found.datasets == ("glass", "vowel")
    assert found.averaged["learner"] == ("svm",)


def test_claims_are_those_of_the_paper_that_the_config_names(run):
    found = run.claims()
    assert {verdict.source for verdict in found} == {"Allwein et al. 2000, Table 3"}
    assert {verdict.verdict for verdict in found} == {"not enough data"}


def test_figures_are_drawn_into_the_folder(tmp_path):
    text = TEXT.replace("[glass, vowel]", "[vowel]").replace("paper: allwein2000.table3", "")
    run = ecoc_bench.Run(ran(text, tmp_path, "--only", "learner=svm"))
    [figure] = run.figures()
    assert figure.name == "errors"
    assert figure.svg == tmp_path / "out" / "figures" / "errors.svg"
    assert figure.png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("code", ["ova", "all_pairs", "dense"])
@pytest.mark.parametrize("learner", ["svm", "adaboost"])
def test_margins_decoded_by_hand_have_the_errors_of_the_run(learner, code, run):
    rows = run.results.query("learner == @learner and code == @code")
    last = rows[rows["stage"] == rows["stage"].max()]
    assert len(last) == (3 + 1) * 2 * (2 if code == "dense" else 1)
    for row in last.itertuples():
        cell = run.margins(row.dataset, learner, code, row.draw, row.repeat, row.fold)
        assert cell.train.shape == (row.n_train, row.n_columns)
        assert cell.test.shape == (row.n_test, row.n_columns)
        assert cell.M.shape == (row.n_classes, row.n_columns)
        decode = DECODERS["hamming" if row.decoder == "hamming" else LOSS[learner]]
        wrong = predict(decode(cell.M, cell.test)) != cell.y_test
        assert wrong.sum() == row.errors
        on_train = predict(decode(cell.M, cell.train)) != cell.y_train
        assert on_train.mean() == pytest.approx(row.train_error_rate, abs=1e-6)


def test_margins_leave_the_validation_part_out_and_know_the_labels_that_were_told(tmp_path):
    text = """
    name: noisy
    datasets: [glass]
    noise: [0.2]
    parts: {train: 3, validation: 1, test: 1}
    learners: [least_squares]
    codes: [ova]
    decoders: [hamming]
    """
    run = ecoc_bench.Run(ran(text, tmp_path))
    [row] = run.results.itertuples()
    cell = run.margins("glass@0.2", "least_squares", "ova")
    assert len(cell.y_test) == len(cell.test) == row.n_test < 214 - row.n_train
    wrong = predict(DECODERS["hamming"](cell.M, cell.train)) != cell.y_train
    assert wrong.mean() == pytest.approx(row.train_error_rate, abs=1e-6)
    assert (predict(DECODERS["hamming"](cell.M, cell.test)) != cell.y_test).sum() == row.errors


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda run: run.summary(stage=7), r"no rows of stage 7\. The run has: 0, 3, 6"),
        (lambda run: run.table(stage=7), "no rows of stage 7"),
        (lambda run: run.stats("dataset"), "unknown axis 'dataset'"),
        (lambda run: run.stats(keep={"code": ["ovo"]}), "'ovo'"),
        (lambda run: run.stats(rope=0), "rope must be above 0"),
        (lambda run: run.rows("cost.csv"), "unknown table of a run 'cost.csv'. Did you mean"),
        (lambda run: run.rows("manifest.json"), "unknown table of a run"),
        (lambda run: run.table("html"), "unknown style 'html'"),
        (
            lambda run: run.margins("glas", "svm", "ova"),
            "no such cell: unknown dataset 'glas'. Did you mean 'glass'",
        ),
        (
            lambda run: run.margins("glass", "svm", "dense", draw=2),
            "no such cell: (unknown draw '2'|dataset glass, .*draw 2)",
        ),
        (
            lambda run: run.margins("vowel", "svm", "ova", fold=1),
            "no such cell: (unknown fold '1'|dataset vowel, .*fold 1)",
        ),
    ],
)
def test_a_call_that_the_run_cannot_answer_is_a_sentence(call, message, run):
    with pytest.raises(UserError, match=message):
        call(run)


def test_a_folder_that_is_no_run_is_a_sentence(tmp_path):
    with pytest.raises(UserError, match=r"not the folder of a run.*Run a config first"):
        ecoc_bench.Run(tmp_path)


def test_a_committed_run_has_tables_but_no_margins():
    run = ecoc_bench.Run(REFERENCE / "costs")
    assert not np.isnan(run.summary()["error"]).any()
    with pytest.raises(UserError, match=r"no stored margins of .*Committed reference runs have no"):
        run.margins("glass", "svm", "ova")


def test_cells_that_were_not_asked_for_have_no_margins(tmp_path):
    run = ecoc_bench.Run(ran(TEXT, tmp_path, "--only", "dataset=vowel", "--only", "learner=svm"))
    assert run.margins("vowel", "svm", "ova").test.shape == (462, 11)
    with pytest.raises(UserError, match=r"no stored margins of .*Run its config again"):
        run.margins("vowel", "adaboost", "ova")
