"""Data made by a function, for made_data.yaml."""

import numpy as np


def rings(rng, classes, rows=120):
    """Rings around the origin, one for each class; the first half of each is for training."""
    y = np.repeat(np.arange(classes), rows)
    angle = rng.uniform(0, 2 * np.pi, len(y))
    radius = 1 + y + rng.normal(0, 0.15, len(y))
    X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])
    train = np.tile(np.arange(rows) < rows // 2, classes)
    return X, y, train
