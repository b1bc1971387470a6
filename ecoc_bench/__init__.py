"""Multiclass learning by output codes: codes x learners x decoders.

    YAML -> experiment -> running (fits, store, rows) -> results -> papers, report, check

Imports point one way:

| package      | may import, besides the modules on top                                      |
|--------------|-----------------------------------------------------------------------------|
| `coding`     | nothing                                                                     |
| `data`       | nothing                                                                     |
| `learners`   | coding                                                                      |
| `joint`      | learners, coding, data                                                      |
| `results`    | coding                                                                      |
| `experiment` | joint, learners, data, coding, results.catalogue                            |
| `running`    | experiment, results, joint, learners, data, coding                          |
| `models`     | joint, learners, data, coding, results.summary, results.significance.procedures |
| `trying`     | models, running, experiment, results, joint, learners, data, coding         |
| `plots`      | results, coding                                                             |
| `papers`     | plots, results, data, coding                                                |
| `report`     | trying, papers, plots, results, coding                                      |
| `speed`      | running, experiment, results, joint, learners, data, coding                 |
| `cli`        | all                                                                         |

Each package says in one sentence what it holds. On top lie `errors`, `files`, `seeds`, `plugins`,
`published` (the papers' printed numbers) and `synthetic` (data made for a paper's statement), which
import no package, and `notebook`, which imports all and is imported by none.
"""

__version__ = "0.1.0"
HOMES = {
    "AdaBoostECC": ".joint.boosting",
    "AdaBoostMH": ".learners.adaboost",
    "AdaBoostMO": ".learners.adaboost",
    "AdaBoostOC": ".joint.boosting",
    "AdaBoostSECC": ".joint.boosting",
    "ECOCClassifier": ".learners.classifier",
    "Run": ".notebook",
    "try_table": ".trying.try_table",
    "load": ".models.file",
}
__all__ = [*HOMES]


def __getattr__(name):
    """Estimators are imported on first use: the command line starts without scikit-learn."""
    from importlib import import_module

    if name not in HOMES:
        raise AttributeError(f"module 'ecoc_bench' has no attribute '{name}'")
    return getattr(import_module(HOMES[name], __name__), name)
