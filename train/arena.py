"""Agents against each other on the same decks, in every seating."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np

from agents.base import Agent, Turn
from basra_env import Game, GameBatch


@dataclass(frozen=True)
class PairResult:
    """How agent `a` fared against agent `b`.

    Attributes:
        a, b: names.
        deals: decks; each was played in every seating in which both have a seat.
        mean: points a round of a's sides less those of b's: for each deck over all its seatings' rounds, then over decks.
        ci95: interval of that mean over decks (normal approximation).
        win, draw, loss: shares of games that a won, drew and lost.
    """

    a: str
    b: str
    deals: int
    mean: float
    ci95: tuple[float, float]
    win: float
    draw: float
    loss: float

    def to_json(self) -> dict[str, object]:
        """As JSON values."""
        return {**asdict(self), "ci95": list(self.ci95)}


def seatings(game: Game) -> list[tuple[int, ...]]:
    """Every way to give the sides to two agents, 0 and 1, so that both have one."""
    every = itertools.product((0, 1), repeat=game.spec.num_sides)
    return [sides for sides in every if len(set(sides)) == 2]


def play_pair(game: Game, a: Agent, b: Agent, deals: int, seed: int, episode: str = "round") -> PairResult:
    """Play `deals` decks in every seating: the same decks and dealers for every pair with the same seed.

    Args:
        game: what is played.
        a, b: the agents.
        deals: number of decks (of matches: of sequences of decks).
        seed: of decks, dealers and of all that the agents draw.
        episode: "round" or "match".
    """
    differences = np.zeros(deals)
    rounds = np.zeros(deals)
    wins = draws = 0.0
    every = seatings(game)
    for number, sides in enumerate(every):
        points, scores, played = _play_seating(game, (a, b), sides, deals, seed, number, episode)
        owner = np.array(sides)
        differences += points[:, owner == 0].mean(1) - points[:, owner == 1].mean(1)
        rounds += played
        best = scores == scores.max(1, keepdims=True)
        of_a, of_b = best[:, owner == 0].any(1), best[:, owner == 1].any(1)
        wins += np.mean(of_a & ~of_b) / len(every)
        draws += np.mean(of_a & of_b) / len(every)
    per_deck = differences / rounds
    mean = float(per_deck.mean())
    half = 1.96 * float(per_deck.std(ddof=1)) / math.sqrt(deals) if deals > 1 else math.inf
    return PairResult(
        a.name, b.name, deals, mean, (mean - half, mean + half), float(wins), float(draws), float(1 - wins - draws)
    )


def _play_seating(
    game: Game, agents: Sequence[Agent], sides: tuple[int, ...], deals: int, seed: int, number: int, episode: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points (deals, sides), what decides who won (deals, sides), and rounds played (deals,) of one seating."""
    batch = GameBatch(game, deals, seed=seed, episode=episode, autoreset=False)
    owner = np.array([sides[side] for side in game.spec.sides])
    for ply in itertools.count():
        to_play = batch.slots.to_play
        if (to_play < 0).all():
            break
        seeds = np.random.default_rng([seed, number, ply]).integers(0, 2**63, deals)
        actions = np.full(deals, -1)
        mover = owner[to_play]  # of finished games meaningless, and not used
        for index, agent in enumerate(agents):
            rows = np.flatnonzero((to_play >= 0) & (mover == index))
            if len(rows):
                actions[rows] = agent.act(Turn.of(batch, rows, seeds[rows]))
        batch.step(actions)
    ends = [batch.position(row) for row in range(deals)]
    points = np.array([np.sum(end.rounds, axis=0) for end in ends], float)
    scores = np.array([end.scores if episode == "match" else end.points for end in ends], float)
    return points, scores, np.array([len(end.rounds) for end in ends], float)
