"""The engine against the slow referees: every mask, table, hand, pile, score and reward."""

import random

import pytest

from basra_env import make
from basra_env.core.cards import as_set
from basra_env.games.fishing.capture import captured, within_reach
from basra_env.games.fishing.choice import nameable, overlap, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.points import basra_points
from tests.games.catalogue import OPTIONS, SMALL, game_id
from tests.games.compare import compare_matches, compare_rounds, contest
from tests.reference import fishing

CARD = {card: number for number, card in enumerate(fishing.PACK)}


def compare_captures(floors, seed, name="dananeer", **fields):
    """What a card takes from random floors, crowded with small cards, what may be chosen, and whether that is a basra."""
    rng = random.Random(seed)
    game = make(name, **fields)
    rules, table = game.rules, fishing.Table(**game.fields())
    choices = 0
    for _ in range(floors):
        small = rng.random() < 0.7
        deck = list(fishing.PACK)
        rng.shuffle(deck)
        lying = [card for card in deck if not small or card[0] in "A23456"][: rng.randint(0, 10)]
        card = next(
            card for card in deck if card not in lying and (not small or card[0] in "789T" or rng.random() < 0.3)
        )
        floor = as_set(CARD[c] for c in lying)
        counts = count_values(floor)
        left = fishing.options(lying, card, table)
        reach = within_reach(floor, counts, CARD[card], rules)
        if len(left) == 1:
            taken = captured(floor, counts, CARD[card], rules)
            assert taken == as_set(CARD[c] for c in left[0]), f"{card} on {lying}"
            assert basra_points(floor, taken, CARD[card], rules) == fishing.basra(lying, left[0], card, table)
            assert rules.capture != 2 or not overlap(reach, CARD[card], rules)
            continue
        choices += 1
        assert overlap(reach, CARD[card], rules), f"{card} on {lying}"
        groups, named = summands(reach, CARD[card]), 0
        while len(left) > 1:
            may = [c for c in lying if any(c in o for o in left) and not all(c in o for o in left)]
            assert nameable(groups, named, CARD[card] >> 2) == as_set(CARD[c] for c in may), f"{card} on {lying}"
            name = rng.choice(may)
            named |= 1 << CARD[name]
            left = [option for option in left if name in option]
        assert nameable(groups, named, CARD[card] >> 2) == 0
    return choices


@pytest.mark.small
@pytest.mark.parametrize("capture", ["union", "disjoint", "choose"])
def test_captures_from_crowded_floors(capture):
    choices = compare_captures(1_500, seed=10, capture=capture)
    assert (choices > 100) == (capture == "choose")


def test_captures_with_a_jack_that_pays():
    compare_captures(3_000, seed=11, name="egyptian")


@pytest.mark.small
@pytest.mark.parametrize("option", SMALL, ids=game_id)
def test_some_rounds_and_matches(option):
    name, fields = option
    game = contest(name, **fields)
    assert compare_rounds(game, 24, seed=12) > 24
    assert compare_matches(contest(name, **{**fields, "target": 2 if name == "briscola" else 30}), 3, seed=12) >= 3


@pytest.mark.parametrize("option", OPTIONS, ids=game_id)
def test_a_share_of_rounds_and_matches(option):
    name, fields = option
    game = contest(name, **fields)
    compare_rounds(game, 250, seed=100)
    compare_matches(game, 25, seed=200)


@pytest.mark.verify
@pytest.mark.parametrize("option", OPTIONS, ids=game_id)
def test_all_rounds(option):
    name, fields = option
    compare_rounds(contest(name, **fields), 20_000, seed=1000)


@pytest.mark.verify
@pytest.mark.parametrize("option", OPTIONS, ids=game_id)
def test_all_matches(option):
    name, fields = option
    compare_matches(contest(name, **fields), 5_000, seed=2000)
