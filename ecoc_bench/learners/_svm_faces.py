"""The end game of the SVM's dual: the exact optimum on a face of the box, then the next face.

Near the optimum most coordinates are at their bounds for good, and pair steps only shuffle the few
that are free. Here the free ones move together, by a Newton step with the equality:

    (K_FF + jitter) d + c 1 = g_F,  1.d = 0

A coordinate that meets its bound on the way stays there and leaves F; at the optimum of the face
the coordinates that violate most join. The Cholesky factor of K_FF is updated, not computed again.
The jitter keeps it positive where examples lie in one place or K is of low rank; it shortens steps
and does not move the optimum. Not handled: a free set larger than the room given for its factor.
"""

import numpy as np

from ._kernel_rows import row
from ._parts import part

JOINING = 8  # coordinates that join at a time
ROUNDS = 100  # faces
STEPS = 4  # Newton steps for each coordinate that was free at the start, and
MORE = 50  # so many more


@part
def face_steps(rows, diagonal, b, g, lo, hi, tol, jitter, room):
    """Move b and its gradient g over faces, up to a violation of tol; the steps taken."""
    n = len(g)
    members = np.empty(room, np.int64)
    R = np.empty((room, room))  # only its upper triangle is used
    inside = np.zeros(n, np.bool_)
    u, v = np.empty(room), np.empty(room)
    m = np.int64(0)
    for k in range(n):
        if lo[k] < b[k] < hi[k]:
            if m == room:
                return 0
            m += join(rows, diagonal, k, members, m, R, inside, u, jitter)
    most = STEPS * m + MORE
    steps = 0
    for _ in range(ROUNDS):
        last = np.inf
        while True:
            if m == 0 or steps == most:
                return steps
            steps += 1
            left, bound, c = newton(R, members, m, diagonal, b, g, lo, hi, u, v)
            for a in range(m):
                b[members[a]] += u[a]
            take_away(rows, members, u, m, g)
            if left >= 0:
                k = members[left]
                b[k] = bound  # not a rounding away from it
                inside[k] = False
                leave(left, members, m, R)
                m -= 1
                continue
            rest = residual(g, members, m, c)
            if rest <= 0.5 * tol or rest > 0.5 * last:
                break
            last = rest
        before = m
        for _ in range(JOINING):
            k, worst = most_violating(b, g, lo, hi, c, inside)
            if worst <= tol or m == room:
                break
            inside[k] = True  # refused or not, it is not asked again in this round
            m += join(rows, diagonal, k, members, m, R, inside, u, jitter)
        if m == before:
            return steps
    return steps


@part
def newton(R, members, m, diagonal, b, g, lo, hi, u, v):
    """Steps of the free coordinates in u, cut at the first bound: who meets it, which one, and c.

    Minus one: nobody does. With u = K^-1 g and v = K^-1 1, the step is u - c v, c = 1.u / 1.v.
    """
    for a in range(m):
        u[a], v[a] = g[members[a]], 1.0
    forward(R, m, u)
    backward(R, m, u)
    forward(R, m, v)
    backward(R, m, v)
    top, bottom = 0.0, 0.0
    for a in range(m):
        top += u[a]
        bottom += v[a]
    c = top / bottom
    drift, weight = 0.0, 0.0
    for a in range(m):
        u[a] -= c * v[a]
        drift += u[a]
        weight += 1.0 / diagonal[members[a]]
    for a in range(m):  # the sum stays zero, and the gradient moves as little as possible
        u[a] -= drift / (weight * diagonal[members[a]])
    share, left, bound = 1.0, -1, 0.0
    for a in range(m):
        k = members[a]
        end = hi[k] if u[a] > 0.0 else lo[k]
        if abs(u[a]) * share > abs(end - b[k]):
            share, left, bound = (end - b[k]) / u[a], a, end
    for a in range(m):
        k = members[a]
        u[a] = min(max(share * u[a], lo[k] - b[k]), hi[k] - b[k])
    return left, bound, c


@part
def take_away(rows, members, times, m, g):
    """g -= times[a] K[members[a]], one after the other; four in one pass over g."""
    whole = m - m % 4
    for a in range(0, whole, 4):
        c, d, e, f = times[a], times[a + 1], times[a + 2], times[a + 3]
        p, q = row(rows, members[a]), row(rows, members[a + 1])
        r, s = row(rows, members[a + 2]), row(rows, members[a + 3])
        for j in range(len(g)):
            rest = (g[j] - c * np.float64(p[j])) - d * np.float64(q[j])
            g[j] = (rest - e * np.float64(r[j])) - f * np.float64(s[j])
    for a in range(whole, m):
        c, p = times[a], row(rows, members[a])
        for j in range(len(g)):
            g[j] -= c * np.float64(p[j])


@part
def residual(g, members, m, c):
    """How far the free gradients are from c, which they all have at the optimum of a face."""
    rest = 0.0
    for a in range(m):
        rest = max(rest, abs(g[members[a]] - c))
    return rest


@part
def most_violating(b, g, lo, hi, c, inside):
    """The coordinate outside of the face that would move most eagerly, and its violation."""
    at, worst = 0, 0.0
    for k in range(len(g)):
        if not inside[k]:
            d = max(g[k] - c if b[k] < hi[k] else 0.0, c - g[k] if b[k] > lo[k] else 0.0)
            if d > worst:
                at, worst = k, d
    return at, worst


@part
def join(rows, diagonal, k, members, m, R, inside, w, jitter):
    """Append k to the factor: 1, or 0 if rounding makes that impossible."""
    row_k = row(rows, k)
    for a in range(m):
        w[a] = row_k[members[a]]
    forward(R, m, w)
    square = diagonal[k] * (1.0 + jitter) - dot(w, w, np.int64(0), m)
    if not square > 0.5 * jitter * diagonal[k]:
        return 0
    for a in range(m):
        R[a, m] = w[a]
    R[m, m] = np.sqrt(square)
    members[m] = k
    inside[k] = True
    return 1


@part
def leave(r, members, m, R):
    """Remove the member in place r: its column of the factor, then Givens rotations of rows."""
    for a in range(r, m - 1):
        members[a] = members[a + 1]
    for a in range(m):
        upper = R[a]
        for k in range(max(r, a - 1), m - 1):
            upper[k] = upper[k + 1]
    for a in range(r, m - 1):
        x, z = R[a, a], R[a + 1, a]
        h = np.sqrt(x * x + z * z)
        rotate(R[a], R[a + 1], x / h, z / h, a, m - 1)


@part
def rotate(p, q, c, s, start, stop):
    for k in range(start, stop):
        turned = c * p[k] + s * q[k]
        q[k] = c * q[k] - s * p[k]
        p[k] = turned


@part
def forward(R, m, x):
    """Solve R' x = x in place, R upper triangular."""
    for a in range(m):
        x[a] /= R[a, a]
        t, upper = x[a], R[a]
        for k in range(a + 1, m):
            x[k] -= t * upper[k]


@part
def backward(R, m, x):
    """Solve R x = x in place."""
    for a in range(m - 1, -1, -1):
        x[a] = (x[a] - dot(R[a], x, a + 1, m)) / R[a, a]


@part
def dot(x, z, start, stop):
    """Four sums: one alone would wait for itself."""
    p, q, r, s = 0.0, 0.0, 0.0, 0.0
    whole = start + (stop - start) // 4 * 4
    for k in range(start, whole, 4):
        p += x[k] * z[k]
        q += x[k + 1] * z[k + 1]
        r += x[k + 2] * z[k + 2]
        s += x[k + 3] * z[k + 3]
    for k in range(whole, stop):
        p += x[k] * z[k]
    return (p + q) + (r + s)
