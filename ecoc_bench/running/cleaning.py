"""`ecoc-bench clean`: free the space that a run's folder no longer needs."""

from pathlib import Path

from ..errors import UserError
from ..experiment.codebook import CodeBook
from ..experiment.plan import Plan
from .folder import locked, remove, size
from .replay import read_source
from .store import Store


def clean(folder: Path, everything: bool, dry_run: bool) -> int:
    """Remove damaged records and those that the run's config does not use; return the bytes freed.

    With `everything`, remove the whole store and the drawn codes: results, tables and figures stay,
    and a new run fits everything again. The lock itself removes half-written files of a killed run.
    """
    if not (folder / "manifest.json").is_file():
        raise UserError(f"{folder}: not the folder of a run: no manifest.json in it.")
    with locked(folder):
        paths = [folder / "store", folder / "codes"] if everything else _superfluous(folder)
        return sum(size(path) if dry_run else remove(path) for path in paths if path.exists())


def _superfluous(folder: Path) -> list[Path]:
    path = folder / "manifest.json"
    source = read_source(path)
    plan = Plan(source.experiment, str(path), CodeBook(folder / "codes"), source.only)
    wanted: set[tuple[str, str]] = set()
    for cell in plan.cells:
        wanted |= plan.places(cell)
    store = Store(folder / "store", repair=False)
    aside = (folder / "store").glob("*.damaged")
    return [*aside, *store.damaged, *store.unused(wanted)]
