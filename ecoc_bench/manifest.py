"""Provenance: what a run was made of, complete enough to repeat it."""

import json
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from joblib import cpu_count

from . import __version__
from .paths import PACKAGE
from .plan import Plan

PACKAGES = ("numpy", "scipy", "pandas", "scikit-learn", "joblib", "numba")


def manifest(plan: Plan, exit_code: int) -> str:
    """The manifest of a run as JSON text."""
    content = {
        "ecoc_bench": __version__,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "exit_code": exit_code,
        "config": plan.experiment.model_dump(mode="json"),
        "data": {name: _describe(data) for name, data in plan.datasets.items()},
        "absent": plan.absent,
        "left_out": [
            {"dataset": d, "code": c, "why": why} for (d, c), why in plan.left_out.items()
        ],
        "packages": {name: version(name) for name in PACKAGES},
        "source": source_state(),
        "machine": {
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "processor": _processor(),
            "cores": cpu_count(),
        },
    }
    return json.dumps(content, indent=2) + "\n"


def _describe(data) -> dict:
    parts = None if data.train is None else [int(data.train.sum()), int((~data.train).sum())]
    facts = {"sha256": data.sha256, "rows": len(data.y), "classes": data.n_classes}
    return {**facts, "original_split": parts, "note": data.note}


def source_state() -> dict | None:
    """The commit that was run and whether it was clean; None outside a checkout."""
    if not (PACKAGE.parent / ".git").exists():
        return None
    try:
        commit = _git("rev-parse", "HEAD")
        return {"commit": commit, "clean": not _git("status", "--porcelain")}
    except (OSError, subprocess.CalledProcessError):
        return None


def _git(*arguments: str) -> str:
    call = ["git", "-C", str(PACKAGE.parent), *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()


def _processor() -> str:
    """The processor's model, which decides the last digits of some sums."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()
