"""A part is optimised and translated into machine code once, inside of its entry.

Numba would do so for every function with all that it calls, layer by layer: a quarter of the time
of a first compilation. This reaches into numba's inner workings: see TRIED in `_parts`.
"""

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class Unfinished(JITCodeLibrary):
    """The code of a part and of what it calls, neither optimised nor translated by itself."""

    def finalize(self):
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class PartLowering(NativeLowering):
    """Numba's generation of code, with no function for Python at its end."""

    _name = "part_lowering"

    def run_pass(self, state):
        state.library = Unfinished(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        names = made.fndesc.lookup_module(), made.fndesc.qualname, "a part"
        # Callers look the part up by a builtin function: one without machine code, as numba's own
        # are that have no wrapper.
        key = _dynfunc.make_function(*names, 0, made.env, (state.library,))
        state["cr"] = made._replace(cfunc=key)
        state.targetctx.insert_user_function(key, made.fndesc, [state.library])
        return True


class PartCompiler(CompilerBase):
    """Numba's passes, but for the last that makes code."""

    def define_pipelines(self):
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (PartLowering if kind is NativeLowering else kind, text) for kind, text in passes.passes
        ]
        passes.finalize()
        return [passes]
