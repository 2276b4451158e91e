"""What a game tells the world about its sizes, and what each byte of an observation means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import numpy as np

Columns = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Field:
    """One named stretch of an observation.

    Attributes:
        name: the key in the layout.
        start: first byte.
        shape: the stretch viewed as an array; () is a single byte.
        high: largest value a byte of it takes.
        meaning: one sentence for people.
        columns: (name, meaning) of each place on the last axis, where they differ.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    high: int
    meaning: str
    columns: Columns = ()

    @property
    def stop(self) -> int:
        """One past the last byte."""
        return self.start + prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where the field lies in an observation."""
        return slice(self.start, self.stop)


class Layout(Mapping[str, Field]):
    """The fields of an observation in order, by name.

    `layout["hand"].slice` finds a field, `layout.view(obs, "hand")` cuts it out in its own shape.
    """

    def __init__(
        self, fields: list[tuple[str, tuple[int, ...], int, str]], columns: Mapping[str, Columns] | None = None
    ) -> None:
        """Lay the fields (name, shape, high, meaning) one behind the other.

        Args:
            fields: in this order.
            columns: of some of them, by name.
        """
        told = columns or {}
        self._fields: dict[str, Field] = {}
        start = 0
        for name, shape, high, meaning in fields:
            field = self._fields[name] = Field(name, start, shape, high, meaning, told.get(name, ()))
            start = field.stop
        self.size = start

    def __getitem__(self, name: str) -> Field:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def view(self, obs: np.ndarray, name: str) -> np.ndarray:
        """The field `name` of uint8 (..., O) observations as a view of shape (..., *field.shape)."""
        field = self[name]
        return obs[..., field.slice].reshape(obs.shape[:-1] + field.shape)

    def high(self) -> np.ndarray:
        """uint8 (O,): the largest value of each byte, for spaces and for scaling."""
        return np.concatenate([np.full(prod(field.shape), field.high, np.uint8) for field in self.values()])


@dataclass(frozen=True)
class Spec:
    """Sizes and bounds of a game with given rules.

    Attributes:
        players: P, number of seats.
        cards: ids of the cards in play, ascending; a deck is a permutation of them.
        num_actions: A; an action is a card id, extra actions follow.
        obs_size: O, bytes of an observation.
        state_size: S, bytes of a perfect-information state: an observation and the places of all unseen cards.
        state_high: largest value of a byte that a state has beyond the observation.
        sides: the side of each seat.
        max_plies: most decisions of one round.
        max_legal: most legal actions at one decision.
        points_bound: most points by which a round can be lost, for the penalty of an illegal action.
        layout: what the bytes of an observation mean.
        match_unit: what a match adds up: "points", or "rounds" won.
    """

    players: int
    cards: tuple[int, ...]
    num_actions: int
    obs_size: int
    state_size: int
    state_high: int
    sides: tuple[int, ...]
    max_plies: int
    max_legal: int
    points_bound: int
    layout: Layout
    match_unit: str = "points"

    @property
    def num_sides(self) -> int:
        """Number of sides."""
        return max(self.sides) + 1
