"""Each worked example of rules.md on the engine, through the public interface."""

import numpy as np
import pytest

from basra_env import GameBatch, Position, make
from tests.worked_examples import CHOSEN, FISHING

pytestmark = pytest.mark.small

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]


def example_position(floor: list[str], play: str) -> Position:
    """Seat 1 holds `play` and three cards that no example touches; the rest of the pack is in piles and stock."""
    rest = [card for card in PACK if card not in floor and card != play]
    hands = (tuple(rest[:4]), (play, *rest[4:7]))
    rest = rest[7:]
    stock, pile = rest[:24], rest[24:]
    return Position(hands=hands, floor=tuple(floor), piles=((), tuple(pile)), stock=tuple(stock), to_play=1, dealer=0)


def test_the_choice_of_the_worked_example():
    floor, play, options = CHOSEN
    for option in options:
        batch = GameBatch(make("standard"), 1, seed=0, autoreset=False)
        batch.set_position(0, example_position(floor.split(), play))
        seen = batch.game.decode(batch.slots.obs[0])["preview"][play]
        assert (seen["taken"], seen["basra"], seen["choice"]) == (2, 0, 1)
        batch.step([batch.game.parse_card(play)])
        position = batch.position()
        assert (position.pending, position.named, position.to_play) == (play, (), 1)
        assert batch.slots.rewards.tolist() == [[0, 0]]
        legal = [batch.game.card_text(int(card)) for card in np.flatnonzero(batch.slots.action_mask[0])]
        assert legal == ["4D", "4H"]  # 5C is in both options
        four = option.split()[1]
        batch.step([batch.game.parse_card(four)])
        after = batch.position()
        assert set(after.piles[1]) >= {play, *option.split()}
        assert after.floor == tuple(card for card in floor.split() if card not in option)
        assert (after.pending, after.named, after.to_play) == (None, (), 0)
        assert after.basras == (0, 0)


@pytest.mark.parametrize(("variant", "floor", "play", "takes", "basra"), FISHING)
def test_worked_example(variant, floor, play, takes, basra):
    game = make(variant)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(floor.split(), play))
    before = batch.position()
    seen = game.decode(batch.slots.obs[0])["preview"][play]
    batch.step(np.array([game.parse_card(play)]))
    after = batch.position()
    taken = takes.split()
    gained = [*([play] if taken else []), *taken]
    points = {**dict.fromkeys(["AC", "AD", "AH", "AS", "JC", "JD", "JH", "JS"], 1), "2C": 2, "TD": 3}
    assert set(after.piles[1]) - set(before.piles[1]) == set(gained)
    assert set(after.floor) == (set(floor.split()) - set(taken) if taken else {*floor.split(), play})
    won = basra + sum(points.get(card, 0) for card in gained)
    assert after.points[1] - before.points[1] == won
    assert after.basras[1] == (basra > 0)
    assert batch.slots.rewards.tolist() == [[-won, won]]
    assert seen["taken"] == len(taken)
    assert seen["basra"] == (basra > 0)
    assert seen["points"] == won - basra
    assert seen["left"] == len(after.floor)
    assert seen["lone"] == (len(after.floor) == 1)
    values = [PACK.index(card) // 4 + 1 for card in after.floor]
    low = bool(values) and max(values) <= 10 and sum(values) <= 10
    assert seen["low"] == low
    alike = len(set(values)) == 1 and values[0] != 11
    assert seen["answer"] == (sum(values) if low else values[0] if alike else 0)
    known = {*before.hands[1], *before.floor, *before.piles[0], *before.piles[1]}
    unseen = [card for card in PACK if card not in known and PACK.index(card) // 4 + 1 == seen["answer"]]
    assert seen["answers"] == len(unseen)
