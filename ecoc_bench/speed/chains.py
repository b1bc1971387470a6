"""How fast our conditional random field is: against crfsuite, to the same objective, in one run.

Both train on words of noisy letters (`data.words`), 128 pixels of 0 and 1 and a constant input, at
the same C, in turn and several times, in one thread. crfsuite gets the pixels that are 1 and trains
by its L-BFGS until it stops by itself; ours until its bound of the distance from the optimum is
small. Both objectives are reported: the comparison is fair where ours is not higher. The conversion
of the data and compilation are not counted.
"""

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from ..data.words import words
from ..errors import UserError
from ..joint.chains.crf import ConditionalRandomField
from ..results.rows import to_csv

COLUMNS = (
    "who", "repeat", "positions", "chains", "labels", "inputs", "fit_seconds", "cpu_seconds",
    "iterations", "objective",
)  # fmt: skip
OURS, THEIRS = "ecoc-bench", "crfsuite"
WORDS, NOISE, C = 1700, 0.1, 0.1  # about 10,000 letters


class Data(NamedTuple):
    X: np.ndarray
    y: np.ndarray
    sequences: np.ndarray


def run_speed_chains(repeats: int, out: Path | None = None, n_words: int = WORDS) -> str:
    """What `ecoc-bench speed --base chains` prints; the single timings go to the CSV `out`."""
    X, y, _, sequences = words(np.random.default_rng(0), n_words, NOISE)
    data = Data(X, y, sequences)
    size = len(y), int(sequences.max()) + 1, len(np.unique(y)), X.shape[1]
    rows: list[dict[str, Any]] = []
    with threadpool_limits(1):
        ConditionalRandomField(max_iter=10).fit(np.eye(3), [0, 1, 2])  # compiles
        trainer = _trainer(data)
        for repeat in range(repeats):
            for who, fit in ((OURS, lambda: _ours(data)), (THEIRS, lambda: _theirs(trainer))):
                start, cpu = time.perf_counter(), time.process_time()
                found = fit()
                spent = time.perf_counter() - start, time.process_time() - cpu
                rows.append(dict(zip(COLUMNS, (who, repeat, *size, *spent, *found), strict=True)))
    if out is not None:
        out.write_text(to_csv(COLUMNS, rows))
    return render(rows)


def _ours(data: Data) -> tuple[int, float]:
    crf = ConditionalRandomField(C).fit(data.X, data.y, data.sequences)
    return crf.n_iter_, float(crf.objective_)


def _trainer(data: Data):
    try:
        from pycrfsuite import Trainer
    except ImportError:
        raise UserError("crfsuite is not here. Install it: pip install python-crfsuite") from None
    trainer = Trainer(algorithm="lbfgs", verbose=False)
    every = {"feature.possible_states": True, "feature.possible_transitions": True}
    trainer.set_params({"c1": 0.0, "c2": 0.5 / C, **every})
    for chain in range(int(data.sequences.max()) + 1):
        rows = np.flatnonzero(data.sequences == chain)
        inputs = [{"1": 1.0, **{f"x{j}": 1.0 for j in np.flatnonzero(data.X[i])}} for i in rows]
        trainer.append(inputs, data.y[rows].tolist())
    return trainer


def _theirs(trainer) -> tuple[int, float]:
    """crfsuite's objective is ours divided by C."""
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "model"))
    last = trainer.logparser.last_iteration
    return last["num"], C * last["loss"]


def render(rows: list[dict[str, Any]]) -> str:
    """The comparison in a few lines of text."""
    first = rows[0]
    lines = [
        f"{first['positions']} positions in {first['chains']} chains, {first['labels']} labels, "
        f"{first['inputs']} inputs"
    ]
    mine = {who: [row for row in rows if row["who"] == who] for who in (OURS, THEIRS)}
    for who, found in mine.items():
        lines.append(
            f"  {who:10}  {median(row['fit_seconds'] for row in found):6.2f} s, by processor time "
            f"{median(row['cpu_seconds'] for row in found):6.2f} s; {found[0]['iterations']} "
            f"iterations to the objective {found[0]['objective']:.4f}"
        )
    pairs = list(zip(mine[OURS], mine[THEIRS], strict=True))
    ratios = [their["cpu_seconds"] / our["cpu_seconds"] for our, their in pairs]
    low, high = min(ratios), max(ratios)
    lines.append(
        f"  {median(ratios):.1f} times as fast by processor time ({low:.1f} to {high:.1f})"
    )
    return "\n".join(lines)
