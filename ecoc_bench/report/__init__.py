"""Pictures and the page of a run, and the tables that its papers add."""
