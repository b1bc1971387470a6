"""Registries and cards as text, for `ecoc-bench list` and `ecoc-bench show`."""

from collections.abc import Iterator
from pathlib import Path

from ..errors import UserError, unknown
from ..plugins import is_import_path
from ..results.formats import wrapped

MOST_SIGNS = 20_000  # of a code, in a terminal
CORNER = (40, 400)  # rows and columns of a larger one
ZEROS = (
    "A zero counts 1/2 in rho. A column that leaves the true class out may speak against it; that "
    "is not among the wrong columns."
)


def lines(what: str) -> Iterator[str]:
    """A line for each data set, code, learner, decoder, method, measure or config."""
    entries = list(LISTS[what]())
    width = max(len(name) for name, _ in entries) + 2
    for name, text in entries:
        yield f"{name:{width}}{text}"


def _datasets() -> Iterator[tuple[str, str]]:
    from ..data.cards import card_names, locate, read_card

    for name in card_names():
        card = read_card(name)
        rows = f"{card.split['train']}/{card.split['test']}" if card.split else str(card.rows)
        state = "" if locate(card) else "  (not fetched)"
        yield (
            name,
            f"{rows:>11} rows  {card.attributes:5} attributes  {card.classes:4} "
            f"{'classes' if card.labels is None else 'labels '}  "
            f"{card.title}{state}",
        )


def _codes() -> Iterator[tuple[str, str]]:
    from ..coding.codes import CODES

    yield from ((name, _summary(family.make)) for name, family in CODES.items())


def _learners() -> Iterator[tuple[str, str]]:
    from ..learners import LEARNERS

    yield from ((name, entry.summary) for name, entry in LEARNERS.items())


def _decoders() -> Iterator[tuple[str, str]]:
    from ..coding.decoders import BY_LEARNER, DECODERS

    yield from BY_LEARNER.items()
    yield from ((name, _summary(decode)) for name, decode in DECODERS.items())


def _methods() -> Iterator[tuple[str, str]]:
    from ..joint import METHODS

    for name, entry in METHODS.items():
        yield name, entry.summary + ("; takes label sets" if entry.label_sets else "")


def _measures() -> Iterator[tuple[str, str]]:
    from ..coding.measures import MEASURES

    yield from ((name, _summary(measure.of)) for name, measure in MEASURES.items())


def _configs() -> Iterator[tuple[str, str]]:
    from ..experiment.config import config_names, example_names
    from ..experiment.yamlfile import read_yaml
    from ..files import shipped

    for name in [*config_names(), *example_names()]:
        yield name, read_yaml(shipped("configs") / f"{name}.yaml").get("title", "")


def _summary(function) -> str:
    return (function.__doc__ or "").strip().splitlines()[0]


def code_lines(name: str, M, terminal: bool) -> Iterator[str]:
    """A coding matrix as signs, a row per class, below its size, rho and what it corrects.

    A terminal gets a part: a matrix of a thousand classes would flood it.
    """
    import numpy as np

    from ..coding.distances import correctable, rho

    k, ell = M.shape
    zeros, corrects = 1 - np.count_nonzero(M) / M.size, correctable(M)
    size = f"{k} classes, {ell} columns, rho {rho(M):g}, {zeros:.0%} zeros"
    yield f"{name}: {size}, corrects {corrects} wrong column{'' if corrects == 1 else 's'}"
    if zeros:
        yield ZEROS
    cut = terminal and M.size > MOST_SIGNS
    signs = np.frombuffer(b"-0+", dtype=np.uint8)
    for r, row in enumerate(M[: CORNER[0], : CORNER[1]] if cut else M):
        yield f"{r:3}  {signs[row + 1].tobytes().decode()}"
    if cut:
        shown = f"{min(k, CORNER[0])} rows and {min(ell, CORNER[1])} columns"
        yield f"... The first {shown} are shown; a file or a pipe gets all."


def named_code(name: str, k: int, seed: int):
    """The matrix of a family for k classes, or of a CSV file with k rows."""
    import numpy as np
    from threadpoolctl import threadpool_limits

    from ..coding.codes import CODES

    if name in CODES:
        with threadpool_limits(1):
            return CODES[name].make(k, np.random.default_rng(seed))
    if Path(name).suffix != ".csv":
        raise UserError(unknown("code", name, CODES) + " Your own matrix must be a .csv file.")
    from ..experiment.resolve import read_matrix  # not for a family: the import takes time

    M = read_matrix(Path(name))
    if len(M) != k:
        raise UserError(f"{name}: the matrix has {len(M)} rows, not {k}. Set --classes {len(M)}.")
    return M


def describe_dataset(name: str) -> str:
    """A data set's card, and the sizes of its classes if its file is here."""
    from ..data.cards import load, locate, read_card
    from ..data.suspects import suspects

    card = read_card(name)
    where = locate(card)
    facts = {
        "title": card.title,
        "rows": f"{card.rows}"
        + (f" ({card.split['train']} train, {card.split['test']} test)" if card.split else ""),
        "attributes": str(card.attributes),
        "classes" if card.labels is None else "labels": str(card.classes),
        "missing cells": str(card.missing_cells),
        "papers": ", ".join(card.papers) or "none",
        "source": card.source,
        "home": card.home,
        "licence": card.licence,
        "citation": card.citation,
        "notes": card.notes or "none",
        "sha256": card.sha256 or "not known",
        "file": "here" if where else f"not here: `ecoc-bench data fetch {name}` gets it",
    }
    if where:
        data = load(name)
        facts |= {"attributes": f"{card.attributes} ({_kinds(data)})", "members": _members(data)}
        facts |= _remarks([*data.remarks, *suspects(data)])
    return _listed(name, facts)


def describe_file(path: Path, target: str, drop: tuple[str, ...]) -> str:
    """What a config would make of a file: its columns, its classes, and what is odd about it."""
    import numpy as np

    from ..data.formats import format_of, load_file

    if format_of(path) == "svmlight":
        return _listed(str(path), _sparse_facts(load_file(path, name=path.stem, drop=drop)))
    data = load_file(
        path, name=path.stem, target=target, drop=drop, rare_classes="keep", missing_labels="drop"
    )
    n_train = None if data.train is None else int(data.train.sum())
    parts = "" if n_train is None else f" ({n_train} train, {len(data.y) - n_train} test)"
    nominal = [
        name for name, is_nominal in zip(data.columns, data.nominal, strict=True) if is_nominal
    ]
    facts = {
        "rows": f"{len(data.y)}{parts}" + (f"; {data.note}" if data.note else ""),
        "attributes": f"{len(data.columns)} ({_kinds(data)}): {', '.join(data.columns)}",
        "nominal": ", ".join(nominal) or "none",
        "classes": str(data.n_classes),
        "missing cells": str(int(np.isnan(data.X).sum())),
        "sha256": data.sha256,
        "members": _members(data),
    }
    return _listed(str(path), facts | _remarks(data.remarks))


def _sparse_facts(data) -> dict[str, str]:
    return {
        "format": "svmlight",
        "rows": str(len(data.y)),
        "attributes": str(len(data.columns)),
        "classes": str(data.n_classes),
        "sha256": data.sha256,
        "members": _members(data),
        **_remarks(data.remarks),
    }


def _listed(title: str, facts: dict[str, str]) -> str:
    lines = (wrapped(value, f"  {key:14}", " " * 16) for key, value in facts.items())
    return "\n".join([title, *lines])


def _kinds(data) -> str:
    return f"{int((~data.nominal).sum())} numeric, {int(data.nominal.sum())} nominal"


def _members(data) -> str:
    import numpy as np

    has = np.eye(data.n_classes, dtype=bool) if data.sets is None else data.sets > 0
    counts = has[data.y].sum(axis=0)
    members = ", ".join(f"{c} {n}" for c, n in zip(data.classes, counts, strict=True))
    if data.sets is None:
        return members
    return f"{members}; {len(has)} sets, {counts.sum() / len(data.y):.2f} labels in a row"


def _remarks(remarks) -> dict[str, str]:
    return {"note": "; ".join(remarks)} if remarks else {}


def config_text(name: str) -> tuple[str, list[Path]]:
    """A config as it is written, and the files that it needs next to it."""
    from ..experiment.config import find_config
    from ..experiment.yamlfile import read_yaml

    path = find_config(name)
    content = read_yaml(path)
    found = {path.parent / file for word in _words(content) for file in _files(word)}
    return path.read_text(encoding="utf-8-sig"), sorted(file for file in found if file.is_file())


def _words(value) -> Iterator[str]:
    """Every text in plain data."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _words(part)
    elif isinstance(value, str):
        yield value


def _files(word: str) -> list[str]:
    """The files that a text of a config may name: its own, or the module of an import path."""
    return [f"{word.partition(':')[0]}.py"] if is_import_path(word) else [word]


LISTS = {
    "datasets": _datasets,
    "codes": _codes,
    "learners": _learners,
    "decoders": _decoders,
    "methods": _methods,
    "measures": _measures,
    "configs": _configs,
}
