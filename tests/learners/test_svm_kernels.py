"""The compiled parts of our SVM solver against slow twins in plain numpy."""

import numpy as np
import oracles_svm as oracles
import pytest
from parts import called
from sklearn.svm import SVC

from ecoc_bench.learners import _kernel_rows, _svm_faces, _svm_pairs, _svm_solve
from ecoc_bench.learners.kernels import formula_of, new_matrix

FLOAT32, FLOAT64 = np.float32, np.float64
KERNELS = [
    {"kernel": "linear"},
    *({"kernel": "poly", "degree": degree, "coef0": 0.5} for degree in range(6)),
    {"kernel": "rbf"},
]


def matrix_of(svc, X, Z=None, dtype=FLOAT64):
    Z = X if Z is None else Z
    return new_matrix(formula_of(svc.kernel, svc.gamma, svc.coef0, svc.degree, X), X, Z, dtype)


def filled(rows):
    return np.array([called(_kernel_rows.row)(rows, i).copy() for i in range(len(rows.K))])


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: "".join(map(str, kernel.values())))
def test_rows_of_kernels_have_twins_in_scikit_learn(kernel):
    rng = np.random.default_rng(0)
    for d in range(1, 10):
        X, Z = rng.normal(size=(5, d)), rng.normal(size=(7, d))
        svc = SVC(gamma=0.7, **kernel)
        K = oracles.kernel(svc, X, Z)
        matrix = matrix_of(svc, X, Z)
        np.testing.assert_allclose(filled(matrix.rows), K, rtol=1e-11, atol=1e-12)
        assert matrix.rows.have.all()
        rounded = filled(matrix_of(svc, X, Z, FLOAT32).rows)
        np.testing.assert_array_equal(rounded, matrix.rows.K.astype(np.float32))
        own = oracles.kernel(svc, X).diagonal()
        np.testing.assert_allclose(matrix.diagonal, own, rtol=1e-11, atol=1e-12)
        b = rng.normal(size=5) * (np.arange(5) != 2)
        f = _kernel_rows.expand(matrix.rows, b)
        np.testing.assert_allclose(f, b @ K, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_an_entry_has_the_same_bytes_whatever_is_computed_next_to_it(kernel):
    rng = np.random.default_rng(1)
    X, Z, svc = rng.normal(size=(3, 11)), rng.normal(size=(67, 11)), SVC(kernel=kernel, gamma=0.1)
    whole = filled(matrix_of(svc, X, Z).rows)
    for start, stop in [(0, 1), (3, 8), (5, 38), (50, 67)]:
        part = filled(matrix_of(svc, X, Z[start:stop].copy()).rows)
        assert part.tobytes() == whole[:, start:stop].tobytes()
    square = filled(matrix_of(svc, Z).rows)
    assert square.tobytes() == square.T.tobytes()


def test_a_row_that_is_filled_is_not_computed_again():
    matrix = matrix_of(SVC(kernel="linear"), np.eye(3))
    called(_kernel_rows.row)(matrix.rows, 1)
    assert matrix.rows.have.tolist() == [False, True, False]
    matrix.rows.K[1] = 7.0
    assert (called(_kernel_rows.row)(matrix.rows, 1) == 7.0).all()


class Problem:
    """A column somewhere on its way: b in its box, and the gradient."""

    def __init__(self, seed, n=None, dtype=FLOAT64):
        rng = self.rng = np.random.default_rng(seed)
        self.n = n = int(rng.integers(2, 60)) if n is None else n
        X = rng.normal(size=(n, int(rng.integers(1, 6))))
        svc = SVC(kernel="rbf", gamma=0.5)
        matrix = matrix_of(svc, X, dtype=dtype)
        self.rows, self.diagonal = matrix.rows, matrix.diagonal
        self.K = filled(self.rows).astype(float)
        self.y = rng.choice([-1.0, 0.0, 1.0], size=n, p=[0.45, 0.1, 0.45])
        self.y[:2] = 1, -1
        self.lo, self.hi = oracles.bounds(self.y, rng.uniform(0.1, 3.0, size=n))
        where = rng.choice([0.0, 1.0, rng.random()], size=n)
        self.b = self.lo + where * (self.hi - self.lo)
        self.g = self.y - self.K @ self.b

    def marks(self):
        up = np.where(self.b < self.hi, 0, -np.inf).astype(np.float32)
        return up, np.where(self.b > self.lo, 0, -np.inf).astype(np.float32)


def mask_of(n):
    return np.int32(2 ** int(n - 1).bit_length() - 1) if n > 2 else np.int32(1)


@pytest.mark.parametrize("n", [1, 2, 255, 256, 257, 700])
def test_the_first_of_the_largest_that_may_grow_is_that_of_its_twin(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        g = rng.choice(rng.normal(size=max(n // 3, 1)) * 10.0 ** rng.integers(-30, 30), size=n)
        rough = g.astype(np.float32)
        up = np.where(rng.random(n) < 0.5, 0, -np.inf).astype(np.float32)
        assert called(_svm_pairs.first_to_grow)(rough, up) == np.argmax(rough + up)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_partner_gains_most_up_to_the_bits_of_its_place_as_its_twin(dtype):
    two = np.float32(2.0)
    for seed in range(50):
        p = Problem(seed, n=(2, 3, 64, 65, 300)[seed % 5])
        rough, curvature = p.g.astype(np.float32), p.diagonal.astype(np.float32)
        down = p.marks()[1]
        row = p.K[0].astype(dtype)
        mask = mask_of(p.n)
        j, worst = called(_svm_pairs.partner)(
            rough, down, row, curvature, rough[0], curvature[0], mask
        )
        d = np.maximum(rough[0] - rough + down, np.float32(0))
        q = np.maximum(curvature[0] + curvature - two * row.astype(np.float32), _svm_pairs.TINY)
        gain = d * d / q
        assert gain.dtype == np.float32
        assert worst == d.max()
        assert gain[j] >= gain.max() * (1 - mask * 2.0**-23)
        kept = gain.view(np.int32) & ~mask
        assert j == np.flatnonzero(kept == kept.max())[-1]


def test_marks_and_moves_have_twins():
    for seed in range(20):
        p = Problem(seed)
        up, down = np.full((2, p.n), 5, np.float32)
        for k in range(p.n):
            called(_svm_pairs.mark)(k, p.b, p.lo, p.hi, up, down)
        np.testing.assert_array_equal((up, down), p.marks())
        g, rough = p.g.copy(), np.empty(p.n, np.float32)
        called(_svm_pairs.move)(g, rough, p.rows.K[0], p.rows.K[1], 0.3)
        np.testing.assert_array_equal(g, p.g - 0.3 * (p.K[0] - p.K[1]))
        np.testing.assert_array_equal(rough, g.astype(np.float32))


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT64])
def test_pair_steps_keep_the_sum_and_the_box_and_end_within_the_tolerance(dtype):
    for seed in range(20):
        p = Problem(seed, dtype=dtype)
        before, total = oracles.dual(p.K, p.y, p.b), p.b.sum()
        steps = called(_svm_pairs.pair_steps)(p.rows, p.diagonal, p.b, p.g, p.lo, p.hi, 1e-3, 10**5)
        assert (p.lo <= p.b).all()
        assert (p.b <= p.hi).all()
        np.testing.assert_allclose(p.b.sum(), total, atol=1e-12)
        np.testing.assert_allclose(p.g, p.y - p.K @ p.b, atol=1e-9)
        assert oracles.violation(p.K, p.y, p.b, p.lo, p.hi) <= 1e-3 + 1e-6
        assert oracles.dual(p.K, p.y, p.b) > before or steps == 0


class Factor:
    """The factor of the free coordinates, and what it is the factor of."""

    def __init__(self, p, jitter=1e-9, room=40):
        self.p, self.jitter = p, jitter
        self.members, self.R = np.empty(room, np.int64), np.zeros((room, room))
        self.inside, self.w = np.zeros(p.n, np.bool_), np.empty(room)
        self.m = 0

    def join(self, k):
        p = self.p
        state = (self.members, self.m, self.R, self.inside, self.w, self.jitter)
        joined = called(_svm_faces.join)(p.rows, p.diagonal, k, *state)
        self.m += joined
        return joined

    def leave(self, place):
        self.inside[self.members[place]] = False
        called(_svm_faces.leave)(place, self.members, self.m, self.R)
        self.m -= 1

    def matrix(self):
        F = self.members[: self.m]
        return self.p.K[np.ix_(F, F)] + self.jitter * np.diag(self.p.diagonal[F])


def test_the_factor_after_joins_and_leaves_is_that_of_its_twin():
    for seed in range(30):
        p = Problem(seed, n=30)
        f, order = Factor(p), []
        for _ in range(80):
            k = int(p.rng.integers(p.n))
            if f.m and p.rng.random() < 0.4:
                place = int(p.rng.integers(f.m))
                del order[place]
                f.leave(place)
            elif k not in order and f.join(k):
                order.append(k)
            assert f.members[: f.m].tolist() == order
            assert np.flatnonzero(f.inside).tolist() == sorted(order)
        R = np.triu(f.R[: f.m, : f.m])
        np.testing.assert_allclose(R.T @ R, f.matrix(), atol=1e-12)
        if np.linalg.cond(f.matrix()) < 1e6:
            L = np.linalg.cholesky(f.matrix())
            np.testing.assert_allclose(np.abs(R.T), np.abs(L), atol=1e-8)


def test_a_copy_of_a_member_joins_only_as_far_as_the_jitter_allows():
    p = Problem(0, n=4)
    matrix = matrix_of(SVC(kernel="rbf", gamma=0.5), np.zeros((4, 2)))
    p.rows, p.diagonal, p.K = matrix.rows, matrix.diagonal, np.ones((4, 4))
    roomy, none = Factor(p, jitter=1e-6), Factor(p, jitter=0.0)
    assert [roomy.join(k) for k in range(4)] == [1, 1, 1, 1]
    assert [none.join(k) for k in range(4)] == [1, 0, 0, 0]
    assert none.m == 1
    assert not none.inside[1:].any()


def bordered(A, g):
    """The step and c of (A) d + c 1 = g, 1.d = 0."""
    m = len(g)
    whole = np.zeros((m + 1, m + 1))
    whole[:m, :m], whole[m, :m], whole[:m, m] = A, 1, 1
    solution = np.linalg.solve(whole, np.append(g, 0))
    return solution[:m], solution[m]


@pytest.mark.parametrize("width", [1e9, 0.05])
def test_the_newton_step_is_that_of_its_twin_cut_at_the_first_bound(width):
    cut = 0
    for seed in range(40):
        p = Problem(seed, n=20)
        f = Factor(p, jitter=1e-3)
        for k in p.rng.permutation(20)[: int(p.rng.integers(1, 15))]:
            f.join(int(k))
        F, u, v = f.members[: f.m], np.empty(40), np.empty(40)
        p.lo, p.hi = p.b - width * p.rng.random(20), p.b + width * p.rng.random(20)
        left, end, c = called(_svm_faces.newton)(
            f.R, f.members, f.m, p.diagonal, p.b, p.g, p.lo, p.hi, u, v
        )
        d, level = bordered(f.matrix(), p.g[F])
        bound = np.where(d > 0, p.hi[F], p.lo[F]) - p.b[F]
        with np.errstate(divide="ignore"):
            shares = np.where(np.abs(d) > 1e-12, bound / d, np.inf)
        share = min(shares.min(), 1.0)
        np.testing.assert_allclose(c, level, atol=1e-8)
        np.testing.assert_allclose(u[: f.m], share * d, atol=1e-8)
        assert left == (np.argmin(shares) if share < 1 else -1)
        if left >= 0:
            np.testing.assert_allclose(u[left], bound[left], rtol=1e-12)
            assert end == (p.hi if d[left] > 0 else p.lo)[F[left]]
            cut += 1
    assert cut == 0 if width > 1 else cut > 10


def test_what_is_looked_up_on_a_face_has_twins():
    for seed in range(30):
        p = Problem(seed)
        inside = p.rng.random(p.n) < 0.3
        c = float(p.rng.normal())
        eager = (
            np.maximum(np.where(p.b < p.hi, p.g - c, 0), np.where(p.b > p.lo, c - p.g, 0)) * ~inside
        )
        at, worst = called(_svm_faces.most_violating)(p.b, p.g, p.lo, p.hi, c, inside)
        assert worst == max(eager.max(), 0)
        assert at == (np.argmax(eager) if worst > 0 else 0)
        F = np.flatnonzero(inside)
        rest = np.abs(p.g[F] - c).max(initial=0)
        assert called(_svm_faces.residual)(p.g, F, len(F), c) == rest


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT64])
def test_gradient_and_bias_have_twins(dtype):
    for seed in range(30):
        p = Problem(seed, dtype=dtype)
        g = np.full(p.n, np.nan)
        called(_svm_solve.refresh)(p.rows, p.y, p.b, g)
        np.testing.assert_allclose(g, p.g, atol=1e-12)
        free = (p.lo < p.b) & (p.b < p.hi)
        up, down = p.b < p.hi, p.b > p.lo
        if not (up.any() and down.any()):
            continue  # never so where the sum of b is 0
        due = g[free].mean() if free.any() else (g[up].max() + g[down].min()) / 2
        found = _svm_solve.bias(p.b, g, p.lo, p.hi)
        np.testing.assert_allclose(found, due, rtol=1e-12)
        total = np.abs(p.b) @ np.sqrt(p.diagonal) * np.sqrt(p.diagonal.max())
        np.testing.assert_allclose(_svm_solve.rounding(p.b, p.diagonal), total * 2.0**-53)
        assert (np.abs(p.K) @ np.abs(p.b)).max() <= total * (1 + 1e-6)
