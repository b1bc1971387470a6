"""Sun et al. 2005: its tables as data, and its claims, tables and figures on runs made up."""

import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from runs import made_up

from ecoc_bench.papers.claims import OUTCOMES, judge
from ecoc_bench.papers.evidence import NotEnough
from ecoc_bench.papers.sun2005.claims import CLAIMS, SCOPES
from ecoc_bench.papers.sun2005.curves import draw_test_errors, draw_training_errors
from ecoc_bench.papers.sun2005.experiment import average, choices, experiment
from ecoc_bench.papers.sun2005.tables import table1, table2, tables
from ecoc_bench.published import load_paper, load_table
from ecoc_bench.report.figures import pictures, write_figures
from ecoc_bench.report.tables import write_further_tables
from ecoc_bench.results.catalogue import RESULT_COLUMNS as COLUMNS
from ecoc_bench.results.run import Run

REPRODUCED, PARTLY, NOT, NOT_ENOUGH = OUTCOMES
DATABASES = ["car", "imageseg", "letter", "pendigits", "usps"]
LEVELS = [0, 0.1, 0.2, 0.3]
ECC, SECC, OC = "adaboost_ecc", "adaboost_secc", "adaboost_oc"
ETAS = [0.5, 0.35, 0.2, 0.05]
MEMBERS = {f"{SECC}@{eta}": eta for eta in ETAS}
STAGES = [10, 20, 30, 40, 50]

# Typed from the printed page, one line after the other: noise, ECC, SECC, T* (if any), OC.
TABLE_3 = """
Cars 0 5.5 5.5 7.3
Cars 10 12.5 12.5 13.3
Cars 20 20.8 17.0 (70) 20.0
Cars 30 30.2 22.9 (90) 28.3
Images 0 4.5 4.2 4.5
Images 10 8.6 7.6 (70) 8.4
Images 20 15.1 11.5 (160) 14.0
Images 30 22.5 18.2 (150) 22.9
Letters 0 9.3 8.0 8.3
Letters 10 28.2 13.4 19.8
Letters 20 35.6 16.9 24.9
Letters 30 41.9 23.3 31.5
PenDigits 0 12.9 12.9 13.9
PenDigits 10 15.2 14.7 14.8
PenDigits 20 17.7 16.3 17.1
PenDigits 30 21.7 19.2 19.4
USPS 0 6.3 6.2 6.5
USPS 10 7.3 6.6 6.9
USPS 20 9.7 7.5 7.9
USPS 30 12.4 8.7 9.1
"""


def test_table_3_and_its_t_stars_are_those_of_print():
    table, paper = load_table("sun2005.table3"), load_paper("sun2005")
    assert table.title == "Sun et al. 2005, Table 3"
    assert list(table.datasets) == [f"{d}@{noise}" for d in DATABASES for noise in LEVELS]
    names = {name: database for database, name in paper["names"].items()}
    for dataset, line in zip(table.datasets, TABLE_3.split("\n")[1:-1], strict=True):
        name, percent, ecc, secc, *stop, oc = line.split()
        assert dataset == f"{names[name]}@{int(percent) / 100:g}"
        errors = [table.error(dataset, code, "joint") for code in (ECC, SECC, OC)]
        assert errors == [float(ecc), float(secc), float(oc)]
        steps = paper["steps"]["rows"][names[name]][int(percent) // 10]
        assert steps == (int(stop[0].strip("()")) if stop else 500)


def test_tables_1_and_2_have_the_totals_of_print():
    paper = load_paper("sun2005")
    assert [sum(column) for column in zip(*paper["datasets"]["rows"].values(), strict=True)] == [
        865 + 210 + 8039 + 5621 + 6931,
        286 + 210 + 3976 + 1873 + 360,
        577 + 1890 + 7985 + 3498 + 2007,
    ]
    eta = paper["shrinkage"]
    assert list(eta["rows"]) == DATABASES
    assert [round(sum(row), 2) for row in eta["rows"].values()] == [2.1, 0.65, 0.35, 2.2, 0.95]
    assert [round(sum(c), 2) for c in zip(*eta["rows"].values(), strict=True)] == [
        *[3.2, 1.95, 0.7, 0.4]
    ]
    assert {value for row in eta["rows"].values() for value in row} == set(eta["grid"])


# Claims on rows as `experiment` gives them


def rows_of(error=lambda *_: 20.0, train=lambda *_: 5.0, last=None, shrunk=True, runs=4, spread=0):
    """Errors by functions of database, noise and method; `spread` differs from run to run."""
    rows = [
        (d, noise, code, run, error(d, noise, code) + jitter * (code == ECC),
         (last or error)(d, noise, code), train(d, noise, code) + jitter * (code == ECC))
        for d in DATABASES for noise in LEVELS for code in (ECC, SECC, OC) for run in range(runs)
        for jitter in [spread * (-1) ** run]
    ]  # fmt: skip
    columns = ["database", "noise", "code", "repeat", "error", "last", "train"]
    return pd.DataFrame(rows, columns=columns).assign(shrunk=shrunk)


def lower_in(code, cells, levels, by=1.0, otherwise=0.0):
    """The method's error is lower by so much in the first so many cells of these levels."""
    places = [(d, noise) for noise in levels for d in DATABASES]

    def error(database, noise, name):
        if name != code or noise not in levels:
            return 20.0
        return 20.0 - (by if places.index((database, noise)) < cells else otherwise)

    return error


def areas(where, fast=ECC, slow=SECC):
    """`fast` has the lowest mean training error and `slow` the highest in these cells."""

    def train(database, noise, code):
        if not where(database, noise):
            return 5.0
        return 5.0 - (code == fast) + (code == slow)

    return train


def everywhere(database, noise):
    return True


def on_letters(database, noise):
    return database == "letter"


def but_letters(database, noise):
    return (database, noise) != ("letter", 0.3)


def nowhere(database, noise):
    return False


def excess(letters, others):
    """SECC's training error exceeds ECC's by so much at noise above zero."""

    def train(database, noise, code):
        growth = letters if database == "letter" else others
        return 5.0 + (code == SECC) * (1 + growth * (noise > 0))

    return train


def at_letters(secc):
    return lambda database, noise, code: secc if code == SECC else 30.0


NOISY = LEVELS[1:]
CASES = [
    ("ecc_trains_fastest", rows_of(train=areas(everywhere)), REPRODUCED),
    ("ecc_trains_fastest", rows_of(train=areas(on_letters)), PARTLY),
    ("ecc_trains_fastest", rows_of(train=areas(but_letters)), PARTLY),
    ("ecc_trains_fastest", rows_of(train=areas(nowhere)), NOT),
    ("ecc_trains_fastest", rows_of(train=areas(everywhere, fast=OC)), NOT),
    ("secc_trains_slowest", rows_of(train=areas(everywhere)), REPRODUCED),
    ("secc_trains_slowest", rows_of(train=areas(but_letters)), PARTLY),
    ("secc_trains_slowest", rows_of(train=areas(everywhere, slow=OC)), NOT),
    ("secc_slower_with_noise", rows_of(train=excess(2, 2)), REPRODUCED),
    ("secc_slower_with_noise", rows_of(train=excess(2, 0.1), spread=0.2), REPRODUCED),
    ("secc_slower_with_noise", rows_of(train=excess(2, -1)), PARTLY),
    ("secc_slower_with_noise", rows_of(train=excess(-1, -1)), NOT),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 3, [0])), REPRODUCED),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 3, [0]), spread=9), PARTLY),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 2, [0])), PARTLY),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 2, [0]), spread=9), NOT),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 5, NOISY)), NOT),
    ("oc_better_with_noise", rows_of(lower_in(OC, 12, NOISY)), REPRODUCED),
    ("oc_better_with_noise", rows_of(lower_in(OC, 11, NOISY)), PARTLY),
    ("oc_better_with_noise", rows_of(lower_in(OC, 12, NOISY, otherwise=-9)), PARTLY),
    ("oc_better_with_noise", rows_of(lower_in(OC, 5, [0])), NOT),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 12, NOISY, otherwise=-0.1)), REPRODUCED),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 11, NOISY, otherwise=-0.1)), PARTLY),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 10, NOISY)), PARTLY),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 10, NOISY, otherwise=-0.1)), NOT),
    ("letters_halved", rows_of(at_letters(16.4)), REPRODUCED),
    ("letters_halved", rows_of(at_letters(16.4), spread=9), NOT),
    ("letters_halved", rows_of(at_letters(16.6)), PARTLY),
    ("letters_halved", rows_of(at_letters(22.6)), NOT),
    ("early_stopping_helps", rows_of(last=lambda *_: 21.0), REPRODUCED),
    ("early_stopping_helps", rows_of(last=lambda d, *_: 21.0 + 9 * (d == "car") - 1.2), PARTLY),
    ("early_stopping_helps", rows_of(last=lambda d, *_: 20.1 - 9 * (d == "car")), PARTLY),
    ("early_stopping_helps", rows_of(last=lambda *_: 20.0), NOT),
]


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
def test_a_claim_without_its_cells_is_not_judged(name):
    rows = rows_of()
    for kept in (rows["database"].isin(["pendigits", "usps"]), rows["code"] == OC):
        with pytest.raises(NotEnough):
            CLAIMS[name].test(rows[kept])


def test_a_run_without_usps_is_enough():
    rows = rows_of(train=areas(everywhere))
    for claim in CLAIMS.values():
        claim.test(rows[rows["database"] != "usps"])


def test_secc_with_eta_1_is_not_blamed_for_being_ecc():
    rows = rows_of(train=areas(everywhere, slow=OC), shrunk=False)
    assert CLAIMS["ecc_trains_fastest"].test(rows).verdict == REPRODUCED
    with pytest.raises(NotEnough, match="eta"):
        CLAIMS["secc_trains_slowest"].test(rows)


def test_what_the_paper_prints_supports_what_it_says_of_table_3():
    own = SCOPES["section4"].own
    for name in CLAIMS:
        if name in ("letters_halved",) or (name.endswith("_noise") and "slower" not in name):
            assert CLAIMS[name].test(own).verdict == REPRODUCED, name
        else:
            with pytest.raises(NotEnough, match="only 0 of"):
                CLAIMS[name].test(own)
    assert CLAIMS["letters_halved"].test(own).evidence == (
        "13.4 by SECC, 28.2 by ECC: 47.5 percent of it"
    )


def test_the_interval_of_one_database_is_students():
    from scipy.stats import ttest_1samp

    values = np.random.default_rng(0).normal(1, 2, 10)
    index = pd.MultiIndex.from_product(
        [["car"], [0.1], range(10)], names=["database", "noise", "repeat"]
    )
    found = average(pd.Series(values, index))
    expected = ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.lo, found.hi) == pytest.approx((expected.low, expected.high))
    assert np.isnan(average(pd.Series(values[:1], index[:1])).lo)


# Whole folders


def curve(code, noise, stage):
    """A made-up test error in percent: ECC and small steps as in the paper, in shape."""
    eta = {ECC: 1.0, OC: 0.6}.get(code) or MEMBERS[code]
    floor = 5 + 40 * noise * (0.4 + 0.6 * eta)
    return floor + 25 * np.exp(-stage * (0.3 + eta) / 12) + noise * stage / 60 * (1 - eta)


def train_curve(code, noise, stage):
    eta = {ECC: 1.0, OC: 0.6}.get(code) or MEMBERS[code]
    return (20 + 60 * noise) * np.exp(-stage * eta / 80)


def boosted(folder, datasets=None, stages=STAGES, runs=3, chosen=None):
    """The folder of a run of Table 3: curves as above, and SECC's choice by data set."""
    datasets = datasets or [f"{d}@{noise}" for d in DATABASES for noise in LEVELS]
    rows = [
        _row(dataset, code, stage, run)
        for dataset in datasets for code in (ECC, *MEMBERS, OC) for stage in stages
        for run in range(runs)
    ]  # fmt: skip
    results = pd.DataFrame(rows)[list(COLUMNS)]
    choice = {d: (f"{SECC}@0.05", stages[-1]) for d in datasets} | (chosen or {})
    picked = [
        results[(results.dataset == d) & (results.code == c) & (results.stage == s)].assign(
            code=SECC, chosen=c, criterion=0.1
        )
        for d, (c, s) in choice.items()
    ]
    return made_up(folder, results, *_config_and_data(datasets), selected=pd.concat(picked))


def _row(dataset, code, stage, run):
    noise, n = float(dataset.partition("@")[2]), 10_000
    errors = round(n / 100 * (curve(code, noise, stage) + 0.1 * run))
    return dict.fromkeys(COLUMNS, 0) | {
        "dataset": dataset, "learner": "joint", "code": code, "decoder": "joint", "stage": stage,
        "repeat": run, "n_classes": 4, "n_train": 100, "n_test": n, "errors": errors,
        "error_rate": errors / n, "train_error_rate": train_curve(code, noise, stage) / 100,
        "rho": None, "binary_error_rate": None, "train_binary_loss": None,
    }  # fmt: skip


def _config_and_data(datasets):
    parts = load_paper("sun2005")["datasets"]
    sizes = {d: dict(zip(parts["columns"], row, strict=True)) for d, row in parts["rows"].items()}
    sizes["car"] = {"train": 864, "validation": 286, "test": 578}
    methods = [{"name": name, "type": name, "of": None, "swept": {}} for name in (ECC, OC)]
    methods += [
        {"name": name, "type": SECC, "of": SECC, "swept": {"eta": eta}}
        for name, eta in MEMBERS.items()
    ]
    config = {
        "name": "sun", "paper": "sun2005.table3", "learners": [], "codes": [], "decoders": [],
        "datasets": [
            {"name": d, "of": d.partition("@")[0], "noise": float(d.partition("@")[2])}
            for d in datasets
        ],
        "methods": methods, "select": {SECC: {"among": [ECC, SECC], "by": "validation"}},
    }  # fmt: skip
    data = {d: {"note": "", "parts": sizes[d.partition("@")[0]]} for d in datasets}
    return config, data


CHOSEN = {"car@0": (ECC, 50), "car@0.1": (f"{SECC}@0.5", 50), "car@0.2": (f"{SECC}@0.05", 20)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return boosted(tmp_path_factory.mktemp("sun") / "run", chosen=CHOSEN)


def read(folder):
    return Run(folder)


def text_of(folder, style="terminal"):
    return "\n".join(table.text(style) for table in tables(Run(folder)))


def test_secc_is_the_method_that_it_chose_at_its_own_stage(folder):
    rows = experiment(read(folder)).set_index(["dataset", "code", "repeat"])
    assert len(rows) == 20 * 3 * 3
    stopped = rows.loc[("car@0.2", SECC, 1)]
    assert stopped["error"] == pytest.approx(curve(f"{SECC}@0.05", 0.2, 20) + 0.1, abs=0.01)
    assert stopped["last"] == pytest.approx(curve(f"{SECC}@0.05", 0.2, 50) + 0.1, abs=0.01)
    area = np.mean([train_curve(f"{SECC}@0.05", 0.2, stage) for stage in STAGES])
    assert stopped["train"] == pytest.approx(area)
    assert not rows.loc["car@0", "shrunk"].any()
    assert rows.loc[("car@0", SECC), "train"].tolist() == rows.loc[("car@0", ECC), "train"].tolist()


def test_a_method_that_lacks_a_run_is_left_out_of_the_data_set(folder):
    run = read(folder)
    gone = run.results.eval("dataset == 'usps@0' and code == @OC and repeat == 2")
    run.results = run.results[~gone]
    rows = experiment(run)
    assert set(rows.loc[rows["dataset"] == "usps@0", "code"]) == {ECC, SECC}


def test_a_run_is_judged_by_every_claim_beside_the_papers_own_numbers(folder):
    found = {v.name: v for v in judge(Run(folder))}
    assert list(found) == list(CLAIMS)
    assert {v.source for v in found.values()} == {"Sun et al. 2005, Section 4"}
    assert found["ecc_trains_fastest"].verdict == REPRODUCED
    assert found["ecc_trains_fastest"].evidence.startswith("lowest in 20 of 20 cells, on Letters")
    assert found["letters_halved"].paper_verdict == REPRODUCED
    assert found["ecc_better_without_noise"].verdict == REPRODUCED


def test_a_run_without_choices_is_judged_on_the_rest(tmp_path):
    bare = boosted(tmp_path / "bare")
    selected = bare / "selected.csv"
    selected.write_text(selected.read_text().partition("\n")[0] + "\n")
    empty = {v.name: v.verdict for v in judge(Run(bare))}
    selected.unlink()
    found = {v.name: v.verdict for v in judge(Run(bare))}
    assert found == empty
    assert found["oc_better_with_noise"] == REPRODUCED
    assert found["secc_best_with_noise"] == NOT_ENOUGH


def test_other_runs_are_not_judged_by_these_claims(folder, tmp_path):
    other = boosted(tmp_path / "other", ["car@0"])
    facts = json.loads((other / "manifest.json").read_text())
    facts["config"]["paper"] = None
    (other / "manifest.json").write_text(json.dumps(facts))
    assert judge(Run(other)) == []


# Tables 1 and 2


def test_tables_say_how_near_the_choices_are(folder):
    text = text_of(folder)
    assert "13 of 15 sizes are the paper's" in text
    run = read(folder)
    chosen = choices(run)["eta"]
    grid = [1, 0.5, 0.35, 0.2, 0.05]
    printed = load_paper("sun2005")["shrinkage"]["rows"]
    steps = [
        abs(grid.index(chosen[f"{d}@{noise}"]) - grid.index(printed[d][i]))
        for d in DATABASES
        for i, noise in enumerate(LEVELS)
    ]
    near, same = sum(step <= 1 for step in steps), steps.count(0)
    assert 0 < same < near < 20
    joined = " ".join(text.split())
    assert f"The paper's eta in {same} of 20 cells; within one grid step of the" in joined
    assert f"paper's eta in {near} of 20 cells (grid 1, 0.5, 0.35, 0.2, 0.05)" in joined
    assert "0.05 / 20" in text
    assert "paper 0.05 / 70" in text


def test_tables_of_a_run_of_some_sets_have_dashes(tmp_path):
    part = boosted(tmp_path / "part", ["car@0", "letter@0.1"])
    run = read(part)
    assert table1(run).dropna()["dataset"].unique().tolist() == ["car", "letter"]
    assert table2(run).dropna()["dataset"].unique().tolist() == ["car@0", "letter@0.1"]
    assert "– / –" in text_of(part)
    (part / "selected.csv").unlink()
    assert table2(read(part))["ours"].isna().all()
    assert "in 0 of 0 cells" in " ".join(text_of(part).split())


def test_tables_are_written_in_three_styles(tmp_path):
    part = boosted(tmp_path / "part", ["car@0", "car@0.2"], chosen={"car@0.2": (ECC, 10)})
    write_further_tables(Run(part))
    assert sorted(p.name for p in (part / "tables").iterdir()) == sorted(
        f"{name}{suffix}" for name in ("table1", "table2") for suffix in (".txt", ".md", ".csv")
    )
    rows = pd.read_csv(part / "tables" / "table2.csv").set_index(["dataset", "quantity"])
    assert rows.loc[("car@0.2", "eta")].tolist() == ["table2", 1, 0.05]
    assert rows.loc[("car@0.2", "steps")].tolist() == ["table2", 10, 70]
    assert "| Cars " in (part / "tables" / "table1.md").read_text()
    sizes = pd.read_csv(part / "tables" / "table1.csv")
    assert sizes["table"].tolist() == ["table1"] * 15
    assert len(rows) == 40


# Figures 3 and 4


def test_a_run_of_table_3_gets_figures_3_and_4_and_the_heat_map(tmp_path):
    small = boosted(tmp_path / "small", ["car@0.2", "letter@0.1"])
    written = {figure.name: figure for figure in write_figures(Run(small))}
    assert list(written) == ["figure3", "figure4", "heatmap"]
    for figure in written.values():
        assert figure.title in figure.svg.read_text().replace("\n", " ")
        ElementTree.fromstring(figure.svg.read_text())
        assert figure.png.read_bytes().startswith(b"\x89PNG")
    shown = written["heatmap"].svg.read_text()
    assert "SECC" in shown
    assert f"{SECC}@" not in shown


def points(axes):
    return {line.get_label(): line.get_xydata() for line in axes.lines}


def test_figure_3_draws_the_chosen_curve_and_marks_its_t_star(folder):
    drawn = _pictures(folder)
    panels = {axes.get_title(): axes for axes in drawn["figure3"].axes}
    assert len(panels) == 12
    axes = panels["Cars, 20% (η* 0.05, T* 20)"]
    shown = points(axes)
    secc = [curve(f"{SECC}@0.05", 0.2, stage) + 0.1 for stage in STAGES]
    assert shown["SECC"][:, 1] == pytest.approx(secc, abs=0.01)
    [ring] = [line for line in axes.lines if line.get_marker() == "o"]
    assert ring.get_xydata()[0] == pytest.approx([20, secc[1]], abs=0.01)
    same = points(panels["Cars, 0% (η* 1, T* 50)"])
    assert same["SECC"].tolist() == same["ECC"].tolist()


def test_figure_4_draws_the_training_errors_of_letters(folder):
    drawn = _pictures(folder)
    assert [axes.get_title() for axes in drawn["figure4"].axes] == [
        *["0% noise", "10% noise", "20% noise", "30% noise"]
    ]
    shown = points(drawn["figure4"].axes[1])
    assert shown["ECC"][:, 1] == pytest.approx([train_curve(ECC, 0.1, s) for s in STAGES])
    assert set(shown) == {"ECC", "OC", "SECC"}


def test_what_a_run_lacks_is_left_out_of_the_grid(tmp_path):
    part = boosted(tmp_path / "part", ["letter@0.2", "car@0"])
    drawn = _pictures(part)
    visible = [axes.get_title() for axes in drawn["figure3"].axes if axes.get_visible()]
    assert visible == ["Cars, 0% (η* 0.05, T* 50)", "Letters, 20% (η* 0.05, T* 50)"]
    assert len(drawn["figure4"].axes) == 1
    usps = _pictures(boosted(tmp_path / "usps", ["usps@0"]))
    assert list(usps) == ["heatmap"]


def _pictures(folder):
    return {picture.name: picture.figure for picture in pictures(read(folder))}


def test_curves_look_different_in_colour_and_dash():
    curves = pd.DataFrame(
        [("car@0", "car", 0.0, code, s, 9.0) for code in (ECC, SECC, OC) for s in STAGES],
        columns=["dataset", "database", "noise", "code", "stage", "error"],
    )
    titles = {ECC: "ECC", SECC: "SECC", OC: "OC"}
    for figure in (
        draw_test_errors(curves, {}, titles, {"car": "Cars"}, "t"),
        draw_training_errors(curves, titles, "t"),
    ):
        [axes] = figure.axes
        assert len({line.get_color() for line in axes.lines}) == 3
        assert len({str(line._unscaled_dash_pattern) for line in axes.lines}) == 3
