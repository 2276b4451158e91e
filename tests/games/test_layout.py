"""The kernel that writes an observation and the layout that names its bytes agree on every byte."""

import numpy as np
import pytest

from basra_env import GameBatch, make
from basra_env.games.fishing.capture import captured
from basra_env.games.fishing.groups import count_values
from basra_env.testing import random_batch

pytestmark = pytest.mark.small


@pytest.mark.parametrize("fields", [{}, {"players": 3}, {"players": 4, "teams": True}])
def test_fields_lie_one_behind_the_other(fields):
    layout = make("dananeer", **fields).spec.layout
    ends = [0, *(field.stop for field in layout.values())]
    assert [field.start for field in layout.values()] == ends[:-1]
    assert ends[-1] == layout.size == make("dananeer", **fields).spec.obs_size


def test_view_cuts_a_field_out_in_its_shape(dananeer):
    batch = GameBatch(dananeer, 5, seed=1)
    hand = dananeer.spec.layout.view(batch.slots.obs, "hand")
    assert hand.shape == (5, 52)
    assert np.array_equal(hand.astype(bool), batch.slots.action_mask)
    assert dananeer.spec.layout.view(batch.slots.obs, "preview").shape == (5, 52, 8)
    assert np.shares_memory(hand, batch.slots.obs)


def test_numbers_of_a_match_saturate_at_two_bytes():
    game = make("dananeer", target=100_000)
    batch = GameBatch(game, 1, seed=0, episode="match", autoreset=False)
    batch.reset(scores=[70_000, 300], carry=513)
    seen = game.decode(batch.observe([0], 0)[0])
    assert seen["scores"] == (65535, 300)
    assert seen["carry"] == 513
    assert seen["target"] == 65535


def test_the_target_is_not_shown_where_a_round_is_all():
    game = make("dananeer", target=77)
    assert game.decode(GameBatch(game, 1, seed=0).slots.obs[0])["target"] == 0
    assert game.decode(GameBatch(game, 1, seed=0, episode="match").slots.obs[0])["target"] == 77


def test_state_adds_where_every_unseen_card_is(dananeer):
    batch = random_batch(dananeer, 50, seed=2, plies=47)
    pack = 52
    for row in range(50):
        position = batch.position(row)
        beyond = batch.state([row])[0, dananeer.spec.obs_size :].reshape(2, pack)
        mover = position.to_play
        for offset in range(2):
            seat = (mover + offset) % 2
            assert [dananeer.card_text(int(c)) for c in np.flatnonzero(beyond[offset] == 1)] == list(
                position.hands[seat]
            )
        for place, card in enumerate(position.stock):
            owner = (position.dealer + 1 + place) % 2
            assert beyond[(owner - mover) % 2, dananeer.parse_card(card)] == 2 + place // 8
        assert np.count_nonzero(beyond) == len(position.stock) + sum(map(len, position.hands))


def test_the_answer_of_a_preview_is_a_rank_that_would_clear_what_stays(dananeer):
    batch = random_batch(dananeer, 400, seed=8, plies=47)
    rules = dananeer.rules
    answers = set()
    for row in range(400):
        for card, told in dananeer.decode(batch.slots.obs[row])["preview"].items():
            floor = int(batch.clone([row]).state["floor"][0])
            number = dananeer.parse_card(card)
            taken = int(captured(floor, count_values(floor), number, rules))
            stay = floor & ~taken if taken else floor | 1 << number
            answer = told["answer"]
            answers.add(answer)
            ranks = {other // 4 for other in range(52) if (stay >> other) & 1}
            if answer:
                clubs = 4 * (answer - 1)
                assert int(captured(stay, count_values(stay), clubs, rules)) == stay, f"{card} leaves {stay}"
                assert answer != 11, "a jack makes no basra"
            else:
                assert not told["low"]
                assert len(ranks) != 1 or ranks == {10}
    assert answers == {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13}


@pytest.mark.parametrize(("name", "fields"), [("dananeer", {}), ("egyptian", {"players": 4}), ("mini", {})])
def test_preview_of_each_card_is_what_playing_it_does(name, fields):
    preview_is_what_playing_does(make(name, **fields))


def preview_is_what_playing_does(game):
    """Each card's row against what comes of playing it, or of naming it in a choice."""
    batch = random_batch(game, 60, seed=3)
    for row in range(60):
        before = batch.position(row)
        seen = game.decode(batch.slots.obs[row])["preview"]
        for card, told in seen.items():
            twin = GameBatch(game, 1, seed=0, autoreset=False)
            twin.restore(batch.clone([row]))
            twin.step([game.parse_card(card)])
            after = twin.position()
            if after.round_over or len(after.stock) != len(before.stock) or told.get("choice"):
                assert told.get("choice", 0) == 0 or after.pending
                continue
            mover = before.to_play
            side = game.spec.sides[mover]
            gained = len(after.piles[mover]) - len(before.piles[mover])
            assert told["taken"] == max(gained - 1, 0)
            assert told["left"] == len(after.floor)
            assert told["basra"] == after.basras[side] - before.basras[side]
            if game.rules.jack_on_jack == 0:
                assert told["points"] + 10 * told["basra"] == after.points[side] - before.points[side]
