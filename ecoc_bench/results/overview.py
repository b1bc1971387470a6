"""`ecoc-bench show run`: what a run was made of, and its training errors with their bounds."""

import pandas as pd

from .formats import document, grid, wrapped
from .run import REMEDY, Run
from .summary import at_stage

ROW = ["dataset", "learner", "code"]
SHOWN = {
    "loss_error": "Loss-based",
    "theorem1": "Theorem 1",
    "hamming_error": "Hamming",
    "equation10": "Eq. 10",
    "equation11": "Eq. 11",
    "q": "Zeros",
}
BOUNDS = ["theorem1", "equation10", "equation11"]
VOID = "void"


def describe_run(run: Run) -> str:
    """Facts of the config, cells, failures, and the bounds of Section 4 if the run has them."""
    lines = [*_config_lines(run.facts), *_cell_lines(run.results), *_failure_lines(run)]
    head = "\n".join(_line(name, text) for name, text in lines)
    bounds = run.rows("bounds.csv")
    if bounds is None:  # an older run: the rest is still worth showing
        table = wrapped(f"No bounds of the training error: no bounds.csv. {REMEDY}") + "\n"
    else:
        table = _bounds_table(bounds)
    return f"{head}\n\n{table}"


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
    """One line per data set, learner and code at the learner's last stage; means over cells."""
    rows = at_stage(bounds, None).groupby(ROW, sort=False)[list(SHOWN)].mean().reset_index()
    body = [
        [[name] for name in line[:3]]
        + [[_shown(*pair)] for pair in zip(SHOWN, line[3:], strict=True)]
        for line in rows.itertuples(index=False, name=None)
    ]
    table = grid(["Problem", "Learner", "Code", *SHOWN.values()], body, "terminal")
    title = "Training error and its bounds (%)"
    block = ("Mean over folds and draws, after the last round", table)
    return document(title, [block], _notes(rows), "terminal")


def _shown(column: str, value: float) -> str:
    if pd.isna(value):
        return "–"
    return VOID if column in BOUNDS and value >= 1 else f"{100 * value:.1f}"


def _notes(rows: pd.DataFrame) -> list[str]:
    """What the columns are, and how many bounds say nothing."""
    notes = [
        "Theorem 1 bounds the error of loss-based decoding, Eqs. 10 and 11 (Corollary 2) that of "
        "Hamming decoding; Zeros is the share of (example, column) pairs that the code ignores."
    ]
    counts = {SHOWN[name]: int((rows[name] >= 1).sum()) for name in BOUNDS}
    if any(counts.values()):
        parts = ", ".join(f"{name} in {n}" for name, n in counts.items())
        notes.append(f"{VOID}: 1 or more, which says nothing. Of {len(rows)} lines: {parts}.")
    if rows[BOUNDS].isna().any(axis=None):
        notes.append("–: the learner's loss does not satisfy Eq. 7, so there is no such bound.")
    return notes
