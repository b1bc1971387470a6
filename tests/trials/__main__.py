"""`python -m trials --seconds 60 --splits 5 --out results/reference/try`: a row a table and method.

A third of every table is kept for the test. `try` gets the rest as a CSV in a process of its own,
and `predict` answers the test part; the others are given the same rows in this process, in turn.
Rows that are already in the file are not made again.
"""

import argparse
import csv
import itertools
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import train_test_split

from ecoc_bench.results.summary import wilson

from .peers import PEERS
from .summary import text
from .tables import frames

OURS = {"try": "simple", "try --pick best": "best"}
FIELDS = (
    *("table", "source", "rows", "columns", "classes", "split", "method", "error", "lo", "hi"),
    *("wall_seconds", "processor_seconds", "detail"),
)
PLACE = ("table", "split", "method")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m trials", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--splits", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", help="names of methods")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    path = asked.out / "tables.csv"
    done = set()
    if path.exists():
        done = {tuple(map(row.get, PLACE)) for row in csv.DictReader(path.open())}
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not done:
            writer.writeheader()
        for place in itertools.product(
            range(asked.splits), frames(), asked.only or [*OURS, *PEERS]
        ):
            split, (table, frame), method = place
            if (table.name, str(split), method) not in done:
                writer.writerow(measured(table, frame, split, method, asked.seconds))
                file.flush()
    (asked.out / "tables.txt").write_text(text(path))
    return 0


def measured(table, frame: pd.DataFrame, split: int, method: str, seconds: int) -> dict:
    """One method on one table: its error on the third that it has not seen, or why it has none."""
    train, test = thirds(frame, table.target, split)
    known = {"table": table.name, "source": table.source, "rows": len(frame)}
    known |= {"split": split, "method": method}
    known |= {"columns": frame.shape[1] - 1, "classes": frame[table.target].nunique()}
    wall, processor, detail = time.monotonic(), processor_time(), ""
    try:
        if method in OURS:
            predicted, detail = ours(train, test, table.target, seconds, OURS[method])
        else:
            X, new = train.drop(columns=table.target), test.drop(columns=table.target)
            predicted = PEERS[method](X, train[table.target].astype(str), new, seconds)
    except Exception as error:  # of somebody else's library; the table shows it
        print(f"{table.name}, {method}: {error!r}", flush=True)
        return known | {"detail": f"{type(error).__name__}: {str(error)[:200]}"}
    spent = {"wall_seconds": f"{time.monotonic() - wall:.1f}"}
    spent["processor_seconds"] = f"{processor_time() - processor:.1f}"
    wrong = int(np.sum(np.asarray(predicted, dtype=str) != test[table.target].astype(str)))
    lo, hi = (100 * end for end in wilson(wrong / len(test), len(test)))
    found = {"error": f"{100 * wrong / len(test):.2f}", "lo": f"{lo:.2f}", "hi": f"{hi:.2f}"}
    print(table.name, method, found, spent, detail, flush=True)
    return known | found | spent | {"detail": detail}


def thirds(frame: pd.DataFrame, target: str, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two thirds and a third of each class."""
    labels = frame[target].astype(str)
    rare = labels.map(labels.value_counts()) < 2
    train, test = train_test_split(
        frame[~rare], test_size=1 / 3, stratify=labels[~rare], random_state=seed
    )
    return train.reset_index(drop=True), test.reset_index(drop=True)


def ours(train, test, target: str, seconds: int, pick: str) -> tuple[pd.Series, str]:
    """As a user does it: two commands. The detail: the share of the time, and what was promised."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        train.to_csv(folder / "train.csv", index=False)
        test.drop(columns=target).to_csv(folder / "test.csv", index=False)
        start = time.monotonic()
        answer = command(
            *("try", "train.csv", "--target", target, "--time", f"{seconds}s"),
            *("--out", "tried", "--json", "--pick", pick),
            folder=folder,
        )
        share = (time.monotonic() - start) / seconds
        for file in ("report.html", "model.ecoc"):
            if not (folder / "tried" / file).exists():
                raise FileNotFoundError(file)
        command("predict", "tried/model.ecoc", "test.csv", "--out", "out.csv", folder=folder)
        predicted = pd.read_csv(folder / "out.csv", dtype=str)["predicted"]
    facts = json.loads(answer)
    facts = {"pick": facts["pick"], "share_of_time": round(share, 3), "honest": facts["honest"]}
    return predicted, json.dumps(facts)


def command(*words: str, folder: Path) -> str:
    call = [sys.executable, "-m", "ecoc_bench", *words]
    result = subprocess.run(call, cwd=folder, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{words[0]} ended with {result.returncode}: {result.stderr[-300:]}")
    return result.stdout


def processor_time() -> float:
    """Of this process and of those that it has waited for."""
    import resource

    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)


sys.exit(main())
