"""Runs of Table 3 of Sun et al. 2005, made up: curves over rounds, and SECC's choices."""

import numpy as np
import pandas as pd
from runs import made_up, row

from ecoc_bench.published import load_paper
from ecoc_bench.results.catalogue import CELL, ROUNDS

DATABASES = ["car", "imageseg", "letter", "pendigits", "usps"]
LEVELS = [0, 0.1, 0.2, 0.3]
ECC, SECC, OC = "adaboost_ecc", "adaboost_secc", "adaboost_oc"
ETAS = [0.5, 0.35, 0.2, 0.05]
MEMBERS = {f"{SECC}@{eta}": eta for eta in ETAS}
STAGES = [10, 20, 30, 40, 50]


def curve(code, noise, stage):
    """A made-up test error in percent: ECC and small steps as in the paper, in shape."""
    eta = {ECC: 1.0, OC: 0.6}.get(code) or MEMBERS[code]
    floor = 5 + 40 * noise * (0.4 + 0.6 * eta)
    return floor + 25 * np.exp(-stage * (0.3 + eta) / 12) + noise * stage / 60 * (1 - eta)


def train_curve(code, noise, stage):
    eta = {ECC: 1.0, OC: 0.6}.get(code) or MEMBERS[code]
    return (20 + 60 * noise) * np.exp(-stage * eta / 80)


def boosted(folder, datasets=None, stages=STAGES, runs=3, chosen=None):
    """The folder of a run of Table 3: curves as above, and SECC's choice by data set."""
    datasets = datasets or [f"{d}@{noise}" for d in DATABASES for noise in LEVELS]
    rows = [
        _row(dataset, code, stage, run)
        for dataset in datasets for code in (ECC, *MEMBERS, OC) for stage in stages
        for run in range(runs)
    ]  # fmt: skip
    results = pd.DataFrame(rows)
    choice = {d: (f"{SECC}@0.05", stages[-1]) for d in datasets} | (chosen or {})
    picked = [
        results[(results.dataset == d) & (results.code == c) & (results.stage == s)].assign(
            code=SECC, chosen=c, criterion=0.1
        )
        for d, (c, s) in choice.items()
    ]
    return made_up(folder, results, *_config_and_data(datasets, runs), selected=pd.concat(picked))


def _row(dataset, code, stage, run):
    noise, n = float(dataset.partition("@")[2]), 10_000
    errors = round(n / 100 * (curve(code, noise, stage) + 0.1 * run))
    return row(
        dataset=dataset, learner="joint", code=code, decoder="joint", stage=stage,
        repeat=run, n_classes=4, n_train=100, n_test=n, errors=errors,
        error_rate=errors / n, train_error_rate=train_curve(code, noise, stage) / 100,
        rho=None, binary_error_rate=None, train_binary_loss=None,
    )  # fmt: skip


def _config_and_data(datasets, runs):
    parts = load_paper("sun2005")["datasets"]
    sizes = {
        d: dict(zip(parts["columns"], sizes, strict=True)) for d, sizes in parts["rows"].items()
    }
    sizes["car"] = {"train": 864, "validation": 286, "test": 578}
    methods = [{"name": name, "type": name, "of": None, "swept": {}} for name in (ECC, OC)]
    methods += [
        {"name": name, "type": SECC, "of": SECC, "swept": {"eta": eta}}
        for name, eta in MEMBERS.items()
    ]
    config = {
        "name": "sun", "paper": "sun2005.table3", "learners": [], "codes": [], "decoders": [],
        "datasets": [
            {"name": d, "of": d.partition("@")[0], "noise": float(d.partition("@")[2]),
             "repeats": None}
            for d in datasets
        ],
        "evaluation": {"repeats": runs},
        "methods": methods, "select": {SECC: {"among": [ECC, SECC], "by": "validation"}},
    }  # fmt: skip
    data = {d: {"note": "", "parts": sizes[d.partition("@")[0]]} for d in datasets}
    return config, data


def told_of(results):
    """rounds.csv of such a run: training errors, costs and margins of rounds 1 to 50."""
    last = results[results["stage"] == results["stage"].max()]
    rows = [
        row[list(CELL)].to_dict() | dict.fromkeys(ROUNDS) | {
            "round": t, "train_error": train_curve(row["code"], noise, t) / 100,
            "cost": 1000 / t, "margin_min": -1 / t, "margin_mean": 1 - 1 / t,
        }
        for _, row in last.iterrows()
        for noise in [float(row["dataset"].partition("@")[2])]
        for t in range(1, 51)
    ]  # fmt: skip
    return pd.DataFrame(rows)


CHOSEN = {"car@0": (ECC, 50), "car@0.1": (f"{SECC}@0.5", 50), "car@0.2": (f"{SECC}@0.05", 20)}
