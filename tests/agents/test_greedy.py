"""What `greedy` does at tables where it is clear."""

import pytest

from basra_env import GameBatch, Position, make
from tests.games.test_worked_examples import PACK

pytestmark = pytest.mark.small


def choice(hand, floor, seen=()):
    """What greedy plays from `hand` on `floor`; `seen` lies in its pile."""
    used = {*hand, *floor, *seen}
    rest = [card for card in PACK if card not in used]
    hands = (tuple(hand), tuple(rest[: len(hand)]))
    rest = rest[len(hand) :]
    size = 24 if len(rest) >= 24 else 8
    stock, pile = rest[:size], rest[size:]
    batch = GameBatch(make("dananeer"), 1, seed=0, autoreset=False)
    batch.set_position(
        0,
        Position(
            hands=hands, floor=tuple(floor), piles=(tuple(seen), tuple(pile)), stock=tuple(stock), to_play=0, dealer=1
        ),
    )
    return batch.game.card_text(int(batch.decide("greedy", batch.player_generators(0))[0]))


def test_it_takes_a_basra():
    assert choice(["QC", "5C", "9C", "KC"], ["QD"]) == "QC"


def test_it_takes_points():
    assert choice(["8C", "KC", "9C", "TC"], ["TD", "8D", "QH", "5H", "KH"]) == "TC"


def test_it_takes_more_cards_rather_than_fewer():
    assert choice(["9C", "5C", "6C", "8C"], ["5D", "4D", "3H", "6H", "KS", "QS"]) == "9C"


def test_it_keeps_the_jack_for_a_full_floor():
    assert choice(["JC", "KC", "9C", "QC"], ["2D"]) != "JC"
    assert choice(["JC", "KC", "3C", "QC"], ["2D", "8D", "9H", "TS", "8S", "6H"]) == "JC"


def test_it_does_not_feed_the_next_player():
    assert choice(["3C", "QC", "KC", "9S"], ["4D", "AD"]) != "3C"
    assert choice(["AC", "8C", "KC", "9S"], ["QD", "TH"]) != "AC"
