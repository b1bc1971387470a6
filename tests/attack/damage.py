"""Ways to spoil the folder of a run: its files, the checksums of these, and what stands there."""

import hashlib
import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

from ecoc_bench.results.catalogue import MARKER
from ecoc_bench.running.record import HEAD

from .judge import MINE
from .mutators import CSV, TEXT, spoil, spoil_tree


def files(folder: Path) -> dict[str, list[Path]]:
    """The run's own files by the place where they are: on top, or in one of its folders."""
    own = [p for p in sorted(folder.rglob("*")) if p.is_file() and not p.name.startswith(MINE)]
    found: dict[str, list[Path]] = {}
    for path in own:
        found.setdefault(path.relative_to(folder).parts[0], []).append(path)
    return found


def victim(draw: random.Random, folder: Path) -> Path:
    """One of the files of a run, as often on top as in each of its folders."""
    return draw.choice(draw.choice(list(files(folder).values())))


def _mutate(draw, path: Path) -> str:
    raw = path.read_bytes()
    if path.suffix == ".json" and draw.random() < 0.7:
        facts, how = spoil_tree(draw, json.loads(raw))
        path.write_text(json.dumps(facts))
    else:
        raw, how = spoil(draw, raw, CSV if path.suffix == ".csv" else TEXT)
        path.write_bytes(raw)
    return how


def _delete(draw, path):
    path.unlink()


def _folder(draw, path):
    path.unlink()
    (path / f"{MINE}inside").mkdir(parents=True)


def _loop(draw, path):
    path.unlink()
    path.symlink_to(path.name)


def _dangling(draw, path):
    path.unlink()
    path.symlink_to("nowhere")


def _link_outside(draw, path):
    """The file itself is somewhere else; nothing may be written there."""
    outside = path.parents[len(path.parts) - path.parts.index("home") - 2] / "elsewhere"
    outside.mkdir(exist_ok=True)
    shutil.move(path, outside / path.name)
    path.symlink_to(outside / path.name)


def _other_content(draw, path):
    others = [p for group in files(_run_of(path)).values() for p in group]
    path.write_bytes(draw.choice(others).read_bytes())


def _folder_is_file(draw, path):
    """A file in the place of the whole folder."""
    if path.parent != _run_of(path):
        shutil.rmtree(path.parent)
        path.parent.write_text("somebody's own\n")
    else:
        path.write_bytes(b"")


def _folder_is_link(draw, path):
    """The folder of the file is somewhere else."""
    if path.parent == _run_of(path):
        return _link_outside(draw, path)
    outside = _run_of(path).parent.parent / "elsewhere"
    shutil.move(path.parent, outside)
    path.parent.symlink_to(outside)


def _run_of(path: Path) -> Path:
    """The folder of the run that a file is in: home/runs/<name>."""
    i = path.parts.index("runs")
    return Path(*path.parts[: i + 2])


IN_PLACE: dict[str, Callable] = {
    "deleted": _delete,
    "a folder in its place": _folder,
    "a link to itself": _loop,
    "a link to nothing": _dangling,
    "a link to elsewhere": _link_outside,
    "another file's content": _other_content,
    "a file for its folder": _folder_is_file,
    "a link for its folder": _folder_is_link,
}


def spoil_run(draw: random.Random, folder: Path) -> str:
    """Damage one file of a run, and perhaps its checksum; say how."""
    path = victim(draw, folder)
    name = path.relative_to(folder)
    if draw.random() < 0.65:
        how = _mutate(draw, path)
    else:
        how = draw.choice(list(IN_PLACE))
        IN_PLACE[how](draw, path)
    return f"{name}: {how}{_spoil_checksum(draw, folder, path)}"


def _spoil_checksum(draw, folder: Path, path: Path) -> str:
    """Often the damage comes with a checksum that is right, or with none: then only checks of the
    content can find it."""
    what = draw.random()
    if what < 0.35:
        return ""
    if path.suffix == ".record" and path.is_file():
        path.write_bytes(_checksummed(path.read_bytes()))
        return ", checksum right"
    marker = folder / MARKER
    if not marker.is_file() or marker == path:
        return ""
    if what < 0.5:
        marker.unlink()
        return ", no marker"
    return renote(marker, path)


def renote(marker: Path, path: Path) -> str:
    """Note the checksum of a changed file in the marker, as if a run had written it so."""
    facts = json.loads(marker.read_text())
    name = str(path.relative_to(marker.parent))
    if path.is_file():
        facts["files"][name] = [hashlib.sha256(path.read_bytes()).hexdigest()]
    else:
        facts["files"].pop(name, None)
    marker.write_text(json.dumps(facts))
    return ", checksum right"


def _checksummed(raw: bytes) -> bytes:
    """The first record of a file with the checksum of what now follows its head."""
    head = HEAD.match(raw)
    if head is None:
        return raw
    content = raw[head.end() :]
    return f"ECOCBENCH2 {hashlib.sha256(content).hexdigest()} {len(content)}\n".encode() + content


def is_link_out(home: Path) -> bool:
    return os.path.lexists(home / "elsewhere")
