"""Small inputs that would become large ones are refused at once, and fetched files are bounded."""

import gzip
import io
import zipfile

import ncompress
import pytest

from ecoc_bench.coding.codes import all_pairs, one_vs_all
from ecoc_bench.data import fetch
from ecoc_bench.errors import CodeTooLarge
from ecoc_bench.results.failures import FAILURE_COLUMNS as COLUMNS
from ecoc_bench.results.failures import Failure, as_rows, read_failures
from ecoc_bench.results.rows import to_csv

SWEEP = """
name: bomb
datasets: [glass]
learners:
  svm: {{sweep: {{{sweep}}}}}
codes: [ova]
decoders: [hamming]
"""


def test_a_sweep_of_a_million_million_combinations_is_multiplied_before_it_is_built(
    config, command
):
    sweep = ", ".join(f"p{i}: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]" for i in range(12))
    result = command("run", config(SWEEP.format(sweep=sweep)), "--dry-run")
    assert result.exit_code == 2
    assert "sweep has 1000000000000 combinations; at most 1000 are allowed" in result.stderr


@pytest.mark.parametrize(("family", "k"), [(one_vs_all, 100_000), (all_pairs, 2_000)])
def test_a_code_of_more_than_a_gigabyte_is_refused(family, k):
    with pytest.raises(CodeTooLarge, match="more than 1,000,000,000 entries"):
        family(k)


def test_show_code_of_a_hundred_thousand_classes_is_refused(command):
    result = command("show", "code", "ova", "--classes", 100_000)
    assert result.exit_code == 2
    assert "Use a random code" in result.stderr


def test_more_workers_than_any_machine_has_are_a_usage_error(config, command):
    result = command("run", config(), "--jobs", 99_999_999_999_999)
    assert result.exit_code == 2
    assert "--jobs" in result.stderr


def zipped(name, content):
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return body.getvalue()


@pytest.mark.parametrize(
    "pack",
    [
        gzip.compress,
        ncompress.compress,
        lambda content: zipped("a.data", content),
        lambda content: zipped("a.data.gz", gzip.compress(content)),
        lambda content: zipped("a.data.Z", ncompress.compress(content)),
    ],
)
def test_a_small_file_that_unpacks_to_a_large_one_is_refused(pack, monkeypatch):
    assert fetch.unpack(pack(b"1,2\n"), "a.data") == b"1,2\n"
    monkeypatch.setattr(fetch, "LARGEST", 1_000_000)
    with pytest.raises(ValueError, match="more than 1,000,000 bytes"):
        fetch.unpack(pack(b"0" * 1_000_001), "a.data")


def test_a_failure_is_no_formula_for_a_spreadsheet_and_is_read_back_as_it_was(tmp_path):
    failed = Failure("glass", "svm", 0, 1, "=1+1", details="@sum", columns=("+-0", "-+0"))
    text = to_csv(COLUMNS, as_rows([failed]))
    cells = text.splitlines()[1].split(",")
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    (tmp_path / "failures.csv").write_text(text)
    assert read_failures(tmp_path / "failures.csv") == [failed]
