"""Say when kernels are compiled: numba does so on their first use, and keeps them for later."""

import contextlib
import sys
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
        def on_start(self, event):
            for say in _listening[-1:]:
                say()

        def on_end(self, event):
            pass

    _watched.append(_Listener())
    event.register("numba:compile", _watched[0])


_watched: list = []
