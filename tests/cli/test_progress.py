"""Progress on stderr, the dry run, and that a wrong config is said before heavy imports."""

import io
import subprocess
import sys
import time

import numba
import pytest
from rich.console import Console
from runs import SMALL, planned

from ecoc_bench.cli.progress import Meter, shown
from ecoc_bench.learners.compiling import announced
from ecoc_bench.running.forecast import rows_in_columns

HEAVY = "{'sklearn', 'numba', 'matplotlib', 'pandas'}"


@pytest.fixture
def tasks(config):
    plan = planned(config())
    return plan.tasks(plan.cells, ())


class Clock:
    """A clock that stands still until it is set."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize("jobs", [1, 2])
def test_the_share_follows_the_seconds_and_goes_on_between_two_tasks(jobs, tasks):
    clock = Clock()
    meter = Meter(jobs, clock)
    meter.start(tasks)
    assert meter.now() == (0.0, None)
    whole = sum(map(rows_in_columns, tasks))
    done, shares = 0, []
    for task in tasks:
        rows = rows_in_columns(task)
        for part in (0.25, 0.5, 3.0):  # the last: a task that takes longer than expected
            clock.now += part * rows / jobs
            shares.append(meter.now()[0])
        meter.finish(task, rows, "w")
        done += rows
        share, left = meter.now()
        shares.append(share)
        assert jobs > 1 or left == pytest.approx(whole - done)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert jobs > 1 or len(set(shares[4:])) > 2 * len(tasks)


def test_what_a_worker_has_done_counts_when_another_finishes(tasks):
    clock = Clock()
    meter = Meter(2, clock)
    meter.start(tasks[:3])
    first, second, third = map(rows_in_columns, tasks[:3])
    clock.now = first
    meter.finish(tasks[0], first, "w")
    done = first + min(first, 0.95 * second)
    assert meter.now()[0] == pytest.approx(done / (first + second + third))


def test_a_task_under_way_is_not_counted_as_done(tasks):
    clock = Clock()
    meter = Meter(1, clock)
    meter.start(tasks[:2])
    meter.finish(tasks[0], 10.0 * rows_in_columns(tasks[0]), "w")
    clock.now = 1e9
    share, left = meter.now()
    assert share < 1
    assert left > 0


def test_a_line_says_what_is_done_and_left(tasks):
    clock = Clock()
    meter = Meter(1, clock)
    meter.start(tasks)
    columns = sum(len(task.columns) for task in tasks)
    clock.now = 30.0
    meter.notice = "compiling, once"
    assert meter.line() == f"fitting: 0 of {columns} columns done, 30 s passed; compiling, once"
    whole = sum(map(rows_in_columns, tasks))
    meter.finish(tasks[0], 100 * rows_in_columns(tasks[0]) / whole, "w")
    share = rows_in_columns(tasks[0]) / whole
    assert meter.line() == (
        f"fitting: {share:.0%} done, {len(tasks[0].columns)} of {columns} columns, "
        f"30 s passed, about {100 * (1 - share):.0f} s left"
    )
    for task in tasks[1:]:
        meter.finish(task, 1.0, "w")
    assert meter.line() == f"{columns} columns are fitted; decoding them; 30 s passed"


def test_off_a_terminal_there_is_a_line_now_and_then(tasks):
    text = io.StringIO()
    with shown(Console(file=text, soft_wrap=True), 1, every=0.01) as meter:
        meter.start(tasks)
        while text.getvalue().count("fitting: 0 of") < 2:
            time.sleep(0.01)
    assert "\x1b" not in text.getvalue()


def test_on_a_terminal_there_is_a_bar_with_the_time_left(tasks):
    text = io.StringIO()
    with shown(Console(file=text, force_terminal=True, width=100), 1) as meter:
        meter.start(tasks[:2])
        meter.finish(tasks[0], 50.0, "w")
        while "left" not in text.getvalue():
            time.sleep(0.05)
    assert "about" in text.getvalue()
    assert "fitting" in text.getvalue()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_compiling_is_announced_once():
    said = []
    with announced(lambda: said.append("compiling")):
        assert not said
        assert numba.njit(lambda x: x + 1)(1) == 2
        assert numba.njit(lambda x: x + 2)(1) == 3
    assert said == ["compiling"]
    numba.njit(lambda x: x + 3)(1)
    assert said == ["compiling"]


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_a_run_says_that_it_compiles(config, command, tmp_path):
    (tmp_path / "fresh.py").write_text(
        "import numpy as np\nfrom numba import njit\n"
        "@njit\ndef double(x):\n    return 2 * x\n"
        "class Fresh:\n"
        "    def fit(self, X, Y): self.n = Y.shape[1]\n"
        "    def margins(self, X): return np.full((len(X), self.n), double(1.0))\n"
    )
    text = SMALL.replace("svm: {kernel: poly, degree: 2, gamma: 1/d}", '"fresh:Fresh":')
    result = command("run", config(text), "--out", tmp_path / "out", "--dry-run")
    assert result.stderr.count("compiling, once: later runs start at once") == 1
    quiet = command("run", config(), "--out", tmp_path / "other", "--dry-run")
    assert "compiling" not in quiet.stderr


def test_the_dry_run_estimates_the_time_and_speaks_of_the_chosen_cells_only(
    config, command, tmp_path, monkeypatch
):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path / "nothing"))
    monkeypatch.setattr("pooch.os_cache", lambda project: tmp_path / "nothing")
    text = SMALL.replace("[glass, vowel]", "[glass, soybean, isolet]")
    path = config(text.replace("all_pairs", "complete"))
    call = ["run", path, "--dry-run", "--out", tmp_path / "out", "-j", 2]
    whole = command(*call).stdout
    assert "left out: soybean complete" in whole
    assert "not here: isolet" in whole
    assert " of fitting with 2 workers, by small fits on some of the rows" in whole
    chosen = command(*call, "--only", "dataset=glass").stdout
    assert "soybean" not in chosen
    assert "isolet" not in chosen
    command("run", path, "--out", tmp_path / "out", "-j", 1, "--only", "dataset=glass")
    done = command(*call, "--only", "dataset=glass").stdout
    assert ", 0 to do" in done
    assert "of fitting" not in done


FAULTS = {
    "key": ("seed: 7", "sed: 7", "unknown key 'sed'"),
    "data set": ("glass", "glas", "Did you mean 'glass'?"),
    "learner": ("svm:", "swm:", "unknown learner 'swm'"),
    "code": ("ova", "ovo", "unknown code 'ovo'"),
    "decoder": ("hamming", "haming", "Did you mean 'hamming'?"),
    "file": ("[glass,", "[{name: mine, path: none.csv},", "none.csv: no such file"),
}


@pytest.mark.parametrize("fault", [*FAULTS, "only"])
def test_a_wrong_config_is_said_before_the_heavy_packages_are_imported(fault, config):
    old, new, message = FAULTS.get(fault, ("", "", "unknown method 'x'"))
    text = SMALL + "methods: [kesler]\n"
    path = config(text.replace(old, new, 1))
    call = ["ecoc-bench", "run", str(path), *(["--only", "method=x"] if fault == "only" else [])]
    script = (
        f"import sys; sys.argv = {call}\n"
        "from ecoc_bench.cli import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code == 2\n"
        f"print(sorted({HEAVY} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert message in result.stderr
    assert result.stdout.strip() == "[]"
