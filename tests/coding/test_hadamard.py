import numpy as np
import pytest

from ecoc_bench.coding.codes import canonical, check_code
from ecoc_bench.coding.distances import correctable, rho
from ecoc_bench.coding.hadamard import LARGEST, hadamard, paley
from ecoc_bench.errors import CodeError, CodeTooLarge


@pytest.mark.parametrize("k", [*range(3, 66), 105, 300, 1000, 1001])
def test_rho_is_half_the_order_and_no_dichotomy_comes_twice(k):
    M = check_code(hadamard(k))
    order = M.shape[1] + 1
    assert k <= order < 2 * k
    assert rho(M) == order / 2
    assert len(np.unique(canonical(M)[0], axis=1).T) == order - 1


@pytest.mark.parametrize(("k", "order"), [(26, 32), (100, 104), (105, 108), (1000, 1000)])
def test_orders_of_paley_fill_the_gaps_between_powers_of_two(k, order):
    assert order % 4 == 0
    assert hadamard(k).shape == (k, order - 1)


@pytest.mark.parametrize("q", [3, 7, 11, 19, 23, 499])
def test_rows_of_paleys_matrix_are_orthogonal(q):
    H = paley(q).astype(int)
    np.testing.assert_array_equal(H @ H.T, (q + 1) * np.eye(q + 1))
    assert (H[0] == 1).all()
    assert (H[:, 0] == 1).all()


def test_sixteen_classes_have_sylvesters_matrix_where_rows_are_parities():
    i = np.arange(16)
    parities = np.array([[bin(r & s).count("1") % 2 for s in i[1:]] for r in i])
    np.testing.assert_array_equal(hadamard(16), 1 - 2 * parities)
    assert correctable(hadamard(16)) == 3


def test_two_classes_and_too_many_are_refused_with_the_next_step():
    with pytest.raises(CodeError, match="Use 'ova'"):
        hadamard(2)
    with pytest.raises(CodeTooLarge, match="'trellis' or 'dense'"):
        hadamard(LARGEST + 1)
