"""`tactician`: what players say of good play, each saying in a position, and how much stronger than `greedy` it is."""

import numpy as np
import pytest

from agents.base import Turn
from agents.registry import make_agent
from basra_env import GameBatch, make
from train.arena import play_pair


def plays(game, hands, floor, **more):
    """What it plays with these hands and this floor in an early packet: the rest is in the stock, swept cards apart."""
    hands = [hand.split() for hand in hands]
    floor = floor.split()
    piles = [pile.split() for pile in more.pop("piles", ["", ""])]
    used = {*hands[0], *hands[1], *floor, *piles[0], *piles[1]}
    stock = [card for card in game.family.pack.texts(game.spec.cards) if card not in used]
    surplus = len(stock) % (2 * game.rules.packet)  # what is dealt is a whole number of packets
    piles[1] += stock[len(stock) - surplus :]
    stock = stock[: len(stock) - surplus]
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    position = {"hands": hands, "floor": floor, "piles": piles, "stock": stock, "to_play": 0, "dealer": 1}
    last = None if not any(piles) else 1
    batch.set_position(0, {**position, "last_capturer": last, **more})
    (action,) = make_agent("tactician", game).act(Turn.of(batch, np.array([0]), np.array([0])))
    return game.action_text(int(action))


@pytest.mark.parametrize(
    ("saying", "hand", "floor", "expected"),
    [
        ("jacks wait for a full floor", "JC 8D QS KC", "9H", {"8D", "QS", "KC"}),
        ("and sweep it", "JC 8D QS KC", "AH 2C TD 3S 9H 5D", {"JC"}),
        ("while 7D is out no number cards of 10 or less are left", "4S QS KC 9H", "3H", {"QS", "KC", "9H"}),
        ("a basra is made", "6C 9D QS KC", "2H 4S", {"6C"}),
        ("TD is gone for", "TC 3D QS KC", "TD 2H QH", {"TC"}),
        ("2C is gone for", "2D 9S KC QS", "2C KH TH", {"2D"}),
        ("a court card is thrown when nothing fits", "5S 3H KC 6D", "9H", {"KC"}),
    ],
)  # fmt: skip
def test_sayings_of_fishing(saying, hand, floor, expected):
    game = make("dananeer")
    others = [card for card in ("8H", "AS", "TS", "4C", "6H") if card not in f"{hand} {floor}"][:4]
    assert plays(game, [hand, " ".join(others)], floor) in expected


def test_no_lone_card_is_left_that_the_other_may_hold():
    """QD takes QC or 5S takes 5C: the queen that stays has three likes out, the five none."""
    game = make("standard")
    piles = ["5D 5H", "QS QH"]
    likely = plays(game, ["QD 5S 9C 2H", "8H AS TS 4C"], "QC 5C", piles=piles, last_capturer=1)
    assert likely == "5S", "QC stays, and the other queens are gone; 5C would stay to be taken by sums"


def test_a_decided_race_is_not_run(dananeer):
    """With 27 cards won a card more is worth nothing: an ace alone is taken before two worthless cards."""
    pack = dananeer.family.pack.texts(dananeer.spec.cards)
    hands, floor = ["AC 9S QD KD", "8H TS 4C 6H"], "AD 5C 4D JS QS"
    used = set(" ".join([*hands, floor]).split())
    rest = [card for card in pack if card not in used]
    ahead = plays(dananeer, hands, floor, piles=[" ".join(rest[:28]), ""], last_capturer=0)
    assert ahead == "AC"


@pytest.mark.parametrize(
    ("saying", "hand", "floor", "piles", "expected"),
    [
        ("a lone card is laid whose likes are gone", "9S KD 4C 6H", "", ["9C 9D 9H", "2S"], "9S"),
        ("a pile is matched", "9S KD 4C 6H", "2H AC TD 9D", ["", ""], "9S"),
        ("a jack waits while a like takes the table too", "JS 9S 4C 6H", "2H 9D", ["", ""], "9S"),
        ("a jack takes a pile that is worth it", "JS 8S 4C 6H", "2C AC TD AD 9D", ["", ""], "JS"),
    ],
)
def test_sayings_of_topcard(saying, hand, floor, piles, expected):
    game = make("pishti")
    assert plays(game, [hand, "7H QS 5C 3D"], floor, piles=piles, last_capturer=0) == expected


@pytest.mark.parametrize(
    ("saying", "hand", "trick", "expected"),
    [
        ("blanks are led, not loads", "AD 4B 3S", (), "4B"),
        ("a three takes the points with the trick", "3D 4B 2S", ((1, "KD"),), "3D"),
        ("no trump for nothing", "4C 5B KD", ((1, "2S"),), "5B"),
        ("a load is ruffed", "4C 5B KD", ((1, "AS"),), "4C"),
        ("no load is thrown on a lost trick", "AD 5B KS", ((1, "JC"),), "5B"),
    ],
)
def test_sayings_of_briscola(saying, hand, trick, expected):
    game = make("briscola")
    other = [card for card in ("7S", "6B", "QD") if card not in hand][: 3 - len(trick)]
    pack = game.family.pack.texts(game.spec.cards)
    used = {*hand.split(), *other, *(card for _, card in trick), "7C"}
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(
        0,
        {
            "hands": [hand.split(), other], "floor": [], "piles": [[], []], "trick": trick, "trump": "7C",
            "stock": [*(card for card in pack if card not in used), "7C"], "to_play": 0, "dealer": 1 - len(trick),
        },
    )  # fmt: skip
    (action,) = make_agent("tactician", game).act(Turn.of(batch, np.array([0]), np.array([0])))
    assert game.action_text(int(action)) == expected, saying


def test_a_partners_trick_is_loaded():
    """Seat 2 has taken the trick with the highest trump, and nobody plays after seat 0: the ace goes there."""
    game = make("briscola", players=4)
    pack = game.family.pack.texts(game.spec.cards)
    hands = [["AD", "4B", "2S"], ["5S", "6S"], ["7S", "JS"], ["QS", "KS"]]
    trick = [[1, "5D"], [2, "AC"], [3, "6D"]]
    used = {*(card for hand in hands for card in hand), *(card for _, card in trick), "7C"}
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(
        0,
        {
            "hands": hands, "floor": [], "piles": [[]] * 4, "trick": trick, "trump": "7C", "to_play": 0, "dealer": 0,
            "stock": [*(card for card in pack if card not in used), "7C"],
        },
    )  # fmt: skip
    (action,) = make_agent("tactician", game).act(Turn.of(batch, np.array([0]), np.array([0])))
    assert game.action_text(int(action)) == "AD"


@pytest.mark.parametrize(
    ("name", "fields", "deals", "least"),
    [
        ("dananeer", {}, 1000, 2.0),
        ("classic", {}, 1000, 1.0),
        ("standard", {}, 500, 1.0),
        ("standard", {"players": 3}, 500, 0.0),
        ("egyptian", {"players": 4}, 1500, 0.0),
        ("basra_io", {}, 500, 0.5),
        ("briscola", {}, 500, 1.0),
        ("briscola", {"players": 4}, 200, 10.0),
    ],
)
def test_it_is_stronger_than_greedy(name, fields, deals, least):
    game = make(name, **fields)
    result = play_pair(game, make_agent("tactician", game), make_agent("greedy", game), deals, 7)
    assert result.ci95[0] > least
