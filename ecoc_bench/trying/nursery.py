"""Processes that start at once: one loads scikit-learn, and the others are forked from it.

Loading takes seconds of a processor, which a short trial has once and not for every worker; and a
worker that is killed because its fit took too long is replaced in no time. The first process runs
this file as a module. It does nothing but load, fork and kill, so that it never has threads.
"""

import contextlib
import gc
import importlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import weakref
from typing import Any

from ..files import sweep_scratch
from ..running.workers.child import receive, send, serve

PATIENCE = 0.5  # seconds
FORK, KILL = b"+", b"-"
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# What the first candidates and every model need.
LOADED = (
    "ecoc_bench.running.workers.process", "ecoc_bench.trying.work", "ecoc_bench.data.inputs",
    "ecoc_bench.models.file", "ecoc_bench.learners.classifier", "sklearn.dummy",
    "sklearn.linear_model", "sklearn.svm", "sklearn.ensemble",
)  # fmt: skip


class Nursery:
    """The process that loads; `child()` is a new one that has loaded already."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        self._turn = threading.Lock()
        paths = os.pathsep.join(path for path in sys.path if path)
        process = subprocess.Popen(
            # -P: a folder ecoc_bench where the user happens to be is not ours.
            [sys.executable, "-P", "-m", "ecoc_bench.trying.nursery", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process, which ends the others
            env={**os.environ, **ONE_THREAD, "PYTHONPATH": paths},
        )
        theirs.close()
        self._end = weakref.finalize(self, _end, self._control, process)
        self._forked: list[Forked] = []

    def child(self) -> "Forked":
        """It comes as soon as everything is loaded; nobody waits here."""
        ours, theirs = socket.socketpair()
        with self._turn, theirs, contextlib.suppress(OSError):  # of a dead nursery: the call tells
            socket.send_fds(self._control, [FORK + bytes(8)], [theirs.fileno()])
        self._forked.append(Forked(self, ours))
        return self._forked[-1]

    def close(self) -> None:
        """End it and all its children."""
        for child in self._forked:
            child.close()
        self._end()

    def kill(self, pid: int) -> None:
        with self._turn, contextlib.suppress(OSError):
            self._control.sendall(KILL + pid.to_bytes(8, "little"))


def _end(control: socket.socket, process: subprocess.Popen) -> None:
    control.close()  # it ends its children and itself, unless it is still loading
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Forked:
    """A process that makes calls, one after the other, and is killed when one takes too long."""

    def __init__(self, nursery: Nursery, connection: socket.socket):
        self._nursery, self._connection = nursery, connection
        self._pipe = connection.makefile("rwb")
        self._pid: int | None = None
        self.alive = True

    def call(self, seconds: float, function, *arguments) -> Any:
        """What `function` returns; TimeoutError if it takes longer than `seconds`."""
        until = time.monotonic() + seconds
        try:
            if self._pid is None:
                self._pid = self._until(until, receive, self._pipe)
            self._until(until, send, self._pipe, (seconds, function, arguments))
            ok, result = self._until(until, receive, self._pipe)
        except TimeoutError:
            self.close()
            raise TimeoutError(f"took longer than {seconds:g} s") from None
        except (EOFError, OSError, ValueError):  # the last: another thread has closed it
            self.close()
            raise RuntimeError("the process of the fit died") from None
        if not ok:
            raise result
        return result

    def _until(self, until: float, function, *arguments) -> Any:
        self._connection.settimeout(max(until - time.monotonic(), 1e-3))
        return function(*arguments)

    def close(self) -> None:
        if self.alive:
            self.alive = False
            if self._pid is not None:
                self._nursery.kill(self._pid)
            with contextlib.suppress(OSError):
                self._pipe.close()
            self._connection.close()


def _tend(control: socket.socket) -> None:
    """Fork and kill on request, until the parent has gone."""
    children: set[int] = set()
    while True:
        message, descriptors, *_ = socket.recv_fds(control, 9, 1)
        if not message:
            break
        if message[:1] == FORK:
            children.add(_forked(control, descriptors[0]))
        else:
            pid = int.from_bytes(message[1:], "little")
            if pid in children:
                children.remove(pid)
                _kill(pid)
    for pid in children:
        _kill(pid)
    sweep_scratch()


def _forked(control: socket.socket, descriptor: int) -> int:
    """The new process serves its connection and never returns."""
    if pid := os.fork():
        os.close(descriptor)
        return pid
    try:
        control.close()
        pipe = socket.socket(fileno=descriptor).makefile("rwb")
        send(pipe, os.getpid())
        serve(pipe, pipe)
    finally:
        os._exit(0)


def _kill(pid: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def main() -> None:
    os.dup2(2, 1)  # what a learner prints is no result
    gc.disable()  # what is loaded stays
    for module in LOADED:
        importlib.import_module(module)
    gc.freeze()  # the memory that the forked ones share is not looked through, and so stays shared
    gc.enable()
    _tend(socket.socket(fileno=int(sys.argv[1])))
    os._exit(0)  # nothing is left to tidy up, and somebody waits


if __name__ == "__main__":
    main()
