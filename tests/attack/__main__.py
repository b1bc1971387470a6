"""`python -m attack inputs --count 10000`, or `tables`, `models`, or `kills --count 1000`."""

import argparse
import contextlib
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from .counts import Counts
from .processes import prepare


def attack_inputs(folder: Path, asked) -> Counts:
    from .inputs import Inputs

    return _given("inputs", Inputs(folder, asked.seed), asked)


def attack_tables(folder: Path, asked) -> Counts:
    from .tables import Tables

    return _given("tables", Tables(folder, asked.seed), asked)


def _given(name: str, inputs, asked) -> Counts:
    counts = Counts(name, ("input", "command", "exit code"), "inputs", asked.seed)
    for number in numbers(asked, counts):
        kind, case, code, faults = inputs.attack(number)
        counts.add(Counter([(kind, case.command, str(code))]), number, f"{kind}, {case}", faults)
    return counts


def attack_models(folder: Path, asked) -> Counts:
    from .models import Models

    counts = Counts("models", ("model", "spoiled", "outcome"), "files", asked.seed)
    models = Models(folder, asked.seed)
    for number in numbers(asked, counts):
        name, kind, how, outcome, faults = models.attack(number)
        counts.add(Counter([(name, kind, outcome)]), number, f"{name}, {kind}: {how}", faults)
    return counts


def attack_kills(folder: Path, asked) -> Counts:
    from .cluster import cluster
    from .kills import Kills

    counts = Counts("kills", ("place", "phase", "kind"), "kills", asked.seed)
    with contextlib.ExitStack() as stack:
        kills = Kills(folder, asked.seed, asked.strikes, lambda: cluster(stack, folder))
        for number in numbers(asked, counts):
            name, struck = kills.attack(number)
            counts.add(struck.kills, number, name, struck.faults)
    return counts


def numbers(asked, counts: Counts):
    """The numbers of the cases, until there were enough or the time is up."""
    start = time.monotonic()
    number = asked.first if asked.only is None else asked.only
    while counts.total < asked.count and time.monotonic() < start + 60 * asked.minutes:
        yield number
        number += 1
        if asked.only is not None:
            return


ATTACKS = {
    "inputs": attack_inputs,
    "tables": attack_tables,
    "models": attack_models,
    "kills": attack_kills,
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m attack", description=__doc__)
    parser.add_argument("attack", choices=list(ATTACKS))
    parser.add_argument("--count", type=int, default=100, help="how many inputs, files or kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int, help="one case or story alone, by its number")
    parser.add_argument("--first", type=int, default=0, help="the number to begin with")
    parser.add_argument("--strikes", type=int, default=10, help="kills of each story")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after so many")
    parser.add_argument("--out", type=Path, help="folder for the table of counts")
    asked = parser.parse_args()
    prepare()
    signal.signal(signal.SIGTERM, lambda *_: setattr(asked, "minutes", 0))  # count what was done
    shared = Path("/dev/shm")
    home = tempfile.mkdtemp(prefix="attack-", dir=shared if shared.is_dir() else None)
    counts = ATTACKS[asked.attack](Path(home), asked)
    print(counts.show())
    if asked.out:
        counts.write(asked.out)
    if counts.failures:
        print(f"What is left of the failed cases is in {home}.")
    else:
        shutil.rmtree(home)
    return bool(counts.failures)


if __name__ == "__main__":
    sys.exit(main())
