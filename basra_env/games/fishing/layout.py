"""What a seat sees of a fishing game: the fields of an observation, written, and read back.

`fields` and `observe` list the same stretches in the same order; the tests compare every byte of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, popcount, write_plane
from basra_env.core.cards import FRENCH
from basra_env.core.decoding import flagged, number_of, numbered, plays_in_turn, previewed
from basra_env.core.jit import inlined_kernel, kernel
from basra_env.core.match import count_sides, num_sides, pile_of_side, seat_after, seats_on, side_of
from basra_env.core.packets import write_all_due, write_number, write_plays, write_swept
from basra_env.core.record import NOBODY
from basra_env.core.spec import Columns, Layout
from basra_env.games.fishing.capture import most_of, within_reach
from basra_env.games.fishing.choice import best_option, nameable, summands
from basra_env.games.fishing.groups import NUMBERS, count_values, sum_of_values
from basra_env.games.fishing.kernels import deck_size, worth_differs
from basra_env.games.fishing.points import basra_points, card_points
from basra_env.games.fishing.rules import CARDS, CHOOSE, HAND, UNION, Rules, basras_differ, count_cards

PREVIEW = (
    ("taken", "floor cards it takes"),
    ("points", "card points it wins"),
    ("basra", "1 if it makes a basra"),
    ("left", "floor cards that stay"),
    ("lone", "1 if one lone card stays"),
    ("low", "1 if only aces and number cards stay that add up to at most 10"),
    (
        "answer",
        "rank, 1 for an ace, that would then take all that stays: their sum if low, or their own; 0 if none would",
    ),
    ("answers", "cards of that rank that are neither in the own hand nor on the floor nor won"),
)
CHOICE = (("choice", "1 if a choice is left then: the other columns tell of the one with the most cards"),)
"""Where the rules let players choose."""
LOW_SUM = 10
_JACK = 10
_TOP = 1 << 52  # so that the lowest card of an empty floor is defined


def layout(rules: Rules) -> Layout:
    """The observation of a seat. Seats and sides count from the observer's own: 0 is itself, 1 is next."""
    seats, sides = rules.players, count_sides(rules)
    packets = num_packets(rules)
    columns = preview_columns(rules)
    previewing = "what each playable card would do"
    if rules.capture == CHOOSE:
        previewing += "; to whoever is choosing a capture: what naming each card that may be named would do"
    choice = ("pending", (CARDS,), 2, "2: the card whose capture the seat to play chooses; 1: floor cards named so far")
    basra_points = ("basra_points", (sides, 2), 255, "points of the basras of each side: 256s, then ones")
    cannot_hold = (
        "cannot_hold",
        (seats, 14),
        1,
        "ranks, A to K, and last the sweepers, of which a seat has shown to hold none: it captured nothing",
    )
    return Layout(
        [
            ("hand", (CARDS,), 1, "own hand"),
            ("floor", (CARDS,), 1, "cards on the floor"),
            ("piles", (sides, CARDS), 1, "cards won by each side"),
            (
                "due",
                (seats, CARDS),
                packets + 1,
                "cards all saw go under the deck: 1 in that seat's hand, 1 + k dealt to it in k packets",
            ),
            ("plays", (seats, CARDS), rules.packet, "k: the seat's k-th play of this packet"),
            ("preview", (CARDS, len(columns)), CARDS, previewing),
            ("packet", (), packets, "packets dealt before this one"),
            ("dealer", (seats,), 1, "who dealt"),
            ("last_capturer", (seats,), 1, "who captured last; all 0 before any capture"),
            ("basras", (sides,), 24, "basras of each side in this round"),
            ("cards", (sides,), CARDS, "cards won by each side"),
            ("scores", (sides, 2), 255, "points of each side in this match: 256s, then ones; at most 65535"),
            ("carry", (2,), 255, "on top of the next majority: 256s, then ones"),
            ("target", (2,), 255, "of the match: 256s, then ones; 0 where the episode is one round"),
            *([choice] if rules.capture == CHOOSE else []),
            *([basra_points] if basras_differ(rules) else []),
            *([cannot_hold] if rules.must_capture == HAND else []),
        ],
        {"preview": columns},
    )


def num_packets(rules: Rules) -> int:
    """Packets a round."""
    return (count_cards(rules) - rules.first_floor) // (rules.packet * rules.players)


def preview_columns(rules: Rules) -> Columns:
    """What the preview tells of each playable card."""
    return PREVIEW + CHOICE if rules.capture == CHOOSE else PREVIEW


@kernel
def observe(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write what `seat` sees into `out`: uint8 (O,), in the order of `layout`."""
    players = rules.players
    sides = num_sides(rules)
    columns = 8 + (rules.capture == CHOOSE)
    own_side = side_of(seat, rules)
    hand = int(s["hands"][seat])
    floor = int(s["floor"])
    rest = out[(2 + sides) * CARDS :]  # what comes before is written in full
    for place in range(rest.shape[0]):
        rest[place] = 0
    write_plane(hand, out, 0, CARDS)
    write_plane(floor, out, CARDS, CARDS)
    at = 2 * CARDS
    scalars = at + (sides + 2 * players + columns) * CARDS
    totals = scalars + 1 + 2 * players
    seen = hand | floor
    for offset in range(sides):
        side = seat_after(own_side, offset, sides)
        pile = pile_of_side(s, side, rules)
        write_plane(pile, out, at, CARDS)
        seen |= pile
        at += CARDS
        out[totals + offset] = s["basras"][side]
        out[totals + sides + offset] = popcount(pile)
        write_number(int(s["scores"][side]), out, totals + 2 * sides + 2 * offset)
    if s["swept_count"]:
        write_swept(s, seat, deck_size(rules), rules, out, at, CARDS)
    at += players * CARDS
    dealer = int(s["dealer"])
    write_plays(s, seat, rules, out, at, CARDS)
    at += players * CARDS
    seen |= ~(rules.ranks & rules.suits)
    naming = False
    if rules.capture == CHOOSE and s["pending"] != NOBODY:
        pending = int(s["pending"])
        choice = totals + 4 * sides + 4
        write_plane(int(s["named"]), out, choice, CARDS)
        out[choice + pending] = 2
        seen |= 1 << pending
        naming = s["to_play"] == seat
    if naming:
        _write_naming(s, floor, seen, rules, out, at)
    else:
        _write_preview(hand, floor, seen, rules, out, at)
    out[scalars] = s["packet"]
    out[scalars + 1 + seats_on(seat, dealer, players)] = 1
    if s["last_capturer"] >= 0:
        out[scalars + 1 + players + seats_on(seat, int(s["last_capturer"]), players)] = 1
    write_number(int(s["carry"]), out, totals + 4 * sides)
    write_number(rules.target if s["match"] else 0, out, totals + 4 * sides + 2)
    extra = totals + 4 * sides + 4 + CARDS * (rules.capture == CHOOSE)
    if worth_differs(rules):
        for offset in range(sides):
            side = seat_after(own_side, offset, sides)
            write_number(int(s["basra_points"][side]), out, extra + 2 * offset)
        extra += 2 * sides
    if rules.must_capture == HAND:
        _write_cannot_hold(s, seat, players, out[extra:])


@kernel
def _write_cannot_hold(s: Any, seat: int, players: int, out: np.ndarray) -> None:
    """The field `cannot_hold` into `out`, which is all 0."""
    for other in range(players):
        ranks = int(s["cannot_hold"][other])
        row = out[14 * seats_on(seat, other, players) :]
        for rank in range(14):
            row[rank] = (ranks >> rank) & 1


@kernel
def reveal(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write where all unseen cards are into `out`: uint8 (players x 52,), coded as the field `due`."""
    for place in range(out.shape[0]):
        out[place] = 0
    write_all_due(s, seat, deck_size(rules), rules, out, CARDS)


@inlined_kernel
def _write_preview(hand: CardSet, floor: CardSet, seen: CardSet, rules: Rules, out: np.ndarray, at: int) -> None:
    counts = count_values(floor)
    columns = 8 + (rules.capture == CHOOSE)
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        reach = within_reach(floor, counts, card, rules)
        taken = reach if rules.capture == UNION else most_of(reach, card, rules)
        row = out[at + columns * card : at + columns * card + columns]
        _write_row(row, card, taken, floor, seen, rules)
        if rules.capture == CHOOSE:
            row[8] = taken != reach


@kernel
def _write_naming(s: Any, floor: CardSet, seen: CardSet, rules: Rules, out: np.ndarray, at: int) -> None:
    """The preview of a choice: what comes of naming each card that may be named."""
    card = int(s["pending"])
    named = int(s["named"])
    reach = within_reach(floor, count_values(floor), card, rules)
    groups = summands(reach, card)
    rest = nameable(groups, named, card >> 2)
    while rest:
        name = lowest(rest)
        rest &= rest - 1
        taken = reach & ~groups | best_option(groups, named | 1 << name, card >> 2)
        row = out[at + 9 * name : at + 9 * name + 9]
        _write_row(row, card, taken, floor, seen, rules)
        row[8] = nameable(groups, named | 1 << name, card >> 2) != 0


@inlined_kernel
def _write_row(row: np.ndarray, card: int, taken: CardSet, floor: CardSet, seen: CardSet, rules: Rules) -> None:
    """The columns `PREVIEW` for `card` taking `taken`."""
    lies = 0 if taken else 1 << card
    stay = floor & ~taken | lies
    row[0] = popcount(taken)
    row[1] = card_points((taken | 1 << card) & ~lies)
    row[2] = basra_points(floor, taken, card, rules) > 0
    row[3] = popcount(stay)
    total = sum_of_values(stay)
    low = (stay != 0) & (stay & ~NUMBERS == 0) & (total <= LOW_SUM)
    row[4] = is_lone(stay)
    row[5] = low
    rank = lowest(stay | _TOP) >> 2
    alike = (stay != 0) & (stay & ~(15 << (4 * rank)) == 0) & (rank != _JACK)
    answer = total if low else (rank + 1) * alike
    row[6] = answer
    row[7] = popcount((15 << (4 * answer)) >> 4 & ~seen)  # of answer 0 no card is left after the shift


@kernel
def is_lone(floor: CardSet) -> bool:
    """True if exactly one card lies there."""
    return (floor != 0) & (floor & (floor - 1) == 0)


@kernel
def is_low(floor: CardSet) -> bool:
    """True if the floor is aces and number cards that add up to at most 10: one card of that value clears it."""
    return (floor != 0) & (floor & ~NUMBERS == 0) & (sum_of_values(floor) <= LOW_SUM)


def decode(obs: np.ndarray, rules: Rules) -> dict[str, Any]:
    """What the seat that was shown `obs` knows, in words: the inverse of `observe`.

    Args:
        obs: uint8 (O,), one observation.
        rules: of the game it comes from.

    Returns:
        Cards as texts, seats and sides relative to the observer, one entry a field of `layout`; `due` lists
        (seat, card, packets until it is dealt), `plays` lists (seat, card) in order; `preview` has an entry for each
        card that may be played, or, to whoever is choosing a capture, named.
    """
    fields = layout(rules)
    view = {name: fields.view(obs, name) for name in fields}

    dealer = flagged(view["dealer"]) or 0
    texts = FRENCH.texts(range(CARDS))
    choice: dict[str, Any] = {}
    if rules.capture == CHOOSE:
        choice["pending"] = next(iter(FRENCH.texts(np.flatnonzero(view["pending"] == 2))), None)
        choice["named"] = FRENCH.texts(np.flatnonzero(view["pending"] == 1))
    told: dict[str, Any] = {}
    if basras_differ(rules):
        told["basra_points"] = tuple(map(number_of, view["basra_points"]))
    if rules.must_capture == HAND:
        ranks = (*FRENCH.ranks, "sweepers")
        told["cannot_hold"] = tuple(tuple(ranks[place] for place in np.flatnonzero(row)) for row in view["cannot_hold"])
    return {
        "hand": FRENCH.texts(np.flatnonzero(view["hand"])),
        "floor": FRENCH.texts(np.flatnonzero(view["floor"])),
        "piles": tuple(FRENCH.texts(np.flatnonzero(pile)) for pile in view["piles"]),
        "due": tuple((seat, card, when - 1) for seat, card, when in numbered(view["due"], FRENCH)),
        "plays": plays_in_turn(view["plays"], dealer, FRENCH),
        "preview": previewed(view["preview"], np.flatnonzero(view["preview"].any(1)), preview_columns(rules), texts),
        "packet": int(view["packet"]),
        "dealer": dealer,
        "last_capturer": flagged(view["last_capturer"]),
        "basras": tuple(map(int, view["basras"])),
        "cards": tuple(map(int, view["cards"])),
        "scores": tuple(map(number_of, view["scores"])),
        "carry": number_of(view["carry"]),
        "target": number_of(view["target"]),
        **choice,
        **told,
    }
