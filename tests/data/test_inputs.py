"""Inputs are those of scikit-learn's transformers, to the byte: committed rows depend on it."""

import numpy as np
import pytest
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, StandardScaler

from ecoc_bench.data.cards import load
from ecoc_bench.data.inputs import INPUTS, FittedInputs, prepare

SCALERS = {"standardize": StandardScaler, "minmax": MinMaxScaler}


def by_scikit_learn(mode, nominal, *parts):
    kinds = []
    if not nominal.all():
        imputer = SimpleImputer(keep_empty_features=True).fit(parts[0][:, ~nominal])
        gaps = any(np.isnan(X[:, ~nominal]).any() for X in parts)
        kinds.append([imputer.transform(x) if gaps else x for x in (X[:, ~nominal] for X in parts)])
    if nominal.any():
        values = [np.unique(x[~np.isnan(x)]) for x in parts[0][:, nominal].T]
        encoder = OneHotEncoder(categories=values, handle_unknown="ignore", sparse_output=False)
        encoder.fit(parts[0][:, nominal])
        kinds.append([encoder.transform(X[:, nominal]) for X in parts])
    joined = [np.hstack(pieces) for pieces in zip(*kinds, strict=True)]
    if mode in SCALERS:
        scaler = SCALERS[mode]().fit(joined[0])
        joined = [scaler.transform(X) for X in joined]
    return [np.ascontiguousarray(X, dtype=np.float64) for X in joined]


@pytest.mark.parametrize("mode", [mode for mode in INPUTS if mode != "coded"])
@pytest.mark.parametrize("name", ["soybean", "glass", "anneal", "audiology"])
def test_inputs_are_those_of_scikit_learn_to_the_byte(name, mode):
    data = load(name)
    train = np.arange(len(data.y)) % 3 > 0
    parts = data.X[train], data.X[~train]
    expected = by_scikit_learn(mode, data.nominal, *parts)
    for found, wanted in zip(prepare(mode, data.nominal, *parts), expected, strict=True):
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("mode", INPUTS)
def test_rows_are_transformed_alone_as_among_others(mode):
    data = load("soybean")
    inputs = FittedInputs.fit(mode, data.nominal, data.X)
    whole, alone = inputs.transform(data.X), inputs.transform(data.X[:1])
    assert whole.shape[1] == inputs.n_inputs
    assert whole[:1].tobytes() == alone.tobytes()
