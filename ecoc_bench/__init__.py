"""Multiclass learning by output codes: codes x learners x decoders."""

__version__ = "0.1.0"
HOMES = {
    "AdaBoostECC": ".joint.boosting",
    "AdaBoostMH": ".learners.adaboost",
    "AdaBoostMO": ".learners.adaboost",
    "AdaBoostOC": ".joint.boosting",
    "AdaBoostSECC": ".joint.boosting",
    "ECOCClassifier": ".learners.classifier",
    "Run": ".notebook",
}
__all__ = [*HOMES]


def __getattr__(name):
    """Estimators are imported on first use: the command line starts without scikit-learn."""
    from importlib import import_module

    if name not in HOMES:
        raise AttributeError(f"module 'ecoc_bench' has no attribute '{name}'")
    return getattr(import_module(HOMES[name], __name__), name)
