"""The speeds in results/README.md are those of the committed measurements."""

import re

import pandas as pd
import pytest
from results_readme import rows, says
from runs import REFERENCE

from ecoc_bench.results.frontier import pays


def measured(name):
    return pd.read_csv(REFERENCE / "speed" / f"{name}.csv")


def paired(name, first, second):
    """Seconds of the second over those of the first, repeat by repeat."""
    seconds = measured(name).pivot_table("fit_seconds", "repeat", "who")
    return seconds[second] / seconds[first]


def test_the_table_of_speed():
    files = ["letter_ova", "letter_all_pairs", "satimage_complete"]
    for row, name in zip(rows("speed"), files, strict=True):
        table = measured(name).set_index("who")
        ours, peer = table.loc["ecoc-bench"], table.loc["sklearn"]
        ratio = paired(name, "ecoc-bench", "sklearn")
        share = (ours["limit_seconds"] / ours["fit_seconds"]).median()
        assert row[1:6] + row[7:] == [
            f"{ours['columns'].iloc[0]}",
            f"{ours['fit_seconds'].median():.3f} s",
            f"{peer['fit_seconds'].median():.1f} s",
            f"{ratio.median():.0f}",
            f"{half_up(100 * ours['error_rate'].iloc[0])}",
            f"{share:.2f}",
            f"{ratio.min():.0f} to {ratio.max():.0f}",
        ]
        assert row[6] == half_up(100 * peer["error_rate"].iloc[0])


def test_the_table_of_support_vector_machines():
    for row in rows("svm speed"):
        name = "svm_" + row[0].replace(", ", "_").replace("-", "_")
        table = measured(name).set_index("who")
        ours, theirs = table.loc["ecoc-bench"], table.loc["libsvm"]
        columns = ours["columns"].iloc[0]
        ratio = paired(name, "ecoc-bench", "libsvm")
        cpu, predictions = (
            (t["libsvm"] / t["ecoc-bench"]).median()
            for t in (
                measured(name).pivot_table(what, "repeat", "who")
                for what in ("cpu_seconds", "predict_seconds")
            )
        )
        assert row[1:] == [
            f"{columns}",
            f"{ours['n_train'].iloc[0]:,}",
            *(f"{1e3 * side['fit_seconds'].median() / columns:.1f} ms" for side in (ours, theirs)),
            f"{ratio.median():.1f}",
            f"{ratio.min():.1f} to {ratio.max():.1f}",
            f"{cpu:.1f}",
            f"{predictions:.1f}",
            f"{ours['steps'].iloc[0]:,.0f} and {theirs['steps'].iloc[0]:,.0f}",
        ]


def half_up(percent):
    return f"{percent + 1e-9:.1f}"


def test_the_speed_of_trees_and_kernels():
    letter, usps = (paired(f"trees_{n}", "ecoc-bench", "sklearn") for n in ("letter", "usps"))
    says(
        f"{letter.median():.1f} times as fast on letter ({letter.min():.1f} to {letter.max():.1f} "
        f"over five repeats) and {usps.median():.1f} times on USPS ({usps.min():.1f} to "
        f"{usps.max():.1f})"
    )
    wrong = measured("trees_letter").groupby("who")["error_rate"].first() * 100
    says(
        f"ours has {half_up(wrong['ecoc-bench'])}% and scikit-learn's {half_up(wrong['sklearn'])}%"
    )
    numbers = paired("trees_letter_numbers", "ecoc-bench", "sklearn")
    wrong = measured("trees_letter_numbers").groupby("who")["error_rate"].first() * 100
    says(
        f"ours is {numbers.median():.1f} times as fast on letter ({numbers.min():.1f} to "
        f"{numbers.max():.1f}), at {half_up(wrong['ecoc-bench'])}% compared with "
        f"{half_up(wrong['sklearn'])}%"
    )
    times, errors = [], []
    for name in ("kernels_satimage", "kernels_pendigits"):
        times.append(paired(name, "all_pairs", "crammer_singer").median())
        percent = measured(name).groupby("who")["error_rate"].first() * 100
        ours, theirs = half_up(percent["crammer_singer"]), half_up(percent["all_pairs"])
        errors.append(f"{ours}% compared with {theirs}%")
    says(f"{times[0]:.1f} times as long on satimage and {times[1]:.1f} times on pendigits")
    says(f"({errors[0]}, {errors[1]}; C = 1)")


def test_the_cost_of_a_run_and_of_one_worker_less():
    table = measured("overhead")
    over = table["overhead"] * 100
    says(
        f"took {over.median():.1f}% longer than its bare fits",
        f"from {over.min():.0f}% to {over.max():.0f}%",
    )
    assert table["planning_seconds"].between(3, 4.5).all()
    workers = measured("workers")
    wall = workers.pivot_table("wall_seconds", "pair", "workers")
    two, one = (listed(f"{s:.0f}" for s in wall[n]) for n in (2, 1))
    ratios = listed(f"{ratio:.2f}" for ratio in wall[1] / wall[2])
    says(f"took {two} s on two workers and {one} s on one, in turn: {ratios} times as fast")
    pair = workers[workers["workers"] == 2]
    assert (pair["work_seconds"] / pair["fitting_seconds"] / 2).round(2).between(0.98, 0.98).all()


def test_the_cost_of_a_small_cell():
    each = measured("load")["ms_per_cell"]
    says(
        f"take {each.median():.1f} ms a cell ({each.min():.1f} to {each.max():.1f} in three repeats"
    )
    assert set(measured("load")["cells"]) == {20_000}


def test_the_data_of_a_cluster():
    table = measured("clusters")
    assert (table["data_mb"] > table["limit"]).all()
    too_small = (table["data"] == "sent") & (table["limit"] > 0) & (table["workers"] < 4)
    assert (table["fitted"] == table["columns"].where(~too_small, 0)).all()
    assert table["seconds"][too_small].max() < 30
    found = table.groupby(["workers", "data", "limit"], as_index=False).median(numeric_only=True)
    assert rows("clusters") == [
        [
            f"{r.workers}",
            r.data,
            f"{r.limit} MB" if r.limit else "none",
            f"{r.seconds:.1f} s",
            f"{r.carried_mb:,.0f} MB",
            f"{r.peak_mb:.0f} MB",
            f"{r.fitted:.0f}",
        ]
        for r in found.itertuples()
    ]


def test_the_plan_for_a_hundred_machines():
    """What is said to be calculated follows from the constants that are named."""
    scaling = pd.read_csv(REFERENCE / "scaling" / "scaling.csv")
    one = scaling[(scaling["learner"].str.contains("multi")) & (scaling["axis"] == "rows")]
    seconds = one.set_index("rows")["fit_seconds"]
    unit = (seconds[32_000] - seconds[16_000]) / (16_000 * 10 * 50 * 16)
    assert f"{1e9 * unit:.1f}" == "0.2"
    for column, (n, d, k) in enumerate([(108_000, 128, 1_000), (10_000_000, 50, 10)], start=1):
        fits, link = 10 * k, 125e6
        column_seconds = 0.2e-9 * 0.9 * n * 500 * d
        said = [numbers(row[column]) for row in rows("plan")]
        assert said == [
            pytest.approx(values, rel=0.05)
            for values in (
                [8 * n * d / 1e9],
                [fits, column_seconds],
                [column_seconds * fits / 3600, column_seconds * fits / 100 / 60],
                [100 * 8 * n * d / 1e9, 100 * 8 * n * d / link / 60],
                [16 * n * fits / 1e9, 16 * n * fits / link / 60],
                [16 * n * 10 / 1e9],
                [8 * n * fits / 1e9, 8 * n * fits / link],
            )
        ]


def numbers(text):
    return [float(word.replace(",", "")) for word in re.findall(r"\d[\d,.]*", text)]


def listed(words):
    *first, last = words
    return f"{', '.join(first)} and {last}"


def test_the_table_of_growth():
    """Our table has single-call AdaBoost and the SVM, with the exponents of the committed one."""
    kept = [line for line in grown(0) if "multi-call" not in line[0]]
    for ours, (_, axis, fits, exponent) in zip(rows("scaling"), kept, strict=True):
        assert ours[1].startswith(f"{axis} {ends(fits)[0]} to {ends(fits)[2]}")
        assert seconds(ours[2]) == pytest.approx([float(s) for s in ends(fits)[1::2]], rel=0.2)
        assert float(ours[3]) == float(exponent)


def test_the_table_of_codes_that_grow():
    """Ours has a line for a code, with the seconds for 1,000 classes and their exponents."""
    steps = grown(1)
    for i, ours in enumerate(rows("codes that grow")):
        mine = steps[4 * i : 4 * i + 4]
        assert ours[0] == mine[0][0]
        assert ours[1] == mine[0][1].split(" to ")[1]
        for said, (*_, step, over, exponent) in zip(ours[2:], mine, strict=True):
            assert said == f"{float(ends(over)[3]):.2g} s, {exponent}", step
    assert 4 * len(rows("codes that grow")) == len(steps)


def test_the_table_of_many_classes():
    found = pd.read_csv(REFERENCE / "frontier" / "many_classes.csv")
    found = found.set_index(["contender", "data", "classes"])
    head = rows("many classes", header=True)[0]
    places = [entry.split(", ") for entry in head[1:]]
    for contender, *entries in rows("many classes"):
        for entry, (data, k) in zip(entries, places, strict=True):
            of = found.loc[(contender, data, int(k.replace(",", "")))]
            seconds = f"{float(f'{of.fit_seconds:.2g}'):g}"
            assert entry == (f"{of.error:.1f} ({seconds} s)" if of.errors >= 0 else "–")


def test_what_is_said_of_many_classes():
    """Codes pay in no column saved; those that beat boosting in time do so as one-vs-all does."""
    found = pd.read_csv(REFERENCE / "frontier" / "many_classes.csv")
    error = found.set_index(["contender", "data", "classes"])["error"]
    for sentence in pays(found):
        data, k, learner = re.match(r"(.+), (\d+) classes: \w+ (.+?) has", sentence).groups()
        assert "one-vs-all's" not in sentence
        assert learner in ("least squares", "logistic")
        boosting = min(error["lightgbm", data, int(k)], error["xgboost", data, int(k)])
        assert error[f"ova {learner}", data, int(k)] < boosting, sentence
    boosted = found[found["contender"].str.contains("lightgbm|xgboost") & (found["classes"] >= 100)]
    for _, those in boosted.groupby(["data", "classes"]):
        assert those.set_index("contender")["error"].idxmin() == "hadamard lightgbm"
    many = found[(found["data"] == "one centre") & (found["classes"] == 1000)]
    micro = many.set_index("contender")["microseconds"]
    ova, hadamard, dense, trellis = (
        f"{micro[f'{code} least squares']:.1f}" for code in ("ova", "hadamard", "dense", "trellis")
    )
    says(f"takes {ova} µs with one-vs-all, {hadamard} with Hadamard's 999 columns")
    says(f"{dense} with 100 dense ones and {trellis} with a trellis")
    han = found[found["data"] == "han"].set_index(["contender", "classes"])
    for k, peer, share in ((100, "lightgbm", "a ninth"), (1000, "xgboost", "42%")):
        assert han.loc[("hadamard lightgbm", k), "error"] < han.loc[(peer, k), "error"] - 10
        ratio = han.loc[(peer, k), "fit_seconds"] / han.loc[("hadamard lightgbm", k), "fit_seconds"]
        assert share == ("a ninth" if round(1 / ratio) == 9 else f"{ratio:.0%}")


def test_where_dense_codes_turn_over_a_linear_learner():
    found = pd.read_csv(REFERENCE / "frontier" / "many_classes.csv")
    error = found[found["data"] == "one centre"].set_index(["contender", "classes"])["error"]
    sizes = [10, 30, 100, 300, 1000]
    dense, ova = (
        " and ".join(", ".join(f"{error[name, k]:.1f}" for k in sizes).rsplit(", ", 1))
        for name in ("dense least squares", "ova least squares")
    )
    says(f"errs {dense}% on 10, 30, 100, 300 and 1,000 classes, one-vs-all {ova}%.")


def grown(which):
    """The entries of a table of scaling.md."""
    table = (REFERENCE / "scaling" / "scaling.md").read_text().split("\n\n")[which]
    return [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def ends(series):
    """The first size and its seconds, the last and its seconds."""
    pairs = re.findall(r"([\d,]+): ([\d.e-]+) s", series)
    return [*pairs[0], *pairs[-1]]


def seconds(text):
    return [float(word) for word in re.findall(r"[\d.]+", text)]
