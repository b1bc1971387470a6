"""The short form of the attack: some cases of every kind; `make test-faults` has thousands."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
CALLS = {
    "inputs": ("--count", 60),
    "tables": ("--count", 30),
    "models": ("--count", 300),
    "kills": ("--first", 3, "--strikes", 4, "--count", 8),  # in one process, then with workers
}


@pytest.mark.parametrize("name", CALLS)
def test_the_attack_finds_nothing(name, tmp_path):
    """In a process of its own, which has a single thread and may be copied."""
    call = [sys.executable, "-m", "attack", name, "--out", tmp_path, *CALLS[name]]
    result = subprocess.run([str(part) for part in call], cwd=TESTS, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 failures" in result.stdout
    assert (tmp_path / f"{name}.csv").read_text().splitlines()[-1].startswith("all,")
