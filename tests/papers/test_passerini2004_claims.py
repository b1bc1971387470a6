"""Claims of Passerini et al. 2004 on rows and runs made up."""

import numpy as np
import pytest
from cases_passerini2004 import changed, is_likelihood, rows_of, shifted
from judged import NOT_ENOUGH, PARTLY, REPRODUCED, text_of
from runs_passerini2004 import CODES, GAMMAS, LARGE, swept

from ecoc_bench.papers.claims import judge
from ecoc_bench.papers.passerini2004 import PASSERINI_2004
from ecoc_bench.papers.passerini2004.claims import CLAIMS, SCOPES
from ecoc_bench.results.run import Run


@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize(
    "gone", ["dataset in ['letter', 'satimage']", "code == 'all_pairs'", "gamma == 0.5"]
)
def test_a_claim_without_its_curves_is_not_judged(name, gone):
    rows = rows_of()
    rows.loc[rows.eval(gone), ["error", "bound"]] = np.nan
    assert CLAIMS[name].judge(rows).verdict == NOT_ENOUGH


@pytest.mark.parametrize("name", CLAIMS)
def test_a_run_without_letter_is_enough(name):
    rows = rows_of()
    rows.loc[rows["dataset"] == "letter", ["error", "bound"]] = np.nan
    assert CLAIMS[name].judge(rows).verdict in (REPRODUCED, PARTLY)


def test_a_bound_that_is_flat_chooses_nothing():
    everywhere = rows_of(bounds=shifted(lambda d, c: 0, flat=CODES))
    for name in ("bound_minimum_close", "bound_smaller_variance"):
        found = CLAIMS[name].judge(everywhere)
        assert found.verdict == NOT_ENOUGH
        assert found.evidence.startswith("only 0 of the figure's 15 curves")


def test_a_gamma_without_a_bound_is_skipped_alone_and_named():
    """The curve still counts, on the gammas that have a bound: the others cannot be chosen."""
    rows = rows_of()
    whole = CLAIMS["bound_minimum_close"].judge(rows)
    rows.loc[(rows["dataset"] == "optdigits") & (rows["gamma"] == rows["gamma"].max()), "bound"] = (
        np.nan
    )
    for name in ("bound_minimum_close", "bound_smaller_variance"):
        found = CLAIMS[name].judge(rows)
        assert " of 15 curves" in found.evidence
        assert found.evidence.endswith(f"; no bound at gamma {rows['gamma'].max():g}: Optdigits")
    assert CLAIMS["bound_minimum_close"].judge(rows).evidence.startswith(whole.evidence)


def test_a_lowest_error_where_there_is_no_bound_is_still_the_lowest():
    """A gamma without a bound is not chosen, so that the chosen one is above the lowest error."""
    rows = rows_of(lambda *at: 1.0 if at[3] == len(GAMMAS) - 1 else 9.0, shifted(lambda d, c: 0))
    rows.loc[rows["gamma"] == rows["gamma"].max(), "bound"] = np.nan
    found = CLAIMS["bound_minimum_close"].judge(rows)
    assert "on 0 of 15 curves" in found.evidence


@pytest.mark.parametrize("name", CLAIMS)
def test_curves_that_are_left_out_are_named(name):
    rows = rows_of()
    rows.loc[rows["dataset"] == "letter", ["error", "bound"]] = np.nan
    assert CLAIMS[name].judge(rows).evidence.endswith("; missing: Letter")


def test_a_curve_with_one_point_short_is_named_with_the_gamma():
    rows = rows_of()
    rows.loc[rows.eval("dataset == 'letter' and code == 'ova' and gamma == 2"), "error"] = np.nan
    found = CLAIMS["one_vs_all_well"].judge(rows)
    assert found.evidence.endswith(
        "; no error at gamma 2: Letter with One-vs-all; not all codes: Letter"
    )


def test_flat_bounds_are_named():
    rows = rows_of()
    rows.loc[rows.eval("dataset == 'letter' and code == 'ova'"), "bound"] = 3.0
    found = CLAIMS["bound_minimum_close"].judge(rows)
    assert found.evidence.endswith("; the same bound at every gamma: Letter with One-vs-all")


def test_of_equally_low_errors_the_nearest_to_the_bounds_counts():
    rows = rows_of(lambda *at: 5.0 if at[3] in (2, 8) else 9.0, shifted(lambda d, c: 2))
    assert (
        CLAIMS["bound_smaller_variance"]
        .judge(rows)
        .evidence.startswith("above on 0, below on 15, the same on 0 of 15 curves; -1.0 steps")
    )


def test_evidence_counts_data_sets_and_points():
    found = CLAIMS["likelihood_better"].judge(rows_of(changed(is_likelihood, 0.65)))
    assert found.evidence.startswith(
        "no other is lower at 100% (One-vs-all), 91% (All-pairs), 91% (Dense) of the points; "
        "lowest mean error on 5 of 5 data sets; "
    )


def test_a_run_is_judged_by_the_claims_of_its_figures(large, small):
    found = {(v.source[-8:], v.name): v for v in judge(Run(large))}
    by_figure = {source: [n for s, n in found if s == source] for source, _ in found}
    assert by_figure == {"Figure 3": list(CLAIMS)[:6], "Figure 4": list(CLAIMS)[6:]}
    assert found["Figure 3", "likelihood_better"].verdict == REPRODUCED
    assert found["Figure 4", "bound_minimum_close"].verdict == REPRODUCED
    assert {v.paper_line for v in found.values()} == {""}
    of_two = judge(Run(small))
    assert {v.source for v in of_two} == {"Passerini et al. 2004, Figure 2"}
    assert {v.verdict for v in of_two} == {NOT_ENOUGH}
    assert "on 2 of the figure's 5 data sets" in of_two[0].evidence


def test_a_run_without_criteria_is_judged_on_its_errors(tmp_path):
    bare = swept(tmp_path / "bare", LARGE[:4], folds=1)
    (bare / "criteria.csv").unlink()
    (bare / "selected.csv").unlink()
    found = {v.name: v.verdict for v in judge(Run(bare))}
    assert found["likelihood_better"] == REPRODUCED
    assert found["bound_minimum_close"] == NOT_ENOUGH
    assert "bound –" in text_of(bare)
    assert [picture.name for picture in PASSERINI_2004.figures(Run(bare))] == ["figure3"]


@pytest.mark.parametrize(
    "other",
    [
        {"decoders": [{"name": "hamming"}]},
        {"datasets": [{"name": "mine"}]},
        {"learners": [{"name": "gaussian_svm@0.5", "type": "gaussian_svm"}]},
    ],
)
def test_other_runs_are_not_judged_by_these_claims(other, large):
    run = Run(large)
    assert SCOPES["figure3"].is_of(run)
    run.config.update(other)
    assert not SCOPES["figure3"].is_of(run)
