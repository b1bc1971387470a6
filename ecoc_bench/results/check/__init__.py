"""A run compared with a reference, entry by entry: one worse beyond the noise is a regression."""
