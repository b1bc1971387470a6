"""What results/README.md says of `try` is what its committed trials say."""

import json

import pandas as pd
from results_readme import says
from runs import REFERENCE
from simulated_trials import shares
from trials.summary import distances, errors, text

TRIALS = REFERENCE / "try" / "tables.csv"


def test_every_table_ends_in_time_with_a_model_and_a_page():
    rows = pd.read_csv(TRIALS)
    ours = rows[rows["method"].str.startswith("try")]
    most = max(json.loads(detail)["share_of_time"] for detail in ours["detail"])
    assert ours["error"].notna().all()
    assert most <= 1.05
    says(
        f"all {len(ours)} calls on the {ours['table'].nunique()} tables end with a model and a "
        f"page, the longest after {100 * most:.0f}% of the 60 seconds"
    )


def test_the_distances_from_others_are_those_of_the_trials():
    found = distances(errors(pd.read_csv(TRIALS)))
    spans = {
        name: f"{gap.mean:+.1f} points [{gap.low:+.1f}, {gap.high:+.1f}]".replace("-", "−")
        for name, gap in found.items()
    }
    says(
        f"{spans['random forest']} from a random forest, {spans['LightGBM']} from LightGBM, "
        f"{spans['SVC with a grid']} from an SVC with a grid",
        f"from the best of these three on each table, which nobody knows beforehand, "
        f"{spans['the best of the three']}",
        f"from FLAML with the same minute (one split) {spans['FLAML']}",
    )
    assert found["the best of the three"].mean <= 1


def test_the_committed_text_is_drawn_from_the_rows():
    assert (REFERENCE / "try" / "tables.txt").read_text() == text(TRIALS)


def test_the_interval_of_the_pick_covers_the_truth():
    covered = shares(pd.read_csv(REFERENCE / "try" / "coverage.csv").to_dict("records"))
    assert min(covered.values()) >= 0.93
    shuffled, made = (100 * covered[kind, "simple"] for kind in ("shuffled", "synthetic"))
    says(
        f"covers chance in {shuffled:.1f}% of 200 trials on labels that say nothing, and the error "
        f"on 20,000 new rows in {made:.1f}% of 200 trials on made data"
    )
