"""The code book of a run: its random codes as CSV files, for reading, reuse and the next start.

Each random code is the best of 10,000 draws, and finding it takes a fraction of a second. With the
book, a run with many random codes starts at once when it is continued.
"""

import os
from pathlib import Path

import numpy as np

from ..coding.codes import check_code
from ..errors import CodeError
from ..files import write_atomically


class CodeBook:
    """Matrices by name in a folder, which may not exist yet."""

    def __init__(self, folder: Path):
        self.folder = folder

    def recall(self, name: str) -> np.ndarray | None:
        """The matrix of that name, or None if it is missing or damaged."""
        path = self.folder / f"{name}.csv"
        if not path.is_file():
            return None
        try:
            return check_code(np.loadtxt(path, delimiter=",", dtype=np.int8, ndmin=2))
        except (ValueError, CodeError):
            return None

    def keep(self, matrices: dict[str, np.ndarray]) -> None:
        """Write the matrices that the folder does not hold yet."""
        present = set(os.listdir(self.folder)) if self.folder.is_dir() else set()
        for name, M in matrices.items():
            if f"{name}.csv" not in present:
                text = "\n".join(",".join(map(str, row)) for row in M.tolist()) + "\n"
                write_atomically(self.folder / f"{name}.csv", text)
