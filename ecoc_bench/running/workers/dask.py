"""A Dask cluster for the fits, used through joblib: it gets the data once and reports deaths."""

import asyncio
import contextlib
import logging
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from joblib._dask import DaskDistributedBackend

from ... import __version__
from ...data.csvfile import Dataset
from ...errors import UserError, reason
from .process import starting_processes
from .shelf import unseen

try:
    from distributed import Client, KilledWorker, LocalCluster
    from distributed import __version__ as dask_version
    from distributed.client import FutureCancelledError
    from distributed.comm import CommClosedError
    from distributed.versions import VersionMismatchWarning
except ImportError:
    raise UserError("--backend dask needs Dask: pip install 'ecoc-bench[dask]' gets it.") from None

DEATHS = (KilledWorker, FutureCancelledError)  # what a task ends in when its workers have died
# They print tracebacks when a worker dies, which is no error of the run.
LOGS = ("distributed", "distributed.client", "tornado.application", "asyncio")
ANSWER = 15  # seconds for a scheduler to answer
SENDS = 3  # times that data or a file are sent, if workers die meanwhile
LOOK = 1  # seconds between two looks at whether they do
JOIN = 60  # seconds for a worker to join: after a death, its successor on a busy machine
# Versions as Python to be evaluated elsewhere: of Dask, and of what numbers depend on.
DASK = "__import__('distributed').__version__"
VERSIONS = (
    "{'python': __import__('platform').python_version(), **{"
    "name: __import__(name).__version__ for name in ('ecoc_bench', 'numpy', 'scipy', 'sklearn')}}"
)


class _Client(Client):
    """A client with two repairs: it closes when it cannot connect, and does not send to the dead.

    Left alone, it would close itself when it is collected, which is a deadlock where that happens
    while another client starts. And once a worker has died, Dask tries for ever to copy data to it,
    and nothing else is copied meanwhile. So from then on workers fetch the data that they need.
    """

    copies = True  # of the data on each worker

    def start(self, **kwargs):
        try:
            return super().start(**kwargs)
        except BaseException:
            self.close()
            raise

    async def _scatter(self, data, workers=None, broadcast=False, **kwargs):  # type: ignore[override]
        scheduler: Any = self.scheduler
        there = workers or list(await scheduler.ncores())
        kwargs |= {"workers": there, "broadcast": broadcast and self.copies}
        sending = asyncio.ensure_future(super()._scatter(data, **kwargs))
        while not (await asyncio.wait([sending], timeout=LOOK))[0]:
            if set(there) - set(await scheduler.ncores()):
                self.copies = False
                sending.cancel()
                raise CommClosedError("a worker died while the data were sent")
        try:
            return sending.result()
        except (AssertionError, KeyError, ValueError) as error:  # the scheduler had counted on more
            self.copies = False
            raise CommClosedError(f"no worker could take the data ({reason(error)})") from None


class Backend(DaskDistributedBackend):
    """joblib's backend with two repairs.

    joblib's would wait for ever for a task that the cluster has given up, and it would fit in this
    process if there is only one worker.
    """

    def submit(self, func, callback=None):
        future = super().submit(func, callback)
        future.add_done_callback(lambda done: self._report(done.exception(), callback))
        return future

    def _report(self, error: BaseException | None, callback) -> None:
        """Hand over why a task has no result: a death of its worker as it is, else a sentence.

        A task itself never raises: the cluster could not even start it.
        """
        if error is not None:
            callback(error if isinstance(error, DEATHS) else _broken(self.client, error))

    def effective_n_jobs(self, n_jobs):
        try:
            return max(super().effective_n_jobs(n_jobs), 2)
        except OSError as error:
            raise _gone(self.client, error) from None


@contextlib.contextmanager
def cluster(
    address: str | None,
    jobs: int,
    folder: str | None,
    modules: list[str],
    say: Callable[[str], None],
) -> Iterator[Callable[[list[Dataset]], Backend]]:
    """The cluster at an address, or one of `jobs` processes here.

    Its workers must see the `folder`, and have `modules`, which are files. Yields a function that
    makes a backend with data. It sends these each time, because they are lost when a worker dies.
    """
    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as stack:
        if address is None:
            address = stack.enter_context(local_cluster(jobs)).scheduler_address
        client = stack.enter_context(_connected(address))
        say(f"Dask dashboard: {client.dashboard_link}")
        _compare_scheduler(client, say)
        _compare_workers(client, say)
        if folder is not None:
            _show(client, folder)
        for path in modules:
            _sent(client, partial(client.upload_file, path))
        yield lambda data: _backend(client, data)


def local_cluster(jobs: int, memory: int | str = "auto", folder: Path | None = None):
    """So many processes here, each with so many bytes of memory (0: any) and files in `folder`."""
    with starting_processes():
        return LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            memory_limit=memory,
            local_directory=folder and str(folder),
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        )


def _connected(address: str) -> _Client:
    """A client of the scheduler at an address; one of another version may raise what it likes."""
    warnings.filterwarnings("ignore", category=VersionMismatchWarning)  # we say it ourselves
    try:
        return _Client(address, set_as_default=False, timeout=ANSWER)
    except (OSError, ValueError) as error:
        raise UserError(
            f"--scheduler {address}: no Dask scheduler answers there ({error}). Start one with "
            "`dask scheduler` and give its address."
        ) from None
    except Exception as error:
        raise UserError(
            f"--scheduler {address}: that scheduler and Dask {dask_version} of this process do not "
            f"understand each other ({reason(error)}). {_same_dask()}"
        ) from None


def _compare_scheduler(client, say: Callable[[str], None]) -> None:
    there = client.run_on_scheduler(eval, DASK)
    if there != dask_version:
        address = client.scheduler.address
        say(
            f"the Dask scheduler at {address} has Dask {there}, this process {dask_version}: "
            f"tasks may fail. {_same_dask()}"
        )


def _same_dask() -> str:
    return (
        f"Install the same version everywhere: pip install 'dask[distributed]=={dask_version}' "
        "there, or that of the scheduler here."
    )


def _compare_workers(client, say: Callable[[str], None]) -> None:
    """Refuse workers that lack this package or have another one; say which other packages differ.

    `eval` is there on any worker, ours is not. Workers that join later are not asked, and those
    that die while they are asked do not answer.
    """
    for worker, found in client.run(eval, VERSIONS, on_error="return").items():
        if isinstance(found, CommClosedError):
            continue
        if isinstance(found, Exception):
            raise UserError(
                f"the Dask worker at {worker} cannot import ecoc-bench ({reason(found)}). "
                f"{_install()}"
            )
        if found["ecoc_bench"] != __version__:
            raise UserError(
                f"the Dask worker at {worker} has ecoc-bench {found['ecoc_bench']}, this process "
                f"{__version__}. {_install()}"
            )
        ours = eval(VERSIONS)
        if other := [f"{k} {v} (here {ours[k]})" for k, v in found.items() if v != ours[k]]:
            say(f"the Dask worker at {worker} has {', '.join(other)}: rows may differ a little.")


def _show(client, folder: str) -> None:
    """Refuse workers that do not see the folder of the data; later ones tell it by their fits."""
    for worker, found in client.run(os.listdir, folder, on_error="return").items():
        if isinstance(found, OSError) and not isinstance(found, CommClosedError):
            raise unseen(folder, f"the Dask worker at {worker}", found)


def _sent(client, send: Callable[[], Any]) -> Any:
    """Send data or a file to the workers; again if one dies meanwhile, which stops the sending."""
    for left in reversed(range(SENDS)):
        try:
            return send()
        except CommClosedError as error:
            if not left:
                raise _gone(client, error) from None
            time.sleep(1)


def _install() -> str:
    return f"Install it there: pip install ecoc-bench=={__version__}, in the same Python."


def _backend(client, data: list[Dataset]) -> Backend:
    try:
        client.wait_for_workers(1, timeout=JOIN)  # to send data it waits as long as to connect
        settings = {"client": client, "scatter": data, "wait_for_workers_timeout": JOIN}
        return _sent(client, partial(Backend, **settings))
    except OSError as error:
        raise _gone(client, error) from None


def _broken(client, error: BaseException) -> UserError:
    return UserError(
        f"the Dask cluster at {client.scheduler.address} cannot run a task ({reason(error)}). Its "
        "scheduler and workers need the same packages as this process, in the same versions. "
        "Finished work is kept: run again to continue."
    )


def _gone(client, error: OSError) -> UserError:
    address = client.scheduler.address
    return UserError(
        f"the Dask cluster at {address} is gone or has no worker ({str(error).splitlines()[0]}). "
        f"Start some with `dask worker {address}`; if they die of data that are too large, use "
        "--shared. Finished work is kept: run again to continue."
    )
