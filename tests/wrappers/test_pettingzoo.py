"""The AEC environment, its parallel view, and many tables at once."""

import copy
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from basra_env import GameBatch, IllegalActionError, basra_v0, load_replay, make
from tests.games.catalogue import GAMES, game_id


@pytest.mark.parametrize(("name", "fields"), GAMES, ids=map(game_id, GAMES))
@pytest.mark.parametrize("episode", ["round", "match"])
def test_pettingzoo_s_own_tests(name, fields, episode):
    def build():
        return basra_v0.env(variant=name, episode=episode, **fields)

    api_test(build(), num_cycles=300)
    api_test(basra_v0.raw_env(variant=name, episode=episode, **fields), num_cycles=300)
    seed_test(build, num_cycles=150)
    parallel_api_test(basra_v0.parallel_env(variant=name, episode=episode, **fields), num_cycles=300)
    parallel_seed_test(lambda: basra_v0.parallel_env(variant=name, episode=episode, on_illegal="end", **fields), 150)


def legal(env):
    return int(env.observe(env.agent_selection)["action_mask"].argmax())


def play_round(env, seed):
    env.reset(seed=seed)
    returns = dict.fromkeys(env.possible_agents, 0.0)
    shown = {agent: [] for agent in env.possible_agents}
    for agent in env.agent_iter():
        _, reward, terminated, truncated, info = env.last()
        assert isinstance(info, dict)
        returns[agent] += reward
        shown[agent].append(terminated or truncated)
        env.step(None if terminated else legal(env))
    return returns, shown


def test_each_agent_s_last_reward_is_shown_exactly_once_and_two_none_steps_empty_the_agents():
    env = basra_v0.env()
    for seed in range(20):
        returns, shown = play_round(env, seed)
        assert env.agents == []
        points = env.unwrapped.position.points
        assert returns == {"player_0": points[0] - points[1], "player_1": points[1] - points[0]}
        assert [ends.count(True) for ends in shown.values()] == [1, 1]


def test_a_step_after_the_end_raises():
    env = basra_v0.env()
    play_round(env, 1)
    for each in (env, env.unwrapped):
        with pytest.raises(RuntimeError, match=r"call reset\(\)"):
            each.step(0)
    env.reset(seed=2)
    assert env.agents


def test_a_dead_agent_takes_none_only_and_a_live_one_never():
    env = basra_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="None is for agents that are done"):
        env.step(None)
    while not env.terminations[env.agent_selection]:
        env.step(legal(env))
    with pytest.raises(ValueError, match="None"):
        env.step(0)


def test_the_seat_after_the_dealer_acts_first():
    env = basra_v0.env()
    for dealer in (0, 1):
        env.reset(seed=1, options={"dealer": dealer})
        assert env.agent_selection == f"player_{1 - dealer}"


def test_the_idle_seat_s_mask_is_all_zero_and_the_mover_s_is_its_hand():
    env = basra_v0.env()
    env.reset(seed=3)
    while not env.terminations[env.agent_selection]:
        for agent in env.possible_agents:
            shown = env.observe(agent)
            assert shown["observation"].dtype == np.uint8
            assert shown["action_mask"].dtype == np.int8
            seat = int(agent[-1])
            hand = env.unwrapped.position.hands[seat]
            legal_cards = [env.unwrapped.game.card_text(int(c)) for c in np.flatnonzero(shown["action_mask"])]
            assert legal_cards == (list(hand) if agent == env.agent_selection else [])
            assert env.observation_space(agent).contains(shown)
        env.step(legal(env))
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)


def test_the_first_decision_after_a_packet_lists_the_new_cards():
    env = basra_v0.env()
    env.reset(seed=4)
    for _ in range(8):
        env.step(legal(env))
    position = env.unwrapped.position
    assert [len(hand) for hand in position.hands] == [4, 4]
    mask = env.observe(env.agent_selection)["action_mask"]
    assert mask.sum() == 4


def test_what_is_handed_out_is_a_copy():
    env = basra_v0.env()
    env.reset(seed=1)
    shown = env.observe(env.agent_selection)
    before = {key: value.copy() for key, value in shown.items()}
    env.step(legal(env))
    assert all(np.array_equal(shown[key], before[key]) for key in shown)


def test_the_action_space_samples_with_the_mask_as_observed():
    env = basra_v0.env()
    env.reset(seed=1)
    for _ in range(30):
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        action = env.action_space(agent).sample(mask)
        assert mask[action]
        env.step(action)


def test_an_illegal_action_changes_nothing_and_the_next_games_are_right():
    env, plain = basra_v0.env(), basra_v0.env()
    for each in (env, plain):
        each.reset(seed=5)
    for _ in range(10):
        mask = env.observe(env.agent_selection)["action_mask"]
        with pytest.raises(IllegalActionError, match="may not play"):
            env.step(int(mask.argmin()))
        env.step(legal(env))
        plain.step(legal(plain))
        assert env.unwrapped.position == plain.unwrapped.position
    for seed in (6, None):
        env.reset(seed=seed)
        plain.reset(seed=seed)
        assert env.unwrapped.position == plain.unwrapped.position


@pytest.mark.parametrize(("reward", "lost"), [("points", 283.0), ("win", 1.0)])
def test_an_illegal_action_may_end_the_episode_with_a_lost_round(reward, lost):
    env = basra_v0.env(on_illegal="end", reward=reward)
    assert make("dananeer").spec.points_bound == 283
    env.reset(seed=1)
    offender = env.agent_selection
    mask = env.observe(offender)["action_mask"]
    env.step(int(mask.argmin()))
    assert env.rewards == {agent: -lost if agent == offender else lost for agent in env.possible_agents}
    assert all(env.terminations.values())
    assert not env.observe(offender)["action_mask"].any()
    for _ in range(2):
        env.step(None)
    assert env.agents == []
    twin = basra_v0.env(on_illegal="end", reward=reward)
    env.reset(seed=9)
    twin.reset(seed=9)
    assert env.unwrapped.position == twin.unwrapped.position


def test_reset_options():
    env = basra_v0.env()
    deck = make("dananeer").family.pack.texts(range(52))[::-1]
    env.reset(seed=1, options={"deck": deck, "dealer": 1})
    position = env.unwrapped.position
    assert position.hands[0] == ("QD", "QS", "KD", "KS")
    env.reset(options={"position": position})
    assert env.unwrapped.position == position
    env.reset(options={"position": position.to_json()})
    assert env.unwrapped.position == position
    env.reset(options={"scores": [10, 20], "carry": 30})
    assert env.unwrapped.position.scores == (10, 20)
    assert env.unwrapped.position.carry == 30
    with pytest.warns(UserWarning, match="did you mean 'dealer'"):
        env.reset(options={"dealr": 1})
    for wrong in (
        {"deck": deck[1:]},
        {"dealer": 4},
        {"deck": deck, "decks": [deck]},
        {"position": position, "dealer": 1},
    ):
        before = env.unwrapped.position
        with pytest.raises(ValueError, match=r".+"):
            env.reset(options=wrong)
        assert env.unwrapped.position == before


def test_reset_keeps_the_rules():
    env = basra_v0.env(target=33, episode="match")
    env.reset(seed=1)
    assert env.unwrapped.game.rules.target == 33


def test_a_second_reset_does_not_repeat():
    env = basra_v0.env()
    env.reset(seed=1)
    first = env.unwrapped.position
    env.reset()
    assert env.unwrapped.position.stock != first.stock
    env.reset(seed=1)
    assert env.unwrapped.position == first


def test_a_seeded_environment_is_row_0_of_a_seeded_batch(dananeer):
    env = basra_v0.env()
    env.reset(seed=17)
    assert env.unwrapped.position == GameBatch(dananeer, 5, seed=17).position(0)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_on_alike(copied):
    env = basra_v0.env()
    env.reset(seed=1)
    for _ in range(13):
        env.step(legal(env))
    twin = copied(env)
    while env.agents:
        action = None if env.terminations[env.agent_selection] else legal(env)
        env.step(action)
        twin.step(action)
        assert twin.rewards == env.rewards
        assert twin.unwrapped.position == env.unwrapped.position
    env.reset()
    twin.reset()
    assert twin.unwrapped.position == env.unwrapped.position


def test_ansi_shows_the_mover_s_table_and_no_other_hand():
    env = basra_v0.env(render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    position = env.unwrapped.position
    from basra_env.render.text import pretty

    for card in (*position.hands[position.to_play], *position.floor):
        assert pretty(card) in text
    hidden = set(position.hands[1 - position.to_play]) - {card for card, _ in position.known[0]}
    assert not any(f" {pretty(card)} " in text.replace("\n", " ") for card in hidden)
    quiet = basra_v0.env()
    quiet.reset(seed=1)
    assert quiet.render() is None
    with pytest.raises(ValueError, match="unknown render mode"):
        basra_v0.env(render_mode="human")


def test_state_lies_in_its_space_and_replay_is_told():
    env = basra_v0.env()
    env.reset(seed=1)
    env.step(legal(env))
    assert env.unwrapped.state_space.contains(env.state())
    assert load_replay(env.unwrapped.replay()).position() == env.unwrapped.position


def test_only_the_mover_acts_in_the_parallel_view():
    par = basra_v0.parallel_env()
    observations, _ = par.reset(seed=1)
    assert par.action_space("player_0").n == 53
    steps = 0
    while par.agents:
        mover = next(agent for agent in par.agents if not observations[agent]["action_mask"][par.noop])
        idle = next(agent for agent in par.agents if agent != mover)
        assert np.flatnonzero(observations[idle]["action_mask"]).tolist() == [par.noop]
        before = par.position
        with pytest.raises(IllegalActionError, match="only legal action is the no-op"):
            par.step({mover: int(observations[mover]["action_mask"].argmax()), idle: 3})
        with pytest.raises(IllegalActionError):
            par.step({mover: par.noop, idle: par.noop})
        with pytest.raises(ValueError, match="no action for it"):
            par.step({idle: par.noop})
        assert par.position == before
        observations, rewards, terminations, truncations, infos = par.step(
            {mover: int(observations[mover]["action_mask"].argmax()), idle: par.noop}
        )
        assert sum(rewards.values()) == 0
        assert set(terminations) == set(truncations) == set(infos) == set(par.possible_agents)
        steps += 1
    assert steps == 48
    assert all(terminations.values())
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        par.step({"player_0": 0})


def test_the_parallel_view_plays_the_same_game_as_the_cycle():
    env, par = basra_v0.env(), basra_v0.parallel_env()
    env.reset(seed=8)
    par.reset(seed=8)
    while par.agents:
        action = legal(env)
        mover = env.agent_selection
        env.step(action)
        par.step({mover: action})
        assert par.position == env.unwrapped.position


def test_vector_env_gives_every_value_as_agent_to_arrays(dananeer):
    vec = basra_v0.vector_env(num_envs=6)
    observations, infos = vec.reset(seed=3)
    batch = GameBatch(dananeer, 6, seed=3)
    assert vec.possible_agents == ["player_0", "player_1"]
    assert set(infos) == set(vec.possible_agents)
    returns = {agent: np.zeros(6) for agent in vec.possible_agents}
    ended = 0
    for _ in range(100):
        for seat, agent in enumerate(vec.possible_agents):
            shown = observations[agent]
            assert shown["observation"].shape == (6, dananeer.spec.obs_size)
            assert shown["action_mask"].dtype == np.int8
            assert np.array_equal(shown["action_mask"].any(1), vec.to_play == seat)
            assert vec.observation_space(agent)["observation"].contains(shown["observation"][0])
        actions = sum(observations[agent]["action_mask"] for agent in vec.possible_agents).argmax(1)
        kept = observations["player_0"]["observation"].copy()
        handed_out = observations["player_0"]["observation"]
        observations, rewards, terminations, truncations, infos = vec.step(actions)
        assert np.array_equal(kept, handed_out)
        batch.step(actions)
        assert np.array_equal(rewards["player_1"], batch.slots.rewards[:, 1])
        assert np.array_equal(terminations["player_0"], batch.slots.terminated)
        assert not truncations["player_0"].any()
        for agent in vec.possible_agents:
            returns[agent] += rewards[agent]
        if terminations["player_0"].any():
            ended += int(terminations["player_0"].sum())
            assert np.array_equal(infos["player_1"]["final_observation"], batch.slots.final_obs[:, 1])
            assert np.array_equal(infos["player_1"]["_final_observation"], terminations["player_0"])
        else:
            assert infos == {"player_0": {}, "player_1": {}}
    assert ended == 12
    assert np.array_equal(returns["player_0"], -returns["player_1"])
    with pytest.warns(UserWarning, match="did you mean 'decks'"):
        vec.reset(options={"deck": []})


def test_importing_the_package_imports_no_torch_and_no_drawing_library():
    code = (
        "import sys, basra_env, basra_env.basra_v0\n"
        "print([m for m in ('torch', 'matplotlib', 'PIL', 'pygame', 'agents', 'train', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reset_warns_of_nothing_when_all_is_known():
    env = basra_v0.env()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=1, options={"dealer": 0})
