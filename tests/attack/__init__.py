"""The standing attack: runs are killed in every phase, and commands get input of every bad kind.

`python -m attack` with `tests` on the path does it all and writes a table of counts; `kills.py` and
`inputs.py` draw the cases from a seed, `judge.py` says what counts as a failure.
"""
