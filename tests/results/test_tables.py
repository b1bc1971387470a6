"""Tables of test errors, and of several runs side by side."""

import io

import pandas as pd
from worked import measured, small_run, summary_of

from ecoc_bench.published import load_table
from ecoc_bench.results.side_by_side import side_by_side
from ecoc_bench.results.summary import compared
from ecoc_bench.results.tables import Layout, render

PAPER = load_table("allwein2000.table3")


# Rendering


def compared_text(style="terminal", **options):
    layout = Layout(paper=PAPER, **options)
    return render(compared(small_run(), PAPER), style=style, layout=layout)


def test_terminal_table_has_ours_the_papers_and_the_spread():
    text = compared_text()
    lines = [line.split("  ") for line in text.splitlines()]
    problems = [line[0] for line in lines if line[0] in ("glass", "soybean")]
    assert problems == ["glass", "soybean"] * 2  # the paper's order, once per decoder
    assert text.index("Hamming Decoding") < text.index("Loss-based Decoding")
    assert "37.4 [31.2, 44.0]" in text  # 80 of 214
    assert "paper 37.6 −0.2" in text
    # 30, 33 and 36 of 214.
    assert "15.4 [11.2, 20.9]" in text
    assert "sd 1.4, 14.0–16.8" in text
    assert "in all 5.19 (8 entries)" in " ".join(text.split())
    assert "in 6 of 8 entries" in text
    assert "mean over 3 drawn codes" in text


def test_terminal_table_is_plain_and_fits_120_columns():
    codes = ["ova", "complete", "all_pairs", "dense", "sparse", "my_long_code_name", "another_code"]
    rows = [measured(code=code, errors=30, draw=d) for code in codes for d in range(2)]
    text = render(compared(summary_of(*rows), PAPER), layout=Layout(paper=PAPER))
    assert max(map(len, text.splitlines())) <= 120
    assert "\x1b" not in text
    assert text.index("Sparse") < text.index("my_long_code_name")
    assert "paper –" in text  # what only we have


def test_marks_under_the_table():
    rows = [
        measured(fold=f, unconverged=2, decoder=d) for f in range(3) for d in ("hamming", "loss")
    ]
    rows.append(measured(code="dense", errors=7))
    layout = Layout(
        left_out={("glass", "complete"): "too many columns", ("iris", "complete"): "k > 11"},
        notes={"glass": "Six of seven classes occur.", "absent": "Not shown."},
    )
    text = render(summary_of(*rows), layout=layout)
    assert "7.0* [" in text
    assert "*: some folds" in text
    assert "–: complete left out of glass: too many columns" in text
    assert "Columns that did not converge, over all codes: glass 6 of 24." in text
    assert "glass: Six of seven classes occur." in text
    assert "Not shown" not in text


def test_code_left_out_is_a_dash_beside_what_the_paper_has():
    table = compared(
        summary_of(measured("glass", errors=30), measured("soybean", errors=30)), PAPER
    )
    left_out = {("glass", "complete"): "r", ("soybean", "complete"): "r"}
    rows = render(table, style="markdown", layout=Layout(paper=PAPER, left_out=left_out))
    entries = {line.split("|")[1].strip(): line.split("|")[3].strip() for line in table_lines(rows)}
    assert entries["glass"] == "–<br>paper 34.3"
    assert entries["soybean"] == "–"


def test_without_a_paper_there_is_one_table_per_learner():
    table = summary_of(measured("mine", errors=20), measured("mine", errors=30, learner="logistic"))
    text = render(table)
    assert text.count("Problem") == 2
    assert "of svm" in text
    assert "of logistic" in text
    assert "20.0 [13.3, 28.9]" in text
    assert "paper" not in text
    assert "difference" not in text


def test_orders_of_the_config_come_after_the_papers():
    rows = [
        measured(d, c, errors=5)
        for d in ["b", "a", "glass"]
        for c in ["two", "one", "dense", "ova"]
    ]
    layout = Layout(paper=PAPER, datasets=["a", "b"], codes=["one", "two"])
    lines = table_lines(render(compared(summary_of(*rows), PAPER), style="markdown", layout=layout))
    head = [entry.strip() for entry in lines[0].split("|")[1:-1]]
    assert head == ["Problem", "One-vs-all", "Dense", "one", "two"]
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["glass", "a", "b"]


def test_stand_in_takes_the_place_of_the_papers_set():
    table = compared(summary_of(measured("glass"), measured("dermatology358", errors=4)), PAPER)
    lines = table_lines(render(table, style="markdown", layout=Layout(paper=PAPER)))
    assert "dermatology358" in lines[2]
    assert "paper 4.2 −0.2" in lines[2]


def table_lines(markdown):
    return [line for line in markdown.splitlines() if line.startswith("|")]


def test_markdown_rows_have_equal_column_counts():
    text = compared_text("markdown", left_out={("soybean", "complete"): "too many columns"})
    assert {line.replace(r"\|", "").count("|") for line in table_lines(text)} == {5}
    assert len(table_lines(text)) == 2 * (2 + 2)


def test_markdown_escapes_what_would_be_markup():
    table = summary_of(measured("a|b", fold=0), measured("a|b", fold=1), measured("a|b", "dense"))
    text = render(table, style="markdown")
    assert r"a\|b" in text
    assert r"0.0\* [" in text


def test_latex_is_booktabs_and_escaped():
    table = compared(
        summary_of(measured("my_set", "all_pairs", errors=9), measured(errors=30)), PAPER
    )
    layout = Layout(paper=PAPER, notes={"my_set": "50% of R&D_data."})
    text = render(table, style="latex", layout=layout)
    assert r"\toprule" in text
    assert r"my\_set" in text
    assert r"50\% of R\&D\_data." in text
    assert "paper 37.6 $-$7.6" in text
    assert text.isascii()
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


def test_csv_is_the_tidy_frame():
    text = compared_text("csv")
    frame = pd.read_csv(io.StringIO(text))
    assert len(frame) == 8
    assert list(frame.columns[:5]) == ["dataset", "learner", "code", "decoder", "error"]
    assert list(frame.columns[-3:]) == ["paper", "difference", "within"]
    assert "37.3832" in text  # 80 of 214, always four digits


# Side by side


def both_runs(style="terminal"):
    runs = {"raw": compared(small_run(), PAPER), "sound": compared(small_run(-25), PAPER)}
    return side_by_side(runs, PAPER, style)


def test_side_by_side_has_the_paper_and_the_runs_in_each_entry():
    text = both_runs()
    assert "Allwein et al. 2000, Table 3 / raw / sound" in text
    assert "37.6 / 37.4 / 25.7†" in text  # 80 and 55 of 214
    assert "raw: mean |difference| from the paper" in text
    assert "over 8 entries" in text
    assert max(map(len, text.splitlines())) <= 120


def test_side_by_side_explains_the_entries_that_differ():
    text = " ".join(both_runs("markdown").split())
    assert "- glass (raw: Dense −19.4/−19.4; sound: One-vs-all −12.9/−11.9, Dense" in text
    assert "Table 1 counts 7 classes" in text
    assert "Nothing particular is known of One-vs-all." in text
    assert "Random codes differ from draw to draw" in text
    assert "- satimage" not in text


def test_side_by_side_without_differences_explains_nothing():
    table = compared(summary_of(measured(errors=37)), PAPER)
    text = side_by_side({"near": table}, PAPER)
    assert "37.6 / 37.0" in text
    assert "†" not in text
    assert "Random codes" not in text


def test_side_by_side_names_learners_and_stand_ins_and_skips_what_the_paper_lacks():
    first = compared(
        summary_of(measured(errors=37), measured(errors=38, learner="logistic")), PAPER
    )
    second = compared(summary_of(measured("dermatology358", errors=4), measured("mine")), PAPER)
    text = side_by_side({"a": first, "b": second}, PAPER)
    assert "/ a svm / a logistic / b" in text
    assert "4.2 / – / – / 4.0" in text
    assert "dermatology: dermatology358 stands in for it." in text
    assert "mine" not in text


def test_side_by_side_csv_has_a_row_per_run_and_entry():
    frame = pd.read_csv(io.StringIO(both_runs("csv")))
    assert list(frame.columns[:4]) == ["run", "dataset", "code", "decoder"]
    assert frame.groupby("run").size().to_dict() == {"raw": 8, "sound": 8}
