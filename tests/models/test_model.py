import numpy as np
import pandas as pd
import pytest
from fitted import fitted, model
from sklearn.base import clone, is_classifier
from sklearn.metrics import log_loss
from sklearn.utils.validation import check_is_fitted

from ecoc_bench.errors import DataError, ModelError
from ecoc_bench.models.model import Model


def frame(name):
    """The table of a model's data, as pandas reads it from a CSV."""
    data, *_ = fitted(name)
    return pd.DataFrame(
        {
            column: x if values is None else [None if np.isnan(c) else values[int(c)] for c in x]
            for column, x, values in zip(data.columns, data.X.T, data.categories, strict=True)
        }
    )


@pytest.mark.parametrize("name", ["ridge", "c45"])
def test_frames_are_read_by_name_whatever_their_order(name):
    data, *_ = fitted(name)
    table = frame(name)
    mixed = table[table.columns[::-1]].assign(other="x")
    scores = model(name).decision_function(mixed)
    assert scores.tobytes() == model(name).scores(data.X).tobytes()
    assert (model(name).predict(table.to_numpy()) == model(name).predict(mixed)).all()


def test_labels_may_have_the_type_of_the_user():
    data, inputs, estimator = fitted("ridge")
    numbers = Model.of(data, inputs, estimator, 1.0, {}, labels=np.arange(11) * 10)
    assert numbers.classes_.tolist() == [10 * c for c in range(11)]
    assert numbers.score(data.X, data.y * 10) > 0.4
    with pytest.raises(ModelError, match="label of type"):
        Model.of(data, inputs, estimator, 1.0, {}, labels=[(c,) for c in range(11)])


def test_it_is_a_classifier_that_stays_as_it_is():
    one = model("ridge")
    check_is_fitted(one)
    assert is_classifier(one)
    assert clone(one) is one
    assert one.fit(None) is one
    assert "11 classes" in repr(one)
    assert one.feature_names_in_.tolist() == list(fitted("ridge")[0].columns)


def test_probabilities_are_the_softmax_at_the_temperature():
    data, *_ = fitted("ridge")
    P, S = model("ridge").predict_proba(data.X), model("ridge").scores(data.X)
    assert np.allclose(P.sum(axis=1), 1)
    assert np.allclose(np.log(P[:, 1] / P[:, 0]), 1.5 * (S[:, 1] - S[:, 0]))
    assert log_loss(data.y, P) < np.log(11)


def test_two_classes_have_one_decision_function():
    data, inputs, estimator = fitted("two_classes")
    found = model("two_classes").decision_function(data.X)
    assert np.allclose(found, estimator.decision_function(inputs.transform(data.X)), atol=1e-12)


def test_wrong_rows_are_refused_in_a_sentence():
    one, table = model("ridge"), frame("ridge")
    first = table.columns[0]
    with pytest.raises(DataError, match=f"no column '{first}'"):
        one.predict(table.drop(columns=first))
    with pytest.raises(DataError, match=f"row 3: column '{first}': 'x' is no finite number"):
        one.predict(table.assign(**{first: ["x" if i == 3 else 1.0 for i in table.index]}))
    with pytest.raises(DataError, match="columns, as the training data"):
        one.predict(table.to_numpy()[:, :2])
    with pytest.raises(DataError, match="too large"):
        one.predict(np.full((1, len(table.columns)), 1e308))


def test_unseen_and_missing_categories_are_one_to_a_frame():
    table = frame("c45").astype(object)
    unseen, missing = table.copy(), table.copy()
    unseen.iloc[:, 0], missing.iloc[:, 0] = "never seen", None
    assert (model("c45").predict_proba(unseen) == model("c45").predict_proba(missing)).all()


def test_a_number_may_be_a_category_next_to_gaps():
    from ecoc_bench.models.schema import _name

    assert _name(3.0, ("1", "3")) == "3"
    assert _name(float("nan"), ("1", "3")) == ""
