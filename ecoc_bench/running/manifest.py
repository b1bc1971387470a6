"""Provenance: what a run was made of, complete enough to repeat it."""

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from joblib import cpu_count

from .. import __version__
from ..errors import UserError
from ..experiment.codebook import fingerprint
from ..experiment.plan import Plan
from ..files import PACKAGE
from .fit import usage

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "joblib", "numba")


def manifest(plan: Plan, outcome, workers) -> str:
    """The manifest of a run as JSON text; `run` takes it as a config."""
    content = {
        "ecoc_bench": __version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "exit_code": outcome.exit_code,
        "config": plan.experiment.model_dump(mode="json"),
        "config_folder": os.path.relpath(plan.experiment.folder, outcome.folder.absolute()),
        "only": plan.only,
        "codes": {f"{d}.{c}.{i}": fingerprint(M) for (d, c, i), M in plan.matrices.items()},
        "data": {name: _describe(data, plan) for name, data in plan.datasets.items()},
        "absent": list(plan.absent),
        "left_out": [
            {"dataset": d, "code": c, "why": why} for (d, c), why in plan.left_out.items()
        ],
        "packages": {name: version(name) for name in PACKAGES},
        "source": source_state(),
        "workers": {"backend": workers.backend, "jobs": workers.jobs},
        "seconds": {name: round(value, 3) for name, value in outcome.seconds.items()},
        "peak_memory_mb": {
            "parent": round(usage()[1] / 1e6),
            **{f"worker {i + 1}": round(b / 1e6) for i, b in enumerate(outcome.peaks.values())},
        },
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "processor": _processor(),
            "cores": cpu_count(),
        },
    }
    return json.dumps(content, indent=2) + "\n"


def _describe(data, plan: Plan) -> dict:
    original = None if data.train is None else [int(data.train.sum()), int((~data.train).sum())]
    facts = {"sha256": data.sha256, "rows": len(data.y), "classes": data.n_classes}
    split = plan.splits[data.name, 0, 0]
    parts = {name: len(getattr(split, name)) for name in ("train", "validation", "test")}
    drawn = {"parts": parts} if parts["validation"] else {}
    costs = {} if data.costs is None else {"costs": data.costs.tolist()}
    return {**facts, "original_split": original, **drawn, "note": data.note, **costs}


def source_state() -> dict | None:
    """The commit that was run, and whether anything but results/ was changed since.

    None outside a checkout.
    """
    if not (PACKAGE.parent / ".git").exists():
        return None
    try:
        commit = _git("rev-parse", "HEAD")
        changes = _git("status", "--porcelain", "--", ".", ":!results")
        return {"commit": commit, "clean": not changes}
    except (OSError, subprocess.CalledProcessError):
        return None


def refuse_dirty() -> None:
    """Refuse to run code that is not in a commit. An installed release passes."""
    state = source_state()
    if state is not None and not state["clean"]:
        raise UserError(
            f"--enforce-clean: the checkout of commit {state['commit'][:12]} has changes. "
            "Commit or stash them first."
        )


def _git(*arguments: str) -> str:
    """What git answers. It writes nothing: killed with us, it would leave a lock behind."""
    call = ["git", "--no-optional-locks", "-C", str(PACKAGE.parent), *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    """The processor's model, on which the last digits of some sums depend."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
