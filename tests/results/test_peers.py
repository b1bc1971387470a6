"""The tables of decoders and of scikit-learn's classifiers, of a small run."""

import pandas as pd
import pytest
from runs import invoke

from ecoc_bench.results.peers import decoders, peers
from ecoc_bench.results.run import Run

TEXT = """
name: peers
seed: 3
datasets: [glass, ecoli]
parts: {train: 1, test: 1}
learners:
  bayes: {type: "sklearn.naive_bayes:GaussianNB", var_smoothing: 0.01}
  tree: {type: "sklearn.tree:DecisionTreeClassifier"}
codes: [ova, {name: pairs, family: all_pairs}]
decoders: [auto, hamming]
methods:
  rest: {type: "sklearn.multiclass:OneVsRestClassifier", estimator: BAYES}
  one: {type: "sklearn.multiclass:OneVsOneClassifier", estimator: BAYES}
""".replace("BAYES", '{type: "sklearn.naive_bayes:GaussianNB", var_smoothing: 0.01}')


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("peers")
    (folder / "config.yaml").write_text(TEXT)
    result = invoke("run", folder / "config.yaml", "--out", folder / "out", "--no-report")
    assert result.exit_code == 0, result.stderr
    return Run(folder / "out")


def test_a_learner_stands_next_to_the_classifier_that_wraps_it(run):
    table = peers(run)
    assert table[["learner", "code", "peer", "datasets"]].to_numpy().tolist() == [
        ["bayes", "ova", "OneVsRestClassifier", 2],
        ["bayes", "pairs", "OneVsOneClassifier", 2],
    ]
    errors = run.summary().groupby("code")["error"]
    assert table["theirs"].tolist() == errors.mean()[["rest", "one"]].tolist()
    assert (table["difference"] == table["ours"] - table["theirs"]).all()
    assert table["difference"].abs().max() < 1.5  # ties may fall otherwise


def test_decoders_are_averaged_over_data_sets(run):
    table = decoders(run).set_index(["learner", "code"])
    assert list(table.columns) == ["auto", "hamming"]
    entries = run.summary().query("learner == 'tree' and code == 'ova' and decoder == 'hamming'")
    assert table.loc[("tree", "ova"), "hamming"] == entries["error"].mean()


def test_the_tables_are_files_of_the_run(run):
    for name in ("decoders", "peers"):
        for suffix in ("txt", "md", "csv"):
            assert (run.folder / "tables" / f"{name}.{suffix}").stat().st_size > 100
    assert "OneVsOneClassifier" in (run.folder / "tables" / "peers.md").read_text()
    assert len(pd.read_csv(run.folder / "tables" / "decoders.csv")) == 4
