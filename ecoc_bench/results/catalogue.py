"""What a run's folder may hold: every file, its columns, and when it is written.

The writer, the reader, `--fresh`, `clean` and the table in results/README.md all use this list.
"""

from typing import NamedTuple

from .failures import FAILURE_COLUMNS

MARKER, LOCK = ".ecoc-bench", ".lock"
JOINT = "joint"  # the learner and the decoder in the rows of a method, which has no code

CELL = ("dataset", "learner", "code", "draw", "repeat", "fold")
AT_STAGE = ("dataset", "learner", "code", "draw", "stage", "repeat", "fold")
DECODED = ("dataset", "learner", "code", "draw", "stage", "decoder", "repeat", "fold")
NAMES = ("dataset", "learner", "code", "decoder")
# Columns of text; all others hold numbers.
TEXTS = frozenset(
    (*NAMES, "feature", "examples", "mistakes", "loss", "used_loss", "column",
     "chosen", "how", "measure", "void", *FAILURE_COLUMNS)
) - {"draw", "repeat", "fold"}  # fmt: skip
RESULT_COLUMNS = (
    *DECODED,
    "n_classes", "n_columns", "rho", "n_train", "n_test", "errors", "error_rate", "ties",
    "train_error_rate", "binary_error_rate", "train_binary_loss", "unconverged",
)  # fmt: skip
BOUNDS = (
    "loss", "loss_error", "theorem1", "theorem1_q", "hamming_error", "equation10", "equation10_q",
    "equation11", "q", "used_loss", "used_error", "eta",
    *(f"margin_{percent}" for percent in range(0, 101, 5)),
)  # fmt: skip
SECTION5 = ("theta", "theta_share", "theorem6", "equation24", "theorem3")
ROUNDS = (
    "round", "round_error", "step", "train_error", "bound", "cost",
    "margin_min", "margin_median", "margin_mean", "oob_error",
)  # fmt: skip
CALIBRATION = (
    "how", "n_test", "log_loss", "brier", "calibration_error",
    *(f"{name}_{b}" for name in ("count", "confidence", "right") for b in range(10)),
)  # fmt: skip
MARGIN_BOUNDS = (
    "n_classes", "n_train", "n_test", "errors", "delta", "norm", "radius", "mean_radius", "rho",
    "margin_loss", "confidence", "theorem92", "corollary94", "void",
)  # fmt: skip


ALWAYS = "always"


class RunFile(NamedTuple):
    """A file of a run: what it holds and when it is written; its columns if it is a CSV.

    Runs of earlier versions lack the columns in `added`, which are read as empty there.
    """

    holds: str
    when: str = ALWAYS
    columns: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


FILES: dict[str, RunFile] = {
    "manifest.json": RunFile("what the run was made of, enough to repeat it"),
    "results.csv": RunFile("one row per cell, stage and decoder", columns=RESULT_COLUMNS),
    "mistakes.csv": RunFile(
        "which test examples each cell got wrong at its last stage",
        columns=(*DECODED, "examples", "mistakes"),
    ),
    "bounds.csv": RunFile(
        "the bounds of Allwein et al., Section 4, and the margins of Section 5 with theirs",
        columns=(*AT_STAGE, *BOUNDS, *SECTION5),
        added=SECTION5,
    ),
    "costs.csv": RunFile("seconds of all the fits of each cell", columns=(*CELL, "seconds")),
    "timings.csv": RunFile(
        "seconds of each fitted column",
        columns=("dataset", "learner", "repeat", "fold", "column", "seconds"),
    ),
    "validation.csv": RunFile(
        "errors on the validation part",
        "with `parts: {validation: ...}`",
        (*DECODED, "n_validation", "errors", "error_rate"),
    ),
    "criteria.csv": RunFile(
        "errors by inner folds and leave-one-out bounds",
        "with likelihood decoding, or a choice by cv or loo_bound",
        (*DECODED, "cv", "loo_bound"),
    ),
    "selected.csv": RunFile(
        "the rows of what each choice came to",
        "with `select:`",
        (*RESULT_COLUMNS, "chosen", "criterion"),
    ),
    "calibration.csv": RunFile(
        "how far the class probabilities can be trusted",
        "with likelihood decoding",
        (*AT_STAGE, *CALIBRATION),
    ),
    "measures.csv": RunFile(
        "further measures of the test labels: a row per cell, decoder and measure, last stage",
        "with `measures:` or label sets",
        (*DECODED, "measure", "value"),
    ),
    "margin_bounds.csv": RunFile(
        "margin losses and the bounds of Mohri et al., Theorem 9.2 and Corollary 9.4",
        "with `margin_bounds:`",
        (*AT_STAGE, *MARGIN_BOUNDS),
    ),
    "rounds.csv": RunFile(
        "what boosting and bagging tell of their training, round by round",
        "with `rounds: true`",
        (*CELL, *ROUNDS),
    ),
    "importance.csv": RunFile(
        "how much each attribute counts",
        "by `ecoc-bench importance`",
        (*CELL, "decoder", "feature", "error_rate", "permuted_error", "increase", "split_gain"),
    ),
    "failures.csv": RunFile(
        "a reason for everything that has no row", "when something failed", FAILURE_COLUMNS
    ),
    "report.html": RunFile("all of it on one page", "unless `--no-report`"),
    MARKER: RunFile("the marker of a run's folder, with checksums of the files above"),
    LOCK: RunFile("keeps a second run out while one uses the folder"),
}
FOLDERS: dict[str, RunFile] = {
    "tables": RunFile("leaderboard, tables and claims as text, Markdown, LaTeX and CSV"),
    "figures": RunFile("pictures as SVG and PNG", "unless `--no-report`"),
    "codes": RunFile("the random matrices that were drawn", "with random codes"),
    "store": RunFile("the margins of every fit: a new decoder refits nothing"),
}
