"""`pimc` and `ismcts`: they see a Turn and nothing behind it, run everywhere, and do not depend on how work is shared."""

import time

import numpy as np
import pytest

from agents.base import Turn
from agents.ismcts import Ismcts
from agents.pimc import Pimc
from agents.registry import make_agent
from agents.tree import NODE
from basra_env import GameBatch, make
from basra_env.testing import random_batch
from tests.games.catalogue import GAMES, game_id
from train.arena import play_pair

SEARCH = ["pimc:worlds=6,threads=1", "ismcts:iterations=12,threads=1"]


def open_turn(batch, seed=0):
    rows = np.flatnonzero(batch.slots.to_play >= 0)
    return rows, Turn.of(batch, rows, np.random.default_rng(seed).integers(0, 2**63, len(rows)))


@pytest.mark.parametrize("option", GAMES, ids=game_id)
@pytest.mark.parametrize("name", SEARCH)
def test_a_thousand_positions_are_played_alike_whatever_is_hidden(option, name):
    variant, fields = option
    game = make(variant, **fields)
    agent = make_agent(name, game)
    batch = random_batch(game, 1300, seed=3)
    rows, turn = open_turn(batch)
    assert len(rows) >= 1000
    before = agent.act(turn)
    batch.determinize(rows, batch.slots.to_play[rows], np.arange(len(rows)))
    rows, turn = open_turn(batch)
    assert np.array_equal(agent.act(turn), before)


@pytest.mark.parametrize("option", GAMES, ids=game_id)
@pytest.mark.parametrize("name", SEARCH)
def test_it_runs_at_every_ply_of_every_game(option, name):
    variant, fields = option
    game = make(variant, **fields)
    agent = make_agent(name, game)
    batch = GameBatch(game, 3, seed=5, episode="match", autoreset=False)
    for ply in range(game.spec.max_plies + 20):  # into the second round
        rows = np.flatnonzero(batch.slots.to_play >= 0)
        if len(rows) == 0:
            break
        actions = np.full(3, -1)
        actions[rows] = agent.act(Turn.of(batch, rows, rows + 100 * ply))
        batch.step(actions)


@pytest.mark.parametrize("name", ["pimc:worlds=7", "ismcts:iterations=20,trees=3"])
def test_the_number_of_threads_changes_nothing(dananeer, name):
    batch = random_batch(dananeer, 40, seed=2, plies=30)
    _, turn = open_turn(batch)
    values = [make_agent(f"{name},threads={threads}", dananeer).values(turn) for threads in (1, 2, 5)]
    assert np.array_equal(values[0], values[1])
    assert np.array_equal(values[0], values[2])
    one = turn.take(np.array([0]))
    alone = [make_agent(f"{name},threads={threads}", dananeer).values(one) for threads in (1, 3)]
    assert np.array_equal(alone[0], alone[1])
    assert np.array_equal(alone[0], values[0][:1])


def test_more_worlds_are_told_from_fewer(dananeer):
    batch = random_batch(dananeer, 30, seed=2, plies=30)
    _, turn = open_turn(batch)
    few, more = Pimc(worlds=5).values(turn), Pimc(worlds=50).values(turn)
    assert not np.array_equal(few, more)
    assert (np.isinf(few) == ~turn.action_mask).all()


def test_values_are_points_of_the_rounds_that_are_played_on():
    """With two cards each no card is hidden: the value is what the batch pays if `greedy` plays on."""
    game = make("dananeer")
    batch = GameBatch(game, 60, seed=4, autoreset=False)
    rngs = batch.player_generators(0)
    for _ in range(44):
        batch.step(batch.decide("random", rngs))
    rows, turn = open_turn(batch)
    values = Pimc(worlds=1, horizon=0).values(turn)
    for place, row in enumerate(rows):
        for action in np.flatnonzero(turn.action_mask[place]):
            world = GameBatch(game, 1, seed=0, autoreset=False)
            world.restore(batch.clone([row]))
            seat, paid = int(world.slots.to_play[0]), 0.0
            paid += float(world.step([action]).rewards[0, seat])
            while world.slots.to_play[0] >= 0:
                move = world.decide("greedy", world.player_generators(0))
                paid += float(world.step(move).rewards[0, seat])
            assert values[place, action] == pytest.approx(paid)


@pytest.mark.parametrize("agent", [Pimc(milliseconds=20), Ismcts(milliseconds=20)])
def test_a_budget_of_time_is_kept(dananeer, agent):
    batch = GameBatch(dananeer, 5, seed=0)
    _, turn = open_turn(batch)
    agent.act(turn)  # compiled
    start = time.perf_counter()
    agent.act(turn)
    assert 0.04 < time.perf_counter() - start < 1.0


def test_a_tree_is_of_bounded_size(dananeer):
    batch = GameBatch(dananeer, 4, seed=0)
    _, turn = open_turn(batch)
    small, large = Ismcts(iterations=300, nodes=8), Ismcts(iterations=300)
    assert NODE.itemsize <= 32
    assert not np.array_equal(small.values(turn), large.values(turn))
    assert turn.action_mask[np.arange(4), small.act(turn)].all()


def test_in_a_tree_that_is_searched_long_a_sure_basra_is_taken():
    game = make("standard", majority=0)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.set_position(0, lone_queen(game))
    turn = Turn.of(batch, np.array([0]), np.array([7]))
    for agent in (Pimc(worlds=50), Ismcts(iterations=200)):
        assert game.card_text(int(agent.act(turn)[0])) == "QS"


def lone_queen(game):
    rest = [card for card in game.family.pack.texts(game.spec.cards) if card not in ("QS", "4S", "9C", "8H", "QC")]
    return {
        "hands": [["QS", "4S"], ["9C", "8H"]], "floor": ["QC"], "piles": [rest[:24], rest[24:]], "stock": [],
        "to_play": 0, "dealer": 1, "last_capturer": 1,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pimc:worlds=0", "at least one world"),
        ("pimc:worlds=many", "worlds of pimc is 'many': expected int"),
        ("pimc:rollout=gready", "did you mean 'greedy'"),
        ("pimc:threads=-1", "threads is -1"),
        ("ismcts:iterations=0", "at least one iteration"),
        ("ismcts:nodes=1", "two nodes"),
        ("ismcts:depth=3", "unknown option of ismcts 'depth'"),
    ],
)
def test_options_that_make_no_sense_are_refused(dananeer, text, message):
    with pytest.raises(ValueError, match=message):
        batch = GameBatch(dananeer, 1, seed=0)
        make_agent(text, dananeer).act(open_turn(batch)[1])


@pytest.mark.parametrize("name", ["pimc:worlds=40", "ismcts:iterations=150"])
def test_search_is_well_above_greedy(dananeer, name):
    result = play_pair(dananeer, make_agent(name, dananeer), make_agent("greedy", dananeer), 200, 0)
    assert result.ci95[0] > 5
