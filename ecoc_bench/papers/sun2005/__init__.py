"""Sun, Todorovic, Li & Wu 2005: Tables 1 to 3, Figures 3 and 4, and 8 claims."""

from ..paper import Paper, in_figures
from .claims import CLAIMS, SCOPES
from .tables import tables

SUN_2005 = Paper(
    SCOPES, CLAIMS, tables, in_figures(__name__, "pictures"), in_figures(__name__, "drawn")
)
