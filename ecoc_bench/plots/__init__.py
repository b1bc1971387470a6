"""Pictures: each module draws one kind from plain tables or arrays and returns a Figure.

Nothing is fitted here; `ecoc_bench.report.figures` decides which pictures a run gets.
"""
