"""Malformed inputs of a run: each is drawn from its number, given to a command and judged."""

import json
import random
import resource
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import yaml

from . import fixtures
from .damage import renote, spoil_run
from .fixtures import Copy
from .judge import SLOW, faults_of_answer, leaked, touched, tree
from .mutators import CSV, JUNK, spoil, spoil_tree
from .processes import Command, busy

WAIT = 90.0  # seconds: processor time is limited much earlier
LIMITS = {resource.RLIMIT_AS: 6 * 2**30, resource.RLIMIT_CPU: 30}
NAMES = ("run", "table", "stats", "check", "claims", "show", "report", "figures", "clean", "list",
         "data", "try", "predict", "export")  # fmt: skip
PRESENTED = ["table", "stats", "check", "claims", "show run", "report", "figures", "clean"]


class Case(NamedTuple):
    """A spoiled input: how it was spoiled, the command, the runs that it may write to.

    `loose`: how paths begin where it may make what it likes; `same`: the run whose rows must come
    out as they were if the command says that all is well.
    """

    how: str
    argv: list
    written: tuple[str, ...] = ()
    loose: tuple[str, ...] = ("results",)
    same: str = ""

    @property
    def command(self) -> str:
        """The name of the command; of a spoiled command line, whatever stands there."""
        words = [word for word in map(str, self.argv) if word in NAMES]
        return words[0] if words else "none"


def _run(draw, config: str) -> list:
    """`run` of a config, mostly to its end."""
    dry = ["--dry-run"] if draw.random() < 0.25 else []
    return ["run", config, "--jobs", "1", "--no-report", *dry]


def _as_yaml(value, allow_unicode: bool) -> str:
    """YAML; what is nested too deeply for its writer is written as JSON, which is YAML, too."""
    try:
        return yaml.safe_dump(value, allow_unicode=allow_unicode)
    except RecursionError:
        return json.dumps(value, default=str)


def _config(draw: random.Random, at: Copy) -> Case:
    name = draw.choice(list(fixtures.CONFIGS))
    path = at.home / name
    if draw.random() < 0.6:
        spoiled, how = spoil_tree(draw, yaml.safe_load(path.read_text()))
        path.write_text(_as_yaml(spoiled, allow_unicode=draw.random() < 0.5))
    else:
        content, how = spoil(draw, path.read_bytes())
        path.write_bytes(content)
    return Case(f"{name}: {how}", _run(draw, name))


def _table(draw: random.Random, at: Copy) -> Case:
    name = draw.choice(list(fixtures.DATA))
    content, how = spoil(draw, (at.home / name).read_bytes(), CSV)
    (at.home / name).write_bytes(content)
    config = draw.choice(fixtures.DATA[name])
    return Case(f"{name}: {how}", _run(draw, f"{config}.yaml"), (f"results/{config}",))


def _matrix(draw: random.Random, at: Copy) -> Case:
    content, how = spoil(draw, (at.home / "book.csv").read_bytes(), CSV)
    (at.home / "book.csv").write_bytes(content)
    if draw.random() < 0.5:
        return Case(how, _run(draw, "plain.yaml"))
    plot = ["--plot", "results/drawn.svg"] if draw.random() < 0.05 else []
    return Case(how, ["show", "code", "book.csv", "--classes", "3", *plot])


def _manifest(draw: random.Random, at: Copy) -> Case:
    name = draw.choice(fixtures.RUNS)
    folder = at.run(name)
    facts = json.loads((folder / "manifest.json").read_text())
    under = draw.choice([(), (), ("config",), ("config",), ("data",)])
    spoiled, how = spoil_tree(draw, facts, under)
    (folder / "manifest.json").write_text(json.dumps(spoiled))
    renote(folder / ".ecoc-bench", folder / "manifest.json")
    if draw.random() < 0.25 and name != "paper":
        return Case(how, _run(draw, f"runs/{name}/manifest.json"), (f"results/{name}",))
    return Case(how, *_presented(draw, at, name))


def _presented(draw: random.Random, at: Copy, name: str) -> tuple[list, tuple[str, ...]]:
    """A command that reads a run, and what it may write to."""
    folder, good = f"runs/{name}", str(at.good)
    command = draw.choices(PRESENTED, [20, 12, 20, 15, 20, 1, 1, 8])[0]
    styles = ["--style", draw.choice(["terminal", "markdown", "csv"])]
    axis = draw.choice(["code", "decoder", "learner", "method"])
    pair = draw.sample([folder, good], 2)
    calls = {
        "table": [folder, *styles] if draw.random() < 0.7 else [*pair, *styles],
        "stats": [folder, "--compare", axis, *styles],
        "check": [pair[0], "--against", pair[1]],
        "claims": [folder],
        "show run": [folder],
        "report": [folder],
        "figures": [folder],
        "clean": [folder, *draw.choice([[], ["--all"], ["--dry-run"]])],
    }
    writes = (folder,) if command in ("report", "figures", "clean") else ()
    return [*command.split(), *calls[command]], writes


def _folder(draw: random.Random, at: Copy) -> Case:
    name = draw.choices(fixtures.RUNS, [3, 2, 2, 1, 1, 1])[0]
    how = spoil_run(draw, at.run(name))
    if draw.random() < 0.6 or name == "paper":
        return Case(how, *_presented(draw, at, name))
    options = draw.choice([[], [], [], ["--fresh"], ["--only-failed"], ["--dry-run"]])
    call = ["run", f"{name}.yaml", "--out", f"runs/{name}", "--jobs", "1", "--no-report", *options]
    true = "checksum right" in how and "record" in how  # nobody could know better
    # A store may be kept on another disk: it is written to, but nothing is removed from there.
    loose = ("elsewhere",) if "a link for its folder" in how else ("results",)
    return Case(how, call, (f"runs/{name}",), loose, "" if options or true else name)


COMMANDS = [
    "run plain.yaml --jobs 1 --no-report", "run plain.yaml --jobs 1 --dry-run --only code=ova",
    "run runs/plain/manifest.json --jobs 1 --no-report --only-failed",
    "run rich.yaml --out results/x --jobs 1 --no-report --backend threading --no-room-check",
    "table runs/plain --style markdown --stage 0", "table runs/plain runs/rich --style latex",
    "stats runs/plain --compare code --rope 1 --alpha 0.05 --stage 0 --decoder loss --style csv",
    "stats runs/rich --compare method --learner svm --code ova",
    "check runs/plain --against runs/rich --alpha 0.01 --allow-missing --style markdown",
    "claims runs/plain --style csv", "show run runs/plain", "show code dense --classes 8 --seed 1",
    "show code book.csv --classes 3", "show dataset glass", "list codes", "list configs",
    "data status", "data fetch nothing --force", "clean runs/plain --dry-run",
    "clean runs/rich --all", "--version", "--help", "run --help",
]  # fmt: skip
OPTIONS = [
    "--jobs", "--out", "--only", "--fresh", "--style", "--stage", "--compare", "--classes",
    "--seed", "--against", "--alpha", "--all", "-x", "--", "-h", "--nothing", "-j", "--dry-run",
    "--report",
]  # fmt: skip


def spoiled_line(draw: random.Random, line: str, options: list[str]) -> list[str]:
    """The words of a command line after one to three changes."""
    argv = line.split()
    for _ in range(draw.choice([1, 1, 2, 3])):
        i = draw.randrange(len(argv) + 1)
        junk = str(draw.choice(JUNK)).replace("\0", "\\0")
        new = draw.choice([junk, junk, draw.choice(options), f"{draw.choice(options)}={junk}"])
        what = draw.choice(["put", "replace", "replace", "drop", "double"])
        argv[i : i + (what != "put")] = {"drop": [], "double": argv[i : i + 1] * 2}.get(what, [new])
    return argv


def _command_line(draw: random.Random, at: Copy) -> Case:
    argv = spoiled_line(draw, draw.choice(COMMANDS), OPTIONS)
    for name in ("plain", "rich"):
        if f"runs/{name}" in " ".join(argv):
            at.run(name)
    return Case(" ".join(argv)[:200], argv, ("runs/plain", "runs/rich"), ("",))


Kinds = dict[str, tuple[Callable[[random.Random, Copy], Case], int]]
KINDS: Kinds = {
    "config": (_config, 26),
    "data table": (_table, 16),
    "code matrix": (_matrix, 10),
    "manifest": (_manifest, 12),
    "run folder": (_folder, 24),
    "command line": (_command_line, 12),
}


def kind_of(number: int, kinds: Kinds) -> str:
    """The kinds take turns in their shares of a hundred."""
    place = number * 37 % 100  # 37 and 100 have no common divisor: every place comes once
    for kind, (_, share) in kinds.items():
        if place < share:
            return kind
        place -= share
    raise AssertionError("the shares must add up to 100")


class Inputs:
    """The malformed inputs of a seed; each may be repeated alone."""

    kinds = KINDS

    def __init__(self, folder: Path, seed: int):
        self.folder, self.seed = folder, seed
        self.template = fixtures.make(folder)

    def attack(self, number: int) -> tuple[str, Case, int | None, list[str]]:
        """Give one malformed input to a command: its kind, what it was, the exit code, faults.

        What is slow may be a kernel that is compiled on its first use: it is given again.
        """
        given = self._give(number)
        if any(fault.endswith(SLOW) for fault in given[-1]):
            shutil.rmtree(self.folder / f"inputs-{number}")
            given = self._give(number)
        return given

    def _give(self, number: int) -> tuple[str, Case, int | None, list[str]]:
        draw = random.Random(f"{self.seed}/inputs/{number}")
        kind = kind_of(number, self.kinds)
        place = self.folder / f"inputs-{number}"
        at = Copy(self.template, place)
        case = self.kinds[kind][0](draw, at)
        before = tree(at.home)
        nowhere = place / "none"  # no data sets but the shipped ones, and no git to be asked
        env = {"ECOC_BENCH_DATA": nowhere, "XDG_CACHE_HOME": nowhere, "PATH": nowhere}
        end = Command(at.home, at.tmp, *case.argv, limits=LIMITS, **env).wait(WAIT * busy())
        after = tree(at.home)
        faults = faults_of_answer(end) + touched(before, after, case.written, case.loose)
        faults += leaked(after, at.tmp) + self._other_rows(case, end, at.home)
        if not faults:
            shutil.rmtree(place)
        return kind, case, end and end.code, faults

    def _other_rows(self, case: Case, end, home: Path) -> list[str]:
        """A run that is continued after damage, and says that all is well, has the same rows."""
        if not case.same or end is None or end.code != fixtures.EXIT[case.same]:
            return []
        if "cannot be written" in end.stderr:  # exit code 1, as the undamaged run has, but said
            return []
        names = [f"runs/{case.same}/{name}" for name in ("results.csv", "mistakes.csv")]
        whole = self.template / "home"
        same = all(
            (home / name).is_file() and (home / name).read_bytes() == (whole / name).read_bytes()
            for name in names
        )
        return [] if same else ["other rows than the undamaged run, without a word"]
