"""A call in a separate process, which may crash, and which is killed when its time is up.

A signal cannot stop compiled code, and killing one worker of a pool breaks the whole pool. So the
worker keeps a child process for its fits: a plain pipe, one call at a time. The child runs this
file as a module.
"""

import contextlib
import gc
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import weakref

import cloudpickle

from .parent import die_with

SPARE = 60.0  # seconds of processor time after the limit until an abandoned child ends itself


class Child:
    """A process that makes calls, one after the other."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ecoc_bench.running.workers.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self._end = weakref.finalize(self, _end, self.process)  # also when its thread is gone

    def call(self, seconds: float | None, function, *arguments):
        """What `function` returns; TimeoutError if it takes longer than `seconds`."""
        expired = threading.Event()
        timer = threading.Timer(seconds or threading.TIMEOUT_MAX, self._kill, [expired])
        timer.daemon = True  # an interrupted run does not wait for it
        timer.start()
        try:
            send(self.process.stdin, (seconds, function, arguments))
            ok, result = receive(self.process.stdout)
        except (EOFError, OSError):
            self.close()
            if expired.is_set():
                raise TimeoutError(f"took longer than {seconds:g} s") from None
            raise RuntimeError(
                f"the process of the fit died (exit code {self.process.returncode})"
            ) from None
        finally:
            timer.cancel()
            timer.join()
        if expired.is_set():  # the call finished just before the child was killed
            self.close()
        if not ok:
            raise result
        return result

    def _kill(self, expired: threading.Event) -> None:
        expired.set()
        self.process.kill()

    def close(self) -> None:
        self._end()

    @property
    def alive(self) -> bool:
        return self.process.poll() is None


def _end(process: subprocess.Popen) -> None:
    process.kill()
    with contextlib.suppress(OSError, ValueError):
        process.communicate()


_children = threading.local()  # workers may be threads: each keeps its own child


def call_within(seconds: float | None, function, *arguments):
    """Call `function` in this thread's child; starting the child does not count."""
    child = getattr(_children, "child", None)
    if child is None or not child.alive:
        child = _children.child = Child()
        child.call(SPARE, _ready, function)
    return child.call(seconds, function, *arguments)


def _ready(function) -> None:
    """A first call before time is counted. Unpickling `function` has loaded what it needs."""
    from .process import settle

    settle()


def send(pipe, message) -> None:
    content = cloudpickle.dumps(message)
    pipe.write(struct.pack("<q", len(content)))
    pipe.write(content)
    pipe.flush()


def receive(pipe):
    head = pipe.read(8)
    if len(head) < 8:
        raise EOFError
    length = struct.unpack("<q", head)[0]
    content = pipe.read(length)
    if len(content) < length:
        raise EOFError
    return pickle.loads(content)


def serve(requests, answers) -> None:
    """The child's loop: calls come in, results go out, until the parent has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(os.getppid())
    while True:
        try:
            seconds, function, arguments = receive(requests)
        except EOFError:
            return
        if seconds is not None:  # ends compiled code, which no thread can stop
            signal.setitimer(signal.ITIMER_PROF, seconds + SPARE)
        try:
            answer = True, function(*arguments)
        except BaseException as error:
            answer = False, RuntimeError(repr(error))
        try:
            send(answers, answer)
        except BrokenPipeError:  # the parent has gone before its child has noticed
            os._exit(1)


def _serve_pipes() -> None:
    """Calls from standard input, results to the former standard output."""
    gc.set_threshold(50_000)  # what is loaded stays: it is not looked through again and again
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a learner prints must not get between the results
    serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    _serve_pipes()
