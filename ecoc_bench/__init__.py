"""Multiclass learning by output codes: codes x learners x decoders."""

__version__ = "0.1.0"
