"""The rules of Briscola by name, each on a given deck or table."""

import itertools

import numpy as np
import pytest

from basra_env import GameBatch, IllegalActionError, Position, make
from basra_env.testing import random_batch

pytestmark = pytest.mark.small

PACK = [rank + suit for rank in "A234567JQK" for suit in "DCSB"]


def start(front, dealer=1, **fields):
    batch = GameBatch(make("briscola", **fields), 1, seed=0, autoreset=False)
    batch.reset(decks=[[*front, *(card for card in PACK if card not in front)]], dealers=dealer)
    return batch


def play(batch, *cards):
    for card in cards:
        batch.step([batch.game.parse_card(card)])
    return batch.position()


def legal(batch):
    return [batch.game.action_text(int(action)) for action in np.flatnonzero(batch.slots.action_mask[0])]


def test_the_worked_example():
    # Cups are trumps, seat 1 dealt: seat 0 is eldest. Cards drawn later do not matter but for the suits.
    front = ["3D", "AD", "2C", "KS", "4B", "JB", "QC"]
    batch = start(front)
    position = play(batch, "3D")
    assert position.trick == ((0, "3D"),)
    position = play(batch, "AD")
    assert position.points == (0, 21)
    assert position.to_play == 1
    assert position.trump == "QC"
    position = play(batch, "KS", "2C")
    assert position.points == (4, 21)
    assert position.to_play == 0
    before = batch.clone()
    position = play(batch, "4B", "JB")
    assert position.points == (4, 23)
    batch.restore(before)
    other = next(c for c in batch.position().hands[1] if c[1] not in "CB")
    assert play(batch, "4B", other).to_play == 0  # another plain suit: the trick is seat 0's


def test_the_winner_draws_first_and_the_last_to_draw_gets_the_face_up_trump():
    batch = start(["3D", "AD", "2C", "KS", "4B", "JB", "QC", "5S", "6S"])
    position = play(batch, "3D", "AD")
    assert "5S" in position.hands[1]
    assert "6S" in position.hands[0]
    while batch.position().stock:
        stock = batch.position().stock
        before = batch.position()
        play(batch, batch.game.card_text(int(batch.slots.action_mask[0].argmax())))
        assert stock[-1] == "QC"
    assert len(before.stock) == 2
    last = 1 - batch.position().to_play
    assert "QC" in batch.position().hands[last]
    assert batch.position().known == ((("QC", "hand"),),) * 2
    assert batch.position().trump == "QC"


def end(points_0):
    """The last trick is to be played: seat 0 leads 2D, seat 1 has 4D; `points_0` in seat 0's pile."""
    values = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
    rest = [card for card in PACK if card not in ("2D", "4D")]
    loads = [card for card in rest if card[0] in values]
    pile_0 = next(
        list(some)
        for size in range(len(loads))
        for some in itertools.combinations(loads, size)
        if sum(values[card[0]] for card in some) == points_0
    )
    blanks = [card for card in rest if card[0] not in values]
    pile_0 += blanks[: len(pile_0) % 2]
    pile_1 = [card for card in rest if card not in pile_0]
    return Position(hands=(("2D",), ("4D",)), floor=(), piles=(tuple(pile_0), tuple(pile_1)), stock=(), to_play=0,
                    dealer=1, trump="AC")  # fmt: skip


@pytest.mark.parametrize(("points", "scores"), [(61, (1, 0)), (60, (0, 0)), (59, (0, 1))])
def test_more_than_sixty_points_win_the_round(points, scores):
    for episode in ("round", "match"):
        batch = GameBatch(make("briscola"), 1, seed=0, episode=episode, autoreset=False)
        batch.set_position(0, end(points))
        position = play(batch, "2D", "4D")
        assert position.rounds == ((points, 120 - points),)
        assert position.scores == scores
        if episode == "match":
            gain = scores[0] - scores[1]
            assert batch.slots.rewards.tolist() == [[gain, -gain]]
            assert not position.match_over
            assert position.dealer == 0


def test_sixty_all_marks_nobody():
    test_more_than_sixty_points_win_the_round(60, (0, 0))


def test_a_match_is_won_by_the_target_of_rounds():
    batch = GameBatch(make("briscola", target=1), 1, seed=0, episode="match", autoreset=False)
    batch.set_position(0, end(61))
    assert play(batch, "2D", "4D").match_over
    assert batch.slots.terminated[0]


FRONT = ["7C", "2C", "3D", "4D", "5D", "6D"]
"""Seat 0, the eldest: 7C 3D 5D; seat 1: 2C 4D 6D. The next card is turned up."""


def test_a_free_exchange_takes_whatever_lies_there_and_all_see_it():
    batch = start([*FRONT, "4C"], exchange="free")
    assert legal(batch) == ["3D", "5D", "7C", "lay down the 7"]
    batch.step([40])
    position = batch.position()
    assert position.hands[0] == ("3D", "4C", "5D")
    assert position.stock[-1] == "7C"
    assert position.trump == "4C"
    assert position.known == ((("4C", "hand"),),) * 2
    assert position.swapped == (0,)
    assert legal(batch) == ["3D", "4C", "5D"]
    assert batch.slots.rewards.tolist() == [[0, 0]]
    with pytest.raises(IllegalActionError, match=r"may not play lay down the 2 \(action 41\); legal: 3D, 4C, 5D"):
        batch.step([41])
    play(batch, "3D")
    assert legal(batch) == ["2C", "4D", "6D", "lay down the 2"]
    batch.step([41])
    assert "7C" in batch.position().hands[1]
    assert batch.position().stock[-1] == "2C"


def test_a_conditional_exchange_needs_a_trick_and_the_right_card():
    batch = start([*FRONT, "KC", "5S", "6S"], exchange="conditional")
    assert "lay down the 7" not in legal(batch)  # no trick yet
    play(batch, "5D", "4D")  # seat 0 takes the trick and leads
    assert "lay down the 7" in legal(batch)
    batch.step([40])
    assert batch.position().stock[-1] == "7C"
    play(batch, "KC")
    assert "lay down the 2" not in legal(batch)  # its side has taken no trick
    low = start([*FRONT, "4C", "5S", "6S"], exchange="conditional")
    play(low, "5D", "4D")
    assert "lay down the 7" not in legal(low)  # not for a 4


def test_no_exchange_once_the_face_up_trump_is_drawn_or_where_it_is_off():
    assert legal(start([*FRONT, "KC"])) == ["3D", "5D", "7C"]
    assert make("briscola").spec.num_actions == 40
    assert make("briscola", exchange="free").spec.num_actions == 42
    batch = GameBatch(make("briscola", exchange="free"), 200, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while (batch.slots.to_play >= 0).any():
        for row in np.flatnonzero(batch.slots.action_mask[:, 40:].any(1))[:3]:
            assert batch.position(int(row)).stock
        batch.step(batch.decide("random", rngs))


def test_the_preview_says_who_would_win():
    game = make("briscola", players=4)
    batch = random_batch(game, 150, seed=5)
    looked = 0
    for row in range(150):
        position = batch.position(row)
        if len(position.trick) != 3:
            continue
        for card, told in game.decode(batch.slots.obs[row])["preview"].items():
            twin = GameBatch(game, 1, seed=0, autoreset=False)
            twin.restore(batch.clone([row]))
            twin.step([game.parse_card(card)])
            after = twin.position()
            won = card in after.piles[position.to_play]
            assert told["wins"] == won
            assert told["completes"] == 1
            gained = sum(after.points) - sum(position.points)
            assert told["lying"] + told["points"] == gained
            looked += 1
    assert looked > 20


def test_who_draws_the_face_up_trump_is_told_in_the_last_trick_before_the_stock_is_gone():
    batch = random_batch(make("briscola"), 400, seed=5, plies=36)
    told = 0
    for row in range(400):
        position = batch.position(row)
        drawer = batch.game.decode(batch.slots.obs[row])["trump_drawer"]
        assert (drawer is not None) == (len(position.stock) == 2 and len(position.trick) == 1)
        told += drawer is not None
    assert told


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": 3}, "this game seats 2 or 4"),
        ({"players": 2, "teams": True}, "pairs need players=4"),
        ({"players": 4, "teams": False}, "played in pairs"),
        ({"target": 4}, "target is 4: expected 1 to 3"),
        ({"exchange": "always"}, "unknown value of exchange 'always'"),
    ],
)
def test_rules_that_make_no_sense_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        make("briscola", **fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"trump": None}, "needs the card that was turned up"),
        ({"hands": (("2D",), ())}, "each card must lie in exactly one place"),
        ({"to_play": 1, "trick": ((1, "4D"),), "hands": (("2D",), ())}, "cannot be to play"),
        ({"swapped": (0,)}, "nobody can have exchanged"),
        ({"points": (1, 119)}, "the piles hold"),
    ],
)
def test_positions_that_no_game_reaches_are_refused(change, message):
    batch = GameBatch(make("briscola"), 1, seed=0, autoreset=False)
    with pytest.raises(ValueError, match=message):
        batch.set_position(0, {**end(60).to_json(), **change})


def test_a_position_that_tells_no_plays_keeps_its_piles():
    batch = GameBatch(make("briscola"), 1, seed=0, autoreset=False)
    before = end(61)
    batch.set_position(0, before)
    position = batch.position(0)
    assert [set(pile) for pile in position.piles] == [set(pile) for pile in before.piles]
    batch.set_position(0, position)
    assert batch.position(0) == position


def test_nothing_is_carried_over():
    batch = GameBatch(make("briscola"), 1, seed=0)
    with pytest.raises(ValueError, match="briscola carries nothing over"):
        batch.reset(carry=5)


@pytest.mark.parametrize(
    "change",
    [
        lambda plays: [[100, plays[0][1]], *plays[1:]],
        lambda plays: plays[::-1],
        lambda plays: [[1 - seat, card] for seat, card in plays],
    ],
)
def test_plays_out_of_turn_are_refused(change):
    batch = GameBatch(make("briscola"), 1, seed=3, autoreset=False)
    for _ in range(11):
        batch.step(batch.slots.action_mask.argmax(1))
    told = batch.position().to_json()
    batch.set_position(0, told)
    with pytest.raises(ValueError, match="plays is"):
        batch.set_position(0, {**told, "plays": change(told["plays"])})
    assert batch.position().to_json() == told


def test_scores_below_zero_are_shown_as_none():
    batch = GameBatch(make("briscola"), 1, seed=0, episode="match")
    batch.reset(scores=[[-5, 1]])
    assert sorted(batch.game.decode(batch.slots.obs[0])["scores"]) == [0, 1]
