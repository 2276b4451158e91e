"""Intervals, corrections and ratings against what is known."""

import math

import numpy as np
import pytest

from agents.base import Turn
from agents.greedy import Greedy
from agents.uniform import Uniform
from basra_env import make
from train.arena import play_table
from train.intervals import half_width, holm, interval, p_value
from train.ratings import ratings


class Mixed:
    """Plays as `greedy` in a known share of its decisions, else as `random`."""

    def __init__(self, share):
        self.name = f"mixed {share}"
        self._share = share
        self._players = Greedy(), Uniform()

    def act(self, turn: Turn) -> np.ndarray:
        cool = np.array([np.random.default_rng(int(seed)).random() for seed in turn.seeds]) < self._share
        greedy, uniform = (player.act(turn) for player in self._players)
        return np.where(cool, greedy, uniform)


def halves(decks):
    return decks.won + decks.drawn / 2


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def test_an_interval_and_its_p_value_agree():
    values = np.array([1.0, 2.0, 3.0, 4.0])
    low, high = interval(values)
    assert (low + high) / 2 == 2.5
    assert half_width(values) == pytest.approx(1.96 * np.std(values, ddof=1) / 2, rel=1e-3)
    shifted = values - 2.5 + half_width(values)  # 0 lies at the end of the interval
    assert p_value(shifted) == pytest.approx(0.05)
    assert p_value(np.zeros(5)) == 1
    assert half_width(np.array([3.0])) == math.inf


def test_two_agents_differ_by_the_odds_of_winning():
    won = np.array([1.0] * 74 + [0.0] * 24)  # with the drawn deck that is added 74.5 of 99
    (a, low_high), (b, _) = ratings(["a", "b"], {("a", "b"): won})
    assert a - b == pytest.approx(400 * math.log10(74.5 / 24.5))
    assert a + b == pytest.approx(0, abs=1e-6)
    half = 1.96 * math.sqrt(98 * won.var()) / (99 * (74.5 / 99) * (24.5 / 99)) * 400 / math.log(10) / 2
    assert (low_high[1] - low_high[0]) / 2 == pytest.approx(half, rel=0.02)


def test_an_agent_that_never_lost_has_a_rating():
    (a, ci95), (b, _) = ratings(["a", "b"], {("a", "b"): np.ones(50)})
    assert 500 < a - b < 1500
    assert all(map(math.isfinite, ci95))


def test_a_deck_that_all_pairs_play_counts_once():
    """Three copies of one result say no more than one: intervals are not narrower than those of two agents."""
    rng = np.random.default_rng(0)
    won = rng.integers(0, 2, 200).astype(float)
    pair = ratings(["a", "b"], {("a", "b"): won})
    table = ratings(["a", "b", "c"], {("a", "b"): won, ("a", "c"): won, ("b", "c"): np.full(200, 0.5)})
    width = [high - low for _, (low, high) in (pair[0], table[0])]
    assert width[1] > width[0]


SHARES = (0.0, 0.3, 0.6, 1.0)


def test_agents_of_known_strength_are_ranked_and_their_intervals_cover_the_truth():
    """200 repeats of 60 decks of `micro`; the truth is what 12,000 other decks say."""
    game = make("micro")
    agents = [Mixed(share) for share in SHARES]
    names = [agent.name for agent in agents]
    played = {pair: halves(decks) for pair, decks in play_table(game, agents, 24_000, seed=11).items()}

    def rated(first, last):
        return ratings(names, {(names[a], names[b]): won[first:last] for (a, b), won in played.items()})

    truth = [rating for rating, _ in rated(12_000, 24_000)]
    assert truth == sorted(truth)
    assert min(np.diff(truth)) > 10
    covered, ranked = 0, 0
    for repeat in range(200):
        found = rated(60 * repeat, 60 * repeat + 60)
        covered += sum(low <= true <= high for true, (_, (low, high)) in zip(truth, found, strict=True))
        ranked += [rating for rating, _ in found] == sorted(rating for rating, _ in found)
    assert 0.92 <= covered / (200 * len(agents)) <= 0.98
    assert [rating for rating, _ in rated(0, 3000)] == sorted(rating for rating, _ in rated(0, 3000))
    assert ranked >= 100, "neighbours are 12 to 18 apart: 60 decks rank all four right in more than half of the repeats"
