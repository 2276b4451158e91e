"""What careful players reckon with: who may hold what, and what one card more is worth in a race for most cards.

Divisions and square roots only, which compiled and interpreted code round alike.
"""

from __future__ import annotations

import math
from typing import Any

from basra_env.core.bits import CardSet, popcount
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side

SPREAD = 4.0
"""Of the lead that the cards still to be won bring: its variance for each of them. Of 60,000 rounds of `dananeer` and of
`standard` between `greedy` players, 2 to 8 were tried on who was to win the majority: 4 was best, or close to it, at the
end of each packet."""


@kernel
def chance_of_any(cards: CardSet, unseen: CardSet, held: int) -> float:
    """The chance that `held` cards drawn from `unseen` hold at least one of `cards`."""
    size = popcount(unseen)
    out = popcount(cards & unseen)
    if out + held > size:
        return 1.0
    none = 1.0
    for nth in range(held):
        none *= (size - out - nth) / (size - nth)
    return 1.0 - none


@kernel
def chance_of_being_best(lower: int, size: int, held: int) -> float:
    """The chance that of `held` cards drawn from `size` a certain one is the best, when `lower` of them are worse."""
    if lower < held - 1:
        return 0.0
    chance = held / size
    for nth in range(held - 1):
        chance *= (lower - nth) / (size - 1 - nth)
    return chance


@kernel
def race_of(s: Any, own: int, size: int, rules: Any) -> tuple[int, int]:
    """The race for most cards, as the side `own` stands in it.

    Args:
        s: a record with piles, only read.
        own: the side.
        size: cards in the deck.
        rules: of the game.

    Returns:
        Cards by which it leads the best of the others, negative if it trails; and cards that nobody has won yet.
    """
    mine = popcount(pile_of_side(s, own, rules))
    theirs = 0
    won = mine
    for side in range(num_sides(rules)):
        if side != own:
            cards = popcount(pile_of_side(s, side, rules))
            theirs = max(theirs, cards)
            won += cards
    return mine - theirs, size - won


@kernel
def chance_of_race(ahead: float, left: int) -> float:
    """The chance to win a race for most cards.

    Args:
        ahead, left: as `race_of` tells.
    """
    if abs(ahead) > left:
        return 1.0 if ahead > 0 else 0.0
    if left == 0:
        return 0.5
    scaled = ahead / math.sqrt(SPREAD * left)
    return 0.5 + 0.5 * scaled / math.sqrt(1.0 + scaled * scaled)


@kernel
def worth_in_race(ahead: int, left: int, prize: float) -> float:
    """Points that one card more is worth on the way to most cards: the slope of the chance, for both sides.

    Args:
        ahead, left: as `race_of` tells.
        prize: points for most cards.
    """
    if left == 0 or abs(ahead) > left:
        return 0.0
    scaled = ahead * ahead / (SPREAD * left)
    return prize / (math.sqrt(SPREAD * left) * (1.0 + scaled) * math.sqrt(1.0 + scaled))
