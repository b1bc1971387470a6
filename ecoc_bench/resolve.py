"""Names in a config -> the data sets, learners, codes and decoders they stand for.

Learners and decoders are tried on a toy problem first, so that a wrong parameter or a wrong plug-in
is a sentence about the config, before anything is fitted.
"""

import inspect
import warnings
from codecs import BOM_UTF8
from functools import partial
from pathlib import Path

import numpy as np

from . import decoders, losses
from .codes import CODES, Family, all_pairs, check_code
from .config import CodeSpec, DatasetSpec, DecoderSpec, Experiment, LearnerSpec
from .csvfile import read_bytes
from .data import Dataset, available, load, load_csv, read_card
from .errors import CodeError, ConfigError, DataError, UserError, reason, shown, unknown
from .generated import generate
from .learners import learner_class
from .plugins import is_import_path, load_object

ENTRIES = {b"-1": -1, b"0": 0, b"1": 1, b"+1": 1}


def load_dataset(spec: DatasetSpec, folder: Path, seed: int) -> Dataset | None:
    """A shipped set (or its stand-in), a user's CSV, or a function's; None if not yet fetched."""
    if spec.make is not None:
        return generate(spec, folder, seed)
    if spec.path is not None:
        return load_csv(
            folder / spec.path.expanduser(),
            name=spec.name,
            target=spec.target,
            nominal=spec.nominal or (),
            split=spec.split,
            rare_classes=spec.rare_classes,
        )
    card = read_card(spec.name)
    if not available(spec.name) and card.stand_in is None:
        return None
    return load(spec.name, stand_in=True)


def make_learner(spec: LearnerSpec, folder: Path):
    """The unfitted learner, after a trial on a toy problem."""
    from .classifier import as_learner
    from .learners.columns import Columns

    cls = learner_class(spec.type, folder)
    if not inspect.isclass(cls):
        raise ConfigError(f"'{spec.type}' must be a class. Got {cls!r} instead.")
    params = _for_estimator(spec.params) if cls is Columns else spec.params
    _check_params(cls, params)
    try:
        learner = as_learner(cls(**params))
        _try_learner(learner)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(f"fails on a toy problem: {reason(error)}") from error
    return learner


def _for_estimator(params: dict) -> dict:
    """`sklearn: {estimator: ..., n_estimators: 50}`: what is not our own is the estimator's."""
    from .learners.columns import Columns

    own = inspect.signature(Columns).parameters
    rest = {name: value for name, value in params.items() if name not in own}
    ours = {name: value for name, value in params.items() if name in own}
    given = ours.get("params") or {}
    if not isinstance(given, dict):
        raise ConfigError(f"params must be a mapping. Got {shown(given)} instead.")
    return {**ours, "params": {**given, **rest}}


def _check_params(make, params: dict) -> None:
    """Every parameter must be one that `make` takes."""
    try:
        known = inspect.signature(make).parameters
    except (TypeError, ValueError):  # some built-in functions have none that can be read
        return
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return
    for name in params:
        if name not in known:
            raise ConfigError(unknown("parameter", name, [n for n in known if n != "self"]))


def _try_learner(learner) -> None:
    """Fit three classes of four examples each: shape, finiteness, and the name of the loss."""
    from sklearn.base import clone

    from .inputs import INPUTS

    for name in ("loss", "single_call", "inputs", "version"):
        if not hasattr(learner, name):
            raise ConfigError(
                f"a learner must have an attribute '{name}': see ecoc_bench.learners."
            )
    if learner.inputs not in INPUTS:
        raise ConfigError(unknown("inputs", str(learner.inputs), INPUTS))
    if not isinstance(learner.version, int | str):
        raise ConfigError(f"version must be a number. Got {shown(learner.version)} instead.")
    y = np.repeat(np.arange(3), 4)
    X = np.column_stack([y + np.tile([0.0, 0.1, 0.2, 0.3], 3), np.arange(12.0) % 5])
    M = all_pairs(3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        F = clone(learner).fit(X, M[y]).margins(X)
    if np.shape(F) != (12, 3):
        raise ConfigError(
            f"margins of 12 examples x 3 columns must have shape (12, 3). Got {np.shape(F)}."
        )
    if not np.isfinite(F).all():
        raise ConfigError("margins on a toy problem are not finite.")
    if learner.loss not in losses.LOSSES:
        raise ConfigError(unknown("loss", str(learner.loss), losses.LOSSES))


def make_family(spec: CodeSpec, folder: Path) -> Family:
    """The code family of a spec, its parameters bound: `make(n_classes, rng) -> M`."""
    if spec.matrix is not None:
        for extra in ({"family": spec.family} if spec.family else {}) | spec.params:
            raise ConfigError(f"'{extra}' goes with a family; this code is a matrix of its own.")
        M = read_matrix(folder / spec.matrix.expanduser())
        return Family(lambda k, rng: _fitting(M, k), random=False)
    name = str(spec.family)
    if is_import_path(name):
        make = load_object(name, folder)
        if not callable(make):
            raise ConfigError(f"'{name}' must be a function (n_classes, rng) -> matrix.")
        family = Family(lambda k, rng, **p: _plugged(make, name, k, rng, p), random=True)
        _check_params(make, spec.params)
    elif name in CODES:
        family = CODES[name]
        _check_params(family.make, spec.params)
    else:
        raise ConfigError(unknown("code", name, CODES))
    return Family(lambda k, rng: family.make(k, rng, **spec.params), family.random)


def _plugged(make, name, k, rng, params):
    try:
        M = make(k, rng, **params)
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        raise ConfigError(f"'{name}' fails for {k} classes: {reason(error)}") from error
    return _fitting(check_code(M), k)


def _fitting(M, k):
    if len(M) != k:
        raise CodeError(f"the matrix has {len(M)} rows, the data {k} classes: one row per class.")
    return M


def read_matrix(path: Path) -> np.ndarray:
    """A code from a CSV: one line per class in the order of the sorted labels, cells -1, 0 or 1."""
    rows: list[list[int]] = []
    for number, line in enumerate(read_bytes(path).removeprefix(BOM_UTF8).splitlines(), 1):
        if not line.strip():
            continue
        cells = [cell.strip(b' \t"') for cell in line.split(b",")]
        for cell in cells:
            if cell not in ENTRIES:
                got = shown(cell.decode(errors="replace"))
                raise ConfigError(
                    f"{path}: line {number}: cells must be -1, 0 or 1. Got {got} instead."
                )
        rows.append([ENTRIES[cell] for cell in cells])
        if len(cells) != len(rows[0]):
            due = len(rows[0])
            raise ConfigError(f"{path}: line {number}: {len(cells)} cells, the first has {due}.")
    try:
        return check_code(np.array(rows, ndmin=2))
    except UserError as error:
        raise ConfigError(f"{path}: {error}") from error


def make_decoder(spec: DecoderSpec, learner_loss: str, folder: Path) -> decoders.Decoder:
    """The decoder of a spec, after a trial on a toy problem if it is a user's own."""
    if not is_import_path(spec.call):
        return decoders.resolve(spec.call, learner_loss)
    decode = load_object(spec.call, folder)
    if not callable(decode):
        raise ConfigError(f"'{spec.call}' must be a function (M, F) -> D. Got {shown(decode)}.")
    # 5 examples, 4 classes, 6 columns: no two alike, so that no matrix fits where it should not.
    _checked(decode, spec.call, "a toy problem", all_pairs(4), np.linspace(-1, 1, 30).reshape(5, 6))
    return partial(_checked, decode, spec.call, "margins of real data")


def _checked(decode, name: str, where: str, M, F) -> np.ndarray:
    """The distances of a user's own decoder, or a sentence: it may go wrong on any data.

    It gets read-only arrays, for other decoders are given the same ones.
    """
    M, F = M.view(), F.view()
    M.flags.writeable = F.flags.writeable = False
    try:
        D = np.asarray(decode(M, F))
    except (Exception, SystemExit) as error:
        raise ConfigError(f"'{name}' fails on {where}: {reason(error)}") from error
    right = D.shape == (len(F), len(M)) and D.dtype.kind in "biuf"
    if not right or np.isnan(D).any():
        nan = ", some NaN" if right else ""
        raise ConfigError(
            f"'{name}' must give distances as numbers of shape (examples, classes), none NaN. "
            f"On {where}, {len(F)} examples and {len(M)} classes, it gave {D.dtype} of shape "
            f"{D.shape}{nan}."
        )
    return D.astype(float)


def at_key(key: str, where: str, make, *args):
    """Call `make`, putting file and key in front of what it complains of."""
    try:
        return make(*args)
    except DataError as error:
        raise DataError(f"{where}: {key}: {error}") from error
    except UserError as error:
        raise ConfigError(f"{where}: {key}: {error}") from error


class Parts:
    """The resolved parts of an experiment, each by its name."""

    def __init__(self, experiment: Experiment, where: str):
        folder = experiment.folder
        self.learners = {
            spec.name: at_key(f"learners.{spec.name}", where, make_learner, spec, folder)
            for spec in experiment.learners
        }
        self.families = {
            spec.name: at_key(f"codes[{i}]", where, make_family, spec, folder)
            for i, spec in enumerate(experiment.codes)
        }
        self.decoders = {
            (name, spec.name): at_key(
                f"decoders[{i}]", where, make_decoder, spec, learner.loss, folder
            )
            for i, spec in enumerate(experiment.decoders)
            for name, learner in self.learners.items()
        }
        self.datasets = {
            spec.name: at_key(f"datasets[{i}]", where, load_dataset, spec, folder, experiment.seed)
            for i, spec in enumerate(experiment.datasets)
        }
