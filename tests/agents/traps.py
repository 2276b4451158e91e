"""Positions near the end of a round in which the obvious card is a trap, ten or more a family.

In each the one-ply player `greedy` gives away five points or more by the count of the slow referee, both sides playing
their best from there on. Seats 0 and 1 play; what is not told has been won.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Trap:
    """One position.

    Attributes:
        why: the point of it.
        game, fields: what is played.
        hands: of seats 0 and 1.
        to_play: seat.
        falls: what `greedy` plays.
        best: what is best.
        floor: on the table; of top-card games the top card last.
        won: how many of the other cards each seat has won; the first go to seat 0.
        last: who captured last.
        trump: the card turned up (Briscola).
        trick: what lies in the trick: (seat, card).
        face_down: the cards that lay face down at the start, and which only the seat that took them has seen: (seat, cards).
    """

    why: str
    game: str
    hands: tuple[str, str]
    to_play: int
    falls: str
    best: str
    floor: str = ""
    won: tuple[int, int] = (0, 0)
    last: int | None = None
    trump: str | None = None
    trick: tuple[tuple[int, str], ...] = ()
    face_down: tuple[int, str] | None = None
    fields: dict[str, Any] = field(default_factory=dict)


FISHING = [
    Trap(
        "after the sweep a 4 and the 2 would lie for the 6: a basra",
        "dananeer",
        ("4H 6C", "2H JC"),
        1,
        "JC",
        "2H",
        "7S 5C QS",
        (16, 29),
        0,
    ),
    Trap(
        "the 9 is kept for the last capture, which decides most cards",
        "dananeer",
        ("AD 9S", "AH 8H"),
        0,
        "9S",
        "AD",
        "TD 3H 6D",
        (23, 22),
        1,
    ),
    Trap(
        "taking the king leaves 2 and 4 for the 6: a basra",
        "dananeer",
        ("6S 7D", "9S KD"),
        1,
        "KD",
        "9S",
        "2S KC 4H",
        (8, 37),
        1,
    ),
    Trap(
        "2C is given away, and the last capture with it most cards won",
        "dananeer",
        ("AC AH", "2C 7S"),
        1,
        "7S",
        "2C",
        "9H TD 6S",
        (19, 26),
        1,
    ),
    Trap(
        "a lone 5 is swept by 7D for a basra; a lone jack is not",
        "dananeer",
        ("AC 7D", "5C JC"),
        1,
        "5C",
        "JC",
        "",
        (20, 28),
        0,
    ),
    Trap("3 and 6 are 9: the jack takes the 3 first", "dananeer", ("6C JS", "5H 9H"), 0, "6C", "JS", "3S", (33, 14), 0),
    Trap("the 2 taken, 4C lies alone for 4D", "dananeer", ("4D JC", "2H 3D"), 1, "2H", "3D", "2D 4C", (28, 18), 0),
    Trap(
        "the king taken, the 9 lies alone for 7D", "dananeer", ("QC KC", "7D TD"), 0, "KC", "QC", "KH 9S", (32, 14), 0
    ),
    Trap(
        "after the sweep ace and 6 would lie for the 7",
        "dananeer",
        ("AC JH", "6S 7S"),
        0,
        "JH",
        "AC",
        "KD 6C",
        (19, 27),
        1,
    ),
    Trap(
        "the jack is spent while there is something to sweep",
        "dananeer",
        ("9C 9D", "9H JC"),
        1,
        "9H",
        "JC",
        "7C 6D",
        (28, 18),
        0,
    ),
    Trap("8S alone on the floor, and the other holds 8D", "standard", ("8D", "AC 8S"), 1, "8S", "AC", "", (24, 25), 0),
    Trap("the 8 taken, the king lies alone for KD", "standard", ("8S JD", "KD"), 0, "8S", "JD", "8H KC", (27, 20), 1),
]

TOPCARD = [
    Trap(
        "a 7 on top, and the other holds two",
        "pishti",
        ("7C 7S", "7D TD"),
        1,
        "7D",
        "TD",
        "9C QC",
        (33, 13),
        0,
        face_down=(0, "AC JS QH"),
    ),
    Trap(
        "a king on top, and the other holds two",
        "pishti",
        ("KC KD", "2C KH"),
        1,
        "KH",
        "2C",
        "6S 4D 8C TC QH",
        (21, 22),
        1,
        face_down=(0, "AS 2H 5H"),
    ),
    Trap(
        "an ace on top, and the other holds two",
        "pishti",
        ("AC AH", "AS TD"),
        1,
        "AS",
        "TD",
        "3S 6S KH",
        (16, 29),
        1,
        face_down=(0, "TS JC JH"),
    ),
    Trap(
        "a 4 on top, and the other holds two",
        "pishti",
        ("4S TD", "4D 4H"),
        0,
        "4S",
        "TD",
        "2S 3S 8C",
        (28, 17),
        0,
        face_down=(1, "2D 7H TH"),
    ),
    Trap(
        "an 8 on top, and the other holds two",
        "pishti",
        ("8S TD", "8C 8D"),
        0,
        "8S",
        "TD",
        "5S 4C KS",
        (16, 29),
        0,
        face_down=(1, "4D 4S TH"),
    ),
    Trap(
        "a queen on top, and the other holds two",
        "pishti",
        ("QC QH", "TD QS"),
        1,
        "QS",
        "TD",
        "9D",
        (25, 22),
        1,
        face_down=(0, "5C 8D JS"),
    ),
    Trap(
        "a 3 on top, and the other holds two",
        "pishti",
        ("AS 3S", "3C 3D"),
        0,
        "3S",
        "AS",
        "TC",
        (23, 24),
        0,
        face_down=(1, "AD 9C JC"),
    ),
    Trap(
        "9S on top for the last card of the other, 9H",
        "pishti",
        ("AH 9S", "9H"),
        0,
        "9S",
        "AH",
        "7C",
        (25, 23),
        0,
        face_down=(1, "AD 9C KS"),
    ),
    Trap(
        "the jack takes before the other's 3 could",
        "pishti",
        ("3D", "3C JH"),
        1,
        "3C",
        "JH",
        "5H",
        (24, 24),
        1,
        face_down=(0, "AS 6H KD"),
    ),
    Trap(
        "8H on a table of two aces, for the other's 8C",
        "pishti",
        ("8C", "8H TD"),
        1,
        "8H",
        "TD",
        "AD 5D 6C 5H 6H",
        (26, 18),
        1,
        face_down=(0, "AC 2D JH"),
    ),
    Trap(
        "a 4 on top for the other's 4",
        "basra_io",
        ("4H X1", "4S X2"),
        1,
        "4S",
        "X2",
        "9C 2H",
        (11, 37),
        0,
        face_down=(1, "AC AD 5C 5S 6S"),
        fields={"players": 2},
    ),
    Trap(
        "7S lies where its like is gone; the jack is kept",
        "basra_io",
        ("AD KS", "7S JC"),
        1,
        "JC",
        "7S",
        "",
        (32, 18),
        0,
        face_down=(0, "5D 6D 7C 8H TS"),
        fields={"players": 2},
    ),
]

BRISCOLA = [
    Trap("a three led into an empty hand of its suit is ruffed or lost: lead the other", "briscola", ("3C 3B", "2C 6S"), 0, "3C", "3B", won=(20, 16), trump="AS"),
    Trap("the low trump waits for the last trick", "briscola", ("6C KS", "AB QC"), 0, "6C", "KS", won=(20, 16), trump="5C"),
    Trap("the trump waits for the ace", "briscola", ("5C 5B", "AD 7C"), 0, "5C", "5B", won=(16, 20), trump="5C"),
    Trap("the ace goes where the trump is played already", "briscola", ("AC 3B", "6D KB"), 0, "3B", "AC", won=(24, 12), trump="4D"),
    Trap("the ace takes the trump out before the three is led", "briscola", ("6B KS", "AC 3S"), 1, "3S", "AC", won=(22, 14), trump="AB"),
    Trap("the trump waits for the three", "briscola", ("3D 7B", "6B KS"), 1, "6B", "KS", won=(14, 22), trump="KB"),
    Trap("the 5 is not worth a queen of trumps: the jack of batons loses less", "briscola", ("JS JB QS", "7D KB"), 0, "QS", "JB", won=(12, 22), trump="JS", trick=((1, "5S"),)),
    Trap("trumps wait for the aces that follow", "briscola", ("4S 7S QD", "AD 3D"), 0, "4S", "QD", won=(18, 16), trump="4S", trick=((1, "3S"),)),
    Trap("the king of cups is thrown, the trump kept for the three", "briscola", ("3C KD", "JS KC KS"), 1, "KS", "KC", won=(22, 12), trump="KS", trick=((0, "7S"),)),
    Trap("a blank is thrown, both trumps take the court cards", "briscola", ("6S 7C 7S", "3C QC"), 0, "6S", "7C", won=(14, 20), trump="7S", trick=((1, "5B"),)),
    Trap("the ace of trumps waits for the three", "briscola", ("3C KC", "AB 6C 7B"), 1, "AB", "6C", won=(16, 18), trump="AB", trick=((0, "7S"),)),
]  # fmt: skip

FAMILIES = {"fishing": FISHING, "topcard": TOPCARD, "briscola": BRISCOLA}
