"""A record: the margins of some columns in one context, as bytes that tell whether they are whole.

A record is `ECOCBENCH2 <sha256 of the rest> <bytes of the rest>`, a line of JSON (context, columns,
how their fits went, kinds and shapes of the arrays), then the bytes of the arrays: margins on the
training and the test part, of shape (stages, rows, columns), in 8, 4 or 1 bytes, whichever give
back every bit. A method's labels are whole numbers instead. A kernel machine's shifts (`loo`)
follow, the eta and Z of boosting, the margins and norms of a multiclass SVM, or what a method tells
of its rounds. Nothing is ever unpickled.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ..files import parse_json

MAGIC = b"ECOCBENCH"
HEAD = re.compile(MAGIC + rb"2 ([0-9a-f]{64}) (\d{1,15})\n")
ARRAYS = ("train", "test", "shift", "eta", "log_Z", "score_margins", "norms", "history")
KINDS = {"i": "<i2", "f": "<f8"}
NARROW = ("|i1", "<f4")  # kinds of fewer bytes, for numbers that they hold exactly
SAMPLE = 1000  # numbers that are tried first


@dataclass(frozen=True, eq=False)
class Record:
    """The margins of some columns in one context."""

    context: str
    columns: tuple[str, ...]
    stages: tuple[int, ...]
    converged: tuple[bool, ...]
    seconds: tuple[float, ...]
    train: np.ndarray = field(repr=False)
    test: np.ndarray = field(repr=False)
    shift: np.ndarray | None = field(default=None, repr=False)  # rows x columns: see `loo`
    # Stages x columns, of boosting: see `boosting_margins`.
    eta: np.ndarray | None = field(default=None, repr=False)
    log_Z: np.ndarray | None = field(default=None, repr=False)
    score_margins: np.ndarray | None = field(default=None, repr=False)  # see `margin_bound`
    norms: np.ndarray | None = field(default=None, repr=False)
    history: np.ndarray | None = field(default=None, repr=False)  # names x rounds
    told: tuple[str, ...] = ()  # the names of the history, columns of rounds.csv
    decoded: str = ""  # the rows of a cell as JSON, in place of its margins: see `cell_rows`


class Piece(NamedTuple):
    """Where a record begins and ends among others; None stands for a damaged one."""

    start: int
    end: int
    record: Record | None


def encode(record: Record) -> bytes:
    """The bytes of a record, checksum first."""
    header = {name: value for name, value in vars(record).items() if name not in ARRAYS}
    if not record.decoded:
        del header["decoded"]
    given = {name: getattr(record, name) for name in ARRAYS if getattr(record, name) is not None}
    arrays = {name: narrowest(A) for name, A in given.items()}
    header["arrays"] = {name: [A.dtype.str, A.shape] for name, A in arrays.items()}
    content = json.dumps(header).encode() + b"\n" + b"".join(A.tobytes() for A in arrays.values())
    sha256 = hashlib.sha256(content).hexdigest()
    return MAGIC + f"2 {sha256} {len(content)}\n".encode() + content


def narrowest(A: np.ndarray) -> np.ndarray:
    """The same numbers in the fewest bytes that give back each of their bits: votes in one byte."""
    A = np.ascontiguousarray(A, dtype=KINDS[A.dtype.kind])
    for kind in NARROW if A.dtype.kind == "f" else ():
        if _comes_back(A.ravel()[:SAMPLE], kind) and _comes_back(A, kind):
            return A.astype(kind)
    return A


def _comes_back(A: np.ndarray, kind: str) -> bool:
    """Whether every bit does: 0.0 and -0.0 are not the same."""
    with np.errstate(invalid="ignore", over="ignore"):
        back = A.astype(kind).astype(A.dtype)
    return np.array_equal(back.view("<i8"), A.view("<i8"))


def pieces(raw: bytes) -> Iterator[Piece]:
    """The records in these bytes, one after the other, without one that is unfinished at the end.

    After a damaged one, the next begins where its first word stands.
    """
    start = 0
    while start < len(raw):
        head = HEAD.match(raw, start)
        end = head.end() + int(head[2]) if head else start
        record = decode(raw[start:end])
        if record is None:
            following = raw.find(MAGIC, start + 1)
            if following < 0 and _may_be_unfinished(raw[start:], end > len(raw)):
                return
            end = following if following >= 0 else len(raw)
        yield Piece(start, end, record)
        start = end


def _may_be_unfinished(tail: bytes, too_short: bool) -> bool:
    begun = tail.startswith(MAGIC) or MAGIC.startswith(tail)
    return begun and (too_short or b"\n" not in tail)


def decode(raw: bytes) -> Record | None:
    """The record in these bytes; None if they are cut off, altered or not a record."""
    head = HEAD.match(raw)
    if head is None:
        return None
    content = raw[head.end() :]
    sha256 = hashlib.sha256(content).hexdigest()
    if (head[1].decode(), int(head[2])) != (sha256, len(content)):
        return None
    try:
        return _parsed(content)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _parsed(content: bytes) -> Record:
    line, _, body = content.partition(b"\n")
    header: dict[str, Any] = parse_json(line)
    arrays = _arrays(header.pop("arrays"), body)
    lists = {key: tuple(value) for key, value in header.items() if isinstance(value, list)}
    record = Record(**{**header, **lists, **arrays})
    n, train, test = len(record.columns), record.train, record.test
    if not (train.ndim == test.ndim == 3 and train.shape[::2] == test.shape[::2]):
        raise ValueError("margins must be stages x rows x columns")
    if train.shape[::2] != (len(record.stages), n) or len(record.converged) != n:
        raise ValueError("the arrays do not fit the header")
    texts = record.context, record.decoded
    if len(record.seconds) != n or not all(isinstance(text, str) for text in texts):
        raise ValueError("the header is not that of a record")
    if record.history is not None and record.history.shape[:-1] != (len(record.told),):
        raise ValueError("the history does not fit the header")
    return record


def _arrays(described: dict[str, Any], body: bytes) -> dict[str, np.ndarray]:
    """The arrays of a record, copied only where they are stored in fewer bytes.

    `np.load` would parse Python here, which is not safe in the threads that decode: in Python 3.11
    it raises a SystemError now and then.
    """
    arrays, start = {}, 0
    for name, (kind, shape) in described.items():
        if kind not in (*KINDS.values(), *NARROW) or name not in ARRAYS or min(shape) < 0:
            raise ValueError("not an array of a record")
        n = prod(shape)
        stored = np.frombuffer(body, kind, n, start).reshape(shape)
        start += stored.nbytes
        arrays[name] = stored.astype(KINDS["f"]) if kind in NARROW else stored
        arrays[name].flags.writeable = False
    if start != len(body):
        raise ValueError("the arrays do not fit the header")
    return arrays
