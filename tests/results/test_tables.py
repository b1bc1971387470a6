"""Summaries worked by hand, and their rendering."""

import io

import pandas as pd
import pytest
from scipy.stats import binomtest

from ecoc_bench.published import load_table
from ecoc_bench.results.side_by_side import side_by_side
from ecoc_bench.results.summary import agreement, compared, notable, summarize, wilson
from ecoc_bench.results.tables import Layout, render

PAPER = load_table("allwein2000.table3")


def row(dataset="glass", code="ova", decoder="hamming", errors=0, n_test=100, **other):
    defaults = {
        **{"dataset": dataset, "learner": "svm", "code": code, "draw": 0, "stage": 0},
        **{"decoder": decoder, "repeat": 0, "fold": 0, "n_classes": 6, "n_columns": 6, "rho": 2.0},
        **{"n_train": 114, "n_test": n_test, "errors": errors, "error_rate": errors / n_test},
        **{"ties": 5, "train_error_rate": 0.1, "binary_error_rate": 0.05, "unconverged": 0},
    }
    return defaults | other


def summary_of(*rows, **options):
    return summarize(pd.DataFrame(rows), **options)


def one(*rows, **options):
    (record,) = summary_of(*rows, **options).to_dict("records")
    return record


def small_run(shift=0):
    """Two sets, two codes, two decoders; the random code drawn three times."""
    rows = []
    for dataset, n_test in [("soybean", 376), ("glass", 214)]:
        for decoder in ["loss", "hamming"]:
            rows.append(row(dataset, "ova", decoder, errors=80 + shift, n_test=n_test))
            for draw, errors in enumerate([30, 33, 36]):
                rows.append(row(dataset, "dense", decoder, errors + shift, n_test, draw=draw))
    return summarize(pd.DataFrame(rows))


# Wilson


@pytest.mark.parametrize(("errors", "n"), [(0, 10), (1, 10), (15, 100), (462, 462), (40, 2000)])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_wilson_agrees_with_scipy(errors, n, level):
    expected = binomtest(errors, n).proportion_ci(level, method="wilson")
    assert wilson(errors / n, n, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_textbook_value():
    # Newcombe 1998: 81 of 263 gives 0.2553 to 0.3662.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_wilson_without_examples_is_unknown():
    assert all(pd.isna(bound) for bound in wilson(0.5, 0))


# Summaries


def test_folds_are_pooled_not_averaged():
    # 10 of 20 and 0 of 80: 10 of 100 pooled, where the mean of the rates would be 25%.
    cell = one(row(errors=10, n_test=20, fold=0), row(errors=0, n_test=80, fold=1))
    assert cell["error"] == pytest.approx(10.0)
    assert cell["n_test"] == 100
    assert (cell["lo"], cell["hi"]) == pytest.approx([100 * b for b in wilson(0.1, 100)])


def test_repeats_are_averaged_and_do_not_narrow_the_interval():
    cell = one(row(errors=10, repeat=0), row(errors=20, repeat=1))
    assert cell["error"] == pytest.approx(15.0)
    assert cell["n_test"] == 100
    assert cell["draws"] == 1
    assert pd.isna(cell["sd_draws"])


def test_draws_have_mean_and_spread():
    cell = one(*(row(code="dense", errors=e, draw=d) for d, e in enumerate([10, 12, 17])))
    assert cell["error"] == pytest.approx(13.0)
    # Squared deviations 9, 1 and 16 over two degrees of freedom.
    assert cell["sd_draws"] == pytest.approx(13**0.5)
    assert (cell["draws"], cell["min_draw"], cell["max_draw"]) == (3, 10.0, 17.0)


def test_shares_are_in_percent_and_counts_are_totals():
    cell = one(row(fold=0, unconverged=2), row(fold=1, unconverged=1))
    assert cell["ties"] == pytest.approx(5.0)
    assert cell["train_error"] == pytest.approx(10.0)
    assert cell["binary_error"] == pytest.approx(5.0)
    assert (cell["unconverged"], cell["columns_fitted"]) == (3, 12)


def test_tables_use_each_learners_last_stage_unless_told():
    rows = [row(errors=e, stage=s) for e, s in [(30, 10), (20, 100)]]
    rows.append(row(errors=40, learner="logistic"))
    last = summary_of(*rows).set_index("learner")["error"]
    assert last.to_dict() == {"svm": 20.0, "logistic": 40.0}
    assert one(*rows, stage=10)["error"] == pytest.approx(30.0)


def test_missing_fold_is_seen_beside_the_other_codes():
    table = summary_of(
        *(row(code="ova", fold=f) for f in range(3)), *(row(code="dense", fold=f) for f in range(2))
    )
    assert table.set_index("code")["complete"].to_dict() == {"ova": True, "dense": False}


def test_missing_draw_is_seen_against_the_plan():
    rows = [row(code="dense", draw=0), row(code="dense", draw=1)]
    assert one(*rows)["complete"]
    assert not one(*rows, expected={("glass", "svm", "dense"): 3})["complete"]
    assert one(*rows, expected={("glass", "svm", "dense"): 2})["complete"]


def test_summary_keeps_the_order_of_the_run():
    table = summary_of(row("yeast", "sparse"), row("ecoli", "ova"), row("yeast", "dense"))
    assert list(table["dataset"]) == ["yeast", "ecoli", "yeast"]


# Comparison


def test_comparison_with_the_paper():
    table = compared(summary_of(row(errors=30), row("mine", errors=30)), PAPER)
    # The paper has 37.6 for glass; 30 of 100 has the interval 21.9 to 39.6.
    assert table.loc[0, ["paper", "difference"]].tolist() == pytest.approx([37.6, -7.6])
    assert table.loc[0, "within"]
    assert pd.isna(table.loc[1, "paper"])
    assert pd.isna(table.loc[1, "within"])
    assert not notable(table).any()


def test_comparison_of_a_filtered_summary_stays_aligned():
    table = summary_of(row("ecoli", errors=10), row("glass", errors=30))
    assert compared(table[table["dataset"] == "glass"], PAPER)["paper"].tolist() == [37.6]


def test_agreement_counts_only_cells_of_both():
    table = compared(summary_of(row(errors=30), row("ecoli", errors=45), row("mine")), PAPER)
    # 30 - 37.6 inside the interval, 45 - 15.8 outside.
    assert agreement(table) == (2, pytest.approx((7.6 + 29.2) / 2), 1)
    assert notable(table).tolist() == [False, True, False]


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
    assert "in all 5.19 (8 cells)" in " ".join(text.split())
    assert "in 6 of 8 cells" in text
    assert "mean over 3 drawn codes" in text


def test_terminal_table_is_plain_and_fits_120_columns():
    codes = ["ova", "complete", "all_pairs", "dense", "sparse", "my_long_code_name", "another_code"]
    rows = [row(code=code, errors=30, draw=d) for code in codes for d in range(2)]
    text = render(compared(summary_of(*rows), PAPER), layout=Layout(paper=PAPER))
    assert max(map(len, text.splitlines())) <= 120
    assert "\x1b" not in text
    assert text.index("Sparse") < text.index("my_long_code_name")
    assert "paper –" in text  # what only we have


def test_marks_under_the_table():
    rows = [row(fold=f, unconverged=2, decoder=d) for f in range(3) for d in ("hamming", "loss")]
    rows.append(row(code="dense", errors=7))
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
    table = compared(summary_of(row("glass", errors=30), row("soybean", errors=30)), PAPER)
    left_out = {("glass", "complete"): "r", ("soybean", "complete"): "r"}
    rows = render(table, style="markdown", layout=Layout(paper=PAPER, left_out=left_out))
    cells = {line.split("|")[1].strip(): line.split("|")[3].strip() for line in table_lines(rows)}
    assert cells["glass"] == "–<br>paper 34.3"
    assert cells["soybean"] == "–"


def test_without_a_paper_there_is_one_table_per_learner():
    table = summary_of(row("mine", errors=20), row("mine", errors=30, learner="logistic"))
    text = render(table)
    assert text.count("Problem") == 2
    assert "of svm" in text
    assert "of logistic" in text
    assert "20.0 [13.3, 28.9]" in text
    assert "paper" not in text
    assert "difference" not in text


def test_orders_of_the_config_come_after_the_papers():
    rows = [
        row(d, c, errors=5) for d in ["b", "a", "glass"] for c in ["two", "one", "dense", "ova"]
    ]
    layout = Layout(paper=PAPER, datasets=["a", "b"], codes=["one", "two"])
    lines = table_lines(render(compared(summary_of(*rows), PAPER), style="markdown", layout=layout))
    head = [cell.strip() for cell in lines[0].split("|")[1:-1]]
    assert head == ["Problem", "One-vs-all", "Dense", "one", "two"]
    assert [line.split("|")[1].strip() for line in lines[2:]] == ["glass", "a", "b"]


def test_stand_in_takes_the_place_of_the_papers_set():
    table = compared(summary_of(row("glass"), row("dermatology358", errors=4)), PAPER)
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
    table = summary_of(row("a|b", fold=0), row("a|b", fold=1), row("a|b", "dense"))
    text = render(table, style="markdown")
    assert r"a\|b" in text
    assert r"0.0\* [" in text


def test_latex_is_booktabs_and_escaped():
    table = compared(summary_of(row("my_set", "all_pairs", errors=9), row(errors=30)), PAPER)
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


def test_side_by_side_has_the_paper_and_the_runs_in_each_cell():
    text = both_runs()
    assert "Allwein et al. 2000, Table 3 / raw / sound" in text
    assert "37.6 / 37.4 / 25.7†" in text  # 80 and 55 of 214
    assert "raw: mean |difference| from the paper" in text
    assert "over 8 cells" in text
    assert max(map(len, text.splitlines())) <= 120


def test_side_by_side_explains_the_cells_that_differ():
    text = " ".join(both_runs("markdown").split())
    assert "- glass (raw: Dense −19.4/−19.4; sound: One-vs-all −12.9/−11.9, Dense" in text
    assert "Table 1 counts 7 classes" in text
    assert "Nothing particular is known of One-vs-all." in text
    assert "Random codes differ from draw to draw" in text
    assert "- satimage" not in text


def test_side_by_side_without_differences_explains_nothing():
    table = compared(summary_of(row(errors=37)), PAPER)
    text = side_by_side({"near": table}, PAPER)
    assert "37.6 / 37.0" in text
    assert "†" not in text
    assert "Random codes" not in text


def test_side_by_side_names_learners_and_stand_ins_and_skips_what_the_paper_lacks():
    first = compared(summary_of(row(errors=37), row(errors=38, learner="logistic")), PAPER)
    second = compared(summary_of(row("dermatology358", errors=4), row("mine")), PAPER)
    text = side_by_side({"a": first, "b": second}, PAPER)
    assert "/ a svm / a logistic / b" in text
    assert "4.2 / – / – / 4.0" in text
    assert "dermatology: dermatology358 stands in for it." in text
    assert "mine" not in text


def test_side_by_side_csv_has_a_row_per_run_and_cell():
    frame = pd.read_csv(io.StringIO(both_runs("csv")))
    assert list(frame.columns[:4]) == ["run", "dataset", "code", "decoder"]
    assert frame.groupby("run").size().to_dict() == {"raw": 8, "sound": 8}
