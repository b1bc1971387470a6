"""Passerini et al. 2004: Table I as data, and claims, tables and figures on runs made up."""

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from runs import made_up

from ecoc_bench.experiment.config import table_names
from ecoc_bench.papers.claims import OUTCOMES, judge
from ecoc_bench.papers.evidence import NotEnough
from ecoc_bench.papers.passerini2004 import PASSERINI_2004
from ecoc_bench.papers.passerini2004.claims import CLAIMS, SCOPES
from ecoc_bench.papers.passerini2004.experiment import chosen, experiment, in_full, own_sweeps
from ecoc_bench.papers.passerini2004.tables import choices, decoders, table1, tables
from ecoc_bench.plots.sweep import draw_bound, draw_sweep
from ecoc_bench.published import load_paper
from ecoc_bench.report.figures import pictures, write_figures
from ecoc_bench.report.tables import write_further_tables
from ecoc_bench.results.catalogue import DECODED
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS
from ecoc_bench.results.run import Run
from ecoc_bench.results.sweeps import curves, sweeps

REPRODUCED, PARTLY, NOT, NOT_ENOUGH = OUTCOMES
SMALL = ["anneal", "ecoli", "glass", "soybean", "yeast"]
LARGE = ["letter", "optdigits", "pendigits", "satimage", "segmentation"]
CODES = ["ova", "all_pairs", "bch"]
DECODERS = ["hamming", "linear", "loss", "likelihood"]
GAMMAS = [2.0**k for k in range(-5, 6)]
MEMBERS = {f"gaussian_svm@{gamma:g}": gamma for gamma in GAMMAS}
N_TEST = 1000

# Typed from the printed page.
TABLE_I = """
Anneal 5 898 - 38
Ecoli 8 336 - 7
Glass 6 214 - 9
Letter 26 15000 5000 16
Optdigits 10 3823 1797 64
Pendigits 10 7494 3498 16
Satimage 6 4435 2000 36
Segment 7 1540 770 19
Soybean 19 683 - 35
Yeast 10 1484 - 8
"""


def test_table_i_is_that_of_print_and_no_table_of_errors_is_claimed():
    paper = load_paper("passerini2004")
    names = {name: dataset for dataset, name in paper["names"].items()}
    lines = TABLE_I.split("\n")[1:-1]
    assert len(lines) == len(paper["datasets"]["rows"]) == 10
    for line in lines:
        name, *numbers = line.split()
        expected = [None if number == "-" else int(number) for number in numbers]
        assert paper["datasets"]["rows"][names[name]] == expected
    assert paper["figures"]["figure2"] == SMALL
    assert paper["figures"]["figure3"] == paper["figures"]["figure4"] == LARGE
    assert not [name for name in table_names() if name.startswith("passerini2004")]


# Runs made up


def error(dataset, code, decoder, step):
    """In percent, as the paper says: likelihood lowest and flattest, Hamming good for pairs."""
    worse = {"hamming": 12.0 if code == "ova" else 0.6, "linear": 3.0, "loss": 2.0}.get(decoder, 0)
    slope = {"likelihood": 0.1}.get(decoder, 0.3)
    return 5 + worse + slope * (step - 5) ** 2


def bound(dataset, code, decoder, step):
    """Lowest one step above the best, as the paper says."""
    return 30 + 2 * (step - 6) ** 2


def swept(folder, datasets, errors=error, bounds=bound, folds=2, codes=CODES):
    """The folder of a run: curves as above, a little higher in later folds, and its choices."""
    rows, criteria = [], []
    for dataset in datasets:
        for code in codes:
            for decoder in DECODERS:
                for step, member in enumerate(MEMBERS):
                    for fold in range(folds):
                        at = dataset, code, decoder, step
                        row = _row(*at[:3], member, fold, errors(*at) + fold)
                        cell = {c: row[c] for c in DECODED}
                        rows.append(row)
                        cv = errors(*at) / 100 + 0.001
                        criteria.append({**cell, "cv": cv, "loo_bound": bounds(*at) / 100})
    results, table = pd.DataFrame(rows)[list(COLUMNS)], pd.DataFrame(criteria)
    selected = [_selected(results, table, *c) for c in (("by_loo", "loo_bound"), ("by_cv", "cv"))]
    config = _config(datasets, codes)
    return made_up(folder, results, config, criteria=table, selected=pd.concat(selected))


def _row(dataset, code, decoder, member, fold, percent):
    wrong = round(N_TEST / 100 * percent)
    return dict.fromkeys(COLUMNS, 0) | {
        "dataset": dataset, "learner": member, "code": code, "decoder": decoder, "fold": fold,
        "n_classes": 6, "n_columns": 6, "rho": 2, "n_train": 4435, "n_test": N_TEST,
        "errors": wrong, "error_rate": wrong / N_TEST, "ties": 300 if decoder == "hamming" else 0,
    }  # fmt: skip


def _selected(results, criteria, name, by):
    keys = ["dataset", "code", "decoder", "fold"]
    best = criteria.loc[criteria.groupby(keys, sort=False)[by].idxmin(), [*keys, "learner", by]]
    picked = results.merge(best, on=[*keys, "learner"])
    return picked.assign(chosen=picked["learner"], learner=name, criterion=picked[by]).drop(
        columns=by
    )


def _config(datasets, codes=CODES):
    learners = [
        {"name": name, "type": "gaussian_svm", "of": "gaussian_svm", "swept": {"gamma": gamma}}
        for name, gamma in MEMBERS.items()
    ]
    return {
        "name": "passerini", "paper": None, "learners": learners, "methods": [],
        "codes": [{"name": code} for code in codes],
        "decoders": [{"name": decoder} for decoder in DECODERS],
        "datasets": [{"name": dataset} for dataset in datasets],
        "select": {
            "by_loo": {"among": ["gaussian_svm"], "by": "loo_bound"},
            "by_cv": {"among": ["gaussian_svm"], "by": "cv"},
        },
    }  # fmt: skip


def read(folder):
    return Run(folder)


def text_of(folder, style="terminal"):
    return "\n".join(table.text(style) for table in tables(Run(folder)))


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("passerini") / "large", LARGE, folds=1)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return swept(tmp_path_factory.mktemp("passerini") / "small", ["glass", "yeast"])


@pytest.fixture(scope="module")
def text(large):
    return text_of(large)


# Claims


def rows_of(errors=error, bounds=bound):
    """The points of Figures 3 and 4, as a scope gives them."""
    rows = [
        (d, c, dec, gamma, errors(d, c, dec, i), bounds(d, c, dec, i), N_TEST, 30.0)
        for d in LARGE for c in CODES for dec in DECODERS for i, gamma in enumerate(GAMMAS)
    ]  # fmt: skip
    columns = ["dataset", "code", "decoder", "gamma", "error", "bound", "n_test", "ties"]
    return pd.DataFrame(rows, columns=columns)


def changed(when, by):
    """The paper's errors, with some of them moved by so many points."""
    return lambda *at: error(*at) + (by(at[3]) if callable(by) else by) * when(*at)


def is_likelihood(dataset, code, decoder, step):
    return decoder == "likelihood"


def steep_likelihood(dataset, code, decoder, step):
    return 5 + (0.6 if decoder in ("likelihood", "loss") else 0.3) * (step - 5) ** 2


def shifted(steps, flat=()):
    return lambda d, c, dec, i: 50.0 if c in flat else 30 + 2 * (i - 5 - steps(d, c)) ** 2


def lopsided(dataset, code, decoder, step):
    """Best at the fifth step; one step above costs 0.1, below it more."""
    return 5 + (0.1 if step > 5 else 4.0) * (step - 5) ** 2


CASES = [
    ("likelihood_better", rows_of(), REPRODUCED),
    # ahead at most points, but far behind at a few
    (
        "likelihood_better",
        rows_of(changed(is_likelihood, lambda step: 90.0 * (step == 0))),
        PARTLY,
    ),
    ("likelihood_better", rows_of(changed(is_likelihood, 8.0)), NOT),
    ("likelihood_less_sensitive", rows_of(), REPRODUCED),
    # below Hamming and linear, the same as soft-margin
    (
        "likelihood_less_sensitive",
        rows_of(lambda d, c, dec, i: 5 + (0.1 if dec in ("likelihood", "loss") else 0.3) * i),
        PARTLY,
    ),
    ("likelihood_less_sensitive", rows_of(steep_likelihood), NOT),
    ("hamming_for_pairs", rows_of(lambda d, c, dec, i: 5 + 9 * (dec == "hamming" and c == "ova")),
     REPRODUCED),
    ("hamming_for_pairs", rows_of(lambda d, c, dec, i: 5.0), PARTLY),
    ("hamming_for_pairs", rows_of(lambda d, c, dec, i: 5 + 2 * (dec == "hamming")
     - 9 * (dec == "hamming" and c == "ova")), NOT),
    ("hamming_beats_linear", rows_of(), REPRODUCED),
    (
        "hamming_beats_linear",
        rows_of(changed(lambda d, c, dec, i: dec == "hamming", lambda step: 80.0 * (step == 0))),
        PARTLY,
    ),
    ("hamming_beats_linear", rows_of(changed(lambda d, c, dec, i: dec == "hamming", 5.0)), NOT),
    ("tuning_helps", rows_of(lambda *at: 5 + 2.0 * at[3]), REPRODUCED),
    ("tuning_helps", rows_of(lambda d, c, dec, i: 5 + 2.0 * i * (d == "letter")), PARTLY),
    ("tuning_helps", rows_of(lambda *at: 5 + 0.01 * at[3]), NOT),
    ("one_vs_all_well", rows_of(), REPRODUCED),
    ("one_vs_all_well", rows_of(changed(lambda d, c, dec, i: c == "ova", 0.9)), PARTLY),
    ("one_vs_all_well", rows_of(changed(lambda d, c, dec, i: c == "ova", 1.5)), NOT),
    ("bound_minimum_close", rows_of(), REPRODUCED),
    ("bound_minimum_close", rows_of(lopsided, shifted(lambda d, c: -1 if c == "ova" else 1)),
     PARTLY),
    ("bound_minimum_close", rows_of(bounds=shifted(lambda d, c: -5)), NOT),
    ("bound_smaller_variance", rows_of(), REPRODUCED),
    ("bound_smaller_variance", rows_of(bounds=shifted(lambda d, c: 3)), PARTLY),
    ("bound_smaller_variance", rows_of(bounds=shifted(lambda d, c: -1)), NOT),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "expected"), CASES)
def test_each_claim_comes_out_each_way(name, rows, expected):
    found = CLAIMS[name].test(rows)
    assert found.verdict == expected, found.evidence
    assert "\n" not in found.evidence
    assert any(character.isdigit() for character in found.evidence)


def test_the_cases_are_of_every_claim_and_every_verdict():
    assert {(name, verdict) for name, _, verdict in CASES} == {
        (name, verdict) for name in CLAIMS for verdict in (REPRODUCED, PARTLY, NOT)
    }


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize(
    "gone", ["dataset in ['letter', 'satimage']", "code == 'all_pairs'", "gamma == 0.5"]
)
def test_a_claim_without_its_curves_is_not_judged(name, gone):
    rows = rows_of()
    rows.loc[rows.eval(gone), ["error", "bound"]] = np.nan
    with pytest.raises(NotEnough):
        CLAIMS[name].test(rows)


@pytest.mark.parametrize("name", CLAIMS)
def test_a_run_without_letter_is_enough(name):
    rows = rows_of()
    rows.loc[rows["dataset"] == "letter", ["error", "bound"]] = np.nan
    assert CLAIMS[name].test(rows).verdict in (REPRODUCED, PARTLY)


def test_a_bound_that_is_flat_chooses_nothing():
    everywhere = rows_of(bounds=shifted(lambda d, c: 0, flat=CODES))
    for name in ("bound_minimum_close", "bound_smaller_variance"):
        with pytest.raises(NotEnough, match="only 0 of the figure's 15 curves"):
            CLAIMS[name].test(everywhere)


def test_of_equally_low_errors_the_nearest_to_the_bounds_counts():
    rows = rows_of(lambda *at: 5.0 if at[3] in (2, 8) else 9.0, shifted(lambda d, c: 2))
    assert (
        CLAIMS["bound_smaller_variance"]
        .test(rows)
        .evidence.startswith("above on 0, below on 15, the same on 0 of 15 curves; -1.0 steps")
    )


def test_evidence_counts_data_sets_and_points():
    found = CLAIMS["likelihood_better"].test(rows_of(changed(is_likelihood, 0.65)))
    assert found.evidence.startswith(
        "no other is lower at 100% (One-vs-all), 91% (All-pairs), 91% (Dense) of the points; "
        "lowest mean error on 5 of 5 data sets; "
    )


def test_a_run_is_judged_by_the_claims_of_its_figures(large, small):
    found = {(v.source[-8:], v.name): v for v in judge(Run(large))}
    by_figure = {source: [n for s, n in found if s == source] for source, _ in found}
    assert by_figure == {"Figure 3": list(CLAIMS)[:6], "Figure 4": list(CLAIMS)[6:]}
    assert found["Figure 3", "likelihood_better"].verdict == REPRODUCED
    assert found["Figure 4", "bound_minimum_close"].verdict == REPRODUCED
    assert {v.paper_line for v in found.values()} == {""}
    of_two = judge(Run(small))
    assert {v.source for v in of_two} == {"Passerini et al. 2004, Figure 2"}
    assert {v.verdict for v in of_two} == {NOT_ENOUGH}
    assert "on 2 of the figure's 5 data sets" in of_two[0].evidence


def test_a_run_without_criteria_is_judged_on_its_errors(tmp_path):
    bare = swept(tmp_path / "bare", LARGE[:4], folds=1)
    (bare / "criteria.csv").unlink()
    (bare / "selected.csv").unlink()
    found = {v.name: v.verdict for v in judge(Run(bare))}
    assert found["likelihood_better"] == REPRODUCED
    assert found["bound_minimum_close"] == NOT_ENOUGH
    assert "bound –" in text_of(bare)
    assert list(of_paper(read(bare))) == ["figure3"]


@pytest.mark.parametrize(
    "other",
    [
        {"decoders": [{"name": "hamming"}]},
        {"datasets": [{"name": "mine"}]},
        {"learners": [{"name": "gaussian_svm@0.5", "type": "gaussian_svm"}]},
    ],
)
def test_other_runs_are_not_judged_by_these_claims(other, large):
    run = read(large)
    assert SCOPES["figure3"].is_of(run)
    run.config.update(other)
    assert not SCOPES["figure3"].is_of(run)


# The points of a run


def test_points_are_pooled_over_folds_and_criteria_averaged(small):
    [sweep] = own_sweeps(read(small))
    points = experiment(read(small), sweep).set_index(["dataset", "code", "decoder", "gamma"])
    assert len(points) == 2 * 3 * 4 * 11
    at = points.loc[("glass", "ova", "linear", 2.0)]
    assert at["error"] == pytest.approx(error("glass", "ova", "linear", 6) + 0.5, abs=0.06)
    assert at["bound"] == pytest.approx(30)
    assert at["cv"] == pytest.approx(error("glass", "ova", "linear", 6) + 0.1)


def test_a_bound_that_a_fold_lacks_is_no_bound(tmp_path):
    run = swept(tmp_path / "run", ["glass"])
    table = pd.read_csv(run / "criteria.csv")
    gone = (table["fold"] == 1) & (table["decoder"] == "hamming")
    table["loo_bound"] = table["loo_bound"].mask(gone)
    table.to_csv(run / "criteria.csv", index=False)
    [sweep] = own_sweeps(read(run))
    points = experiment(read(run), sweep)
    assert points.loc[points["decoder"] == "hamming", "bound"].isna().all()
    assert points.loc[points["decoder"] != "hamming", "bound"].notna().all()
    assert points["cv"].notna().all()


def test_a_gamma_with_missing_folds_is_left_out_and_nan_in_full(small):
    run = read(small)
    gone = run.results.eval("dataset == 'glass' and learner == 'gaussian_svm@2' and fold == 1")
    run.results = run.results[~gone]
    [sweep] = own_sweeps(run)
    points = experiment(run, sweep)
    assert 2.0 not in set(points.loc[points["dataset"] == "glass", "gamma"])
    assert 2.0 in set(points.loc[points["dataset"] == "yeast", "gamma"])
    full = in_full(points, sweep, SMALL)
    assert len(full) == 5 * 3 * 4 * 11
    assert full["error"].count() == 2 * 3 * 4 * 11 - 12


# Tables


def test_choices_are_set_beside_the_best_gamma(large, text):
    run = read(large)
    [sweep] = own_sweeps(run)
    table = choices(run, sweep).set_index(["dataset", "code", "decoder", "by"])
    assert len(table) == 5 * 3 * 4 * 2
    bounds = table.loc[("letter", "ova", "likelihood", "loo_bound")]
    assert (bounds["best_gamma"], bounds["gamma"], bounds["share"]) == (1, 2, 1)
    assert bounds["gap"] == pytest.approx(0.1)
    assert table.loc[("letter", "ova", "likelihood", "cv"), "gap"] == 0
    assert "bound +0.1 (γ 2)" in text
    assert "cv 0.0 (γ 1)" in text
    assert "bound +0.3 (15 of 15)" in text


def test_with_several_folds_the_gamma_chosen_most_often_is_shown(tmp_path):
    run = swept(tmp_path / "run", ["glass"], folds=4)
    rows = pd.read_csv(run / "selected.csv")
    one = (rows["learner"] == "by_loo") & (rows["fold"] == 0)
    rows["chosen"] = rows["chosen"].mask(one, "gaussian_svm@32")
    rows.to_csv(run / "selected.csv", index=False)
    [sweep] = own_sweeps(read(run))
    found = chosen(read(run), sweep).set_index(["dataset", "code", "decoder", "by"])
    assert found.loc[("glass", "bch", "loss", "loo_bound"), "gamma"] == 2
    assert found.loc[("glass", "bch", "loss", "loo_bound"), "share"] == 0.75
    assert "(γ 2, 75%)" in text_of(run)


def test_decoders_count_wins_ties_and_losses_and_the_spread_over_gamma(tmp_path):
    def errors(dataset, code, decoder, step):
        return {"likelihood": 10.0, "linear": 8.0 + step, "loss": 10.0, "hamming": 9.0}[decoder]

    codes = ["ova", "all_pairs"]
    run = read(swept(tmp_path / "run", ["glass"], errors, folds=1, codes=codes))
    [sweep] = own_sweeps(run)
    table = decoders(run, sweep).set_index(["dataset", "code", "decoder"])
    linear = table.loc[("glass", "ova", "linear")]
    assert linear[["wins", "ties", "losses"]].tolist() == [8, 1, 2]
    expected = [11, 13.0, np.std(range(11)), 10.0, 8.0]
    assert linear[["gammas", "mean", "sd", "range", "best"]].tolist() == pytest.approx(expected)
    assert table.loc[("glass", "ova", "loss"), "ties"] == 11
    assert table.loc[("glass", "ova", "hamming"), "losses"] == 11
    assert pd.isna(table.loc[("glass", "ova", "likelihood"), "wins"])
    text = text_of(run.folder)
    assert "16, 2, 4" in text
    assert "at least as good 82%" in text


def test_table_i_has_the_runs_numbers_above_the_papers(large, small, text):
    [sweep] = own_sweeps(read(large))
    table = table1(read(large), sweep).set_index(["dataset", "quantity"])
    assert table.loc[("satimage", "train")].tolist() == [4435, 4435]
    assert table.loc[("satimage", "test")].tolist() == [N_TEST, 2000]
    assert table.loc[("segmentation", "inputs")].tolist() == [19, 19]
    assert "7 of 20 numbers are the paper's" in text
    folded = table1(read(small), sweep).set_index(["dataset", "quantity"])
    assert folded.loc[("glass", "train")].tolist() == [4435 + N_TEST, 214]
    assert folded.loc[("glass", "test")].isna().all()


def test_tables_are_written_in_three_styles_and_for_these_runs_alone(tmp_path):
    run = swept(tmp_path / "run", ["glass"])
    write_further_tables(Run(run))
    assert sorted(p.name for p in (run / "tables").iterdir()) == sorted(
        f"{name}{suffix}"
        for name in ("choices", "decoders", "table1")
        for suffix in (".txt", ".md", ".csv")
    )
    assert len(pd.read_csv(run / "tables" / "choices.csv")) == 3 * 4 * 2
    assert len(pd.read_csv(run / "tables" / "decoders.csv")) == 3 * 4
    assert "| Glass " in (run / "tables" / "table1.md").read_text()
    facts = json.loads((run / "manifest.json").read_text())
    facts["config"]["decoders"] = [{"name": "hamming"}]
    (run / "manifest.json").write_text(json.dumps(facts))
    assert text_of(run) == ""


# Figures


def points(axes):
    return {line.get_label(): line.get_xydata() for line in axes.lines}


def drawn(run):
    return {picture.name: picture.figure for picture in pictures(run)}


def of_paper(run):
    """The paper's figures alone: bars take their time."""
    return {picture.name: picture.figure for picture in PASSERINI_2004.figures(run)}


def test_a_run_gets_the_papers_figures(tmp_path):
    run = swept(tmp_path / "run", ["glass", "letter"], folds=1, codes=["ova"])
    written = {figure.name: figure for figure in write_figures(Run(run))}
    assert list(written) == ["figure2", "figure3", "figure4", "errors_by_loo", "errors_by_cv"]
    svg = written["figure2"].svg.read_text()
    assert written["figure2"].title in svg.replace("\n", " ")
    ElementTree.fromstring(svg)


def test_figure_2_is_a_grid_of_data_sets_and_codes_with_a_curve_for_each_decoder(small):
    figure = of_paper(read(small))["figure2"]
    titles = [axes.get_title() for axes in figure.axes]
    assert titles == [
        f"{name}, {code}"
        for name in ("Glass", "Yeast")
        for code in ("One-vs-all", "All-pairs", "Dense")
    ]
    shown = points(figure.axes[1])
    assert list(shown) == ["Hamming", "Linear", "Soft-margin", "Likelihood"]
    assert shown["Likelihood"][:, 0].tolist() == GAMMAS
    expected = [error("glass", "all_pairs", "likelihood", step) + 0.5 for step in range(11)]
    assert shown["Likelihood"][:, 1] == pytest.approx(expected, abs=0.06)
    assert figure.axes[0].get_xscale() == "log"
    assert len({line.get_color() for line in figure.axes[0].lines}) == 4
    assert len({line.get_marker() for line in figure.axes[0].lines}) == 4
    [legend] = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == list(shown)


def test_figure_4_rings_the_lowest_error_dashed_and_the_lowest_bound_solid(tmp_path):
    run = swept(tmp_path / "run", ["letter"], folds=1)
    axes = of_paper(read(run))["figure4"].axes[0]
    shown = {line.get_label(): line for line in axes.lines}
    assert shown["test error"].get_linestyle() == "--"
    assert shown["leave-one-out bound"].get_linestyle() == "-"
    assert shown["leave-one-out bound"].get_ydata().tolist() == pytest.approx(
        [bound("letter", "ova", "likelihood", step) for step in range(11)]
    )
    rings = [line.get_xydata()[0].tolist() for line in axes.lines if line.get_linestyle() == "None"]
    assert rings == [pytest.approx([2, 30]), pytest.approx([1, 5])]


def test_data_sets_of_ones_own_are_in_a_figure_of_their_own(tmp_path):
    run = read(swept(tmp_path / "run", ["mine", "glass"], folds=1, codes=["ova", "bch"]))
    figures = drawn(run)
    assert list(figures)[:2] == ["figure2", "sweep_gaussian_svm"]
    titles = [axes.get_title() for axes in figures["sweep_gaussian_svm"].axes]
    assert titles == ["mine, ova", "mine, bch"]


# Sweeps of any run


def joint_run(tmp_path):
    config = _config(["a", "b", "c", "d"])
    values = {"booster@1": 1, "booster@2": 2, "booster@3": 3}
    methods = [
        {"name": name, "type": "adaboost_oc", "of": "booster", "swept": {"depth": value}}
        for name, value in values.items()
    ]
    config |= {"learners": [], "methods": methods, "codes": [], "select": {}}
    rows = [
        _row(dataset, name, "joint", "joint", 0, 10.0 * value)
        for dataset in "abcd"
        for name, value in values.items()
    ]
    return Run(made_up(tmp_path, rows, config))


def test_a_joint_method_has_a_panel_for_each_data_set(tmp_path):
    run = joint_run(tmp_path)
    [sweep] = sweeps(run.config)
    assert (sweep.axis, sweep.parameter) == ("code", "depth")
    assert set(curves(run.results, sweep)["code"]) == {"booster"}
    figure = drawn(run)["sweep_booster"]
    visible = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title() for axes in visible] == ["a", "b", "c", "d"]
    assert points(visible[3])["joint"].tolist() == [[1, 10], [2, 20], [3, 30]]
    assert visible[0].get_xscale() == "linear"
    assert visible[2].get_xlabel() == "depth"


def test_sweeps_over_two_parameters_over_words_and_of_one_value_are_not_drawn():
    def learners(*swept):
        return [{"name": f"svm@{i}", "type": "svm", "of": "svm", "swept": s} for i, s in
                enumerate(swept)]  # fmt: skip

    assert sweeps({"learners": learners({"C": 1}, {"C": 2})})
    for swept in (
        [{"C": 1, "gamma": 1}, {"C": 2, "gamma": 1}],
        [{"kernel": "rbf"}, {"kernel": "poly"}],
        [{"prune": True}, {"prune": False}],
        [{"C": 1}],
    ):
        assert sweeps({"learners": learners(*swept)}) == []
    assert sweeps({"learners": [{"name": "svm", "type": "svm"}]}) == []


@pytest.mark.parametrize(
    ("values", "scale", "label"),
    [
        ([0.01, 0.1, 1.0, 100.0], "log", "0.1"),
        ([0.25, 1.0, 4.0], "log", "2⁻²"),
        ([1.0, 5.0, 10.0], "linear", None),
        ([0.0, 10.0, 100.0], "linear", None),
        ([-1.0, 1.0, 20.0], "linear", None),
    ],
)
def test_a_positive_parameter_over_more_than_a_decade_has_a_log_axis(values, scale, label):
    rows = [("a", "ova", "hamming", value, 5.0, 50.0) for value in values]
    table = pd.DataFrame(rows, columns=["dataset", "code", "decoder", "value", "error", "bound"])
    for draw in (draw_sweep, draw_bound):
        [axes] = draw(table, "C", "t").axes
        assert axes.get_xscale() == scale
        if label is not None:
            formatted = axes.xaxis.get_major_formatter().format_ticks(values)
            assert label in formatted
