"""Runs as real processes that are watched, interrupted and killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from attack.phases import records

HERE = Path(__file__).parent
FILES = ("results.csv", "mistakes.csv", "bounds.csv")
PATIENCE = 180.0  # seconds: the machine may be busy with other things

CONFIG = """
name: faults
seed: 7
datasets: [glass]
evaluation: {{folds: {folds}}}
learners:
  faulty: {{type: "faulty:Faulty", switch: {switch}, timeout: {timeout}}}
codes: {codes}
decoders: [hamming, loss]
"""


def write_config(folder: Path, folds=2, timeout="null", codes="[ova, all_pairs]") -> Path:
    """A config of the faulty learner, whose fault `folder / "switch"` turns on."""
    text = CONFIG.format(folds=folds, timeout=timeout, codes=codes, switch=folder / "switch")
    path = folder / "faults.yaml"
    path.write_text(text)
    shutil.copy(HERE / "faulty.py", folder)
    return path


def outputs(folder: Path) -> dict[str, bytes]:
    """What must be the same bytes however a run went."""
    return {name: (folder / name).read_bytes() for name in FILES}


def wait_for(condition, what: str, patience: float = PATIENCE):
    """Ask until the answer is true, and give it."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if answer := condition():
            return answer
        time.sleep(0.02)
    raise AssertionError(f"waited {patience:g} s in vain for {what}")


def hear_ctrl_c() -> None:
    """A shell starts background jobs, perhaps these tests, with SIGINT ignored: undo that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Run:
    """`ecoc-bench run ...` in a process group of its own, as a shell starts it."""

    def __init__(self, config: Path, out: Path, *options, pause: float = 0):
        call = [sys.executable, "-m", "ecoc_bench", "run", config, "--out", out, *options]
        self.config, self.out = config, out
        self.log = open(out.with_suffix(".log"), "ab")  # noqa: SIM115 (closed by `__exit__`)
        self.process = subprocess.Popen(
            [str(part) for part in call],
            stdout=self.log,
            stderr=self.log,
            env={**environment(pause), "TMPDIR": str(out.parent)},
            start_new_session=True,
            preexec_fn=hear_ctrl_c,
        )
        self.family = [psutil.Process(self.process.pid)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Nothing of it may outlive a test that failed."""
        self.descendants()
        for process in filter(alive, self.family):
            process.kill()
        self.process.wait()
        self.log.close()

    @property
    def stderr(self) -> str:
        return self.out.with_suffix(".log").read_text()

    def descendants(self) -> list[psutil.Process]:
        """Living processes under this one."""
        with suppress(psutil.NoSuchProcess):
            found = self.family[0].children(recursive=True)
            self.family += [process for process in found if process not in self.family]
            return found
        return []

    def workers(self) -> list[psutil.Process]:
        """The processes that fit."""
        return [p for p in self.descendants() if "LokyProcess" in _command(p)]

    def has_records(self, n: int) -> bool:
        return self.process.poll() is not None or len(records(self.out)) >= n

    def interrupt(self) -> None:
        """Ctrl-C, which a terminal sends to the whole group."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self) -> None:
        self.descendants()
        self.process.kill()

    def end(self) -> int:
        """Wait for the exit code, then until nothing is left of the run."""
        code = self.process.wait(PATIENCE)
        wait_for(lambda: not any(map(alive, self.family)), "the workers to end", 30)
        return code


def environment(pause: float) -> dict[str, str]:
    """For processes that fit with the faulty learner, which is a module beside the config."""
    return {**os.environ, "FAULTY_PAUSE": str(pause)}


def alive(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


def _command(process: psutil.Process) -> str:
    with suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
        return " ".join(process.cmdline())
    return ""


class Cluster:
    """A Dask scheduler and workers as a user starts them, on addresses of this machine only."""

    def __init__(self, folder: Path, n_workers: int = 2, pause: float = 0):
        self.folder, self.pause = folder, pause
        self.log = open(folder / "cluster.log", "ab")  # noqa: SIM115 (closed by `__exit__`)
        about = folder / "scheduler.json"
        self.scheduler = self._start("scheduler", "--port", 0, "--scheduler-file", about)
        wait_for(lambda: about.exists() and about.read_text().endswith("}"), "the Dask scheduler")
        self.address = json.loads(about.read_text())["address"]
        self.nannies = [self.add_worker() for _ in range(n_workers)]
        wait_for(lambda: len(self.workers()) == n_workers, "the Dask workers")

    def _start(self, *arguments, under=()) -> psutil.Popen:
        call = [*under, sys.executable, "-m", "dask", *arguments]
        call += ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        return psutil.Popen(
            [str(part) for part in call],
            stdout=self.log,
            stderr=self.log,
            env=environment(self.pause),
            start_new_session=True,
        )

    def add_worker(self, hidden: Path | None = None) -> psutil.Popen:
        """Another worker; only root may hide a folder from it."""
        options = ["--nthreads", 1, "--local-directory", self.folder]
        shell = ["unshare", "-m", "sh", "-c", f"mount -t tmpfs none '{hidden}' && exec \"$@\"", "-"]
        return self._start("worker", self.address, *options, under=shell if hidden else ())

    def workers(self) -> list[psutil.Process]:
        """The processes that fit: each has a nanny, which starts another one when it dies."""
        children = [child for nanny in self.nannies for child in nanny.children()]
        return [child for child in children if "spawn_main" in _command(child)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        parts = [*self.nannies, self.scheduler]
        family = [child for part in parts if alive(part) for child in part.children(recursive=True)]
        for process in [*parts, *family]:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        for part in parts:
            part.wait()
        self.log.close()


@contextmanager
def small_disk(folder: Path, size: str):
    """A file system of its own in memory; gives False where that is not allowed."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(mount, capture_output=True).returncode == 0
    except FileNotFoundError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)
