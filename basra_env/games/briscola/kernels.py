"""How a round of Briscola runs (rules.md, section 4): deal, apply, legal and resample over one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, popcount
from basra_env.core.cards import as_set
from basra_env.core.chance import shuffle
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side, seat_after, side_of, target_reached
from basra_env.core.record import CHANCE, NOBODY, TERMINAL, record_dtype
from basra_env.core.unseen import deal_back, gather_unseen
from basra_env.games.briscola.rules import ALL_POINTS, CARDS, CONDITIONAL, HAND, OFF, POINTS, STRENGTH, Rules

MAX_PLIES = CARDS + 34
"""Every card is played, and each of two seats may exchange in each of 17 tricks, or of four in each of 7."""
LAY_SEVEN, LAY_TWO = CARDS, CARDS + 1
"""Actions that follow the card ids: to lay down the 7 or the 2 of trumps for the face-up card."""
_SEVENS, _TWOS = 6, 1
_FOR_SEVEN = as_set([0, 2, 7, 8, 9])
_FOR_TWO = as_set([3, 4, 5, 6])
"""Ranks that the `conditional` exchange gives for a 7, and for a 2."""

RECORD = record_dtype(
    CARDS,
    MAX_PLIES,
    [
        ("hands", np.int64, (4,)),  # set of each seat
        ("piles", np.int64, (4,)),  # set of each seat, partners apart
        ("shown", np.int64, ()),  # cards in hands that all have seen: drawn face up, or taken up by an exchange
        ("trick", np.int8, (4,)),  # cards of this trick, in order
        ("trick_size", np.uint8, ()),
        ("leader", np.int8, ()),  # who led to this trick, or is to lead
        ("tricks", np.uint8, ()),  # tricks taken
        ("trump", np.int8, ()),  # the card turned up in the deal: its suit is trumps
        ("face_up", np.int8, ()),  # the card that lies face up under the stock, the last to be drawn, or NOBODY
        ("swapped", np.uint8, ()),  # seats that have exchanged in this trick, one bit each
        ("played_in", np.uint8, (CARDS,)),  # the trick, from 1 on, in which each card was played
        ("played_by", np.int8, (CARDS,)),  # and the seat that played it
    ],
)


@kernel
def deal(s: Any, rules: Rules) -> None:
    """Deal the hands and turn up the trump; or let each seat draw after a trick, the winner first."""
    players = rules.players
    if s["cursor"] > 0:
        seat = int(s["leader"])
        for _ in range(players):
            if s["cursor"] < CARDS:
                card = int(s["deck"][s["cursor"]])
                s["cursor"] += 1
            else:
                card = int(s["face_up"])
                s["face_up"] = NOBODY
                s["shown"] |= 1 << card
            s["hands"][seat] |= 1 << card
            seat = seat_after(seat, 1, players)
    else:
        _clear(s)
        seat = seat_after(int(s["dealer"]), 1, players)
        s["leader"] = seat
        for place in range(HAND * players):
            s["hands"][seat] |= 1 << int(s["deck"][place])
            seat = seat_after(seat, 1, players)
        s["trump"] = s["deck"][HAND * players]
        s["face_up"] = s["trump"]
        s["cursor"] = HAND * players + 1
    s["to_play"] = s["leader"]


@kernel
def apply(s: Any, action: int, rules: Rules) -> None:
    """Play the card `action` for the seat to play, or exchange; at the end of the round mark who won it."""
    seat = int(s["to_play"])
    if action >= CARDS:
        _exchange(s, seat, low_trump(s, action))
        return
    s["hands"][seat] &= ~(1 << action)
    s["shown"] &= ~(1 << action)
    s["played_in"][action] = s["tricks"] + 1
    s["played_by"][action] = seat
    s["trick"][s["trick_size"]] = action
    s["trick_size"] += 1
    if s["trick_size"] < rules.players:
        s["to_play"] = seat_after(seat, 1, rules.players)
        return
    winner = winning_seat(s, rules)
    side = side_of(winner, rules)
    s["points"][side] += trick_points(s)
    for place in range(rules.players):
        s["piles"][winner] |= 1 << int(s["trick"][place])
        s["trick"][place] = NOBODY
    s["trick_size"] = 0
    s["swapped"] = 0
    s["tricks"] += 1
    s["leader"] = winner
    if s["face_up"] != NOBODY:
        s["to_play"] = CHANCE
    elif s["hands"][winner]:
        s["to_play"] = winner
    else:
        _finish(s, rules)


@kernel
def legal(s: Any, rules: Rules) -> int:
    """Any card of the hand, and the exchanges that the seat may make before it plays."""
    if s["to_play"] < 0:
        return 0
    seat = int(s["to_play"])
    actions = int(s["hands"][seat])
    if rules.exchange == OFF or s["face_up"] == NOBODY or (int(s["swapped"]) >> seat) & 1:
        return actions
    if rules.exchange == CONDITIONAL and pile_of_side(s, side_of(seat, rules), rules) == 0:
        return actions
    rank = int(s["face_up"]) >> 2
    if (actions >> low_trump(s, LAY_SEVEN)) & 1 and (rules.exchange != CONDITIONAL or (_FOR_SEVEN >> rank) & 1):
        actions |= 1 << LAY_SEVEN
    if (actions >> low_trump(s, LAY_TWO)) & 1 and (rules.exchange != CONDITIONAL or (_FOR_TWO >> rank) & 1):
        actions |= 1 << LAY_TWO
    return actions


@kernel
def resample(s: Any, seat: int, rules: Rules, rng: np.ndarray, scratch: np.ndarray) -> None:
    """Deal anew what `seat` has not seen: the other hands but for cards shown, a partner's too, and the stock.

    The face-up card stays where it lies.
    """
    shown = int(s["shown"])
    count = gather_unseen(s, seat, shown, 0, CARDS, rules.players, scratch)
    shuffle(rng, scratch[1], count)
    deal_back(s, seat, shown, count, rules.players, scratch)


@kernel
def standing(s: Any, side: int, _rules: Rules) -> int:
    """What counts: points in a round, rounds won in a match."""
    return int(s["scores"][side]) if s["match"] else int(s["points"][side])


@kernel
def all_known(s: Any, rules: Rules) -> bool:
    """True for two seats once the face-up trump is drawn."""
    return rules.players == 2 and s["face_up"] == NOBODY


@kernel
def low_trump(s: Any, action: int) -> int:
    """The card that an exchange lays down: the 7 or the 2 of trumps."""
    rank = _SEVENS if action == LAY_SEVEN else _TWOS
    return 4 * rank + (int(s["trump"]) & 3)


def would_beat(card: int, other: int, trump: int) -> bool:
    """True if `card`, played later, takes the trick from `other`: higher in its suit, or a trump on another suit."""
    if card & 3 == other & 3:
        return bool(STRENGTH[card >> 2] > STRENGTH[other >> 2])
    return card & 3 == trump & 3


beats = kernel(would_beat)


@kernel
def winning_seat(s: Any, rules: Rules) -> int:
    """Who would take the trick as it lies; NOBODY before the lead."""
    best = 0
    for place in range(1, s["trick_size"]):
        if beats(int(s["trick"][place]), int(s["trick"][best]), int(s["trump"])):
            best = place
    return seat_after(int(s["leader"]), best, rules.players) if s["trick_size"] else NOBODY


@kernel
def trick_points(s: Any) -> int:
    """Points that lie in the trick."""
    total = 0
    for place in range(s["trick_size"]):
        total += int(POINTS[int(s["trick"][place]) >> 2])
    return total


@kernel
def stock_size(s: Any) -> int:
    """Cards still to be drawn, the face-up one too."""
    return CARDS - int(s["cursor"]) + int(s["face_up"] != NOBODY)


@kernel
def _exchange(s: Any, seat: int, low: int) -> None:
    """`seat` lays down a low trump and takes up the face-up card; all see both, and it plays as usual."""
    up = int(s["face_up"])
    s["hands"][seat] = int(s["hands"][seat]) & ~(1 << low) | 1 << up
    s["shown"] = int(s["shown"]) & ~(1 << low) | 1 << up
    s["face_up"] = low
    s["swapped"] |= 1 << seat


@kernel
def _clear(s: Any) -> None:
    """An empty table before a round."""
    s["ply"] = 0
    s["round_over"] = 0
    s["shown"] = 0
    s["trick_size"] = 0
    s["tricks"] = 0
    s["swapped"] = 0
    for seat in range(4):
        s["hands"][seat] = 0
        s["piles"][seat] = 0
        s["points"][seat] = 0
        s["trick"][seat] = NOBODY
    for card in range(CARDS):
        s["played_in"][card] = 0
        s["played_by"][card] = NOBODY
    for ply in range(MAX_PLIES):
        s["actions"][ply] = NOBODY


@kernel
def _finish(s: Any, rules: Rules) -> None:
    """More than half of all points win the round; a draw marks nobody."""
    for side in range(num_sides(rules)):
        s["scores"][side] += 2 * s["points"][side] > ALL_POINTS
    s["rounds"] += 1
    s["round_over"] = 1
    s["match_over"] = target_reached(s["scores"], num_sides(rules), rules.target)
    s["to_play"] = TERMINAL


@kernel
def unseen_by(s: Any, seat: int, rules: Rules) -> CardSet:
    """Cards that are in the stock or in another hand, for all that `seat` knows: not those shown."""
    unseen = ((1 << CARDS) - 1) & ~int(s["hands"][seat]) & ~int(s["shown"])
    for place in range(s["trick_size"]):
        unseen &= ~(1 << int(s["trick"][place]))
    for side in range(num_sides(rules)):
        unseen &= ~pile_of_side(s, side, rules)
    if s["face_up"] != NOBODY:
        unseen &= ~(1 << int(s["face_up"]))
    return unseen


@kernel
def count_that_beat(cards: CardSet, card: int, trump: int) -> int:
    """How many of `cards`, played later, would take a trick from `card`."""
    suit = 0x1111111111
    above = 0
    for rank in range(10):
        if STRENGTH[rank] > STRENGTH[card >> 2]:
            above |= 1 << (4 * rank)
    beating = above << (card & 3)
    if card & 3 != trump & 3:
        beating |= suit << (trump & 3)
    return popcount(cards & beating)
