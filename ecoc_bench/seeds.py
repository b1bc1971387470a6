"""Seeds and keys from content: a thing's content decides its random numbers and its key."""

import hashlib
import json

AS_TEXT = 10**6  # entries of a matrix that are digested as text


def digest(*parts) -> str:
    """A sha256 of plain data (numbers, strings, lists, dicts), the same in every process.

    >>> digest("glass", 0) == digest("glass", 0) != digest("glass", 1)
    True
    """
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def matrix_digest(M) -> str:
    """The same for equal matrices only; entries of a large one are taken as bytes, not as text.

    >>> import numpy as np
    >>> matrix_digest(np.array([[1, -1]])) == digest([[1, -1]])
    True
    """
    if M.size <= AS_TEXT:
        return digest(M.tolist())
    return digest(M.shape, M.dtype.str, _sha256(M))


def _sha256(M) -> str:
    """Of the bytes of a matrix, which is not copied where its rows lie one after the other."""
    whole = hashlib.sha256()
    for row in M:
        whole.update(row.tobytes())
    return whole.hexdigest()


def identity(thing) -> str:
    """The name of a class in keys and seeds: its declared `identity`, or its import path.

    Moving a class that declares one changes no key, no seed and no row. A subclass does not inherit
    the name.

    >>> class Mine:
    ...     identity = "mine"
    >>> identity(Mine), identity(digest)
    ('mine', 'ecoc_bench.seeds:digest')
    """
    return vars(thing).get("identity") or f"{thing.__module__}:{thing.__qualname__}"


def seed_for(*parts) -> int:
    """A 32-bit seed from the content that describes a draw."""
    return int(digest(*parts)[:8], 16)
