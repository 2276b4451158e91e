"""What a seat sees of Briscola: the fields of an observation, written, and read back.

`layout` and `observe` list the same stretches in the same order; the tests compare every byte of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import lowest, popcount, write_plane
from basra_env.core.decoding import flagged, numbered, previewed
from basra_env.core.jit import kernel
from basra_env.core.match import count_sides, num_sides, pile_of_side, seat_after, seats_on, side_of
from basra_env.core.record import NOBODY
from basra_env.core.spec import Layout
from basra_env.games.briscola.kernels import (
    LAY_SEVEN,
    LAY_TWO,
    beats,
    count_that_beat,
    legal,
    stock_size,
    trick_points,
    unseen_by,
    winning_seat,
    would_beat,
)
from basra_env.games.briscola.rules import ALL_POINTS, CARDS, OFF, PACK, POINTS, STRENGTH, Rules

PREVIEW = (
    ("wins", "1 if it would now win the trick"),
    ("lying", "points that lie in the trick"),
    ("points", "its own points; an exchange has those of the card that it takes up"),
    ("trump", "1 for a trump, likewise"),
    ("strength", "1 for a 2 to 10 for an ace, likewise"),
    ("beaten_by", "unseen cards that would take the trick from it"),
    ("completes", "1 if it completes the trick"),
)
EXCHANGES = ("lay down the 7", "lay down the 2")


def num_actions(rules: Rules) -> int:
    """Card ids, and where the rules have it the two exchanges."""
    return CARDS if rules.exchange == OFF else CARDS + len(EXCHANGES)


def layout(rules: Rules) -> Layout:
    """The observation of a seat. Seats and sides count from the observer's own: 0 is itself, 1 is next."""
    seats, sides = rules.players, count_sides(rules)
    return Layout(
        [
            ("hand", (CARDS,), 1, "own hand"),
            ("piles", (sides, CARDS), 1, "cards won by each side"),
            ("trick", (seats, CARDS), seats, "k: the card that the seat has played to this trick, as the k-th"),
            ("plays", (seats, CARDS), CARDS // seats, "k: the seat played the card to the k-th trick"),
            ("shown", (seats, CARDS), 1, "cards all know to be in the seat's hand: drawn face up or taken up"),
            ("face_up", (CARDS,), 1, "the trump that lies face up under the stock, the last card to be drawn"),
            ("preview", (num_actions(rules), len(PREVIEW)), CARDS, "what each playable card would do"),
            ("trump", (4,), 1, "the suit of trumps"),
            ("trump_drawer", (seats,), 1, "who draws the face-up trump if the trick stays as it lies; else all 0"),
            ("stock", (), CARDS, "cards still to be drawn, the face-up one too"),
            ("points", (sides,), ALL_POINTS, "points taken by each side in this round"),
            ("cards", (sides,), CARDS, "cards won by each side"),
            ("dealer", (seats,), 1, "who dealt"),
            ("leader", (seats,), 1, "who led to this trick, or is to lead"),
            ("swapped", (seats,), 1, "who has exchanged in this trick"),
            ("scores", (sides,), 255, "rounds won by each side in this match; at most 255"),
            ("target", (), 3, "rounds to win for the match; 0 where the episode is one round"),
        ],
        {"preview": PREVIEW},
    )


@kernel
def observe(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write what `seat` sees into `out`: uint8 (O,), in the order of `layout`."""
    players = rules.players
    sides = num_sides(rules)
    own_side = side_of(seat, rules)
    for place in range(out.shape[0]):
        out[place] = 0
    write_plane(int(s["hands"][seat]), out, 0, CARDS)
    actions = CARDS if rules.exchange == OFF else CARDS + 2
    preview = (2 + sides + 3 * players) * CARDS
    trump = preview + len(PREVIEW) * actions
    drawer = trump + 4
    stock = drawer + players
    points = stock + 1
    seats = points + 2 * sides
    scores = seats + 3 * players
    at = CARDS
    for offset in range(sides):
        side = seat_after(own_side, offset, sides)
        pile = pile_of_side(s, side, rules)
        write_plane(pile, out, at, CARDS)
        at += CARDS
        out[points + offset] = s["points"][side]
        out[points + sides + offset] = popcount(pile)
        out[scores + offset] = min(max(int(s["scores"][side]), 0), 255)
    for place in range(s["trick_size"]):
        player = seat_after(int(s["leader"]), place, players)
        out[at + seats_on(seat, player, players) * CARDS + int(s["trick"][place])] = place + 1
    at += players * CARDS
    for card in range(CARDS):
        if s["played_in"][card]:
            out[at + seats_on(seat, int(s["played_by"][card]), players) * CARDS + card] = s["played_in"][card]
    at += players * CARDS
    for other in range(players):
        plane = seats_on(seat, other, players)
        write_plane(int(s["hands"][other]) & int(s["shown"]), out, at + plane * CARDS, CARDS)
    at += players * CARDS
    if s["face_up"] != NOBODY:
        out[at + int(s["face_up"])] = 1
        if s["trick_size"] and stock_size(s) == players:
            last = seat_after(winning_seat(s, rules), players - 1, players)
            out[drawer + seats_on(seat, last, players)] = 1
    _write_preview(s, seat, rules, out, preview)
    out[trump + (int(s["trump"]) & 3)] = 1
    out[stock] = stock_size(s)
    out[seats + seats_on(seat, int(s["dealer"]), players)] = 1
    out[seats + players + seats_on(seat, int(s["leader"]), players)] = 1
    for other in range(players):
        out[seats + 2 * players + seats_on(seat, other, players)] = (int(s["swapped"]) >> other) & 1
    out[scores + sides] = rules.target if s["match"] else 0


@kernel
def _write_preview(s: Any, seat: int, rules: Rules, out: np.ndarray, at: int) -> None:
    unseen = unseen_by(s, seat, rules)
    trump = int(s["trump"])
    lying = trick_points(s)
    size = int(s["trick_size"])
    best = -1
    for place in range(size):
        if best < 0 or beats(int(s["trick"][place]), best, trump):
            best = int(s["trick"][place])
    hand = int(s["hands"][seat])
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        row = out[at + len(PREVIEW) * card : at + len(PREVIEW) * card + len(PREVIEW)]
        wins = best < 0 or beats(card, best, trump)
        row[0] = wins
        row[1] = lying
        row[2] = POINTS[card >> 2]
        row[3] = card & 3 == trump & 3
        row[4] = STRENGTH[card >> 2] + 1
        row[5] = count_that_beat(unseen, card if wins else best, trump)
        row[6] = size + 1 == rules.players
    if rules.exchange != OFF and s["to_play"] == seat:
        actions = legal(s, rules)
        for action in (LAY_SEVEN, LAY_TWO):
            if (actions >> action) & 1:
                row = out[at + len(PREVIEW) * action : at + len(PREVIEW) * action + len(PREVIEW)]
                up = int(s["face_up"]) >> 2
                row[2] = POINTS[up]
                row[3] = 1
                row[4] = STRENGTH[up] + 1


@kernel
def reveal(s: Any, seat: int, rules: Rules, out: np.ndarray) -> None:
    """Write where all unseen cards are into `out`: uint8 ((players + 1) x 40,).

    The first lines are the hands, the last has k for the k-th card of the stock that lies face down.
    """
    for other in range(rules.players):
        write_plane(int(s["hands"][other]), out, seats_on(seat, other, rules.players) * CARDS, CARDS)
    at = rules.players * CARDS
    for place in range(at, out.shape[0]):
        out[place] = 0
    cursor = int(s["cursor"])
    for place in range(cursor, CARDS):
        out[at + int(s["deck"][place])] = 1 + place - cursor


def decode(obs: np.ndarray, rules: Rules) -> dict[str, Any]:
    """What the seat that was shown `obs` knows, in words: the inverse of `observe`.

    Args:
        obs: uint8 (O,), one observation.
        rules: of the game it comes from.

    Returns:
        Cards as texts, seats and sides relative to the observer, one entry a field of `layout`; `trick` and `plays`
        list (seat, card) in order, `shown` lists (seat, card).
    """
    fields = layout(rules)
    view = {name: fields.view(obs, name) for name in fields}

    trick = sorted((int(nth), seat, card) for (seat, card), nth in np.ndenumerate(view["trick"]) if nth)
    return {
        "hand": PACK.texts(np.flatnonzero(view["hand"])),
        "trick": tuple((seat, PACK.text(card)) for _, seat, card in trick),
        "trump": PACK.suits[int(view["trump"].argmax())],
        "face_up": next(iter(PACK.texts(np.flatnonzero(view["face_up"]))), None),
        "trump_drawer": flagged(view["trump_drawer"]),
        "stock": int(view["stock"]),
        "points": tuple(map(int, view["points"])),
        "piles": tuple(PACK.texts(np.flatnonzero(pile)) for pile in view["piles"]),
        "shown": tuple((seat, card) for seat, card, _ in numbered(view["shown"], PACK)),
        "plays": _plays(view["plays"], flagged(view["dealer"]) or 0, int(view["trump"].argmax()), rules),
        "preview": previewed(
            view["preview"],
            np.flatnonzero(view["preview"].any(1)),
            PREVIEW,
            (*PACK.texts(range(CARDS)), *EXCHANGES),
        ),
        "cards": tuple(map(int, view["cards"])),
        "dealer": flagged(view["dealer"]) or 0,
        "leader": flagged(view["leader"]) or 0,
        "swapped": tuple(map(int, np.flatnonzero(view["swapped"]))),
        "scores": tuple(map(int, view["scores"])),
        "target": int(view["target"]),
    }


def _plays(planes: np.ndarray, dealer: int, trump: int, rules: Rules) -> tuple[tuple[int, str], ...]:
    """All plays in order: the eldest led to the first trick, then whoever won the one before."""
    tricks: dict[int, list[tuple[int, int]]] = {}
    for (seat, card), number in np.ndenumerate(planes):
        if number:
            tricks.setdefault(int(number), []).append((seat, card))
    plays: list[tuple[int, int]] = []
    leader = (dealer + 1) % rules.players
    for number in sorted(tricks):
        trick = sorted(tricks[number], key=lambda play: (play[0] - leader) % rules.players)
        plays += trick
        leader, best = trick[0]
        for seat, card in trick[1:]:
            if would_beat(card, best, trump):
                leader, best = seat, card
    return tuple((seat, PACK.text(card)) for seat, card in plays)
