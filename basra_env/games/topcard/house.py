"""The built-in players of the top-card family: compiled, so that environments can move them without leaving a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, nth_card, popcount
from basra_env.core.chance import below
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side, seat_after
from basra_env.games.topcard.kernels import (
    basra_value,
    card_points,
    deck_size,
    hidden_size,
    legal,
    table_set,
    takes,
    unknown_secret,
)
from basra_env.games.topcard.layout import is_last_card, unseen_of_rank
from basra_env.games.topcard.rules import CAPTURES, JACK, Rules
from basra_env.games.topcard.tactician import WEIGHTS, tactician

POLICIES = ("random", "greedy", "tactician")

# Greedy's scale, in tenths of a point.
_POINT = 10
_CARD = 2  # a card on the way to the majority
_HIDDEN = 5  # a face-down card is worth half a point on average
_JACK = 15  # a jack that captures is kept for a full table


@kernel
def decide(s: Any, policy: int, rules: Rules, rng: np.ndarray) -> int:
    """The card that `POLICIES[policy]` plays for the seat to play."""
    if policy == 0:
        cards = legal(s, rules)
        return nth_card(cards, below(rng, popcount(cards)))
    return _greedy(s, rules) if policy == 1 else tactician(s, rules, WEIGHTS)


@kernel
def _greedy(s: Any, rules: Rules) -> int:
    """One ply: the best of what is won now less what the next player may win; of equals the lowest card id."""
    seat = int(s["to_play"])
    hand = int(s["hands"][seat])
    secret = unknown_secret(s, seat, rules)
    seen = hand | table_set(s) & ~secret
    for side in range(num_sides(rules)):
        seen |= pile_of_side(s, side, rules) & ~secret
    best_card = -1
    best = 0
    rest = hand
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = _worth(s, seat, card, seen, secret, rules)
        if best_card < 0 or worth > best:
            best_card = card
            best = worth
    return best_card


@kernel
def _worth(s: Any, seat: int, card: int, seen: CardSet, secret: CardSet, rules: Rules) -> int:
    size = int(s["table_size"])
    known = table_set(s) & ~secret
    lying = _POINT * card_points(known | 1 << card, rules) + _CARD * (size + 1) + _HIDDEN * hidden_size(s)
    captures = card >> 2 == JACK and rules.jack == CAPTURES
    cost = _JACK if captures else 0
    if takes(s, card, rules):
        return lying + _POINT * basra_value(s, card, is_last_card(s, rules), rules) - cost
    if size == 0:
        lying += _POINT * rules.basra
    answers = unseen_of_rank(card, seen, rules)
    if rules.jack == CAPTURES and size > 0 and not captures:
        answers += unseen_of_rank(4 * JACK, seen, rules)
    held = popcount(int(s["hands"][seat_after(seat, 1, rules.players)]))
    unseen = deck_size(rules) - popcount(seen)
    return -lying * answers * held // max(unseen, 1) - cost
