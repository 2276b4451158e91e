"""The built-in players of the fishing family: compiled, so that environments can move them without leaving a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, nth_card, popcount
from basra_env.core.chance import below
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side
from basra_env.core.record import NOBODY
from basra_env.games.fishing.capture import captured, within_reach
from basra_env.games.fishing.choice import best_option, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.kernels import legal
from basra_env.games.fishing.layout import is_lone, is_low
from basra_env.games.fishing.points import basra_points, card_points
from basra_env.games.fishing.rules import JACKS, Rules
from basra_env.games.fishing.tactician import WEIGHTS, tactician

POLICIES = ("random", "greedy", "tactician")

# Greedy's scale, in tenths of a point, found by trying what wins most against `random` and against itself.
_POINT = 10
_CARD = 12  # the majority is worth 30 to whoever wins about 27 cards
_SWEEPER = 50  # a sweeper is kept for a full floor: four cards
_GIVEN = 15  # a card point laid where the others can take it
_LONE = 3  # a lone card left, if all three others of its rank are unseen
_LOW = 12  # number cards left that one card clears
_COURT = 2  # a court card fits no sum: it lies safer than a number card


@kernel
def decide(s: Any, policy: int, rules: Rules, rng: np.ndarray) -> int:
    """The card that `POLICIES[policy]` plays for the seat to play."""
    if policy == 0:
        return _random(s, rules, rng)
    return _greedy(s, rules) if policy == 1 else tactician(s, rules, WEIGHTS)


@kernel
def _random(s: Any, rules: Rules, rng: np.ndarray) -> int:
    cards = legal(s, rules)
    return nth_card(cards, below(rng, popcount(cards)))


@kernel
def _greedy(s: Any, rules: Rules) -> int:
    """One ply: the best of what is won now less what is left to the next player; of equals the lowest card id.

    Where a capture is to be chosen, it names a card of the best way to complete it.
    """
    seat = int(s["to_play"])
    hand = int(s["hands"][seat])
    floor = int(s["floor"])
    counts = count_values(floor)
    seen = hand | floor
    for side in range(num_sides(rules)):
        seen |= pile_of_side(s, side, rules)
    pending = int(s["pending"])
    best_action = -1
    best = 0
    rest = legal(s, rules)
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        if pending == NOBODY:
            worth = _worth(action, captured(floor, counts, action, rules), floor, seen, rules)
        else:
            reach = within_reach(floor, counts, pending, rules)
            groups = summands(reach, pending)
            taken = reach & ~groups | best_option(groups, int(s["named"]) | 1 << action, pending >> 2)
            worth = _worth(pending, taken, floor, seen | 1 << pending, rules)
        if best_action < 0 or worth > best:
            best_action = action
            best = worth
    return best_action


@kernel
def _worth(card: int, taken: CardSet, floor: CardSet, seen: CardSet, rules: Rules) -> int:
    """In tenths of a point: `card` taking `taken`, or lying down."""
    sweeper = (rules.sweepers >> card) & 1
    if taken:
        gained = taken | 1 << card
        worth = _POINT * (basra_points(floor, taken, card, rules) + card_points(gained)) + _CARD * popcount(gained)
        stay = floor & ~taken
    else:
        stay = floor | 1 << card
        worth = -_GIVEN * card_points(1 << card)
        if card >> 2 >= 10 and not (JACKS >> card) & 1:
            worth += _COURT
    if sweeper:
        worth -= _SWEEPER
    if is_lone(stay):
        unseen = popcount((15 << (lowest(stay) & ~3)) & ~seen)
        worth -= _LONE * unseen // 3 * rules.basra // 10
    if is_low(stay):
        worth -= _LOW * rules.basra // 10
    return worth
