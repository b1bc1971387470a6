"""results/README.md, as the tests of its numbers read it."""

import re

from ecoc_bench.files import PACKAGE

README = (PACKAGE.parent / "results" / "README.md").read_text()
PLAIN = re.sub(r"\s+", " ", README)


def says(*phrases):
    for phrase in phrases:
        assert phrase in PLAIN, phrase


def rows(mark, header=False):
    """The entries of the Markdown table between two marks: its lines, or its header."""
    lines = README.split(f"<!-- {mark} -->")[1].strip().splitlines()
    lines = lines[:1] if header else lines[2:]
    return [[entry.strip() for entry in line.strip("|").split("|")] for line in lines]
