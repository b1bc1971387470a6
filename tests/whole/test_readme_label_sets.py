"""The table of label sets in results/README.md says what the committed run says."""

from results_readme import rows
from runs import REFERENCE

from ecoc_bench.notebook import Run
from ecoc_bench.results.measure_tables import overview

COLUMNS = [
    "error",
    "hamming_loss",
    "one_error",
    "coverage",
    "ranking_loss",
    "average_precision",
]


def test_the_measures_of_label_sets():
    found = overview(Run(REFERENCE / "many_labels"))
    shown = found.assign(coverage=found.coverage / 100)[COLUMNS]
    due = [
        [
            f"`{row.Index}`",
            *(f"{value:.2f}" if i == 3 else f"{value:.1f}" for i, value in enumerate(row[1:])),
        ]
        for row in shown.itertuples()
    ]
    assert rows("label sets") == due
