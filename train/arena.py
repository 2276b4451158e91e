"""Any number of agents against each other, each pair on the same decks in every seating."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass

import numpy as np

from agents.base import Agent, Turn
from basra_env import Game, GameBatch
from train.decks import FIXED, Decks, play_decks
from train.intervals import half_width, interval
from train.ledger import Ledger

STRETCH = 100
"""Decks that are played at a time, and kept together."""
FEWEST, MOST = 200, 1_000_000
"""Decks of a pair that is played until its interval is narrow enough."""

Pair = tuple[int, int]
"""Places of two agents in the list of them."""


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

    @classmethod
    def of(cls, a: str, b: str, decks: Decks) -> PairResult:
        """What the decks of a pair say."""
        per_deck, won, drawn = decks.per_deck, float(decks.won.mean()), float(decks.drawn.mean())
        return cls(a, b, len(decks), float(per_deck.mean()), interval(per_deck), won, drawn, 1 - won - drawn)

    def to_json(self) -> dict[str, object]:
        """As JSON values."""
        return {**asdict(self), "ci95": list(self.ci95)}


def play_pair(game: Game, a: Agent, b: Agent, deals: int, seed: int, episode: str = "round") -> PairResult:
    """Play `deals` decks in every seating: the same decks and dealers for every pair with the same seed.

    Args:
        game: what is played.
        a, b: the agents.
        deals: number of decks (of matches: of sequences of decks).
        seed: of decks, dealers and of all that the agents draw.
        episode: "round" or "match".
    """
    return PairResult.of(a.name, b.name, play_decks(game, a, b, 0, deals, seed, episode))


def play_table(
    game: Game,
    agents: Sequence[Agent],
    deals: int,
    seed: int,
    episode: str = "round",
    partners: str = FIXED,
    until_ci: float | None = None,
    workers: int = 1,
    ledger: Ledger | None = None,
    pairs: Sequence[Pair] | None = None,
    told: Callable[[int, int], None] = lambda _played, _of: None,
) -> dict[Pair, Decks]:
    """Play every pair of agents; what is played does not depend on `workers`, nor on what the ledger had already.

    Args:
        game: what is played.
        agents: two or more.
        deals: decks of each pair.
        seed, episode, partners: as for `play_decks`.
        until_ci: play not `deals` decks, but until the 95 % interval of each pair is the mean plus or minus so many points.
        workers: threads that play at the same time.
        ledger: where decks are kept, and taken from.
        pairs: those to play, all by default.
        told: called with the number of decks that all pairs have, and of those they need as far as is known.
    """
    wanted = list(itertools.combinations(range(len(agents)), 2)) if pairs is None else list(pairs)
    played: dict[Pair, list[Decks]] = {pair: [] for pair in wanted}
    if ledger:
        for pair in wanted:
            kept = ledger.decks(agents[pair[0]].name, agents[pair[1]].name)
            played[pair] = [kept] if kept else []

    def have(pair: Pair) -> int:
        return sum(map(len, played[pair]))

    def need(pair: Pair) -> int:
        if until_ci is None:
            return deals
        return _enough(Decks.joined(played[pair]), until_ci) if have(pair) >= FEWEST else FEWEST

    def play(job: tuple[Pair, int, int]) -> Decks:
        (a, b), first, last = job
        return play_decks(game, agents[a], agents[b], first, last, seed, episode, partners)

    if any(have(pair) < need(pair) for pair in wanted):
        _warm_up(game, agents)
    while short := {pair: need(pair) for pair in wanted if have(pair) < need(pair)}:
        of = sum(max(have(pair), short.get(pair, 0)) for pair in wanted)
        told(sum(map(have, wanted)), of)
        jobs = [(pair, *stretch) for pair, most in short.items() for stretch in _stretches(have(pair), most)]
        for (pair, _, _), decks in _in_order(play, jobs, workers):
            played[pair].append(decks)
            if ledger:
                ledger.add(agents[pair[0]].name, agents[pair[1]].name, decks)
            told(sum(map(have, wanted)), of)
    return {pair: Decks.joined(played[pair]).first(need(pair)) for pair in wanted}


def _warm_up(game: Game, agents: Sequence[Agent]) -> None:
    """One decision of each agent that is not counted: compiling its code is not what it thinks."""
    batch = GameBatch(game, 2, seed=0, autoreset=False)
    for agent in agents:
        agent.act(Turn.of(batch, np.arange(2), np.arange(2)))


def _stretches(first: int, last: int) -> list[tuple[int, int]]:
    """Decks `first` to `last` - 1 in stretches that begin and end at whole numbers of STRETCH."""
    cuts = [first, *range((first // STRETCH + 1) * STRETCH, last, STRETCH), last]
    return list(itertools.pairwise(cuts))


def _in_order(
    play: Callable[[tuple[Pair, int, int]], Decks], jobs: Sequence[tuple[Pair, int, int]], workers: int
) -> Iterator[tuple[tuple[Pair, int, int], Decks]]:
    """Each job and what came of it, in the order of the jobs: a ledger has no gaps."""
    if workers == 1:
        yield from ((job, play(job)) for job in jobs)
        return
    with ThreadPoolExecutor(workers) as pool:
        try:
            yield from zip(jobs, pool.map(play, jobs), strict=True)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _enough(decks: Decks, until_ci: float) -> int:
    """The fewest decks whose interval is narrow enough; an estimate where there are not so many yet."""
    per_deck = decks.per_deck
    for n in range(FEWEST, len(per_deck) + 1, STRETCH):
        if half_width(per_deck[:n]) <= until_ci:
            return n
    estimate = len(per_deck) * (half_width(per_deck) / until_ci) ** 2
    wanted = math.ceil(min(estimate, 2 * len(per_deck)) / STRETCH) * STRETCH
    return min(max(wanted, len(per_deck) + STRETCH), MOST)
