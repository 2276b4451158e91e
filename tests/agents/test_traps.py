"""Positions in which the obvious card loses five points or more by the referee's count: search does not fall for it."""

import random

import numpy as np
import pytest

from agents.base import Turn
from agents.registry import make_agent
from basra_env import GameBatch
from tests.agents.test_solver import after, minimax
from tests.agents.traps import FAMILIES
from tests.games.compare import contest

EVERY = [
    pytest.param(trap, id=f"{family}-{nth}") for family, traps in FAMILIES.items() for nth, trap in enumerate(traps)
]
OPEN = [each for each in EVERY if each.values[0].face_down is None]
FEWEST = 10


def set_up(trap):
    """The position in a batch of one, and the same in the hands of the referee."""
    duel = contest(trap.game, **trap.fields)
    hands, floor = [hand.split() for hand in trap.hands], trap.floor.split()
    lying = floor + [card for _, card in trap.trick]
    dark = trap.face_down[1].split() if trap.face_down else []
    rest = [card for card in duel.rules.pack if card not in lying and not any(card in hand for hand in hands)]
    open_cards = [card for card in rest if card not in dark]
    piles = [dark if trap.face_down and trap.face_down[0] == seat else [] for seat in (0, 1)]
    cut = trap.won[0] - len(piles[0])
    piles = [piles[0] + open_cards[:cut], piles[1] + open_cards[cut:]]
    assert [len(pile) for pile in piles] == list(trap.won)
    even = len(hands[0]) == len(hands[1])
    dealer = 1 - trap.to_play if even else trap.to_play  # in a packet the seat after the dealer plays first
    position = {
        "hands": hands, "floor": floor, "piles": piles, "stock": [], "to_play": trap.to_play, "dealer": dealer,
        "last_capturer": trap.last, "trick": trap.trick, "trump": trap.trump,
    }  # fmt: skip
    if trap.face_down:
        seat, cards = trap.face_down
        position["known"] = [[[card, "pile"] for card in cards.split()] if other == seat else [] for other in (0, 1)]
    batch = GameBatch(duel.game, 1, seed=0, autoreset=False)
    batch.set_position(0, position)
    return duel, batch, referee_at(duel, position)


def referee_at(duel, position):
    """The referee's round, begun with any deck and set to where the position is."""
    rng = random.Random(0)
    referee = duel.begin(duel.deck(rng), position["dealer"], 0)
    referee.stock = []
    referee.hands = [list(hand) for hand in position["hands"]]
    referee.piles = [list(pile) for pile in position["piles"]]
    referee.points = [0] * len(referee.points)
    referee.to_play = position["to_play"]
    if position["trump"]:
        referee.trump, referee.trick = position["trump"][1], [tuple(play) for play in position["trick"]]
    else:
        referee.floor, referee.last_capturer = list(position["floor"]), position["last_capturer"]
        if hasattr(referee, "hidden"):
            referee.hidden = []
    return referee


def counts(duel, referee):
    """What each action is worth to the seat to play by the referee's count, both sides playing their best."""
    sign = 1 if referee.to_play == 0 else -1
    now = referee.points[0] - referee.points[1]
    return {action: sign * (minimax(after(referee, action)) - now) for action in referee.legal()}


@pytest.mark.parametrize("trap", EVERY)
def test_greedy_loses_five_points_or_more(trap):
    duel, batch, referee = set_up(trap)
    values = counts(duel, referee)
    assert values[trap.best] == max(values.values())
    assert values[trap.best] - values[trap.falls] >= 5
    (action,) = make_agent("greedy", duel.game).act(Turn.of(batch, np.array([0]), np.array([0])))
    assert duel.game.action_text(int(action)) == trap.falls


@pytest.mark.parametrize("trap", EVERY)
@pytest.mark.parametrize("name", ["pimc:worlds=100,horizon=0", "ismcts:iterations=400"])
def test_search_finds_the_way_out(trap, name):
    finds_the_way_out(trap, name)


@pytest.mark.parametrize("trap", OPEN)
def test_the_solver_finds_the_way_out_where_no_card_is_hidden(trap):
    finds_the_way_out(trap, "greedy+solver")


def finds_the_way_out(trap, name):
    duel, batch, referee = set_up(trap)
    values = counts(duel, referee)
    for seed in range(5):
        (action,) = make_agent(name, duel.game).act(Turn.of(batch, np.array([0]), np.array([seed])))
        assert values[duel.game.action_text(int(action))] == max(values.values())


def test_there_are_enough_of_each_family():
    assert all(len(traps) >= FEWEST for traps in FAMILIES.values())
