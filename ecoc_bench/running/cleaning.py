"""`ecoc-bench clean`: free the space that a run's folder no longer needs."""

from pathlib import Path

from ..errors import UserError
from ..experiment.codebook import CodeBook
from ..experiment.plan import Plan
from ..results.ownership import is_run
from .folder import locked, remove_stored, stored
from .replay import read_source
from .store import Store


def clean(folder: Path, everything: bool, dry_run: bool) -> int:
    """Remove damaged records and those that the run's config does not use; return the bytes freed.

    With `everything`, remove the whole store and the drawn codes: results, tables and figures stay,
    and a new run fits everything again. The lock itself removes half-written files of a killed run.
    """
    if not is_run(folder):
        raise UserError(f"{folder}: not the folder of a run. Name the folder of one.")
    with locked(folder):
        paths = [path for path in stored(folder) if everything or path.suffix == ".damaged"]
        freed = 0 if everything else _shrink(folder, dry_run)
        if dry_run:
            return freed + sum(path.lstat().st_size for path in paths)
        return freed + remove_stored(folder, paths)


def _shrink(folder: Path, dry_run: bool) -> int:
    """Remove the records that the run's config does not use; return the bytes freed."""
    path = folder / "manifest.json"
    source = read_source(path)
    plan = Plan(source.experiment, str(path), CodeBook(folder / "codes"), source.only)
    wanted: set[tuple[str, str]] = set()
    for cell in plan.cells:
        wanted |= plan.places(cell)
    return Store(folder / "store", repair=False).shrink(wanted, dry_run)
