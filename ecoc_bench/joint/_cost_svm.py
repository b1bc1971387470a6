"""The duals of Eqs. 9.22 and 9.23 of Mohri et al. for k classes, solved one example at a time.

Both problems are

    min 1/2 sum_r |w_r|^2 + C sum_i xi_i,
    w_{y_i}.Phi(x_i) - w_r.Phi(x_i) >= delta[i, r] - xi_i/rho[i, r]  wherever rho[i, r] > 0,

with delta = L(y_i, r) and rho = 1 (margin rescaling, Eq. 9.22) or delta = 1 and rho = L(y_i, r)
(slack rescaling, Eq. 9.23). Their dual is the maximum over b >= 0 of

    sum_ir b[i, r] delta[i, r] - 1/2 sum_r |w_r|^2,  sum_r b[i, r]/rho[i, r] <= C,
    w_r = sum_i (1[r = y_i] sum_q b[i, q] - b[i, r]) Phi(x_i).

With h[i, r] = delta[i, r] - w_{y_i}.Phi(x_i) + w_r.Phi(x_i), the duality gap is the sum over the
examples of C xi_i - sum_r b[i, r] h[i, r], none of which is below 0: the example of the largest
part is solved next. rho[i, y_i] = 0 leaves the true class out.
"""

import numpy as np

from ..learners._parts import entry, part

HALVINGS = 200  # of the price of a full example; it ends when no number is left between the ends


@part
def fill(c, rho, A, price, b):
    """b <- argmax sum_r (c_r - price/rho_r) b_r - A/2 (|b|^2 + (sum b)^2), b >= 0; A > 0.

    b_r = max(0, d_r - t)/A with d_r = c_r - price/rho_r, and t = A sum b follows from the sum over
    the highest d_r. Returns sum_r b_r/rho_r.
    """
    d = np.full(len(c), -np.inf)
    for r in range(len(c)):
        if rho[r] > 0:
            d[r] = c[r] - price / rho[r]
    t, total = 0.0, 0.0
    for n, value in enumerate(np.sort(d)[::-1]):
        if value <= t:
            break
        total += value
        t = total / (n + 2)
    used = 0.0
    for r in range(len(c)):
        b[r] = max(0.0, d[r] - t) / A
        if b[r] > 0:
            used += b[r] / rho[r]
    return used


@part
def solve_example(c, rho, A, C, b):
    """b <- argmax sum_r c_r b_r - A/2 (|b|^2 + (sum b)^2), b >= 0, sum_r b_r/rho_r <= C.

    The price of the last constraint is found by halving: what is used falls with it.
    """
    if A <= 0:  # K(x, x) = 0, and the objective is linear: all goes to the dearest class
        b[:] = 0.0
        r = np.argmax(rho * c)
        if rho[r] * c[r] > 0:
            b[r] = C * rho[r]
        return
    if fill(c, rho, A, 0.0, b) <= C:
        return
    low, high = 0.0, max(0.0, (rho * c).max())
    for _ in range(HALVINGS):
        price = (low + high) / 2
        if not low < price < high:
            break
        if fill(c, rho, A, price, b) > C:
            low = price
        else:
            high = price
    fill(c, rho, A, high, b)


@entry
def gaps(scores, y, b, delta, rho, C, out):
    """out <- the parts of the duality gap; returns sum xi. Arrays are examples x classes."""
    slack = 0.0
    for i in range(len(y)):
        xi, own = 0.0, 0.0
        for r in range(scores.shape[1]):
            h = delta[i, r] - scores[i, y[i]] + scores[i, r]
            xi = max(xi, rho[i, r] * h)
            own += b[i, r] * h
        slack += xi
        out[i] = C * xi - own
    return slack


@entry
def solve(K, y, delta, rho, C, tol, max_steps):
    """b and the number of steps, at a duality gap of tol times the primal value, or max_steps."""
    m, k = delta.shape
    b, scores = np.zeros((m, k)), np.zeros((m, k))
    part, new, c = np.empty(m), np.empty(k), np.empty(k)
    for step in range(max_steps):
        slack, square = gaps(scores, y, b, delta, rho, C, part), 0.0
        for i in range(m):
            for r in range(k):
                square += b[i, r] * (scores[i, y[i]] - scores[i, r])
        if part.sum() <= tol * (square / 2 + C * slack):
            return b, step
        i = int(np.argmax(part))
        total = b[i].sum()
        for r in range(k):  # h without the example's own part of the scores
            h = delta[i, r] - scores[i, y[i]] + scores[i, r]
            c[r] = h + K[i, i] * (total + b[i, r])
        solve_example(c, rho[i], K[i, i], C, new)
        for r in range(k):
            change = new[r] - b[i, r]
            if change != 0:
                b[i, r] = new[r]
                for j in range(m):
                    scores[j, r] -= change * K[i, j]
                    scores[j, y[i]] += change * K[i, j]
    return b, max_steps
