import numpy as np
import pytest
from fitted import FITS, fitted, model

from ecoc_bench.models.predictors import KINDS
from ecoc_bench.models.scoring import scores_of


def test_every_kind_is_among_the_fits():
    inside = {"stumps"}  # only ever the columns of a code
    assert {kind for kind, *_ in FITS.values()} | inside == set(KINDS)


@pytest.mark.parametrize("name", FITS)
def test_a_model_predicts_what_its_estimator_predicts(name):
    data, inputs, estimator = fitted(name)
    X = inputs.transform(data.X)
    found, expected = model(name).scores(data.X), scores_of(estimator, X)
    assert model(name).parts.predictor.kind == FITS[name][0]
    assert np.abs(found - expected).max() <= 1e-9 * max(1, np.abs(expected).max())
    assert (estimator.classes_[found.argmax(axis=1)] == estimator.predict(X)).all()


@pytest.mark.parametrize("name", ["boosted", "c45", "stumps_pairs", "forest"])
def test_missing_values_go_where_the_estimator_sends_them(name):
    data, inputs, estimator = fitted(name)
    gaps = data.X.copy()
    gaps[np.random.default_rng(0).random(gaps.shape) < 0.2] = np.nan
    found, expected = model(name).scores(gaps), scores_of(estimator, inputs.transform(gaps))
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9)
