"""A table runs from end to end: answer, model, files."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import ecoc_bench
from ecoc_bench.errors import UserError
from ecoc_bench.trying.answer import RANKED
from ecoc_bench.trying.files import board_csv, model_card, predictions_csv
from ecoc_bench.trying.words import as_record, leaderboard, verdict


@pytest.fixture(scope="module")
def wine():
    frame = load_wine(as_frame=True).frame
    frame["maker"] = pd.Series(["a", "b", None] * 60)[: len(frame)]
    return frame.iloc[::2]


@pytest.fixture(scope="module")
def trial(wine):
    """Numbers as labels, a column of text, gaps; nested, too."""
    only = ["ridge", "linear_ova", "linear_pairs"]
    return ecoc_bench.try_table(
        wine, target="target", time="10m", only=only, jobs=1, nested=True, seed=3
    )


def test_every_candidate_is_ranked_and_the_prior_is_last(trial):
    answer = trial.answer
    assert {one.status for one in answer.entries} == {RANKED}
    assert [one.name for one in answer.entries][-1] == "prior"
    assert len(answer.entries) == 4
    best = answer.entry(answer.best)
    assert best.tied
    assert best.scores["error"] == min(one.scores["error"] for one in answer.ranked)


def test_the_honest_number_is_in_its_interval_and_far_from_guessing(trial):
    honest = trial.answer.honest
    assert honest.low <= honest.estimate <= honest.high < 0.3
    assert honest.naive == trial.answer.entry(trial.answer.pick).scores["error"]


def test_the_model_is_a_classifier_with_the_users_labels(trial, wine):
    labels = trial.model.predict(wine.drop(columns="target"))
    assert labels.dtype == wine["target"].dtype
    assert (labels == wine["target"]).mean() > 0.95
    P = trial.model.predict_proba(wine)
    assert np.allclose(P.sum(axis=1), 1)


def test_nested_folds_are_told(trial):
    assert trial.answer.comparison[-1].startswith("Nested folds: the whole trial in each of 5")


def test_a_closer_look_was_taken(trial, wine):
    answer = trial.answer
    sizes = [point[0] for point in answer.learning_curve]
    assert sizes == sorted(sizes)
    assert sizes[-1] == round(0.8 * len(wine))
    assert {name for name, *_ in answer.importance} == set(answer.look.columns)


def test_the_predictions_are_one_line_for_each_test_row(trial):
    rows = list(csv.DictReader(io.StringIO(predictions_csv(trial.answer))))
    answer = trial.answer
    assert len(rows) == answer.folds.size
    errors = np.mean([row["true"] != row["predicted"] for row in rows])
    assert errors == pytest.approx(answer.entry(answer.pick).scores["error"])
    assert all(abs(sum(float(row[f"p_{c}"]) for c in "012") - 1) < 1e-2 for row in rows)


def test_the_leaderboard_says_who_is_picked(trial):
    rows = list(csv.DictReader(io.StringIO(board_csv(trial.answer))))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4"]
    assert [row["name"] for row in rows if row["picked"] == "true"] == [trial.answer.pick]
    assert leaderboard(trial.answer).count("*") == 2  # the mark and its legend


def test_the_card_and_the_record_say_what_the_command_says(trial):
    said = verdict(trial.answer)
    assert said.startswith("Use ")
    assert said in model_card(trial.answer)
    assert as_record(trial.answer)["verdict"] == said


def test_a_bad_call_gets_a_sentence(wine):
    with pytest.raises(UserError, match="one label for each of the 89 rows"):
        ecoc_bench.try_table(wine, [1, 2])
    with pytest.raises(UserError, match="give the labels y"):
        ecoc_bench.try_table(wine)
    with pytest.raises(UserError, match="Did you mean 'log_loss'"):
        ecoc_bench.try_table(wine, target="target", metric="logloss")
