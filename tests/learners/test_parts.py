"""Kernels are entries, kept on disk, or parts of them, without what Python would call them by."""

from pathlib import Path

import numba
import pytest
from numba.core.codegen import JITCodeLibrary
from numba.core.dispatcher import Dispatcher
from parts import called

from ecoc_bench.learners import (
    _boost_multi,
    _boost_single,
    _boosting,
    _kernel_rows,
    _parts,
    _stumps,
    _svm_faces,
    _svm_pairs,
    _svm_solve,
)

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs compilation")
MODULES = [
    _boost_multi,
    _boost_single,
    _boosting,
    _kernel_rows,
    _stumps,
    _svm_faces,
    _svm_pairs,
    _svm_solve,
]
ENTRIES = {
    "add_steps",
    "boost_multi",
    "boost_single",
    "diagonal",
    "expand",
    "search_one",
    "squared_lengths",
    "step_table",
    "take_turn",
}


def plain(x):
    return x + 1


def test_only_entries_can_be_called_from_python_and_are_kept_on_disk():
    """Any other function with a wrapper makes the first use slower by as much as its own code."""
    kernels = {f for module in MODULES for f in vars(module).values() if isinstance(f, Dispatcher)}
    of_entry, of_part = (kind(plain).targetoptions for kind in (_parts.entry, _parts.part))
    kept = {f.__name__ for f in kernels if f._cache.cache_path is not None}
    assert kept == ENTRIES
    for f in kernels:
        if f.__name__ in ENTRIES:
            assert f.targetoptions == of_entry
        else:
            assert f.targetoptions == of_part or f.targetoptions["inline"] == "always"


def test_a_part_is_called_by_an_entry_and_not_from_python():
    part = _parts.part(plain)
    assert called(part)(2) == 3
    assert _parts.part(plain).targetoptions["no_cpython_wrapper"]


def test_with_another_numba_parts_are_compiled_in_its_way(monkeypatch):
    monkeypatch.setattr(numba, "__version__", "9.0.0")
    source = Path(_parts.__file__).read_text()
    other = dict(vars(_parts))
    exec(compile(source, "parts of another numba", "exec"), other)
    assert "pipeline_class" in _parts._PART
    assert "pipeline_class" not in other["_PART"]
    assert called(other["part"](plain))(2) == 3


def test_a_part_is_translated_with_its_entry_and_not_before(monkeypatch):
    translated = []
    finish = JITCodeLibrary._finalize_specific
    monkeypatch.setattr(
        JITCodeLibrary,
        "_finalize_specific",
        lambda library: (translated.append(library.name), finish(library)),
    )
    part = _parts.part(plain)

    def calls_it(x):
        return part(x)

    assert numba.njit(calls_it)(2) == 3
    assert len(part.overloads) == 1
    assert [name.split(".")[-1] for name in translated] == ["calls_it"]
