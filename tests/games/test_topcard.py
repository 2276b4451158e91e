"""The rules of the top-card games by name, each on a given deck or table."""

import pytest

from basra_env import GameBatch, Position, make

pytestmark = pytest.mark.small

PACK = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]


def deck(front, jokers=0):
    pack = [*PACK, *["X1", "X2"][:jokers]]
    return [*front, *(card for card in pack if card not in front)]


def start(name, front, dealer=1, **fields):
    game = make(name, **fields)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.reset(decks=[deck(front, game.rules.jokers)], dealers=dealer)
    return batch


def play(batch, *cards):
    for card in cards:
        batch.step([batch.game.parse_card(card)])
    return batch.position()


HANDS = ["2C", "3C", "2D", "4D", "5H", "6H", "7S", "8S"]
"""Seat 0, the eldest: 2C 2D 5H 7S; seat 1: 3C 4D 6H 8S."""


def test_hands_then_hidden_cards_then_one_face_up():
    position = start("pishti", [*HANDS, "KC", "KD", "KH", "9S"]).position()
    assert position.hands == (("2C", "2D", "5H", "7S"), ("3C", "4D", "6H", "8S"))
    assert (position.hidden, position.floor) == (("KC", "KD", "KH"), ("9S",))


def test_a_jack_turned_up_goes_under_the_deck_and_all_know_it():
    batch = start("pishti", [*HANDS, "KC", "JD", "KH", "JS", "JC", "9S"])
    position = batch.position()
    assert (position.hidden, position.floor) == (("KC", "JD", "KH"), ("9S",))
    assert position.stock[-2:] == ("JS", "JC")
    assert position.known == ((("JS", "stock"), ("JC", "stock")),) * 2


def test_in_basra_io_a_jack_may_be_turned_up():
    front = [*PACK[16:32], "2C", "3C", "4C", "5C", "6C"]
    front = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "6H", "7H", "8H", "9H", "6S", "7S", "8S", "9S",
             "KC", "KD", "KH", "KS", "QC", "JD"]  # fmt: skip
    position = start("basra_io", front).position()
    assert (position.hidden, position.floor) == (("KC", "KD", "KH", "KS", "QC"), ("JD",))


def test_a_hidden_card_never_matches_and_goes_with_the_first_capture():
    front = ["9C", "3C", "2D", "4D", "5H", "6H", "7S", "8S", "3D", "TD", "AH", "9S"]
    batch = start("pishti", front)
    position = play(batch, "2D", "3C")  # 3D lies hidden: no capture
    assert position.floor == ("9S", "2D", "3C")
    batch = start("pishti", front)
    position = play(batch, "9C")
    assert (position.floor, position.hidden) == ((), ())
    assert set(position.piles[0]) == {"9C", "9S", "3D", "TD", "AH"}
    assert position.points == (4, 0)
    assert position.basras == (0, 0)
    assert set(position.known[0]) == {("3D", "pile"), ("TD", "pile"), ("AH", "pile")}
    assert position.known[1] == ()
    own, other = (batch.game.decode(batch.observe([0], seat)[0]) for seat in (0, 1))
    assert "TD" in own["piles"][0]
    assert own["unknown"] == (0, 0)
    assert other["piles"][1] == ("9C", "9S")
    assert other["unknown"] == (0, 3)
    assert other["cards"] == (0, 5)


def table(name, lone, hand, other=("4D",), *, stock=0, **fields):
    """Seat 0 to play `hand` on the lone card; seat 1 captured last."""
    game = make(name, **fields)
    pack = [game.card_text(card) for card in game.spec.cards]
    rest = [card for card in pack if card not in (lone, *hand, *other)]
    floor = (lone,) if lone else ()
    return GameBatch(game, 1, seed=0, autoreset=False), Position(
        hands=(tuple(hand), tuple(other)), floor=floor, piles=((), tuple(rest[stock:])), stock=tuple(rest[:stock]),
        to_play=0, dealer=1, last_capturer=1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "fields", "lone", "card", "points"),
    [
        ("pishti", {}, "6H", "6C", 10),
        ("pishti", {}, "KH", "KC", 10),
        ("pishti", {}, "JH", "JC", 20),
        ("pishti", {}, "6H", "JC", 0),
        ("basra_io", {"players": 2}, "6H", "6C", 10),
        ("basra_io", {"players": 2}, "JH", "JC", 20),
        ("basra_io", {"players": 2, "jack": "plain"}, "JH", "JC", 10),
        ("basra_io", {"players": 2}, "6H", "JC", 10),
        ("basra_io", {"players": 2}, "X1", "X2", 20),
        ("basra_io", {"players": 2}, "X1", "JC", 10),
    ],
)
def test_what_a_basra_is_worth(name, fields, lone, card, points):
    batch, position = table(name, lone, (card, "9C"), ("4D", "5D"), **fields)
    batch.set_position(0, position)
    seen = batch.game.decode(batch.slots.obs[0])["preview"][card]
    after = play(batch, card)
    assert set(after.piles[0]) == {lone, card}
    assert after.basra_points[0] == seen["basra"] == points
    assert after.basras[0] == (points > 0)


def test_a_plain_jack_takes_a_jack_only_and_a_joker_a_joker():
    batch, position = table("basra_io", "6H", ("JC", "9C"), ("X1", "5D"), players=2, jack="plain")
    batch.set_position(0, position)
    assert play(batch, "JC", "X1").floor == ("6H", "JC", "X1")


@pytest.mark.parametrize(("name", "points"), [("pishti", 0), ("basra_io", 10)])
def test_a_basra_with_the_last_card_of_the_round(name, points):
    game = make(name, players=2)
    pack = [game.card_text(card) for card in game.spec.cards]
    rest = [card for card in pack if card not in ("6H", "6C")]
    position = Position(hands=((), ("6C",)), floor=("6H",), piles=((), tuple(rest)), stock=(), to_play=1, dealer=1,
                        last_capturer=1)  # fmt: skip
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, position)
    assert play(batch, "6C").basra_points[1] == points


def test_the_last_capture_is_worth_three_even_if_the_table_is_empty():
    game = make("basra_io", players=2)
    rest = [game.card_text(card) for card in game.spec.cards if game.card_text(card) not in ("6H", "6C")]
    position = Position(hands=((), ("6C",)), floor=("6H",), piles=(tuple(rest), ()), stock=(), to_play=1, dealer=1,
                        last_capturer=0)  # fmt: skip
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, position)
    end = play(batch, "6C")
    assert end.round_over
    assert end.points[1] == 10 + 3


def test_where_nobody_captured_the_table_counts_for_nobody_and_hidden_cards_stay_hidden():
    game = make("basra_io", players=2)
    pack = [game.card_text(card) for card in game.spec.cards]
    hidden = pack[:5]
    rest = [card for card in pack if card not in ("6H", "5C", "8C", *hidden)]
    floor = (*sorted(rest), "8C", "6H")
    position = Position(hands=((), ("5C",)), floor=floor, hidden=tuple(hidden), piles=((), ()), stock=(), to_play=1,
                        dealer=1)  # fmt: skip
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, position)
    end = play(batch, "5C")
    assert end.round_over
    assert end.points == (0, 0)
    assert end.hidden == tuple(hidden)
    assert len(end.floor) == 49


def test_the_majority_of_pishti_is_three_and_none_on_a_tie():
    game = make("pishti")
    rest = [card for card in PACK if card not in ("6H", "5C")]
    for split, majority in ((24, (0, 3)), (26, (0, 0)), (28, (3, 0))):
        position = Position(hands=((), ("5C",)), floor=("6H",), piles=(tuple(rest[:split]), tuple(rest[split:])),
                            stock=(), to_play=1, dealer=1, last_capturer=1, points=(0, 0))  # fmt: skip
        batch = GameBatch(game, 1, seed=0, autoreset=False)
        batch.set_position(0, position)
        assert play(batch, "5C").points == majority


def test_a_deck_that_calls_for_a_redeal_is_refused():
    front = ["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D", "2H", "7H", "8H", "9H", "6S", "7S", "8S", "9S"]
    with pytest.raises(ValueError, match="calls for a redeal: a first hand of 2C, 2D, 2H, 6S has 3 of one rank"):
        start("basra_io", front)
    assert start("basra_io", front, redeal=0).position().hands


def test_a_redeal_is_dealt_by_the_same_dealer_and_none_stands_that_calls_for_one():
    batch = GameBatch(make("basra_io"), 2000, seed=0, autoreset=False)
    for row in range(2000):
        for hand in batch.position(row).hands:
            ranks = [card[0] for card in hand]
            assert max(map(ranks.count, ranks)) < 3
    batch.reset(dealers=2)
    assert {batch.position(row).dealer for row in range(2000)} == {2}


def test_the_visible_pile_is_told_in_order():
    batch = start("pishti", [*HANDS, "KC", "KD", "KH", "9S"])
    position = play(batch, "2C", "3C", "5H")
    for seat in (0, 1):
        seen = batch.game.decode(batch.observe([0], seat)[0])
        assert seen["floor"] == position.floor == ("9S", "2C", "3C", "5H")
        assert seen["hidden"] == 3


def test_targets_and_values_follow_the_jack():
    assert make("basra_io").rules.target == 256
    plain = make("basra_io", jack="plain").rules
    assert (plain.target, plain.jack_on_jack) == (156, 10)
    assert make("basra_io", jack="plain", target=99, jack_on_jack=7).rules[-1] == 99
    assert make("pishti").rules.target == 151
    assert make("pishti", players=4).rules.teams == 1


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("pishti", {"players": 3}, "this game seats 2 or 4"),
        ("basra_io", {"players": 2, "teams": True}, "pairs need players=4"),
        ("pishti", {"target": 0}, "target is 0"),
        ("basra_io", {"basra": -10}, "basra is -10"),
        ("pishti", {"jack": "sweeps"}, "unknown value of jack 'sweeps'"),
        ("pishti", {"hidden": 4}, "no whole number of packets"),
        ("pishti", {"sweepers": "J"}, "unknown rule field 'sweepers'"),
        ("basra_io", {"redeal": 1}, "redeal is 1"),
    ],
)
def test_rules_that_make_no_sense_are_refused(name, fields, message):
    with pytest.raises(ValueError, match=message):
        make(name, **fields)


def test_a_position_that_would_have_been_dealt_afresh_is_refused():
    """Worlds of it would be looked for without end."""
    batch = GameBatch(make("basra_io"), 1, seed=0, autoreset=False)
    told = batch.position().to_json()
    every = [card for hand in told["hands"] for card in hand] + told["stock"]
    queens = [card for card in every if card[0] == "Q"][:3]
    seat = told["to_play"]
    hand = [*queens, next(card for card in every if card[0] not in "QX")]
    rest = [card for card in every if card not in hand]
    hands = [hand if each == seat else [rest.pop(0) for _ in range(4)] for each in range(4)]
    with pytest.raises(ValueError, match="dealt afresh"):
        batch.set_position(0, {**told, "hands": hands, "stock": rest, "known": []})
    assert batch.position().to_json() == told


def test_rules_without_a_point_to_win_are_refused():
    nothing = dict.fromkeys(
        (
            "basra",
            "jack_on_jack",
            "ace_points",
            "jack_points",
            "two_of_clubs_points",
            "ten_of_diamonds_points",
            "majority",
        ),
        0,
    )
    with pytest.raises(ValueError, match="no match would ever end"):
        make("pishti", **nothing)
