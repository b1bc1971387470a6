"""The code book of a run: its random codes as CSV files, for reading, reuse and the next start.

Each random code is the best of 10,000 draws, and finding it takes a fraction of a second. With the
book, a run with many random codes starts at once when it is continued. The name
of a file ends in the fingerprint of its matrix, so that a changed entry is noticed.
"""

import os
from pathlib import Path

import numpy as np

from ..coding.codes import check_code
from ..errors import CodeError
from ..files import write_atomically
from ..seeds import digest


def fingerprint(M: np.ndarray) -> str:
    """A code in a few letters, to tell whether it is the same."""
    return digest(M.tolist())[:16]


class CodeBook:
    """Matrices by name in a folder, which may not exist yet; `damaged` are not what was written."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.damaged: list[Path] = []
        names = os.listdir(folder) if folder.is_dir() else []
        self._files = {name.removesuffix(".csv").rpartition(".")[0]: name for name in names}

    def recall(self, name: str) -> np.ndarray | None:
        """The matrix of that name, or None if it is missing or damaged."""
        if name not in self._files:
            return None
        path = self.folder / self._files[name]
        try:
            M = check_code(np.loadtxt(path, delimiter=",", dtype=np.int8, ndmin=2))
        except (OSError, ValueError, CodeError):
            M = None
        if M is None or path.name != _file_name(name, M):
            self.damaged.append(path)
            return None
        return M

    def keep(self, matrices: dict[str, np.ndarray]) -> None:
        """Set damaged files aside, then write the matrices that the folder does not hold yet."""
        for path in self.damaged:
            os.replace(path, path.with_suffix(".damaged"))
        present = set(os.listdir(self.folder)) if self.folder.is_dir() else set()
        for name, M in matrices.items():
            if _file_name(name, M) not in present:
                text = "\n".join(",".join(map(str, row)) for row in M.tolist()) + "\n"
                write_atomically(self.folder / _file_name(name, M), text)


def _file_name(name: str, M: np.ndarray) -> str:
    return f"{name}.{fingerprint(M)}.csv"
