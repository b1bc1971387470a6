"""Slow twins of the compiled kernels of linear learners: plain loops, one sum at a time."""

import math

import numpy as np


def product(A, B):
    """A B, each sum in the order of its index."""
    C = np.zeros((len(A), B.shape[1]))
    for i in range(len(A)):
        for s in range(B.shape[1]):
            for j in range(len(B)):
                C[i, s] += A[i, j] * B[j, s]
    return C


def solved(L, B):
    """The solution of L L' Z = B, column by column."""
    Z = B.copy()
    for s in range(B.shape[1]):
        for i in range(len(L)):
            for j in range(i):
                Z[i, s] -= L[i, j] * Z[j, s]
            Z[i, s] /= L[i, i]
        for i in reversed(range(len(L))):
            for j in range(i + 1, len(L)):
                Z[i, s] -= L[j, i] * Z[j, s]
            Z[i, s] /= L[i, i]
    return Z


def logistic_losses(X, Y, weight, W):
    """The sums of c_i ln(1 + e^-y_i z_i), their gradients, and the second derivatives."""
    n, m = Y.shape
    F, G, D = np.zeros((1, m)), np.zeros_like(W), np.zeros((m, n))
    for s in range(m):
        for i in range(n):
            if Y[i, s] == 0:
                continue
            margin = Y[i, s] * sum(x * w for x, w in zip(X[i], W[:, s], strict=True))
            share = 1 / (1 + math.exp(margin))
            F[0, s] += weight[i] * math.log1p(math.exp(-margin))
            D[s, i] = weight[i] * share * (1 - share)
            for j in range(len(W)):
                G[j, s] -= weight[i] * Y[i, s] * share * X[i, j]
    return F, G, D
