"""The measures of label sets in plain loops over examples and labels."""

from math import isnan

import numpy as np
import pytest

from ecoc_bench.coding.measures import MEASURES, one_error

SETS = [name for name, measure in MEASURES.items() if measure.label_sets]


def slow(name, Y, P, F):
    """The measure, example by example."""
    values = []
    for y, p, f in zip(Y, P, F, strict=True):
        labels = range(len(y))
        inside, outside = [a for a in labels if y[a]], [b for b in labels if not y[b]]
        if name == "hamming_loss":
            values.append(sum(y[a] != p[a] for a in labels) / len(y))
        elif name == "one_error" and inside:
            values.append(max(labels, key=lambda a: (f[a], -a)) not in inside)
        elif name == "coverage":
            values.append(sum(f[a] >= min(f[b] for b in inside) for a in labels) if inside else 0)
        elif name == "ranking_loss":
            wrong = sum(f[a] <= f[b] for a in inside for b in outside)
            values.append(wrong / max(len(inside) * len(outside), 1))
        elif name == "average_precision":
            above = [[b for b in labels if f[b] >= f[a]] for a in inside]
            shares = [sum(bool(y[b]) for b in best) / len(best) for best in above]
            values.append(sum(shares) / len(shares) if inside and outside else 1)
    return sum(values) / len(values)


@pytest.mark.parametrize("name", SETS)
def test_a_measure_in_plain_loops(name):
    """Scores have ties; the first row has no label, the second all of them."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        Y, P = rng.integers(0, 2, (2, 9, 4))
        Y[0], Y[1] = 0, 1
        F = rng.integers(0, 6, (9, 4)).astype(float)
        measure = MEASURES[name]
        known = {need: F for need in measure.needs}
        found = measure.of(Y, P, **known)
        assert found == pytest.approx(slow(name, Y.tolist(), P.tolist(), F.tolist()))


def test_without_any_label_there_is_no_one_error():
    assert isnan(one_error(np.zeros((2, 3), dtype=int), None, scores=np.ones((2, 3))))
