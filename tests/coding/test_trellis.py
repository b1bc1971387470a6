from collections import defaultdict

import numpy as np
import pytest

from ecoc_bench.coding.codes import canonical, check_code, one_vs_all
from ecoc_bench.coding.trellis import recognised, shape_of, trellis
from ecoc_bench.errors import CodeError, ConfigError


def edges_of(k, b):
    """The graph of Evron et al., edge by edge, in the order of the columns; vertices are tuples."""
    digits = []
    while k:
        k, digit = divmod(k, b)
        digits.append(digit)
    n, top = len(digits) - 1, digits[-1]
    edges = [("source", (0, v)) for v in range(b)]
    for i in range(1, n):
        edges += [((i - 1, u), (i, v)) for u in range(b) for v in range(b)]
    edges += [((n - 1, u), ("aux", j)) for u in range(b) for j in range(top)]
    edges += [(("aux", j), "sink") for j in range(top)]
    for i in reversed(range(n)):
        edges += [((i, v), "sink") for v in range(digits[i])]
    return edges


def all_paths(edges):
    """Every path from the source to the sink, as a set of edges."""
    after = defaultdict(list)
    for edge in edges:
        after[edge[0]].append(edge)
    found, open_paths = [], [("source", [])]
    while open_paths:
        vertex, path = open_paths.pop()
        if vertex == "sink":
            found.append(frozenset(path))
        open_paths += [(edge[1], [*path, edge]) for edge in after[vertex]]
    return found


@pytest.mark.parametrize("b", [2, 3, 4, 5, 7, 10])
@pytest.mark.parametrize("k", [10, 16, 26, 27, 100, 105, 125])
def test_the_rows_are_just_the_paths_of_the_graph(k, b):
    edges = edges_of(k, b)
    paths = all_paths(edges)
    assert len(paths) == k
    shared = frozenset.intersection(*paths)  # an edge of all paths is no column
    edges = [edge for edge in edges if edge not in shared]
    rows = [frozenset(edges[e] for e in np.flatnonzero(row == 1)) for row in trellis(k, width=b)]
    assert len(edges) == trellis(k, width=b).shape[1]
    assert set(rows) == {path - shared for path in paths}


def test_105_classes_of_sector_have_the_papers_55_columns_with_width_5():
    columns = {b: trellis(105, width=b).shape[1] for b in range(2, 11)}
    assert columns == {2: 28, 3: 38, 4: 46, 5: 55, 6: 64, 7: 73, 8: 87, 9: 108, 10: 126}


def test_columns_grow_as_the_logarithm_of_the_classes():
    assert [trellis(2**n + 1).shape[1] for n in (4, 8, 12)] == [18, 34, 50]


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7, 31, 32, 33, 1000])
def test_every_trellis_is_a_valid_code_and_is_recognised(k):
    for b in {2, 3, 10} & set(range(2, k + 1)):
        M = check_code(trellis(k, width=b))
        np.testing.assert_array_equal(M, trellis(k, width=recognised(M).width))
        other = M.copy()
        other[:, [0, 1]] = other[:, [1, 0]]
        assert k == 2 or recognised(other) is None
    assert recognised(one_vs_all(k)) is None


def test_a_trellis_as_wide_as_there_are_classes_is_one_vs_all_with_each_column_twice():
    M = trellis(12, width=12)
    assert M.shape == (12, 24)
    distinct = np.unique(canonical(M)[0], axis=1)
    np.testing.assert_array_equal(distinct, np.unique(canonical(one_vs_all(12))[0], axis=1))


def test_the_number_of_columns_is_known_beforehand():
    assert shape_of(10**6, 10).n_columns == 10 + 5 * 100 + 10


def test_bad_widths_are_refused_with_the_next_step():
    with pytest.raises(CodeError, match="more than 6 paths"):
        trellis(6, width=7)
    for bad in (1, 2.5, "3", True):
        with pytest.raises(ConfigError, match="width must be a whole number from 2 up"):
            trellis(6, width=bad)
