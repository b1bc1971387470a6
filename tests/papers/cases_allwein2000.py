"""Rows on which each claim of Allwein et al. 2000 comes out each way."""

import pandas as pd
from judged import NOT, PARTLY, REPRODUCED

from ecoc_bench.papers.allwein2000.claims import SCOPES
from ecoc_bench.papers.evidence import Entries

PAIRS = {
    key: list(dict.fromkeys((dataset, code) for dataset, code, _ in scope.entries))
    for key, scope in SCOPES.items()
    if isinstance(scope, Entries)
}
DATASETS = {key: list(dict.fromkeys(d for d, _ in pairs)) for key, pairs in PAIRS.items()}


def rows_of(scope, error, n_test=1000):
    """The entries of a scope with errors by a function of data set, code and decoder."""
    frame = pd.DataFrame(SCOPES[scope].entries, columns=["dataset", "code", "decoder"])
    frame["error"] = [float(error(*entry)) for entry in SCOPES[scope].entries]
    return frame.assign(n_test=n_test, binary_error=frame["error"])


def decoder_counts(scope, lower, higher, gap=0.1, decoder="loss"):
    """`decoder` is lower than the others in `lower` entries, higher in `higher`, else equal."""

    def error(dataset, code, name):
        i = PAIRS[scope].index((dataset, code))
        step = -gap if i < lower else gap if i < lower + higher else 0.0
        return 30 + (step if name == decoder else 0.0)

    return rows_of(scope, error)


def code_errors(scope, by_dataset, n_test=1000):
    """Errors by position of the data set: a function that gives a dict of codes (others 30)."""
    return rows_of(
        scope, lambda d, code, _: by_dataset(DATASETS[scope].index(d)).get(code, 30.0), n_test
    )


def gains(**points):
    """Hamming is 30, and loss-based lower by so many points for these codes."""
    return rows_of("table2", lambda d, code, name: 30 - points.get(code, 0) * (name == "loss"))


def one_entry(scope, dataset, code, loss, hamming):
    values = {"loss": loss, "hamming": hamming}
    return rows_of(scope, lambda d, c, name: values[name] if (d, c) == (dataset, code) else 30.0)


def l1_against_exponential(higher, by, lower, less):
    """L_1 is higher by so much in the first entries and lower by so much in the next."""

    def error(dataset, code, name):
        i = PAIRS["table2"].index((dataset, code))
        return 30 + (name == "l1") * (by if i < higher else -less if i < higher + lower else 0.0)

    return rows_of("table2", error)


def ova_higher_on(**counts):
    """One-against-all is above each code on so many data sets, and below it on the others."""
    return code_errors(
        "table3", lambda i: {"ova": 30.0} | {c: 29.0 if i < n else 31.0 for c, n in counts.items()}
    )


def ova_comparisons(higher, lower=0, gap=8.0):
    """In so many comparisons one-against-all is higher by a gap, in so many lower, else equal."""
    others = [pair for pair in PAIRS["table3"] if pair[1] != "ova"]

    def error(dataset, code, _):
        i = others.index((dataset, code)) if code != "ova" else len(others)
        return 30 - gap if i < higher else 30 + gap if i < higher + lower else 30

    return rows_of("table3", error)


def winners(scope, *codes):
    """The code that is alone the lowest on the first data set, the second, ...; None: nobody."""
    return code_errors(scope, lambda i: {codes[i]: 20.0} if i < len(codes) else {})


def ranking(scope, exceptions=0, **errors):
    """Codes with these errors, but all alike on the first few data sets."""
    return code_errors(scope, lambda i: {} if i < exceptions else errors)


def normals(error):
    """Figure 3 by a function of k, code and decoder."""
    return rows_of("figure3", lambda d, code, name: error(int(d[7:].split(".")[0]), code, name))


def hamming_at(points, factor):
    """Hamming is so many times as high at the first points (k, code), else as loss-based."""
    places = [(k, code) for k in range(3, 9) for code in ("complete", "ova")]
    return normals(
        lambda k, code, name: (
            20 * (factor if name == "hamming" and places.index((k, code)) < points else 1)
        )
    )


def complete_at(low, by, other=0.0):
    """Complete is lower by so much at the first so many k >= 4, higher by `other` at the rest."""
    return normals(
        lambda k, code, _: 20 + (-by if k - 4 < low else other) * (code == "complete" and k > 3)
    )


EVEN = {"complete": 29.0, "all_pairs": 28.0, "dense": 27.0, "sparse": 26.0}
CASES = [
    ("loss_often_better", decoder_counts("table3", 20, 19), REPRODUCED),
    ("loss_often_better", decoder_counts("table3", 19, 18), PARTLY),
    ("loss_often_better", decoder_counts("table3", 15, 15), NOT),
    ("loss_often_better", decoder_counts("table2", 30, 28), REPRODUCED),
    ("loss_often_better", decoder_counts("table2", 5, 50), NOT),
    ("loss_almost_always_better", decoder_counts("table2", 45, 5), REPRODUCED),
    ("loss_almost_always_better", decoder_counts("table2", 44, 6), PARTLY),
    ("loss_almost_always_better", decoder_counts("table2", 37, 13), NOT),
    ("loss_very_significant", decoder_counts("table3", 2, 37, gap=10), REPRODUCED),
    ("loss_very_significant", decoder_counts("table3", 1, 38, gap=10), PARTLY),
    ("loss_very_significant", decoder_counts("table3", 39, 0, gap=5), NOT),
    ("loss_very_significant", decoder_counts("table2", 0, 58, gap=10), NOT),
    ("satimage_all_pairs", one_entry("table3", "satimage", "all_pairs", 28, 40), REPRODUCED),
    ("satimage_all_pairs", one_entry("table3", "satimage", "all_pairs", 28, 38), PARTLY),
    ("satimage_all_pairs", one_entry("table3", "satimage", "all_pairs", 28, 29), NOT),
    ("satimage_all_pairs", one_entry("table3", "satimage", "all_pairs", 40, 28), NOT),
    ("gain_ova_dense", gains(ova=5, dense=4, sparse=3), REPRODUCED),
    ("gain_ova_dense", gains(ova=5, sparse=4, dense=3), PARTLY),
    ("gain_ova_dense", gains(complete=5, sparse=4, dense=3), NOT),
    ("l1_not_as_good", l1_against_exponential(30, 1, 10, 1), REPRODUCED),
    ("l1_not_as_good", l1_against_exponential(30, 1, 10, 9), PARTLY),
    ("l1_not_as_good", l1_against_exponential(10, 9, 30, 1), PARTLY),
    ("l1_not_as_good", l1_against_exponential(10, 1, 30, 1), NOT),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=5, dense=5, sparse=5), REPRODUCED),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=4, dense=5, sparse=5), PARTLY),
    ("ova_inferior", ova_higher_on(complete=4, all_pairs=4, dense=4, sparse=4), NOT),
    ("ova_often_much_higher", ova_comparisons(16), REPRODUCED),
    ("ova_often_much_higher", ova_comparisons(15), PARTLY),
    ("ova_often_much_higher", ova_comparisons(7), NOT),
    ("ova_often_much_higher", ova_comparisons(31, gap=1.0), NOT),
    ("ova_rarely_better", ova_comparisons(24, 7, gap=1.0), REPRODUCED),
    ("ova_rarely_better", ova_comparisons(23, 8, gap=1.0), PARTLY),
    ("ova_rarely_better", ova_comparisons(30, 1), PARTLY),
    ("ova_rarely_better", ova_comparisons(0, 8), NOT),
    ("yeast_ova", ranking("table3", ova=60, **EVEN), REPRODUCED),
    ("yeast_ova", ranking("table3", ova=40, **EVEN), PARTLY),
    ("yeast_ova", ranking("table3", ova=30, **EVEN), NOT),
    ("yeast_ova", ranking("table3", ova=10, **EVEN), NOT),
    ("no_clear_winner", winners("table3", "dense", "dense", "dense", "dense"), REPRODUCED),
    ("no_clear_winner", winners("table3", *["dense"] * 6), PARTLY),
    ("no_clear_winner", winners("table3", *["dense"] * 7), NOT),
    ("no_clear_winner", winners("table3", *["ova"] * 8), REPRODUCED),
    ("best_code_depends", winners("table2", "ova", "dense", "sparse"), REPRODUCED),
    ("best_code_depends", winners("table2", "ova", "dense", "dense"), PARTLY),
    ("best_code_depends", winners("table2", *["ova"] * 13), NOT),
    ("none_persistently_better", ranking("table2", 3, ova=30, **EVEN), REPRODUCED),
    ("none_persistently_better", ranking("table2", 0, ova=20, sparse=20), PARTLY),
    ("none_persistently_better", ranking("table2", 0, ova=30, **EVEN), NOT),
    ("ova_easy_to_beat", ova_comparisons(16, 15), REPRODUCED),
    ("ova_easy_to_beat", ova_comparisons(15, 16), PARTLY),
    ("ova_easy_to_beat", ova_comparisons(10, 0), NOT),
    ("hamming_much_higher", hamming_at(12, 1.6), REPRODUCED),
    ("hamming_much_higher", hamming_at(12, 1.4), PARTLY),
    ("hamming_much_higher", hamming_at(11, 3.0), PARTLY),
    ("hamming_much_higher", hamming_at(8, 3.0), NOT),
    ("codes_comparable", complete_at(5, 1.9), REPRODUCED),
    ("codes_comparable", complete_at(0, 0, other=2.2), REPRODUCED),
    ("codes_comparable", complete_at(5, 4.0), PARTLY),
    ("codes_comparable", complete_at(5, 6.0), NOT),
    ("complete_lower", complete_at(3, 1.0), REPRODUCED),
    ("complete_lower", complete_at(3, 1.0, other=9.0), PARTLY),
    ("complete_lower", complete_at(2, 9.0, other=1.0), PARTLY),
    ("complete_lower", complete_at(2, 1.0, other=9.0), NOT),
    ("complete_lower", complete_at(0, 0.0), NOT),
    ("binary_errors_reversed", complete_at(0, 0.0, other=1.0), REPRODUCED),
    ("binary_errors_reversed", complete_at(2, 1.0, other=1.0), PARTLY),
    ("binary_errors_reversed", complete_at(3, 1.0, other=1.0), NOT),
]
