"""Allwein, Schapire & Singer 2000: Tables 2 and 3, Figures 1 and 3 to 7, and 18 claims."""

from ..paper import Paper
from .claims import CLAIMS, SCOPES
from .figures import drawn, pictures

ALLWEIN_2000 = Paper(SCOPES, CLAIMS, figures=pictures, drawn=drawn)
