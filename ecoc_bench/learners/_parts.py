"""How kernels are compiled: entries and their parts.

Python calls an entry; numba keeps it on disk, with all its parts in it. A part is called by
compiled code only: what would take its arguments from Python is not compiled (that is as much code
as the part), and it is translated into machine code with its entry (`_part_compiler`).

What is slow to compile, too:

- an argument of another type or layout (everything below is compiled once more; a literal number
  is a type, also that from which a loop's counter starts: `np.int64(0)` is not);
- a tuple of many arrays: it is copied whole wherever a part takes it or a field of it is read. Hand
  on the arrays that are needed, and make one array of records of those that belong together;
- reductions, array expressions, `reshape`, and an array copied into a slice (its error message is
  compiled with it).
"""

from typing import Any

import numba
from numba import njit

from .compiling import watch

watch()
TRIED = "0.68."  # versions of numba that `_part_compiler` fits; others compile parts in their way
_COMPILED: dict[str, Any] = {"error_model": "numpy", "nogil": True, "no_cfunc_wrapper": True}
entry = njit(cache=True, **_COMPILED)
_PART: dict[str, Any] = {"no_cpython_wrapper": True}
if numba.__version__.startswith(TRIED):
    from ._part_compiler import PartCompiler

    _PART["pipeline_class"] = PartCompiler
part = njit(**_PART, **_COMPILED)
inlined = njit(inline="always", **_COMPILED)
