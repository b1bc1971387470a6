"""The clock of a trial."""

import pytest

from ecoc_bench.errors import UserError
from ecoc_bench.trying.budget import Clock, parse_duration


def test_a_duration_has_a_unit_and_a_least_length():
    assert parse_duration("60s") == parse_duration("1m") == parse_duration("60")
    for text, said in (("soon", "no duration"), ("5 weeks", "no duration"), ("1s", "at least 5")):
        with pytest.raises(UserError, match=said):
            parse_duration(text)


def test_the_clock_keeps_a_tail_for_what_follows_the_fits():
    now = [100.0]
    clock = Clock(60.0, now=lambda: now[0])
    assert clock.left == 60
    assert clock.left_for_fits == pytest.approx(46)
    now[0] += 50
    assert clock.left == 10
    assert clock.left_for_fits < 0
    assert not clock.is_late()
    clock.mark("fitting")
    now[0] += 5
    clock.mark("files")
    assert clock.is_late()
    assert clock.steps == {"fitting": 50, "files": 5}
