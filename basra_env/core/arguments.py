"""What callers hand to a batch, checked before compiled code sees it: it would read and write past the end."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from basra_env.core.cards import Pack
from basra_env.core.chance import MAX_SEED

Deck = Iterable[str | int]
"""Texts or ids, first card on top."""


def rows_in(num_envs: int, rows: ArrayLike, unique: bool) -> np.ndarray:
    """Rows as int64 (n,), from integers or from a mask bool (num_envs,).

    Raises:
        IndexError: a row outside the batch.
        ValueError: no integers, or with `unique` a row named twice.
    """
    chosen = np.atleast_1d(np.asarray(rows))
    if chosen.dtype == np.bool_ and chosen.shape == (num_envs,):
        chosen = np.flatnonzero(chosen)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
        raise ValueError(f"rows must be integers (n,), got {chosen.dtype} {chosen.shape}")
    chosen = chosen.astype(np.int64)
    outside = chosen[(chosen < 0) | (chosen >= num_envs)]
    if outside.size:
        raise IndexError(f"row {outside[0]} is outside the batch: rows are 0 to {num_envs - 1}")
    if unique and len(np.unique(chosen)) != len(chosen):
        raise ValueError("a row is named twice")
    return chosen


def decisions(actions: ArrayLike, size: int) -> np.ndarray:
    """Actions as int64 (size,); whether they are legal is the game's to say.

    Raises:
        ValueError: another shape, or no integers.
    """
    plays = np.asarray(actions)
    if plays.shape != (size,):
        raise ValueError(f"actions have shape {plays.shape}: expected ({size},), one a row")
    if plays.size and plays.dtype.kind not in "iu":
        raise ValueError(f"actions must be integers, got {plays.dtype}")
    return plays.astype(np.int64, copy=False)


def integers(name: str, values: ArrayLike, shape: tuple[int, ...], lowest: int, highest: int) -> np.ndarray:
    """Values as int64 of `shape`, one value serving for all, each from `lowest` to `highest`.

    Raises:
        ValueError: names what does not fit.
    """
    numbers = np.asarray(values)
    if numbers.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {numbers.dtype}")
    try:
        numbers = np.broadcast_to(numbers, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {numbers.shape}: expected {shape}, or one for all") from None
    if numbers.size and (int(numbers.min()) < lowest or int(numbers.max()) > highest):
        raise ValueError(f"{name} run from {numbers.min()} to {numbers.max()}: expected {lowest} to {highest}")
    return numbers.astype(np.int64)


def check_array(name: str, array: np.ndarray, dtype: DTypeLike, shape: tuple[int, ...]) -> None:
    """Refuse a caller's array of another kind or shape."""
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"{name} is {array.dtype} {array.shape}: expected {np.dtype(dtype)} {shape}")


def checked_deck(deck: Deck, pack: Pack, cards: np.ndarray) -> list[int]:
    """Card ids of a deck that holds each of `cards`, in id order, once.

    Raises:
        ValueError: says which cards are twice there or missing.
    """
    ids = pack.parse_all(deck)
    if sorted(ids) != cards.tolist():
        twice = sorted({pack.text(card) for card in ids if ids.count(card) > 1})
        missing = [pack.text(int(card)) for card in cards if card not in ids]
        raise ValueError(
            f"a deck must hold each of {len(cards)} cards once; got {len(ids)}, twice: {twice}, missing: {missing}"
        )
    return ids


def checked_seed(seed: int) -> int:
    """A seed in range, or a ValueError."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= int(seed) <= MAX_SEED:
        raise ValueError(f"seed is {seed!r}: expected an integer from 0 to {MAX_SEED}")
    return int(seed)
