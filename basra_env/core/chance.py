"""The random generator that lives in each game's record, and what is drawn from it.

sfc32 (Chris Doty-Humphrey's small fast counting generator): four 32-bit words, additions, shifts and exclusive
ors only, so that int64 arithmetic gives the same numbers compiled and interpreted. Seeding is a bijection of
(seed, stream) followed by mixing rounds: two different pairs never share a stream.
"""

from __future__ import annotations

import numpy as np

from basra_env.core.jit import kernel

WORD = 0xFFFFFFFF
MAX_SEED = 2**63 - 1

DECKS = 0
"""Streams from 0 on: row i of a batch."""
WORLDS = 1 << 30
"""Streams of determinised worlds."""
PLAYERS = 1 << 31
"""Streams from here on: the built-in opponent of row i."""


@kernel
def next_word(rng: np.ndarray) -> int:
    """Advance the generator `rng`: uint32 (4,) and return its next 32 random bits."""
    a = np.int64(rng[0])
    b = np.int64(rng[1])
    c = np.int64(rng[2])
    counter = np.int64(rng[3])
    word = (a + b + counter) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = (((c << 21) & WORD | (c >> 11)) + word) & WORD
    rng[3] = (counter + 1) & WORD
    return word  # type: ignore[return-value]  # an int64 that numba takes for an int


@kernel
def seed_generator(rng: np.ndarray, seed: int, stream: int) -> None:
    """Start `rng`: uint32 (4,) at the stream named by (seed, stream)."""
    rng[0] = seed & WORD
    rng[1] = (seed >> 32) & WORD
    rng[2] = stream & WORD
    rng[3] = 1
    for _ in range(20):
        next_word(rng)


@kernel
def below(rng: np.ndarray, n: int) -> int:
    """A uniform integer in 0..n-1, exactly, without a division (Lemire's multiplication with rejection)."""
    scaled = next_word(rng) * n
    if scaled & WORD < n:
        uneven = (WORD + 1 - n) % n
        while scaled & WORD < uneven:
            scaled = next_word(rng) * n
    return scaled >> 32


@kernel
def shuffle(rng: np.ndarray, cards: np.ndarray, size: int) -> None:
    """Reorder the first `size` entries of `cards` uniformly, in place."""
    for last in range(size - 1, 0, -1):
        chosen = below(rng, last + 1)
        card = cards[last]
        cards[last] = cards[chosen]
        cards[chosen] = card
