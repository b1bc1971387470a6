"""The claims of Allwein, Schapire & Singer (2000), and the experiments that they are about."""

import pandas as pd

from ...published import PaperTable, load_paper, load_table
from ...results.run import Run
from ..evidence import ENTRY, Claim, Entries, Scope
from . import figure3_claims as figure3
from . import learners
from . import table_claims as tables

FIGURE_3_ENTRIES = tuple(
    (f"normals{k}.{i}", code, decoder)
    for k in figure3.CLASSES
    for i in figure3.SETS
    for code in ("complete", "ova")
    for decoder in ("hamming", "loss")
)


def _table(name: str, learner: str, own_loss: str) -> Entries:
    """The scope of a printed table: runs whose config names it under `paper`."""
    paper = load_table(name)
    own = _printed(paper, own_loss)
    return Entries(
        source=paper.title,
        learners=(learner,),
        own_loss=own_loss,
        entries=tuple(own[ENTRY].itertuples(index=False, name=None)),
        is_of=lambda run: run.config["paper"] == name,
        stand_ins=paper.stand_ins,
        own=own,
    )


def _printed(paper: PaperTable, own_loss: str) -> pd.DataFrame:
    """The printed errors as rows; test examples are those of Table 1."""
    table1 = load_paper("allwein2000")["datasets"]["rows"]
    rows = [
        (dataset, code, "loss" if decoder == own_loss else decoder, error)
        for (dataset, code, decoder), error in paper.entries.items()
        if error is not None
    ]
    frame = pd.DataFrame(rows, columns=[*ENTRY, "error"])
    # Without a test part there were ten folds: every example is tested once.
    n_test = {name: test or train for name, (train, test, *_) in table1.items()}
    return frame.assign(n_test=frame["dataset"].map(n_test))


def _has_normals(run: Run) -> bool:
    names = {dataset for dataset, _, _ in FIGURE_3_ENTRIES}
    return any(spec["name"] in names for spec in run.config["datasets"])


SCOPES: dict[str, Scope] = {
    "table2": _table("allwein2000.table2", "adaboost", "exponential"),
    "table3": _table("allwein2000.table3", "svm", "hinge"),
    "figure3": Entries(
        source="Allwein et al. 2000, Figure 3",
        learners=("ecoc_bench.synthetic:OneSidedAdaBoost", "adaboost"),
        own_loss="exponential",
        entries=FIGURE_3_ENTRIES,
        is_of=_has_normals,
    ),
    "learners": learners.SCOPE,
}

CLAIMS: dict[str, Claim] = {
    "loss_often_better": Claim(
        "Loss-based decoding often gives better results than Hamming decoding.",
        "Section 6",
        ("table2", "table3", "learners"),
        tables.often_better,
    ),
    "loss_almost_always_better": Claim(
        "Loss-based decoding is almost always better than Hamming decoding.",
        "Section 1",
        ("table2", "table3", "learners"),
        tables.almost_always_better,
    ),
    "loss_very_significant": Claim(
        "The difference is sometimes very significant.",
        "Section 6",
        ("table2", "table3"),
        tables.sometimes_very_significant,
    ),
    "satimage_all_pairs": Claim(
        "For satimage with the all-pairs code, SVM achieves 27.5% error with loss-based decoding, "
        "while Hamming decoding results in 50.4%.",
        "Section 6",
        ("table3",),
        tables.satimage_all_pairs,
    ),
    "gain_ova_dense": Claim(
        "The difference is especially significant for the one-against-all and random dense codes.",
        "Section 6",
        ("table2",),
        tables.gain_largest_for_ova_and_dense,
    ),
    "l1_not_as_good": Claim(
        "Loss-based decoding by the loss of randomized predictions (L_1) does not yield as good "
        "results as by the exponential loss.",
        "Section 6",
        ("table2",),
        tables.l1_not_as_good,
    ),
    "ova_inferior": Claim(
        "For SVM the one-against-all code is inferior to all the other codes.",
        "Section 6",
        ("table3",),
        tables.ova_inferior,
    ),
    "ova_often_much_higher": Claim(
        "One-against-all often results in error rates that are much higher than those of other "
        "codes.",
        "Section 6",
        ("table3",),
        tables.ova_often_much_higher,
    ),
    "yeast_ova": Claim(
        "For yeast the one-against-all code has an error rate of 72%, all the other codes no more "
        "than 47.1%.",
        "Section 6",
        ("table3",),
        tables.yeast_ova,
    ),
    "ova_rarely_better": Claim(
        "In the very few cases in which one-against-all performs better than another code, the "
        "difference is not statistically significant.",
        "Section 6",
        ("table3",),
        tables.ova_rarely_better,
    ),
    "no_clear_winner": Claim(
        "There is no clear winner among the four codes other than one-against-all.",
        "Section 6",
        ("table3",),
        tables.no_clear_winner,
    ),
    "none_persistently_better": Claim(
        "For AdaBoost none of the codes is persistently better than the other.",
        "Section 6",
        ("table2",),
        tables.none_persistently_better,
    ),
    "best_code_depends": Claim(
        "It seems that the best code to use is problem dependent.",
        "Section 6",
        ("table2",),
        tables.best_code_depends,
    ),
    "ova_easy_to_beat": Claim(
        "The most commonly used one-against-all reduction is easy to beat.",
        "Section 1",
        ("table2", "table3"),
        tables.ova_easy_to_beat,
    ),
    "hamming_much_higher": Claim(
        "Hamming decoding is inferior to loss-based decoding and yields much higher error rates.",
        "Section 6",
        ("figure3",),
        figure3.hamming_much_higher,
    ),
    "codes_comparable": Claim(
        "The errors of the complete and the one-against-all code with loss-based decoding are "
        "comparable.",
        "Section 6",
        ("figure3",),
        figure3.codes_comparable,
    ),
    "complete_lower": Claim(
        "With loss-based decoding the error of the complete code is slightly lower than that of "
        "one-against-all.",
        "Section 6",
        ("figure3",),
        figure3.complete_lower,
    ),
    "binary_errors_reversed": Claim(
        "For the average binary errors the situation is reversed: the complete code's are higher.",
        "Section 6",
        ("figure3",),
        figure3.binary_errors_reversed,
    ),
}
