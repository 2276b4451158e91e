"""A game as a person reads it: everything on the table and behind it, as text."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from basra_env.core.errors import unknown

Cards = tuple[str, ...]


@dataclass(frozen=True)
class Position:
    """Everything about one game; it shows what no seat may see, so it is never part of an observation.

    Attributes:
        hands: of each seat.
        floor: in order of arrival (top-card games: the face-up pile, bottom to top).
        hidden: table cards that lie face down.
        piles: of each seat, in the order taken.
        stock: cards still to be dealt, the next one first.
        trump: the card turned up, kept after it is drawn; None where there is none.
        trick: (seat, card) pairs.
        pending: the card whose capture is being chosen, no longer in its hand.
        named: floor cards named so far in that choice.
        plays: (seat, card) pairs of this packet, in order.
        known: per seat, (card, place) of cards that lie hidden, in its own hand too, and that it has seen: under the deck
            ("stock"), in a "hand", or in a "pile" where they were taken face down.
        swapped: seats that have exchanged a card in this trick.
        to_play: seat, or None when the game is over.
        dealer: seat.
        last_capturer: seat, or None before any capture.
        basras: number made by each side in this round.
        basra_points: their points (where basras differ in worth).
        points: of each side in this round; majority and leftovers at its end.
        scores: of each side in this match, over its finished rounds.
        rounds: points of each side in each finished round.
        carry: on top of the normal majority.
        round_over: the round has been scored.
        match_over: the target has been reached.
    """

    hands: tuple[Cards, ...]
    floor: Cards
    piles: tuple[Cards, ...]
    stock: Cards
    to_play: int | None
    dealer: int
    hidden: Cards = ()
    trump: str | None = None
    trick: tuple[tuple[int, str], ...] = ()
    pending: str | None = None
    named: Cards = ()
    plays: tuple[tuple[int, str], ...] = ()
    known: tuple[tuple[tuple[str, str], ...], ...] = ()
    swapped: tuple[int, ...] = ()
    last_capturer: int | None = None
    basras: tuple[int, ...] = ()
    basra_points: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    rounds: tuple[tuple[int, ...], ...] = ()
    carry: int = 0
    round_over: bool = False
    match_over: bool = False

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values: tuples as lists."""
        return dict(json.loads(json.dumps(dataclasses.asdict(self))))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Position:
        """A position from the fields of `to_json`.

        Raises:
            ValueError: an unknown or a missing field.
        """
        fields = {field.name: field for field in dataclasses.fields(cls)}
        for name in value:
            if name not in fields:
                raise ValueError(unknown("field of a position", name, fields))
        required = [name for name, field in fields.items() if field.default is dataclasses.MISSING]
        missing = [name for name in required if name not in value]
        if missing:
            raise ValueError(f"a position needs {', '.join(missing)}")
        return cls(**{name: _frozen(item) for name, item in value.items()})


def as_position(value: Position | Mapping[str, Any] | str) -> Position:
    """A position, whether given as one, as its JSON fields, or as JSON text."""
    if isinstance(value, Position):
        return value
    fields = json.loads(value) if isinstance(value, str) else value
    if not isinstance(fields, Mapping):
        raise ValueError(f"a position is given as a Position or its JSON fields, not as {type(value).__name__}")
    return Position.from_json(fields)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, (list, tuple)) else value
