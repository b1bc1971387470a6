"""`python -m ecoc_bench` is `ecoc-bench`."""

import sys


def start() -> None:
    """The command line; Ctrl-C counts from the first import."""
    try:
        from .cli import main
    except KeyboardInterrupt:
        sys.exit(130)
    main(prog_name="ecoc-bench")


if __name__ == "__main__":
    start()
