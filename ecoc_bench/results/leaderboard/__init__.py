"""Everything that a run compares in one order, codes and methods together: the answer first.

results -> board (who is ranked, on what, how well) -> best (who is worse beyond chance) -> text
"""

from .board import Leaderboard, Standing, leaderboard
from .text import notes, opening, render, verdict

__all__ = ["Leaderboard", "Standing", "leaderboard", "notes", "opening", "render", "verdict"]
