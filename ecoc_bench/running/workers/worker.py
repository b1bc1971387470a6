"""What a worker does: one task, and how it hands over what came of it."""

import os
import pickle
import tempfile
from typing import NamedTuple

from ...experiment.tasks import Recipe
from ..fit import Fitted, fit_task
from .process import settle


class Home(NamedTuple):
    """The process that the workers of a pool work for, and a folder for what they bring it."""

    process: int
    folder: str


def fit_in_worker(
    number: int, task, data, recipe: Recipe, home: Home | None
) -> tuple[int, Fitted | str]:
    """What a task gave; in a pool of processes the name of a file that holds it.

    A pool hangs when a worker dies with half its answer sent: a short answer is sent in one go.
    """
    settle(home and home.process)
    fitted = fit_task(task, data, recipe)
    return number, fitted if home is None else _leave(fitted, home.folder)


def _leave(fitted: Fitted, folder: str) -> str:
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        pickle.dump(fitted, file, protocol=pickle.HIGHEST_PROTOCOL)
    return path


def collect(fitted: Fitted | str) -> Fitted:
    """What a task gave, for the process that asked for it."""
    if isinstance(fitted, Fitted):
        return fitted
    with open(fitted, "rb") as file:
        content = pickle.load(file)
    os.unlink(fitted)
    return content
