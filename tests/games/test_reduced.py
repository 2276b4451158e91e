"""Reduced games are small enough to be gone through: every deal, every line of play."""

from itertools import combinations
from math import comb

import numpy as np
import pytest

from basra_env import GameBatch, make
from tests.reference import fishing


def lines(referee_rules, deck):
    """Points of both seats at the end of every line of play, by brute force over the referee."""

    def play_on(actions):
        referee = fishing.Round(list(deck), 0, 0, referee_rules)
        for action in actions:
            referee.play(action)
        if referee.over:
            yield tuple(actions), tuple(referee.points)
        for action in referee.legal():
            yield from play_on([*actions, action])

    return dict(play_on([]))


def engine_lines(game, decks):
    """The same from the engine for many decks: (deck, actions) -> points.

    All trees are gone through at once, a ply at a time, every branch a row of one batch.
    """
    batch = GameBatch(game, len(decks), seed=0, autoreset=False)
    batch.reset(decks=decks, dealers=0)
    histories, ended = [(number,) for number in range(len(decks))], {}
    while batch.slots.action_mask.any():
        rows, actions = np.nonzero(batch.slots.action_mask)
        snapshot = batch.clone(rows)
        batch = GameBatch(game, len(rows), seed=0, autoreset=False)
        batch.restore(snapshot)
        batch.step(actions)
        histories = [(*histories[row], game.card_text(int(action))) for row, action in zip(rows, actions, strict=True)]
        for row in np.flatnonzero(batch.slots.terminated):
            number, *line = histories[row]
            ended[number, tuple(line)] = batch.position(int(row)).points
    return ended


def deals(cards, in_packet):
    """Every way to deal packets of two to two seats: sets, as the order within a hand does not matter."""
    for first in combinations(cards, in_packet):
        for second in combinations([card for card in cards if card not in first], in_packet):
            yield first, second


def deck_of(first, second, rest):
    """A deck that deals the seat after the dealer `first`, the dealer `second`, and then the rest in the order given."""
    return [card for pair in zip(first, second, strict=True) for card in pair] + list(rest)


@pytest.mark.parametrize("name", ["micro", "mini"])
def test_the_whole_tree_of_a_deal_is_the_referee_s(name):
    game = make(name)
    table = fishing.Table(**game.fields())
    rng = np.random.default_rng(3)
    decks = [
        [table.pack[int(card)] for card in rng.permutation(len(table.pack))]
        for _ in range(20 if name == "micro" else 8)
    ]
    expected = {(n, line): points for n, deck in enumerate(decks) for line, points in lines(table, deck).items()}
    assert engine_lines(game, decks) == expected


def test_every_deal_of_micro_can_be_gone_through():
    """2,520 deals of 16 lines of play each."""
    game = make("micro")
    cards = game.family.pack.texts(game.spec.cards)
    decks = [
        deck_of(first, second, deck_of(*packet, []))
        for first, second in deals(cards, 2)
        for packet in deals([card for card in cards if card not in (*first, *second)], 2)
    ]
    assert len(decks) == comb(8, 2) * comb(6, 2) * comb(4, 2) == 2520
    ended = engine_lines(game, decks)
    assert np.bincount([number for number, _ in ended]).tolist() == [16] * 2520
    # A, A, J, J and 2C are worth 6 to whoever wins them, the majority 3 to one or to both, a basra 10.
    assert {sum(points) % 10 for points in ended.values()} == {9, 2}
