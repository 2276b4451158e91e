"""Fields of an observation read back: what the layouts of games share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from basra_env.core.cards import Pack
from basra_env.core.spec import Columns


def flagged(flags: np.ndarray) -> int | None:
    """The place of the only flag; None where none is set."""
    return int(flags.argmax()) if flags.any() else None


def number_of(pair: np.ndarray) -> int:
    """The number that `write_number` wrote."""
    return int(pair[0]) * 256 + int(pair[1])


def numbered(field: np.ndarray, pack: Pack) -> tuple[tuple[int, str, int], ...]:
    """(seat, card, number) of each number other than 0 in a field (seats, cards)."""
    return tuple((seat, pack.text(card), int(number)) for (seat, card), number in np.ndenumerate(field) if number)


def plays_in_turn(plays: np.ndarray, dealer: int, pack: Pack) -> tuple[tuple[int, str], ...]:
    """(seat, card) in the order played, from the field `plays` (seats, cards) of a packet."""
    seats = len(plays)
    every = sorted(numbered(plays, pack), key=lambda play: (play[2], (play[0] - dealer - 1) % seats))
    return tuple((seat, card) for seat, card, _ in every)


def previewed(
    preview: np.ndarray, actions: Iterable[int], columns: Columns, texts: Sequence[str]
) -> dict[str, dict[str, int]]:
    """The rows of the field `preview` that tell of `actions`, by name of the action and of the column."""
    return {texts[action]: dict(zip(dict(columns), map(int, preview[action]), strict=True)) for action in actions}
