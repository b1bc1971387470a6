"""A run compared with a reference, cell by cell: a cell worse beyond the noise is a regression."""
