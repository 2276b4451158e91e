"""Turns around the table, who scores together, and when a match is over (rules.md, section 1)."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet
from basra_env.core.jit import inlined_kernel, kernel
from basra_env.core.record import TERMINAL


def count_sides(rules: Any) -> int:
    """Number of sides: two in partnership games, where seat s belongs to side s % 2; else one a seat."""
    return 2 if rules.teams else rules.players


num_sides = kernel(count_sides)
"""The same for kernels: Python that called one would compile it in every process."""


def sides_of_seats(rules: Any) -> tuple[int, ...]:
    """The side of each seat."""
    return tuple(seat % count_sides(rules) for seat in range(rules.players))


@kernel
def side_of(seat: int, rules: Any) -> int:
    """The side of a seat."""
    return seat & 1 if rules.teams else seat


@kernel
def seat_after(seat: int, steps: int, seats: int) -> int:
    """The seat (or side) `steps` places on, for 0 <= steps <= seats: a comparison where `%` would divide."""
    moved = seat + steps
    return moved - seats if moved >= seats else moved


@kernel
def seats_on(seat: int, other: int, seats: int) -> int:
    """How many places on from `seat` the seat (or side) `other` is: its relative number, 0 for itself."""
    return other - seat + seats if other < seat else other - seat


@inlined_kernel
def pile_of_side(s: Any, side: int, rules: Any) -> CardSet:
    """Cards won by a side: partners' piles together."""
    cards = 0
    for seat in range(side, rules.players, num_sides(rules)):
        cards |= int(s["piles"][seat])
    return cards


@kernel
def target_reached(scores: np.ndarray, sides: int, target: int) -> bool:
    """True if one side alone holds the highest total and it is at or over the target; asked after a whole round."""
    best = scores[0]
    holders = 1
    for side in range(1, sides):
        if scores[side] > best:
            best = scores[side]
            holders = 1
        elif scores[side] == best:
            holders += 1
    return best >= target and holders == 1


@kernel
def finish_round(s: Any, rules: Any) -> None:
    """End a round whose points are counted: add them to the match, and say whether that is over."""
    for side in range(num_sides(rules)):
        s["scores"][side] += s["points"][side]
    s["rounds"] += 1
    s["round_over"] = 1
    s["match_over"] = target_reached(s["scores"], num_sides(rules), rules.target)
    s["to_play"] = TERMINAL


@kernel
def never_known(_s: Any, _rules: Any) -> bool:
    """For games of which some card is always hidden, or that do not say."""
    return False


@kernel
def points_so_far(s: Any, side: int, _rules: Any) -> int:
    """What counts for the episode: points of this round, and in a match of those before it."""
    if not s["match"]:
        return int(s["points"][side])
    return int(s["scores"][side]) + (0 if s["round_over"] else int(s["points"][side]))
