"""Our time and memory, measured against other libraries in one process, in turn."""
