"""Plans: which fits the cells of an experiment share, and keys that know content alone."""

import numpy as np
import pytest
from runs import SMALL, SVM_LINE, planned

from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import read_config
from ecoc_bench.experiment.plan import Plan
from ecoc_bench.experiment.tasks import Cell

GLASS = SMALL.replace("[glass, vowel]", "[glass]")


def keys(plan):
    """Of each cell, the context of its fits and the names of its columns."""
    found = {}
    for cell in plan.cells:
        context, names, _ = plan.columns(cell)
        found[cell] = context.key, tuple(names)
    return found


def test_each_dichotomy_is_fitted_once_up_to_sign(config):
    plan = planned(config(GLASS.replace("[ova, all_pairs,", "[ova, complete,")))
    tasks = plan.tasks(plan.cells, ())
    # The complete code of six classes holds every column of one-vs-all and dense.
    assert sum(len(t.columns) for t in tasks) == 31 * 3


def test_codes_share_a_dichotomy_up_to_sign(config, tmp_path):
    ova = 2 * np.eye(6, dtype=int) - 1
    np.savetxt(tmp_path / "minus.csv", -ova, fmt="%d", delimiter=",")
    plan = planned(config(GLASS.replace("all_pairs", "{name: minus, matrix: minus.csv}")))
    for fold in range(3):
        own, names, sign = plan.columns(Cell("glass", "svm", "ova", 0, 0, fold))
        same, twins, turned = plan.columns(Cell("glass", "svm", "minus", 0, 0, fold))
        assert own is same
        assert names == twins
        np.testing.assert_array_equal(sign, -turned)
        np.testing.assert_array_equal(plan.matrices["glass", "ova", 0], ova)


def test_a_single_call_learner_fits_each_matrix_as_one_problem(config):
    plan = planned(config(GLASS.replace(SVM_LINE, "adaboost: {rounds: 5}")))
    tasks = plan.tasks(plan.cells, ())
    assert sorted(len(task.columns) for task in tasks) == sorted(3 * [6, 15, 8, 8])
    contexts = {plan.columns(cell)[0].key for cell in plan.cells}
    assert len(contexts) == 3 * 4


def test_cells_are_every_code_drawn_on_every_fold_in_the_order_of_the_config(config):
    cells = planned(config()).cells
    assert len(cells) == len(set(cells)) == (3 + 1) * (1 + 1 + 2)
    assert [c.dataset for c in cells] == ["glass"] * 12 + ["vowel"] * 4
    assert [(c.code, c.draw) for c in cells[12:]] == [
        *[("ova", 0), ("all_pairs", 0), ("dense", 0), ("dense", 1)]
    ]


def test_noise_and_sweeps_stand_for_several_data_sets_and_methods(config):
    text = """
    name: noisy
    noise: [0, 0.2]
    datasets: [glass, vowel]
    methods:
      adaboost_ecc: {rounds: 2}
      adaboost_secc: {rounds: 2, sweep: {eta: [0.5, 0.05]}}
    """
    plan = planned(config(text))
    assert list(plan.datasets) == ["glass@0", "glass@0.2", "vowel@0", "vowel@0.2"]
    members = ["adaboost_ecc", "adaboost_secc@0.5", "adaboost_secc@0.05"]
    assert list(plan.resolved.methods) == members
    assert plan.resolved.methods["adaboost_secc@0.05"].method.eta == 0.05
    assert {c.learner for c in plan.cells} == {"joint"}
    assert len(set(keys(plan).values())) == len(plan.cells)


# Keys


def test_a_key_does_not_know_the_name_of_the_learner(config):
    plain = keys(planned(config(GLASS)))
    named = keys(planned(config(GLASS.replace("svm: {", "mine: {type: svm, "))))
    assert list(plain.values()) == list(named.values())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("degree: 2", "degree: 3"),
        ("degree: 2", "degree: 2, inputs: raw"),
        ("folds: 3", "folds: 4"),
        ("seed: 7", "seed: 8"),
        ("[glass]", "[{name: glass, pca: 3}]"),
        ("[glass]", "[{name: glass, nominal: [RI]}]"),
        ("seed: 7", "seed: 7\nnoise: [0.1]"),
    ],
)
def test_a_key_changes_with_all_that_a_fit_depends_on(old, new, config):
    before = {context for context, _ in keys(planned(config(GLASS))).values()}
    after = {context for context, _ in keys(planned(config(GLASS.replace(old, new)))).values()}
    assert before.isdisjoint(after)


def test_the_seed_of_fits_is_in_the_key_of_those_that_take_one(config):
    """Over the original split nothing else depends on it."""
    for learner, same in ((SVM_LINE, True), ("c45: {}", True), ("tree: {type: odd}", False)):
        text = SMALL.replace("[glass, vowel]", "[vowel]").replace("[ova, all_pairs,", "[ova]\n#")
        odd = "sklearn, estimator: 'sklearn.tree:DecisionTreeClassifier'"
        text = text.replace(SVM_LINE, learner.replace("odd", odd))
        one, other = (
            list(keys(planned(config(text.replace("seed: 7", f"seed: {seed}")))).values())
            for seed in (1, 2)
        )
        assert (one == other) == same


def test_more_codes_data_sets_draws_and_decoders_change_no_other_cells_key(config):
    before = planned(config())
    more = SMALL.replace("[glass,", "[ecoli, glass,").replace("[ova,", "[sparse, ova,")
    more = more.replace("draws: 2", "draws: 3").replace("loss]", "loss, square]")
    after = planned(config(more))
    assert keys(before).items() < keys(after).items()
    for place, M in before.matrices.items():
        np.testing.assert_array_equal(after.matrices[place], M)


def test_likelihood_decoding_adds_inner_folds_and_leaves_the_other_fits_alone(config):
    plain = planned(config(GLASS))
    calibrated = planned(config(GLASS.replace("loss]", "loss, likelihood]")))
    assert (plain.inner, calibrated.inner) == (0, 3)
    for cell in plain.cells:
        [own] = plain.contexts(cell)
        same, inner = calibrated.contexts(cell)
        assert own.key == same.key != inner.key
        assert inner.inner == 3
        assert len(inner.test) == 0
        assert plain.places(cell) < calibrated.places(cell)


# A change of one of these makes every store of margins worthless. Where the numbers of a learner
# change, its `version` changes, and its key here with it.
EVERY = """
name: every
seed: 7
datasets: [vowel]
learners:
  adaboost: {rounds: 5}
  svm: {degree: 2}
  gaussian_svm: {}
  logistic: {}
  least_squares: {}
  c45: {}
  sklearn: {estimator: "sklearn.tree:DecisionTreeClassifier", max_depth: 2}
codes: [ova, {name: dense, columns: 8, tries: 50}]
decoders: [hamming]
methods:
  adaboost_secc: {rounds: 5, estimator: {type: c45, prune: false}}
"""
KEYS = {
    "adaboost ova": "8e6c746acb21ade3",
    "adaboost dense": "0843cbe282246ebb",
    "svm": "25d9394d6269ab6e",
    "gaussian_svm": "49c5b683bfc38adc",
    "logistic": "942e70b692d50732",
    "least_squares": "ed41e995f936f35f",
    "c45": "81a2c7cc4a2a993f",
    "sklearn": "501a99579013c279",
    "adaboost_secc": "000d8c364b4fc2d1",
}


def test_keys_are_those_of_the_stores_that_users_have(config):
    plan = planned(config(EVERY))
    found = {}
    for cell in plan.cells:
        # A multi-call learner has one context for all codes, a single-call one for each matrix.
        each = {"joint": cell.code, "adaboost": f"adaboost {cell.code}"}
        name = each.get(cell.learner, cell.learner)
        assert found.setdefault(name, plan.columns(cell)[0].key[:16]) == KEYS[name], name
    assert found == KEYS


# What is left to do, and what was asked for


def test_what_is_stored_is_not_fitted_again_and_the_costliest_comes_first(config):
    plan = planned(config())
    tasks = plan.tasks(plan.cells, ())
    costs = [task.cost for task in tasks]
    assert costs == sorted(costs, reverse=True)
    stored = {(task.context.key, name) for task in tasks for name in task.columns}
    assert stored == {place for cell in plan.cells for place in plan.places(cell)}
    assert plan.tasks(plan.cells, stored) == []
    missing = stored.pop()
    [task] = plan.tasks(plan.cells, stored)
    assert (task.context.key, *task.columns) == missing


def test_a_task_holds_the_columns_by_the_signs_of_their_names(config):
    plan = planned(config())
    for task in plan.tasks(plan.cells, ()):
        for name, column in zip(task.columns, task.block.T, strict=True):
            assert name == "".join("-0+"[entry + 1] for entry in column)


def test_only_keeps_cells_of_the_chosen_names_and_draws_no_other_codes(config, tmp_path):
    path = config()
    only = ["dataset=glass", "code=dense"]
    plan = Plan(read_config(path), str(path), CodeBook(tmp_path / "codes"), only)
    assert {(c.dataset, c.code) for c in plan.chosen} == {("glass", "dense")}
    assert ("vowel", "dense", 0) not in plan.matrices
    assert ("vowel", "ova", 0) in plan.matrices


def test_a_data_set_that_is_not_here_has_no_cells_and_is_named_without_its_noise(
    config, tmp_path, monkeypatch
):
    monkeypatch.setenv("ECOC_BENCH_DATA", str(tmp_path / "nothing"))
    text = SMALL.replace("[glass, vowel]", "[glass, isolet]") + "noise: [0, 0.1]\n"
    plan = planned(config(text))
    assert plan.absent == {"isolet@0": "isolet", "isolet@0.1": "isolet"}
    assert {c.dataset for c in plan.cells} == {"glass@0", "glass@0.1"}


def test_a_code_that_a_data_set_has_too_many_classes_for_is_left_out_with_a_reason(config):
    plan = planned(config(SMALL.replace("glass", "soybean").replace("all_pairs", "complete")))
    assert list(plan.left_out) == [("soybean", "complete")]
    assert "too many above k = 11" in plan.left_out["soybean", "complete"]
    assert ("vowel", "complete", 0) in plan.matrices


def test_who_asks_is_told_of_every_code_that_is_drawn(config, tmp_path):
    """Two data sets; two fixed codes and one with two draws."""
    path, told = config(), []
    for jobs in (1, 2):
        Plan(read_config(path), str(path), CodeBook(tmp_path), (), jobs, lambda *n: told.append(n))
    assert sorted(told) == sorted([(n, 8) for n in range(1, 9)] * 2)
