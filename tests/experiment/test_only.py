"""`--only axis=name`: what is chosen, and what is refused."""

import pytest
from runs import SMALL, planned

from ecoc_bench.errors import ConfigError
from ecoc_bench.experiment.codebook import CodeBook
from ecoc_bench.experiment.config import read_config
from ecoc_bench.experiment.only import parse_only
from ecoc_bench.experiment.plan import Plan

BOTH = (
    SMALL.replace("[glass, vowel]", "[glass, vowel]\nnoise: [0, 0.1]")
    + """
methods:
  kesler:
  naive: {type: "sklearn.naive_bayes:GaussianNB", sweep: {var_smoothing: [0.1, 0.2]}}
"""
)
SWEPT = {"naive@0.1", "naive@0.2"}


@pytest.fixture
def chosen(config, tmp_path):
    """The data sets, learners and codes (or methods) that pairs choose."""
    path = config(BOTH)

    def choose(*pairs):
        plan = Plan(read_config(path), str(path), CodeBook(tmp_path / "codes"), pairs)
        return tuple({getattr(c, a) for c in plan.chosen} for a in ("dataset", "learner", "code"))

    return choose


def test_method_chooses_methods_and_leaves_the_codes_out(chosen):
    assert chosen("method=kesler")[1:] == ({"joint"}, {"kesler"})
    assert chosen("method=kesler", "method=naive@0.2")[2] == {"kesler", "naive@0.2"}


def test_a_sweep_and_noise_levels_go_by_the_name_that_they_share(chosen):
    datasets, learners, codes = chosen("dataset=glass", "method=naive")
    assert (datasets, learners, codes) == ({"glass@0", "glass@0.1"}, {"joint"}, SWEPT)
    assert chosen("dataset=glass@0")[0] == {"glass@0"}


def test_learners_and_codes_leave_the_methods_out_unless_these_are_named(chosen):
    assert chosen("learner=svm")[1:] == ({"svm"}, {"ova", "all_pairs", "dense"})
    assert chosen("code=ova")[1:] == ({"svm"}, {"ova"})
    assert chosen("code=ova", "method=kesler")[1:] == ({"svm", "joint"}, {"ova", "kesler"})
    assert chosen("learner=svm", "method=kesler")[1] == {"svm", "joint"}


def test_a_method_is_also_chosen_by_the_column_that_it_is_in(chosen):
    assert chosen("code=kesler")[1:] == ({"joint"}, {"kesler"})
    assert chosen("code=kesler", "learner=svm") == (set(), set(), set())


def test_without_a_choice_everything_is_chosen(chosen):
    assert chosen("dataset=vowel")[2] == {"ova", "all_pairs", "dense", "kesler", *SWEPT}


def test_codes_are_not_drawn_where_only_methods_are_chosen(config, tmp_path):
    path = config(BOTH)
    plan = Plan(read_config(path), str(path), CodeBook(tmp_path / "codes"), ["method=kesler"])
    assert not [key for key in plan.matrices if key[1] == "dense"]


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("code=ovo", "--only code=ovo: unknown code 'ovo'"),
        ("colour=red", "--only colour=red: unknown axis 'colour'.*Write axis=name"),
        ("glass", "unknown axis 'glass'"),
        ("methods=kesler", "unknown axis 'methods'. Did you mean 'method'?"),
        ("method=kessler", "unknown method 'kessler'. Did you mean 'kesler'?"),
        ("method=", "unknown method ''"),
        ("method=ova", "unknown method 'ova'.*There is a code of this name: --only code=ova"),
        ("learner=kesler", "There is a method of this name: --only method=kesler"),
    ],
)
def test_only_refuses_what_it_does_not_know(pair, message, config):
    with pytest.raises(ConfigError, match=message):
        parse_only([pair], read_config(config(BOTH)))


def test_a_config_without_methods_says_so(config):
    with pytest.raises(ConfigError, match="the config has no methods"):
        parse_only(["method=kesler"], planned(config()).experiment)
