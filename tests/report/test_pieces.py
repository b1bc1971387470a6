"""What comes after the fits fails piece by piece, and never takes the rows with it."""

import pytest

import ecoc_bench.papers.registry as registry
from ecoc_bench.papers.paper import Paper
from ecoc_bench.report import page, write

LIKELIHOOD = """
name: mine
seed: 1
datasets: [{name: flowers, path: flowers.csv, target: species}]
evaluation: {folds: 2}
learners:
  gaussian_svm: {sweep: {gamma: [0.5, 1.0]}}
codes: [ova]
decoders: [hamming, likelihood]
"""


@pytest.fixture
def flowers(tmp_path):
    rows = [f"{i % 7},{(3 * i) % 11},{'abc'[i % 3]}" for i in range(60)]
    (tmp_path / "flowers.csv").write_text("\n".join(["x,y,species", *rows]) + "\n")


def test_the_papers_experiment_on_data_of_ones_own_has_its_tables(
    flowers, config, command, tmp_path
):
    """It ended in a traceback after all the fitting: Table I was empty."""
    result = command("run", config(LIKELIHOOD), "--out", tmp_path / "out", "--report")
    assert result.exit_code == 0, result.stderr
    tables = {path.name for path in (tmp_path / "out" / "tables").iterdir()}
    assert {"table.txt", "choices.txt", "decoders.txt", "calibration.txt"} <= tables
    assert "table1.txt" not in tables
    assert (tmp_path / "out" / "report.html").exists()


def broken(run):
    raise ZeroDivisionError("no figure today")
    yield


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        ({"tables": broken}, "the tables of broken could not be made: ZeroDivisionError"),
        ({"figures": broken}, "the figures of broken could not be made: ZeroDivisionError"),
        ({"claims": None, "scopes": None}, "the claims could not be made: "),
        ("render_page", "the page could not be made: ZeroDivisionError: no figure today"),
        ("write_table", "the table of errors could not be made: ZeroDivisionError"),
    ],
)
def test_a_piece_that_fails_says_so_and_the_others_are_written(
    piece, says, config, command, tmp_path, monkeypatch
):
    if isinstance(piece, dict):
        monkeypatch.setitem(registry.PAPERS, "broken", Paper(**piece))
    else:
        home = page if piece == "render_page" else write
        monkeypatch.setattr(home, piece, lambda *_: next(broken(None)))
    only = ["--only", "dataset=glass", "--only", "code=ova"]
    out = tmp_path / "out"
    result = command("run", config(), "--out", out, *only, "--report", "--jobs", 1)
    assert result.exit_code == 1
    assert says in result.stderr
    assert (out / "results.csv").exists()
    missing = {"render_page": "report.html", "write_table": "tables/table.txt"}.get(str(piece))
    for name in ("report.html", "tables/table.txt", "figures/errors.svg"):
        assert (out / name).exists() == (name != missing), name
