"""A manifest that is not as a run writes it: one sentence names the place, whoever reads it."""

import json

import pytest
from runs import REFERENCE, copied

COMMANDS = [["table"], ["claims"], ["show", "run"], ["stats", "--compare", "code"]]


@pytest.mark.parametrize(
    ("place", "value", "says"),
    [
        (("config", "learners", 0, "params"), [1], "config.learners.0: no 'params'"),
        (("config", "datasets", 0, "name"), 7, "config.datasets.0: no 'name'"),
        (("config", "evaluation", "folds"), "ten", "config.evaluation: no 'folds'"),
        (("config", "parts"), [[]], "config: no 'parts'"),
        (("data", "glass", "note"), [[]], "data.glass: no 'note'"),
        (("absent",), ["thyroid", 2.5], "absent: no '1'"),
        (("written",), "yesterday", "no 'written'"),
        (("source",), "a commit", "no 'source'"),
        (("left_out",), [{}], "left_out.0: no 'dataset'"),
    ],
)
def test_a_manifest_with_a_wrong_value_deep_in_it_is_refused(place, value, says, command, tmp_path):
    def spoil(facts):
        part = facts
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = value

    folder = copied("allwein_table3", tmp_path / "run", facts=spoil)
    for call in COMMANDS:
        result = command(*call, folder)
        assert result.exit_code == 2, call
        assert f"{says} as a run writes it. Run its config again" in result.stderr


@pytest.mark.parametrize("name", [".ecoc-bench", "manifest.json"])
def test_json_that_is_nested_too_deeply_is_no_traceback(name, command, tmp_path):
    folder = copied("allwein_table3", tmp_path / "run")
    (folder / name).write_text("[" * 9999)
    few = ["--only", "dataset=glass", "--only", "code=ova"]  # no random codes are drawn
    for call in [*COMMANDS, ["clean"], ["run", "quick", *few, "--dry-run", "--out"]]:
        assert command(*call, folder).exit_code in (0, 2), call


def test_committed_manifests_are_read_as_they_are(command):
    for path in REFERENCE.glob("*/manifest.json"):
        assert command("show", "run", path.parent).exit_code == 0
        assert json.loads(path.read_text())["config"]["name"] == path.parent.name
