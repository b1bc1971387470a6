"""Where fits are done: processes, threads, a Dask cluster, or a child that may be killed."""
