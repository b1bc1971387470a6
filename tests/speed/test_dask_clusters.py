"""The measured cost of data on Dask clusters: what is run, and what is said of it."""

import numpy as np
import pandas as pd
import pytest

from ecoc_bench.speed.clusters import CLASSES, Row, _line, report, table

TINY = """
name: tiny
seed: 1
datasets:
  - {name: t, make: "ecoc_bench.speed.clusters:table", params: {rows: 60, columns: 5}, copies: 2}
learners:
  means: {type: "ecoc_bench.speed.overhead:ClassMeans"}
codes: [ova]
decoders: [hamming]
"""


def test_a_table_has_all_classes_in_both_parts_and_the_same_numbers_each_time():
    X, y, train = table(np.random.default_rng(3), 60, 5)
    assert X.shape == (60, 5)
    assert set(y[train]) == set(y[~train]) == set(range(CLASSES))
    assert (table(np.random.default_rng(3), 60, 5)[0] == X).all()


def test_a_run_that_gave_up_says_how_many_columns_it_fitted():
    row = Row(0, 2, "sent", 400, 420, 63, 0, 3.8, 602.5, 387.6)
    assert _line(row) == (
        "420 MB sent, 2 workers of 400 MB: 3.8 s, 602 MB carried, at most 388 MB in a worker; "
        "0 of 63 columns fitted"
    )
    assert "without a limit" in _line(row._replace(limit=0))


@pytest.mark.long
@pytest.mark.filterwarnings("default")
def test_each_cluster_fits_all_columns(config, tmp_path):
    out = tmp_path / "clusters.csv"
    text = report(str(config(TINY)), [], [1, 2], 2000, 1, out)
    rows = pd.read_csv(out)
    assert tuple(rows.columns) == Row._fields
    assert rows["data"].tolist() == ["read", "sent", "sent"] * 2
    assert rows["limit"].tolist() == [2000, 0, 2000] * 2
    assert (rows["fitted"] == 6).all()
    assert (rows["columns"] == 6).all()
    assert rows["peak_mb"].between(100, 2000).all()
    assert (rows["carried_mb"][rows["data"] == "sent"] > 0).all()
    assert len(text.splitlines()) == 6
