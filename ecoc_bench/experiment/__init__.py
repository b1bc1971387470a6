"""YAML becomes a validated `Experiment` and its plan of cells and tasks; nothing is stored."""
