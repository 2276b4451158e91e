"""How a round of a fishing game runs (rules.md, section 2): deal, apply, legal and resample over one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.chance import next_word, shuffle
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, seat_after, side_of, target_reached
from basra_env.core.record import CHANCE, NOBODY, TERMINAL, record_dtype
from basra_env.games.fishing.capture import basra_points, captured, card_points, count_values
from basra_env.games.fishing.rules import CARDS, HAND, Rules

MAX_PLIES = CARDS - HAND
LEFTOVER = 128
"""Added to `moved` of a card that goes to the last capturer at the end."""

RECORD = record_dtype(
    CARDS,
    MAX_PLIES,
    [
        ("hands", np.int64, (4,)),  # set of each seat
        ("piles", np.int64, (4,)),  # set of each seat, partners apart
        ("floor", np.int64, ()),
        ("moved", np.uint8, (CARDS,)),  # when each card came to where it lies: first floor 1..4, then 5 + ply
        ("swept", np.int8, (8,)),  # cards put under the deck while the first floor was turned, in that order
        ("swept_count", np.int8, ()),
        ("swept_dealt", np.int8, ()),  # how many of them have been dealt since
        ("packet_start", np.uint8, ()),  # ply at which this packet's play began
        ("packet", np.uint8, ()),
        ("basras", np.uint8, (4,)),  # number made by each side
        ("last_capturer", np.int8, ()),
    ],
)


@kernel
def deal(s: Any, rules: Rules) -> None:
    """Deal the first packet and the first floor of a round, or the next packet."""
    first = s["cursor"] == 0
    if first:
        _clear(s)
    else:
        s["packet"] += 1
    s["packet_start"] = s["ply"]
    eldest = seat_after(int(s["dealer"]), 1, rules.players)
    for _ in range(HAND):
        seat = eldest
        for _ in range(rules.players):
            s["hands"][seat] |= 1 << _draw(s)
            seat = seat_after(seat, 1, rules.players)
    if first:
        _turn_first_floor(s, rules)
    s["to_play"] = eldest


@kernel
def apply(s: Any, action: int, rules: Rules) -> None:
    """Play the card `action` for the seat to play; at the end of the round score it."""
    seat = int(s["to_play"])
    card = 1 << action
    floor = int(s["floor"])
    s["hands"][seat] &= ~card
    taken = captured(floor, count_values(floor), action, rules)
    now = 4 + int(s["ply"])
    s["moved"][action] = now
    if taken:
        side = side_of(seat, rules)
        gained = taken | card
        basra = basra_points(floor, taken, action, rules)
        s["piles"][seat] |= gained
        s["floor"] = floor & ~taken
        s["points"][side] += basra + card_points(gained)
        s["basras"][side] += basra > 0
        s["last_capturer"] = seat
        while taken:
            s["moved"][lowest(taken)] = now
            taken &= taken - 1
    else:
        s["floor"] = floor | card
    following = seat_after(seat, 1, rules.players)
    if s["hands"][following]:  # hands are equal at the start of a packet, so the next seat runs out last
        s["to_play"] = following
    elif stock_size(s):
        s["to_play"] = CHANCE
    else:
        _finish_round(s, rules)


@kernel
def legal(s: Any, rules: Rules) -> CardSet:  # noqa: ARG001 every game's `legal` is asked with its rules
    """Any card of the hand may be played (`must_capture`: `card`)."""
    return int(s["hands"][s["to_play"]]) if s["to_play"] >= 0 else 0


@kernel
def resample(s: Any, seat: int, rules: Rules, rng: np.ndarray, scratch: np.ndarray) -> None:
    """Deal anew what `seat` has not seen: the other hands and the stock, but not the swept cards, which all saw.

    The deck is dealt anew in the places those cards came from, so that it stays the deck of the game as imagined.
    """
    places, cards, owners = scratch[0], scratch[1], scratch[2]
    public = swept_set(s)
    cursor = int(s["cursor"])
    size = 0
    for place in range(CARDS):
        card = int(s["deck"][place])
        owner = NOBODY
        for other in range(rules.players):
            if other != seat and (int(s["hands"][other]) & ~public) >> card & 1:
                owner = other
        if place >= cursor or owner != NOBODY:
            places[size] = place
            cards[size] = card
            owners[size] = owner
            size += 1
    shuffle(rng, cards, size)
    for other in range(rules.players):
        if other != seat:
            s["hands"][other] &= public
    for k in range(size):
        s["deck"][places[k]] = cards[k]
        if owners[k] != NOBODY:
            s["hands"][owners[k]] |= 1 << int(cards[k])
    for word in range(4):
        s["rng"][word] = next_word(rng)


@kernel
def stock_size(s: Any) -> int:
    """Cards still to be dealt: the rest of the deck, and beneath it what was swept under it."""
    return CARDS - int(s["cursor"]) + int(s["swept_count"]) - int(s["swept_dealt"])


@kernel
def swept_set(s: Any) -> CardSet:
    """Cards that everybody saw go under the deck, wherever they are now."""
    cards = 0
    for place in range(s["swept_count"]):
        cards |= 1 << int(s["swept"][place])
    return cards


@kernel
def pile_of_side(s: Any, side: int, rules: Rules) -> CardSet:
    """Cards won by a side: partners' piles together."""
    cards = 0
    for seat in range(side, rules.players, num_sides(rules)):
        cards |= int(s["piles"][seat])
    return cards


@kernel
def _clear(s: Any) -> None:
    """An empty table before a round."""
    s["ply"] = 0
    s["packet"] = 0
    s["floor"] = 0
    s["swept_count"] = 0
    s["swept_dealt"] = 0
    s["last_capturer"] = NOBODY
    s["round_over"] = 0
    for seat in range(4):
        s["hands"][seat] = 0
        s["piles"][seat] = 0
        s["points"][seat] = 0
        s["basras"][seat] = 0
    for place in range(8):
        s["swept"][place] = 0
    for card in range(CARDS):
        s["moved"][card] = 0
    for ply in range(MAX_PLIES):
        s["actions"][ply] = NOBODY


@kernel
def _draw(s: Any) -> int:
    """Take the next card: from the deck, then from what lies under it."""
    if s["cursor"] < CARDS:
        card = int(s["deck"][s["cursor"]])
        s["cursor"] += 1
    else:
        card = int(s["swept"][s["swept_dealt"]])
        s["swept_dealt"] += 1
    return card


@kernel
def _turn_first_floor(s: Any, rules: Rules) -> None:
    """Turn cards one at a time; one that may not lie there goes under the deck, until four lie."""
    lying = 0
    while lying < HAND:
        card = _draw(s)
        if (rules.barred >> card) & 1:
            s["swept"][s["swept_count"]] = card
            s["swept_count"] += 1
        else:
            lying += 1
            s["floor"] |= 1 << card
            s["moved"][card] = lying


@kernel
def _finish_round(s: Any, rules: Rules) -> None:
    """Leftovers to the last capturer, the majority to whoever has most cards, or carried over; then the match."""
    last = int(s["last_capturer"])
    if last != NOBODY:
        leftovers = int(s["floor"])
        s["piles"][last] |= leftovers
        s["points"][side_of(last, rules)] += card_points(leftovers)
        s["floor"] = 0
        while leftovers:
            s["moved"][lowest(leftovers)] += LEFTOVER
            leftovers &= leftovers - 1
    most = 0
    holder = NOBODY
    for side in range(num_sides(rules)):
        won = popcount(pile_of_side(s, side, rules))
        if won > most:
            most = won
            holder = side
        elif won == most:
            holder = NOBODY
    if holder == NOBODY:
        s["carry"] += rules.majority
    else:
        s["points"][holder] += rules.majority + int(s["carry"])
        s["carry"] = 0
    for side in range(num_sides(rules)):
        s["scores"][side] += s["points"][side]
    s["rounds"] += 1
    s["round_over"] = 1
    s["match_over"] = target_reached(s["scores"], num_sides(rules), rules.target)
    s["to_play"] = TERMINAL
