"""Bradley-Terry ratings of agents from the decks that they played, on Elo's scale, with intervals.

Where a stands 400 above b, the model says, it wins ten times as often as b; a draw is half a win. The mean of all ratings is
0. A pair is given one drawn deck besides those it played, so that an agent that never lost has a rating too.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from train.intervals import Z95

ELO = 400 / math.log(10)
_ENOUGH = 1e-10


def ratings(
    agents: Sequence[str], shares: Mapping[tuple[str, str], np.ndarray]
) -> list[tuple[float, tuple[float, float]]]:
    """The rating of each agent and its 95 % interval.

    Intervals are those of an estimating equation whose terms, one a deck, are independent: a deck counts once however many
    pairs and seatings played it, and the model need not be true for them to hold.

    Args:
        agents: at least two.
        shares: for each pair (a, b) of them float64 (n,): for deck 0, 1, ... the share of its games that a won, draws as
            halves. Pairs may have played different numbers of decks.
    """
    place = {agent: nth for nth, agent in enumerate(agents)}
    pairs = [(place[a], place[b], won) for (a, b), won in shares.items()]
    strength = np.zeros(len(agents))
    for _ in range(200):
        gradient, curvature = _slopes(strength, pairs)
        # Ratings are free but for a constant: the mean is held at 0.
        step = np.linalg.solve(curvature + 1.0, gradient)
        strength += np.clip(step, -1, 1)
        if np.abs(step).max() < _ENOUGH:
            break
    _, curvature = _slopes(strength, pairs)
    terms = np.zeros((max(len(won) for _, _, won in pairs), len(agents)))
    for a, b, won in pairs:
        surprise = won - _expected(strength[a] - strength[b])
        terms[: len(won), a] += surprise
        terms[: len(won), b] -= surprise
    bread = np.linalg.pinv(curvature)
    spread = np.sqrt(np.diag(bread @ (terms.T @ terms) @ bread))
    return [
        (float(ELO * value), (float(ELO * (value - Z95 * half)), float(ELO * (value + Z95 * half))))
        for value, half in zip(strength, spread, strict=True)
    ]


def _expected(difference: float) -> float:
    return 1 / (1 + math.exp(-difference))


def _slopes(strength: np.ndarray, pairs: Sequence[tuple[int, int, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """The gradient of the likelihood, and its negative second derivative."""
    gradient, curvature = np.zeros(len(strength)), np.zeros((len(strength), len(strength)))
    for a, b, won in pairs:
        expected = _expected(strength[a] - strength[b])
        surprise = float(won.sum()) + 0.5 - (len(won) + 1) * expected
        weight = (len(won) + 1) * expected * (1 - expected)
        gradient[a] += surprise
        gradient[b] -= surprise
        curvature[a, a] += weight
        curvature[b, b] += weight
        curvature[a, b] -= weight
        curvature[b, a] -= weight
    return gradient, curvature
