"""What a played card takes from the floor, and what that is worth (rules.md, section 2, capture and basra)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from basra_env.core.bits import CardSet, popcount
from basra_env.core.cards import FRENCH, as_set
from basra_env.core.jit import kernel
from basra_env.games.fishing.rules import JACKS, SEVEN_OF_DIAMONDS, Rules

NUMBERS = (1 << 40) - 1
"""Aces and number cards: the ten lowest ranks, four bits each."""
COURTS = ((1 << 52) - 1) & ~NUMBERS
_GUARD = 0x8888888888
_PAIRS = 0x5555555555
_FOURS = 0x3333333333
_SEVEN_LIMIT = 10
_GROUPS = 40
"""33 groups add up to ten; 40 is a whole number of vector registers."""

_TEN_OF_DIAMONDS = as_set([FRENCH.parse("TD")])
_TWO_OR_MORE = _TEN_OF_DIAMONDS | as_set([FRENCH.parse("2C")])
_ONE_OR_MORE = _TWO_OR_MORE | JACKS | as_set(FRENCH.parse_all(["AC", "AD", "AH", "AS"]))


def _partitions(total: int, largest: int) -> Iterator[list[int]]:
    """Ways to write `total` as a sum of parts of at most `largest`, largest part first."""
    if total == 0:
        yield []
    for part in range(min(total, largest), 0, -1):
        for rest in _partitions(total - part, part):
            yield [part, *rest]


def _sum_tables() -> tuple[np.ndarray, np.ndarray]:
    """The groups that can add up to each rank's value, two cards or more, no value more than four times.

    Every rank has `_GROUPS` entries, so that the compiler looks them through eight at a time and without a branch;
    what is missing is filled up with groups that need seven cards of each value, and court cards have no other.

    Returns:
        need: int64 (13 x _GROUPS,) how many cards of each value a group needs, four bits a value.
        uses: int64 (13 x _GROUPS,) all cards of the values in a group.
    """
    groups = [
        [parts for parts in _partitions(total, total - 1) if max(map(parts.count, parts)) <= 4] if total <= 10 else []
        for total in range(1, 14)
    ]
    need, uses = np.full((13, _GROUPS), 0x7777777777, np.int64), np.zeros((13, _GROUPS), np.int64)
    for rank, row in enumerate(groups):
        for column, parts in enumerate(row):
            need[rank, column] = sum(1 << 4 * (part - 1) for part in parts)
            uses[rank, column] = as_set(4 * (part - 1) + suit for part in set(parts) for suit in range(4))
    return need.ravel(), uses.ravel()


_NEED, _USES = _sum_tables()
_DIGIT_1, _DIGIT_2, _DIGIT_4, _DIGIT_8 = (
    as_set(card for card in range(40) if (card // 4 + 1) & digit) for digit in (1, 2, 4, 8)
)


@kernel
def count_values(floor: CardSet) -> int:
    """How many cards of each value 1 to 10 lie there, four bits a value, the highest bit of each set as a guard."""
    numbers = floor & NUMBERS
    twos = (numbers & _PAIRS) + ((numbers >> 1) & _PAIRS)
    return ((twos & _FOURS) + ((twos >> 2) & _FOURS)) | _GUARD


@kernel
def captured(floor: CardSet, counts: int, card: int, rules: Rules) -> CardSet:
    """Cards that `card` takes from `floor`, where overlapping groups are all taken (`union`).

    Args:
        floor: the cards that lie there.
        counts: `count_values(floor)`.
        card: the played card.
        rules: its `sweepers` take everything.
    """
    rank = card >> 2
    takes = 15 << (4 * rank)
    need = _NEED[rank * _GROUPS : rank * _GROUPS + _GROUPS]
    uses = _USES[rank * _GROUPS : rank * _GROUPS + _GROUPS]
    for group in range(_GROUPS):
        # A group lies there if no value borrows from its guard bit when the group's cards are taken away.
        takes |= uses[group] if (counts - need[group]) & _GUARD == _GUARD else 0
    return floor & (takes | -((rules.sweepers >> card) & 1))


@kernel
def sum_of_values(cards: CardSet) -> int:
    """Sum of the aces and number cards among `cards`: one count for each binary digit of the values."""
    return (
        popcount(cards & _DIGIT_1)
        + 2 * popcount(cards & _DIGIT_2)
        + 4 * popcount(cards & _DIGIT_4)
        + 8 * popcount(cards & _DIGIT_8)
    )


@kernel
def basra_points(floor: CardSet, taken: CardSet, card: int, rules: Rules) -> int:
    """Points for clearing the floor: never with a jack; with a sweeping 7D only if the floor added up to at most 10."""
    if taken == 0 or taken != floor or (JACKS >> card) & 1:
        return 0
    sweeping_seven = card == SEVEN_OF_DIAMONDS and (rules.sweepers >> card) & 1
    if sweeping_seven and (floor & COURTS or sum_of_values(floor) > _SEVEN_LIMIT):
        return 0
    return rules.basra


@kernel
def card_points(cards: CardSet) -> int:
    """Each ace 1, each jack 1, 2C 2, TD 3."""
    return popcount(cards & _ONE_OR_MORE) + popcount(cards & _TWO_OR_MORE) + popcount(cards & _TEN_OF_DIAMONDS)
