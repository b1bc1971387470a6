"""The dual of the SVM with bias: pair steps to a rough solution, then the exact one over faces.

A machine whose bias is inside the kernel is solved here, too: see `kernel_svm`.
"""

from typing import NamedTuple

import numpy as np

from ._parts import entry, part
from ._svm_faces import face_steps, take_away
from ._svm_pairs import pair_steps

ROUGH = 0.1  # violation at which pair steps give way to faces, if nothing else is said
EXACT = 1e-6  # violation that faces are asked for
PATIENCE = 30  # pair steps for each example before faces are tried, and again after each failure
TURNS = 40  # of pair steps and faces: should they undo each other, it must end
FAR = 100.0  # violations so many times larger than rounding can still be lowered
UNIT = 2.0**-53  # the relative error of rounding to float64
ROOM = 2000  # free coordinates for which there is room in a factor


class Solution(NamedTuple):
    """b_j = alpha_j y_j, the bias, the violation of the optimality conditions, and the steps."""

    b: np.ndarray
    bias: float
    violation: float
    pairs: int
    newtons: int


def solve(rows, diagonal, y, lo, hi, tol, max_iter, jitter, rough=ROUGH, exact=EXACT) -> Solution:
    """The optimum, or what is reached after max_iter pair steps: see `_svm_pairs` for the problem.

    y is 0 where lo = hi = 0: such an example is left out. Where rounding alone moves the gradient
    by more than tol and a share of the violation, as with kernel values of 1e15, more steps would
    not settle anything. If pair steps are asked for all of it (rough <= exact), faces are only for
    columns where they fail.
    """
    b, g = np.zeros(len(y)), y.copy()
    pairs, newtons, patience = 0, 0, PATIENCE * len(y) + 1000
    exact = min(exact, tol)
    goal, strict, turn = max(rough, tol), 1.0, 0
    while True:
        turn += 1
        problem = rows, diagonal, y, lo, hi
        most = min(patience, max_iter - pairs)
        room = ROOM if goal > exact or turn > 1 else 0
        steps = take_turn(problem, b, g, strict * goal, most, room, exact, jitter)
        pairs, newtons = pairs + steps[0], newtons + steps[1]
        violation = float(np.max(g[b < hi]) - np.min(g[b > lo]))
        done = violation <= (tol if goal == exact else exact)  # pair steps may find another face
        blurred = rounding(b, diagonal) > max(tol, violation / FAR)
        if done or blurred or pairs >= max_iter or turn == TURNS:
            return Solution(b, bias(b, g, lo, hi), violation, pairs, newtons)
        goal, patience = exact, 2 * patience if goal == exact else patience
        strict *= 0.5 if steps == (0, 0) else 1.0  # float32 chooses, and may see no violation


@entry
def take_turn(problem, b, g, goal, most, room, exact, jitter):
    """Pair steps, and faces if at most `room` are free: how many steps of each. b and g move.

    One entry for both: each would compile the kernels' formulas again.
    """
    rows, diagonal, y, lo, hi = problem
    pairs, newtons, free = pair_steps(rows, diagonal, b, g, lo, hi, goal, most), 0, 0
    refresh(rows, y, b, g)
    for k in range(len(b)):
        free += lo[k] < b[k] < hi[k]
    if 0 < free <= room:
        newtons = face_steps(rows, diagonal, b, g, lo, hi, exact, jitter, min(2 * free + 64, room))
        refresh(rows, y, b, g)
    return pairs, newtons


@part
def refresh(rows, y, b, g):
    """The gradient anew: many steps have left their rounding in it."""
    members, times = np.empty(len(b), np.int64), np.empty(len(b))
    m = np.int64(0)
    for k in range(len(b)):
        g[k] = y[k]
        if b[k] != 0.0:
            members[m], times[m] = k, b[k]
            m += 1
    take_away(rows, members, times, m, g)


def rounding(b, diagonal) -> float:
    """How far the rounding of its terms may move a gradient: |K_jk| <= sqrt(K_jj K_kk)."""
    return float(UNIT * np.sum(np.abs(b) * np.sqrt(diagonal)) * np.sqrt(np.max(diagonal)))


def bias(b, g, lo, hi) -> float:
    """The mean gradient of the free coordinates; without any, the middle of what is allowed."""
    free = (lo < b) & (b < hi)
    if free.any():
        return float(np.mean(g[free]))
    return float(0.5 * (np.max(g[b < hi]) + np.min(g[b > lo])))
