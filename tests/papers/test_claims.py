"""Claims of every paper on rows made so that each comes out each way."""

import cases_allwein2000
import cases_passerini2004
import cases_sun2005
import pytest
from judged import NOT, PARTLY, REPRODUCED

from ecoc_bench.papers.registry import PAPERS

CASES = {
    "allwein2000": cases_allwein2000.CASES,
    "passerini2004": cases_passerini2004.CASES,
    "sun2005": cases_sun2005.CASES,
}


@pytest.mark.parametrize(
    ("paper", "name", "rows", "expected"),
    [
        pytest.param(paper, *case, id=f"{case[0]}-{case[2]}-{i}")
        for paper, cases in CASES.items()
        for i, case in enumerate(cases)
    ],
)
def test_each_claim_comes_out_each_way(paper, name, rows, expected):
    found = PAPERS[paper].claims[name].judge(rows)
    assert found.verdict == expected, found.evidence
    assert "\n" not in found.evidence
    assert any(character.isdigit() for character in found.evidence)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_cases_are_of_every_claim_and_every_verdict(paper):
    assert {(name, verdict) for name, _, verdict in CASES[paper]} == {
        (name, verdict) for name in PAPERS[paper].claims for verdict in (REPRODUCED, PARTLY, NOT)
    }
