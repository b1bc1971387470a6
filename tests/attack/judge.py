"""What counts as a failure."""

import hashlib
import os
import re
from pathlib import Path

from ecoc_bench.results.catalogue import FILES, FOLDERS

from .processes import End

DOCUMENTED = {0, 1, 2, 3, 4}  # and 130 after an interrupt
SLOW = "s of processor time"  # how the fault is told
SECONDS = 10  # of processor time, for a malformed input
MEMORY = 2 * 2**30  # bytes
MINE = "my-"  # how the names of somebody's own files begin, which nothing may touch
FAULTY_WORDS = re.compile(
    r"Traceback|This is a fault of ecoc-bench|Exception ignored|Segmentation|resource_tracker|"
    r"^Aborted!|Fatal Python",
    re.MULTILINE,
)
UNFINISHED = re.compile(r"\.ecoc-bench-\d+-\w+\.tmp")
CACHE = "__pycache__"


def faults_of_words(said: str) -> list[str]:
    """What no user should have to read."""
    found = FAULTY_WORDS.search(said)
    return [f"says {found[0]!r}: {_last_line(said)}"] if found else []


def faults_of_answer(end: End | None) -> list[str]:
    """What is wrong with the answer to a malformed input."""
    if end is None:
        return ["no answer"]
    faults = faults_of_words(end.stderr) or faults_of_words(end.stdout)
    if end.code not in DOCUMENTED:
        faults.append(f"exit code {end.code}")
    elif end.code and not (end.stderr or end.stdout).strip():
        faults.append(f"exit code {end.code} without a word")
    if end.seconds > SECONDS:
        faults.append(f"took {end.seconds:.0f} {SLOW}")
    if end.memory > MEMORY:
        faults.append(f"took {end.memory / 2**30:.1f} GB of memory")
    return faults


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""


def tree(folder: Path) -> dict[str, str]:
    """Every file, folder and link below a folder, with a digest of what it holds."""
    found = {}
    for place, folders, files in os.walk(folder):
        if CACHE in folders:
            folders.remove(CACHE)
        for name in (*folders, *files):
            path = os.path.join(place, name)
            found[os.path.relpath(path, folder)] = _digest(path)
    return found


def _digest(path: str) -> str:
    if os.path.islink(path):
        return "link to " + os.readlink(path)
    if os.path.isfile(path):
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()
    return "folder" if os.path.isdir(path) else "other"


def touched(before: dict[str, str], after: dict[str, str], written=(), loose=()) -> list[str]:
    """What was changed, made or removed though it is none of our files in the folders `written`.

    Paths that begin with one of `loose` may be made or changed, but not removed. What stood in the
    place of one of our files may be set aside, whole.
    """
    found = []
    aside = {
        path: new
        for path in before.keys() - after.keys()
        for new in _asides(path)
        if after.get(new) == before[path]
    }
    for path in sorted((before.keys() | after.keys()) - {*aside, *aside.values()}):
        if before.get(path) == after.get(path) or any(_is_ours(path, out) for out in written):
            continue
        what = "removed" if path not in after else "changed" if path in before else "made"
        if what == "removed" or not path.startswith(tuple(loose)):
            found.append(f"{what} {path}")
    return found


def _asides(path: str) -> list[str]:
    """Where a path is after it, or a folder that it is in, was set aside."""
    parents = [Path(path), *Path(path).parents][:-1]
    return [str(p.with_suffix(".damaged") / Path(path).relative_to(p)) for p in parents]


def _is_ours(path: str, folder: str) -> bool:
    """Whether a path is that of a run's folder, or in it and in the catalogue."""
    if path == folder or folder.startswith(path + "/"):
        return True  # a folder that was made on the way
    if not path.startswith(folder + "/"):
        return False
    parts = path[len(folder) + 1 :].split("/")
    if any(part.startswith(MINE) for part in parts):
        return False
    return parts[0] in FOLDERS or parts[0].removesuffix(".damaged") in {
        *FILES, *(Path(name).stem for name in FILES)
    }  # fmt: skip


def leaked(after: dict[str, str], tmp: Path) -> list[str]:
    """Temporary files that were left."""
    found = [path for path in after if UNFINISHED.fullmatch(os.path.basename(path))]
    return [f"left {path}" for path in [*found, *sorted(os.listdir(tmp))]]
