"""Large plain files are read by pyarrow or pandas: the data are those of the slow reader."""

import csv
import gzip
import io

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_csv_parsers import NUMBERS, WORDS, asked_of_pandas, hide_pyarrow

from ecoc_bench.data import block, csv_parsers, fast_csv, plain_csv, reading, table
from ecoc_bench.data.block import Roles
from ecoc_bench.data.cards import card_names, load_csv, load_if_here, locate, read_card
from ecoc_bench.data.label_sets import Labels
from ecoc_bench.data.plain_csv import NotPlain
from ecoc_bench.errors import DataError

HERE = [name for name in card_names() if locate(read_card(name)) is not None]


@pytest.fixture
def always_fast(monkeypatch):
    """Every file is taken for a large one, and what is not plain fails the test."""
    monkeypatch.setattr(reading, "SMALL", -1)
    monkeypatch.setattr(reading, "_refuse_large", lambda path, why: pytest.fail(str(why)))


def same(fast, slow) -> None:
    assert fast.X.tobytes() == slow.X.tobytes()
    assert (fast.X.dtype, fast.X.flags.c_contiguous) == (slow.X.dtype, slow.X.flags.c_contiguous)
    for name in ("y", "train", "sets", "sequences"):
        np.testing.assert_array_equal(getattr(fast, name), getattr(slow, name))
    for name in ("name", "classes", "columns", "categories", "sha256", "note", "pca", "remarks"):
        assert getattr(fast, name) == getattr(slow, name), name


@pytest.mark.parametrize("name", HERE)
def test_every_card_has_the_same_data_by_each_reader(name, always_fast, monkeypatch):
    monkeypatch.setattr(fast_csv, "PART", 1_000_000)
    with_pyarrow = load_if_here(name)
    hide_pyarrow(monkeypatch)
    with_pandas = load_if_here(name)
    monkeypatch.setattr(reading, "SMALL", 2**40)
    slow = load_if_here(name)
    same(with_pyarrow, slow)
    same(with_pandas, slow)


def outcome(path, **options):
    try:
        return load_csv(path, name="mine", target="label", **options)
    except DataError as error:
        return str(error)


def compared(path, content: bytes, part=fast_csv.PART, **options):
    """What all readers make of a file: they must agree on the data or on the sentence."""
    path.write_bytes(content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_csv, "PART", part)
        patch.setattr(plain_csv, "SAMPLE", max(part, 64))
        patch.setattr(reading, "SMALL", 2**40)
        slow = outcome(path, **options)
        patch.setattr(reading, "SMALL", -1)
        fast = [outcome(path, **options)]
        hide_pyarrow(patch)
        fast.append(outcome(path, **options))
    for found in fast:
        if isinstance(slow, str):
            assert found == slow
        else:
            same(found, slow)
    return slow


ODD = st.one_of(
    NUMBERS,
    st.sampled_from(WORDS.split("|")),
    st.text(alphabet="ab1.,\" ;\té'", max_size=4),
)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_random_tables_are_read_alike(data, tmp_path_factory):
    n = data.draw(st.integers(4, 12))
    columns = [
        data.draw(
            st.lists(data.draw(st.sampled_from([NUMBERS, NUMBERS, ODD])), min_size=n, max_size=n)
        )
        for _ in range(data.draw(st.integers(1, 3)))
    ]
    labels = data.draw(
        st.lists(st.sampled_from(["a", "b", " a", "10", "9"]), min_size=n, max_size=n)
    )
    text = io.StringIO(newline="")
    quoting = data.draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
    ends = data.draw(st.sampled_from(["\n", "\r\n"]))
    separator = data.draw(st.sampled_from([",", ";"]))
    writer = csv.writer(text, quoting=quoting, lineterminator=ends, delimiter=separator)
    writer.writerow([*(f"x{j}" for j in range(len(columns))), "label"])
    writer.writerows(zip(*columns, labels, strict=True))
    content = text.getvalue() + data.draw(st.sampled_from(["", ends, ends * 3]))
    path = tmp_path_factory.mktemp("random") / "mine.csv"
    part = data.draw(st.sampled_from([16, 40, 2**16]))
    compared(path, content.encode(), part, rare_classes="keep")


@settings(max_examples=100, deadline=None)
@given(
    text=st.text(alphabet='ab1.,"\n\r \0é?', min_size=1, max_size=60),
    part=st.sampled_from([8, 32, 2**16]),
)
@example(text='1,a\n"1"",2",b\n', part=32)
@example(text="1,a\n\n2,b\n", part=8)
@example(text="1,a\n2\n3,b,4\n", part=32)
@example(text='1,a\n"x\n",b\n', part=32)
def test_random_text_is_read_alike_or_refused_in_the_same_words(text, part, tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "mine.csv"
    rows = "x,label\n1,a\n2,a\n3,b\n4,b\n"
    compared(path, (rows + text).encode(), part, rare_classes="keep")


def lines(n=40, cell=lambda i: f"{i / 7}"):
    return "".join(f"{cell(i)},{'red' if i % 3 else 'blue'},{'ab'[i % 2]}\n" for i in range(n))


HEAD = "x,colour,label\n"


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (HEAD + lines(), {}),
        ("\n\n" + HEAD + lines(), {}),
        ("\ufeff" + HEAD + lines() + "\n\n", {}),
        (HEAD + lines() + lines(3, lambda i: "big"), {}),
        (HEAD + lines(cell=lambda i: "red" if i > 15 else str(i)), {}),
        (HEAD + lines(cell=lambda i: "1e40" if i == 30 else str(i)), {"dtype": "float32"}),
        (HEAD + lines(cell=lambda i: "inf" if i == 30 else str(i)), {}),
        (HEAD + lines(cell=lambda i: "0.1" * (i % 2)), {"dtype": "float32"}),
        (HEAD + lines(), {"drop": ["x"]}),
        (HEAD + lines(), {"drop": ["label"]}),
        (HEAD + lines(), {"nominal": ["x"]}),
        (HEAD + lines(), {"nominal": ["*"]}),
        (HEAD + lines(), {"nominal": ["colour"], "drop": ["y"]}),
        (HEAD + lines() + "3,red,\n", {"missing_labels": "drop"}),
        (HEAD + lines() + "3,red,\n", {}),
        (HEAD + lines() + "3,red,c\n", {"rare_classes": "drop"}),
        (HEAD + lines() + "3,red,c\n", {}),
        (HEAD + lines(), {"sequence": "colour"}),
        (HEAD.replace("x", "split") + lines(cell=lambda i: ["train", "test"][i > 20]) * 2, {}),
        (HEAD.replace("x", "split") + lines(cell=lambda i: ["train", "tset"][i > 20]) * 2, {}),
        (HEAD + lines().replace("\n", "\r"), {}),
        (HEAD + "\ufeff" + lines(), {}),
        (HEAD + "\ufeff1,red,a\n" * 40 + lines(), {"nominal": ["x"]}),
        (HEAD + lines() + "3,re\0d,a\n", {}),
        (HEAD.replace(",", ";") + lines().replace(",", ";").replace(".", ","), {}),
    ],
)
@pytest.mark.parametrize("part", [100, 2**20])
def test_options_and_mistakes_give_the_same_data_or_sentence(content, options, part, tmp_path):
    compared(tmp_path / "mine.csv", content.encode(), part, **options)


def test_bytes_that_are_not_utf_8_are_named_by_their_line(tmp_path):
    said = compared(tmp_path / "mine.csv", (HEAD + lines()).encode() + b"1,\xe9,a\n", 100)
    assert "line 42: not UTF-8" in said


def test_label_sets_are_read_alike(tmp_path):
    rows = "".join(f"{i},{'p;q' if i % 2 else 'q'}\n" for i in range(40))
    compared(tmp_path / "mine.csv", ("x,label\n" + rows).encode(), 100, labels=Labels(";"))


def test_pyarrow_reads_numbers_names_and_gaps_without_pandas(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SMALL", -1)
    monkeypatch.setattr(csv_parsers, "_by_pandas", lambda *_: pytest.fail)
    path = tmp_path / "mine.csv"
    path.write_text(HEAD + lines(cell=lambda i: f" {i / 7} " if i % 5 else '"NA"'))
    data = load_csv(path, name="mine", target="label")
    assert data.X.shape == (40, 2)
    assert np.isnan(data.X).sum() == 8


def test_one_part_that_pyarrow_does_not_take_is_read_by_pandas(tmp_path, monkeypatch):
    asked = asked_of_pandas(monkeypatch)
    content = HEAD + lines(60, lambda i: "\v" * (i == 50) + str(i))
    compared(tmp_path / "mine.csv", content.encode(), 100)
    assert asked[0] > 40


def test_a_large_file_is_read_in_parts_and_a_small_one_is_not(tmp_path, monkeypatch):
    path = tmp_path / "mine.csv"
    path.write_text(HEAD + lines())
    used = []
    monkeypatch.setattr(reading, "read", lambda *_: used.append(1) or fast_csv.read(*_))
    load_csv(path, name="mine", target="label")
    assert not used
    path.write_text(HEAD + lines(60_000))
    load_csv(path, name="mine", target="label")
    assert used


def test_a_large_gzip_of_high_ratio_is_refused_and_an_honest_one_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "LARGEST", 10_000)
    monkeypatch.setattr(reading, "SMALL", -1)
    path = tmp_path / "mine.csv.gz"
    path.write_bytes(gzip.compress((HEAD + lines(2000)).encode()))
    assert len(load_csv(path, name="mine", target="label").y) == 2000
    path.write_bytes(gzip.compress((HEAD + "1,red,a\n" * 10**6).encode()))
    with pytest.raises(DataError, match="larger than 10000 bytes and 100 times its packed size"):
        load_csv(path, name="mine", target="label")


def test_a_file_too_large_for_strings_must_be_plain_and_says_where_it_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(table, "LARGEST", 100)
    monkeypatch.setattr(plain_csv, "SAMPLE", 200)
    monkeypatch.setattr(reading, "SMALL", -1)
    path = tmp_path / "mine.csv"
    for row, why in (
        ("1,red\n", "line 42: not 3 cells, as many as the header has"),
        ('1,"r""d",a\n', "lines from 2: quotes inside of cells"),
        ("\n1,red,a\n", "line 42: not 3 cells"),
    ):
        path.write_text(HEAD + lines() + row)
        with pytest.raises(DataError, match=why) as error:
            load_csv(path, name="mine", target="label")
        assert "must be plain: see datasets/README.md. Fix it" in str(error.value)
    path.write_text(HEAD + lines() + "big,red,a\n")
    with pytest.raises(DataError, match="line 42: column 'x': 'big' is not a number"):
        load_csv(path, name="mine", target="label")


def test_a_table_that_does_not_fit_is_refused_before_it_is_read(tmp_path, monkeypatch):
    class Full:
        available = 100

    monkeypatch.setattr(reading, "SMALL", -1)
    monkeypatch.setattr(block.psutil, "virtual_memory", Full)
    path = tmp_path / "mine.csv"
    path.write_text(HEAD + lines())
    with pytest.raises(DataError, match=r"need 0\.0 GB of memory, 0\.0 GB are free\. Use a part"):
        load_csv(path, name="mine", target="label")


def test_what_is_not_plain_is_left_to_the_other_reader(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text('"x\ny",label\n1,a\n')
    with pytest.raises(NotPlain, match="a header of several lines"):
        fast_csv.read(path, lambda names: Roles(names[:1], frozenset(names[1:])))
