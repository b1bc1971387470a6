"""The papers, each by the name of its folder. A new paper needs a folder and a line here."""

from .allwein2000 import ALLWEIN_2000
from .paper import Paper
from .passerini2004 import PASSERINI_2004
from .sun2005 import SUN_2005

PAPERS: dict[str, Paper] = {
    "allwein2000": ALLWEIN_2000,
    "passerini2004": PASSERINI_2004,
    "sun2005": SUN_2005,
}
