"""Data with sequences: whole in every fold, given to the methods that take them, measured."""

import numpy as np
import pytest
from runs import planned, ran

from ecoc_bench.coding.folds import dealt_whole
from ecoc_bench.coding.measures import sequence_error
from ecoc_bench.data.words import LIST, words
from ecoc_bench.errors import UserError
from ecoc_bench.notebook import Run
from ecoc_bench.running.fit import inner_folds

TEXT = """
name: chained
seed: 3
datasets: [{name: mine, path: mine.csv, target: label, sequence: word}]
evaluation: {folds: 3}
learners: {logistic: {}}
codes: [ova]
decoders: [loss, likelihood]
methods:
  crf: {}
  tree: {type: "sklearn.tree:DecisionTreeClassifier"}
measures: [sequence_error]
"""


def table(n=60):
    """Labels that follow one another in sequences of four, the rows of two sequences in turn."""
    rng = np.random.default_rng(0)
    lines = ["x,word,label"]
    for i in range(n):
        word = 2 * (i // 8) + i % 2
        label = (i // 2 + word) % 3
        lines.append(f"{label + rng.normal():.3f},w{word},{'abc'[label]}")
    return "\n".join(lines)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("chained")
    (place / "mine.csv").write_text(table())
    return ran(TEXT, place, "--no-report")


@pytest.fixture
def plan(config, tmp_path):
    (tmp_path / "mine.csv").write_text(table())
    return lambda text: planned(config(text))


def test_no_fold_divides_a_sequence_and_inner_folds_do_not_either(plan):
    found = plan(TEXT)
    data = found.datasets["mine"]
    assert data.columns == ("x",)
    assert data.sequences.max() == 15
    for split in found.splits.values():
        assert not set(data.sequences[split.train]) & set(data.sequences[split.test])
        np.testing.assert_array_equal(split.train, np.sort(split.train))
    _, inner = found.contexts(next(c for c in found.cells if c.code == "ova"))
    folds = inner_folds(inner, data.sequences)
    for sequence in np.unique(data.sequences[inner.train]):
        assert len(set(folds[data.sequences[inner.train] == sequence])) == 1


def test_parts_do_not_divide_a_sequence(plan):
    found = plan(
        TEXT.replace("evaluation: {folds: 3}", "parts: {train: 2, validation: 1, test: 1}")
    )
    data, split = found.datasets["mine"], next(iter(found.splits.values()))
    sizes = [len(part) for part in (split.train, split.validation, split.test)]
    assert sum(sizes) == 60
    assert sizes[0] in range(24, 37)
    parts = [set(data.sequences[part]) for part in (split.train, split.validation, split.test)]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 16


def test_classes_are_dealt_out_as_evenly_as_whole_sequences_allow():
    rng = np.random.default_rng(1)
    sequences = np.repeat(np.arange(200), rng.integers(1, 9, 200))
    y = rng.integers(0, 5, len(sequences))
    fold = dealt_whole(y, sequences, np.full(10, 0.1), np.random.default_rng(0))
    counts = np.zeros((10, 5))
    np.add.at(counts, (fold, y), 1)
    due = np.bincount(y) / 10
    assert (np.abs(counts - due) <= 5).all()
    assert len(set(zip(sequences, fold, strict=True))) == 200
    again = dealt_whole(y, sequences, np.full(10, 0.1), np.random.default_rng(0))
    np.testing.assert_array_equal(fold, again)


def test_as_many_sequences_as_folds_leave_none_empty():
    fold = dealt_whole(np.arange(6), np.arange(6), np.full(6, 1 / 6), np.random.default_rng(0))
    assert sorted(fold.tolist()) == list(range(6))


def test_only_methods_that_take_sequences_have_them_in_their_keys(plan):
    chained, plain = plan(TEXT), plan(TEXT)
    for found in (chained, plain):
        data = found.datasets["mine"]
        other = data.sequences if found is chained else data.sequences[::-1].copy()
        object.__setattr__(data, "sequences", other)
    keys = [
        {c.code: found.columns(c)[0].key for c in found.cells if c.fold == 0}
        for found in (chained, plain)
    ]
    assert keys[0]["crf"] != keys[1]["crf"]
    assert keys[0]["tree"] == keys[1]["tree"]
    assert keys[0]["ova"] == keys[1]["ova"]


def test_the_chain_is_known_in_training_and_testing_and_lowers_the_error(folder):
    results = Run(folder).results
    error = results[results.decoder != "likelihood"].groupby("code").error_rate.mean()
    assert error["crf"] < 0.2 < error["ova"]
    assert error["crf"] < 0.2 < error["tree"]


def test_the_error_per_sequence_is_in_measures_csv_for_all_that_was_run(folder):
    rows = Run(folder).rows("measures.csv")
    assert set(rows.measure) == {"sequence_error"}
    assert set(rows.code) == {"ova", "crf", "tree"}
    errors = Run(folder).results.set_index(["code", "decoder", "fold"]).error_rate
    for row in rows.itertuples():
        assert row.value >= errors[row.code, row.decoder, row.fold] - 1e-6
    assert sequence_error([0, 1, 1], [0, 0, 0], sequences=[5, 5, 5]) == 1.0


@pytest.mark.parametrize(
    ("change", "csv", "message"),
    [
        (("sequence: word", "sequence: wort"), table(), "no column 'wort' for sequence. Did you"),
        (("sequence: word", "sequence: label"), table(), "'label' is both target and sequence"),
        (("", ""), table().replace(",w3,", ",,", 1), "no name in column 'word' of the sequences"),
        (("folds: 3", "folds: 17"), table(), "'mine' has only 16 sequences. Use fewer folds"),
        (("sequence: word", "sequence: word, rare_classes: drop"), table(), "cannot be dropped"),
        (("path: mine.csv, target: label, ", "make: 'a:b', "), table(), "'sequence' goes with a"),
        (
            ("", ""),
            "split," + table().replace("\n", "\ntrain,").replace("train,", "test,", 1),
            "line 4: sequence 'w0' has rows in train and in test",
        ),
    ],
)
def test_a_wrong_sequence_is_said_with_its_place(change, csv, message, config, tmp_path):
    (tmp_path / "mine.csv").write_text(csv)
    with pytest.raises(UserError) as caught:
        planned(config(TEXT.replace(*change) if change[0] else TEXT))
    assert message in str(caught.value)


def test_words_are_the_same_for_the_same_seed_and_unseen_ones_are_new():
    X, y, train, sequences = words(np.random.default_rng(5), words=390, unseen=True)
    again = words(np.random.default_rng(5), words=390, unseen=True)
    np.testing.assert_array_equal(X, again[0])
    assert X.shape == (len(y), 128)
    assert set(np.unique(X)) == {0.0, 1.0}
    spelled = {
        part: {"".join(y[sequences == s]) for s in set(sequences[train == part].tolist())}
        for part in (True, False)
    }
    assert spelled[True] | spelled[False] == set(LIST)
    assert not spelled[True] & spelled[False]
    assert len(spelled[False]) == len(LIST) // 4
    assert set(y[train]) >= set(y[~train])


def test_noise_inverts_its_share_of_the_pixels():
    clean, _, none, _ = words(np.random.default_rng(5), noise=0.0)
    noisy = words(np.random.default_rng(5), noise=0.25)[0]
    assert none is None
    assert (clean != noisy).mean() == pytest.approx(0.25, abs=0.01)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("words: 1", "words must be a whole number, 2 or more. Got 1"),
        ("noise: 0.7", "noise must be a number from 0 to 0.5. Got 0.7"),
        ("unseen: 3", "unseen must be true or false. Got 3"),
    ],
)
def test_wrong_parameters_of_the_words_are_named(params, message, config):
    made = f'{{name: w, make: "ecoc_bench.data.words:words", params: {{{params}}}}}'
    text = TEXT.replace("{name: mine, path: mine.csv, target: label, sequence: word}", made)
    with pytest.raises(UserError, match=message):
        planned(config(text))


def short_names(rng):
    return np.ones((4, 2)), [0, 0, 1, 1], None, ["a"]


def divided(rng):
    return np.ones((4, 2)), [0, 1, 0, 1], np.array([True, True, False, True]), [1, 1, 1, 2]


@pytest.mark.parametrize(
    ("make", "message"),
    [("short_names", "the name of a sequence for each row"), ("divided", "in train and in test")],
)
def test_a_function_whose_sequences_are_wrong_is_told_so(make, message, config):
    made = f'{{name: w, make: "test_sequences:{make}"}}'
    text = TEXT.replace("{name: mine, path: mine.csv, target: label, sequence: word}", made)
    with pytest.raises(UserError, match=message):
        planned(config(text))
