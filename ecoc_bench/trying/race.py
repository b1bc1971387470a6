"""The candidates x test parts, fitted within the time: cheap ones first, none by half.

A candidate is done when all its test parts are scored and its model, fitted on all rows, is a file.
So whatever is picked later is there already. One whose rest would take more than half of the time
that is left waits until the others had their turn; one whose rest no longer fits is given up.
"""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import reason
from ..seeds import seed_for
from .answer import FAILED, RANKED, UNFINISHED
from .budget import Clock
from .calibrate import temperature
from .candidates import Candidate, Size
from .folds import parts
from .look import Problem
from .work import fit_part, fit_whole
from .workers import Worker

HOPELESS = 3.0  # times the time left: estimates before the first fit are rough
SHORTEST = 0.3  # seconds: less is not worth a start
WHOLE = -1  # the task that makes the model


class Run:
    """One candidate on its way."""

    def __init__(self, candidate: Candidate, folds: np.ndarray, k: int):
        self.candidate = candidate
        self.todo = list(range(len(parts(folds))))
        self.going = 0
        self.scores = np.full((*folds.shape, k), np.nan)
        self.fit_seconds: list[float] = []
        self.predict_us: list[float] = []
        self.status, self.reason = UNFINISHED, "its turn did not come"
        self.temperature = self.megabytes = np.nan
        self.ended = self.postponed = self.told = False

    @property
    def begun(self) -> bool:
        return bool(self.fit_seconds or self.going)

    def end(self, status: str, why: str = "") -> None:
        """The first reason stays: other fits of it may still be on their way."""
        if not self.ended:
            self.status, self.reason, self.ended, self.todo = status, why, True, []

    def rest(self, jobs: int) -> float:
        """Seconds until its model is there, by its fits so far."""
        mean = float(np.mean(self.fit_seconds))
        whole = WHOLE in self.todo or bool(self.todo)
        return mean * (-(-len(self.todo) // jobs) + whole * 1.3)


class Race:
    """All candidates on one table. Ctrl-C ends the fits: what is done then is ranked."""

    def __init__(
        self,
        problem: Problem,
        candidates: list[Candidate],
        folds: np.ndarray,
        clock: Clock,
        workers: Sequence[Worker],
        seed: int,
        folder: Path,
        facts: dict[str, Any],
        labels: tuple | None = None,
        say: Callable[[str, float], None] = lambda line, share: None,
    ):
        self.problem, self.folds, self.clock, self.workers = problem, folds, clock, workers
        self.seed, self.folder, self.facts, self.labels, self.say = (
            seed, folder, facts, labels, say,
        )  # fmt: skip
        k = problem.data.n_classes
        self.parts = parts(folds)
        self.runs = [Run(candidate, folds, k) for candidate in candidates]
        self.queue = list(self.runs)
        self._turn = threading.Condition()
        self.interrupted = False
        train = problem.train
        self.rows = np.arange(len(problem.data.y)) if train is None else np.flatnonzero(train)

    def run(self) -> list[Run]:
        """Fit until all is done or the time for fits is over."""
        threads = [
            threading.Thread(target=self._work, args=[worker], daemon=True)
            for worker in self.workers
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)  # in short waits, so that Ctrl-C is heard
        except KeyboardInterrupt:
            self.interrupted = True
        with self._turn:
            for run in self.runs:
                run.end(UNFINISHED, "interrupted" if self.interrupted else run.reason)
        return self.runs

    def _work(self, worker: Worker) -> None:
        while (task := self._next()) is not None:
            self._do(worker, *task)

    def _next(self) -> tuple[Run, int, float] | None:
        """The next task and its limit in seconds; waits while others may give new ones."""
        with self._turn:
            while True:
                task = self._task()
                if task is not None:
                    task[0].going += 1
                    return task
                if not any(run.going for run in self.runs):
                    self._turn.notify_all()
                    return None
                self._turn.wait(1.0)

    def _task(self) -> tuple[Run, int, float] | None:
        for run in [*self.queue]:
            if not run.todo:
                continue
            left = self._left(run)
            if left <= SHORTEST:
                run.end(UNFINISHED, "the time was over")
            elif not run.begun and self._estimate(run) > HOPELESS * left:
                run.end(UNFINISHED, f"a fit would take about {self._estimate(run):.0f} s")
            else:
                return run, run.todo.pop(0), left / 2 if self._is_unknown(run) else left
        return None

    def _is_unknown(self, run: Run) -> bool:
        """Whether a first fit may take too long for others that wait; not one of the cheap two."""
        others = any(r.todo and not r.begun for r in self.queue if r is not run)
        return others and not run.fit_seconds and run not in self.runs[:2]

    def _left(self, run: Run) -> float:
        """The first candidate, the prior, may use all of the time: there must be a model."""
        return self.clock.left if run is self.runs[0] else self.clock.left_for_fits

    def _estimate(self, run: Run) -> float:
        data = self.problem.data
        n_values = sum(len(values) if values is not None else 1 for values in data.categories)
        size = Size(len(self.rows), n_values, data.n_classes)
        return run.candidate.seconds(size)

    def _do(self, worker: Worker, run: Run, part: int, limit: float) -> None:
        data = self.problem.data
        try:
            if part == WHOLE:
                run.megabytes = worker.call(limit, data, *self._whole(run)) / 1e6
                run.end(RANKED)
            else:
                self._keep(run, part, worker.call(limit, data, *self.task_of(run, part)))
        except TimeoutError:
            run.end(UNFINISHED, f"a fit was stopped after {limit:.1f} s: the time was over")
        except Exception as error:  # of the fit: it stands in the leaderboard with its reason
            run.end(FAILED, reason(error).removeprefix("RuntimeError: "))
        with self._turn:
            run.going -= 1
            self._consider(run)
            self._turn.notify_all()
            self._tell(run)

    def task_of(self, run: Run, part: int) -> tuple:
        """The fit of a test part: function, candidate, training rows, test rows, seed."""
        r, f = self.parts[part]
        train = np.flatnonzero(self.folds[r] != f)
        if self.problem.train is not None:
            train = self.rows
        seed = seed_for("try", self.seed, run.candidate.name, r, f)
        return fit_part, run.candidate, train, np.flatnonzero(self.folds[r] == f), seed

    def _whole(self, run: Run) -> tuple:
        tested = self.folds >= 0
        y = np.broadcast_to(self.problem.data.y, self.folds.shape)[tested]
        run.temperature = temperature(run.scores[tested], y)
        seed = seed_for("try", self.seed, run.candidate.name, "whole")
        facts = {**self.facts, "candidate": run.candidate.name, "title": run.candidate.title}
        path = self.folder / f"{run.candidate.name}.ecoc"
        return (
            fit_whole, run.candidate, self.rows, seed, run.temperature, facts, self.labels, path,
        )  # fmt: skip

    def _keep(self, run: Run, part: int, found) -> None:
        r, f = self.parts[part]
        test = np.flatnonzero(self.folds[r] == f)
        if not np.isfinite(found.scores).all():
            raise ValueError("its scores are not all finite")
        with self._turn:
            run.scores[r, test] = found.scores
            run.fit_seconds.append(found.fit_seconds)
            run.predict_us.append(1e6 * found.predict_seconds / len(test))

    def _consider(self, run: Run) -> None:
        """After a fit: the model next, or give the candidate up, or let others go first."""
        if run.ended:
            return
        if len(run.fit_seconds) == len(self.parts):
            run.todo = [WHOLE]
            self.queue.remove(run)
            self.queue.insert(0, run)
        left, rest = self._left(run), run.rest(len(self.workers))
        if rest > left and run is not self.runs[0]:
            run.end(UNFINISHED, f"it would take {rest:.0f} s more")
        elif rest > left / 2 and not run.postponed and run.todo != [WHOLE]:
            run.postponed = True
            self.queue.remove(run)
            self.queue.append(run)

    def _tell(self, run: Run) -> None:
        if run.told:
            return
        run.told = run.ended
        done = sum(len(r.fit_seconds) + r.ended for r in self.runs)
        share = done / (len(self.runs) * (len(self.parts) + 1))
        state = run.status if run.ended else f"{len(run.fit_seconds)} of {len(self.parts)} folds"
        self.say(f"{run.candidate.title}: {state}", share)
