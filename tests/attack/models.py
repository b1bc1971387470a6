"""Spoiled files of models: each is drawn from its number, loaded in this process and judged.

A file must be refused with a sentence, or be loaded and predict. Most are given checksums that are
right, so that what comes after the checksums is attacked. No file may start, connect to, write or
unpickle anything: an audit hook of Python listens.
"""

import hashlib
import io
import json
import random
import resource
import sys
import time
import traceback
import zipfile
from pathlib import Path

import numpy as np
from fitted import model

from ecoc_bench.errors import ModelError, UserError
from ecoc_bench.models.archive import packed, to_npy, unpacked
from ecoc_bench.models.export.compare import rows_to_compare
from ecoc_bench.models.file import load, to_bytes

from .mutators import spoil, spoil_tree

FOREIGN, INNER = ("naive_bayes", "pipeline"), "inner archive"
NAMES = (
    "ridge", "forest", "boosted", "c45", "secc_c45", "stumps_pairs", "svm_ova", "sigmoids",
    "two_votes", "prior", *FOREIGN,
)  # fmt: skip
MEMORY = 6 * 2**30
SLOW = 10.0  # seconds of processor time
STARTED = (
    "os.system", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "pty.spawn",
    "subprocess.Popen", "socket.connect", "socket.bind", "pickle.find_class", "ctypes.dlopen",
    "os.remove", "os.rename", "os.mkdir", "os.chmod", "os.symlink", "shutil.rmtree",
)  # fmt: skip
WRITES = ("w", "a", "x", "+")
ODD = (np.nan, np.inf, -np.inf, 0, 1, -1, 2, -2, 127, 2**31 - 1, -(2**31), 1e308, -1e308, 1e-320)


class Heard:
    """What an audit hook hears while a file is loaded; hooks stay for the life of a process."""

    def __init__(self) -> None:
        self.listening, self.events = False, list[str]()
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple) -> None:
        if not self.listening:
            return
        writes = event == "open" and any(c in str(arguments[1]) for c in WRITES)
        if (event in STARTED or writes) and not _by_numba():
            self.events.append(f"{event} {arguments!r}"[:200])


def _by_numba() -> bool:
    """Whether numba fetches or keeps a kernel of ours: its cache is pickled, a model is not."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("numba.core."):
            return True
        frame = frame.f_back
    return False


class Models:
    """The spoiled files of a seed; each may be repeated alone."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.path, self.seed, self.heard = folder / "model.ecoc", seed, Heard()
        self.whole = {name: to_bytes(model(name)) for name in NAMES}
        for raw in self.whole.values():  # kernels are compiled before anything is judged
            self.path.write_bytes(raw)
            one = load(self.path)
            one.scores(rows_to_compare(one))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    def attack(self, number: int) -> tuple[str, str, str, str, list[str]]:
        """The model, how it was spoiled, in words, the outcome, and the faults."""
        draw = random.Random(f"{self.seed} model {number}")
        name = NAMES[number % len(NAMES)]
        kind = draw.choice([*KINDS, *[INNER] * 5] if name in FOREIGN else list(KINDS))
        spoiled = _inside if kind == INNER else KINDS[kind]
        raw, how = spoiled(draw, self.whole[name])
        self.path.write_bytes(raw)
        start = time.process_time()
        self.heard.events, self.heard.listening = [], True
        outcome, faults = _outcome(self.path)
        self.heard.listening = False
        faults += [f"it did: {event}" for event in self.heard.events]
        seconds = time.process_time() - start
        if seconds > SLOW:
            faults.append(f"took {seconds:.0f} s of processor time")
        return name, kind, how, outcome, faults


def _outcome(path: Path) -> tuple[str, list[str]]:
    try:
        found = load(path)
    except ModelError as error:
        sentence = str(error).endswith(".") and "Traceback" not in str(error)
        return "refused", [] if sentence else [f"no sentence: {error}"]
    except BaseException:
        return "failed", [traceback.format_exc(limit=-3)]
    try:
        found.scores(rows_to_compare(found))
    except UserError:
        return "loaded, refused rows", []
    except BaseException:
        return "failed", [traceback.format_exc(limit=-3)]
    return "loaded", []


def _signed(document, members: dict[str, bytes]) -> bytes:
    """The file of a document and members, its checksums made right."""
    if isinstance(document, dict) and isinstance(document.get("sha256"), dict):
        document["sha256"] = {n: hashlib.sha256(raw).hexdigest() for n, raw in members.items()}
    return packed({"model.json": json.dumps(document).encode(), **members})


def _opened(raw: bytes) -> tuple[dict, dict[str, bytes]]:
    members = unpacked(raw)
    return json.loads(members.pop("model.json")), members


def _bytes(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    return spoil(draw, raw)


def _member(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    document, members = _opened(raw)
    name = draw.choice(sorted(members))
    members[name], how = spoil(draw, members[name])
    return _signed(document, members), f"{name}: {how}"


def _json(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    document, members = _opened(raw)
    under = draw.choice([(), ("predictor",), ("predictor",), ("table",), ("inputs",)])
    spoiled, how = spoil_tree(draw, document, under)
    return _signed(spoiled, members), f"{'.'.join(under)}: {how}"


def _array(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    """One to three arrays with other numbers, types or shapes."""
    document, members = _opened(raw)
    hows = []
    for _ in range(draw.choice([1, 1, 2, 3])):
        mine = [name for name in sorted(members) if name.startswith("predictor")]
        name = draw.choice(mine if draw.random() < 0.7 else sorted(members))
        array = np.load(io.BytesIO(members[name]))
        way = draw.choice(list(WAYS))
        members[name] = to_npy(WAYS[way](draw, array))
        hows.append(f"{name}: {way}")
    return _signed(document, members), ", ".join(hows)


def _odd_numbers(draw: random.Random, array: np.ndarray) -> np.ndarray:
    array = array.copy()
    for _ in range(draw.choice([1, 1, 5]) if array.size else 0):
        place = draw.randrange(array.size)
        odd = draw.choice([*ODD, len(array), array.size, draw.randrange(array.size)])
        with np.errstate(all="ignore"):
            array.flat[place] = np.array(odd).astype(array.dtype)
    return array


def _swapped(draw: random.Random, array: np.ndarray) -> np.ndarray:
    array = array.copy()
    if array.size:
        i, j = draw.randrange(array.size), draw.randrange(array.size)
        array.flat[i], array.flat[j] = array.flat[j], array.flat[i]
    return array


def _cut(draw: random.Random, array: np.ndarray) -> np.ndarray:
    return array[: draw.randrange(len(array) + 1)]


def _longer(draw: random.Random, array: np.ndarray) -> np.ndarray:
    return np.concatenate([array] * draw.choice([2, 3, 50]))


def _other_type(draw: random.Random, array: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return array.astype(draw.choice(["<f8", "<i8", "<i4", "|i1", "|u1", "|b1", "<f4", "<U3"]))


def _other_shape(draw: random.Random, array: np.ndarray) -> np.ndarray:
    return draw.choice([array.ravel(), array[None], array.T, array[..., None], array[:0]])


def _same_everywhere(draw: random.Random, array: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.full_like(array, np.array(draw.choice(ODD)).astype(array.dtype))


def _archive(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    """Zips that are odd as zips."""
    how = draw.choice(["twice", "path", "other compression", "bomb", "extra", "less", "flags"])
    members, out = unpacked(raw), io.BytesIO()
    if how == "flags":
        at = raw.rfind(b"PK\1\2", 0, draw.randrange(len(raw) // 2, len(raw)))
        i = max(at, 0) + draw.randrange(4, 46)
        return raw[:i] + bytes([draw.randrange(256)]) + raw[i + 1 :], how
    if how == "less":
        del members[draw.choice(sorted(members))]
    kind = draw.choice([zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]) if how.startswith("other") else 8
    names = [*members]
    with zipfile.ZipFile(out, "w", kind) as archive:
        for name in names:
            archive.writestr(name, members[name])
        if how == "twice":
            archive.writestr(zipfile.ZipInfo("again.npy"), members[draw.choice(names)])
        if how in ("path", "extra"):
            archive.writestr(draw.choice(["../../x", "/tmp/x", "x.npy", "a\\b", "é" * 999]), b"x")
        if how == "bomb":
            archive.writestr("bomb.npy", bytes(draw.choice([10**6, 10**8])))
    return out.getvalue().replace(b"again.npy", draw.choice(names)[:9].encode().ljust(9)), how


def _inside(draw: random.Random, raw: bytes) -> tuple[bytes, str]:
    """The archive of skops inside of a model."""
    document, members = _opened(raw)
    name = "predictor/archive.npy"
    inner = unpacked(np.load(io.BytesIO(members[name])).tobytes())
    if draw.random() < 0.5:
        schema, how = spoil_tree(draw, json.loads(inner["schema.json"]), ("content",))
        inner["schema.json"] = json.dumps(schema).encode()
    else:
        part = draw.choice(sorted(inner))
        inner[part], how = spoil(draw, inner[part])
    members[name] = to_npy(np.frombuffer(packed(inner), np.uint8))
    return _signed(document, members), how


WAYS = {
    function.__name__.strip("_"): function
    for function in (
        _odd_numbers, _swapped, _cut, _longer, _other_type, _other_shape, _same_everywhere,
    )
}  # fmt: skip
KINDS = {
    "bytes": _bytes, "member": _member, "json": _json, "array": _array, "archive": _archive,
}  # fmt: skip
