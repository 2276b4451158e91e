"""The rules of `dananeer` by name, each on a given deck or table."""

import random

import numpy as np
import pytest

from basra_env import GameBatch, IllegalActionError, Position, make
from tests.games.test_worked_examples import PACK, example_position

pytestmark = pytest.mark.small


def start(deck, dealer=0, **options):
    batch = GameBatch(make("dananeer"), 1, seed=0, autoreset=False)
    batch.reset(decks=[deck], dealers=dealer, **options)
    return batch


def play(batch, *cards):
    for card in cards:
        batch.step([batch.game.parse_card(card)])
    return batch.position()


def plain_deck(front):
    return [*front, *(card for card in PACK if card not in front)]


HANDS = ["2C", "3C", "2D", "3D", "2H", "3H", "2S", "3S"]


def test_eldest_is_dealt_to_first_one_card_at_a_time_and_plays_first():
    position = start(plain_deck([*HANDS, "4C", "5C", "6C", "8C"]), dealer=0).position()
    assert position.hands == (("3C", "3D", "3H", "3S"), ("2C", "2D", "2H", "2S"))
    assert position.to_play == 1
    assert position.floor == ("4C", "5C", "6C", "8C")


def test_dealer_may_be_either_seat():
    position = start(plain_deck([*HANDS, "4C", "5C", "6C", "8C"]), dealer=1).position()
    assert position.hands[0] == ("2C", "2D", "2H", "2S")
    assert position.to_play == 0


def test_barred_cards_go_under_the_deck_and_the_later_lies_lowest():
    deck = plain_deck([*HANDS, "JC", "4C", "7D", "JS", "5C", "6C", "8C"])
    batch = start(deck)
    position = batch.position()
    assert position.floor == ("4C", "5C", "6C", "8C")
    assert position.stock[-3:] == ("JC", "7D", "JS")
    assert position.known == ((("JC", "stock"), ("7D", "stock"), ("JS", "stock")),) * 2
    due = batch.game.decode(batch.slots.obs[0])["due"]
    # The last packet is dealt in turn from the eldest, seat 1, who is observing: its cards 5, 6 and 7 of 8.
    assert set(due) == {(1, "JC", 5), (0, "7D", 5), (1, "JS", 5)}


def test_a_swept_card_is_known_in_the_hand_it_was_dealt_to():
    batch = start(plain_deck([*HANDS, "JC", "4C", "5C", "6C", "8C"]))
    while len(batch.position().stock):
        card = sorted(batch.position().hands[batch.position().to_play])[0]
        play(batch, card)
    position = batch.position()
    assert "JC" in position.hands[0]
    assert position.known[1] == (("JC", "hand"),)
    assert (1, "JC", 0) in batch.game.decode(batch.slots.obs[0])["due"]


def test_nothing_is_added_to_the_floor_between_packets():
    batch = start(plain_deck([*HANDS, "KC", "QC", "9C", "8C"]))
    before = play(batch, "2C", "3C", "2D", "3D", "2H", "3H", "2S")
    after = play(batch, "3S")
    assert [len(hand) for hand in after.hands] == [4, 4]
    assert set(after.floor) <= {*before.floor, "3S"}
    assert after.to_play == 1


def test_jack_takes_everything_and_makes_no_basra():
    batch = GameBatch(make("dananeer"), 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(["5H", "KS"], "JD"))
    position = play(batch, "JD")
    assert position.piles[1][-3:] == ("JD", "5H", "KS")
    assert position.basras == (0, 0)


def test_any_card_of_the_hand_may_be_played_though_another_captures():
    batch = start(plain_deck([*HANDS, "2C", "4C", "5C", "6C"][:8] + ["4C", "5C", "6C", "8C"]))
    assert [batch.game.card_text(int(c)) for c in np.flatnonzero(batch.slots.action_mask[0])] == [
        "2C",
        "2D",
        "2H",
        "2S",
    ]


def last_packet(hands, floor, pile_0, pile_1, *, points=(0, 0), last=0, carry=0, to_play=0):
    used = {*hands[0], *hands[1], *floor, *pile_0, *pile_1}
    rest = [card for card in PACK if card not in used]
    return Position(
        hands=hands,
        floor=floor,
        piles=((*pile_0, *rest[: 26 - len(pile_0)]), (*pile_1, *rest[26 - len(pile_0) :])),
        stock=(),
        to_play=to_play,
        dealer=1,
        last_capturer=last,
        points=points,
        carry=carry,
    )


def finish(position, *cards, episode="round"):
    batch = GameBatch(make("dananeer"), 1, seed=0, episode=episode, autoreset=False)
    batch.set_position(0, position)
    return play(batch, *cards), batch


def test_leftovers_go_to_the_last_capturer_without_basra():
    # Seat 0 takes the king with a king and thereby captures last; the ace stays and is its own.
    table = last_packet((("KC",), ("QH",)), ("KD", "AD"), (), ())
    end, batch = finish(table, "KC", "QH")
    assert end.round_over
    assert end.floor == ()
    assert {"KC", "KD", "AD", "QH"} <= set(end.piles[0])
    assert end.basras == (0, 0)
    assert batch.slots.terminated[0]
    # 1 for the ace, and 30 for 28 + cards
    assert end.points[0] == 1 + 30 * (len(end.piles[0]) > 26)


def test_a_basra_with_the_last_card_counts():
    table = last_packet((("KC",), ("QH",)), ("QD",), (), ())
    end, _ = finish(table, "KC", "QH")
    assert end.basras == (0, 0)  # the king lies there too
    table = last_packet((("QC",), ("QH",)), ("QD",), (), ())
    end, batch = finish(table, "QC", "QH")
    assert end.basras == (1, 0)
    clean = Position(
        hands=(("KC",), ("QH",)), floor=("KD",), piles=((), tuple(c for c in PACK if c not in ("KC", "QH", "KD"))),
        stock=(), to_play=0, dealer=1, last_capturer=1,
    )  # fmt: skip
    end, batch = finish(clean, "KC", "QH")
    assert end.basras == (1, 0)
    lone = Position(
        hands=((), ("QH",)), floor=("QD",), piles=((), tuple(c for c in PACK if c not in ("QD", "QH"))),
        stock=(), to_play=1, dealer=1, last_capturer=0,
    )  # fmt: skip
    end, batch = finish(lone, "QH")
    assert end.basras == (0, 1)
    assert end.points[1] == 10 + 30


def test_a_basra_with_the_last_card_counts_for_whoever_plays_it():
    lone = Position(
        hands=((), ("QH",)), floor=("QD",), piles=(tuple(PACK[:25]), tuple(c for c in PACK[25:] if c not in ("QD", "QH"))),
        stock=(), to_play=1, dealer=1, last_capturer=0,
    )  # fmt: skip
    end, batch = finish(lone, "QH")
    assert batch.slots.rewards[0, 1] == 10 + 30
    assert end.last_capturer == 1


def even_split():
    """26 cards each at the end: seat 0 holds QC against QD, seat 1 then plays the last card onto an empty floor."""
    pile_0 = [card for card in PACK if card not in ("QC", "QD", "KC")]
    return Position(
        hands=(("QC",), ("KC",)), floor=("QD",), piles=(tuple(pile_0[:23]), tuple(pile_0[23:])), stock=(),
        to_play=0, dealer=1, last_capturer=1, carry=30,
    )  # fmt: skip


def test_a_tied_majority_is_carried_over():
    end, _ = finish(even_split(), "QC", "KC")
    assert [len(pile) for pile in end.piles] == [26, 26]
    assert end.points == (10, 0)  # the basra only
    assert end.carry == 60


def test_a_carried_majority_goes_to_the_next_clear_one():
    batch = start(plain_deck([*HANDS, "4C", "5C", "6C", "8C"]), carry=60)
    rng = random.Random(3)
    while not batch.slots.terminated[0]:
        play(batch, rng.choice(batch.position().hands[batch.position().to_play]))
    end = batch.position()
    counts = [len(pile) for pile in end.piles]
    assert counts[0] != counts[1]
    assert end.carry == 0
    assert sum(end.points) == 13 + 10 * sum(end.basras) + 30 + 60


def test_a_round_without_basras_is_worth_43():
    batch = GameBatch(make("dananeer"), 200, seed=5, autoreset=False)
    rngs = batch.player_generators(5)
    while (batch.slots.to_play >= 0).any():
        batch.step(batch.decide("random", rngs))
    for row in range(200):
        end = batch.position(row)
        tied = len(end.piles[0]) == len(end.piles[1])
        assert sum(end.points) == 43 + 10 * sum(end.basras) - 30 * tied


def match(target, seed=0):
    return GameBatch(make("dananeer", target=target), 1, seed=seed, episode="match", autoreset=False)


def test_the_deal_alternates_and_rounds_add_up_in_a_match():
    batch = match(500, seed=2)
    batch.reset(dealers=1)
    rng = random.Random(1)
    dealers = [1]
    while not batch.slots.terminated[0]:
        position = batch.position()
        if len(position.rounds) == len(dealers):
            dealers.append(position.dealer)
        play(batch, rng.choice(position.hands[position.to_play]))
    assert dealers == [1 - i % 2 for i in range(len(dealers))]
    assert len(dealers) > 3
    end = batch.position()
    assert end.scores == tuple(map(sum, zip(*end.rounds, strict=True)))


def test_a_match_goes_on_while_both_hold_the_highest_total():
    batch = match(40)
    end = even_split()
    # Both come out at 50: seat 0 makes a basra worth 10 with 40 behind it, the majority is tied.
    tied = Position(**{**end.to_json(), "scores": (40, 50), "rounds": ((40, 50),), "points": (0, 0), "carry": 0,
                       "hands": end.hands, "floor": end.floor, "piles": end.piles, "stock": ()})  # fmt: skip
    batch.set_position(0, tied)
    position = play(batch, "QC", "KC")
    assert position.scores == (50, 50)
    assert not position.match_over
    assert batch.slots.to_play[0] >= 0
    assert position.carry == 30
    assert position.dealer == 0


def test_the_target_is_judged_only_after_a_whole_round():
    batch = match(40)
    position = batch.position()
    assert position.scores == (0, 0)
    batch.reset(scores=[39, 0], dealers=0, decks=[[plain_deck([*HANDS, "2C", "4C"][:8] + ["QC", "4C", "5C", "8C"])]])
    rng = random.Random(1)
    while len(batch.position().rounds) == 0 and not batch.slots.terminated[0]:
        now = batch.position()
        assert not now.match_over
        play(batch, rng.choice(now.hands[now.to_play]))


def test_given_decks_are_used_up_then_the_own_generator_deals():
    decks = [plain_deck([*HANDS, "4C", "5C", "6C", "8C"]), plain_deck([*HANDS, "9C", "5C", "6C", "8C"])]
    batch = match(1000)
    batch.reset(decks=[decks], dealers=0)
    rng = random.Random(1)
    floors = [batch.position().floor]
    while len(floors) < 4:
        position = batch.position()
        play(batch, rng.choice(position.hands[position.to_play]))
        after = batch.position()
        if len(after.rounds) == len(floors):
            floors.append(after.floor)
    assert floors[1] == ("9C", "5C", "6C", "8C")
    assert len(set(floors[2:])) == 2


def test_a_refused_deck_leaves_the_game_in_progress():
    batch = start(plain_deck([*HANDS, "4C", "5C", "6C", "8C"]))
    play(batch, "2C")
    before = batch.clone().state.tobytes()
    with pytest.raises(ValueError, match="twice.*2D"):
        batch.reset(decks=[["2D", *PACK[1:]]])
    with pytest.raises(ValueError, match="got 51"):
        batch.reset(decks=[PACK[1:]])
    with pytest.raises(ValueError, match="unknown card '1Z'"):
        batch.reset(decks=[["1Z", *PACK[1:]]])
    assert batch.clone().state.tobytes() == before


def test_an_illegal_card_is_named_with_what_was_legal():
    batch = start(plain_deck([*HANDS, "4C", "5C", "6C", "8C"]))
    with pytest.raises(IllegalActionError, match=r"row 0: seat 1 may not play KS \(action 51\); legal: 2C, 2D, 2H, 2S"):
        play(batch, "KS")
    assert play(batch, "2C").to_play == 0


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"target": 0}, "target is 0"),
        ({"basra": -10}, "basra is -10"),
        ({"players": 5}, "players is 5"),
        ({"players": 3, "teams": True}, "pairs need players=4"),
        ({"playrs": 2}, "did you mean 'players'"),
        ({"sweepers": "Q"}, "unknown value of sweepers 'Q'"),
        ({"majority": "lots"}, "majority is 'lots'"),
        ({"teams": "maybe"}, "teams is 'maybe'"),
    ],
)
def test_rules_that_make_no_sense_are_refused(fields, message):
    with pytest.raises(ValueError, match=message):
        make("dananeer", **fields)


def test_an_unknown_variant_is_answered_with_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'dananeer'"):
        make("dananer")


def test_without_a_sweeping_seven_it_is_an_ordinary_seven():
    game = make("dananeer", sweepers="J", barred="J")
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(["7C", "3H", "4S"], "7D"))
    position = play(batch, "7D")
    assert position.basras == (0, 1)
    assert game.fields()["sweepers"] == "J"
