"""Joint methods: code and binary classifiers are trained together, a column at a time.

The registry holds import paths, so that listing the methods loads none of them.
"""

from ..learners import Entry

JOINT: dict[str, Entry] = {
    "adaboost_oc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostOC",
        "output-code AdaBoost: each round draws a column and is weighed by its pseudo-loss",
    ),
    "adaboost_ecc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostECC",
        "error-correcting AdaBoost: each round draws a column and is weighed by its error",
    ),
    "adaboost_secc": Entry(
        "ecoc_bench.joint.boosting:AdaBoostSECC", "AdaBoost.ECC with steps shrunk by eta"
    ),
}
