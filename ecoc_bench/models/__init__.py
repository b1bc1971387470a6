"""A fitted classifier becomes a file, and the file predicts new rows."""
