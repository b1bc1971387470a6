"""A run's folder becomes numbers and text, read once: file catalogue, `Run`, tables, tests."""
