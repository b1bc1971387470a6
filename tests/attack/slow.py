"""A learner that takes its time, copied next to the config of the runs that are killed."""

import os
import time

from sklearn.linear_model import RidgeClassifier

from ecoc_bench.learners.columns import MultiCall


class Slow(MultiCall):
    """Ridge regression that takes ATTACK_PAUSE seconds more per column."""

    loss = "linear"

    def binary_estimator(self, n_features):
        return RidgeClassifier()

    def fit(self, X, Y, sample_weight=None):
        time.sleep(float(os.environ.get("ATTACK_PAUSE", 0)) * Y.shape[1])
        return super().fit(X, Y)
