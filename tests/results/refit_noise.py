"""How far single fits of a fixed code move with the seed: a table in results/README.md.

ecoc-bench run noise                                             # 5 minutes of fits
PYTHONPATH=. python tests/results/refit_noise.py results/noise   # prints the table
"""

import sys
from collections import defaultdict
from pathlib import Path

from ecoc_bench.results.check.noise import REPEAT, refit, spread
from ecoc_bench.results.check.pairs import pair_up
from ecoc_bench.results.check.read import read_side


def variances(run):
    """{(learner, data set): (seen over the repeats, assumed)}, in units of p(1 - p) / n; the
    decoder that varies most."""
    side, found = read_side(Path(run)), defaultdict(list)
    for key in side.entries:
        pair = pair_up(key, side, side)
        p, n = pair.errors[0], pair.n_test
        seen = n * spread(pair, REPEAT).variance / (p * (1 - p))
        found[key.learner, key.dataset].append((seen, n * refit(pair)))
    return {place: max(values) for place, values in found.items()}


def table(found):
    datasets = list(dict.fromkeys(dataset for _, dataset in found))
    lines = [["learner", *datasets], ["---"] * (1 + len(datasets))]
    for learner in dict.fromkeys(learner for learner, _ in found):
        cells = ["{:.1f} of {:.1f}".format(*found[learner, dataset]) for dataset in datasets]
        lines.append([learner, *cells])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    print(table(variances(sys.argv[1])), end="")
