"""What a worker does: it fits one task and hands over the result."""

import os
import pickle
import tempfile
from collections.abc import Callable

from ...experiment.tasks import CellTask, Recipe, SlabTask, Task
from ...learners.sharing import share_in
from ..cell_rows import fit_and_decode
from ..fit import Fitted, fit_task
from ..slab_rows import fit_slab
from .process import settle
from .shelf import opened, opened_task


def fit_in_worker(
    number: int, task, data, recipe: Recipe, home: str | None
) -> tuple[int, Fitted | str]:
    """The result of a task or, in a pool of processes, the name of a file that holds it.

    `home`: the folder of these files. A pool hangs if a worker dies with half its answer sent; a
    short answer is sent in one go.
    """
    settle()
    if home is not None:
        share_in(home)
    task, data = opened_task(task), opened(data)
    fitted = _fit(task)(task, data, recipe)
    return number, fitted if home is None else _leave(fitted, home)


def _fit(task: Task) -> Callable[..., Fitted]:
    if isinstance(task, SlabTask):
        return fit_slab
    return fit_and_decode if isinstance(task, CellTask) else fit_task


def _leave(fitted: Fitted, folder: str) -> str:
    handle, path = tempfile.mkstemp(dir=folder)
    with os.fdopen(handle, "wb") as file:
        pickle.dump(fitted, file, protocol=pickle.HIGHEST_PROTOCOL)
    return path


def collect(fitted: Fitted | str) -> Fitted:
    """The result of a task, read by the parent process."""
    if isinstance(fitted, Fitted):
        return fitted
    with open(fitted, "rb") as file:
        content = pickle.load(file)
    os.unlink(fitted)
    return content
