"""What a careful player of a fishing game could tell, and an observation therefore tells: by rules that need more."""

import numpy as np
import pytest

from basra_env import GameBatch, make
from tests.games.test_worked_examples import PACK, example_position

pytestmark = pytest.mark.small


def test_where_a_basra_can_be_worth_two_values_their_points_are_told():
    """A jack on a jack and a king on a king: one basra each, of 20 and of 10."""
    game = make("egyptian")
    shown = []
    for floor, card in ((["JC"], "JD"), (["KC"], "KD")):
        batch = GameBatch(game, 1, seed=0, autoreset=False)
        batch.set_position(0, example_position(floor, card))
        batch.step([game.parse_card(card)])
        own = game.decode(batch.observe([0], 1)[0])
        other = game.decode(batch.observe([0], 0)[0])
        assert own["basras"][0] == other["basras"][1] == 1
        assert own["basra_points"] == other["basra_points"][::-1]
        assert batch.position().basra_points == own["basra_points"][::-1]
        shown.append(own["basra_points"])
    assert shown == [(20, 0), (10, 0)]
    assert "basra_points" not in make("standard").spec.layout


def test_who_laid_a_card_down_though_it_had_to_capture_is_known_not_to_hold_what_captures():
    game = make("standard", must_capture="hand", first_floor=4)
    front = ["2C", "3C", "2D", "3D", "2H", "3H", "2S", "3S", "KC", "KD", "9C", "8C"]
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.reset(decks=[[*front, *(card for card in PACK if card not in front)]], dealers=0)
    batch.step([game.parse_card("2C")])
    seen = game.decode(batch.slots.obs[0])["cannot_hold"]
    # On K K 9 8: kings, nines and eights by rank, and any jack.
    assert seen == ((), ("8", "9", "K", "sweepers"))
    own = game.decode(batch.observe([0], 1)[0])["cannot_hold"]
    assert own == seen[::-1]
    assert "cannot_hold" not in make("standard").spec.layout


def test_a_hand_that_would_have_captured_is_refused():
    """Worlds of such a position would be looked for without end."""
    game = make("standard", must_capture="hand")
    front = ["2C", "3C", "2D", "3D", "2H", "3H", "2S", "3S", "KC", "KD", "9C", "8C"]
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.reset(decks=[[*front, *(card for card in PACK if card not in front)]], dealers=0)
    batch.step([game.parse_card("2C")])
    told = batch.position().to_json()
    hands, stock = [list(hand) for hand in told["hands"]], list(told["stock"])
    place = stock.index("KH")
    hands[1][0], stock[place] = stock[place], hands[1][0]
    with pytest.raises(ValueError, match="would have captured"):
        batch.set_position(0, {**told, "hands": hands, "stock": stock})
    assert batch.position().to_json() == told


def test_a_refused_position_leaves_a_match_as_it_is():
    game = make("standard", players=3)
    batch = GameBatch(game, 2, seed=0, episode="match", autoreset=False)
    before, slots = batch.clone().state.tobytes(), batch.slots.obs.copy()
    for rounds in ("x", [["a", 0, 0]], [[10**12, 0, 0]], [[1, 2]]):
        with pytest.raises(ValueError, match="rounds is"):
            batch.set_position(0, {**batch.position(1).to_json(), "rounds": rounds})
        assert batch.clone().state.tobytes() == before
        assert np.array_equal(batch.slots.obs, slots)


def test_rules_without_a_point_to_win_are_refused():
    with pytest.raises(ValueError, match="no match would ever end"):
        make("micro", ranks="5678", basra=0, majority=0, target=1)


@pytest.mark.parametrize("value", [np.array([3]), None, 2.5])
def test_a_number_that_is_none_is_refused_by_name(value):
    with pytest.raises(ValueError, match="players is"):
        make("standard", players=value)
    with pytest.raises(ValueError, match="teams is"):
        make("standard", teams=value)
    with pytest.raises(ValueError, match="value of sweepers"):
        make("standard", sweepers=value)
    with pytest.raises(ValueError, match="unknown game"):
        make([value])
