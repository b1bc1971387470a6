"""Which folders and files are ours: the marker of a run's folder lists what we wrote there.

Nothing is written into a folder of somebody else, and nothing is removed that we did not write.
What we read back is compared with the checksum that we noted when we wrote it.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from ..errors import UserError
from ..files import parse_json, write_atomically
from .catalogue import FILES, LOCK, MARKER

FORMAT = 1
HARMLESS = (MARKER, LOCK, ".gitkeep", ".gitignore", ".DS_Store")  # in a folder that is empty


class Ownership:
    """The files that runs have written into a folder, each with its last two checksums.

    Two, because a process may be killed between the note and the file.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self._sums = _noted(folder / MARKER)

    def __contains__(self, name: str) -> bool:
        return name in self._sums

    def write(self, contents: Mapping[str, str | bytes]) -> None:
        """Note and write files by their names in the folder, each whole or not at all."""
        raw = {n: c.encode() if isinstance(c, str) else c for n, c in contents.items()}
        self._reread()
        sums = {name: hashlib.sha256(content).hexdigest() for name, content in raw.items()}
        last = {name: self._sums.get(name, [])[-1:] for name in sums}
        changed = {n: [*last[n], sha256] for n, sha256 in sums.items() if last[n] != [sha256]}
        if changed:
            self._sums |= changed
            self._save()
        for name, content in raw.items():
            write_atomically(self.folder / name, content)

    def adopt(self, names: Iterable[str]) -> None:
        """Note files that an older version wrote without noting them."""
        self._reread()
        for name in names:
            self._sums[name] = [hashlib.sha256((self.folder / name).read_bytes()).hexdigest()]
        self._save()

    def remove(self, name: str) -> int:
        """Remove a file that we wrote, never through a symbolic link; return the bytes freed."""
        self._reread()
        freed = remove_file(self.folder, name) if name in self else 0
        if self._sums.pop(name, None):
            self._save()
        return freed

    def remove_all(self) -> int:
        """Remove every file that we wrote; return the bytes freed."""
        self._reread()
        names, self._sums = list(self._sums), {}
        freed = sum(remove_file(self.folder, name) for name in names)
        self._save()
        return freed

    def is_damaged(self, name: str, content: bytes) -> bool:
        """Whether a file is not what we noted when we wrote it; False where nothing was noted."""
        noted = self._sums.get(name, [])
        return bool(noted) and hashlib.sha256(content).hexdigest() not in noted

    def _reread(self) -> None:
        """Take in what others noted since: a page may be written while a run goes on."""
        self._sums = _noted(self.folder / MARKER)

    def _save(self) -> None:
        content = {"ecoc_bench_run": FORMAT, "files": self._sums}
        write_atomically(self.folder / MARKER, json.dumps(content, indent=1) + "\n")


def claim(folder: Path) -> Ownership:
    """The folder as ours: a new or empty one is marked, one of somebody else is refused."""
    refuse_foreign(folder)
    owned = Ownership(folder)
    if not (folder / MARKER).is_file():
        written = [name for name in FILES if name not in HARMLESS]
        owned.adopt([name for name in written if (folder / name).is_file()])
    return owned


def refuse_foreign(folder: Path) -> None:
    """A UserError for a folder that is not empty and not a run's."""
    entries = folder.iterdir() if folder.is_dir() else ()
    others = [path.name for path in entries if path.name not in HARMLESS]
    if others and not is_run(folder):
        raise UserError(
            f"{folder}: not the folder of a run, and not empty (it holds {min(others)}). "
            "Nothing was written. Choose a new folder with --out."
        )


def is_run(folder: Path) -> bool:
    """Whether a folder is a run's: by our marker or, for older runs, by our manifest."""
    if (folder / MARKER).is_file():
        return True
    try:
        facts = parse_json((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    kinds = {"ecoc_bench": str, "config": dict, "codes": dict, "data": dict}
    return isinstance(facts, dict) and all(isinstance(facts.get(k), t) for k, t in kinds.items())


def remove_file(folder: Path, name: str) -> int:
    """Remove one file under a folder, but not through a symbolic link; return the bytes freed."""
    path = folder / name
    parents = [folder / Path(*Path(name).parts[:i]) for i in range(1, len(Path(name).parts))]
    if any(parent.is_symlink() for parent in parents) or not (path.is_file() or path.is_symlink()):
        return 0
    freed = path.lstat().st_size
    path.unlink()
    return freed


def _noted(marker: Path) -> dict[str, list[str]]:
    """The checksums in a marker; none if it is missing or damaged."""
    try:
        content = parse_json(marker.read_text(encoding="utf-8"))
        version, files = content["ecoc_bench_run"], content["files"]
        if isinstance(version, int) and version > FORMAT:
            raise UserError(
                f"{marker.parent}: made by a newer ecoc-bench (folder format {version}, this one "
                f"knows {FORMAT}). Use that version, or choose another folder with --out."
            )
        return {name: [str(s) for s in sums] for name, sums in files.items() if _is_inside(name)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _is_inside(name: str) -> bool:
    """Whether a marker names a file in its own folder: a marker may come from anywhere."""
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and name not in HARMLESS
