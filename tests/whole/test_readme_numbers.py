"""The numbers in results/README.md are those of the committed runs and measurements."""

import re

import numpy as np
import pandas as pd
import pytest
from runs import REFERENCE

from ecoc_bench.files import PACKAGE
from ecoc_bench.learners.c45 import C45
from ecoc_bench.papers.claims import judge
from ecoc_bench.papers.registry import PAPERS
from ecoc_bench.papers.sun2005.tables import GRID, table2
from ecoc_bench.published import load_table
from ecoc_bench.results.run import Run
from ecoc_bench.results.significance.comparison import rank_groups
from ecoc_bench.results.significance.procedures import average_ranks, critical_difference
from ecoc_bench.results.significance.units import units
from ecoc_bench.results.summary import compared, summarize

README = (PACKAGE.parent / "results" / "README.md").read_text()
PLAIN = re.sub(r"\s+", " ", README)
LARGE_TESTS = ["satimage", "pendigits", "vowel", "soybean", "letter"]


def says(*phrases):
    for phrase in phrases:
        assert phrase in PLAIN, phrase


def rows(mark):
    """The entries of the Markdown table between two marks, without its header."""
    lines = README.split(f"<!-- {mark} -->")[1].strip().splitlines()[2:]
    return [[entry.strip() for entry in line.strip("|").split("|")] for line in lines]


def summary(name):
    return Run(REFERENCE / name).summary()


def error(name, dataset, code, decoder):
    entry = summary(name).set_index(["dataset", "code", "decoder"]).loc[dataset, code, decoder]
    return f"{entry['error']:.1f}", f"{entry['paper']:.1f}"


def test_how_many_sentences_are_judged():
    counts = {name: len(paper.claims) for name, paper in PAPERS.items()}
    allwein, passerini, sun = (counts[n] for n in ("allwein2000", "passerini2004", "sun2005"))
    says(
        f"judges {sum(counts.values())} sentences of the papers ({allwein} of Allwein et al., "
        f"{passerini} of Passerini et al., {sun} of Sun et al.)"
    )


def test_table_2_of_allwein():
    table = summary("uci_adaboost").dropna(subset=["difference"])
    large = table[table["dataset"].isin(LARGE_TESTS)]
    fixed = large[large["code"].isin(["ova", "complete", "all_pairs"])]
    means = [f"{part['difference'].abs().mean():.1f}" for part in (table, large, fixed)]
    says(
        f"Over the {len(table)} entries that the paper and we have (three decoders, everything but "
        f"isolet), the mean difference is {means[0]} points; on the five problems with an original "
        f"split and a large test part it is {means[1]}, and {means[2]} for the fixed codes"
    )
    assert "isolet" not in set(table["dataset"])
    assert table[table["dataset"] == "segmentation"]["error"].between(1.9, 3.4).all()


def test_the_folds_of_allwein():
    paper = load_table("allwein2000.table2")
    new = pd.read_csv(REFERENCE / "allwein_folds" / "results.csv")
    old = pd.read_csv(REFERENCE / "uci_adaboost" / "results.csv")
    old = old[old["dataset"].isin(new["dataset"]) & (old["draw"] == 0)]
    after, before = (compared(summarize(part), paper)["difference"].abs() for part in (new, old))
    assert len(after) == len(before) == 45
    assert set(new["n_test"]) == {36, 21, 33}
    says(
        f"over their {len(after)} entries is {after.mean():.1f} points, that of `uci_adaboost` "
        f"with the same codes, the first draws, {before.mean():.1f}"
    )


def test_every_error_that_allwein_prints_of_these_is_of_equal_folds():
    for name, n in {"dermatology": 360, "glass": 210, "ecoli": 330}.items():
        for table in ("table2", "table3"):
            entries = load_table(f"allwein2000.{table}").entries
            printed = [e for (dataset, _, _), e in entries.items() if dataset == name]
            multiples = {round(100 * i / n, 1) for i in range(n)}
            assert set(printed) <= multiples, name


def test_loss_based_decoding_is_said_to_be_as_good_as_its_judge_says():
    verdicts = {v.claim: v for v in judge(Run(REFERENCE / "uci_adaboost"))}
    often = verdicts["Loss-based decoding often gives better results than Hamming decoding."]
    always = verdicts["Loss-based decoding is almost always better than Hamming decoding."]
    assert (often.verdict, always.verdict) == ("reproduced", "partly")
    lower, n, equal, higher = re.findall(r"\d+", often.evidence)
    says(
        f"a lower error than Hamming decoding in {lower} of {n} entries, the same in {equal} and a "
        f"higher one in {higher}."
    )
    lower, differ = map(int, re.findall(r"\d+", always.evidence))
    paper = " of ".join(re.findall(r"\d+", always.paper_evidence))
    says(
        f"reproduced only partly, with {lower} of the {differ} entries that differ "
        f"({lower / differ:.0%}; the paper's own numbers have {paper})"
    )


def test_table_3_of_allwein():
    raw, paper = error("allwein_table3", "yeast", "ova", "loss")
    sound, _ = error("uci_svm", "yeast", "ova", "loss")
    says(f"{paper}% of one-vs-all on yeast is {raw}% on raw and {sound}% on standardised inputs")
    raw, paper = error("allwein_table3", "satimage", "all_pairs", "hamming")
    sound, _ = error("uci_svm", "satimage", "all_pairs", "hamming")
    says(f"{paper}% of all-pairs with Hamming decoding on satimage is {raw}% and {sound}%")


def test_figure_3_of_allwein():
    table = summary("allwein_fig3")
    table["k"] = table["dataset"].str.rpartition(".")[0]
    means = table.groupby(["learner", "decoder", "code", "k"])["error"].mean()
    hamming = means["one_sided", "hamming"]
    says(f"(Hamming {hamming.min():.0f} to {hamming.max():.0f}%, loss-based below 0.5%)")
    assert max(means["one_sided", "loss"].max(), means["adaboost"].max()) < 0.5


def test_sun():
    run = Run(REFERENCE / "sun_table3")
    table = run.summary()
    ours = table["dataset"].str.startswith("pendigits")
    other, pendigits = table[~ours]["difference"].abs(), -table[ours]["difference"]
    says(
        f"Over the {len(other)} entries of cars, images, letters and USPS the mean difference from "
        f"the paper is {other.mean():.1f} points",
        f"ours are {pendigits.min():.1f} to {pendigits.max():.1f} points lower",
    )
    eta = table2(run).query("quantity == 'eta'")
    pairs = zip(eta["ours"], eta["paper"], strict=True)
    steps = [abs(GRID.index(a) - GRID.index(b)) for a, b in pairs]
    says(
        f"the paper's in {steps.count(0)} of {len(steps)} choices and within one step of its grid "
        f"in {sum(step <= 1 for step in steps)}"
    )
    letters = table[table["dataset"] == "letter@0.1"].set_index("code")
    names = ["adaboost_ecc", "adaboost_secc", "adaboost_oc"]
    ecc, secc, oc = (f"{letters['error'][name]:.1f}" for name in names)
    paper = ", ".join(f"{letters['paper'][name]:.1f}" for name in names)
    says(f"ECC {ecc}, SECC {secc}, OC {oc} (paper {paper})")


def test_sun_in_every_round():
    run = Run(REFERENCE / "sun_rounds")
    costs = run.rows("rounds.csv").pivot_table("cost", ["dataset", "round"], "code")
    for last in (10, 20, 100):
        lowest = costs.xs(last, level="round").idxmin(axis=1)
        assert set(lowest) == {"adaboost_ecc"}
        assert len(lowest) == 16
    [fastest] = [v for v in judge(run) if v.name == "ecc_trains_fastest"]
    found, of, letters, _ = map(int, re.findall(r"\d+", fastest.evidence)[:4])
    assert (fastest.verdict, letters) == ("not reproduced", 0)
    says(
        f"the cost G of ECC is the lowest in all {of} entries",
        f"is the lowest in {found} of {of} entries and in none on Letters",
    )


PASSERINI = {part: REFERENCE / "passerini" / part for part in ("small", "large")}


def test_passerini_decoders():
    results = pd.concat(pd.read_csv(f / "results.csv").assign(run=p) for p, f in PASSERINI.items())
    keys = ["run", "dataset", "code", "learner", "decoder"]
    sums = results.groupby(keys)[["errors", "n_test"]].sum()
    rates = (sums["errors"] / sums["n_test"]).rename("rate").reset_index()
    points = rates.pivot_table("rate", keys[:-1], "decoder")
    others = [points[name] for name in ("hamming", "linear", "loss")]
    shares = [f"{(points['likelihood'] <= other + 1e-12).mean():.0%}" for other in others]
    says(f"at {shares[0]}, {shares[1]} and {shares[2]} of the {len(points)} points")
    assert points.groupby(["run", "dataset", "code"]).std().mean().idxmin() == "likelihood"


def test_passerini_choices():
    gaps = {}
    for part, folder in PASSERINI.items():
        table = pd.read_csv(folder / "tables" / "choices.csv")
        for by, found in table.groupby(["by", "decoder"])["gap"].mean().groupby("by"):
            gaps[part, by] = f"{found.min():.1f} to {found.max():.1f}"
    says(
        f"on average {gaps['large', 'loo_bound']} points from the best test error on the five "
        f"large sets and {gaps['small', 'loo_bound']} on the small ones",
        f"that of cross-validation {gaps['large', 'cv']} and {gaps['small', 'cv']}",
    )
    evidence = next(
        v.evidence for v in judge(Run(PASSERINI["large"])) if "the bound is" in v.evidence
    )
    bound, wrong = re.search(r"the bound is ([\d.]+) there, the error ([\d.]+)", evidence).groups()
    says(f"{float(bound):.0f}% on average where the error is {float(wrong):.0f}%")


def test_passerini_probabilities():
    errors = {}
    for part, folder in PASSERINI.items():
        means = (
            pd.read_csv(folder / "calibration.csv").groupby(["code", "how"]).mean(numeric_only=True)
        )
        log_loss = means.pivot_table("log_loss", "code", "how")
        assert (log_loss["likelihood"] < log_loss["softmax"]).all()
        assert log_loss.loc["all_pairs"].idxmin() == "coupling"
        for how in ("likelihood", "softmax"):
            errors[part, how] = f"{means['calibration_error']['bch', how]:.2f}"
    says(
        f"{errors['large', 'likelihood']} on the large sets and {errors['small', 'likelihood']} on "
        f"the small ones, that of the softmax {errors['large', 'softmax']} and "
        f"{errors['small', 'softmax']}"
    )


def textbook():
    """Errors of every method; `stats` would also take a minute for its 190 Bayesian tests."""
    return units(Run(REFERENCE / "textbook").shown, "method", {}, None).errors


def test_textbook_ranks():
    errors = textbook()
    N, k = errors.shape
    ranks = pd.Series(average_ranks(errors.to_numpy()), errors.columns).sort_values(kind="stable")
    cd = critical_difference(k, N, 0.05)
    rank = {name: f"{value:.2f}" for name, value in ranks.items()}
    forest, svm, secc, first, second, *_ = rank
    assert (forest, svm, secc) == ("random_forest", "crammer_singer", "adaboost_secc")
    assert {first, second} == {"ova loss (svm)", "dense loss (svm)"}
    says(
        f"({rank[forest]}, {rank[svm]} and {rank[secc]} of {k})",
        f"come next ({rank[first]})",
        f"is {cd:.1f} ranks",
        f"rank {rank['all_pairs loss (adaboost)']} with all-pairs, {rank['adaboost_mh']} as "
        f"AdaBoost.MH, {rank['adaboost_mr']} as AdaBoost.MR and {rank['dense loss (adaboost)']} "
        "with dense codes",
        "none of the first eighteen",
    )
    assert len(rank_groups(dict(ranks), cd)[0]) == 18
    assert {"perceptron", "winnow", "c45"} <= {*list(rank)[-5:]}
    assert list(rank)[-1] == "mean_margin_boost"


def test_textbook_times_and_errors():
    errors = textbook().mean()
    says(f"has {errors['crammer_singer'] - errors['random_forest']:.1f} points more error")
    costs = pd.read_csv(REFERENCE / "textbook" / "costs.csv")
    seconds = costs.pivot_table("seconds", "dataset", "code")
    svm, forest = seconds["crammer_singer"], seconds["random_forest"]
    says(
        f"is {np.exp(np.log(svm / forest).mean()):.2f} of the forest's in the geometric mean over "
        f"the data sets, and {svm.mean() / forest.mean():.2f} by mean times"
    )
    assert (
        np.exp(np.log(seconds[["perceptron", "winnow", "c45"]]).mean()).between(0.005, 0.015).all()
    )


@pytest.mark.parametrize(
    ("names", "phrase"),
    [
        (["sun_table3"], "({:.0f} minutes of fits)"),
        (["passerini/small", "passerini/large"], "({:.0f} minutes of fits)"),
    ],
)
def test_minutes_of_fits(names, phrase):
    seconds = [pd.read_csv(REFERENCE / n / "costs.csv")["seconds"].sum() for n in names]
    says(phrase.format(sum(seconds) / 60))


# Measurements


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


def listed(words):
    *first, last = words
    return f"{', '.join(first)} and {last}"


def test_the_table_of_growth():
    """Our table has single-call AdaBoost and the SVM, with the exponents of the committed one."""
    text = (REFERENCE / "scaling" / "scaling.md").read_text()
    lines = [[c.strip() for c in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    kept = [line for line in lines if "multi-call" not in line[0]]
    for ours, (_, axis, fits, exponent) in zip(rows("scaling"), kept, strict=True):
        pairs = re.findall(r"([\d,]+): ([\d.]+) s", fits)
        assert ours[1].startswith(f"{axis} {pairs[0][0]} to {pairs[-1][0]}")
        said = [float(word) for word in re.findall(r"[\d.]+", ours[2])]
        assert said == pytest.approx([float(pairs[0][1]), float(pairs[-1][1])], rel=0.2)
        assert float(ours[3]) == float(exponent)


def test_the_table_of_the_leaves():
    table = pd.read_csv(REFERENCE / "leaves" / "results.csv")
    sums = table.groupby(["decoder", "learner", "dataset", "code"])[["errors", "n_test"]].sum()
    errors = 100 * sums["errors"] / sums["n_test"]
    means = errors.groupby(["decoder", "learner", "dataset"]).mean().groupby(level=[0, 1]).mean()
    names = [f"c45@{leaves}" for leaves in ("share", "laplace", 1, 2, 5, 10)]
    shown = rows("leaves")
    assert shown == [[d, *(f"{means[d, name]:.2f}" for name in names)] for d in ("loss", "hamming")]
    assert means["loss"].idxmin() == f"c45@{C45().leaves}"
