"""The progress of the fits on stderr: a bar on a terminal, elsewhere a line now and then."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..experiment.tasks import Task
from ..running.forecast import Forecast

EVERY = 30.0  # seconds between two lines off a terminal
TICK = 0.5  # ... and between two moves of the bar
SURE = 0.95  # of a task's expected time is counted before the task has ended


class Meter:
    """What is done and what is left, by the seconds that finished tasks took.

    Between two finished tasks the meter goes on by the clock: each worker is at one of the next.
    """

    def __init__(self, jobs: int, clock: Callable[[], float] = time.monotonic):
        self.jobs, self.clock = jobs, clock
        self.began = clock()
        self.forecast = Forecast([])
        self._since: dict[Task, float] = {}  # when each of the tasks under way became one
        self.notice = ""
        self._share = 0.0
        self._lock = threading.Lock()  # the ticking thread reads while tasks finish

    def start(self, tasks: list[Task]) -> None:
        with self._lock:
            self.forecast = Forecast(tasks)
            self.began = self.clock()
            self._since = dict.fromkeys(tasks[: self.jobs], self.began)

    def finish(self, task: Task, seconds: float, worker: str) -> None:
        with self._lock:
            self.forecast.finish(task, seconds, worker)
            self.notice = ""
            for other in self.forecast.under_way(self.jobs):
                self._since.setdefault(other, self.clock())

    def now(self) -> tuple[float, float | None]:
        """The share of the work that is done, which never falls, and the seconds left."""
        with self._lock:
            left = self.forecast.left()
            if left is None:
                return 0.0, None
            now, going = self.clock(), self.forecast.under_way(self.jobs)
            credit = sum(min(now - self._since[t], SURE * seconds) for t, seconds in going.items())
            whole = self.forecast.seconds + left
            share = (self.forecast.seconds + credit) / whole if whole else 1.0
            self._share = max(self._share, min(share, 1.0) if self.forecast.todo else 1.0)
            return self._share, max((left - credit) / self.jobs, 0.0)

    def line(self) -> str:
        """What is done and left, in a line."""
        share, left = self.now()
        done, columns = self.forecast.n_finished, self.forecast.n_columns
        passed = f"{duration(self.clock() - self.began)} passed"
        notice = f"; {self.notice}" if self.notice else ""
        if not self.forecast.todo:
            return f"{columns} columns are fitted; decoding them; {passed}"
        if left is None:
            return f"fitting: 0 of {columns} columns done, {passed}{notice}"
        return (
            f"fitting: {share:.0%} done, {done} of {columns} columns, {passed}, "
            f"about {duration(left)} left{notice}"
        )


def duration(seconds: float) -> str:
    """Seconds in words, with as many digits as an estimate deserves.

    >>> duration(4.2), duration(95), duration(1234), duration(9000), duration(300_000)
    ('4 s', '95 s', '21 min', '2.5 h', '3.5 days')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"


@contextmanager
def shown(console: Console, jobs: int, every: float = EVERY) -> Iterator[Meter]:
    """A meter, shown while the fits go on."""
    meter = Meter(jobs)
    if not console.is_terminal:
        with _ticking(every, lambda: console.print(meter.line())):
            yield meter
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        console=console,
    )
    with bar:
        line = bar.add_task("fitting", total=1.0, left="")

        def move() -> None:
            share, left = meter.now()
            what = meter.notice or ("fitting" if meter.forecast.todo else "decoding")
            known = "" if left is None else f"about {duration(left)} left"
            bar.update(line, completed=share, description=what, left=known)

        with _ticking(TICK, move):
            yield meter
        move()


@contextmanager
def _ticking(every: float, tick: Callable[[], None]) -> Iterator[None]:
    """Call `tick` again and again from a thread, until the end."""
    over = threading.Event()

    def run() -> None:
        while not over.wait(every):
            tick()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
