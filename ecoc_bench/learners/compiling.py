"""When kernels are compiled, and for how long: numba does so on first use, and keeps them."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

_listening: list[Callable[[], None]] = []  # who wants to know, the last one first


@contextlib.contextmanager
def announced(say: Callable[[], None]) -> Iterator[None]:
    """Call `say` once if a kernel is compiled in this process meanwhile."""
    said: list[bool] = []

    def once() -> None:
        if not said:
            said.append(True)
            say()

    _listening.append(once)
    try:
        watch()
        yield
    finally:
        _listening.remove(once)


def watch() -> None:
    """Listen to numba if it is loaded: to import it for this alone would take half a second."""
    if "numba" not in sys.modules or _watched:
        return
    from numba.core import event

    class _Listener(event.Listener):
        """A kernel compiles those that it calls; numba's lock lets one thread do so at a time."""

        under_way, since = 0, 0.0

        def on_start(self, event):
            if not self.under_way:
                self.since = time.perf_counter()
            self.under_way += 1
            for say in _listening[-1:]:
                say()

        def on_end(self, event):
            self.under_way -= 1
            if not self.under_way:
                _spent.append(time.perf_counter() - self.since)

    _watched.append(_Listener())
    event.register("numba:compile", _watched[0])


class Stopwatch:
    """The seconds since it was made in which this process compiled no kernel."""

    def __init__(self):
        watch()
        self._since, self._spent = time.perf_counter(), sum(_spent)

    def read(self) -> float:
        return time.perf_counter() - self._since - (sum(_spent) - self._spent)


_watched: list = []
_spent: list[float] = []  # seconds of each compilation
