"""Mistakes in the keys of joint methods, parts, noise and choices: one clear message each."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin


class Odd(ClassifierMixin, BaseEstimator):
    """A classifier whose predictions are not labels."""

    def fit(self, X, y):
        return self

    def predict(self, X):
        return np.full(len(X), 0.5)


HEAD = "name: n\ndatasets: [glass]\n"
PARTS = "parts: {train: 2, validation: 1, test: 1}\n"
MISTAKES = {
    "methods: [adabost_ecc]": "methods.adabost_ecc: unknown method 'adabost_ecc'. Did you mean",
    "methods: {adaboost_ecc: {round: 5}}": "methods.adaboost_ecc: unknown parameter 'round'",
    "methods: {adaboost_ecc: {rounds: 0}}": "methods.adaboost_ecc: fails on a toy problem",
    "methods: {adaboost_ecc: {estimator: c4}}": "unknown estimator 'c4'. Did you mean 'c45'",
    "methods: {adaboost_ecc: {estimator: {prune: false}}}": "estimator must have a 'type'",
    "methods: {adaboost_secc: {sweep: [1]}}": "sweep must be a mapping",
    "methods: {adaboost_secc: {sweep: {eta: 1}}}": "sweep.eta must be a list of numbers or words",
    "methods: {adaboost_secc: {sweep: {eta: [2]}}}": "eta must be above 0 and not above 1",
    "methods: ['test_config_methods:Odd']": "predict must give one of the labels for each row",
    "learners: [svm]\nmethods: [adaboost_ecc]": "codes: this key is missing",
    "methods: [adaboost_ecc, adaboost_ecc]": "the name 'adaboost_ecc' is used twice",
    "methods: [adaboost_ecc]\nselect: {a: {among: [adaboost_ecc]}}": "needs 'parts'",
    PARTS + "methods: [adaboost_ecc]\nselect: {a: {among: [b]}}": "select.a: unknown learner 'b'",
    PARTS + "methods: [adaboost_ecc]\nselect: {a: {among: [adaboost_ecc], by: luck}}": "a.by",
    "parts: {train: 1}\nmethods: [adaboost_ecc]": "parts: 'train' and 'test' are needed",
    "parts: {validation: 2, of: train}\nmethods: [adaboost_ecc]": "above 0 and below 1",
    "parts: {validation: 0.5, of: train}\nmethods: [adaboost_ecc]": "has no original split",
    "parts: {trian: 1, test: 1}\nmethods: [adaboost_ecc]": "unknown key 'trian'. Did you mean",
    "parts: {train: 1, test: 0.00001}\nmethods: [adaboost_ecc]": "parts leave 'glass' no test rows",
    "noise: [1.5]\nmethods: [adaboost_ecc]": "datasets[0].noise: input should be less than 1",
    "noise: [much]\nmethods: [adaboost_ecc]": "noise",
}  # fmt: skip


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_gives_one_clear_message_and_exit_code_2(text, config, command, tmp_path):
    result = command("run", config(HEAD + text), "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert MISTAKES[text] in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out" / "results.csv").exists()


def test_nominal_and_components_do_not_go_together(config, command):
    text = "name: n\ndatasets: [{name: car, pca: 2}]\nmethods: [adaboost_ecc]"
    result = command("run", config(text))
    assert result.exit_code == 2
    assert "datasets[0]: pca needs numeric attributes" in result.stderr
