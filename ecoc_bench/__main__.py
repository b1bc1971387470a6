"""`python -m ecoc_bench` is `ecoc-bench`."""

import gc
import os
import signal
import sys
import threading

OBJECTS = 50_000  # made between two searches for cycles: imports and compilers leave few of them
INTERRUPTED = 130
PATIENCE = 5.0  # seconds


def start() -> None:
    """The command line; Ctrl-C counts from the first import and does not disturb the end."""
    try:
        try:
            gc.set_threshold(OBJECTS)
            from .cli import main

            main(prog_name="ecoc-bench")
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:  # in the imports, or a second one in that very line
        end_soon()
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if end.code == INTERRUPTED:
            end_soon()
        raise


def end_soon() -> None:
    """End this process after a while, even if a thread is waited for.

    All is written by now. A library that a second Ctrl-C has interrupted in its own cleaning up may
    wait for ever for threads and processes of its.
    """
    end = threading.Timer(PATIENCE, os._exit, [INTERRUPTED])
    end.daemon = True
    end.start()


if __name__ == "__main__":
    start()
