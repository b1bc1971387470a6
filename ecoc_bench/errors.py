"""Errors that a user can fix: each message says where, what, and what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Bad input. The message is complete: the command line prints it and exits with 2."""

    exit_code = 2


class ConfigError(UserError):
    """A config that cannot be run, found before anything is fitted."""


class DataError(UserError):
    """A data set that cannot be read, fetched or used."""


class ModelError(UserError):
    """A model that cannot be saved, or a file of one that cannot be believed."""


class StorageError(UserError):
    """A file that cannot be written: the disk is full, or it is read-only."""

    exit_code = 1


class CodeError(UserError):
    """A code that cannot exist for this number of classes."""


class CodeTooLarge(CodeError):
    """A code that exists but is left out because of its size, as in the papers: "-" in tables."""


def shown(value) -> str:
    """A value as written in Python, cut to a length that fits a message.

    >>> shown("a" * 1000)[-5:]
    'aa...'
    """
    text = repr(value)
    return text if len(text) <= 200 else text[:200] + "..."


def reason(error: BaseException) -> str:
    """An exception of other code in one line; even its `str` may fail.

    >>> reason(ValueError("too\\nlong"))
    'ValueError: too long'
    """
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = "(it has no text)"
    name = type(error).__name__
    text = text if len(text) <= 400 else text[:400] + "..."
    return f"{name}: {text}" if text else name


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The one message for an unknown name.

    >>> unknown("code", "dens", ["ova", "dense"])
    "unknown code 'dens'. Did you mean 'dense'? Known: dense, ova."
    """
    names = sorted(known)
    near = get_close_matches(name[:100], names, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    label = f"'{name}'" if len(name) <= 100 else f"'{name[:100]}...'"
    return f"unknown {what} {label}.{hint} Known: {', '.join(names)}."
