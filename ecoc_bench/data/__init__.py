"""A name or a file becomes a `Dataset` and its inputs: cards, CSV, fetching, preprocessing."""
