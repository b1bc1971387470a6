"""Names in a config -> the data sets, learners, codes and decoders they stand for.

The user's decoder is tried on a toy problem first, so that a wrong one gives a message about the
config before anything is fitted; `trials` does the same with learners.
"""

from codecs import BOM_UTF8
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ..coding import decoders, measures
from ..coding.codes import CODES, Family, all_pairs, check_code
from ..data.cards import ALL, Dataset, as_nominal, check_pca, load_if_here, without
from ..data.costs import read_costs, tree_costs
from ..data.formats import load_file
from ..data.label_sets import Labels
from ..data.table import read_bytes
from ..errors import CodeError, ConfigError, DataError, UserError, reason, shown, unknown
from ..joint import method_path
from ..learners import learner_path
from ..plugins import check_params, is_import_path, load_object
from .config import CodeSpec, DecoderSpec, Experiment
from .dataset_spec import DatasetSpec
from .generated import generate

ENTRIES = {b"-1": -1, b"0": 0, b"1": 1, b"+1": 1}


def load_dataset(spec: DatasetSpec, folder: Path, seed: int) -> Dataset | None:
    """The data of a spec, changed as the spec asks; None if they are not fetched yet."""
    data = _load(spec, folder, seed)
    if data is None:
        return None
    if spec.drop and spec.path is None:
        data = without(data, spec.drop)
    if spec.nominal is not None and spec.path is None:
        data = as_nominal(data, data.columns if spec.nominal == (ALL,) else spec.nominal)
    if spec.pca is not None:
        check_pca(data, spec.pca)
    costs = None if spec.costs is None else _costs(spec.costs, data.classes, folder)
    return replace(data, name=spec.name, pca=spec.pca, costs=costs)


def _costs(costs, classes: tuple[str, ...], folder: Path) -> np.ndarray:
    """The costs of mistakes in a CSV next to the config, or by a tree in it."""
    if isinstance(costs, str):
        return read_costs(folder / Path(costs).expanduser(), classes)
    try:
        return tree_costs(costs, classes)
    except DataError as error:
        raise DataError(f"costs: {error}") from error


def _load(spec: DatasetSpec, folder: Path, seed: int) -> Dataset | None:
    """A shipped data set (or its stand-in), the user's file, or the data set of a function."""
    if spec.make is not None:
        return generate(spec, folder, seed)
    if spec.path is not None:
        return load_file(
            folder / spec.path.expanduser(),
            spec.format,
            name=spec.name,
            dtype=spec.dtype or "float64",
            target=spec.target,
            nominal=spec.nominal or (),
            split=spec.split,
            rare_classes=spec.rare_classes,
            drop=spec.drop,
            missing_labels=spec.missing_labels,
            labels=Labels(spec.labels.separator, spec.labels.columns) if spec.labels else None,
            sequence=spec.sequence,
        )
    return load_if_here(spec.of or spec.name)


def make_family(spec: CodeSpec, folder: Path) -> Family:
    """The code family of a spec, its parameters bound: `make(n_classes, rng) -> M`."""
    if spec.matrix is not None:
        for extra in ({"family": spec.family} if spec.family else {}) | spec.params:
            raise ConfigError(f"'{extra}' goes with a family; this code is a matrix.")
        M = read_matrix(folder / spec.matrix.expanduser())
        return Family(lambda k, rng: _fitting(M, k), random=False)
    name = str(spec.family)
    if is_import_path(name):
        make = load_object(name, folder)
        if not callable(make):
            raise ConfigError(f"'{name}' must be a function (n_classes, rng) -> matrix.")
        family = Family(lambda k, rng, **p: _plugged(make, name, k, rng, p), random=True)
        check_params(make, spec.params)
    elif name in CODES:
        family = CODES[name]
        check_params(family.make, spec.params)
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
    """The decoder of a spec, after a trial on a toy problem if it is the user's."""
    if not is_import_path(spec.call):
        return decoders.resolve(spec.call, learner_loss)
    decode = load_object(spec.call, folder)
    if not callable(decode):
        raise ConfigError(f"'{spec.call}' must be a function (M, F) -> D. Got {shown(decode)}.")
    # 5 examples, 4 classes, 6 columns: no two equal, so that no matrix fits where it should not.
    _checked(decode, spec.call, "a toy problem", all_pairs(4), np.linspace(-1, 1, 30).reshape(5, 6))
    return partial(_checked, decode, spec.call, "margins of real data")


def _checked(decode, name: str, where: str, M, F) -> np.ndarray:
    """The distances of the user's decoder, checked each time: it may go wrong on any data.

    It gets read-only arrays, because other decoders get the same ones.
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
    """Call `make`, and put file and key in front of its error message."""
    try:
        return make(*args)
    except DataError as error:
        raise DataError(f"{where}: {key}: {error}") from error
    except UserError as error:
        raise ConfigError(f"{where}: {key}: {error}") from error


def _check_names(experiment: Experiment, where: str) -> None:
    """Refuse names that no registry has."""
    for kind, specs, path in (
        ("learners", experiment.learners, learner_path),
        ("methods", experiment.methods, method_path),
    ):
        for spec in specs:
            at_key(f"{kind}.{spec.of or spec.name}", where, path, spec.type)
    for i, decoder in enumerate(experiment.decoders):
        if not is_import_path(decoder.call):
            at_key(f"decoders[{i}]", where, decoders.resolve, decoder.call, "hinge")
    for i, name in enumerate(experiment.measures):
        at_key(f"measures[{i}]", where, measures.named, name)
    _check_costs(experiment, where)


def _check_costs(experiment: Experiment, where: str) -> None:
    """Refuse what needs costs if no data set has any."""
    if any(spec.costs is not None for spec in experiment.datasets):
        return
    needing = [
        f"measures: '{name}'"
        for name in experiment.measures
        if "costs" in measures.named(name).needs
    ]
    needing += [f"decoders: '{s.call}'" for s in experiment.decoders if s.call in decoders.COSTED]
    if needing:
        raise ConfigError(
            f"{where}: {needing[0]} needs the costs of a data set. Write {{name: ..., costs: "
            "my_costs.csv}, or a tree of its classes in place of the file."
        )


class Resolved:
    """What the names in an experiment stand for: data sets, learners, codes and so on, by name.

    Names, data and codes come first: a mistake in these is said before scikit-learn is imported.
    """

    def __init__(self, experiment: Experiment, where: str):
        folder = experiment.folder
        _check_names(experiment, where)
        self.families = {
            spec.name: at_key(f"codes[{i}]", where, make_family, spec, folder)
            for i, spec in enumerate(experiment.codes)
        }
        self.datasets = self._load_all(experiment, where)
        from .trials import make_learner, make_method

        self.learners = {
            spec.name: at_key(f"learners.{spec.of or spec.name}", where, make_learner, spec, folder)
            for spec in experiment.learners
        }
        self.methods = {
            spec.name: at_key(f"methods.{spec.of or spec.name}", where, make_method, spec, folder)
            for spec in experiment.methods
        }
        self.decoders = {
            (name, spec.name): at_key(
                f"decoders[{i}]", where, make_decoder, spec, learner.loss, folder
            )
            for i, spec in enumerate(experiment.decoders)
            for name, learner in self.learners.items()
        }

    @staticmethod
    def _load_all(experiment: Experiment, where: str) -> dict[str, Dataset | None]:
        """Every data set; the noise levels of one data set share its data."""
        loaded: dict[str, Dataset | None] = {}
        found: dict[str, Dataset | None] = {}
        for i, spec in enumerate(experiment.datasets):
            name = spec.of or spec.name
            if name not in loaded:
                given = spec, experiment.folder, experiment.seed
                loaded[name] = at_key(f"datasets[{i}]", where, load_dataset, *given)
            data = loaded[name]
            found[spec.name] = data and replace(data, name=spec.name)
        return found
