"""A user's CSV on the command line: what is said about it, before a run and by `show dataset`."""

from ecoc_bench.files import shipped

CONFIG = """
name: mine
datasets:
  - {name: mine, path: mine.csv, target: species%s}
evaluation: {folds: 3}
learners: [least_squares]
codes: [ova]
decoders: [hamming]
"""


def with_row_names(tmp_path):
    """The iris of the examples with row names and semicolons; two labels are missing."""
    head, *rows = (shipped("configs") / "examples" / "iris.csv").read_text().splitlines()
    rows = [f"{i + 1},{row}" for i, row in enumerate(rows)] + ["151,1,1,1,1,", "152,1,1,1,1,?"]
    text = "\n".join([f"row,{head}", *rows]) + "\n"
    (tmp_path / "mine.csv").write_text(text.replace(",", ";"))
    return tmp_path / "mine.csv"


def test_a_run_says_how_it_read_the_data_and_which_columns_are_suspect(config, command, tmp_path):
    with_row_names(tmp_path)
    out = ["--out", tmp_path / "out", "-j", 1]
    refused = command("run", config(CONFIG % ""), *out)
    assert refused.exit_code == 2
    assert "line 152: no label in column 'species' (2 of 152 rows have none)" in refused.stderr
    told = command("run", config(CONFIG % ", missing_labels: drop"), *out)
    assert "mine: 2 rows without a label were left out.\n" in told.stderr
    assert "mine: its cells are separated by semicolons.\n" in told.stderr
    assert "mine: column 'row' looks like an identifier and determines the label" in told.stderr
    assert "mine: 2 rows without a label were left out." in told.stdout
    rest = command("run", config(CONFIG % ", missing_labels: drop, drop: [row]"), *out)
    assert "column 'row'" not in rest.stderr
    assert rest.stdout != told.stdout


def test_noise_levels_of_one_file_are_told_once(config, command, tmp_path):
    with_row_names(tmp_path)
    text = CONFIG % ", missing_labels: drop" + "noise: [0, 0.1]\n"
    result = command("run", config(text), "--dry-run", "--out", tmp_path / "out")
    assert result.stderr.count("column 'row'") == 1


def test_only_the_chosen_data_are_told_of(config, command, tmp_path):
    with_row_names(tmp_path)
    text = (CONFIG % ", missing_labels: drop").replace("datasets:", "datasets:\n  - glass")
    call = ["run", config(text), "--dry-run", "--out", tmp_path / "out"]
    assert "mine: column" in command(*call).stderr
    assert "mine: column" not in command(*call, "--only", "dataset=glass").stderr


def test_show_dataset_takes_a_csv(command, tmp_path):
    path = with_row_names(tmp_path)
    text = " ".join(command("show", "dataset", path, "--target", "species").stdout.split())
    assert "150; 2 rows without a label were left out" in text
    assert "5 (5 numeric, 0 nominal): row, sepal_length" in text
    assert "setosa 50, versicolor 50, virginica 50" in text
    assert "its cells are separated by semicolons" in text
    assert "column 'row' looks like an identifier and determines the label alone" in text
    dropped = command("show", "dataset", path, "--target", "species", "--drop", "row").stdout
    assert "column 'row'" not in dropped


def test_show_dataset_refuses_what_it_cannot_show(command, tmp_path):
    path = with_row_names(tmp_path)
    for call, message in [
        ([path], "no column 'class' for target. It has: row"),
        ([path, "--target", "specie"], "Did you mean 'species'?"),
        ([path, "--target", "species", "--drop", "rows"], "no column 'rows' for drop"),
        ([tmp_path / "none.csv"], "no such file"),
        (["glass", "--target", "class"], "--target and --drop go with the path of a file"),
    ]:
        result = command("show", "dataset", *call)
        assert result.exit_code == 2
        assert message in result.stderr
