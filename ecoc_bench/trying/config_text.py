"""The reductions and methods of a trial as a config that `ecoc-bench run` accepts: try.yaml."""
def config_of(problem, entries, seed, source):
    return ""
