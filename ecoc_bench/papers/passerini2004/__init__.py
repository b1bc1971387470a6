"""Passerini, Pontil & Frasconi 2004: Figures 2 to 4, Table I, choices of gamma, and 8 claims."""

from ..paper import Paper
from .claims import CLAIMS, SCOPES
from .figures import drawn, pictures
from .tables import tables

PASSERINI_2004 = Paper(SCOPES, CLAIMS, tables, pictures, drawn)
