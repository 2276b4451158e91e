"""What a round of a fishing game promises at the end of a packet, for search that does not play it to its end.

The numbers were fitted to 60,000 rounds of `dananeer` and as many of `standard` between `greedy` players: they came out
alike at the end of each packet and under both rule sets, whose majorities are worth 30 and 3.
"""

from __future__ import annotations

from typing import Any

from basra_env.core.bits import popcount
from basra_env.core.estimates import chance_of_race
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side, points_so_far, seat_after, side_of
from basra_env.core.record import CHANCE
from basra_env.games.fishing.groups import NUMBERS
from basra_env.games.fishing.kernels import deck_size
from basra_env.games.fishing.layout import is_lone, is_low
from basra_env.games.fishing.points import card_points
from basra_env.games.fishing.rules import Rules


@kernel
def outlook(s: Any, side: int, rules: Rules) -> float:
    """Points so far; the majority by the chance to win it; and what the floor is worth to whoever leads to it next."""
    points = float(points_so_far(s, side, rules))
    if s["round_over"]:
        return points
    mine = popcount(pile_of_side(s, side, rules))
    theirs = 0
    won = mine
    for other in range(num_sides(rules)):
        if other != side:
            cards = popcount(pile_of_side(s, other, rules))
            theirs = max(theirs, cards)
            won += cards
    ahead = float(mine - theirs)
    if s["to_play"] == CHANCE:
        leads = side_of(seat_after(int(s["dealer"]), 1, rules.players), rules) == side
        ahead += _cards_of_leading(s) if leads else -_cards_of_leading(s)
        points += (0.5 if leads else -0.5) * _points_of_leading(s, rules)
    return points + (rules.majority + int(s["carry"])) * chance_of_race(ahead, deck_size(rules) - won)


@kernel
def _cards_of_leading(s: Any) -> float:
    """Cards that whoever leads to this floor wins more than the others: fewer, unless much lies there."""
    numbers = popcount(int(s["floor"]) & NUMBERS)
    courts = popcount(int(s["floor"])) - numbers
    return 0.45 * numbers + 0.2 * courts - 1.7


@kernel
def _points_of_leading(s: Any, rules: Rules) -> float:
    """Points, but for the majority, that whoever leads to this floor wins more than the others."""
    floor = int(s["floor"])
    numbers = popcount(floor & NUMBERS)
    courts = popcount(floor) - numbers
    basra = rules.basra * (0.3 * is_low(floor) + 0.09 * is_lone(floor))
    return 0.36 * numbers + 0.2 * courts + 0.4 * card_points(floor) + basra - 2.0
