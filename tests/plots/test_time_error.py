"""Test error against the seconds of fitting: what is counted, the front, and readable numbers."""

import numpy as np
import pandas as pd
import pytest
from runs import SMALL, row

from ecoc_bench.plots.style import lines, render
from ecoc_bench.plots.time_error import (
    DIGIT,
    LONGEST,
    MARK,
    NUMBER,
    draw_time_error,
    pareto,
    place,
    shorten,
    time_and_error,
)
from ecoc_bench.report.figures import pictures
from ecoc_bench.results.catalogue import FILES
from ecoc_bench.results.run import Run


def measured(dataset, learner, code, decoder, errors):
    names = {"dataset": dataset, "learner": learner, "code": code, "decoder": decoder}
    return row(**names, n_train=1000, n_test=1000, errors=errors, error_rate=errors / 1000)


def cost(dataset, learner, code, seconds, **others):
    values = (dataset, learner, code, 0, 0, 0, seconds)
    return dict(zip(FILES["costs.csv"].columns, values, strict=True)) | others


def made(rows, costs, config=None):
    return time_and_error(pd.DataFrame(rows), pd.DataFrame(costs), config or {})


def three(dataset, errors=(100, 200, 300), seconds=(1.0, 2.0, 4.0)):
    """svm with ova, svm with all-pairs and a joint method on a data set."""
    names = [("svm", "ova", "loss"), ("svm", "all_pairs", "loss"), ("joint", "forest", "joint")]
    rows = [measured(dataset, *name, e) for name, e in zip(names, errors, strict=True)]
    costs = [cost(dataset, *name[:2], s) for name, s in zip(names, seconds, strict=True)]
    return rows, costs


def of(found, method):
    return found.points.set_index("method").loc[method, ["seconds", "error"]].tolist()


def test_seconds_are_a_geometric_mean_over_data_sets_and_errors_a_plain_one():
    rows, costs = three("glass")
    more = three("vowel", (300, 400, 500), (4.0, 8.0, 16.0))
    found = made(rows + more[0], costs + more[1])
    assert found.datasets == ("glass", "vowel")
    assert of(found, "ova loss (svm)") == pytest.approx([2.0, 20.0])
    assert of(found, "all_pairs loss (svm)") == pytest.approx([4.0, 30.0])
    assert of(found, "forest") == pytest.approx([8.0, 40.0])
    assert found.points.set_index("method")["code"].to_dict() == {
        "ova loss (svm)": "ova",
        "all_pairs loss (svm)": "all_pairs",
        "forest": "forest",
    }


def test_a_data_set_that_a_method_lacks_does_not_count():
    rows, costs = three("glass")
    more = three("letter", (900, 900, 900), (99.0, 99.0, 99.0))
    found = made(rows + more[0][:2], costs + more[1])
    assert found.datasets == ("glass",)
    assert of(found, "ova loss (svm)") == pytest.approx([1.0, 10.0])


def test_folds_are_averaged_and_a_time_of_zero_is_a_microsecond():
    rows, costs = three("glass", seconds=(1.0, 0.0, 4.0))
    rows += [r | {"fold": 1, "errors": r["errors"] + 20} for r in rows]
    costs += [c | {"fold": 1, "seconds": 3 * c["seconds"]} for c in costs]
    found = made(rows, costs)
    assert of(found, "ova loss (svm)") == pytest.approx([2.0, 11.0])
    assert of(found, "all_pairs loss (svm)")[0] == pytest.approx(1e-6)


@pytest.mark.parametrize("axis", ["learner", "code"])
def test_a_choice_costs_the_fits_of_all_it_is_made_among(axis):
    rows, costs = three("glass")
    place = {"learner": ("best", "ova", "loss"), "code": ("joint", "best", "joint")}[axis]
    member = {"learner": ("svm@{}", "ova"), "code": ("joint", "svm@{}")}[axis]
    costs += [cost("glass", *(part.format(c) for part in member), 5.0 + c) for c in (1, 10)]
    specs = [{"name": f"svm@{c}", "of": "svm"} for c in (1, 10)]
    config = {
        {"learner": "learners", "code": "methods"}[axis]: specs,
        "select": {"best": {"among": ["svm"], "by": "validation"}},
    }
    found = made([*rows, measured("glass", *place, 50)], costs, config)
    name = "best" if axis == "code" else "ova loss (best)"
    assert of(found, name) == pytest.approx([21.0, 5.0])


def test_few_methods_one_learner_or_no_common_data_set_make_no_picture():
    rows, costs = three("glass")
    assert made(rows[1:], costs) is None
    alike = [r | {"learner": "svm"} for r in rows]
    assert made(alike, [c | {"learner": "svm"} for c in costs]) is None
    apart = [r | {"dataset": d} for r, d in zip(rows, ("a", "b", "c"), strict=True)]
    assert (
        made(apart, [c | {"dataset": r["dataset"]} for c, r in zip(costs, apart, strict=True)])
        is None
    )


def test_the_front_is_what_no_other_point_beats():
    rng = np.random.default_rng(0)
    t, e = rng.integers(1, 9, (2, 40)).astype(float)
    beaten = [
        any(t[j] <= t[i] and e[j] <= e[i] and (t[j] < t[i] or e[j] < e[i]) for j in range(len(t)))
        for i in range(len(t))
    ]
    assert pareto(t, e).tolist() == [not b for b in beaten]


def overlapping(a, b):
    return (a[0] < b[2]) and (b[0] < a[2]) and (a[1] < b[3]) and (b[1] < a[3])


@pytest.mark.parametrize("seed", range(5))
def test_numbers_of_crowded_points_lie_apart_and_inside(seed):
    rng = np.random.default_rng(seed)
    at = rng.normal([130, 120], [30, 20], size=(30, 2))
    widths = [DIGIT * len(str(i + 1)) for i in range(30)]
    box = np.array([0.0, 0.0, 260.0, 240.0])
    halves = [np.array([w, NUMBER]) / 2 for w in widths]
    labels = [np.r_[c - h, c + h] for c, h in zip(place(at, widths, box), halves, strict=True)]
    marks = [np.r_[p - MARK / 2, p + MARK / 2] for p in at]
    assert all((b[:2] >= box[:2]).all() and (b[2:] <= box[2:]).all() for b in labels)
    assert not any(overlapping(a, b) for i, a in enumerate(labels) for b in labels[:i])
    assert not any(overlapping(a, m) for a in labels for m in marks)


def test_a_long_name_loses_its_middle():
    name = "complete my_module:my_own_decoder_of_losses (adaboost)"
    assert len(shorten(name)) == LONGEST
    assert shorten(name).startswith("complete my_")
    assert shorten(name).endswith("(adaboost)")


def test_each_method_is_listed_with_its_numbers_best_first():
    points = pd.DataFrame(
        {
            "method": ["slow", "fast", "poor"],
            "code": ["slow", "ova", "ova"],
            "seconds": [10.0, 0.5, 20.0],
            "error": [5.0, 7.5, 30.0],
        }
    )
    marks = lines(["slow", "ova"])
    figure = draw_time_error(points, marks, "t")
    plot, side = figure.axes
    assert plot.get_xscale() == "log"
    texts = [text.get_text() for text in side.texts if text.get_text()]
    assert texts[:15] == [
        *("method", "error", "seconds"),
        *("1", "slow", "5.0", "10"),
        *("2", "fast", "7.5", "0.5"),
        *("3", "poor", "30.0", "20"),
    ]
    bold = {t.get_text() for t in plot.texts if t.get_fontweight() == "bold"}
    assert bold == {"1", "2"}
    assert render(figure, "svg") == render(draw_time_error(points, marks, "t"), "svg")


def test_a_run_of_a_learner_and_a_joint_method_gets_the_picture(config, command, tmp_path):
    text = SMALL.replace("[glass, vowel]", "[glass]").replace("folds: 3, draws: 2", "folds: 2")
    text = text.replace(", {name: dense, columns: 8, tries: 50}", "")
    text += "methods:\n  tree: {type: 'sklearn.tree:DecisionTreeClassifier'}\n"
    out = tmp_path / "run"
    assert command("run", config(text), "--out", out, "--jobs", 1).exit_code == 0
    run = Run(out)
    drawn = {picture.name: picture for picture in pictures(run)}
    assert "(glass)" in drawn["time_error"].caption
    names = {text.get_text() for text in drawn["time_error"].figure.axes[1].texts}
    assert {"ova hamming (svm)", "all_pairs loss (svm)", "tree"} <= names
    (out / "costs.csv").unlink()
    assert "time_error" not in {picture.name for picture in pictures(Run(out))}
