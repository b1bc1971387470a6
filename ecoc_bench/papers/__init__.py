"""One folder per paper: printed numbers, claims, tables, figures, and one entry in `registry`."""
