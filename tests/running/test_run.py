"""The way of the data end to end: config, plan, fits, store, rows, files."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from faults import hear_ctrl_c, records
from runs import SMALL, SVM_LINE, planned, ran
from sklearn.base import clone

from ecoc_bench.coding.decoders import hinge, predict
from ecoc_bench.data.inputs import prepare
from ecoc_bench.experiment.room import need
from ecoc_bench.learners.columns import MultiCall
from ecoc_bench.learners.svm import SVM
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The folder of the small config, run with one worker; for tests that only read it."""
    return ran(SMALL, tmp_path_factory.mktemp("whole"))


@pytest.fixture
def undisturbed(whole):
    """Its results.csv."""
    return (whole / "results.csv").read_bytes()


@pytest.fixture
def out(whole, tmp_path):
    """A copy of it, to run again."""
    return Path(shutil.copytree(whole, tmp_path / "out"))


def test_rows_are_the_same_for_one_worker_and_for_two(config, command, tmp_path, undisturbed):
    assert command("run", config(), "--out", tmp_path / "two", "--jobs", 2).exit_code == 0
    assert (tmp_path / "two" / "results.csv").read_bytes() == undisturbed


def test_rows_have_the_stated_columns_and_counts(whole):
    rows = pd.read_csv(whole / "results.csv")
    assert tuple(rows.columns) == COLUMNS
    # glass: 3 folds; vowel: its original split. Two codes once, dense drawn twice; 2 decoders.
    assert len(rows) == (3 + 1) * (1 + 1 + 2) * 2
    vowel = rows[rows.dataset == "vowel"]
    assert set(vowel.n_train) == {528}
    assert set(vowel.n_test) == {462}
    glass = rows[(rows.dataset == "glass") & (rows.code == "ova") & (rows.decoder == "loss")]
    assert glass.n_test.sum() == 214
    np.testing.assert_allclose(rows.error_rate, rows.errors / rows.n_test, atol=1e-6)
    assert (rows[rows.code == "ova"].rho == 2).all()


def test_a_row_equals_the_same_thing_done_by_hand(config, whole):
    rows = pd.read_csv(whole / "results.csv")
    plan = planned(config())
    data, M = plan.datasets["vowel"], plan.matrices["vowel", "dense", 1]
    X_train, X_test = prepare("standardize", data.nominal, data.X[data.train], data.X[~data.train])
    y_train, y = data.y[data.train], data.y[~data.train]
    learner = SVM(kernel="poly", degree=2, gamma="1/d").fit(X_train, M[y_train])
    F = learner.margins(X_test)
    row = rows.query("dataset == 'vowel' and code == 'dense' and draw == 1 and decoder == 'loss'")
    assert row.errors.item() == (predict(hinge(M, F)) != y).sum()
    loss = np.maximum(1 - M[y_train] * learner.margins(X_train), 0).mean()
    assert row.train_binary_loss.item() == pytest.approx(loss, rel=1e-3)
    assert row.binary_error_rate.item() == pytest.approx((M[y] * F <= 0).mean(), abs=1e-3)


def test_mistakes_name_the_examples_that_are_counted_as_errors(whole):
    rows = pd.read_csv(whole / "results.csv")
    mistakes = pd.read_csv(whole / "mistakes.csv", dtype={"mistakes": str})
    bits = [np.unpackbits(np.frombuffer(bytes.fromhex(m), np.uint8)) for m in mistakes.mistakes]
    assert [b.sum() for b in bits] == rows.errors.tolist()
    assert [-(-n // 8) for n in rows.n_test] == [len(b) // 8 for b in bits]
    folds = mistakes.groupby(["dataset", "fold"]).examples.nunique()
    assert (folds == 1).all()
    assert mistakes.examples.nunique() == 4


def test_adding_a_code_and_a_data_set_leaves_the_old_rows_alone(
    config, command, tmp_path, undisturbed
):
    more = SMALL.replace("[glass,", "[ecoli, glass,").replace(
        "[ova,", "[{name: sparse, columns: 9, tries: 50}, ova,"
    )
    more = more.replace("draws: 2", "draws: 3")
    command("run", config(more), "--out", tmp_path / "out")
    rows = (tmp_path / "out" / "results.csv").read_text().splitlines()
    assert set(undisturbed.decode().splitlines()) < set(rows)


def test_running_again_fits_nothing_and_a_new_decoder_fits_nothing(
    config, command, out, undisturbed, monkeypatch
):
    monkeypatch.setattr("ecoc_bench.running.workers.pool.fit_in_worker", None)
    assert command("run", config(), "--out", out).exit_code == 0
    assert (out / "results.csv").read_bytes() == undisturbed
    more = SMALL.replace("[hamming, loss]", "[hamming, loss, square]")
    assert command("run", config(more), "--out", out).exit_code == 0
    rows = pd.read_csv(out / "results.csv")
    assert set(rows.decoder) == {"hamming", "loss", "square"}


def test_only_narrows_what_is_fitted(config, command, tmp_path):
    out = tmp_path / "out"
    command("run", config(), "--out", out, "--only", "dataset=glass", "--only", "code=ova")
    rows = pd.read_csv(out / "results.csv")
    assert set(rows.dataset) == {"glass"}
    assert set(rows.code) == {"ova"}
    assert "vowel" not in (out / "tables" / "table.txt").read_text()


def test_only_draws_no_codes_of_other_cells_but_keeps_what_was_done(
    config, command, tmp_path, undisturbed
):
    out = tmp_path / "out"
    command("run", config(), "--out", out, "--only", "dataset=glass")
    assert {path.name.split(".")[0] for path in (out / "codes").iterdir()} == {"glass"}
    command("run", config(), "--out", out, "--only", "dataset=vowel")
    assert set(pd.read_csv(out / "results.csv").dataset) == {"glass", "vowel"}
    assert (out / "results.csv").read_bytes() == undisturbed


@pytest.mark.parametrize(
    ("pair", "message"), [("code=ovo", "unknown code 'ovo'"), ("colour=red", "unknown axis")]
)
def test_only_refuses_what_it_does_not_know(pair, message, config, command, tmp_path):
    result = command("run", config(), "--out", tmp_path / "out", "--only", pair)
    assert result.exit_code == 2
    assert message in result.stderr


def test_dry_run_counts_and_writes_nothing(config, command, tmp_path, whole):
    new = tmp_path / "new"
    result = command("run", config(), "--out", new, "--dry-run")
    assert "16 cells, 2 decoders each" in result.stdout
    assert "0 already stored" in result.stdout
    assert not new.exists()
    assert "0 to do" in command("run", config(), "--out", whole, "--dry-run").stdout


def test_a_run_leaves_tables_timings_codes_and_a_manifest(config, whole):
    out = whole
    tables = {"results.csv", "mistakes.csv", "bounds.csv", "costs.csv", "timings.csv"}
    files = tables | {"manifest.json", ".ecoc-bench", ".lock"}
    assert files | {"tables", "codes", "store"} == set(os.listdir(out))
    names = {path.stem for path in (out / "tables").iterdir()}
    assert names == {"table", "leaderboard"}
    assert (out / "tables" / "table.txt").read_text() in (out.parent / "stdout").read_text()
    facts = json.loads((out / "manifest.json").read_text())
    assert facts["config"]["seed"] == 7
    assert facts["data"]["glass"]["sha256"]
    assert facts["packages"]["scikit-learn"]
    plan = planned(config())
    both = [plan.matrices["glass", "dense", draw] for draw in (0, 1)]  # one below the other
    found = np.loadtxt(out / "codes" / "glass.dense.csv", delimiter=",")
    np.testing.assert_array_equal(found, np.concatenate(both))


class Capricious(MultiCall):
    """Refuses the columns that pit the first class against the second."""

    loss = "linear"

    def fit(self, X, Y, sample_weight=None):
        if (Y == 0).any() and len(set(Y[Y != 0])) == 2 and not os.environ.get("GOOD_DAY"):
            raise RuntimeError("not today")
        self.inner_ = clone(SVM(degree=1)).fit(X, Y)
        return self

    def margins(self, X):
        return self.inner_.margins(X)


def test_a_failed_fit_is_a_row_with_a_reason_and_the_rest_goes_on(
    config, command, tmp_path, monkeypatch
):
    text = SMALL.replace(SVM_LINE, '"test_run:Capricious": {}')
    out = tmp_path / "out"
    path = config(text)
    monkeypatch.setattr("ecoc_bench.experiment.trials._try_learner", lambda learner: None)
    result = command("run", path, "--out", out, "-j", 1)
    assert result.exit_code == 1
    failures = pd.read_csv(out / "failures.csv")
    assert set(failures.reason) == {"RuntimeError: not today"}
    assert set(pd.read_csv(out / "results.csv").code) == {"ova", "dense"}
    monkeypatch.setenv("GOOD_DAY", "1")
    assert command("run", path, "--out", out, "-j", 1).exit_code == 0
    assert not (out / "failures.csv").exists()
    assert set(pd.read_csv(out / "results.csv").code) == {"ova", "all_pairs", "dense"}


def test_nothing_measured_is_exit_code_4(config, command, tmp_path):
    text = SMALL.replace("[glass, vowel]", "[soybean]").replace("[ova, all_pairs,", "[complete]\n#")
    result = command("run", config(text), "--out", tmp_path / "out")
    assert result.exit_code == 4
    assert "nothing was measured" in result.stderr


def test_ctrl_c_keeps_what_was_done_and_the_next_run_completes_it(config, command, tmp_path):
    text = SMALL.replace("[glass, vowel]", "[yeast]").replace("degree: 2", "degree: 4")
    text = text.replace("ova, all_pairs,", "ova,")
    path, out = config(text), tmp_path / "out"
    call = [sys.executable, "-m", "ecoc_bench", "run", str(path), "--out", str(out), "--jobs", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(call, **pipes, text=True, preexec_fn=hear_ctrl_c)
    while process.poll() is None and len(records(out)) < 3:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130, stderr
    assert "run again to continue" in stderr
    kept = records(out)
    assert len(kept) >= 3
    assert command("run", path, "--out", out).exit_code == 0
    assert kept <= records(out)
    command("run", path, "--out", tmp_path / "whole")
    assert (out / "results.csv").read_bytes() == (tmp_path / "whole" / "results.csv").read_bytes()


def test_a_run_says_that_it_fitted_a_damaged_record_again(config, command, tmp_path):
    out, chosen = tmp_path / "out", ["--only", "dataset=glass", "--only", "code=ova"]
    command("run", config(), "--out", out, *chosen)
    rows = (out / "results.csv").read_bytes()
    record = next((out / "store").glob("*.record"))
    record.write_bytes(record.read_bytes()[:-1] + b"?")
    result = command("run", config(), "--out", out, *chosen)
    assert "1 damaged files were set aside and made again" in result.stderr
    assert (out / "results.csv").read_bytes() == rows


def test_the_memory_asked_for_is_near_what_a_run_takes(config, command, tmp_path):
    text = SMALL.replace("[glass, vowel]", "[pendigits]").replace(SVM_LINE, "adaboost: {rounds: 5}")
    path, out = config(text.replace("[ova, all_pairs,", "[complete,")), tmp_path / "out"
    plan = planned(path)
    asked = need(plan, plan.tasks(plan.cells, ())).memory(2)
    call = [sys.executable, "-m", "ecoc_bench", "run", str(path), "--out", str(out), "--jobs", "2"]
    subprocess.run(call, check=True, capture_output=True)
    peaks = json.loads((out / "manifest.json").read_text())["peak_memory_mb"]
    assert set(peaks) == {"parent", "worker 1", "worker 2"}
    assert 0.7 * sum(peaks.values()) <= asked / 1e6 <= 2.5 * sum(peaks.values())


class Speechless(MultiCall):
    """Raises what cannot even be told."""

    loss = "linear"

    def fit(self, X, Y, sample_weight=None):
        class Mute(Exception):
            def __str__(self):
                raise RuntimeError

        raise Mute


def test_an_exception_that_cannot_be_told_is_a_failure_like_others(
    config, command, tmp_path, monkeypatch
):
    text = SMALL.replace(SVM_LINE, '"test_run:Speechless": {}')
    monkeypatch.setattr("ecoc_bench.experiment.trials._try_learner", lambda learner: None)
    result = command("run", config(text), "--out", tmp_path / "out", "-j", 1)
    assert result.exit_code == 1
    assert "Mute: (it has no text)" in result.stderr
