"""Numbers of a part of a CSV: by pyarrow, by pandas and by Python they are the same."""

import sys
from decimal import Decimal, localcontext
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ecoc_bench.data import csv_parsers, fast_csv, plain_csv
from ecoc_bench.data.block import Roles
from ecoc_bench.data.csvfile import MISSING, number
from ecoc_bench.data.plain_csv import Layout, NotPlain

NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-(10**25), 10**25).map(str),
    st.sampled_from(
        ["", "?", "NA", "NaN", "nan", "1e5", "+.5", "5.", " 2 ", "1E-400", "0x1", "-0"]
    ),
)
WORDS = (
    'inf|-Infinity|NAN|-nan|1_0|1e999|1,5|１|True|red|a"b|a,b|\xa01|\x1c1| NA|x\ny|| red |１．5'
    "|null|None|#N/A|1;2|\ufeff"
)


def hide_pyarrow(patch) -> None:
    patch.setitem(sys.modules, "pyarrow.csv", None)


def asked_of_pandas(patch) -> list[int]:
    """The first lines of the parts that pandas will be asked for."""
    asked: list[int] = []
    careful = csv_parsers._by_pandas

    def counted(*setting):
        parse = careful(*setting)
        return lambda part, line: asked.append(line) or parse(part, line)

    patch.setattr(csv_parsers, "_by_pandas", counted)
    return asked


def cells_of_many_kinds():
    """Numbers of all sizes and lengths, those halfway between two doubles, and what is none."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2**64, 4000, dtype=np.uint64).view(np.float64)
    values = values[np.isfinite(values)].tolist()
    values += rng.integers(0, 2**52, 300, dtype=np.uint64).view(np.float64).tolist()  # subnormal
    for value in values:
        yield from (f"{value:.{digits}g}" for digits in (5, 15, 17, 25))
    with localcontext() as exact:
        exact.prec = 1100
        for value in values[::4]:
            half = (Decimal(value) + Decimal(float(np.nextafter(value, 0.0)))) / 2
            tail = f"{half:.60e}".partition("e")
            yield from (f"{half:e}", f"{half.next_plus():e}", f"{half.next_minus():e}")
            yield from ("".join(tail), f"{half:f}")
    yield from ("2.4703282292062327e-324", "2.4703282292062328e-324", "9007199254740993")


@pytest.mark.parametrize("reader", ["pyarrow", "pandas"])
def test_numbers_are_rounded_as_python_does(reader, tmp_path, monkeypatch):
    cells = [*cells_of_many_kinds()]
    path = tmp_path / "mine.csv"
    path.write_text(
        "x,label\n" + "".join(f"{cell},{'ab'[i % 2]}\n" for i, cell in enumerate(cells))
    )
    if reader == "pandas":
        hide_pyarrow(monkeypatch)
    monkeypatch.setattr(fast_csv, "PART", 4096)
    asked = asked_of_pandas(monkeypatch)
    roles = Roles(("x",), frozenset({"label"}))
    found, _ = fast_csv.read(path, lambda names: roles)
    expected = np.array([float(cell) for cell in cells])
    assert found.numbers.block[:, 0].tobytes() == expected.tobytes()
    assert found.lines[0] == 2
    assert len(asked) < path.stat().st_size / 4096 / 10 or reader == "pandas"


CHARACTERS = "0123456789.eE+-infatyNAIxXpP_,;'\"?% \t\xa0d"


@cache
def numbers_and_text():
    """Two columns, and pyarrow's parser of them."""
    layout = Layout(("x", "y"), ",", 0, 1, frozenset())
    return layout, csv_parsers._by_pyarrow(layout, ["x", "y"], frozenset({"y"}))


@settings(max_examples=3000, deadline=None)
@given(
    cell=st.one_of(
        NUMBERS,
        st.from_regex(r"[ \t]?[+-]?\d{0,30}\.?\d{0,30}([eE][+-]?\d{0,5})?[ \t]?", fullmatch=True),
        st.text(CHARACTERS, max_size=6),
        st.sampled_from(WORDS.split("|")),
    ).filter(lambda cell: "\n" not in cell)
)
@example("+1")
@example("0x10")
@example("0x1p3")
@example("-nan")
@example("nan(0)")
@example("infinity")
@example("1e400")
@example("1e-400")
@example("1d5")
@example("true")
@example("1 000")
@example("NA ")
def test_what_pyarrow_takes_for_a_number_is_that_number(cell):
    quoted = '"' + cell.replace('"', '""') + '"'
    expected = np.nan if cell.strip() in MISSING else number(cell)
    is_text = np.isnan(expected) and cell.strip() not in MISSING
    alone, parse = numbers_and_text()
    for written in {quoted} if {",", '"'} & {*cell} else {cell, quoted}:
        try:
            part = plain_csv.checked(f"{written},{quoted}\n".encode(), 1, alone)
            found = parse(part, 1)
        except (NotPlain, csv_parsers.NotSure):
            continue
        assert not is_text
        assert found["x"].tobytes() == np.array([expected]).tobytes()
        assert found["y"].tolist() == [cell]
