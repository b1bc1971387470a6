"""One folder a paper: printed numbers, claims, tables, figures, and one entry in `registry`."""
