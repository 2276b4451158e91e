"""Two agents against each other on the same decks, in every seating, deck by deck.

Deck number n of a seed, its dealer and whatever agents draw on it depend on the seed and n alone: so decks can be played in
any order, by any number of workers, today or later, and every pair of agents plays the same ones.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from agents.base import Agent, Turn
from agents.endgame import UNSOLVED
from agents.solver import action_values
from basra_env import Game, GameBatch

FIXED, MIXED = "fixed", "mixed"
"""Whether partners are always the same agent, or also seatings count in which one seat of a side is the other's."""


@dataclass(frozen=True)
class Decks:
    """What became of n decks that agents a and b played in S seatings; in arrays of agents, 0 is a and 1 is b.

    Attributes:
        differences: float64 (S, n) points of a's sides less those of b's, over all rounds of the deck.
        rounds: int64 (S, n) rounds played; 1 where an episode is a round.
        won, drawn: float64 (n,) shares of the seatings that a won and drew.
        decisions: int64 (2, n) made by each agent.
        seat_rounds: int64 (2, n) rounds in which each agent sat, once for each of its seats.
        basras, cards: int64 (2, n) of the sides it sat on, once for each of its seats.
        regret: float64 (2, n) points given away in endgames without hidden cards, against optimal play by both.
        solved: int64 (2, n) decisions that `regret` adds up.
        seconds: float64 (2,) that each agent thought.
    """

    differences: np.ndarray
    rounds: np.ndarray
    won: np.ndarray
    drawn: np.ndarray
    decisions: np.ndarray
    seat_rounds: np.ndarray
    basras: np.ndarray
    cards: np.ndarray
    regret: np.ndarray
    solved: np.ndarray
    seconds: np.ndarray

    def __len__(self) -> int:
        return len(self.won)

    @property
    def per_deck(self) -> np.ndarray:
        """float64 (n,): points a round of a's sides less those of b's, over all seatings of each deck."""
        mean: np.ndarray = self.differences.sum(0) / self.rounds.sum(0)
        return mean

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Decks played in several goes, in order."""
        joined = {
            field.name: np.concatenate([getattr(part, field.name) for part in parts], axis=-1)
            for field in fields(cls)
            if field.name != "seconds"
        }
        return cls(**joined, seconds=np.sum([part.seconds for part in parts], axis=0))

    def first(self, n: int) -> Self:
        """The first n decks, with their share of the time."""
        cut = {field.name: getattr(self, field.name)[..., :n] for field in fields(self) if field.name != "seconds"}
        return type(self)(**cut, seconds=self.seconds * (n / len(self)))

    def swapped(self) -> Self:
        """The same decks told of b and a: seatings are listed the other way round, each agent in the other's place."""
        turned = {name: getattr(self, name)[::-1] for name in AGENT_ARRAYS}
        return type(self)(
            differences=-self.differences[::-1],
            rounds=self.rounds[::-1],
            won=1 - self.won - self.drawn,
            drawn=self.drawn,
            **turned,
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return {field.name: getattr(self, field.name).tolist() for field in fields(self)}

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> Self:
        """From the values of `to_json`."""
        return cls(**{field.name: np.array(told[field.name]) for field in fields(cls)})


AGENT_ARRAYS = ("decisions", "seat_rounds", "basras", "cards", "regret", "solved", "seconds")


def seatings(game: Game, partners: str = FIXED) -> list[tuple[int, ...]]:
    """Every way to give the seats to two agents, 0 and 1, that tells them apart.

    Args:
        game: what is played.
        partners: FIXED: a side is one agent's, and both have one; MIXED: moreover, the ways in which agent 0 has more
            seats on one side than on the other.
    """
    sides = game.spec.sides
    every = []
    for owners in itertools.product((0, 1), repeat=len(sides)):
        shares = _shares(game, owners)
        if shares.min() < shares.max() and (partners == MIXED or set(shares) <= {0, 1}):
            every.append(owners)
    return every


def _shares(game: Game, owners: Sequence[int]) -> np.ndarray:
    """float64 (sides,): which part of each side's seats agent 0 has."""
    seats, sides = np.array(owners), np.array(game.spec.sides)
    return np.array([np.mean(seats[sides == side] == 0) for side in range(game.spec.num_sides)])


def deck_seeds(seed: int, first: int, last: int) -> list[int]:
    """Seeds of decks number `first` to `last` - 1: each is the seed of a single environment that is dealt that deck."""
    seeds: list[int] = np.random.default_rng(seed).integers(0, 2**63, last)[first:].tolist()
    return seeds


def play_decks(
    game: Game,
    a: Agent,
    b: Agent,
    first: int,
    last: int,
    seed: int,
    episode: str = "round",
    partners: str = FIXED,
) -> Decks:
    """Play decks number `first` to `last` - 1 in every seating.

    Args:
        game: what is played.
        a, b: the agents.
        first, last: numbers of decks (of matches: of sequences of decks).
        seed: of decks, dealers and of all that the agents draw.
        episode: "round" or "match".
        partners: as for `seatings`.
    """
    every = seatings(game, partners)
    played = [_play_seating(game, (a, b), owners, first, last, seed, episode) for owners in every]
    summed = {name: np.sum([getattr(each, name) for each in played], axis=0) for name in AGENT_ARRAYS}
    return Decks(
        differences=np.concatenate([each.differences for each in played]),
        rounds=np.concatenate([each.rounds for each in played]),
        won=np.mean([each.won for each in played], axis=0),
        drawn=np.mean([each.drawn for each in played], axis=0),
        **summed,
    )


def _play_seating(
    game: Game,
    agents: Sequence[Agent],
    owners: tuple[int, ...],
    first: int,
    last: int,
    seed: int,
    episode: str,
) -> Decks:
    """One seating as `Decks` with S = 1. What agents draw goes with the deck and the ply, whoever sits where."""
    deals = last - first
    batch = GameBatch(game, deals, seed=0, episode=episode, autoreset=False)
    batch.reset(seed=deck_seeds(seed, first, last))
    owner = np.array(owners)
    decisions, solved = np.zeros((2, deals), np.int64), np.zeros((2, deals), np.int64)
    regret, seconds = np.zeros((2, deals)), np.zeros(2)
    for ply in itertools.count():
        to_play = batch.slots.to_play
        if (to_play < 0).all():
            break
        seeds = np.random.default_rng([seed, ply]).integers(0, 2**63, last)[first:]
        actions = np.full(deals, -1)
        mover = owner[to_play]  # of finished games meaningless, and not used
        for index, agent in enumerate(agents):
            rows = np.flatnonzero((to_play >= 0) & (mover == index))
            if len(rows) == 0:
                continue
            turn = Turn.of(batch, rows, seeds[rows])
            start = time.perf_counter()
            actions[rows] = agent.act(turn)
            seconds[index] += time.perf_counter() - start
            decisions[index, rows] += 1
            given_away, known = _regret(turn, actions[rows])
            regret[index, rows] += given_away
            solved[index, rows] += known
        batch.step(actions)
    shares = _shares(game, owners)
    points, scores, rounds, basras, cards = _outcome(batch)
    ahead, behind = shares == shares.max(), shares == shares.min()
    best = scores == scores.max(1, keepdims=True)
    of_a, of_b = best[:, ahead].any(1), best[:, behind].any(1)
    seats_on = np.array(
        [
            [np.sum((owner == index) & (np.array(game.spec.sides) == side)) for side in range(len(shares))]
            for index in (0, 1)
        ]
    )
    return Decks(
        differences=(points[:, ahead].mean(1) - points[:, behind].mean(1))[None],
        rounds=rounds[None],
        won=(of_a & ~of_b).astype(float),
        drawn=(of_a == of_b).astype(float),
        decisions=decisions,
        seat_rounds=seats_on.sum(1)[:, None] * rounds,
        basras=seats_on @ basras.T,
        cards=seats_on @ cards.T,
        regret=regret,
        solved=solved,
        seconds=seconds,
    )


def _regret(turn: Turn, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points given away by each decision, float64 (n,), and whether that is known, bool (n,): no card is hidden."""
    given_away, known = np.zeros(len(turn)), turn.all_known() & (turn.action_mask.sum(1) > 1)
    index = np.flatnonzero(known)
    if len(index):
        values = action_values(turn.take(index)).astype(float)
        known[index] = values.max(1) > UNSOLVED
        chosen = values[np.arange(len(index)), actions[index]]
        given_away[index] = np.where(known[index], values.max(1) - chosen, 0)
    return given_away, known


def _outcome(batch: GameBatch) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of finished games: points (n, sides), what decides who won (n, sides), rounds (n,), basras and cards (n, sides)."""
    spec = batch.game.spec
    ends, rows = finished_rounds(batch)
    points, basras, cards = (np.zeros((batch.num_envs, spec.num_sides), np.int64) for _ in range(3))
    np.add.at(points, rows, ends["points"][:, : spec.num_sides])
    told = ends.dtype.names or ()
    if "basras" in told:
        np.add.at(basras, rows, ends["basras"][:, : spec.num_sides].astype(np.int64))
    for seat, side in enumerate(spec.sides if "piles" in told else ()):
        np.add.at(cards[:, side], rows, np.bitwise_count(ends["piles"][:, seat]).astype(np.int64))
    rounds = np.bincount(rows, minlength=batch.num_envs)
    scores = batch._state["scores"][:, : spec.num_sides] if batch.episode == "match" else points
    return points.astype(float), scores, rounds, basras, cards


def finished_rounds(batch: GameBatch) -> tuple[np.ndarray, np.ndarray]:
    """The records of all rounds of finished games as they ended, and the row of each: those of matches are played again."""
    every = np.arange(batch.num_envs)
    if batch.episode == "round":
        return batch._state, every
    played = batch._state["rounds"].astype(int)
    rows = np.repeat(every, played)
    entries = batch._history[rows, np.concatenate([np.arange(count) for count in played])]
    again = GameBatch(batch.game, len(rows), seed=0, autoreset=False)
    again.reset(decks=entries["deck"][:, : len(batch.game.spec.cards)].tolist(), dealers=entries["dealer"])
    for ply in range(int(entries["plies"].max())):
        again.step(np.where(ply < entries["plies"], entries["actions"][:, ply].astype(int), -1))
    return again._state, rows
