"""Learners and methods named in a config, tried on a toy problem before anything is fitted.

So a wrong parameter or a wrong plug-in gives a message about the config.
"""

import inspect
import warnings
from pathlib import Path

import numpy as np

from ..coding import losses
from ..coding.codes import all_pairs
from ..data.inputs import INPUTS
from ..errors import ConfigError, UserError, reason, shown, unknown
from ..joint import BASES, method_class
from ..joint.adapter import Joint
from ..learners import learner_class
from ..learners.adapt import Adapted, as_learner
from ..learners.columns import Columns
from ..learners.compiling import watch
from ..learners.contract import Learner
from ..plugins import check_params, is_import_path, load_object
from .config import LearnerSpec


def make_learner(spec: LearnerSpec, folder: Path) -> Learner:
    """The unfitted learner, after a trial on a toy problem."""
    cls = learner_class(spec.type, folder)
    if not inspect.isclass(cls):
        raise ConfigError(f"'{spec.type}' must be a class. Got {cls!r} instead.")
    params = spec.params
    if cls is Columns:
        params = _for_estimator(params)
        if isinstance(params.get("estimator"), str):
            load_object(params["estimator"], folder)  # from now on it is found, next to the config
    check_params(cls, params)
    try:
        learner = _made(cls, params)
        _try_learner(learner)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(f"fails on a toy problem: {reason(error)}") from error
    return learner


def _made(cls, params: dict) -> Learner:
    """The learner; a class with only `fit` and `margins` is wrapped and made again for each fit."""
    learner = cls(**params)
    if hasattr(learner, "margins") and not hasattr(learner, "get_params"):
        return Adapted(cls, params)
    return as_learner(learner)


def make_method(spec: LearnerSpec, folder: Path) -> Joint:
    """The unfitted method as a learner, after a trial on a toy problem."""
    cls = method_class(spec.type, folder)
    if not inspect.isclass(cls):
        raise ConfigError(f"'{spec.type}' must be a class. Got {cls!r} instead.")
    params = dict(spec.params)
    for key in ("estimator", "learner"):
        if isinstance(params.get(key), str | dict):
            params[key] = _base(key, params[key], folder)
    check_params(cls, params)
    try:
        method = Joint(cls(**params))
        _try_method(method)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(f"fails on a toy problem: {reason(error)}") from error
    return method


def _base(key: str, value: str | dict, folder: Path):
    """A method's base estimator or learner: `c45`, `module:Class`, or a mapping with its `type`."""
    settings = {"type": value} if isinstance(value, str) else dict(value)
    name = settings.pop("type", None)
    if not isinstance(name, str):
        raise ConfigError(f"{key} must have a 'type'. Got {shown(value)} instead.")
    if key == "learner":
        cls = learner_class(name, folder)
    elif is_import_path(name) or name in BASES:
        cls = load_object(BASES.get(name, name), folder)
    else:
        raise ConfigError(unknown(key, name, BASES))
    check_params(cls, settings)
    try:
        return cls(**settings)
    except Exception as error:
        raise ConfigError(f"{key}: '{name}' cannot be made: {reason(error)}") from error


def _try_method(method: Joint) -> None:
    """Fit three classes of four examples each: every prediction must be a label."""
    if method.inputs not in INPUTS:
        raise ConfigError(unknown("inputs", str(method.inputs), INPUTS))
    watch()
    X, y = _toy()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        labels = method.fitted(X, y[:, None]).margins(X)
    if labels.shape != (12, 1) or not np.isin(labels, y).all():
        raise ConfigError("predict must give one of the labels for each row.")


def _toy() -> tuple[np.ndarray, np.ndarray]:
    y = np.repeat(np.arange(3), 4)
    return np.column_stack([y + np.tile([0.0, 0.1, 0.2, 0.3], 3), np.arange(12.0) % 5]), y


def _for_estimator(params: dict) -> dict:
    """`sklearn: {estimator: ..., n_estimators: 50}`: keys unknown to us are the estimator's."""
    own = inspect.signature(Columns).parameters
    rest = {name: value for name, value in params.items() if name not in own}
    ours = {name: value for name, value in params.items() if name in own}
    given = ours.get("params") or {}
    if not isinstance(given, dict):
        raise ConfigError(f"params must be a mapping. Got {shown(given)} instead.")
    return {**ours, "params": {**given, **rest}}


def _try_learner(learner: Learner) -> None:
    """Fit three classes of four examples each: shape, finiteness, and the name of the loss."""
    if learner.loss not in losses.LOSSES:
        raise ConfigError(unknown("loss", str(learner.loss), losses.LOSSES))
    if learner.inputs not in INPUTS:
        raise ConfigError(unknown("inputs", str(learner.inputs), INPUTS))
    if not isinstance(learner.version, int | str):
        raise ConfigError(f"version must be a number. Got {shown(learner.version)} instead.")
    watch()
    X, y = _toy()
    Y = all_pairs(3)[y]
    # A learner that is not single-call gets the columns together or one by one.
    for n_columns in (3,) if learner.single_call else (3, 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            F = learner.fitted(X, Y[:, :n_columns]).margins(X)
        if np.shape(F) != (12, n_columns):
            raise ConfigError(
                f"margins of 12 examples x {n_columns} columns must have shape (12, {n_columns}). "
                f"Got {np.shape(F)}."
            )
        if not np.isfinite(F).all():
            raise ConfigError("margins on a toy problem are not finite.")
