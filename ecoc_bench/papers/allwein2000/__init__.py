"""Allwein, Schapire & Singer 2000: Tables 1 to 3, Figures 1 to 7, and 18 claims."""

from ..paper import Paper
from .claims import CLAIMS, SCOPES
from .figures import drawn, pictures
from .table1 import tables

ALLWEIN_2000 = Paper(SCOPES, CLAIMS, tables=tables, figures=pictures, drawn=drawn)
