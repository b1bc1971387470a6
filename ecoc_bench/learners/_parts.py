"""How kernels are compiled: entries and their parts.

Python calls an entry; numba keeps it on disk, with all its parts in it. A part is called by
compiled code only, and what would take its arguments from Python is not compiled: that is as much
code as the part. Every layer of functions is optimised again with all that it calls, so a part with
many arguments and one caller is better `inlined`: copied into the caller before types are inferred.

What is slow to compile, too: an argument of another type or layout (everything below is compiled
once more; a literal number is a type, also that from which a loop's counter starts: `np.int64(0)`
is not), reductions and array expressions, and an array copied into a slice (its error message is
compiled with it).
"""

from typing import Any

from numba import njit

_COMPILED: dict[str, Any] = {"error_model": "numpy", "nogil": True}
_UNCALLED: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
entry = njit(cache=True, **_COMPILED)
part = njit(**_COMPILED, **_UNCALLED)
inlined = njit(inline="always", **_COMPILED)
