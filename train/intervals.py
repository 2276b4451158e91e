"""How sure a mean over decks is: intervals, and significance where many pairs are compared at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

_NORMAL = NormalDist()
Z95 = _NORMAL.inv_cdf(0.975)


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % interval of the mean of independent values (n,), by the normal approximation; infinite for one value."""
    mean, half = float(values.mean()), half_width(values)
    return mean - half, mean + half


def half_width(values: np.ndarray) -> float:
    """Half the width of `interval`."""
    return Z95 * float(values.std(ddof=1)) / math.sqrt(len(values)) if len(values) > 1 else math.inf


def p_value(values: np.ndarray) -> float:
    """The chance of a mean as far from 0 as this one if the true mean were 0: two-sided, normal approximation."""
    mean, half = float(values.mean()), half_width(values)
    if half == 0:
        return 1.0 if mean == 0 else 0.0
    return 2 * _NORMAL.cdf(-abs(mean) * Z95 / half)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down correction: each p-value such that the chance of any false finding among all stays below it."""
    order = sorted(range(len(p_values)), key=lambda nth: p_values[nth])
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, nth in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[nth]))
        corrected[nth] = highest
    return corrected
