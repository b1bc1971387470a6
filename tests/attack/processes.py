"""Commands of ecoc-bench as processes of their own, watched from outside.

Most are copies of this process, which has imported what is slow to import: thousands of them start
in the time of a few hundred fresh ones. This process must have a single thread for that.
"""

import atexit
import gc
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import NamedTuple

from ecoc_bench.__main__ import OBJECTS

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
POLL = 0.002  # seconds
GIGABYTE = 2**30
LOKY = "LokyProcess"  # in the command line of a worker


def prepare() -> None:
    """Import what the commands need, once, with one thread."""
    gc.set_threshold(OBJECTS)
    os.environ.update(dict.fromkeys(THREADS, "1"))
    os.environ["MPLBACKEND"] = "agg"
    os.environ["NO_COLOR"] = "1"
    os.environ.pop("ECOC_BENCH_REPORT", None)
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg  # noqa: F401

    import ecoc_bench.cli.catalog
    import ecoc_bench.cli.dry_run
    import ecoc_bench.cli.progress
    import ecoc_bench.cli.run_config
    import ecoc_bench.cli.try_csv
    import ecoc_bench.data.fetch
    import ecoc_bench.experiment.room
    import ecoc_bench.experiment.trials
    import ecoc_bench.learners.keeping
    import ecoc_bench.learners.svm
    import ecoc_bench.models.file
    import ecoc_bench.models.predicting
    import ecoc_bench.report.page
    import ecoc_bench.report.write
    import ecoc_bench.results.check.regression
    import ecoc_bench.results.check.text
    import ecoc_bench.results.overview
    import ecoc_bench.results.side_by_side
    import ecoc_bench.running.cleaning
    import ecoc_bench.running.run
    import ecoc_bench.trying.try_table  # noqa: F401

    gc.collect()
    gc.freeze()
    if threading.active_count() > 1:
        raise RuntimeError("copies of a process with several threads may hang")


class End(NamedTuple):
    """How a process ended: its exit code (negative: a signal), what it took, what it said."""

    code: int
    seconds: float  # of processor time
    memory: int  # bytes, at the peak
    stdout: str
    stderr: str


class Command:
    """`ecoc-bench ...` in a session of its own, in `place` with its temporary files in `tmp`."""

    def __init__(self, place: Path, tmp: Path, *argv, fresh=False, limits=None, label="", **env):
        self.argv = [str(part) for part in argv]
        self.place, self.limits = place, limits or {}
        self.out, self.err = (tmp.parent / f"{label}{name}" for name in ("stdout", "stderr"))
        self.env = {"TMPDIR": str(tmp), **{name: str(value) for name, value in env.items()}}
        self.pid = self._start_afresh() if fresh else self._copy()
        self._status: tuple[int, resource.struct_rusage] | None = None

    def _start_afresh(self) -> int:
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            return subprocess.Popen(
                [sys.executable, "-m", "ecoc_bench", *self.argv],
                cwd=self.place, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                env={**os.environ, **self.env}, start_new_session=True, preexec_fn=_hear_ctrl_c,
            ).pid  # fmt: skip

    def _copy(self) -> int:
        pid = os.fork()
        if pid:
            return pid
        code = 70
        try:
            self._settle()
            code = _main()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def _settle(self) -> None:
        """Make this copy what a fresh process would be."""
        os.setsid()
        _hear_ctrl_c()
        for number, path in enumerate((os.devnull, self.out, self.err)):
            flags = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(path, flags, 0o644), number)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(i, "wr"[i == 0], 1) for i in range(3))
        sys.argv = ["ecoc-bench", *self.argv]
        os.chdir(self.place)
        os.environ.update(self.env)
        tempfile.tempdir = None
        for what, most in self.limits.items():
            resource.setrlimit(what, (most, most))

    def poll(self) -> int | None:
        """The exit code, or None while the process is alive."""
        if self._status is None:
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self._status = os.waitstatus_to_exitcode(status), used
        return None if self._status is None else self._status[0]

    def wait(self, seconds: float) -> End | None:
        """How it ended; None, and it is killed with its children, if that takes too long."""
        end, pause = time.monotonic() + seconds, POLL
        while self.poll() is None:
            if time.monotonic() > end:
                self.kill_all()
                return None
            time.sleep(pause)
        return self.end()

    def end(self) -> End:
        code, used = self._status
        seconds = used.ru_utime + used.ru_stime
        return End(code, seconds, used.ru_maxrss * 1024, _text(self.out), _text(self.err))

    @property
    def said(self) -> str:
        return _text(self.err)

    def members(self) -> list[int]:
        """The living processes of its session."""
        return session(self.pid)

    def workers(self) -> list[int]:
        return [pid for pid in self.members() if LOKY in command_line(pid)]

    def kill_all(self) -> None:
        for pid in {*self.members(), self.pid} if self._status is None else self.members():
            signal_to(pid, signal.SIGKILL)
        if self._status is None:
            _, status, used = os.wait4(self.pid, 0)
            self._status = os.waitstatus_to_exitcode(status), used


def _main() -> int:
    """What the interpreter does: the command, then the functions that wait for its end."""
    from ecoc_bench.__main__ import start

    code = 0
    try:
        start()
    except SystemExit as leave:
        code = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
    except BaseException:
        traceback.print_exc()
        code = 1
    threading._shutdown()
    atexit._run_exitfuncs()
    return code


def _hear_ctrl_c() -> None:
    """A shell starts background jobs, perhaps this one, with SIGINT ignored: undo that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "replace")
    except FileNotFoundError:
        return ""


def session(leader: int) -> list[int]:
    """The living processes of a session."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] not in (b"Z", b"X"):
                found.append(int(entry))
    return found


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def signal_to(pid: int, number: int) -> bool:
    """Whether there was a process that could get the signal."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def busy() -> float:
    """How much longer things take because of other work on this machine."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
