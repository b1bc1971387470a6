"""`python -m ecoc_bench` is `ecoc-bench`."""

from .cli import main

main(prog_name="ecoc-bench")
