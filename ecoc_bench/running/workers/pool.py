"""Tasks go in, results come out: on processes, threads or a Dask cluster. Workers may die."""

import contextlib
import gc
import os
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky.backend import resource_tracker
from joblib.externals.loky.process_executor import BrokenProcessPool
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from ...data.csvfile import Dataset
from ...data.sparse import is_sparse
from ...experiment.tasks import Recipe, Task
from ...files import scratch
from ...plugins import modules_beside
from ..fit import Fitted, failure
from .parent import begin
from .process import start_trackers, starting_processes
from .shelf import Shelf
from .worker import collect, fit_in_worker

BACKENDS = ("loky", "threading", "dask")
WARY = 3  # after this many deaths among the workers, every fit is done in a separate process
GUILTY = 4  # after this many deaths of its worker, a task is given up


@dataclass(frozen=True)
class Workers:
    """Where the fits are done.

    `scheduler`: the address of a running Dask cluster; `plugins`: the folder of the config, whose
    modules the cluster needs; `shared`: a folder that the cluster sees, for the data.
    """

    jobs: int
    backend: str = "loky"
    scheduler: str | None = None
    say: Callable[[str], None] = print
    plugins: Path | None = None
    shared: Path | None = None

    @property
    def here(self) -> int:
        """How many of the workers are processes on this machine."""
        alone = self.backend == "threading" or (self.jobs == 1 and self.backend == "loky")
        return 0 if self.scheduler or alone else self.jobs

    def results(
        self, tasks: list[Task], datasets: dict[str, Dataset], recipes: dict[str, Recipe]
    ) -> Iterator[tuple[Task, Fitted]]:
        """Pairs of a task and its result, as they finish, with one BLAS thread per worker.

        When a worker dies, the tasks under way are suspects. They are fitted last and in separate
        processes, so that only the column that kills its process fails.
        """
        if not tasks:
            return
        # joblib says so when a run is interrupted, at some later time: we say it better.
        warnings.filterwarnings("ignore", r"\d+ tasks which were still being processed")
        deaths: Counter[Task] = Counter()
        n_deaths = 0
        todo = dict.fromkeys(tasks)
        with self._place(datasets) as (datasets, home, how, sent):
            while todo:
                batch = [task for task in todo if not deaths[task]] or list(todo)
                apart = n_deaths >= WARY or bool(deaths[batch[0]])
                flying: dict[int, Task] = {}
                calls = _calls(batch, flying, datasets, _how(recipes, apart), home, sent)
                try:
                    with starting_processes() if home else contextlib.nullcontext():
                        results = Parallel(return_as="generator_unordered", **how())(calls)
                    for number, fitted in results:
                        task = flying.pop(number)
                        del todo[task]
                        yield task, collect(fitted)
                except _deaths(self.backend) as error:
                    n_deaths += 1
                    lost = list(flying.values())
                    deaths.update(lost)
                    for task in [t for t in lost if deaths[t] >= GUILTY]:
                        del todo[task]
                        yield task, Fitted(None, [failure(task, _verdict(error))])
                    self.say("a worker died; its tasks are fitted again.")

    @contextlib.contextmanager
    def _place(self, datasets) -> Iterator[tuple]:
        """The data as the workers get them, their home, and two functions.

        These give joblib's settings, and a task as the workers get it.
        """
        with contextlib.ExitStack() as stack:
            home, settings = None, {"n_jobs": self.jobs, "max_nbytes": None}
            if self.backend == "dask":
                yield self._on_dask(stack, datasets)
                return
            if self.here:
                folder = stack.enter_context(_shared_folder())
                datasets, home = mapped(datasets, folder), folder
                how = {"inner_max_num_threads": 1, "temp_folder": folder}
                # Not with the first task: until one comes, nothing else would end a worker.
                first = {"initializer": begin, "initargs": (os.getpid(), *gc.get_threshold())}
                stack.enter_context(parallel_config("loky", **how, **first))
            else:
                stack.enter_context(threadpool_limits(1))
                stack.enter_context(warnings.catch_warnings())
                warnings.simplefilter("ignore", ConvergenceWarning)
                stack.enter_context(parallel_config("threading"))
            yield datasets, home, lambda: settings, lambda task: task

    def _on_dask(self, stack: contextlib.ExitStack, datasets: dict[str, Dataset]) -> tuple:
        """The same on a Dask cluster, which reads the data in a shared folder or is sent them."""
        from .dask import cluster

        folder, sent = None, lambda task: task
        if self.shared or not self.scheduler:
            folder = stack.enter_context(_shared_folder(self.shared and self.shared.absolute()))
        modules = modules_beside(self.plugins) if self.plugins else []
        make = stack.enter_context(cluster(self.scheduler, self.jobs, folder, modules, self.say))
        if folder is not None:
            shelf = Shelf(Path(folder))
            datasets = {name: shelf.data(data) for name, data in datasets.items()}
            sent = shelf.task
        data = list(datasets.values())
        return datasets, None, lambda: {"backend": make(data), "n_jobs": -1}, sent


def _how(recipes: dict[str, Recipe], apart: bool) -> dict[str, Recipe]:
    return {name: replace(recipe, apart=apart) for name, recipe in recipes.items()}


def _calls(batch, flying, datasets, recipes, home, sent):
    """The calls; `flying` holds those that have been handed out."""
    for number, task in enumerate(batch):
        flying[number] = task
        of = datasets[task.context.dataset], recipes[task.context.learner]
        yield delayed(fit_in_worker)(number, sent(task), *of, home)


def _deaths(backend: str) -> tuple[type[BaseException], ...]:
    """The exceptions that joblib raises when a worker has died."""
    if backend != "dask":
        return (BrokenProcessPool,)
    from .dask import DEATHS

    return DEATHS


def _verdict(error) -> str:
    return f"the worker died each time (killed, or out of memory?): {type(error).__name__}"


def mapped(datasets: dict[str, Dataset], folder: str) -> dict[str, Dataset]:
    """The data in files that all processes map, so that they are in memory only once."""
    return {
        name: replace(
            data, X=_mapped_matrix(folder, f"{i}X", data.X), y=_map(folder, f"{i}y", data.y)
        )
        for i, (name, data) in enumerate(datasets.items())
    }


def _mapped_matrix(folder: str, name: str, X):
    """A matrix on mapped files; of a sparse one, each of its three arrays is a file."""
    if not is_sparse(X):
        return _map(folder, name, X)
    parts = [_map(folder, name + part, getattr(X, part)) for part in ("data", "indices", "indptr")]
    matrix = type(X)(X.shape)  # given to it, the index arrays would be copied
    matrix.data, matrix.indices, matrix.indptr = parts
    return matrix


def _map(folder: str, name: str, array: np.ndarray) -> np.ndarray:
    path = Path(folder) / f"{name}.npy"
    np.save(path, array, allow_pickle=False)
    return np.load(path, mmap_mode="r")


@contextlib.contextmanager
def _shared_folder(inside: Path | None = None) -> Iterator[str]:
    """A folder for this run; joblib's tracker outlives us and removes it when we are killed."""
    with scratch(inside) as path:
        folder = str(path)
        start_trackers()
        resource_tracker.register(folder, "folder")
        try:
            yield folder
        finally:
            resource_tracker.unregister(folder, "folder")
