"""A Dask cluster that serves many runs, whose workers are killed, too."""

import contextlib
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

from .processes import command_line, session, signal_to

WAIT = 180.0


class Cluster:
    """A scheduler and two workers as a user starts them, on addresses of this machine only."""

    def __init__(self, folder: Path):
        self.folder, self.started = folder, []
        about = folder / "scheduler.json"
        self._start("scheduler", "--port", 0, "--scheduler-file", about)
        _await(lambda: about.exists() and about.read_text().endswith("}"), "the Dask scheduler")
        self.address = json.loads(about.read_text())["address"]
        for _ in range(2):
            self._start("worker", self.address, "--nthreads", 1, "--local-directory", folder)
        _await(lambda: len(self.workers()) == 2, "the Dask workers")

    def _start(self, *arguments) -> None:
        call = [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1", "--no-dashboard"]
        call += ["--dashboard-address", "127.0.0.1:0"]  # where it answers all the same
        with open(self.folder / "cluster.log", "ab") as log:
            process = subprocess.Popen(
                [str(part) for part in call], stdout=log, stderr=log, start_new_session=True
            )
        self.started.append(process)

    def workers(self) -> list[int]:
        """The processes that fit: each has a nanny, which starts another one when it dies."""
        members = [pid for process in self.started for pid in session(process.pid)]
        return [pid for pid in members if "spawn_main" in command_line(pid)]

    def close(self) -> None:
        for process in self.started:
            for pid in session(process.pid):
                signal_to(pid, 9)
            process.wait()


def _await(condition, what: str) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"waited {WAIT:g} s in vain for {what}")
        time.sleep(0.1)


def cluster(stack: contextlib.ExitStack, folder: Path) -> Cluster | None:
    """A cluster that ends with the stack; None where Dask is not installed."""
    if importlib.util.find_spec("distributed") is None:
        return None
    folder.mkdir(exist_ok=True)
    started = Cluster(folder)
    stack.callback(started.close)
    return started
