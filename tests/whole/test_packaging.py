"""The wheel carries configs and data, and runs where there is no checkout."""

import os
import shutil
import subprocess
import sys
import zipfile

from ecoc_bench.data.cards import card_names, read_card
from ecoc_bench.experiment.config import config_names, example_names
from ecoc_bench.files import PACKAGE


def bring_compiled_kernels(package):
    """Numba's cache of the checkout: to compile them anew takes longer than all the rest.

    It is believed where a source has the size and the time of the one that was compiled.
    """
    for source in PACKAGE.rglob("*.py"):
        times = source.stat()
        twin = package / source.relative_to(PACKAGE)
        os.utime(twin, ns=(times.st_atime_ns, times.st_mtime_ns))
    for cached in PACKAGE.rglob("*.nb[ic]"):
        twin = package / cached.relative_to(PACKAGE)
        twin.parent.mkdir(exist_ok=True)
        shutil.copy2(cached, twin)


def test_an_installed_wheel_finds_its_configs_and_data(tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, PACKAGE.parent], check=True
    )
    wheel = next(tmp_path.glob("*.whl"))
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"ecoc_bench/configs/{name}.yaml" for name in config_names()} <= names
    assert {f"ecoc_bench/configs/{name}.yaml" for name in example_names()} <= names
    assert {f"ecoc_bench/datasets/{name}.yaml" for name in card_names()} <= names
    bundled = [name for name in card_names() if not read_card(name).sources]
    assert {f"ecoc_bench/datasets/{name}.csv.gz" for name in bundled} <= names

    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    bring_compiled_kernels(site / "ecoc_bench")
    script = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import ecoc_bench\n"
        f"assert ecoc_bench.__file__.startswith({str(site)!r}), ecoc_bench.__file__\n"
        "from ecoc_bench.cli import main\n"
        "main(['run', 'uci_svm', '--only', 'dataset=glass', '--only', 'code=ova', '--jobs', '1'])"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert "paper 37.6" in result.stdout
    assert (tmp_path / "results" / "uci_svm" / "results.csv").exists()
