"""Multiclass learning by output codes: codes x learners x decoders."""

__version__ = "0.1.0"
__all__ = ["ECOCClassifier"]


def __getattr__(name):
    """Estimators are imported on first use: the command line starts without scikit-learn."""
    if name == "ECOCClassifier":
        from .classifier import ECOCClassifier

        return ECOCClassifier
    raise AttributeError(f"module 'ecoc_bench' has no attribute '{name}'")
