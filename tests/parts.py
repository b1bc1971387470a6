"""Parts of kernels, which only compiled code can call, made callable for their tests."""

from functools import cache

from ecoc_bench.learners._parts import entry


@cache
def called(part):
    """The part as an entry; where nothing is compiled, the part itself."""
    return entry(getattr(part, "py_func", part))
