"""Passerini, Pontil & Frasconi 2004: Figures 2 to 4, Table I, choices of gamma, and 8 claims."""

from ..paper import Paper, in_figures
from .claims import CLAIMS, SCOPES
from .tables import tables

PASSERINI_2004 = Paper(
    SCOPES, CLAIMS, tables, in_figures(__name__, "pictures"), in_figures(__name__, "drawn")
)
