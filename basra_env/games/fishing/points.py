"""What cards and captures are worth (rules.md, section 2, basra and end of the round)."""

from __future__ import annotations

from basra_env.core.bits import CardSet, popcount
from basra_env.core.cards import FRENCH, as_set
from basra_env.core.jit import kernel
from basra_env.games.fishing.groups import NUMBERS, sum_of_values
from basra_env.games.fishing.rules import JACKS, RANKS, SEVEN_OF_DIAMONDS, Rules

COURTS = ((1 << 52) - 1) & ~NUMBERS
_SEVEN_LIMIT = 10

_TEN_OF_DIAMONDS = as_set([FRENCH.parse("TD")])
_TWO_OR_MORE = _TEN_OF_DIAMONDS | as_set([FRENCH.parse("2C")])
_ONE_OR_MORE = _TWO_OR_MORE | JACKS | RANKS["A"]


@kernel
def basra_points(floor: CardSet, taken: CardSet, card: int, rules: Rules) -> int:
    """Points for clearing the floor: with a jack only a lone jack, with a sweeping 7D only a sum of at most 10."""
    if taken == 0 or taken != floor:
        return 0
    if (JACKS >> card) & 1:
        return rules.jack_on_jack if floor & (floor - 1) == 0 and floor & JACKS else 0
    sweeping_seven = card == SEVEN_OF_DIAMONDS and (rules.sweepers >> card) & 1
    if sweeping_seven and (floor & COURTS or sum_of_values(floor) > _SEVEN_LIMIT):
        return 0
    return rules.basra


@kernel
def card_points(cards: CardSet) -> int:
    """Each ace 1, each jack 1, 2C 2, TD 3."""
    return popcount(cards & _ONE_OR_MORE) + popcount(cards & _TWO_OR_MORE) + popcount(cards & _TEN_OF_DIAMONDS)
