"""Grids and notes in the notations of the terminal, Markdown and LaTeX."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from textwrap import fill, wrap
from typing import Literal, NamedTuple

from tabulate import tabulate

Style = Literal["terminal", "markdown", "latex", "csv"]
Lines = Sequence[str]  # the text of one entry of a grid

SUFFIXES: dict[Style, str] = {
    "terminal": ".txt", "markdown": ".md", "latex": ".tex", "csv": ".csv",
}  # fmt: skip
WIDTH = 120  # of the tables in files
NARROWEST, PIPE = 40, 80  # columns of a terminal: the fewest to be filled, and those of a pipe
_width = ContextVar("width", default=WIDTH)
LATEX_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{character: "\\" + character for character in "&%$#_{}"},
}
# The signs of our tables that pdfLaTeX does not know, after tabulate has escaped the rest.
LATEX_SIGNS = str.maketrans({"−": "$-$", "–": "--", "†": r"$^\dagger$", "|": "$|$"})


class TextTable(NamedTuple):
    """A table of a run, besides the table of errors: the name of its files, and its text."""

    name: str
    text: Callable[[Style], str]


@contextmanager
def for_terminal() -> Iterator[None]:
    """What is rendered meanwhile fits the terminal: $COLUMNS, or its own width; 80 for a pipe."""
    token = _width.set(max(_columns(), NARROWEST))
    try:
        yield
    finally:
        _width.reset(token)


def _columns() -> int:
    if (given := os.environ.get("COLUMNS", "")).isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns or PIPE
    except (OSError, ValueError):  # a pipe, or no file at all
        return PIPE


def line_width() -> int:
    """The characters that a line may have where the text goes."""
    return _width.get()


def wrapped(text: str, first: str = "", further: str = "") -> str:
    """Text in lines that fit; the first begins with `first`, the others with `further`."""
    return fill(
        text,
        line_width(),
        initial_indent=first,
        subsequent_indent=further,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _title(text: str) -> str:
    """A title; in a file it is one line."""
    return text if line_width() == WIDTH else wrapped(text)


def grid(head: Sequence[str], rows: Sequence[Sequence[Lines]], style: Style) -> str:
    """A table whose first column names its rows."""
    if style == "terminal":
        rows = _folded(rows)
        return "\n\n".join(_terminal(head, rows, panel) for panel in panels(head, rows))
    if style == "markdown":
        lines = [[_markdown("\n".join(cell)) for cell in row] for row in rows]
        return _tabulate([_markdown(title) for title in head], lines, "pipe")
    lines = [list(line) for row in rows for line in zip(*_same_height(row), strict=True)]
    return _tabulate(head, lines, "latex_booktabs").translate(LATEX_SIGNS)


def document(
    title: str, blocks: Sequence[tuple[str, str]], foot: Sequence[str], style: Style
) -> str:
    """Titled blocks under one title, and notes below them."""
    if style == "terminal":
        titled = (f"{_title(name)}\n{body}" for name, body in blocks)
        parts = [_title(title), *titled, "\n".join(wrapped(note, "- ", "  ") for note in foot)]
        return "\n\n".join(part for part in parts if part) + "\n"
    if style == "markdown":
        notes = "\n".join(f"- {_markdown(note)}" for note in foot)
        parts = [f"## {title}", *(f"### {name}\n\n{body}" for name, body in blocks), notes]
        return "\n\n".join(part for part in parts if part) + "\n"
    return _latex_table(title, blocks, foot)


def _latex_table(title: str, blocks: Sequence[tuple[str, str]], foot: Sequence[str]) -> str:
    lines = [r"\begin{table}", r"\centering", rf"\caption{{{_latex(title)}}}"]
    for name, body in blocks:
        lines += [rf"\medskip\textbf{{{_latex(name)}}}\par", body]
    if foot:
        items = [rf"\item {_latex(note)}" for note in foot]
        lines += [r"\begin{itemize}\footnotesize", *items, r"\end{itemize}"]
    return "\n".join([*lines, r"\end{table}", ""])


def panels(head: Sequence[str], rows: Sequence[Sequence[Lines]]) -> Iterator[list[int]]:
    """Columns that fit side by side in the terminal; each panel has the first of the grid."""
    # tabulate leaves two spaces after a column, and makes it two wider than its title.
    widths = [
        max([len(title) + 2, *(len(line) for row in rows for line in row[i])]) + 2
        for i, title in enumerate(head)
    ]
    panel = [0]
    for column in range(1, len(head)):
        if len(panel) > 1 and sum(widths[i] for i in [*panel, column]) - 2 > line_width():
            yield panel
            panel = [0]
        panel.append(column)
    yield panel


def _folded(rows: Sequence[Sequence[Lines]]) -> Sequence[Sequence[Lines]]:
    """Names of rows in several lines where they would leave a terminal little room for numbers."""
    most = line_width() // 3
    if line_width() >= WIDTH:
        return rows
    return [
        [[part for line in name for part in wrap(line, most, break_long_words=False)], *rest]
        for name, *rest in rows
    ]


def _terminal(head: Sequence[str], rows: Sequence[Sequence[Lines]], panel: list[int]) -> str:
    lines = [["\n".join(row[column]) for column in panel] for row in rows]
    text = _tabulate([head[column] for column in panel], lines, "simple")
    return "\n".join(line.rstrip() for line in text.splitlines())


def _tabulate(head: Sequence[str], lines: Sequence[Sequence[str]], notation: str) -> str:
    return tabulate(lines, head, tablefmt=notation, disable_numparse=True)


def _same_height(row: Sequence[Lines]) -> list[list[str]]:
    height = max(len(cell) for cell in row)
    return [[*cell, *[""] * (height - len(cell))] for cell in row]


def _markdown(text: str) -> str:
    for sign, written in [("<", "&lt;"), ("*", r"\*"), ("|", r"\|"), ("\n", "<br>")]:
        text = text.replace(sign, written)
    return text


def _latex(text: str) -> str:
    escaped = "".join(LATEX_SPECIAL.get(character, character) for character in text)
    return escaped.translate(LATEX_SIGNS)
