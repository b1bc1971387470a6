"""`ecoc-bench show run`: what a run was made of, and its training errors with their bounds."""

import pandas as pd

from . import margin_bounds
from .bound_tables import ROW, bound_blocks, bound_notes
from .formats import document, grid, wrapped
from .run import REMEDY, Run


def describe_run(run: Run) -> str:
    """Facts of the config, cells and failures, and the bounds that the run has."""
    lines = [*_config_lines(run.facts), *_cell_lines(run.results), *_failure_lines(run)]
    head = "\n".join(_line(name, text) for name, text in lines)
    bounds = run.rows("bounds.csv")
    if bounds is None:  # an older run: the rest is still worth showing
        table = wrapped(f"No bounds of the training error: no bounds.csv. {REMEDY}") + "\n"
    else:
        table = _bounds_table(bounds)
    further = [found.text("terminal") for found in margin_bounds.tables(run)]
    return "\n".join([f"{head}\n\n{table}", *further])


def _line(name: str, text: str) -> str:
    return wrapped(text, f"{name + ':':13}", " " * 13)


def _config_lines(facts: dict) -> list[tuple[str, str]]:
    config = facts["config"]
    evaluation = ", ".join(f"{name} {value}" for name, value in config["evaluation"].items())
    source = facts["source"]
    return [
        ("run", f"{config['name']}, {config['title'] or 'without a title'}"),
        ("paper", config["paper"] or "none"),
        ("data sets", ", ".join(d["name"] for d in config["datasets"])),
        *_if_any("learners", "; ".join(_call(learner) for learner in config["learners"])),
        *_if_any("codes", ", ".join(c["name"] for c in config["codes"])),
        *_if_any("decoders", ", ".join(d["name"] for d in config["decoders"])),
        *_if_any("methods", "; ".join(_call(method) for method in config["methods"])),
        *_if_any("measures", ", ".join(config["measures"])),
        *_if_any("chosen", "; ".join(_choice(*item) for item in config["select"].items())),
        ("evaluation", f"{evaluation}, seed {config['seed']}"),
        ("written", f"{facts['written']} by ecoc-bench {facts['ecoc_bench']}"),
        *([("commit", f"{source['commit'][:12]}{_dirty(source)}")] if source else []),
        *_if_any("not here", ", ".join(facts["absent"])),
        *_if_any("left out", _left_out(facts["left_out"])),
    ]


def _if_any(name: str, text: str) -> list[tuple[str, str]]:
    return [(name, text)] if text else []


def _choice(name: str, choice: dict) -> str:
    return f"{name} among {', '.join(choice['among'])} by {choice['by']}"


def _call(learner: dict) -> str:
    options = {"inputs": learner["inputs"], **learner["params"]}
    text = ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)
    return f"{learner['name']} ({text})"


def _dirty(source: dict) -> str:
    return "" if source["clean"] else ", with changes that were not committed"


def _left_out(items: list[dict]) -> str:
    codes: dict[str, list[str]] = {}
    for item in items:
        codes.setdefault(item["code"], []).append(item["dataset"])
    return "; ".join(f"{code} of {', '.join(datasets)}" for code, datasets in codes.items())


def _cell_lines(results: pd.DataFrame) -> list[tuple[str, str]]:
    cells = results.drop_duplicates([*ROW, "draw", "repeat", "fold"])
    stages = sorted(set(results["stage"]))
    unconverged = int(cells["unconverged"].sum())
    lines = [("cells", f"{len(cells)}, {len(results)} rows")]
    if stages != [0]:
        lines.append(("stages", ", ".join(map(str, stages))))
    if unconverged:
        lines.append(("unconverged", f"{unconverged} of {cells['n_columns'].sum()} columns"))
    return lines


def _failure_lines(run: Run) -> list[tuple[str, str]]:
    if not run.failures:
        return [("failures", "none")]
    first, path = run.failures[0], run.folder / "failures.csv"
    text = f"{len(run.failures)}, see {path}. The first, {first.what}: {first.reason}"
    return [("failures", text)]


def _bounds_table(bounds: pd.DataFrame) -> str:
    bodies = [
        (title, grid(head, [[[cell] for cell in row] for row in rows], "terminal"))
        for title, head, rows in bound_blocks(bounds)
    ]
    return document("Bounds of Allwein et al. 2000", bodies, bound_notes(bounds), "terminal")
