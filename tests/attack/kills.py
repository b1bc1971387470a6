"""Stories of runs that are killed again and again, and then must end as if nothing had been.

A story is drawn from its number: where its run is fitted, in which phases it is struck and how. Its
moments depend on the machine, so a story repeats its kind of trouble rather than its every step.
"""

import os
import random
import shutil
import signal
import time
from collections import Counter
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from ecoc_bench.files import PACKAGE

from .judge import MINE, faults_of_words, leaked, touched, tree
from .phases import PHASES, DamagedRecord, Watched, records
from .processes import Command, busy, command_line, signal_to

CONFIG = """\
name: killed
seed: 7
datasets: [{name: mine, path: mine.csv, target: kind}]
evaluation: {folds: 20}
keep: KEEP
learners:
  slow: {type: "slow:Slow"}
codes: [ova, {name: dense, columns: 3, tries: 5}]
decoders: [hamming, loss]
"""
WAIT = 240.0  # seconds for a run to end
ORPHANS = 10.0  # seconds after which nothing of a run may be left
LATE = ("tables", "figures", "page")
HERE = Path(__file__).parent
SHARED = "/dev/shm"
LOCK = PACKAGE.parent / ".git" / "index.lock"  # runs ask git about the checkout
# By the last strike; 0: it came too late. -2 is 130 for a shell, and -15 is SIGTERM: they came when
# all was done and only the interpreter was left to end.
EXPECTED = {"group": {-9, 0}, "parent": {-9, 0}, "worker": {0}, "": {0}}
INTERRUPTED = {130, -2, -15, 0}


class Where(NamedTuple):
    """A place where a run is fitted: its options, the phases and the kinds of its kills, its pause.

    `fresh`: started by the interpreter, because its imports are to be struck, too; `keep`: what its
    config keeps of a cell.
    """

    options: tuple
    phases: tuple[str, ...]
    kinds: tuple[str, ...]
    pause: float = 0.03
    fresh: bool = False
    keep: str = "margins"


SIGNALS = ("group", "parent", "term", "int", "int twice")
PLACES = {
    "one process": Where(
        ("--jobs", "1"),
        ("planning", "fitting", "fitting", "fitting", "decoding", "writing", *LATE, "figures"),
        SIGNALS,
    ),
    "fresh process": Where(
        ("--jobs", "1", "--no-report"),
        ("importing", "importing", "importing", "planning", "fitting"),
        SIGNALS,
        fresh=True,
    ),
    "workers": Where(
        ("--jobs", "2", "--no-report"),
        ("starting", "starting", "fitting", "fitting", "writing"),
        (*SIGNALS, "worker", "worker", "worker"),
        pause=0.1,
    ),
    "rows kept": Where(
        ("--jobs", "2", "--no-report"),
        ("planning", "starting", "fitting", "fitting", "decoding", "writing"),
        (*SIGNALS, "worker", "worker"),
        keep="rows",
    ),
    "Dask": Where(
        ("--backend", "dask", "--no-report"),
        ("starting", "fitting", "fitting", "fitting", "writing"),
        (*SIGNALS, "worker", "worker"),
    ),
    "Dask, shared": Where(
        ("--backend", "dask", "--no-report", "--shared", "../tmp"),
        ("starting", "fitting", "fitting", "fitting", "writing"),
        (*SIGNALS, "worker", "worker"),
        keep="rows",
    ),
}
TURNS = (
    *("one process",) * 4,
    *("workers",) * 2,
    *("fresh process",) * 2,
    *("rows kept", "Dask", "rows kept", "Dask, shared"),
)


class Struck(NamedTuple):
    """The kills of a story by place, phase and kind, and what went wrong."""

    kills: Counter
    faults: list[str]


def strike(kind: str, run: Watched, workers: list[int], draw: random.Random) -> bool:
    """Do it; False if there was nobody to strike."""
    pid = run.command.pid
    if kind == "worker":
        return bool(workers) and signal_to(draw.choice(workers), signal.SIGKILL)
    number = {"group": signal.SIGKILL, "parent": signal.SIGKILL, "term": signal.SIGTERM}
    if kind in ("parent", "term"):
        return signal_to(pid, number[kind])
    os.killpg(pid, number.get(kind, signal.SIGINT))
    if kind == "int twice":
        time.sleep(draw.uniform(0, 0.5))
        if run.command.poll() is None:
            os.killpg(pid, signal.SIGINT)
    return True


class Kills:
    """The stories of a seed; each may be repeated alone."""

    def __init__(self, folder: Path, seed: int, strikes: int, start_cluster):
        self.folder, self.seed, self.strikes = folder / "kills", seed, strikes
        self.start_cluster = start_cluster
        self.n_records: dict[str, int] = {}
        self.whole = self._undisturbed("margins")
        if self._undisturbed("rows") != self.whole:
            raise RuntimeError("the undisturbed run has other files when it keeps rows")

    def _undisturbed(self, keep: str) -> dict[str, bytes]:
        """What a run leaves that nothing disturbs, in one process."""
        where = PLACES["one process"]._replace(keep=keep)
        home = self._home(f"undisturbed-{keep}", where)
        end = self._start(home, where, pause=0).command.wait(WAIT * busy())
        if end is None or end.code:
            raise RuntimeError(f"the undisturbed run fails: {end}")
        self.n_records[keep] = len(records(home / "out"))
        return self._outputs(home)

    @cached_property
    def cluster(self):
        """A Dask cluster for all the stories that need one; None where Dask is not installed."""
        return self.start_cluster()

    def _home(self, name: str, where: Where) -> Path:
        from .fixtures import table

        home = self.folder / name / "home"
        home.mkdir(parents=True)
        (home.parent / "tmp").mkdir()
        (home / "killed.yaml").write_text(CONFIG.replace("KEEP", where.keep))
        (home / "mine.csv").write_text(table(60))
        shutil.copy(HERE / "slow.py", home)
        return home

    def _outputs(self, home: Path) -> dict[str, bytes]:
        """What must be the same bytes however a run went."""
        out = home / "out"
        paths = [*out.glob("*.csv"), *out.glob("codes/*.csv"), *out.glob("tables/*")]
        timed = (
            "costs.csv",
            "timings.csv",
            *(f"leaderboard.{s}" for s in ("txt", "md", "tex", "csv")),
        )
        return {
            str(path.relative_to(out)): path.read_bytes()
            for path in paths
            if path.name not in timed and not path.name.startswith(MINE)
        }

    def _start(self, home: Path, where: Where, pause: float | None = None, label="") -> Watched:
        options = [*where.options]
        if "dask" in options:
            options += ["--scheduler", self.cluster.address]
        command = Command(
            home, home.parent / "tmp", "run", "killed.yaml", "--out", "out", *options,
            fresh=where.fresh, label=label,
            ATTACK_PAUSE=where.pause if pause is None else pause,
        )  # fmt: skip
        return Watched(command, home / "out", self.n_records.get(where.keep, 1))

    def attack(self, number: int) -> tuple[str, Struck]:
        """One story: the place of its fits, its kills and faults."""
        draw = random.Random(f"{self.seed}/kills/{number}")
        name = TURNS[number % len(TURNS)]
        if "dask" in PLACES[name].options and self.cluster is None:
            name = "one process"
        story = Story(self, self._home(str(number), PLACES[name]), name, draw)
        struck = story.tell()
        if not struck.faults:
            shutil.rmtree(story.home.parent)
        return name, struck


class Story:
    """A run in a folder that is struck, judged and started again."""

    def __init__(self, kills: Kills, home: Path, name: str, draw: random.Random):
        self.kills, self.home, self.name, self.draw = kills, home, name, draw
        self.where = PLACES[name]
        self.counts: Counter = Counter()
        self.faults: list[str] = []
        self.kept: set = set()
        self.pids: list[int] = []
        self.shared = set(os.listdir(SHARED))  # of others, whose numbers may come again
        self.locked = LOCK.exists()

    def tell(self) -> Struck:
        order = list(PHASES)
        wanted = [self.draw.choice(self.where.phases) for _ in range(self.kills.strikes)]
        plan = [(p, self.draw.choice(self.where.kinds)) for p in sorted(wanted, key=order.index)]
        starts = 0
        while plan:
            starts += 1
            plan = self._disturbed(plan, f"{starts}-")
        self._completed()
        return Struck(self.counts, self.faults)

    def _disturbed(self, plan: list, label: str) -> list:
        """Start the run and strike it until it ends; gives the strikes that are left."""
        run = self.kills._start(self.home, self.where, label=label)
        self.pids.append(run.command.pid)
        last = ""
        for n, (phase, kind) in enumerate(plan, 1):
            if not run.await_phase(phase, self.draw):
                break
            now = run.phase()
            workers = self._workers(run) if kind == "worker" else []
            if strike(kind, run, workers, self.draw):
                self.counts[self.name, now, kind] += 1
                last = kind
            if kind != "worker" or n == 3:  # four deaths would make a task guilty
                break
        self._judge(run, last, label)
        return plan[n:]

    def _workers(self, run: Watched) -> list[int]:
        return (
            self.kills.cluster.workers() if "dask" in self.where.options else run.command.workers()
        )

    def _judge(self, run: Watched, last: str, label: str) -> None:
        end = run.command.wait(WAIT * busy())
        if end is None:
            self._fault(f"{label} did not end after '{last}'")
            return
        self._judge_processes(run, label)
        end = run.command.end()  # with the last words of all of them
        said = faults_of_words(end.stderr)
        if run.phase() == "importing" and "/ecoc_bench/" not in end.stderr:
            said = []  # the interpreter was struck before ecoc-bench had a say
        elif end.code not in EXPECTED.get(last, INTERRUPTED):
            said.append(f"exit code {end.code} after '{last}' in {run.phase()}")
        self.faults += [f"{label} {fault}" for fault in said]
        self._judge_store(label)
        self._put_foreign_files()

    def _fault(self, text: str) -> None:
        self.faults.append(text)

    def _judge_processes(self, run: Watched, label: str) -> None:
        deadline = time.monotonic() + ORPHANS * busy()
        while (left := run.command.members()) and time.monotonic() < deadline:
            time.sleep(0.02)
        if left:
            self._fault(f"{label} left processes: {[command_line(pid)[-80:] for pid in left]}")
            run.command.kill_all()

    def _judge_store(self, label: str) -> None:
        try:
            now = records(self.home / "out")
        except DamagedRecord as error:
            self._fault(f"{label} {error}")
            return
        if lost := len(self.kept - now):
            self._fault(f"{label} lost {lost} records")
        self.kept = now

    def _put_foreign_files(self) -> None:
        """As soon as the folder is a run's, somebody puts own files into it."""
        out = self.home / "out"
        if (out / ".ecoc-bench").exists() and not (out / f"{MINE}notes.txt").exists():
            for folder in (out, out / "tables", out / "figures", out / "store"):
                folder.mkdir(exist_ok=True)
                (folder / f"{MINE}notes.txt").write_text("somebody's own\n")
        self.before = tree(self.home)

    def _completed(self) -> None:
        """Without further strikes the run ends as the undisturbed one did, and leaves nothing."""
        run = self.kills._start(self.home, PLACES["one process"], 0, "last-")
        end = run.command.wait(WAIT * busy())
        if end is None or end.code:
            self._fault(f"the last start: {end and (end.code, end.stderr[-300:])}")
            return
        self.faults += faults_of_words(end.stderr)
        self._judge_store("the last start")
        outputs = self.kills._outputs(self.home)
        self.faults += [
            f"{name} differs"
            for name in {*outputs, *self.kills.whole}
            if outputs.get(name) != self.kills.whole.get(name)
        ]
        after = tree(self.home)
        self.faults += touched(self.before, after, ["out"]) + leaked(
            after, self.home.parent / "tmp"
        )
        self.faults += [f"left {SHARED}/{name}" for name in self._left_in_shared_memory()]
        self.faults += [f"left {LOCK}"] if LOCK.exists() and not self.locked else []

    def _left_in_shared_memory(self) -> list[str]:
        """New folders in shared memory that carry the number of one of our processes.

        joblib's semaphores (32 bytes each) stay there when its tracker is killed with the group.
        """
        marks = [f"_{pid}_" for pid in self.pids]
        new = set(os.listdir(SHARED)) - self.shared
        return [name for name in sorted(new) if any(mark in name for mark in marks)]
