"""Each kind of predictor as nodes of an ONNX graph."""

from collections.abc import Callable

import numpy as np

from ...coding.codes import kind as kind_of_code
from ...coding.decoders import BY_LEARNER, DEFAULTS
from ...errors import ModelError
from ..predictors import Predictor
from ..predictors.code import Code
from ..predictors.kernel import POLY, RBF, Kernel
from ..predictors.linear import Linear
from ..predictors.prior import Prior
from ..predictors.stumps import Stumps
from ..predictors.trees import LEAF, Trees
from ..predictors.vote import Vote
from ..scoring import LEAST
from .onnx_graph import Graph


def written(graph: Graph, predictor: Predictor, X: str) -> str:
    """The outputs of a predictor for the inputs X."""
    if predictor.kind not in WRITERS:
        raise ModelError(
            f"a predictor of kind '{predictor.kind}' has no ONNX operators. Use --to json, or "
            "export a model of another method."
        )
    return WRITERS[predictor.kind](graph, predictor, X)


def _prior(graph: Graph, prior: Prior, X: str) -> str:
    n = graph.add("Shape", X, start=0, end=1)
    shape = graph.add("Concat", n, graph.constant(np.array([prior.n_outputs])), axis=0)
    return graph.add("Expand", graph.constant(prior.log_shares[None]), shape)


def _linear(graph: Graph, linear: Linear, X: str) -> str:
    return graph.plus(graph.product(X, linear.weights), linear.bias)


def _kernel(graph: Graph, kernel: Kernel, X: str) -> str:
    rules: dict[tuple, list[int]] = {}
    for s, rule in enumerate(
        zip(kernel.formula, kernel.gamma, kernel.coef0, kernel.degree, kernel.single, strict=True)
    ):
        rules.setdefault(rule, []).append(s)
    columns = []
    for rule, own in rules.items():
        K = _kernel_matrix(graph, kernel.vectors, X, *rule)
        columns.append(graph.product(K, kernel.coefficients[:, own]))
    order = np.argsort([s for own in rules.values() for s in own])
    F = graph.plus(graph.columns(graph.joined(columns), order), kernel.bias)
    return _two_sided(graph, F) if kernel.both else F


def _kernel_matrix(graph: Graph, V, X: str, formula, gamma, coef0, degree, single) -> str:
    K = graph.product(X, V.T)
    if formula == POLY:
        base = graph.plus(graph.times(K, gamma), np.array([coef0]))
        K = graph.add("Pow", base, graph.constant(np.array([float(degree)])))
    elif formula == RBF:
        squares = graph.add("Mul", X, X)
        lengths = graph.product(squares, np.ones((V.shape[1], 1)))
        twice = graph.times(K, -2.0)
        distance = graph.plus(graph.add("Add", lengths, twice), (V**2).sum(axis=1))
        K = graph.add("Exp", graph.times(graph.add("Relu", distance), -gamma))
    return graph.rounded(K) if single else K


def _two_sided(graph: Graph, f: str) -> str:
    return graph.joined([graph.add("Neg", f), f])


def _trees(graph: Graph, trees: Trees, X: str) -> str:
    X = graph.rounded(X) if trees.single else X
    n_trees, outputs = len(trees.roots), len(trees.base)
    owner = np.repeat(np.arange(n_trees), np.diff(trees.roots, append=len(trees.left)))
    leaves = np.flatnonzero(trees.left == LEAF)
    if trees.gives == "signs":
        signs = np.where(trees.value[leaves, 1] > trees.value[leaves, 0], 1.0, -1.0)
        weights = leaves, owner[leaves], signs
    elif trees.gives == "log_shares":
        values = trees.value[leaves] / n_trees
        weights = (
            np.repeat(leaves, outputs),
            np.tile(np.arange(outputs), len(leaves)),
            values.ravel(),
        )
    else:
        weights = leaves, trees.output[owner[leaves]], trees.value[leaves, 0]
    node = trees.feature, trees.threshold, trees.left, trees.right, trees.missing_left
    F = _ensemble(graph, X, owner, trees.roots, node, weights, outputs, False)
    F = graph.plus(F, np.zeros(outputs) if trees.gives == "signs" else trees.base)
    if trees.gives == "log_shares":
        return graph.add("Log", graph.add("Max", F, graph.constant(np.array([LEAST]))))
    return _two_sided(graph, F) if trees.gives == "two_sided" else F


def _ensemble(graph: Graph, X, owner, roots, node, weights, n_targets, equal) -> str:
    """Sums of the weights of the leaves, which come out in single precision.

    `equal`: which nodes test for equality; the others for at most the threshold.
    """
    from onnx import numpy_helper

    feature, threshold, left, right, missing = node
    inner = left != LEAF
    start = roots[owner]
    leaf, target, weight = weights
    modes = np.where(inner, np.where(equal, "BRANCH_EQ", "BRANCH_LEQ"), "LEAF")
    F = graph.add(
        "TreeEnsembleRegressor", X, domain="ai.onnx.ml", n_targets=int(n_targets),
        nodes_treeids=owner.tolist(),
        nodes_nodeids=(np.arange(len(left)) - start).tolist(),
        nodes_featureids=np.where(inner, feature, 0).tolist(),
        nodes_modes=modes.tolist(),
        nodes_values_as_tensor=numpy_helper.from_array(np.asarray(threshold, dtype=np.float64)),
        nodes_truenodeids=np.where(inner, left - start, 0).tolist(),
        nodes_falsenodeids=np.where(inner, right - start, 0).tolist(),
        nodes_missing_value_tracks_true=np.asarray(missing, dtype=int).tolist(),
        target_treeids=owner[leaf].tolist(),
        target_nodeids=(leaf - start[leaf]).tolist(),
        target_ids=np.asarray(target, dtype=int).tolist(),
        target_weights_as_tensor=numpy_helper.from_array(np.asarray(weight, dtype=np.float64)),
    )  # fmt: skip
    return graph.as_double(F)


def _stumps(graph: Graph, stumps: Stumps, X: str) -> str:
    """Each test is a tree of three nodes; with a test for each column it has one target."""
    rounds, tests = stumps.features.shape
    ell, n = stumps.n_outputs, rounds * tests
    owner, roots = np.repeat(np.arange(n), 3), 3 * np.arange(n)
    feature, threshold = (np.repeat(a.ravel(), 3) for a in (stumps.features, stumps.cuts))
    root = np.arange(3 * n) % 3 == 0
    left, right = (np.where(root, np.arange(3 * n) + side, LEAF) for side in (1, 2))
    node = feature, np.where(root, threshold, 0.0), left, right, np.zeros(3 * n, dtype=bool)
    leaves = np.flatnonzero(~root)
    per_test = ell if tests == 1 else 1
    # answers[t, side, s] by test, then side, then target
    answers = stumps.answers if tests == 1 else stumps.answers.transpose(0, 2, 1)
    targets = np.arange(ell) if tests == 1 else np.repeat(np.tile(np.arange(ell), rounds), 2)
    if tests == 1:
        targets = np.tile(targets, len(leaves))
    weights = np.repeat(leaves, per_test), targets, answers.ravel()
    return _ensemble(graph, X, owner, roots, node, weights, ell, stumps.nominal[feature])


def _vote(graph: Graph, vote: Vote, X: str) -> str:
    """A hypothesis is -1 or +1, so that any loss of it is a linear function of it."""
    from ...joint.loop import DECODERS

    H = written(graph, vote.rounds, X)
    L = DECODERS[vote.decoder]
    agree, differ = np.array([L([alpha, -alpha]) for alpha in vote.alphas]).T
    D = graph.plus(
        graph.product(H, (vote.M * (agree - differ) / 2).T),
        np.full(len(vote.M), ((agree + differ) / 2).sum()),
    )
    return _from_distances(graph, D, len(vote.M))


def _from_distances(graph: Graph, D: str, k: int) -> str:
    """Scores: minus the distances, and of two classes -f and +f."""
    if k > 2:
        return graph.add("Neg", D)
    return graph.product(D, np.array([[-1.0, 1.0], [1.0, -1.0]]))


def _code(graph: Graph, code: Code, X: str) -> str:
    name = code.decoder
    if name == "auto":
        name = DEFAULTS[kind_of_code(code.M)]
    if name in BY_LEARNER:
        name = code.loss
    if name not in DISTANCES:
        raise ModelError(f"the decoder '{name}' has no ONNX operators. Use --to json.")
    F = graph.columns(written(graph, code.columns, X), code.index)
    F = graph.times(F, code.sign)
    return _from_distances(graph, DISTANCES[name](graph, F, code.M.astype(float)), len(code.M))


def _by_loss(L: Callable[[Graph, str], str], at_zero: float):
    """Eq. 5 with a loss: of z where M is 1, of -z where it is -1, of 0 where it is 0."""

    def distances(graph: Graph, F: str, M: np.ndarray) -> str:
        same = graph.product(L(graph, F), (M == 1).T)
        other = graph.product(L(graph, graph.add("Neg", F)), (M == -1).T)
        return graph.plus(graph.add("Add", same, other), at_zero * (M == 0).sum(axis=1))

    return distances


def _hinge(graph: Graph, z: str) -> str:
    return graph.add("Relu", graph.plus(graph.add("Neg", z), np.array([1.0])))


def _squared_hinge(graph: Graph, z: str) -> str:
    h = _hinge(graph, z)
    return graph.add("Mul", h, h)


def _logistic(graph: Graph, z: str) -> str:
    """log(1 + e^-2z) without overflow: (-2z)_+ + log(1 + e^-|2z|)."""
    twice = graph.times(z, -2.0)
    small = graph.add("Exp", graph.add("Neg", graph.add("Abs", twice)))
    rest = graph.add("Log", graph.plus(small, np.array([1.0])))
    return graph.add("Add", graph.add("Relu", twice), rest)


def _hamming(graph: Graph, F: str, M: np.ndarray) -> str:
    return graph.plus(graph.product(graph.add("Sign", F), -M.T / 2), np.array([M.shape[1] / 2]))


def _square(graph: Graph, F: str, M: np.ndarray) -> str:
    squares = graph.product(graph.add("Mul", F, F), -(M == 0).T.astype(float))
    return graph.plus(graph.add("Add", graph.product(F, -2 * M.T), squares), np.array([M.shape[1]]))


def _exponential(graph: Graph, F: str, M: np.ndarray) -> str:
    """The logarithm of the sums; one margin of the row is taken out, so that none overflows."""
    largest = graph.add("ReduceMax", graph.add("Abs", F), axes=[1], keepdims=1)
    up, down = (graph.add("Exp", graph.add("Sub", z, largest)) for z in (graph.add("Neg", F), F))
    zeros = graph.add("Exp", graph.add("Neg", largest))
    sums = graph.add("Add", graph.product(up, (M == 1).T), graph.product(down, (M == -1).T))
    sums = graph.add("Add", sums, graph.product(zeros, (M == 0).sum(axis=1)[None]))
    return graph.add("Add", graph.add("Log", sums), largest)


def _majority(graph: Graph, F: str, M: np.ndarray) -> str:
    votes = graph.product(graph.add("Sign", F), M.T / 2)
    sums = graph.product(F, M.T)
    scale = graph.times(graph.plus(graph.add("Abs", sums), np.array([1.0])), 3.0)
    score = graph.add("Add", votes, graph.add("Div", sums, scale))
    return graph.plus(graph.add("Neg", score), np.array([-(len(M) - 1) / 2]))


DISTANCES: dict[str, Callable[[Graph, str, np.ndarray], str]] = {
    "hamming": _hamming,
    "hinge": _by_loss(_hinge, 1.0),
    "squared_hinge": _by_loss(_squared_hinge, 1.0),
    "logistic": _by_loss(_logistic, float(np.log(2.0))),
    "linear": lambda graph, F, M: graph.product(F, -M.T),
    "square": _square,
    "exponential": _exponential,
    "majority": _majority,
}
WRITERS: dict[str, Callable[..., str]] = {
    "prior": _prior,
    "linear": _linear,
    "kernel": _kernel,
    "trees": _trees,
    "stumps": _stumps,
    "vote": _vote,
    "code": _code,
}
