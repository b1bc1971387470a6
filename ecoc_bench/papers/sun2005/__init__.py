"""Sun, Todorovic, Li & Wu 2005: Tables 1 to 3, Figures 3 and 4, and 8 claims."""

from ..paper import Paper
from .claims import CLAIMS, SCOPES
from .figures import drawn, pictures
from .tables import tables

SUN_2005 = Paper(SCOPES, CLAIMS, tables, pictures, drawn)
