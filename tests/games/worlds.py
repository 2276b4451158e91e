"""Worlds of positions in which something has been shown: by a capture not made, by a deal that stood, by a capture."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

from basra_env import GameBatch, make
from basra_env.testing import check_worlds_uniform, random_batch
from tests.games.compare import contest
from tests.reference import fishing, topcard


def worlds_of_constrained_hands(positions: int, samples: int, *, players: int = 3, seed: int = 0) -> list[int]:
    """Worlds under `must_capture="hand"` are uniform over those in which nobody held back a card that captures.

    The referee is asked of each world: at every card that was laid down, could any card then in that hand capture?

    Returns:
        The number of worlds of each position, those that hold something back left out.
    """
    told = contest("standard", must_capture="hand", players=players)
    rng, sizes = random.Random(seed), []
    stock = 8 if players == 2 else 0  # of two, each knows what the other holds in the last packet
    while len(sizes) < positions:
        deck = told.deck(rng)
        batch = GameBatch(told.game, 1, seed=0, autoreset=False)
        batch.reset(decks=[deck], dealers=0)
        referee, laid = told.begin(deck, 0, 0), []
        while not referee.over and (len(referee.stock) > stock or sum(map(len, referee.hands)) > 2 * players + 1):
            if not any(len(hand) < 4 for hand in referee.hands):
                laid = []  # a new packet
            seat, floor, action = referee.to_play, list(referee.floor), rng.choice(referee.legal())
            choosing = referee.pending is not None
            referee.play(action)
            batch.step([told.action(action)])
            if not choosing and action in referee.floor:
                laid.append((seat, action, floor))
        if len(referee.stock) != stock or referee.pending is not None or not any(floor for _, _, floor in laid):
            continue
        mover = referee.to_play

        def consistent(world: dict[int, tuple[int, int]], laid=laid, mover=mover) -> bool:
            for nth, (seat, _, floor) in enumerate(laid):
                held = [card for card, (line, when) in world.items() if when == 1 and (mover + line) % players == seat]
                hand = [fishing.PACK[card] for card in held]
                hand += [card for later, card, _ in laid[nth:] if later == seat]
                if any(any(fishing.options(floor, card, told.rules)) for card in hand):
                    return False
            return True

        free = check_worlds_uniform(batch, 0, mover, 2, consistent=lambda _world: True)
        size = check_worlds_uniform(batch, 0, mover, samples, seed=len(sizes), consistent=consistent)
        if 1 < size < free:
            sizes.append(size)
    return sizes


def hands_are_as_likely_as_the_ways_to_deal_them(samples: int) -> None:
    """Two seats that laid cards down, the second of which can hold less: every pair of cards they may hold is as likely.

    Kings, queens and nines, two a hand: KC, QC and 9C lie there and nobody captured. So seat 1 holds no king, seat 2
    neither king nor queen. Of eight cards that seat 0 has not seen seat 1 holds a queen (three) or a nine (three), seat 2
    one of the nines that are left: 15 pairs.
    """
    game = make("standard", players=3, ranks="9QK", packet=2, first_floor=0, must_capture="hand")
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    front = ["KC", "QC", "9C", "KD", "9D", "9H"]
    deck = [*front, *(card for card in game.family.pack.texts(game.spec.cards) if card not in front)]
    batch.reset(decks=[deck], dealers=2)
    for card in front[:3]:
        batch.step([game.parse_card(card)])
    assert batch.position().floor == ("KC", "QC", "9C")
    worlds = GameBatch(game, samples, seed=0, autoreset=False)
    worlds.restore(batch.clone())
    worlds.determinize(np.arange(samples), 0, np.arange(samples))
    pairs = Counter(worlds.position(row).hands[1:] for row in range(samples))
    nines = ("9D", "9H", "9S")
    expected = {((first,), (second,)) for first in ("QD", "QH", "QS", *nines) for second in nines if first != second}
    assert set(pairs) == expected
    surprise = sum((count - samples / 15) ** 2 / (samples / 15) for count in pairs.values())
    assert surprise < 41, pairs  # chi-square with 14 degrees of freedom: one run in five thousand


def worlds_call_for_no_redeal(positions: int) -> int:
    """In the first packet of `basra_io` no imagined first hand would have been dealt afresh; how many were looked at."""
    game = make("basra_io", redeal=2, players=2)
    batch = random_batch(game, positions, 1, plies=7)
    looked = 0
    for seat in range(game.spec.players):
        worlds = GameBatch(game, positions, seed=0, autoreset=False)
        worlds.restore(batch.clone())
        worlds.determinize(np.arange(positions), seat, np.arange(positions))
        for row in range(positions):
            position = worlds.position(row)
            if len(position.stock) != 40:
                continue
            for other in range(game.spec.players):
                played = [card for by, card in position.plays if by == other]
                ranks = [card[0] for card in [*position.hands[other], *played]]
                assert max(map(ranks.count, ranks)) < 2, position
                looked += 1
    return looked


def points_of_worlds_are_those_of_their_piles(positions: int) -> int:
    """A side's points are those of the cards that a world puts in its pile; how many worlds changed them."""
    changed = 0
    for name, players in (("pishti", 2), ("basra_io", 4)):
        game = make(name)
        rules = topcard.Table(**game.fields())
        batch = random_batch(game, positions, 2, plies=30)
        for seat in range(players):
            worlds = GameBatch(game, positions, seed=0, autoreset=False)
            worlds.restore(batch.clone())
            worlds.determinize(np.arange(positions), seat, np.arange(positions))
            for row in range(positions):
                position = worlds.position(row)
                if position.round_over:
                    continue
                for side in range(2):
                    won = [card for by in range(side, players, 2) for card in position.piles[by]]
                    assert position.points[side] == position.basra_points[side] + rules.points(won), position
                changed += position.points != batch.position(row).points
    return changed
