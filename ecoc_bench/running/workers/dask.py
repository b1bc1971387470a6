"""A Dask cluster for the fits, used through joblib: it gets the data once and reports deaths."""

import contextlib
from collections.abc import Callable, Iterator

from joblib._dask import DaskDistributedBackend

from ...data.csvfile import Dataset
from ...errors import UserError

WAIT = 15  # seconds for a scheduler to answer, and for a worker to join


class Backend(DaskDistributedBackend):
    """joblib's backend with two repairs.

    joblib's would wait for ever for a task that the cluster has given up, and it would fit in this
    process if there is only one worker.
    """

    def submit(self, func, callback=None):
        future = super().submit(func, callback)
        future.add_done_callback(lambda done: _report(done.exception(), callback))
        return future

    def effective_n_jobs(self, n_jobs):
        try:
            return max(super().effective_n_jobs(n_jobs), 2)
        except OSError as error:
            raise _gone(self.client, error) from None


def _report(error: BaseException | None, callback) -> None:
    if error is not None:
        callback(error)


@contextlib.contextmanager
def cluster(
    address: str | None,
    jobs: int,
    data: list[Dataset],
    modules: list[str],
    say: Callable[[str], None],
) -> Iterator[Callable[[], Backend]]:
    """The cluster at an address, or one of `jobs` processes here. `modules`: files it must have.

    Yields a function that makes a backend. It sends the data each time, because they are lost when
    a worker dies.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise UserError(
            "--backend dask needs Dask: pip install 'ecoc-bench[dask]' gets it."
        ) from None
    with contextlib.ExitStack() as stack:
        if address is None:
            local = LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=50,
            )
            stack.enter_context(local)
            address = local.scheduler_address
        try:
            client = stack.enter_context(Client(address, set_as_default=False, timeout=WAIT))
        except (OSError, ValueError) as error:
            raise UserError(
                f"--scheduler {address}: no Dask scheduler answers there ({error}). Start one with "
                "`dask scheduler` and give its address."
            ) from None
        say(f"Dask dashboard: {client.dashboard_link}")
        for path in modules:
            client.upload_file(path)
        yield lambda: _backend(client, data)


def _backend(client, data: list[Dataset]) -> Backend:
    try:
        return Backend(client=client, scatter=data, wait_for_workers_timeout=WAIT)
    except OSError as error:
        raise _gone(client, error) from None


def _gone(client, error: OSError) -> UserError:
    address = client.scheduler.address
    return UserError(
        f"the Dask cluster at {address} is gone or has no worker ({str(error).splitlines()[0]}). "
        f"Start some with `dask worker {address}`. Finished work is kept: run again to continue."
    )
