"""What we cost, measured next to the peers in one process, in turn."""
