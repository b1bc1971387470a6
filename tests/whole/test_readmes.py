"""The READMEs say what the package does: commands, keys, files, columns, folders, examples."""

import inspect
import re
import shlex
import subprocess
import tomllib

import click
import numpy as np
import pytest
import yaml
from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from sklearn.datasets import load_digits

from ecoc_bench.cli import main
from ecoc_bench.coding.codes import CODES
from ecoc_bench.data.cards import Card, card_names, read_card
from ecoc_bench.experiment import config
from ecoc_bench.files import PACKAGE
from ecoc_bench.learners import LEARNERS, learner_class
from ecoc_bench.learners.contract import Learner
from ecoc_bench.published import table_names
from ecoc_bench.results.catalogue import FILES, FOLDERS, RESULT_COLUMNS, ROUNDS

ROOT = PACKAGE.parent
FOLDERS_ON_TOP = ("configs", "datasets", "results", "tests", "ecoc_bench")
NAMES = ["README.md", *(f"{folder}/README.md" for folder in FOLDERS_ON_TOP)]
TEXTS = {name: (ROOT / name).read_text() for name in NAMES}
MODELS = {
    model.__name__: model
    for model in vars(config).values()
    if inspect.isclass(model) and issubclass(model, BaseModel)
    if model not in (BaseModel, config.Spec)
}
INTERNAL = {"folder"}  # of an Experiment, not of a config


def marked(text, mark):
    """What stands after `<!-- mark -->`, up to the next mark."""
    return text.split(f"<!-- {mark} -->")[1].split("<!--")[0]


def table(text, mark):
    """The cells of a Markdown table, without its header."""
    lines = marked(text, mark).strip().splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def blocks(name, language=""):
    return re.findall(rf"^```{language}\n(.*?)^```", TEXTS[name], flags=re.M | re.S)


def shown(value):
    """A default as the tables show it."""
    if value is None or value == "" or (isinstance(value, tuple | dict) and not value):
        return "none"
    return f"`{yaml.safe_dump(value).splitlines()[0]}`"


def default(value):
    if isinstance(value, config.Evaluation):
        return "see below"
    if isinstance(value, tuple) and value:
        return f"`[{', '.join(f'{number:g}' for number in value)}]`"
    return f"`{value:g}`" if type(value) is float else shown(value)


def test_the_first_page_is_one_page():
    assert len(TEXTS["README.md"]) <= 7000


def test_the_first_page_shows_three_rows_of_the_committed_table():
    path = ROOT / "results" / "reference" / "uci_adaboost" / "tables" / "table.txt"
    committed = path.read_text()
    whole = committed[committed.index("Loss-based Decoding (Exp.)") :].split("\n\n")[0].splitlines()
    head, *rows = marked(TEXTS["README.md"], "table").strip("`\n").split("\n", 3)
    assert [head, *rows[:2]] == whole[:3]
    problems = re.split(r"\n(?=\S)", rows[2])
    assert len(problems) == 3
    for problem in problems:
        lines = problem.splitlines()
        start = whole.index(lines[0])
        assert whole[start : start + 3] == lines


@pytest.mark.parametrize("name", NAMES)
def test_links_and_pictures_lead_somewhere(name):
    for target in re.findall(r"\]\(([^)]+)\)", TEXTS[name]):
        path, _, place = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        headings = re.findall(r"^#+ (.*)$", file.read_text(), flags=re.M) if place else []
        assert not place or place in {h.lower().replace(" ", "-") for h in headings}


def test_the_first_page_leads_to_the_others_and_maps_every_folder():
    text = TEXTS["README.md"]
    for name in NAMES[1:]:
        assert f"({name})" in text
    assert mapped(text) == set(FOLDERS_ON_TOP)
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert mapped(TEXTS["ecoc_bench/README.md"]) == packages


def mapped(text):
    """The folders in the first column of a table."""
    return {row.split("|")[1].strip(" `/") for row in text.splitlines() if row.startswith("| `")}


@pytest.mark.parametrize(
    ("folder", "file"),
    re.findall(r"^\| `(\w+/)`.*?`(\w+\.py)`", TEXTS["ecoc_bench/README.md"], flags=re.M),
)
def test_the_files_of_the_map_are_there(folder, file):
    assert (PACKAGE / folder / file).exists()


def command_lines():
    for name in NAMES:
        for line in "".join(blocks(name)).splitlines():
            if line.startswith("ecoc-bench "):
                yield line.partition("#")[0].strip()
        inline = re.findall(r"`(ecoc-bench [^`]+)`", TEXTS[name])
        yield from (re.sub(r"\s+", " ", line) for line in inline)


@pytest.mark.parametrize("line", sorted(set(command_lines())))
def test_a_command_line_of_the_readmes_is_one_that_the_program_takes(line):
    command, words = main, shlex.split(line)[1:]
    while isinstance(command, click.Group) and words:
        command, words = command.commands[words[0]], words[1:]
    if words:
        command.make_parser(click.Context(command)).parse_args(words)


def test_make_targets_of_readmes_and_workflows_are_in_the_makefile():
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    named = re.findall(
        r"(?:^|`|run: )make ([a-z][\w-]*)", "\n".join([*TEXTS.values(), workflow]), re.M
    )
    assert {"run", "test", "lint", "check-regression", "reproduce-sun"} <= set(named) <= targets


def test_every_option_of_run_is_explained():
    said = "\n".join(TEXTS.values())
    for parameter in main.commands["run"].params:
        options = [*parameter.opts, *parameter.secondary_opts]
        assert isinstance(parameter, click.Argument) or any(option in said for option in options)


# configs/README.md

CONFIGS = TEXTS["configs/README.md"]


@pytest.mark.parametrize("name", MODELS)
def test_every_key_of_a_config_is_explained_with_its_default(name):
    said = {row[0].strip("`"): row[1] for row in table(CONFIGS, f"keys: {name}")}
    fields = {k: f for k, f in MODELS[name].model_fields.items() if k not in INTERNAL}
    assert list(said) == list(fields)
    for key, field in fields.items():
        value = "needed" if field.default is PydanticUndefined else default(field.default)
        assert said[key] == value, key


def test_the_optional_attributes_of_a_learner_are_those_of_the_contract():
    said = {row[0].strip("`"): row[1] for row in table(CONFIGS, "contract")}
    assert list(said) == list(Learner.__annotations__)
    for name, text in said.items():
        assert text == default(getattr(Learner, name, None)), name
    own = {n for n, f in vars(Learner).items() if inspect.isfunction(f)}
    for method in own - {
        "described",
        "takes",
        "uses_costs",
        "fresh",
        "fitted",
    }:  # these are for the package alone
        assert f"`{method}(" in CONFIGS


def test_the_parameters_of_learners_are_listed_with_their_defaults():
    lines = re.findall(
        r"^\| `(\w+)` \| (.*) \|$", CONFIGS.split("parameters and their defaults")[1], re.M
    )
    said = {name: re.findall(r"`(\w+)(?:: ([^`]+))?`", text) for name, text in lines}
    rows = {name: dict(found) for name, found in said.items() if name in LEARNERS}
    assert set(rows) == set(LEARNERS)
    for name, pairs in rows.items():
        parameters = inspect.signature(learner_class(name)).parameters
        known = {n: p.default for n, p in parameters.items()}
        given = set(known) - {"nominal", "random_state", "params"}
        assert given <= set(pairs)
        for key in given:
            assert not pairs[key] or yaml.safe_load(pairs[key]) == known[key], (name, key)


def test_families_and_printed_tables_are_named():
    for name in (*CODES, *table_names()):
        assert f"`{name}`" in CONFIGS


@pytest.mark.parametrize("name", ["README.md", "configs/README.md"])
def test_the_configs_that_are_shown_are_valid(name):
    for block in blocks(name, "yaml"):
        experiment = config.parse_config({"name": "shown", **yaml.safe_load(block)}, name, ROOT)
        assert experiment.datasets


@pytest.mark.parametrize("name", ["README.md", "configs/README.md", "results/README.md"])
def test_the_python_that_is_shown_runs(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    X, y = load_digits(return_X_y=True)
    given = {"X": X[:200], "y": y[:200], "X_test": X[200:300], "y_test": y[200:300], "np": np}
    for block in blocks(name, "python"):
        exec(block, dict(given))


# results/README.md and datasets/README.md


def test_the_files_of_a_run_are_those_of_the_catalogue():
    catalogue = {**FILES, **{f"{name}/": held for name, held in FOLDERS.items()}}
    said = table(TEXTS["results/README.md"], "files")
    assert said == [[f"`{name}`", file.holds, file.when] for name, file in catalogue.items()]


def test_the_columns_of_results_are_explained_in_their_order():
    said = table(TEXTS["results/README.md"], "columns")
    assert [row[0] for row in said] == [f"`{name}`" for name in RESULT_COLUMNS]
    assert all(row[1] for row in said)


def test_the_keys_of_a_card_are_explained_with_their_defaults():
    said = {row[0].strip("`"): row[1] for row in table(TEXTS["datasets/README.md"], "card")}
    fields = {n: p.default for n, p in inspect.signature(Card).parameters.items() if n != "name"}
    assert list(said) == list(fields)
    for key, value in fields.items():
        assert said[key] == ("needed" if value is inspect.Parameter.empty else shown(value)), key


def test_what_is_shipped_and_what_is_fetched_is_named():
    text = TEXTS["datasets/README.md"]
    cards = [read_card(name) for name in card_names()]
    fetched = [card for card in cards if card.sources]
    assert len(cards) - len(fetched) == 16
    assert "fourteen sets" in text
    paragraph = text.split("**Fetched**")[1].split("\n\n")[0]
    assert all(f"`{card.name}`" in paragraph for card in fetched)
    other = [
        card for card in cards if not card.sources and not card.licence.startswith("CC BY 4.0")
    ]
    assert [card.name for card in other] == ["emotions", "han"]
    shipped = {"CC BY 4.0 (UCI Machine Learning Repository)"}
    assert {card.licence for card in cards if not card.sources and card not in other} == shipped
    assert [card.name for card in fetched if card.licence not in shipped] == [
        "aloi",
        "sector",
        "usps",
    ]


def test_the_workflow_runs_the_steps_of_ci_on_the_pythons_of_the_package():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    job = workflow["jobs"]["check"]
    steps = [step["run"] for step in job["steps"] if "run" in step]
    local = (ROOT / ".ci" / "run").read_text()
    assert steps == re.findall(r"^(make (?!clean)[\w-]+)", local, flags=re.M)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    versions = [c.rpartition(" ")[2] for c in project["classifiers"] if " :: 3." in c]
    assert job["strategy"]["matrix"]["python"] == versions
    assert project["requires-python"] == f">={versions[0]}"
    assert job["env"] == {"PYTHON": "python"}
    assert set(workflow[True]) == {"push", "pull_request"}  # YAML 1.1 reads `on` as true


@pytest.mark.parametrize(
    ("target", "installed"),
    [("run", ["."]), ("reproduce-table3", ["."]), ("lint", ['".[dev,peers,dask,onnx]"'])],
)
def test_make_installs_what_a_target_needs_and_no_more(target, installed, tmp_path):
    make = ["make", "-n", "-C", ROOT, target, f"VENV={tmp_path / 'fresh'}"]
    printed = subprocess.run(make, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"pip install .*--editable (\S+)$", printed, flags=re.M) == installed


def test_the_columns_of_rounds_are_explained():
    said = [n for row in table(TEXTS["results/README.md"], "rounds") for n in row[0].split(", ")]
    assert [name.strip("`") for name in said] == list(ROUNDS)
