"""The numbers in results/README.md are those of the committed runs and measurements."""

import re

import numpy as np
import pandas as pd
import pytest
from results_readme import rows, says
from runs import REFERENCE, committed

from ecoc_bench.learners.c45 import C45
from ecoc_bench.papers.allwein2000.learners import learner_table
from ecoc_bench.papers.claims import judge
from ecoc_bench.papers.registry import PAPERS
from ecoc_bench.papers.sun2005.tables import GRID, table2
from ecoc_bench.published import load_table
from ecoc_bench.results.run import Run
from ecoc_bench.results.significance.comparison import rank_groups
from ecoc_bench.results.significance.procedures import average_ranks, critical_difference
from ecoc_bench.results.significance.units import units

DECODED = ["exponential", "hamming"]
LARGE_TESTS = ["satimage", "pendigits", "vowel", "soybean", "letter"]


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
    means = []
    for name, n in {"uci_adaboost": 45, "allwein_table3": 30}.items():
        table = summary(name)
        table = table[table["dataset"].isin(["dermatology", "glass", "ecoli"])]
        assert len(table) == n
        means.append(f"{table['difference'].abs().mean():.1f}")
        folds = committed(name).query("dataset in ('dermatology', 'glass', 'ecoli')")
        assert set(folds["n_test"]) == {36, 21, 33}
    says(
        f"over the 45 entries of these three problems is {means[0]} points in Table 2, and "
        f"{means[1]} over their 30 in Table 3."
    )


def test_isolet_of_allwein():
    found = {code: error("allwein_isolet", "isolet", "ova", code) for code in DECODED}
    (own, paper), (plain, their_plain) = found["exponential"], found["hamming"]
    says(
        f"one-vs-all with exponential loss has {own}% where the paper, with all training rows, has "
        f"{paper}%, and Hamming decoding {plain}% ({their_plain}%)."
    )
    table = summary("allwein_isolet").pivot_table("error", "code", "decoder")
    assert (table.idxmin() == "ova").all()
    assert (table.idxmax(axis=1) == "hamming").all()


def test_every_error_that_allwein_prints_of_these_is_of_equal_folds():
    for name, n in {"dermatology": 360, "glass": 210, "ecoli": 330}.items():
        for table in ("table2", "table3"):
            entries = load_table(f"allwein2000.{table}").entries
            printed = [e for (dataset, _, _), e in entries.items() if dataset == name]
            multiples = {round(100 * i / n, 1) for i in range(n)}
            assert set(printed) <= multiples, name


def test_the_learners_of_allwein():
    table = learner_table(Run(REFERENCE / "allwein_learners")).set_index("learner")
    more = table.index[table["lower"] > table["higher"]]
    assert sorted(more) == ["adaboost", "adaboost_discrete", "cart", "least_squares", "logistic"]
    gain = table["difference"].abs().map("{:.1f}".format)
    svm, c45 = table.loc["svm"], table.loc["c45"]
    says(
        f"more often than the higher one for {len(more)} of {len(table)}: boosting with either "
        "kind of output, least squares and logistic regression, which gain "
        f"{gain['least_squares']} and {gain['logistic']} points on average, and regression trees. "
        f"It is a draw for SVMs ({svm['lower']} to {svm['higher']}, {gain['svm']} points) and not "
        f"so for C4.5 ({c45['lower']} to {c45['higher']}, {gain['c45']} points)"
    )


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


def test_the_table_of_the_leaves():
    table = pd.read_csv(REFERENCE / "leaves" / "results.csv")
    sums = table.groupby(["decoder", "learner", "dataset", "code"])[["errors", "n_test"]].sum()
    errors = 100 * sums["errors"] / sums["n_test"]
    means = errors.groupby(["decoder", "learner", "dataset"]).mean().groupby(level=[0, 1]).mean()
    names = [f"c45@{leaves}" for leaves in ("share", "laplace", 1, 2, 5, 10)]
    shown = rows("leaves")
    assert shown == [[d, *(f"{means[d, name]:.2f}" for name in names)] for d in ("loss", "hamming")]
    assert means["loss"].idxmin() == f"c45@{C45().leaves}"


def test_the_table_of_a_thousand_classes():
    run = Run(REFERENCE / "thousand_classes")
    columns = run.results.groupby("code")["n_columns"].first()
    found = run.summary().query("decoder == 'loss'").set_index("code")["error"]
    for code, n, percent in rows("thousand classes"):
        name = code.split()[0]
        assert (n, percent) == (f"{columns[name]:,}", f"{found[name] + 1e-9:.1f}")
    assert len(found) == len(rows("thousand classes"))


def test_what_is_said_of_a_thousand_classes_in_pairs():
    run = Run(REFERENCE / "thousand_pairs")
    found = run.summary().query("decoder == 'auto'").set_index("code")["error"]
    columns, trained = run.results.set_index("code")["n_columns"], run.results["n_train"]
    says(f"fits the {columns['all_pairs'].max():,} columns of all-pairs to {trained.max():,} rows")
    says(f"By votes it errs {found['all_pairs']:.1f}%, where one-vs-all and the Hadamard code have")
    assert f"{found['ova']:.1f}" == f"{found['hadamard']:.1f}" == "19.0"
    says("Hadamard code have 19.0%: a pair has 40 rows")
    peaks = run.facts["peak_memory_mb"]
    assert [f"{mb / 1000:.1f}" for mb in peaks.values()] == ["0.9"] * 3
