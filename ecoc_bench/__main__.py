"""`python -m ecoc_bench` is `ecoc-bench`."""

import gc
import signal
import sys

OBJECTS = 50_000  # made between two searches for cycles: imports and compilers leave few of them


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
        sys.exit(130)


if __name__ == "__main__":
    start()
