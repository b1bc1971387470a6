"""`python -m ecoc_bench` is `ecoc-bench`."""

import signal
import sys


def start() -> None:
    """The command line; Ctrl-C counts from the first import and does not disturb the end."""
    try:
        from .cli import main

        main(prog_name="ecoc-bench")
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


if __name__ == "__main__":
    start()
