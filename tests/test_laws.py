"""The laws of `basra_env.testing` over every registered game, player count and option."""

import os
import subprocess
import sys

import numpy as np
import pytest

from basra_env import GameBatch, games, make
from basra_env.testing import LAWS, check_observations_lie_in_space, check_worlds_uniform, games_digest, random_batch
from tests.games.catalogue import GAMES, OPTIONS, SMALL, game_id


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("option", [option for option in OPTIONS if option not in SMALL], ids=game_id)
def test_law(option, law):
    name, fields = option
    law(make(name, **fields), 3)


@pytest.mark.small
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("option", SMALL, ids=game_id)
def test_law_compiled_interpreted_and_with_bounds_checks(option, law):
    name, fields = option
    law(make(name, **fields), 3)


@pytest.mark.parametrize("name", games())
def test_ten_thousand_games_lie_in_their_space(name):
    check_observations_lie_in_space(make(name), 9, games=10_000)


def swept_rows(batch):
    """A row with a swept card still in the stock, and one where it has been dealt and not played."""
    in_stock = in_hand = None
    for row in range(batch.num_envs):
        known = dict(batch.position(row).known[0])
        if "stock" in known.values() and in_stock is None and len(batch.position(row).stock) <= 24:
            in_stock = row
        if "hand" in known.values() and in_hand is None:
            in_hand = row
    assert in_stock is not None
    assert in_hand is not None
    return in_stock, in_hand


FISHING = [
    option for option in GAMES if make(option[0]).family.name == "fishing" and option[0] not in ("mini", "micro")
]


@pytest.mark.parametrize("option", FISHING, ids=game_id)
def test_worlds_of_positions_with_swept_cards_are_uniform(option):
    name, fields = option
    batch = random_batch(make(name, **fields), 3000, seed=4, plies=47)
    for row in swept_rows(batch):
        for seat in range(batch.game.spec.players):
            check_worlds_uniform(batch, row, seat, 100_000, seed=5)


def test_each_world_of_a_small_position_is_equally_likely():
    batch = random_batch(make("dananeer", players=4), 400, seed=6, plies=44)
    sizes = []
    for row in range(400):
        position = batch.position(row)
        if not position.stock and sum(map(len, position.hands)) in (6, 7, 8) and not position.known[0]:
            sizes.append(check_worlds_uniform(batch, row, int(position.to_play), 100_000, seed=len(sizes)))
        if len(sizes) == 3:
            break
    assert len(sizes) == 3
    assert min(sizes) > 1


def test_a_world_is_not_foreseen_from_the_record_s_own_generator(dananeer):
    batch = GameBatch(dananeer, 200, seed=1, episode="match")
    truth = batch.clone().state["rng"].copy()
    batch.determinize(np.arange(200), 0, np.arange(200))
    imagined = batch.clone().state["rng"]
    assert not (imagined == truth).all(1).any()
    again = GameBatch(dananeer, 200, seed=1, episode="match")
    again._state["rng"] += 1
    again.determinize(np.arange(200), 0, np.arange(200))
    assert np.array_equal(again.clone().state["rng"], imagined), "only the given seeds decide"


@pytest.mark.parametrize("option", SMALL, ids=game_id)
def test_compiled_equals_interpreted(option):
    name, fields = option
    code = f"from basra_env import make; from basra_env.testing import games_digest; print(games_digest(make({name!r}, **{fields!r}), 7, 6))"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    interpreted = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
    ).stdout
    assert interpreted.strip() == games_digest(make(name, **fields), 7, 6)
