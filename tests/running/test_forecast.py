"""How long fits will take: learnt from finished tasks, or from small fits before a run."""

import pytest
from runs import SMALL, SVM_LINE, planned

from ecoc_bench.running import estimate
from ecoc_bench.running.fit import Fitted
from ecoc_bench.running.forecast import Forecast, rows_in_columns, scouts_first

BOTH = SMALL.replace(SVM_LINE, f"{SVM_LINE}\n  logistic:") + "methods: [kesler]\n"


@pytest.fixture
def plan(config):
    return planned(config(BOTH))


@pytest.fixture
def tasks(plan):
    return plan.tasks(plan.cells, ())


def is_of(task, learner, dataset):
    return (task.context.learner, task.context.dataset) == (learner, dataset)


def test_zeros_of_a_code_leave_rows_out(tasks):
    for task in tasks:
        at = task.context
        if task.columns == ("labels",):
            assert rows_in_columns(task) == len(at.train)
        else:
            assert rows_in_columns(task) == (task.block[at.y_train] != 0).sum()


def test_nothing_is_known_before_a_task_is_finished_and_nothing_left_at_the_end(tasks):
    forecast = Forecast(tasks)
    assert forecast.left() is None
    assert forecast.under_way(2) == {}
    for task in tasks:
        forecast.finish(task, 1.0, "w")
    assert forecast.left() == pytest.approx(0)
    assert forecast.n_finished == forecast.n_columns == sum(len(t.columns) for t in tasks)
    assert forecast.seconds == len(tasks)
    assert Forecast([]).left() == 0


def test_a_first_task_stands_for_all_others(tasks):
    forecast = Forecast(tasks)
    forecast.finish(tasks[0], 3.0 * rows_in_columns(tasks[0]), "w")
    assert forecast.left() == pytest.approx(3.0 * sum(map(rows_in_columns, tasks[1:])))
    expected = {task: 3.0 * rows_in_columns(task) for task in tasks[1:3]}
    assert forecast.under_way(2) == pytest.approx(expected)


def test_a_slow_start_of_a_worker_does_not_stand_for_others(tasks):
    vowel = [task for task in tasks if is_of(task, "svm", "vowel")]
    glass = [task for task in tasks if is_of(task, "svm", "glass")]
    forecast = Forecast([*vowel, *glass])
    for task, worker in ((vowel[0], "a"), (glass[0], "b")):
        forecast.finish(task, 1000.0, worker)
    assert forecast.left() > 1000
    forecast.finish(glass[1], 2.0 * rows_in_columns(glass[1]), "a")
    left = sum(map(rows_in_columns, [*vowel[1:], *glass[2:]]))
    assert forecast.left() == pytest.approx(2.0 * left)


def test_tasks_go_by_those_of_their_learner_and_data_set(tasks):
    rates = {("svm", "glass"): 5.0, ("svm", "vowel"): 2.0, ("logistic", "vowel"): 0.1}
    forecast = Forecast(tasks)
    for pair, rate in rates.items():
        for task in [t for t in tasks if is_of(t, *pair)][::2]:
            forecast.finish(task, rate * rows_in_columns(task), "w")
    expected = {t: rates.get((t.context.learner, t.context.dataset)) for t in forecast.todo}
    assert set(rates.values()) <= set(expected.values())
    for task, seconds in forecast.under_way(len(tasks)).items():
        if expected[task] is not None:
            assert seconds == pytest.approx(expected[task] * rows_in_columns(task))


def test_a_learner_that_is_new_to_a_data_set_goes_by_its_other_data_sets(tasks):
    forecast = Forecast(tasks)
    for task in tasks:
        if is_of(task, "svm", "glass") or is_of(task, "logistic", "vowel"):
            rate = 5.0 if task.context.learner == "svm" else 0.1
            forecast.finish(task, rate * rows_in_columns(task), "w")
    new = next(task for task in forecast.todo if is_of(task, "svm", "vowel"))
    assert forecast.under_way(len(tasks))[new] == pytest.approx(5.0 * rows_in_columns(new))


def test_small_fits_are_extrapolated_by_the_power_they_grow_with(plan, monkeypatch):
    """Seconds that go with the square of a column's rows, by a clock of our own."""

    def seconds(task):
        n = len(task.columns)
        return 1e-7 * n * (rows_in_columns(task) / n) ** 2

    fitted = lambda task, data, recipe: Fitted("record", [], seconds=seconds(task))  # noqa: E731
    monkeypatch.setattr(estimate, "fit_task", fitted)
    tasks = [task for task in plan.tasks(plan.cells, ()) if task.context.dataset == "vowel"]
    monkeypatch.setattr(estimate, "ENOUGH", 0.02)  # the second fit, not of all rows, is the last
    assert estimate.expected_seconds(plan, tasks) == pytest.approx(
        sum(map(seconds, tasks)), rel=0.05
    )


def test_what_is_not_measured_in_time_goes_by_the_mean_of_its_learner(plan, monkeypatch):
    fitted = lambda task, data, recipe: Fitted(  # noqa: E731
        "record", [], seconds=2.0 * rows_in_columns(task)
    )
    monkeypatch.setattr(estimate, "fit_task", fitted)
    times = iter([0.0, 1.0, estimate.BUDGET - 1, *[estimate.BUDGET + 1] * 1000])
    monkeypatch.setattr(estimate.time, "perf_counter", lambda: next(times))
    tasks = plan.tasks(plan.cells, ())
    expected = 2.0 * sum(map(rows_in_columns, tasks))
    assert estimate.expected_seconds(plan, tasks) == pytest.approx(expected)


def test_real_fits_are_measured_and_nothing_is_estimated_where_all_fail(config, tmp_path):
    (tmp_path / "fickle.py").write_text(
        "class Fickle:\n"
        "    def fit(self, X, Y):\n"
        "        assert len(X) == 12, 'the toy problem is all I do'\n"
        "        self.n = Y.shape[1]\n"
        "    def margins(self, X):\n"
        "        return [[0.0] * self.n] * len(X)\n"
    )
    plan = planned(config())
    tasks = plan.tasks(plan.cells, ())
    assert estimate.expected_seconds(plan, tasks) > 0
    assert estimate.expected_seconds(plan, []) == 0
    text = SMALL.replace(SVM_LINE, '"fickle:Fickle":').replace("[hamming, loss]", "[hamming]")
    plan = planned(config(text))
    assert estimate.expected_seconds(plan, plan.tasks(plan.cells, ())) is None


def test_the_smallest_task_of_each_learner_and_data_set_goes_first(tasks):
    order = scouts_first(tasks)
    pairs = {(task.context.learner, task.context.dataset) for task in tasks}
    scouts, rest = order[: len(pairs)], order[len(pairs) :]
    assert {(task.context.learner, task.context.dataset) for task in scouts} == pairs
    for scout in scouts:
        alike = [t for t in tasks if is_of(t, scout.context.learner, scout.context.dataset)]
        assert rows_in_columns(scout) == min(map(rows_in_columns, alike))
    assert rest == [task for task in tasks if task not in scouts]
    assert scouts_first([]) == []
