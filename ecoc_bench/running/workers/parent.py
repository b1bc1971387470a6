"""A worker process and its parent: the worker ends when its parent has gone.

It loads nothing else of ours: workers watch their parents before they import what fits need.
"""

import gc
import os
import signal
import threading
import time


def begin(parent: int, *thresholds: int) -> None:
    """Before its first task, which may never come: the parent alone answers Ctrl-C.

    `thresholds`: how rarely garbage is collected, from the imports on.
    """
    gc.set_threshold(*thresholds)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)


def die_with(parent: int) -> None:
    """End this process when its parent has gone, as soon as compiled code lets threads run."""
    threading.Thread(target=_watch, args=[parent], daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
