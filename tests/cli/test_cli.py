import signal
import subprocess
import sys
import time
import weakref

import click
import pytest

from ecoc_bench.cli import _interruptible, catalog, main
from ecoc_bench.cli.catalog import LISTS, code_lines
from ecoc_bench.coding.codes import CODES, complete, one_vs_all
from ecoc_bench.coding.decoders import DECODERS
from ecoc_bench.data.cards import card_names
from ecoc_bench.experiment.config import config_names, example_names, find_config
from ecoc_bench.files import PACKAGE
from ecoc_bench.learners import LEARNERS

README = (PACKAGE.parent / "README.md").read_text()


def commands(group, path=()):
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands(main)), ids=" ".join)
def test_every_command_has_help_with_an_example_and_a_place_in_the_readme(path, command):
    result = command(*path, "--help")
    assert result.exit_code == 0
    assert f"ecoc-bench {' '.join(path)}" in result.stdout.partition("Example")[2]
    assert f"ecoc-bench {' '.join(path)}" in README


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("datasets", card_names()),
        ("codes", CODES),
        ("learners", LEARNERS),
        ("decoders", [*DECODERS, "auto", "loss"]),
        ("configs", [*config_names(), *example_names()]),
    ],
)
def test_list_walks_over_the_registry(what, names, command):
    listed = [line.split()[0] for line in command("list", what).stdout.splitlines()]
    assert sorted(listed) == sorted(names)


@pytest.mark.parametrize("call", ["--help", *(f"list {what}" for what in LISTS)])
def test_help_and_list_do_not_import_the_heavy_packages(call):
    heavy = "{'sklearn', 'numba', 'matplotlib', 'pandas'}"
    script = (
        f"import sys; sys.argv = ['ecoc-bench', *{call.split()}]\n"
        "from ecoc_bench.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"sys.exit(', '.join({heavy} & set(sys.modules)) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


def test_what_draws_nothing_does_not_import_matplotlib():
    script = (
        "import sys, ecoc_bench.papers.registry, ecoc_bench.report.write, ecoc_bench.running.run\n"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0


def test_show_code_prints_the_matrix_and_rho(command):
    lines = command("show", "code", "all_pairs", "--classes", 3).stdout.splitlines()
    assert lines == [
        "all_pairs: 3 classes, 3 columns, rho 2, 33% zeros, corrects 0 wrong columns",
        "A zero counts 1/2 in rho. A column that leaves the true class out may speak against it; "
        "that is not among the wrong columns.",
        "  0  ++0",
        "  1  -0+",
        "  2  0--",
    ]


def test_show_code_tells_how_many_wrong_columns_a_code_corrects(command):
    first, row, *_ = command("show", "code", "complete", "--classes", 5).stdout.splitlines()
    assert first.endswith("15 columns, rho 8, 0% zeros, corrects 3 wrong columns")
    assert row.startswith("  0  ")  # no zeros, nothing to say of them
    one = command("show", "code", "complete", "--classes", 4).stdout.splitlines()[0]
    assert one.endswith("rho 4, 0% zeros, corrects 1 wrong column")


def test_a_large_code_does_not_flood_a_terminal(command):
    """A file or a pipe gets all of it."""
    M = one_vs_all(200)
    seen, whole = (list(code_lines("ova", M, terminal)) for terminal in (True, False))
    size = "ova: 200 classes, 200 columns, rho 2, 0% zeros"
    assert seen[0] == whole[0] == f"{size}, corrects 0 wrong columns"
    assert seen[1:41] == whole[1:41]
    assert seen[41:] == [
        "... The first 40 rows and 200 columns are shown; a file or a pipe gets all."
    ]
    assert len(whole) == 201
    assert command("show", "code", "ova", "--classes", 200).stdout.splitlines() == whole
    assert len(list(code_lines("complete", complete(11), terminal=True))) == 12


def test_show_code_reads_a_csv(command, tmp_path):
    (tmp_path / "m.csv").write_text("1,1\n-1,1\n0,-1\n")
    assert (
        "2 columns, rho 1, 17% zeros" in command("show", "code", tmp_path / "m.csv", "-k", 3).stdout
    )
    result = command("show", "code", tmp_path / "m.csv", "-k", 4)
    assert result.exit_code == 2
    assert "Set --classes 3" in result.stderr


def test_show_code_that_cannot_exist_is_a_sentence(command):
    result = command("show", "code", "dense", "--classes", 3)
    assert result.exit_code == 2
    assert "cannot exist for 3 classes" in result.stderr


def test_show_dataset_prints_the_card(command):
    text = command("show", "dataset", "soybean").stdout
    assert "307 train, 376 test" in text
    assert "0 numeric, 35 nominal" in text
    assert "CC BY 4.0" in text
    assert command("show", "dataset", "soya").exit_code == 2


@pytest.mark.parametrize("name", [*config_names(), *example_names()])
def test_show_config_prints_it_as_it_is(name, command):
    result = command("show", "config", name)
    assert result.stdout == find_config(name).read_text()


def test_show_config_names_the_files_that_it_needs(command):
    folder = find_config("examples/own_code").parent
    result = command("show", "config", "examples/own_code")
    needed = [line.partition(": ")[2] for line in result.stderr.splitlines()]
    assert needed == [str(folder / n) for n in ("iris.csv", "iris_code.csv", "my_code.py")]
    assert command("show", "config", "quick").stderr == ""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("own_code", "Did you mean 'examples/own_code'?"),
        ("quik", "Did you mean 'quick'?"),
        ("missing.yaml", "missing.yaml: no such file"),
    ],
)
def test_show_config_of_an_unknown_name_is_a_sentence(name, message, command):
    result = command("show", "config", name)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_data_status_knows_every_card(command):
    listed = [line.split()[0] for line in command("data", "status").stdout.splitlines()]
    assert listed == card_names()


def test_fetching_an_unknown_set_is_a_sentence(command):
    result = command("data", "fetch", "thyroyd")
    assert result.exit_code == 2
    assert "Did you mean 'thyroid'" in result.stderr


def test_table_of_something_else_than_a_run_is_a_sentence(command, tmp_path):
    result = command("table", tmp_path)
    assert result.exit_code == 2
    assert "not the folder of a run" in result.stderr


def test_results_go_to_stdout_and_narration_to_stderr(config, command, tmp_path):
    result = command("run", config(), "--out", tmp_path / "out", "--only", "code=ova")
    assert " ranks first of 2: " in result.stdout.splitlines()[0]
    assert "Test error (%) of svm" in result.stdout
    assert "columns fitted" in result.stderr
    assert "columns fitted" not in result.stdout
    assert "\x1b" not in result.stdout + result.stderr


def test_table_at_a_stage(config, command, tmp_path):
    text = """
    name: staged
    datasets: [vowel]
    learners:
      boost: {type: adaboost, rounds: 20, record: [5]}
    codes: [ova]
    decoders: [loss]
    """
    out = tmp_path / "out"
    last = command("run", config(text), "--out", out).stdout
    early = command("table", out, "--stage", 5).stdout
    assert "of boost after 5 rounds" in early
    late = command("table", out, "--stage", 20).stdout
    assert late.replace(" after 20 rounds", "") == last
    assert early.splitlines()[0] != last.splitlines()[0]
    assert early.splitlines()[-2] != last.splitlines()[-2]
    result = command("table", out, "--stage", 6)
    assert result.exit_code == 2
    assert "The run has: 5, 20" in result.stderr


def test_runs_side_by_side_need_the_same_paper(config, command, tmp_path):
    out = tmp_path / "out"
    command("run", config(), "--out", out, "--only", "code=ova", "--only", "dataset=glass")
    result = command("table", out, out)
    assert result.exit_code == 2
    assert "same paper" in result.stderr


def test_an_interrupt_that_python_drops_comes_again():
    """In a callback of a weak reference it would be printed and forgotten."""

    class Thing:
        pass

    things, heard = [Thing()], []
    reference = weakref.ref(things[0], lambda _: signal.raise_signal(signal.SIGTERM))

    def drop_and_wait():
        things.clear()
        assert heard == [signal.SIGTERM]
        time.sleep(30)

    with pytest.raises(KeyboardInterrupt), _interruptible(heard):
        drop_and_wait()
    assert reference() is None
    assert heard == [signal.SIGTERM, signal.SIGINT]


def test_a_second_ctrl_c_while_the_first_is_answered_is_not_heard(command, monkeypatch):
    def struck(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(catalog, "lines", struck)
    monkeypatch.setattr(click, "echo", lambda *_, **__: signal.raise_signal(signal.SIGINT))
    assert command("list", "codes").exit_code == 130
