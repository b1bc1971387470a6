"""Malformed tables of strangers, given to `try` and `predict`, and spoiled calls of these."""

import random
from pathlib import Path
from typing import ClassVar

from . import fixtures
from .fixtures import Copy
from .inputs import Case, Inputs, Kinds, spoiled_line
from .mutators import CSV, spoil
from .processes import Command

MADE = ("tried", "try", "predicted", "model.")  # how what the commands may make begins
MODEL = "model.ecoc"
COMMANDS = [
    "try mine.csv --target kind --dry-run --drop part --seed 3",
    "try yours.csv --target kind --time 5s --only prior --jobs 1 --out tried --no-report",
    "try yours.csv --target kind --dry-run --group size --metric macro_f1 --pick best --json",
    "try mine.csv --target kind --dry-run --test new.csv --time 1m --add plain.yaml",
    f"predict {MODEL} new.csv --out predicted.csv --proba --abstain 0.9 --unseen missing",
    f"predict {MODEL} new.csv --drift", f"predict {MODEL} yours.csv --unseen error",
    f"export {MODEL} --to json --out predicted.json",
]  # fmt: skip
OPTIONS = [
    "--target", "--time", "--metric", "--pick", "--group", "--test", "--drop", "--only", "--add",
    "--nested", "--jobs", "--seed", "--out", "--dry-run", "--json", "--proba", "--abstain",
    "--unseen", "--drift", "--to", "-x", "--",
]  # fmt: skip


def _spoiled(draw: random.Random, at: Copy, name: str) -> str:
    content, how = spoil(draw, (at.home / name).read_bytes(), CSV)
    (at.home / name).write_bytes(content)
    return f"{name}: {how}"


def _tried(draw: random.Random, at: Copy) -> Case:
    """A table that is looked at, and now and then fitted."""
    name = draw.choice(["mine.csv", "yours.csv", "packed.parquet"])
    fitted = ["--time", "5s", "--only", "prior", "--jobs", "1", "--out", "tried", "--no-report"]
    how = ["--dry-run"] if draw.random() < 0.9 else fitted
    more = draw.choice([[], [], ["--group", "colour"], ["--drop", "x"], ["--test", "new.csv"]])
    return Case(_spoiled(draw, at, name), ["try", name, "--target", "kind", *how, *more], (), MADE)


def _predicted(draw: random.Random, at: Copy) -> Case:
    """New rows for a model."""
    out = draw.choice([[], ["--out", "predicted.csv"]])
    options = [["--proba"], ["--abstain", "0.8"], ["--unseen", "error"], ["--drift"]]
    more = [word for option in options if draw.random() < 0.3 for word in option]
    name = draw.choice(["new.csv", "new.csv", "new.parquet"])
    return Case(_spoiled(draw, at, name), ["predict", MODEL, name, *out, *more], (), MADE)


def _command_line(draw: random.Random, at: Copy) -> Case:
    argv = spoiled_line(draw, draw.choice(COMMANDS), OPTIONS)
    if argv[:1] == ["try"] and "--dry-run" not in argv:
        argv += ["--time", "5s"]  # a sound call would take its minutes
    return Case(" ".join(argv)[:200], argv, (), ("",))


class Tables(Inputs):
    """The malformed tables of a seed; there is a model of the undamaged one."""

    kinds: ClassVar[Kinds] = {
        "table to try": (_tried, 45),
        "rows to predict": (_predicted, 40),
        "command line": (_command_line, 15),
    }

    def __init__(self, folder: Path, seed: int):
        super().__init__(folder, seed)
        home = self.template / "home"
        call = ["try", "yours.csv", "--target", "kind", "--time", "1m", "--only", "linear_ova"]
        end = Command(home, self.template / "tmp", *call, "--out", "tried", "--no-report").wait(300)
        if end is None or end.code:
            raise RuntimeError(f"the undamaged table cannot be tried: {end}")
        (home / "tried" / MODEL).replace(home / MODEL)
        (home / "new.csv").write_text(fixtures.numbered(30))
        fixtures.write_parquet(home / "new.csv", home / "new.parquet")
