"""Pictures: each module draws one kind from plain tables or arrays and gives a Figure.

Nothing here reads a run or fits anything; `ecoc_bench.figures` decides which pictures a run gets.
"""
