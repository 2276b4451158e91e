"""What a seat sees of a top-card game: the fields of an observation, written, and read back.

`layout` and `observe` list the same stretches in the same order; the tests compare every byte of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, popcount, write_plane
from basra_env.core.decoding import flagged, number_of, numbered, plays_in_turn, previewed
from basra_env.core.jit import kernel
from basra_env.core.match import count_sides, num_sides, pile_of_side, seat_after, seats_on, side_of
from basra_env.core.packets import (
    stock_size,
    write_all_due,
    write_number,
    write_plays,
    write_swept,
)
from basra_env.core.record import NOBODY
from basra_env.core.spec import Layout
from basra_env.games.topcard.kernels import (
    basra_value,
    card_points,
    deck_size,
    hidden_size,
    table_set,
    takes,
    unknown_secret,
)
from basra_env.games.topcard.rules import PACK, Rules, count_cards

PREVIEW = (
    ("taken", "table cards it takes, those face down too"),
    ("points", "points of the cards it is known to win"),
    ("basra", "points of the basra it makes"),
    ("left", "table cards that lie there afterwards"),
    ("lone", "1 if that is one lone card with nothing beneath"),
    ("answers", "cards of the rank that then lies on top that are not yet seen"),
)


def layout(rules: Rules) -> Layout:
    """The observation of a seat. Seats and sides count from the observer's own: 0 is itself, 1 is next."""
    cards, seats, sides = count_cards(rules), rules.players, count_sides(rules)
    packets = num_packets(rules)
    return Layout(
        [
            ("hand", (cards,), 1, "own hand"),
            ("floor", (cards,), cards, "face-up table cards, by depth: 1 lies on top"),
            ("piles", (sides, cards), 1, "cards won by each side, as far as the observer knows them"),
            (
                "due",
                (seats, cards),
                packets + 1,
                "cards all saw go under the deck: 1 in that seat's hand, 1 + k dealt to it in k packets",
            ),
            ("plays", (seats, cards), rules.packet, "k: the seat's k-th play of this packet"),
            ("preview", (cards, len(PREVIEW)), 100, "what each playable card would do"),
            ("packet", (), packets, "packets dealt before this one"),
            ("hidden", (), rules.hidden, "table cards that lie face down"),
            ("unknown", (sides,), rules.hidden, "cards won by each side that lay face down and the observer never saw"),
            ("dealer", (seats,), 1, "who dealt"),
            ("last_capturer", (seats,), 1, "who captured last; all 0 before any capture"),
            ("basras", (sides,), 27, "basras of each side in this round"),
            ("cards", (sides,), cards, "cards won by each side"),
            ("basra_points", (sides, 2), 255, "points of those basras: 256s, then ones"),
            ("scores", (sides, 2), 255, "points of each side in this match: 256s, then ones; at most 65535"),
            ("target", (2,), 255, "of the match: 256s, then ones; 0 where the episode is one round"),
        ],
        {"preview": PREVIEW},
    )


def num_packets(rules: Rules) -> int:
    """Packets a round."""
    return (count_cards(rules) - rules.hidden - 1) // (rules.packet * rules.players)


@kernel
def observe(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write what `seat` sees into `out`: uint8 (O,), in the order of `layout`."""
    width = deck_size(rules)
    players = rules.players
    sides = num_sides(rules)
    own_side = side_of(seat, rules)
    hand = int(s["hands"][seat])
    secret = unknown_secret(s, seat, rules)
    for place in range(out.shape[0]):
        out[place] = 0
    write_plane(hand, out, 0, width)
    hidden = hidden_size(s)
    size = int(s["table_size"])
    for place in range(hidden, size):
        out[width + int(s["table"][place])] = size - place
    scalars = (2 + sides + 2 * players + len(PREVIEW)) * width
    unknown = scalars + 2
    seats = unknown + sides
    totals = seats + 2 * players
    seen = hand | table_set(s) & ~secret
    at = 2 * width
    for offset in range(sides):
        side = seat_after(own_side, offset, sides)
        pile = pile_of_side(s, side, rules)
        write_plane(pile & ~secret, out, at, width)
        seen |= pile & ~secret
        at += width
        out[unknown + offset] = popcount(pile & secret)
        out[totals + offset] = s["basras"][side]
        out[totals + sides + offset] = popcount(pile)
        write_number(int(s["basra_points"][side]), out, totals + 2 * sides + 2 * offset)
        write_number(int(s["scores"][side]), out, totals + 4 * sides + 2 * offset)
    if s["swept_count"]:
        write_swept(s, seat, width, rules, out, at, width)
    at += players * width
    write_plays(s, seat, rules, out, at, width)
    at += players * width
    _write_preview(s, seat, hand, seen, secret, rules, out, at)
    out[scalars] = s["packet"]
    out[scalars + 1] = hidden
    out[seats + seats_on(seat, int(s["dealer"]), players)] = 1
    if s["last_capturer"] != NOBODY:
        out[seats + players + seats_on(seat, int(s["last_capturer"]), players)] = 1
    write_number(rules.target if s["match"] else 0, out, totals + 6 * sides)


@kernel
def _write_preview(
    s: Any, seat: int, hand: CardSet, seen: CardSet, secret: CardSet, rules: Rules, out: np.ndarray, at: int
) -> None:
    table = table_set(s)
    size = int(s["table_size"])
    last_card = hand & (hand - 1) == 0 and s["to_play"] == seat and is_last_card(s, rules)
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        row = out[at + len(PREVIEW) * card : at + len(PREVIEW) * card + len(PREVIEW)]
        if takes(s, card, rules):
            row[0] = size
            row[1] = min(card_points(table & ~secret | 1 << card, rules), 100)
            row[2] = basra_value(s, card, last_card, rules)
        else:
            row[3] = size + 1
            row[4] = size == 0
            row[5] = unseen_of_rank(card, seen, rules)


@kernel
def is_last_card(s: Any, rules: Rules) -> bool:
    """True if the seat to play holds the last card of the round."""
    held = 0
    for other in range(rules.players):
        held += popcount(int(s["hands"][other]))
    return held == 1 and stock_size(s, deck_size(rules)) == 0


@kernel
def unseen_of_rank(card: int, seen: CardSet, rules: Rules) -> int:
    """How many cards of the rank of `card` are not among those seen."""
    return popcount((15 << (card & ~3)) & ((1 << deck_size(rules)) - 1) & ~seen)


@kernel
def reveal(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write where all unseen cards are into `out`: uint8 ((players + 1) x cards,).

    The first lines are coded as the field `due`; the last is 1 for cards that lie face down and 2 for such cards in a
    pile, where the observer does not know them.
    """
    width = deck_size(rules)
    for place in range(out.shape[0]):
        out[place] = 0
    write_all_due(s, seat, width, rules, out, width)
    secret = unknown_secret(s, seat, rules)
    where = 1 if s["secret_holder"] == NOBODY else 2
    while secret:
        out[rules.players * width + lowest(secret)] = where
        secret &= secret - 1


def decode(obs: np.ndarray, rules: Rules) -> dict[str, Any]:
    """What the seat that was shown `obs` knows, in words: the inverse of `observe`.

    Args:
        obs: uint8 (O,), one observation.
        rules: of the game it comes from.

    Returns:
        Cards as texts, seats and sides relative to the observer, one entry a field of `layout`; `floor` runs from
        bottom to top, `due` lists (seat, card, packets until it is dealt), `plays` lists (seat, card) in order.
    """
    fields = layout(rules)
    view = {name: fields.view(obs, name) for name in fields}

    dealer = flagged(view["dealer"]) or 0
    texts = PACK.texts(range(count_cards(rules)))
    by_depth = sorted(((int(depth), card) for card, depth in enumerate(view["floor"]) if depth), reverse=True)
    return {
        "hand": PACK.texts(np.flatnonzero(view["hand"])),
        "floor": PACK.texts(card for _, card in by_depth),
        "hidden": int(view["hidden"]),
        "piles": tuple(PACK.texts(np.flatnonzero(pile)) for pile in view["piles"]),
        "unknown": tuple(map(int, view["unknown"])),
        "due": tuple((seat, card, when - 1) for seat, card, when in numbered(view["due"], PACK)),
        "plays": plays_in_turn(view["plays"], dealer, PACK),
        "preview": previewed(view["preview"], np.flatnonzero(view["hand"]), PREVIEW, texts),
        "packet": int(view["packet"]),
        "dealer": dealer,
        "last_capturer": flagged(view["last_capturer"]),
        "basras": tuple(map(int, view["basras"])),
        "cards": tuple(map(int, view["cards"])),
        "basra_points": tuple(map(number_of, view["basra_points"])),
        "scores": tuple(map(number_of, view["scores"])),
        "target": number_of(view["target"]),
    }
