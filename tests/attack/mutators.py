"""Ways to spoil bytes and trees of values; each takes a random generator and what it spoils."""

import copy
import gzip
import random
from collections.abc import Callable

JUNK = [
    None, True, False, 0, 1, -1, 2, 2.5, -0.0, float("nan"), float("inf"), float("-inf"), 1e308,
    1e-320, 2**31, 2**63, -(2**63), 10**30, "", " ", "..", "../x", "/", "/dev/null", "/dev/zero",
    "/proc/self/mem", "a\0b", "é", "שלום", "\U0001f600", "x" * 5000, "nan", "inf", "1/d", "=1+1",
    "%s", "{0}", "[/red]", "no", "~", [], {}, [[]], [None], [{}], {"name": "x"}, {"": 1}, "0x10",
    "1_000", "a:b", "os:system", "plug:nothing", "ova", "hamming", "mine.csv", [1, 2, 3], "1e5",
]  # fmt: skip
TOKENS = [
    "\n", "\t", "'", '"', "[", "]", "{", "}", ":", ",", "-", "  ", "&a ", "*a", "!!x ", "| ", "? ",
    "#", "nan", "inf", "1e400", "\0", "\r", ";", "\u2028", "\ufeff", "é", "-1", "9" * 20,
    "<<: ", "true", "null", "\x1b[31m", "\\", "%", "=", "@", "0", "?", "1.5", "\x85",
]  # fmt: skip


def _place(draw: random.Random, raw: bytes) -> int:
    return draw.randrange(len(raw) + 1)


def flip_bit(draw, raw):
    if not raw:
        return b"\xff"
    i = draw.randrange(len(raw))
    return raw[:i] + bytes([raw[i] ^ 1 << draw.randrange(8)]) + raw[i + 1 :]


def flip_bytes(draw, raw):
    for _ in range(draw.randint(2, 20)):
        raw = flip_bit(draw, raw)
    return raw


def cut_short(draw, raw):
    return raw[: _place(draw, raw)]


def cut_out(draw, raw):
    i = _place(draw, raw)
    return raw[:i] + raw[i + draw.randint(1, 40) :]


def insert(draw, raw):
    i = _place(draw, raw)
    return raw[:i] + draw.choice(TOKENS).encode() + raw[i:]


def replace_word(draw, raw):
    """Another word or number where one stood."""
    words = raw.replace(b",", b" ").replace(b":", b" ").split()
    if not words:
        return b"x"
    new = str(draw.choice(JUNK)).encode("utf-8", "replace")
    return raw.replace(draw.choice(words), new, draw.choice([1, 1, -1]))


def _lines(change: Callable) -> Callable:
    def mutate(draw, raw):
        lines = raw.split(b"\n")
        change(draw, lines)
        return b"\n".join(lines)

    mutate.__name__ = change.__name__.strip("_")
    return mutate


def _drop_line(draw, lines):
    del lines[draw.randrange(len(lines))]


def _double_line(draw, lines):
    i = draw.randrange(len(lines))
    lines[i:i] = [lines[i]] * draw.choice([1, 2, 300])


def _swap_lines(draw, lines):
    i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def _shuffle_lines(draw, lines):
    draw.shuffle(lines)


def _change_cell(draw, lines):
    i = draw.randrange(len(lines))
    cells = lines[i].split(b",")
    cells[draw.randrange(len(cells))] = str(draw.choice(JUNK)).encode("utf-8", "replace")
    lines[i] = b",".join(cells)


def _drop_column(draw, lines):
    j = draw.randrange(lines[0].count(b",") + 1)
    for i, line in enumerate(lines):
        cells = line.split(b",")
        lines[i] = b",".join(cells[:j] + cells[j + 1 :])


def _swap_columns(draw, lines):
    j = draw.randrange(lines[0].count(b",") + 1)
    for i, line in enumerate(lines):
        cells = line.split(b",")
        lines[i] = b",".join(cells[j:] + cells[:j])


def _ragged(draw, lines):
    i = draw.randrange(len(lines))
    lines[i] += b"," * draw.choice([1, 2, 50])


def other_encoding(draw, raw):
    text = raw.decode("utf-8", "replace")
    how = draw.choice(["utf-16", "utf-16-le", "utf-32", "cp500", "utf-8-sig"])
    return text.encode(how, "replace")


def other_line_ends(draw, raw):
    return raw.replace(b"\n", draw.choice([b"\r\n", b"\r", b"\n\n", b"\n\r", b"\x0b", b" "]))


def packed(draw, raw):
    whole = gzip.compress(raw, mtime=0)
    return draw.choice([whole, whole[:-9], whole * 2, whole[:2]])


def noise(draw, raw):
    return draw.randbytes(draw.choice([1, 30, 3000]))


def nothing(draw, raw):
    return draw.choice([b"", b"\n", b" ", b"\0", b"\0" * 4096, b"\xef\xbb\xbf"])


def repeated(draw, raw):
    return raw * draw.choice([2, 3, 40])


def something_else(draw, raw):
    return draw.choice(
        [b"[]", b"{}", b"null", b"1", b'"x"', b"a,b\n1,2\n", b"<html>", b"%PDF-1.4", b"PK\3\4",
         b"\x93NUMPY\1\0", b"ECOCBENCH2 ", b"---\n", b"[" * 9999, b'{"a":' * 9999]
    )  # fmt: skip


TEXT = {
    function.__name__: function
    for function in (
        flip_bit, flip_bytes, cut_short, cut_out, insert, replace_word, other_encoding,
        other_line_ends, packed, noise, nothing, repeated, something_else,
        *map(_lines, (_drop_line, _double_line, _swap_lines, _shuffle_lines)),
    )
}  # fmt: skip
CSV = TEXT | {
    function.__name__: function
    for function in map(_lines, (_change_cell, _drop_column, _swap_columns, _ragged))
}


def spoil(draw: random.Random, raw: bytes, ways=TEXT) -> tuple[bytes, str]:
    """The bytes after one to three mutations, and the names of these."""
    names = [draw.choice(list(ways)) for _ in range(draw.choice([1, 1, 1, 2, 3]))]
    for name in names:
        raw = ways[name](draw, raw)[: 2**22]
    return raw, "+".join(names)


def _nodes(tree, at=()):
    """The places of all values in a tree."""
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield (*at, key)
        if isinstance(value, dict | list):
            yield from _nodes(value, (*at, key))


def _parent(tree, place):
    for key in place[:-1]:
        tree = tree[key]
    return tree


def _junk(draw, parent, key):
    parent[key] = copy.deepcopy(draw.choice(JUNK))


def _drop(draw, parent, key):
    del parent[key]


def _rename(draw, parent, key):
    if isinstance(parent, dict):
        parent[str(draw.choice(JUNK))] = parent.pop(key)
    else:
        parent[key] = [parent[key]]


def _wrap(draw, parent, key):
    parent[key] = draw.choice([[parent[key]], {"x": parent[key]}, str(parent[key])])


def _deep(draw, parent, key):
    for _ in range(draw.choice([3, 30, 200])):
        parent[key] = [parent[key]]


def _extra(draw, parent, key):
    if isinstance(parent, dict):
        parent[draw.choice(["x", "name", "noise", "parts", "repeats", "params", "of"])] = (
            copy.deepcopy(draw.choice(JUNK))
        )
    else:
        parent.append(copy.deepcopy(draw.choice(JUNK)))


def _double(draw, parent, key):
    if isinstance(parent, list):
        parent.extend([parent[key]] * draw.choice([1, 5, 2000]))
    else:
        parent[f"{key}2"] = copy.deepcopy(parent[key])


TREE = {
    function.__name__.strip("_"): function
    for function in (_junk, _junk, _drop, _rename, _wrap, _deep, _extra, _double)
}


def spoil_tree(draw: random.Random, tree, under=()) -> tuple[object, str]:
    """A copy of the tree with one to three values spoiled, below a place, and how."""
    tree = copy.deepcopy(tree)
    names = [draw.choice(["junk", *TREE]) for _ in range(draw.choice([1, 1, 1, 2, 3]))]
    for name in names:
        places = [place for place in _nodes(tree) if place[: len(under)] == under]
        if not places:
            break
        place = draw.choice(places)
        TREE[name](draw, _parent(tree, place), place[-1])
    return tree, "+".join(names)
