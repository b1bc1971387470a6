"""The registry of joint methods."""

import re

import pytest

from ecoc_bench.joint import METHODS
from ecoc_bench.plugins import load_object


@pytest.mark.parametrize("name", METHODS)
def test_every_method_says_where_it_comes_from(name):
    """The equation, exercise, figure or section of its paper, or the title of the slide."""
    doc = load_object(METHODS[name].path).__doc__
    places = r"Eqs?\. \d|[Ee]xercise 9|Section \d|Fig\. \d|\"[A-Z][^\"]+\""
    assert re.search(places, doc), doc
