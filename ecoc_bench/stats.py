"""Statistics of error rates."""

from math import nan, sqrt
from statistics import NormalDist


def wilson(error_rate: float, n: int, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a rate seen on ``n`` test examples.

    Takes the rate and not a count: a mean over draws of a code is no whole number of errors.

    >>> [round(bound, 4) for bound in wilson(0.1, 10)]
    [0.0179, 0.4042]
    """
    if n == 0:
        return nan, nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    shrink = 1 + z * z / n
    centre = (error_rate + z * z / (2 * n)) / shrink
    half = z * sqrt(error_rate * (1 - error_rate) / n + z * z / (4 * n * n)) / shrink
    # At rates 0 and 1 rounding would leave a bound just off the end.
    return (
        0.0 if error_rate == 0 else max(0.0, centre - half),
        1.0 if error_rate == 1 else min(1.0, centre + half),
    )
