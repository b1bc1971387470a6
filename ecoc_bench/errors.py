"""Errors that a user can mend: each message says where, what, and what to do next."""

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Bad input. The message is complete: the command line prints it and exits with 2."""

    exit_code = 2


class ConfigError(UserError):
    """A config that cannot be run, found before anything is fitted."""


class DataError(UserError):
    """A data set that cannot be read, fetched or used."""


class CodeError(UserError):
    """A code that cannot exist for this number of classes."""


class CodeTooLarge(CodeError):
    """A code that exists but is left out for its size, as the papers do: "-" in the tables."""


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """The one sentence for a name that nobody knows.

    >>> unknown("code", "dens", ["ova", "dense"])
    "unknown code 'dens'. Did you mean 'dense'? Known: dense, ova."
    """
    names = sorted(known)
    near = get_close_matches(name, names, n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return f"unknown {what} '{name}'.{hint} Known: {', '.join(names)}."
