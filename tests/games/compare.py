"""Play the engine and the slow referee side by side and compare all that both know after every decision."""

from __future__ import annotations

import random

import numpy as np

from basra_env import GameBatch, make
from basra_env.games.fishing.capture import basra_points as engine_basra
from basra_env.games.fishing.capture import captured as engine_captured
from basra_env.games.fishing.capture import count_values as engine_counts
from tests.reference.fishing import PACK, Match, Round, basra, captured

_CARD = {card: number for number, card in enumerate(PACK)}


def shuffled(rng: random.Random) -> list[str]:
    """A fresh deck."""
    deck = list(PACK)
    rng.shuffle(deck)
    return deck


def card_set(cards: list[str]) -> int:
    """A list of cards as the engine's bit set."""
    return sum(1 << _CARD[card] for card in cards)


def compare_captures(floors: int, seed: int) -> None:
    """What a card takes from random floors, crowded with small cards, and whether that is a basra."""
    rng = random.Random(seed)
    rules = make("dananeer").rules
    for _ in range(floors):
        small = rng.random() < 0.7
        deck = shuffled(rng)
        lying = [card for card in deck if not small or card[0] in "A23456"][: rng.randint(0, 10)]
        card = next(
            card for card in deck if card not in lying and (not small or card[0] in "789T" or rng.random() < 0.3)
        )
        floor = card_set(lying)
        taken = engine_captured(floor, engine_counts(floor), _CARD[card], rules)
        assert taken == card_set(captured(lying, card)), f"{card} on {lying}"
        assert engine_basra(floor, taken, _CARD[card], rules) == basra(lying, card), f"{card} on {lying}"


def compare_rounds(rounds: int, seed: int, batch_size: int = 256) -> int:
    """Random rounds of `dananeer` on the engine and the referee; the number of decisions compared.

    Raises:
        AssertionError: they differ; the message has deck, dealer and actions.
    """
    rng = random.Random(seed)
    game = make("dananeer")
    decisions = 0
    for start in range(0, rounds, batch_size):
        size = min(batch_size, rounds - start)
        decks = [shuffled(rng) for _ in range(size)]
        dealers = [rng.randrange(2) for _ in range(size)]
        carries = [rng.choice([0, 0, 30, 60]) for _ in range(size)]
        batch = GameBatch(game, size, seed=seed, autoreset=False)
        batch.reset(decks=decks, dealers=dealers, carry=carries)
        referees = [Round(*given) for given in zip(decks, dealers, carries, strict=True)]
        while not referees[0].over:
            _compare(batch, referees)
            plays = [rng.choice(referee.legal()) for referee in referees]
            paid = [list(referee.points) for referee in referees]
            for referee, card in zip(referees, plays, strict=True):
                referee.play(card)
            slots = batch.step(np.array([_CARD[card] for card in plays]))
            for row, referee in enumerate(referees):
                gain = [now - then for now, then in zip(referee.points, paid[row], strict=True)]
                expected = [gain[0] - gain[1], gain[1] - gain[0]]
                assert slots.rewards[row].tolist() == expected, _story(
                    "rewards", batch, row, slots.rewards[row], expected
                )
            decisions += size
        _compare(batch, referees)
    return decisions


def compare_matches(matches: int, seed: int) -> int:
    """Random matches, one row each, to their end; the number of rounds compared."""
    rng = random.Random(seed)
    total = 0
    for number in range(matches):
        target = rng.choice([30, 60, 121])
        decks = [shuffled(rng) for _ in range(40)]
        dealer = rng.randrange(2)
        batch = GameBatch(make("dananeer", target=target), 1, seed=number, episode="match", autoreset=False)
        batch.reset(decks=[decks], dealers=dealer)
        referee = Match(decks, dealer, target)
        while not referee.over:
            card = rng.choice(referee.round.legal())
            referee.play(card)
            slots = batch.step([_CARD[card]])
            s = batch._state[0]
            assert s["scores"][:2].tolist() == referee.scores, _story("scores", batch, 0, s["scores"], referee.scores)
            assert s["carry"] == referee.round.carry, _story("carry", batch, 0, s["carry"], referee.round.carry)
            if not referee.over:
                _compare(batch, [referee.round])
        assert slots.terminated[0], _story("terminated", batch, 0, False, True)
        position = batch.position(0)
        assert position.rounds == tuple(map(tuple, referee.rounds))
        assert position.match_over
        total += len(referee.rounds)
    return total


def _compare(batch: GameBatch, referees: list[Round]) -> None:
    state = batch._state
    for row, referee in enumerate(referees):
        s = state[row]
        seat = -1 if referee.over else referee.to_play
        for name, engine, expected in (
            ("to_play", batch.slots.to_play[row], seat),
            ("mask", np.flatnonzero(batch.slots.action_mask[row]).tolist(), [_CARD[card] for card in referee.legal()]),
            ("floor", s["floor"], card_set(referee.floor)),
            ("hand 0", s["hands"][0], card_set(referee.hands[0])),
            ("hand 1", s["hands"][1], card_set(referee.hands[1])),
            ("pile 0", s["piles"][0], card_set(referee.piles[0])),
            ("pile 1", s["piles"][1], card_set(referee.piles[1])),
            ("points", s["points"][:2].tolist(), referee.points),
            ("carry", s["carry"], referee.carry),
            ("last capturer", s["last_capturer"], -1 if referee.last_capturer is None else referee.last_capturer),
        ):
            assert engine == expected, _story(name, batch, row, engine, expected)


def _story(what: str, batch: GameBatch, row: int, engine: object, expected: object) -> str:
    return f"{what}: engine {engine}, referee {expected}\n{batch.replay(row)}"
