"""Groups of aces and number cards that add up to a played card's value (rules.md, section 2, capture)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from basra_env.core.bits import CardSet, highest, popcount
from basra_env.core.cards import as_set
from basra_env.core.jit import inlined_kernel, kernel

NUMBERS = (1 << 40) - 1
"""Aces and number cards: the ten lowest ranks, four bits each."""
GUARD = 0x8888888888
_PAIRS = 0x5555555555
_FOURS = 0x3333333333
WIDTH = 40
"""33 groups add up to ten; 40 is a whole number of vector registers."""

_DIGIT_1, _DIGIT_2, _DIGIT_4, _DIGIT_8 = (
    as_set(card for card in range(40) if (card // 4 + 1) & digit) for digit in (1, 2, 4, 8)
)


def _partitions(total: int, largest: int) -> Iterator[list[int]]:
    """Ways to write `total` as a sum of parts of at most `largest`, largest part first."""
    if total == 0:
        yield []
    for part in range(min(total, largest), 0, -1):
        for rest in _partitions(total - part, part):
            yield [part, *rest]


def _tables() -> tuple[np.ndarray, np.ndarray]:
    """The groups that can add up to each rank's value, two cards or more, no value more than four times.

    Every rank has `WIDTH` entries, so that the compiler looks them through eight at a time and without a branch;
    what is missing is filled up with groups that need seven cards of each value, and court cards have no other.

    Returns:
        need: int64 (13 x WIDTH,) how many cards of each value a group needs, four bits a value.
        uses: int64 (13 x WIDTH,) all cards of the values in a group.
    """
    groups = [
        [parts for parts in _partitions(total, total - 1) if max(map(parts.count, parts)) <= 4] if total <= 10 else []
        for total in range(1, 14)
    ]
    need, uses = np.full((13, WIDTH), 0x7777777777, np.int64), np.zeros((13, WIDTH), np.int64)
    for rank, row in enumerate(groups):
        for column, parts in enumerate(row):
            need[rank, column] = sum(1 << 4 * (part - 1) for part in parts)
            uses[rank, column] = as_set(4 * (part - 1) + suit for part in set(parts) for suit in range(4))
    return need.ravel(), uses.ravel()


_NEED, _USES = _tables()


@kernel
def count_values(cards: CardSet) -> int:
    """How many cards of each value 1 to 10 there are, four bits a value, the highest bit of each set as a guard."""
    numbers = cards & NUMBERS
    twos = (numbers & _PAIRS) + ((numbers >> 1) & _PAIRS)
    return ((twos & _FOURS) + ((twos >> 2) & _FOURS)) | GUARD


@inlined_kernel
def in_groups(counts: int, rank: int) -> CardSet:
    """All cards, lying there or not, of the values that take part in a group for `rank`.

    Args:
        counts: `count_values` of the floor.
        rank: of the played card, 0 for an ace; court cards have no groups.
    """
    cards = 0
    need = _NEED[rank * WIDTH : rank * WIDTH + WIDTH]
    uses = _USES[rank * WIDTH : rank * WIDTH + WIDTH]
    for group in range(WIDTH):
        # A group lies there if no value borrows from its guard bit when the group's cards are taken away.
        cards |= uses[group] if (counts - need[group]) & GUARD == GUARD else 0
    return cards


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
def coverable(counts: int, spare: int, rank: int) -> bool:
    """True if disjoint groups for `rank` can be taken away so that of no value more than `spare` stays.

    A search without recursion: numba crashes on loading recursive functions from its disk cache.

    Args:
        counts: cards of each value, four bits a value, without guards.
        spare: how many of each value may stay, likewise.
        rank: of the played card.
    """
    need = _NEED[rank * WIDTH : rank * WIDTH + WIDTH]
    taken_low = 0  # the groups taken away so far, six bits each, ten to a word: a kernel owns no memory
    taken_high = 0
    depth = 0
    group = 0
    before = 0
    deeper = False
    while True:
        too_many = ~((spare | GUARD) - counts) & GUARD
        if too_many == 0:
            return True
        must = 15 << (highest(too_many) - 3)  # some group has to take away a card of this, the largest such value
        if deeper and must != before:
            group = 0  # groups that serve the same value are tried in one order only
        deeper = False
        while group < WIDTH and (need[group] & must == 0 or ((counts | GUARD) - need[group]) & GUARD != GUARD):
            group += 1
        if group < WIDTH:
            if depth < 10:
                taken_low |= group << (6 * depth)
            else:
                taken_high |= group << (6 * (depth - 10))
            depth += 1
            counts -= need[group]
            before = must
            deeper = True
        elif depth == 0:
            return False
        else:
            depth -= 1
            if depth < 10:
                group = (taken_low >> (6 * depth)) & 63
                taken_low &= ~(63 << (6 * depth))
            else:
                group = (taken_high >> (6 * (depth - 10))) & 63
                taken_high &= ~(63 << (6 * (depth - 10)))
            counts += need[group]
            group += 1
