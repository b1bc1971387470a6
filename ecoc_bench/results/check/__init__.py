"""A run compared with a reference, cell by cell: worse beyond the noise is a regression."""
