"""Rows on which each claim of Sun et al. 2005 comes out each way."""

import pandas as pd
from judged import NOT, PARTLY, REPRODUCED
from runs_sun2005 import DATABASES, ECC, LEVELS, OC, SECC


def rows_of(error=lambda *_: 20.0, train=lambda *_: 5.0, last=None, shrunk=True, runs=4, spread=0):
    """Errors by functions of database, noise and method; `spread` differs from run to run."""
    rows = [
        (d, noise, code, run, error(d, noise, code) + jitter * (code == ECC),
         (last or error)(d, noise, code), train(d, noise, code) + jitter * (code == ECC))
        for d in DATABASES for noise in LEVELS for code in (ECC, SECC, OC) for run in range(runs)
        for jitter in [spread * (-1) ** run]
    ]  # fmt: skip
    columns = ["database", "noise", "code", "repeat", "error", "last", "train"]
    return pd.DataFrame(rows, columns=columns).assign(shrunk=shrunk, gap=1)


def lower_in(code, entries, levels, by=1.0, otherwise=0.0):
    """The method's error is lower by so much in the first so many entries of these levels."""
    places = [(d, noise) for noise in levels for d in DATABASES]

    def error(database, noise, name):
        if name != code or noise not in levels:
            return 20.0
        return 20.0 - (by if places.index((database, noise)) < entries else otherwise)

    return error


def areas(where, fast=ECC, slow=SECC):
    """`fast` has the lowest mean training error and `slow` the highest in these entries."""

    def train(database, noise, code):
        if not where(database, noise):
            return 5.0
        return 5.0 - (code == fast) + (code == slow)

    return train


def everywhere(database, noise):
    return True


def on_letters(database, noise):
    return database == "letter"


def but_letters(database, noise):
    return (database, noise) != ("letter", 0.3)


def nowhere(database, noise):
    return False


def excess(letters, others):
    """SECC's training error exceeds ECC's by so much at noise above zero."""

    def train(database, noise, code):
        growth = letters if database == "letter" else others
        return 5.0 + (code == SECC) * (1 + growth * (noise > 0))

    return train


def at_letters(secc):
    return lambda database, noise, code: secc if code == SECC else 30.0


NOISY = LEVELS[1:]
CASES = [
    ("ecc_trains_fastest", rows_of(train=areas(everywhere)), REPRODUCED),
    ("ecc_trains_fastest", rows_of(train=areas(on_letters)), PARTLY),
    ("ecc_trains_fastest", rows_of(train=areas(but_letters)), PARTLY),
    ("ecc_trains_fastest", rows_of(train=areas(nowhere)), NOT),
    ("ecc_trains_fastest", rows_of(train=areas(everywhere, fast=OC)), NOT),
    ("secc_trains_slowest", rows_of(train=areas(everywhere)), REPRODUCED),
    ("secc_trains_slowest", rows_of(train=areas(but_letters)), PARTLY),
    ("secc_trains_slowest", rows_of(train=areas(everywhere, slow=OC)), NOT),
    ("secc_slower_with_noise", rows_of(train=excess(2, 2)), REPRODUCED),
    ("secc_slower_with_noise", rows_of(train=excess(2, 0.1), spread=0.2), REPRODUCED),
    ("secc_slower_with_noise", rows_of(train=excess(2, -1)), PARTLY),
    ("secc_slower_with_noise", rows_of(train=excess(-1, -1)), NOT),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 3, [0])), REPRODUCED),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 3, [0]), spread=9), PARTLY),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 2, [0])), PARTLY),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 2, [0]), spread=9), NOT),
    ("ecc_better_without_noise", rows_of(lower_in(ECC, 5, NOISY)), NOT),
    ("oc_better_with_noise", rows_of(lower_in(OC, 12, NOISY)), REPRODUCED),
    ("oc_better_with_noise", rows_of(lower_in(OC, 11, NOISY)), PARTLY),
    ("oc_better_with_noise", rows_of(lower_in(OC, 12, NOISY, otherwise=-9)), PARTLY),
    ("oc_better_with_noise", rows_of(lower_in(OC, 5, [0])), NOT),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 12, NOISY, otherwise=-0.1)), REPRODUCED),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 11, NOISY, otherwise=-0.1)), PARTLY),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 10, NOISY)), PARTLY),
    ("secc_best_with_noise", rows_of(lower_in(SECC, 10, NOISY, otherwise=-0.1)), NOT),
    ("letters_halved", rows_of(at_letters(16.4)), REPRODUCED),
    ("letters_halved", rows_of(at_letters(16.4), spread=9), NOT),
    ("letters_halved", rows_of(at_letters(16.6)), PARTLY),
    ("letters_halved", rows_of(at_letters(22.6)), NOT),
    ("early_stopping_helps", rows_of(last=lambda *_: 21.0), REPRODUCED),
    ("early_stopping_helps", rows_of(last=lambda d, *_: 21.0 + 9 * (d == "car") - 1.2), PARTLY),
    ("early_stopping_helps", rows_of(last=lambda d, *_: 20.1 - 9 * (d == "car")), PARTLY),
    ("early_stopping_helps", rows_of(last=lambda *_: 20.0), NOT),
]
