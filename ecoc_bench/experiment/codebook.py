"""The code book of a run: its random codes as CSV files, for reading, reuse and the next start.

Each random code is the best of 10,000 draws, and finding it takes a fraction of a second. With the
book, a run with many random codes starts at once when it is continued. A file holds all draws of a
code for a data set. A line before each matrix names it and gives its fingerprint, so that a changed
entry is noticed.
"""

import os
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..coding.codes import check_code
from ..errors import CodeError
from ..seeds import matrix_digest

DRAWN = re.compile(r"\.\d+\.[0-9a-f]{12}$")  # the end of a name: draw, and what it was drawn from


def fingerprint(M: np.ndarray) -> str:
    """The same for equal matrices only."""
    return matrix_digest(M)[:16]


class CodeBook:
    """Matrices by name in a folder, which may not exist yet; `damaged` are not what was written.

    A name is that of the data set, of the code, the number of the draw and a digest of what it was
    drawn from, with dots between them. The first two give the file.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.damaged: set[Path] = set()
        self._matrices: dict[str, np.ndarray] = {}
        self._altered: set[Path] = set()  # somebody else's files are among them
        for path in sorted(folder.glob("*.csv")):
            found, whole = _read(path)
            self._matrices |= found
            if not whole:
                self._altered.add(path)

    def recall(self, name: str) -> np.ndarray | None:
        """The matrix of that name, or None if it is missing or damaged."""
        self.damaged |= self._altered & {self._path(name)}
        return self._matrices.get(name)

    def keep(self, matrices: dict[str, np.ndarray], write: Callable[[dict], None]) -> None:
        """Set damaged files aside, then write the files that do not hold these matrices yet.

        `write` takes texts by the names of their files, as in `codes/glass.dense.csv`.
        """
        for path in self.damaged:
            os.replace(path, path.with_suffix(".damaged"))
        new = {self._path(name) for name in matrices if name not in self._matrices}
        self._matrices |= matrices
        texts: dict[Path, str] = defaultdict(str)
        for name in sorted(self._matrices, key=_by_draw):
            texts[self._path(name)] += _text(name, self._matrices[name])
        if changed := sorted(self.damaged | new):
            write({f"{self.folder.name}/{path.name}": texts[path] for path in changed})

    def _path(self, name: str) -> Path:
        return self.folder / f"{name.rsplit('.', 2)[0]}.csv"


def _by_draw(name: str) -> tuple[str, int, str]:
    code, draw, of = name.rsplit(".", 2)
    return code, int(draw), of


def _read(path: Path) -> tuple[dict[str, np.ndarray], bool]:
    """The matrices in a file that are as they were written, and whether it holds nothing else."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return {}, False
    parts = [f"# {part}" for part in text.split("# ")[1:]]
    found = {name: M for part in parts for name, M in _parsed(part)}
    ours = {name: M for name, M in found.items() if name.rsplit(".", 2)[0] == path.stem}
    return ours, bool(ours) and "".join(_text(name, M) for name, M in ours.items()) == text


def _text(name: str, M: np.ndarray) -> str:
    rows = "".join(",".join(map(str, row)) + "\n" for row in M.tolist())
    return f"# {name} {fingerprint(M)}\n{rows}"


def _parsed(part: str) -> list[tuple[str, np.ndarray]]:
    """The one matrix of a part of a file and its name; none if the part was altered."""
    head, *rows = part.splitlines()
    name = head.split(" ")[1]
    if not DRAWN.search(name):
        return []
    try:
        M = check_code(np.array([row.split(",") for row in rows], dtype=np.int8))
    except (ValueError, OverflowError, CodeError):
        return []
    return [(name, M)] if _text(name, M) == part else []
