"""What is attacked: a folder with configs, data, a code, a plug-in, and runs of these."""

import shutil
import subprocess
import sys
from pathlib import Path

from ecoc_bench.files import PACKAGE

from .judge import MINE
from .processes import Command

PLAIN = """\
name: plain
title: A config that works
seed: 1
datasets:
  - {name: mine, path: mine.csv, target: kind, nominal: [colour], split: part, rare_classes: error}
  - {name: yours, path: yours.csv, target: kind}
evaluation: {folds: 2, repeats: 1, draws: 1, original_split: true}
learners:
  svm: {kernel: poly, degree: 1, gamma: 1/d, C: 1, inputs: raw}
codes: [ova, {name: book, matrix: book.csv}, {name: dense, columns: 3, tries: 5}]
decoders: [hamming, loss, {name: own, call: "plug:distances"}, {name: bad, call: "plug:fails"}]
"""
RICH = """\
name: rich
seed: 2
datasets: [{name: yours, path: yours.csv, target: kind, noise: [0, 0.1]}]
parts: {train: 2, validation: 1, test: 1}
learners:
  svm: {kernel: linear, sweep: {C: [1, 10]}}
codes: [ova]
decoders: [loss, likelihood]
select:
  tuned: {among: [svm], by: validation}
"""
KEPT = """\
name: kept
seed: 3
keep: rows
datasets:
  - {name: thin, path: thin.svm, dtype: float32}
  - {name: packed, path: packed.parquet, target: kind, drop: [size]}
evaluation: {folds: 2}
learners:
  ridge: {type: least_squares}
codes: [ova, hadamard, {name: trellis, width: 2}]
decoders: [hamming, loss]
measures: [balanced_error]
"""
WHOLE = """\
name: whole
seed: 4
datasets:
  - name: chained
    path: yours.csv
    target: kind
    sequence: size
    costs: {first: [a, b], last: [c]}
evaluation: {folds: 2, repeats: 2, equal_folds: false}
methods:
  crf: {C: 0.05}
  crammer_singer: {kernel: linear}
  boosted: {type: adaboost_mr, rounds: 3}
measures: [sequence_error, mean_cost]
margin_bounds: {rho: [0.1, 1], delta: 0.05}
rounds: true
"""
SETS = """\
name: sets
seed: 5
datasets:
  - {name: songs, path: songs.csv, target: moods, labels: {separator: ";"}}
evaluation: {folds: 2}
learners:
  logistic: {}
codes: [ova]
decoders: [hamming]
methods:
  mh: {type: adaboost_mh, rounds: 3}
"""
PLUG = """\
def distances(M, F):
    return -F @ M.T
def fails(M, F):
    if len(F) == 7:
        raise ValueError("=not these")
    return -F @ M.T
"""
BOOK = "1,1\n-1,1\n0,-1\n"
FOREIGN = ("notes.txt", ".env.template", "results.csv", "store/my.txt", "figures/own.png")
CONFIGS = {
    "plain.yaml": PLAIN,
    "rich.yaml": RICH,
    "kept.yaml": KEPT,
    "whole.yaml": WHOLE,
    "sets.yaml": SETS,
}
DATA = {  # and the configs that read them
    "mine.csv": ("plain",),
    "yours.csv": ("plain", "rich", "whole"),
    "thin.svm": ("kept",),
    "packed.parquet": ("kept",),
    "songs.csv": ("sets",),
}
RUNS = ("plain", "rich", "kept", "whole", "sets", "paper")
EXIT = {
    "plain": 1,
    "rich": 0,
    "kept": 0,
    "whole": 0,
    "sets": 0,
}  # one decoder of the first fails, so that there is a failures.csv


def table(n: int) -> str:
    """A made-up data set of three classes that are not quite apart."""
    rows = [
        f"{(7 * i) % 10 + 3 * (i % 3)},{['red', 'blue', ''][(i * i) % 3]},"
        f"{'test' if i % 4 == 3 else 'train'},{'abc'[i % 3]}"
        for i in range(n)
    ]
    return "\n".join(["x,colour,part,kind", *rows]) + "\n"


def numbered(n: int) -> str:
    """The same with sizes where the parts were."""
    return table(n).replace("part", "size").replace("train", "1").replace("test", "2")


def sparse(n: int) -> str:
    """The same rows in the format of svmlight, with two attributes that are often 0."""
    rows = (f"{i % 3} 1:{(7 * i) % 10 + 3 * (i % 3)} {2 + i % 2}:0.5" for i in range(n))
    return "\n".join(rows) + "\n"


def songs(n: int) -> str:
    """Rows with one or two labels."""
    rows = (f"{(7 * i) % 10},{i % 3},{['a', 'b;c', 'a;c'][i % 3]}" for i in range(n))
    return "\n".join(["x,size,moods", *rows]) + "\n"


def write_parquet(table: Path, path: Path) -> None:
    """In a process of its own: pyarrow starts threads, and this process must have one."""
    code = "import sys, pandas; pandas.read_csv(sys.argv[1]).to_parquet(sys.argv[2])"
    subprocess.run([sys.executable, "-c", code, table, path], check=True)


def make(folder: Path) -> Path:
    """The folder `home` that is copied for every case, with its finished runs."""
    home = folder / "template" / "home"
    home.mkdir(parents=True)
    (folder / "template" / "tmp").mkdir()
    files = {
        **CONFIGS,
        "mine.csv": table(28),
        "yours.csv": numbered(36),
        "thin.svm": sparse(30),
        "songs.csv": songs(30),
        "book.csv": BOOK,
        "plug.py": PLUG,
        **dict.fromkeys(FOREIGN, "somebody's own\n"),
    }
    for name, content in files.items():
        (home / name).parent.mkdir(exist_ok=True)
        (home / name).write_text(content)
    write_parquet(home / "yours.csv", home / "packed.parquet")
    for name, code in EXIT.items():
        end = run(home, name).wait(600)
        if end is None or end.code != code:
            raise RuntimeError(f"the undamaged config {name} fails: {end}")
    _paper(home / "runs" / "paper")
    for name in RUNS:
        _put_foreign_files(home / "runs" / name)
    return home.parent


def run(home: Path, name: str, *options) -> Command:
    call = ["run", f"{name}.yaml", "--out", f"runs/{name}", "--jobs", 1, *options]
    return Command(home, home.parent / "tmp", *call)


def _paper(folder: Path) -> None:
    """A run that is compared with a paper; the committed ones have no store."""
    source = PACKAGE.parent / "results" / "reference" / "allwein_table3"
    folder.mkdir(parents=True)
    for path in source.iterdir():
        if path.is_file():
            shutil.copy(path, folder)


def _put_foreign_files(folder: Path) -> None:
    for name in ("", "tables", "figures", "store", "codes"):
        if (folder / name).is_dir():
            (folder / name / f"{MINE}notes.txt").write_text("somebody's own\n")
            (folder / name / f"{MINE}folder").mkdir()


class Copy:
    """A copy of it, to be spoiled; a run is copied when it is asked for."""

    def __init__(self, template: Path, place: Path):
        self.template, self.tmp, self.home = template, place / "tmp", place / "home"
        shutil.copytree(template, place, symlinks=True, ignore=shutil.ignore_patterns("runs"))

    def run(self, name: str) -> Path:
        shutil.copytree(self.template / "home" / "runs" / name, self.home / "runs" / name)
        return self.home / "runs" / name

    @property
    def good(self) -> Path:
        """A run that is not damaged."""
        return self.template / "home" / "runs" / "plain"
