"""Card texts, ids and sets."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from basra_env.core.bits import lowest, nth_card, popcount
from basra_env.core.cards import FRENCH, Pack, as_set, members
from basra_env.core.jit import kernel

pytestmark = pytest.mark.small


def test_seven_of_diamonds_is_25(dananeer):
    assert dananeer.parse_card("7D") == 25
    assert dananeer.card_text(25) == "7D"


@pytest.mark.parametrize("text", ["TD", "10D", "td", "10♦", " 10d "])
def test_ways_to_write_the_ten_of_diamonds(text):
    assert FRENCH.parse(text) == 37


def test_every_card_is_read_back():
    assert [FRENCH.parse(FRENCH.text(card)) for card in range(52)] == list(range(52))


def test_jokers_follow_the_ranked_cards():
    pack = Pack("A23456789TJQK", "CDHS", jokers=2)
    assert pack.parse("X2") == 53
    assert pack.text(52) == "X1"


@pytest.mark.parametrize("text", ["1D", "7", "", "7DD", "XX"])
def test_no_card(text):
    with pytest.raises(ValueError, match="unknown card"):
        FRENCH.parse(text)


@pytest.mark.parametrize("card", [-1, 52, True, 1.5])
def test_no_id(card):
    with pytest.raises(ValueError, match="no card"):
        FRENCH.parse_all([card])


@kernel
def count(cards):
    return popcount(cards)


@kernel
def first(cards):
    return lowest(cards)


@settings(deadline=None)
@given(st.sets(st.integers(0, 53)))
def test_bit_sets_count_and_walk(cards):
    bits = as_set(cards)
    assert count(bits) == len(cards)
    assert list(members(bits)) == sorted(cards)
    for n, card in enumerate(sorted(cards)):
        assert nth_card(bits, n) == card
    if cards:
        assert first(bits) == min(cards)
