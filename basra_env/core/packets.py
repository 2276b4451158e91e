"""What games share whose hands are dealt in packets and whose table is laid with cards of the same deck.

Their records have the fields of `PACKET_FIELDS`; their rules have `players`, `teams` and `packet`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest
from basra_env.core.jit import inlined_kernel, kernel
from basra_env.core.match import seat_after, seats_on
from basra_env.core.record import NOBODY

MAX_IN_HANDS = 24
"""Cards that all hands together may hold."""
MAX_SWEPT = 8
LEFTOVER = 128
"""Added to `moved` of a card that goes to the last capturer at the end."""

PACKET_FIELDS: list[tuple[str, type, tuple[int, ...]]] = [
    ("hands", np.int64, (4,)),  # set of each seat
    ("piles", np.int64, (4,)),  # set of each seat, partners apart
    ("plays", np.int8, (MAX_IN_HANDS,)),  # cards played in this packet, from the eldest on
    ("played", np.uint8, ()),  # how many
    ("swept", np.int8, (MAX_SWEPT,)),  # cards put under the deck while the table was laid, in that order
    ("swept_count", np.int8, ()),
    ("swept_dealt", np.int8, ()),  # how many of them have been dealt since
    ("packet", np.uint8, ()),
    ("basras", np.uint8, (4,)),  # number made by each side
    ("last_capturer", np.int8, ()),
]


def check_packets(rules: Any, size: int, laid: int) -> None:
    """Refuse rules by which the cards cannot be dealt.

    Args:
        rules: with `players` and `packet`.
        size: cards in the deck.
        laid: cards laid on the table before the first play.

    Raises:
        ValueError: hands too large, or a last packet that is not whole.
    """
    if rules.players * rules.packet > MAX_IN_HANDS:
        raise ValueError(f"packet is {rules.packet}: {rules.players} hands may hold {MAX_IN_HANDS} cards together")
    rest = size - laid
    if rest <= 0 or rest % (rules.players * rules.packet):
        raise ValueError(
            f"{size} cards, {laid} of them on the table at the start, are no whole number of packets of "
            f"{rules.packet} for {rules.players} players"
        )


@kernel
def clear_packets(s: Any, max_plies: int, cards: int) -> None:
    """The fields above, and those of the header that belong to one round, as before a round."""
    s["ply"] = 0
    s["packet"] = 0
    s["swept_count"] = 0
    s["swept_dealt"] = 0
    s["last_capturer"] = NOBODY
    s["round_over"] = 0
    for seat in range(4):
        s["hands"][seat] = 0
        s["piles"][seat] = 0
        s["points"][seat] = 0
        s["basras"][seat] = 0
    for place in range(MAX_SWEPT):
        s["swept"][place] = 0
    for card in range(cards):
        s["moved"][card] = 0
    for ply in range(max_plies):
        s["actions"][ply] = NOBODY
    clear_plays(s)


@kernel
def clear_plays(s: Any) -> None:
    """Nothing played yet in this packet."""
    s["played"] = 0
    for nth in range(MAX_IN_HANDS):
        s["plays"][nth] = NOBODY


@kernel
def note_play(s: Any, seat: int, card: int) -> None:
    """`card` leaves the hand of `seat`."""
    s["hands"][seat] &= ~(1 << card)
    s["plays"][s["played"]] = card
    s["played"] += 1


@kernel
def draw(s: Any, size: int) -> int:
    """Take the next card: from the deck of `size` cards, then from what was swept under it."""
    if s["cursor"] < size:
        card = int(s["deck"][s["cursor"]])
        s["cursor"] += 1
    else:
        card = int(s["swept"][s["swept_dealt"]])
        s["swept_dealt"] += 1
    return card


@kernel
def deal_hands(s: Any, size: int, rules: Any) -> None:
    """Deal a packet: one card at a time in turn, the eldest first."""
    eldest = seat_after(int(s["dealer"]), 1, rules.players)
    for _ in range(rules.packet):
        seat = eldest
        for _ in range(rules.players):
            s["hands"][seat] |= 1 << draw(s, size)
            seat = seat_after(seat, 1, rules.players)


@kernel
def sweep_under(s: Any, card: int) -> None:
    """Put a card that may not lie on the table under the deck: all see it."""
    s["swept"][s["swept_count"]] = card
    s["swept_count"] += 1


@kernel
def stock_size(s: Any, size: int) -> int:
    """Cards still to be dealt: the rest of the deck of `size` cards, and beneath it what was swept under it."""
    return size - int(s["cursor"]) + int(s["swept_count"]) - int(s["swept_dealt"])


@kernel
def swept_set(s: Any) -> CardSet:
    """Cards that everybody saw go under the deck, wherever they are now."""
    cards = 0
    for place in range(s["swept_count"]):
        cards |= 1 << int(s["swept"][place])
    return cards


# --- in observations: `at` is where a field begins in `out`, `width` the number of card ids --------------------------


@inlined_kernel
def write_plays(s: Any, seat: int, rules: Any, out: np.ndarray, at: int, width: int) -> None:
    """The field `plays` (seats, width): k for the k-th play of a seat in this packet."""
    turn = seats_on(seat, seat_after(int(s["dealer"]), 1, rules.players), rules.players)
    nth = 1
    till_next = rules.players
    for number in range(s["played"]):
        out[at + turn * width + int(s["plays"][number])] = nth
        turn = seat_after(turn, 1, rules.players)
        till_next -= 1
        if till_next == 0:
            nth += 1
            till_next = rules.players


@kernel
def write_swept(s: Any, seat: int, size: int, rules: Any, out: np.ndarray, at: int, width: int) -> None:
    """The field `due` (seats, width): swept cards still under the deck, and those dealt since and not yet played."""
    public = swept_set(s)
    for other in range(rules.players):
        write_held(int(s["hands"][other]) & public, seats_on(seat, other, rules.players), out, at, width)
    for place in range(s["swept_dealt"], s["swept_count"]):
        _write_swept_card(s, place, seat, size, rules, out, at, width)


@kernel
def _write_swept_card(
    s: Any, place: int, seat: int, size: int, rules: Any, out: np.ndarray, at: int, width: int
) -> None:
    """A swept card, by its place under the deck: to whom it will be dealt, and in how many packets."""
    depth = stock_size(s, size) - int(s["swept_count"]) + place
    eldest = seat_after(int(s["dealer"]), 1, rules.players)
    owner = seat_after(eldest, depth % rules.players, rules.players)
    when = 2 + depth // (rules.players * rules.packet)
    out[at + seats_on(seat, owner, rules.players) * width + int(s["swept"][place])] = when


@kernel
def write_all_due(s: Any, seat: int, size: int, rules: Any, out: np.ndarray, width: int) -> None:
    """As the field `due`, at the start of `out`, of every card in a hand or in the stock."""
    for other in range(rules.players):
        write_held(int(s["hands"][other]), seats_on(seat, other, rules.players), out, 0, width)
    owner = seats_on(seat, seat_after(int(s["dealer"]), 1, rules.players), rules.players)
    when = 2
    till_next = rules.players * rules.packet
    for place in range(s["cursor"], size):
        out[owner * width + int(s["deck"][place])] = when
        owner = seat_after(owner, 1, rules.players)
        till_next -= 1
        if till_next == 0:
            when += 1
            till_next = rules.players * rules.packet
    for place in range(s["swept_dealt"], s["swept_count"]):
        _write_swept_card(s, place, seat, size, rules, out, 0, width)


@kernel
def write_held(cards: CardSet, seat: int, out: np.ndarray, at: int, width: int) -> None:
    """Cards that are in the hand of the seat with the relative number `seat`: 1."""
    while cards:
        out[at + seat * width + lowest(cards)] = 1
        cards &= cards - 1


@kernel
def write_number(number: int, out: np.ndarray, at: int) -> None:
    """A number in two bytes: 256s, then ones; at most 65535."""
    number = min(max(number, 0), 65535)
    out[at] = number >> 8
    out[at + 1] = number & 255
