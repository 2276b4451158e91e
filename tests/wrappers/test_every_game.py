"""Every game through every interface, at the moments that only some games have."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest

from basra_env import GameBatch, basra_v0, briscola_v0, load_replay, make
from basra_env.testing import play_out
from tests.games.catalogue import GAMES, game_id
from tests.games.test_worked_examples import example_position

COPIES = [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))]


def choosing():
    """A batch of one in the middle of a choice: two more names are to be given."""
    batch = GameBatch(make("standard"), 1, seed=0, autoreset=False)
    batch.set_position(0, example_position(["5C", "4D", "4H", "5D", "5H"], "9C"))
    batch.step([batch.game.parse_card("9C")])
    return batch


def in_a_trick():
    """A batch of one in the middle of a trick, after an exchange by the seat to play."""
    game = make("briscola", exchange="free")
    for seed in range(1000):
        batch = GameBatch(game, 1, seed=seed, autoreset=False)
        batch.step([batch.slots.action_mask[0].argmax()])
        if batch.slots.action_mask[0, 40:].any():
            batch.step([40 + batch.slots.action_mask[0, 40:].argmax()])
            return batch
    raise AssertionError("no seat to follow could exchange")


@pytest.mark.parametrize("start", [choosing, in_a_trick])
@pytest.mark.parametrize("copied", COPIES)
def test_copies_in_the_middle_of_a_turn_play_on_alike(start, copied):
    batch = start()
    before = batch.position()
    assert before.pending or before.trick
    twin = copied(batch)
    restored = GameBatch(batch.game, 1, seed=9, autoreset=False)
    restored.restore(batch.clone())
    told = load_replay(batch.replay())
    by_hand = GameBatch(batch.game, 1, seed=9, autoreset=False)
    by_hand.set_position(0, before.to_json())
    for each in (twin, restored, told, by_hand):
        assert each.position() == before
        assert np.array_equal(each.slots.action_mask, batch.slots.action_mask)
        assert np.array_equal(each.observe([0, 0], [0, 1]), batch.observe([0, 0], [0, 1]))
    ends = [play_out(each, 3)[0].points for each in (batch, twin, restored, told, by_hand)]
    assert len(set(ends)) == 1


def test_a_choice_is_one_turn_and_is_paid_once():
    env = basra_v0.env(variant="standard")
    env.reset(options={"position": choosing().position().to_json()})
    agent, paid = env.agent_selection, []
    while env.agent_selection == agent:
        mask = env.observe(agent)["action_mask"]
        assert not env.observe(f"player_{1 - int(agent[-1])}")["action_mask"].any()
        env.step(int(mask.argmax()))
        paid.append(dict(env.rewards))
    assert len(paid) > 1
    assert all(set(step.values()) == {0} for step in paid[:-1])


def test_a_learner_that_chooses_is_asked_for_each_name():
    env = gymnasium.make("basra_env/Basra-v0", variant="standard", seat=1, opponent="greedy").unwrapped
    env.reset(options={"position": choosing().position().to_json()})
    asked = 0
    while env.position.pending:
        _, reward, *_ = env.step(int(env.action_masks().argmax()))
        asked += 1
        assert not env.position.pending or reward == 0
    assert asked >= 1


@pytest.mark.parametrize(("name", "fields"), GAMES, ids=map(game_id, GAMES))
def test_a_learner_s_return_is_its_final_difference(name, fields):
    game = make(name, **fields)
    envs = gymnasium.make_vec("basra_env/Basra-v0", num_envs=16, variant=name, opponent="greedy", **fields)
    single = gymnasium.make("basra_env/Basra-v0", variant=name, opponent="random", seat=game.spec.players - 1, **fields)
    single = single.unwrapped
    _, info = single.reset(seed=3)
    total, terminated = 0.0, False
    while not terminated:
        _, reward, terminated, _, info = single.step(int(info["action_mask"].argmax()))
        total += reward
    points = np.array(single.position.points, float)
    side = game.spec.sides[game.spec.players - 1]
    others = (points.sum() - points[side]) / (len(points) - 1)
    assert total == pytest.approx(points[side] - others, abs=1e-3)
    observations, infos = envs.reset(seed=1)
    for _ in range(60):
        observations, _, _, _, infos = envs.step(observations["action_mask"].argmax(1))
    assert envs.single_observation_space.contains({name: each[0] for name, each in observations.items()})


@pytest.mark.parametrize(("name", "fields"), GAMES, ids=map(game_id, GAMES))
def test_cycle_parallel_view_and_vector_play_the_same_game(name, fields):
    env, par = basra_v0.env(variant=name, **fields), basra_v0.parallel_env(variant=name, **fields)
    vec = basra_v0.vector_env(num_envs=2, variant=name, autoreset=False, **fields)
    env.reset(seed=5)
    par.reset(seed=5)
    observations, _ = vec.reset(seed=5)
    while not env.terminations[env.agent_selection]:
        mover = env.agent_selection
        action = int(env.observe(mover)["action_mask"].argmax())
        assert observations[mover]["action_mask"][0].argmax() == action
        assert np.array_equal(observations[mover]["observation"][0], env.observe(mover)["observation"])
        masks = sum(observations[agent]["action_mask"] for agent in vec.possible_agents)
        actions = np.where(vec.to_play >= 0, masks.argmax(1), -1)
        env.step(action)
        _, rewards, *_ = par.step({mover: action})
        observations, vec_rewards, *_ = vec.step(actions)
        assert rewards == env.rewards
        assert {agent: float(each[0]) for agent, each in vec_rewards.items()} == pytest.approx(env.rewards)
        if par.agents:
            assert par.position == env.unwrapped.position


def test_briscola_has_a_module_and_an_id_of_its_own():
    env = briscola_v0.env(exchange="free")
    env.reset(seed=1)
    assert env.action_space("player_0").n == 42
    assert briscola_v0.parallel_env(players=4).possible_agents == [f"player_{seat}" for seat in range(4)]
    assert briscola_v0.vector_env(num_envs=3).reset(seed=0)[0]["player_1"]["observation"].shape[0] == 3
    assert gymnasium.make("basra_env/Briscola-v0").unwrapped.game.name == "briscola"
    assert gymnasium.make_vec("basra_env/Briscola-v0", num_envs=2, players=4).unwrapped.game.spec.players == 4


@pytest.mark.parametrize("name", ["pishti", "basra_io"])
def test_top_card_games_play_under_basra_v0(name):
    env = basra_v0.env(variant=name, render_mode="ansi")
    env.reset(seed=1)
    assert "hidden" in env.render()


def test_a_trick_game_is_drawn_with_its_own_suits_and_what_each_card_would_do():
    env = briscola_v0.env(render_mode="ansi", exchange="free")
    env.reset(seed=4)
    while not env.unwrapped.position.trick:
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    text = env.render()
    assert not set("♣♦♥♠") & set(text)
    assert "strength" in text
    assert "lies down" not in text
