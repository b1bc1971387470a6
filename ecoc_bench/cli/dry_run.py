"""`ecoc-bench run --dry-run`: what a run would do, and how long that would take."""

from pathlib import Path

from ..coding.column_sums import WIDE
from ..experiment.kept import keeps_rows, slabs
from ..experiment.plan import Plan
from ..experiment.room import gigabytes, need
from ..experiment.tasks import Cell, SlabTask, Task
from ..results.catalogue import JOINT
from ..running.estimate import expected_seconds
from ..running.store import Store
from .progress import duration

KEPT = (
    "only rows are kept, no margins: a new decoder, measure or code fits its cells again "
    "(keep: margins would fit each distinct column once)"
)


def describe(plan: Plan, cells: list[Cell], folder: Path, jobs: int) -> str:
    """The chosen cells, their fits, how many are stored, the room and the time that they need."""
    tasks = plan.tasks(cells, Store(folder / "store", repair=False))
    missing = n_columns(tasks)
    asked = need(plan, tasks)
    lines = [
        _cells_and_decoders(plan, cells),
        counted(plan, cells),
        f"{distinct(plan, cells) - missing} already stored in {folder}, {missing} to do",
        f"about {gigabytes(asked.memory(jobs))} of memory with {jobs} workers, "
        f"at most {gigabytes(asked.disk)} more on disk",
        *([KEPT] if plan.experiment.keep == "rows" else []),
        *_slabs(plan, cells, tasks),
        *([_time(plan, tasks, jobs)] if tasks else []),
        *_remarks(plan, tasks),
        *(f"left out: {d} {c}: {why}" for d, c, why in _left_out(plan)),
        *(
            f"not here: {name}: `ecoc-bench data fetch {source}` gets it"
            for name, source in absent(plan).items()
        ),
    ]
    return "\n".join(lines)


def _time(plan: Plan, tasks, jobs: int) -> str:
    seconds = expected_seconds(plan, tasks)
    if seconds is None:
        return "no estimate of the time: fits on some of the rows failed"
    work = "fitting and decoding" if plan.experiment.keep == "rows" else "fitting"
    each = f"about {duration(seconds / min(jobs, len(tasks)))} of {work} with {jobs} workers"
    return f"{each}, by small fits on some of the rows"


def _slabs(plan: Plan, cells: list[Cell], tasks: list[Task]) -> list[str]:
    """What is kept of the cells that are decoded by sums, and what is done again."""
    of = [c for c in cells if keeps_rows(plan, c) and plan.by_sums(c)]
    if not of:
        return []
    total, left = sum(len(slabs(plan, c)) for c in of), sum(map(_is_slab, tasks))
    return [
        f"{len(of)} cells of more than {WIDE:,} columns are decoded by sums, in {total} slabs of "
        f"rows, {total - left} of them stored: each slab fits all columns of its cell again, and "
        "keeps labels, no margins; after a kill, only slabs under way begin again"
    ]


def _remarks(plan: Plan, tasks) -> list[str]:
    """What learners say about fits of this size, once each."""
    sizes = {(t.context.dataset, t.context.learner, len(t.context.train)) for t in tasks}
    said = [(d, name, plan.fitters[name].remark(n)) for d, name, n in sorted(sizes)]
    return list(dict.fromkeys(f"{d}, {name}: {remark}" for d, name, remark in said if remark))


def _left_out(plan: Plan) -> list[tuple[str, str, str]]:
    chosen = plan.choice.draws
    return [(d, c, why) for (d, c), why in plan.left_out.items() if chosen(d, c)]


def absent(plan: Plan) -> dict[str, str]:
    """The chosen data sets that are not here, and the names to fetch."""
    names = plan.choice.names.get("dataset", plan.absent.keys())
    return {name: source for name, source in plan.absent.items() if name in names}


def distinct(plan: Plan, cells) -> int:
    """How many columns these cells need, each counted once."""
    return n_columns(plan.tasks(cells, ()))


def n_columns(tasks: list[Task]) -> int:
    """The columns of tasks; the slabs of a cell have the same ones."""
    slabs = {(t.context.key, id(t.block)): len(t.columns) for t in tasks if _is_slab(t)}
    return sum(len(t.columns) for t in tasks if not _is_slab(t)) + sum(slabs.values())


def _is_slab(task: Task) -> bool:
    return isinstance(task, SlabTask)


def counted(plan: Plan, cells) -> str:
    """The fits of a run, and how many they would be if nothing were shared."""
    naive = sum(
        plan.matrices[c.dataset, c.code, c.draw].shape[1] * len(plan.contexts(c)) for c in cells
    )
    return f"{distinct(plan, cells)} distinct columns to fit ({naive} if every cell fitted its own)"


def _cells_and_decoders(plan: Plan, cells) -> str:
    methods = sum(cell.learner == JOINT for cell in cells)
    coded = f"{len(cells) - methods} cells, {len(plan.experiment.decoders)} decoders each"
    return f"{coded}; {methods} cells of methods without a code" if methods else coded
