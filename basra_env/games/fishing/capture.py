"""What a played card takes from the floor (rules.md, section 2, capture)."""

from __future__ import annotations

from basra_env.core.bits import CardSet
from basra_env.core.jit import inlined_kernel, kernel
from basra_env.games.fishing.choice import best_option, overlap, summands
from basra_env.games.fishing.groups import in_groups
from basra_env.games.fishing.rules import UNION, Rules


@inlined_kernel
def within_reach(floor: CardSet, counts: int, card: int, rules: Rules) -> CardSet:
    """Cards of `floor` that `card` takes if all overlapping groups are taken (`union`).

    Args:
        floor: the cards that lie there.
        counts: `count_values(floor)`.
        card: the played card.
        rules: its `sweepers` take everything.
    """
    rank = card >> 2
    return floor & (15 << (4 * rank) | in_groups(counts, rank) | -((rules.sweepers >> card) & 1))


@inlined_kernel
def captured(floor: CardSet, counts: int, card: int, rules: Rules) -> CardSet:
    """Cards that `card` takes from `floor`; where its player is to choose, the choice with the most cards.

    Args:
        floor, counts, card: as for `within_reach`.
        rules: `capture` says how overlapping groups are settled.
    """
    reach = within_reach(floor, counts, card, rules)
    return reach if rules.capture == UNION else most_of(reach, card, rules)


@kernel
def most_of(reach: CardSet, card: int, rules: Rules) -> CardSet:
    """Of the cards within reach of `card` those that it takes in the choice with the most cards."""
    if not overlap(reach, card, rules):
        return reach
    groups = summands(reach, card)
    return reach & ~groups | best_option(groups, 0, card >> 2)


@kernel
def capturing_ranks(floor: CardSet, counts: int) -> int:
    """Ranks, one bit each, of which a card would take something; bit 13: a sweeper would."""
    if floor == 0:
        return 0
    ranks = 1 << 13
    for rank in range(13):
        if floor & (15 << (4 * rank) | in_groups(counts, rank)):
            ranks |= 1 << rank
    return ranks


@kernel
def cards_of_ranks(ranks: int, rules: Rules) -> CardSet:
    """The cards that `capturing_ranks` speaks of."""
    cards = rules.sweepers if ranks >> 13 else 0
    for rank in range(13):
        if (ranks >> rank) & 1:
            cards |= 15 << (4 * rank)
    return cards
