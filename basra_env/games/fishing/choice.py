"""Overlapping groups: which disjoint ones may be taken, and which are (rules.md, section 2, `disjoint` and `choose`).

An *option* is an inclusion-maximal union of pairwise disjoint groups. Cards of one value stand for each other in every
group, so that options are found among counts of cards a value, of which there are few, and not among sets of cards.
"""

from __future__ import annotations

from basra_env.core.bits import CardSet, popcount
from basra_env.core.jit import kernel
from basra_env.games.fishing.groups import GUARD, count_values, coverable, sum_of_values
from basra_env.games.fishing.points import card_points
from basra_env.games.fishing.rules import Rules


@kernel
def summands(reach: CardSet, card: int) -> CardSet:
    """Of the cards within reach those that are part of a group: cards of a lower value than the played one's."""
    return reach & ((1 << (card & ~3)) - 1)


@kernel
def overlap(reach: CardSet, card: int, rules: Rules) -> bool:
    """True if the groups among the cards within reach of `card` cannot all be taken side by side."""
    value = (card >> 2) + 1
    if value > 10 or (rules.sweepers >> card) & 1:
        return False
    groups = summands(reach, card)
    total = sum_of_values(groups)
    if total <= value:  # nothing lies there, or one group
        return False
    return total % value != 0 or not coverable(count_values(groups) ^ GUARD, 0, value - 1)


@kernel
def _next_counts(counts: int, least: int, most: int, rank: int) -> int:
    """The counts that come before `counts`, from `most` down to `least` of each value below `rank`; -1 at the end."""
    for value in range(rank):
        one = 1 << (4 * value)
        digit = 15 << (4 * value)
        if counts & digit != least & digit:
            return counts - one
        counts = counts & ~digit | most & digit
    return -1


@kernel
def _sum_of_counts(counts: int, rank: int) -> int:
    total = 0
    for value in range(rank):
        total += ((counts >> (4 * value)) & 15) * (value + 1)
    return total


@kernel
def _lowest_of(cards: CardSet, named: CardSet, counts: int, rank: int) -> CardSet:
    """So many cards of each value: the named ones, then those with the lowest ids (2C, which counts 2, is one)."""
    chosen = named
    for value in range(rank):
        missing = ((counts >> (4 * value)) & 15) - popcount(named & (15 << (4 * value)))
        rest = cards & ~named & (15 << (4 * value))
        for _ in range(missing):
            chosen |= rest & -rest
            rest &= rest - 1
    return chosen


@kernel
def best_option(cards: CardSet, named: CardSet, rank: int) -> CardSet:
    """The disjoint groups that hold all of `named` with the most cards; then most card points; then the lowest ids.

    Args:
        cards: those that are part of a group.
        named: some of them that all belong to one option.
        rank: of the played card.
    """
    most = count_values(cards) ^ GUARD
    least = count_values(named) ^ GUARD
    best = 0
    best_size = -1
    best_points = 0
    counts = most
    while counts >= 0:
        total = _sum_of_counts(counts, rank)
        if total % (rank + 1) == 0:
            chosen = _lowest_of(cards, named, counts, rank)
            size = popcount(chosen)
            points = card_points(chosen)
            if size > best_size or (size == best_size and points >= best_points):
                differ = chosen ^ best
                lower = size > best_size or points > best_points or (chosen & differ & -differ) != 0
                if lower and coverable(counts, 0, rank):
                    best = chosen
                    best_size = size
                    best_points = points
        counts = _next_counts(counts, least, most, rank)
    return best


@kernel
def in_some_option(cards: CardSet, named: CardSet, rank: int) -> CardSet:
    """The values, as sets of all their cards, of which an option with all of `named` holds another card."""
    most = count_values(cards) ^ GUARD
    spare = most - (count_values(named) ^ GUARD)
    values = 0
    for value in range(rank):
        digit = 15 << (4 * value)
        if spare & digit and coverable(most, spare - (1 << (4 * value)), rank):
            values |= digit
    return values


@kernel
def nameable(cards: CardSet, named: CardSet, rank: int) -> CardSet:
    """Cards that are in some but not in all of the options that hold all of `named`; none when one option is left.

    Args:
        cards, named, rank: as for `best_option`.
    """
    some = in_some_option(cards, named, rank)
    most = count_values(cards) ^ GUARD
    least = count_values(named) ^ GUARD
    absent = 0  # values of which some option leaves a card
    counts = most
    while counts >= 0 and absent & some != some:
        if _sum_of_counts(counts, rank) % (rank + 1) == 0 and coverable(counts, 0, rank):
            for value in range(rank):
                digit = 15 << (4 * value)
                # An option leaves a card of this value if these groups cannot be added to until it is used up.
                if some & ~absent & digit and not coverable(most, (most - counts) & ~digit, rank):
                    absent |= digit
        counts = _next_counts(counts, least, most, rank)
    return cards & ~named & some & absent
