"""Coding matrices as pictures."""

import numpy as np
import pytest

from ecoc_bench.coding.codes import CODES
from ecoc_bench.coding.distances import rho
from ecoc_bench.errors import CodeError
from ecoc_bench.plots.code import COLOURS, draw_code
from ecoc_bench.plots.style import render


@pytest.mark.parametrize("k", [3, 6, 10])
@pytest.mark.parametrize("name", CODES)
def test_every_code_can_be_drawn(name, k):
    try:
        M = CODES[name].make(k, np.random.default_rng(0))
    except CodeError:
        assert (name, k) in {("dense", 3), ("sparse", 3), ("bch", 3)}
        return
    figure = draw_code(M, name)
    images = [axes.get_images()[0].get_array() for axes in figure.axes]
    assert np.array_equal(np.hstack(images), M)
    assert figure.get_suptitle() == f"{name}: {k} classes, {M.shape[1]} columns, rho {rho(M):g}"
    assert b"classes" in render(figure, "svg")


def test_the_colours_of_a_code_differ_in_grey_too():
    def grey(colour):
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.3 * red + 0.59 * green + 0.11 * blue

    dark, middle, light = sorted(map(grey, COLOURS.values()))
    assert min(middle - dark, light - middle) > 0.2


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_show_code_draws_a_matrix(kind, command, tmp_path):
    path = tmp_path / f"code.{kind}"
    result = command("show", "code", "all_pairs", "--classes", 4, "--plot", path)
    assert result.stdout.strip() == str(path)
    assert path.read_bytes().startswith(b"\x89PNG" if kind == "png" else b"<?xml")
    if kind == "svg":
        assert "all_pairs: 4 classes, 6 columns, rho 3.5" in path.read_text()


@pytest.mark.parametrize(
    ("name", "file", "message"),
    [
        ("dens", "code.png", "Did you mean 'dense'"),
        ("ova", "code.gif", "must end in .png or .svg"),
        ("ova", "nowhere/code.png", "there is no folder"),
    ],
)
def test_show_code_says_what_it_cannot_draw(name, file, message, command, tmp_path):
    result = command("show", "code", name, "-k", 4, "--plot", tmp_path / file)
    assert result.exit_code == 2
    assert message in result.stderr
