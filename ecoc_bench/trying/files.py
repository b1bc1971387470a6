"""The files of a trial: leaderboard, predictions, model, card and config, in a folder of ours."""

import contextlib
import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..errors import UserError
from ..results.catalogue import MARKER
from ..results.ownership import Ownership, claim, is_run, remove_file
from .answer import Answer
from .metrics import METRICS
from .words import board_rows, leaderboard, number, optimism, span, verdict

BOARD, PREDICTIONS, MODEL = "leaderboard.csv", "predictions.csv", "model.ecoc"
CARD, CONFIG, PAGE = "MODEL_CARD.md", "try.yaml", "report.html"
MOST_CELLS = 3_000_000  # of probabilities; above, only that of the predicted class is written


@contextlib.contextmanager
def claimed(folder: Path) -> Iterator[Ownership]:
    """The folder, if it is new, empty, or of an earlier trial; a new one goes again on an error."""
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        yield _claimed(folder)
    except BaseException:
        if made and {path.name for path in folder.glob("*")} <= {MARKER}:
            remove_file(folder, MARKER)
            for path in made:
                with contextlib.suppress(OSError):  # somebody else uses it by now
                    path.rmdir()
        raise


def _claimed(folder: Path) -> Ownership:
    if is_run(folder) and any((folder / name).exists() for name in ("manifest.json", "store")):
        raise UserError(
            f"{folder}: the folder of a run, not of a trial. Nothing was written. Choose a new "
            "folder with --out."
        )
    return claim(folder)


def write_files(owned: Ownership, answer: Answer, model: bytes) -> None:
    """Everything but the page; what an earlier trial left and this one has not is removed."""
    contents: dict[str, str | bytes] = {
        MODEL: model,
        BOARD: board_csv(answer),
        PREDICTIONS: predictions_csv(answer),
        CARD: model_card(answer),
    }
    if answer.config:
        contents[CONFIG] = answer.config
    for name in {CONFIG, PAGE} - set(contents):
        owned.remove(name)
    owned.write(contents)


def board_csv(answer: Answer) -> str:
    """The candidates, the best first."""
    rows = board_rows(answer)
    return _csv([list(rows[0]), *(_texts(row.values()) for row in rows)])


def _texts(values) -> list[str]:
    return [
        "" if v is None else str(v).lower() if isinstance(v, bool)
        else f"{v:.6g}" if isinstance(v, float) else str(v)
        for v in values
    ]  # fmt: skip


def predictions_csv(answer: Answer) -> str:
    """The pick's held-out predictions: line, repeat, fold, true, predicted, probabilities."""
    P = answer.entry(answer.pick).probabilities
    assert P is not None
    classes, every = answer.look.classes, P.size <= MOST_CELLS
    names = [f"p_{name}" for name in classes] if every else ["p_predicted"]
    rows = [[answer.look.unit, "repeat", "fold", "true", "predicted", *names]]
    for r, fold in enumerate(answer.folds):
        tested = np.flatnonzero(fold >= 0)
        guess = P[r, tested].argmax(axis=1)
        shown = P[r, tested] if every else P[r, tested, guess][:, None]
        for i, row in enumerate(tested.tolist()):
            rows.append(
                [str(answer.lines[row]), str(r + 1), str(fold[row] + 1), classes[answer.y[row]],
                 classes[guess[i]], *(f"{p:.4g}" for p in shown[i].tolist())]
            )  # fmt: skip
    return _csv(rows)


def _csv(rows) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


CARD_TEXT = """\
# Model card: {target} of {source}

{verdict}
{optimism}
{why}

- Method: {title} (`{name}`), fitted on all {rows} rows.
- Predicts: `{target}`, {k} classes: {classes}.
- From: {d} columns: {columns}.
- Held-out scores, mean over the repeats: {scores}.
- Probabilities: softmax of its scores times one temperature, fitted on held-out scores.

## How it was chosen

Candidates were compared on {folds} test folds (repeats x folds, stratified); preprocessing was
fitted inside each training part. {comparison}

```
{board}
```

## What to mind

{remarks}
- The number above is for new rows drawn as these were. Another time, place or source is another
  question: `ecoc-bench predict model.ecoc new.csv --drift` compares the columns.
- Rows without a label, and columns that are left out, are named above.

## Use

```
ecoc-bench predict model.ecoc new.csv --out predicted.csv --proba
```

In Python: `ecoc_bench.load("model.ecoc").predict(frame)`, a scikit-learn classifier. The file holds
JSON and arrays, no code.

## Made by

{provenance}
"""


def model_card(answer: Answer) -> str:
    """What the model is, how good, from what, and what to mind."""
    entry, look = answer.entry(answer.pick), answer.look
    scores = ", ".join(f"{METRICS[m].title} {number(m, entry.scores[m])}" for m in METRICS)
    facts = answer.provenance
    return CARD_TEXT.format(
        target=look.target,
        source=Path(look.source).name,
        verdict=verdict(answer),
        optimism=optimism(answer),
        why=answer.why,
        title=entry.title,
        name=entry.name,
        rows=facts.get("rows fitted", ""),
        k=len(look.classes),
        classes=_listed(look.classes),
        d=len(look.columns),
        columns=_listed(look.columns),
        scores=f"{scores}; 95% interval of the {METRICS[answer.metric].title} "
        + span(answer.metric, *entry.interval),
        folds=facts.get("folds", ""),
        comparison=" ".join(answer.comparison),
        board=leaderboard(answer),
        remarks="\n".join(f"- {remark[0].upper()}{remark[1:]}." for remark in look.remarks)
        or "- Nothing about the table stood out.",
        provenance="\n".join(f"- {key}: {value}" for key, value in facts.items() if value),
    )


def _listed(names, most: int = 20) -> str:
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"
