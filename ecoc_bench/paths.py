"""Where the shipped configs and data lie: beside the package in a clone, inside it in a wheel."""

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def shipped(kind: str) -> Path:
    """The folder of the shipped ``configs`` or ``datasets``."""
    inside = PACKAGE / kind
    return inside if inside.is_dir() else PACKAGE.parent / kind
