"""Multiclass learning by output codes: codes x learners x decoders."""

__version__ = "0.1.0"
__all__ = ["AdaBoostMH", "AdaBoostMO", "ECOCClassifier"]


def __getattr__(name):
    """Estimators are imported on first use: the command line starts without scikit-learn."""
    from importlib import import_module

    homes = {"ECOCClassifier": ".classifier", "AdaBoostMO": ".learners.adaboost"}
    homes["AdaBoostMH"] = homes["AdaBoostMO"]
    if name not in homes:
        raise AttributeError(f"module 'ecoc_bench' has no attribute '{name}'")
    return getattr(import_module(homes[name], __name__), name)
