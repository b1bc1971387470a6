"""Rows of results.csv worked by hand, and their summaries."""

import pandas as pd
from runs import row

from ecoc_bench.results.summary import summarize


def measured(dataset="glass", code="ova", decoder="hamming", errors=0, n_test=100, **other):
    names = {"dataset": dataset, "learner": "svm", "code": code, "decoder": decoder}
    sizes = {"n_classes": 6, "n_columns": 6, "rho": 2.0, "n_train": 114, "n_test": n_test}
    rates = {"errors": errors, "error_rate": errors / n_test, "ties": 5}
    shares = {"train_error_rate": 0.1, "binary_error_rate": 0.05}
    return row(**names | sizes | rates | shares | other)


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
            rows.append(measured(dataset, "ova", decoder, errors=80 + shift, n_test=n_test))
            for draw, errors in enumerate([30, 33, 36]):
                rows.append(measured(dataset, "dense", decoder, errors + shift, n_test, draw=draw))
    return summarize(pd.DataFrame(rows))
