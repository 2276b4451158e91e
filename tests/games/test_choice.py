"""A choice among overlapping groups, step by step."""

import numpy as np
import pytest

from basra_env import GameBatch, make
from tests.games.test_worked_examples import example_position

pytestmark = pytest.mark.small


def nameable(batch):
    return [batch.game.card_text(int(card)) for card in np.flatnonzero(batch.slots.action_mask[0])]


def test_the_same_seat_names_cards_until_one_option_is_left_and_is_paid_once():
    # Two of three fives, each with a four: which five stays is to be said, by naming the two that do not.
    batch = GameBatch(make("standard"), 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(["5C", "4D", "4H", "5D", "5H"], "9C"))
    for card, after in (("9C", ["5C", "5D", "5H"]), ("5D", ["5C", "5H"])):
        batch.step([batch.game.parse_card(card)])
        position = batch.position()
        assert nameable(batch) == after
        assert (position.pending, position.to_play) == ("9C", 1)
        assert len(position.floor) == 5
        assert batch.slots.rewards.tolist() == [[0, 0]]
    batch.step([batch.game.parse_card("5H")])
    position = batch.position()
    assert position.floor == ("5C",)
    assert set(position.piles[1]) >= {"9C", "4D", "4H", "5D", "5H"}
    assert (position.pending, position.named, position.to_play) == (None, (), 0)
    assert position.last_capturer == 1


def test_cards_of_the_own_rank_always_come_too():
    batch = GameBatch(make("standard"), 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(["9D", "5C", "4D", "4H"], "9C"))
    batch.step([batch.game.parse_card("9C")])
    assert nameable(batch) == ["4D", "4H"]
    batch.step([batch.game.parse_card("4H")])
    assert batch.position().floor == ("4D",)


def test_a_choice_that_is_none_is_refused_as_a_position():
    batch = GameBatch(make("standard"), 1, seed=0, autoreset=False)
    told = example_position(["5C", "4D"], "9C")
    hands = (told.hands[0], told.hands[1][1:])
    with pytest.raises(ValueError, match="leaves no choice"):
        batch.set_position(0, {**told.to_json(), "hands": hands, "pending": "9C"})
    dananeer = GameBatch(make("dananeer"), 1, seed=0, autoreset=False)
    with pytest.raises(ValueError, match="this game has no pending"):
        dananeer.set_position(0, {**told.to_json(), "hands": hands, "pending": "9C"})
