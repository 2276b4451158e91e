"""Agents by name: each is made, and plays every game legally."""

import numpy as np
import pytest

from agents.base import Turn
from agents.registry import AGENTS, make_agent
from basra_env import make
from basra_env.testing import random_batch
from tests.games.catalogue import GAMES, game_id


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_is_made_by_name(dananeer, name):
    assert make_agent(name, dananeer).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gready", "did you mean 'greedy'"),
        ("greedy:depth=3", "unknown option of greedy 'depth'"),
        ("no/such/folder", "unknown agent"),
    ],
)
def test_what_is_no_agent_is_refused(dananeer, text, message):
    with pytest.raises(ValueError, match=message):
        make_agent(text, dananeer)


def test_a_folder_without_a_checkpoint_says_so(dananeer, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    with pytest.raises(ValueError, match="has no checkpoint yet"):
        make_agent(str(tmp_path), dananeer)
    with pytest.raises(ValueError, match="neither a run folder"):
        make_agent(str(tmp_path / "checkpoints"), dananeer)


@pytest.mark.parametrize("option", GAMES, ids=game_id)
@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_plays_every_game_legally_and_alike(name, option):
    variant, fields = option
    game = make(variant, **fields)
    agent = make_agent(name, game)
    batch = random_batch(game, 60, seed=1)
    rows = np.flatnonzero(batch.slots.to_play >= 0)
    turn = Turn.of(batch, rows, np.arange(len(rows)))
    actions = agent.act(turn)
    assert actions.shape == rows.shape
    assert batch.slots.action_mask[rows, actions].all()
    alone = np.concatenate([agent.act(turn.take(np.array([place]))) for place in range(0, len(rows), 7)])
    assert np.array_equal(actions[::7], alone), "an agent draws from its seeds and from nothing else"
