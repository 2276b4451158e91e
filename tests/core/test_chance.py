"""The generator in the record: even, reproducible, its streams apart."""

from collections import Counter

import numpy as np
import pytest

from basra_env import GameBatch
from basra_env.core import driver
from basra_env.core.chance import below, next_word, seed_generator, shuffle

pytestmark = pytest.mark.small


def generator(seed, stream=0):
    rng = np.zeros(4, np.uint32)
    seed_generator(rng, seed, stream)
    return rng


def test_a_plain_python_sfc32_gives_the_same_words():
    rng = generator(12345, 7)
    mask = 0xFFFFFFFF
    a, b, c, counter = 12345, 0, 7, 1
    for step in range(220):
        word = (a + b + counter) & mask
        a, b, c = b ^ (b >> 9), (c + (c << 3)) & mask, ((((c << 21) | (c >> 11)) & mask) + word) & mask
        counter = (counter + 1) & mask
        if step >= 20:
            assert next_word(rng) == word


@pytest.mark.parametrize("n", [1, 2, 3, 7, 52])
def test_below_is_even(n):
    rng = generator(3)
    counts = Counter(below(rng, n) for _ in range(2000 * min(n, 10)))
    expected = 2000 * min(n, 10) / n
    assert set(counts) == set(range(n))
    chi2 = sum((count - expected) ** 2 for count in counts.values()) / expected
    assert chi2 < n - 1 + 6 * np.sqrt(2 * n) + 6


def test_every_card_comes_to_every_place_alike():
    rng = generator(4)
    cards = np.arange(8, dtype=np.int8)
    counts = np.zeros((8, 8))
    for _ in range(4000):
        cards[:] = np.arange(8)
        shuffle(rng, cards, 8)
        counts[np.arange(8), cards] += 1
    chi2 = ((counts - 500) ** 2 / 500).sum()
    assert abs(chi2 - 49) < 6 * np.sqrt(98)


def test_streams_of_neighbouring_seeds_and_rows_differ():
    rngs = np.zeros((200, 4), np.uint32)
    driver.seed_rows(rngs, np.repeat(np.arange(20), 10), np.tile(np.arange(10), 20))
    assert len({rng.tobytes() for rng in rngs}) == 200
    words = [next_word(rng) for rng in rngs]
    assert len(set(words)) == 200


def test_dealers_and_decks_are_drawn_evenly(dananeer):
    batch = GameBatch(dananeer, 4000, seed=9)
    state = batch.clone().state
    assert abs(state["dealer"].mean() - 0.5) < 0.04
    first = np.bincount(state["deck"][:, 0], minlength=52)
    chi2 = ((first - 4000 / 52) ** 2 / (4000 / 52)).sum()
    assert chi2 < 51 + 6 * np.sqrt(102)
