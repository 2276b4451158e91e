"""The rules of Briscola as data: a named, frozen set of numbers (rules.md, section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from basra_env.core.cards import Pack
from basra_env.core.parameters import Parameters, check_seats, choice, flag, integer

PACK = Pack("A234567JQK", "DCSB")
CARDS = PACK.size
HAND = 3

OFF, FREE, CONDITIONAL = range(3)
"""`exchange`."""

POINTS = np.array([{"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}.get(rank, 0) for rank in PACK.ranks], np.int64)
"""int64 (10,): what a card of each rank is worth."""
STRENGTH = np.array(["24567JQK3A".index(rank) for rank in PACK.ranks], np.int64)
"""int64 (10,): 9 for an ace down to 0 for a 2."""
ALL_POINTS = 120


class Rules(NamedTuple):
    """One rule set. Every field is an integer, so that a new rule set is a new value and compiles nothing.

    What each means stands in `PARAMETERS`.
    """

    players: int = 2
    teams: int = 0
    exchange: int = OFF
    target: int = 2


PARAMETERS = Parameters(
    integer("players", 2, 4, "seats"),
    flag("teams", "four seats play as two pairs"),
    choice(
        "exchange",
        ("off", "free", "conditional"),
        "swapping a low trump for the face-up one: never; the 7 or the 2 for whatever lies there; or, once the own side "
        "has taken a trick, the 7 for an A, 3, K, Q or J and the 2 for a 7, 6, 5 or 4",
    ),
    integer("target", 1, 3, "rounds to win for a match"),
)

VARIANTS: dict[str, Rules] = {"briscola": Rules()}


def rules_of(variant: str, fields: Mapping[str, Any]) -> Rules:
    """The rules of a variant with some fields replaced.

    Raises:
        ValueError: an unknown field, or a value that makes no sense.
    """
    rules: Rules = PARAMETERS.replaced(VARIANTS[variant], fields)
    if "teams" not in fields:
        rules = rules._replace(teams=int(rules.players == 4))
    check_seats(rules, (2, 4))
    if rules.players == 4 and not rules.teams:
        raise ValueError("teams is false with 4 players: Briscola for four is played in pairs")
    return rules
