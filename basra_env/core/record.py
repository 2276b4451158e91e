"""The record of one game: the header that every game shares, before its family's own fields.

A batch is one array of records, so that clone, restore, pickle and broadcasting for search are one assignment.
The dtype is aligned and has no hidden padding: two equal games are equal bytes.
"""

from __future__ import annotations

import numpy as np

MAX_SEATS = 4

TERMINAL = -1
"""`to_play` when nobody is: the round is over."""
CHANCE = -2
"""`to_play` when chance is: cards are to be dealt. Never seen outside the driver."""
NOBODY = -1
"""For a seat or a card where there is none: `last_capturer` before any capture, no `pending` card."""


def record_dtype(deck_size: int, max_plies: int, fields: list[tuple[str, type, tuple[int, ...]]]) -> np.dtype[np.void]:
    """The record of a family.

    Header, the same in all families (S sides, P seats at most 4):
        rng: uint32 (4,) the generator of this game's decks.
        scores: int32 (4,) points a side in this match, over its finished rounds.
        carry: int32 on top of the normal majority, carried over from tied rounds.
        points: int32 (4,) points a side in this round.
        rounds: int32 finished rounds of this match.
        deck: int8 (deck_size,) this round's deck as it was handed over, first card on top.
        actions: int8 (max_plies,) this round's decisions, in order.
        cursor: int8 next card of `deck`; 0 means that the round is still to be dealt.
        ply: uint8 decisions made in this round.
        to_play: int8 seat to decide, or TERMINAL, or CHANCE.
        dealer: int8 seat.
        match: uint8 1 where the episode is a match.
        round_over, match_over: uint8 flags.

    Args:
        deck_size: cards in the deck.
        max_plies: most decisions of one round.
        fields: (name, numpy type, shape) of the family's own fields; () for a scalar.
    """
    header: list[tuple[str, type, tuple[int, ...]]] = [
        ("rng", np.uint32, (4,)),
        ("scores", np.int32, (MAX_SEATS,)),
        ("carry", np.int32, ()),
        ("points", np.int32, (MAX_SEATS,)),
        ("rounds", np.int32, ()),
        ("deck", np.int8, (deck_size,)),
        ("actions", np.int8, (max_plies,)),
        ("cursor", np.int8, ()),
        ("ply", np.uint8, ()),
        ("to_play", np.int8, ()),
        ("dealer", np.int8, ()),
        ("match", np.uint8, ()),
        ("round_over", np.uint8, ()),
        ("match_over", np.uint8, ()),
    ]
    # Widest first, so that nothing is padded; of equal width scalars first, so that what each decision reads lies close.
    every = sorted(header + fields, key=lambda field: (-np.dtype(field[1]).itemsize, int(np.prod(field[2], dtype=int))))
    size = sum(np.dtype(kind).itemsize * int(np.prod(shape, dtype=int)) for _, kind, shape in every)
    every.append(("pad", np.uint8, (64 - size % 64,)))  # whole cache lines
    return np.dtype(every, align=True)
