"""One learner seat under Gymnasium's interface, at one table and at many."""

import copy
import os
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from basra_env import GameBatch, IllegalActionError, make
from tests.games.catalogue import GAMES, game_id

ID = "basra_env/Basra-v0"


def first(mask):
    return mask.argmax(-1)


@pytest.mark.parametrize(("variant", "fields"), GAMES, ids=map(game_id, GAMES))
@pytest.mark.parametrize(("flat", "episode"), [(False, "round"), (True, "match")])
def test_check_env(variant, fields, flat, episode):
    env = gymnasium.make(ID, variant=variant, flat=flat, episode=episode, on_illegal="end", **fields)
    check_env(env.unwrapped)


def play(env, seed):
    """One episode with the first legal card: return, steps."""
    _, info = env.reset(seed=seed)
    total, steps, terminated = 0.0, 0, False
    while not terminated:
        _, reward, terminated, truncated, info = env.step(int(first(info["action_mask"])))
        assert not truncated
        total += reward
        steps += 1
    return total, steps


@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_the_return_is_the_final_difference_whoever_moved_last(opponent):
    env = gymnasium.make(ID, opponent=opponent)
    for seed in range(100):
        total, steps = play(env, seed)
        inner = env.unwrapped
        points = inner.position.points
        assert total == points[inner.seat] - points[1 - inner.seat]
        assert steps == 24


def test_over_a_thousand_games_each_return_is_the_final_difference():
    vec = gymnasium.make_vec(ID, num_envs=1000, opponent="greedy", autoreset_mode="Disabled")
    _, infos = vec.reset(seed=1)
    total = np.zeros(1000)
    for _ in range(24):
        _, rewards, terminations, _, infos = vec.step(first(infos["action_mask"]))
        total += rewards
    assert terminations.all()
    seats = vec.seats
    points = np.array([vec._table.batch.position(row).points for row in range(1000)])
    rows = np.arange(1000)
    assert np.array_equal(total, points[rows, seats] - points[rows, 1 - seats])
    assert 400 < seats.sum() < 600


def winning_table():
    """Seat 0 makes a basra now; seat 1 then makes another with the last card."""
    from basra_env import Position
    from tests.games.test_worked_examples import PACK

    hands, floor = (("QC", "KC"), ("KD", "2C")), ("QD",)
    used = {"QC", "KC", "KD", "2C", "QD"}
    rest = [card for card in PACK if card not in used]
    return Position(hands=hands, floor=floor, piles=(tuple(rest[:24]), tuple(rest[24:])), stock=(), to_play=0, dealer=1)


def test_a_gain_pays_the_learner_on_its_own_step_and_a_loss_on_its_last():
    replies = iter(["2C", "KD"])
    game = make("dananeer")
    env = gymnasium.make(ID, seat=0, opponent=lambda obs, mask, rng: game.parse_card(next(replies)))
    env.reset(options={"position": winning_table()})
    _, reward, terminated, _, _ = env.step(game.parse_card("QC"))
    assert reward == 10  # its own basra; the reply takes nothing
    assert not terminated
    # The king lies on the two: nothing. The last reply, a king, takes it: no basra, but cards, majority and leftovers.
    _, reward, terminated, _, _ = env.step(game.parse_card("KC"))
    assert terminated
    points = env.unwrapped.position.points
    assert 10 + reward == points[0] - points[1]


def test_a_forced_loss_is_paid_on_the_learner_s_last_transition():
    from basra_env import Position
    from tests.games.test_worked_examples import PACK

    rest = [card for card in PACK if card not in ("KC", "KD")]
    table = Position(
        hands=(("KC",), ("KD",)), floor=(), piles=(tuple(rest[:25]), tuple(rest[25:])), stock=(), to_play=0, dealer=1
    )
    env = gymnasium.make(ID, seat=0, opponent="random")
    env.reset(options={"position": table})
    _, reward, terminated, _, _ = env.step(make("dananeer").parse_card("KC"))
    assert terminated
    assert reward == -40  # the basra of the only reply, and the majority of 27 cards


def test_a_win_is_paid_once():
    env = gymnasium.make(ID, reward="win", opponent="random")
    returns = {play(env, seed)[0] for seed in range(40)}
    assert returns <= {-1.0, 0.0, 1.0}
    assert {-1.0, 1.0} <= returns


def test_a_step_before_reset_or_after_the_end_raises():
    env = gymnasium.make(ID).unwrapped
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)
    play(env, 1)
    with pytest.raises(RuntimeError, match=r"call reset\(\)"):
        env.step(0)


def test_an_illegal_action_raises_and_changes_nothing():
    env = gymnasium.make(ID).unwrapped
    _, info = env.reset(seed=1)
    before = env.position
    for action in (int(info["action_mask"].argmin()), -1, 52):
        with pytest.raises(IllegalActionError):
            env.step(action)
    with pytest.raises(ValueError, match="must be integers"):
        env.step(3.7)
    assert env.position == before
    env.step(int(info["action_mask"].argmax()))


def test_an_illegal_action_may_end_the_episode():
    env = gymnasium.make(ID, on_illegal="end").unwrapped
    _, info = env.reset(seed=1)
    _, reward, terminated, _, info = env.step(int(info["action_mask"].argmin()))
    assert terminated
    assert reward == -make("dananeer").spec.points_bound
    assert not info["action_mask"].any()
    total, steps = play(env, 2)
    other = gymnasium.make(ID).unwrapped
    assert (total, steps) == play(other, 2)


def test_seats_of_the_learner():
    env = gymnasium.make(ID)
    seats = set()
    for seed in range(20):
        env.reset(seed=seed)
        seats.add(env.unwrapped.seat)
        position = env.unwrapped.position
        assert position.to_play == env.unwrapped.seat
    assert seats == {0, 1}
    fixed = gymnasium.make(ID, seat=1)
    for seed in range(5):
        fixed.reset(seed=seed)
        assert fixed.unwrapped.seat == 1
    with pytest.raises(ValueError, match="seat is 2"):
        gymnasium.make(ID, seat=2)


def test_opponents_one_a_seat_callables_and_changes():
    calls = []

    def caller(obs, mask, rng):
        assert obs.dtype == np.uint8
        assert mask.dtype == np.bool_
        assert isinstance(rng, np.random.Generator)
        calls.append(int(mask.sum()))
        return int(mask.argmax())

    env = gymnasium.make(ID, players=4, seat=0, opponent=[None, "greedy", caller, "random"]).unwrapped
    play(env, 1)
    assert len(calls) == 12
    env.set_opponent("greedy")
    play(env, 2)
    assert len(calls) == 12
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        env.set_opponent("gready")
    with pytest.raises(ValueError, match="2 opponents for 4 seats"):
        env.set_opponent(["greedy", "random"])


def test_an_opponent_s_illegal_answer_is_an_error_and_changes_nothing():
    answers = iter([True, False, True, True, True])

    def opponent(obs, mask, rng):
        return int(mask.argmax() if next(answers) else mask.argmin())

    game = make("dananeer")
    env = gymnasium.make(ID, opponent=opponent, seat=0).unwrapped
    deck = game.family.pack.texts(range(52))
    _, info = env.reset(seed=1, options={"deck": deck, "dealer": 0})  # the opponent moves first
    before, mask = env.position, info["action_mask"]
    with pytest.raises(IllegalActionError, match="seat 1 may not play"):
        env.step(int(mask.argmax()))
    assert env.position == before
    assert np.array_equal(env.action_masks(), mask)
    _, reward, _, _, _ = env.step(int(mask.argmax()))
    assert env.position.to_play == 0
    assert reward == env.position.points[0] - env.position.points[1]


def test_a_refused_reset_changes_nothing():
    env, twin = gymnasium.make(ID, opponent="random").unwrapped, gymnasium.make(ID, opponent="random").unwrapped
    for each in (env, twin):
        each.reset(seed=4)
    position = env.position.to_json()
    for options in (
        {"dealer": 7},
        {"position": 5},
        {"position": {**position, "points": [10**12, 0]}},
        {"position": {**position, "dealer": "x"}},
        {"deck": ["AS"]},
    ):
        with pytest.raises(ValueError, match=r".+"):
            env.reset(seed=9, options=options)
        assert env.position == twin.position
    for _ in range(24):
        action = int(first(env.action_masks()))
        assert env.step(action)[1] == twin.step(action)[1]


def test_a_start_that_leaves_the_learner_nothing_to_play_is_refused():
    from basra_env import Position
    from tests.games.test_worked_examples import PACK

    rest = [card for card in PACK if card != "KD"]
    table = Position(
        hands=((), ("KD",)), floor=(), piles=(tuple(rest[:25]), tuple(rest[25:])), stock=(), to_play=1, dealer=1
    )
    env = gymnasium.make(ID, seat=0).unwrapped
    env.reset(seed=1)
    before = env.position
    with pytest.raises(ValueError, match="over before the learner is to play"):
        env.reset(options={"position": table})
    assert env.position == before


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_play_on_alike(copied):
    env = gymnasium.make(ID, opponent="random").unwrapped
    _, info = env.reset(seed=4)
    for _ in range(5):
        _, _, _, _, info = env.step(int(first(info["action_mask"])))
    twin = copied(env)
    for _ in range(19):
        action = int(first(env.action_masks()))
        assert env.step(action)[1] == twin.step(action)[1]
    assert play(env, None) == play(twin, None)


def test_ansi_is_the_learner_s_table():
    env = gymnasium.make(ID, render_mode="ansi", seat=0)
    env.reset(seed=1)
    assert "dananeer: seat 0" in env.render()


# --- many tables ---------------------------------------------------------------------------------------------------


def test_make_vec_gives_our_class_with_its_spec():
    vec = gymnasium.make_vec(ID, num_envs=1)
    assert type(vec.unwrapped).__name__ == "SeatVectorEnv"
    assert vec.spec.id == ID
    assert vec.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    with pytest.raises(gymnasium.error.Error, match="wrappers"):
        gymnasium.make_vec(ID, num_envs=2, wrappers=[gymnasium.wrappers.TimeAwareObservation])
    with pytest.raises(ValueError, match="did you mean 'SameStep'"):
        gymnasium.make_vec(ID, num_envs=2, autoreset_mode="SameSteps")


def test_a_row_plays_as_a_single_environment_with_its_seed():
    vec = gymnasium.make_vec(ID, num_envs=3, opponent="random")
    observations, infos = vec.reset(seed=[4, 5, 6])
    for row, seed in enumerate((4, 5, 6)):
        env = gymnasium.make(ID, opponent="random").unwrapped
        shown, _ = env.reset(seed=seed)
        assert np.array_equal(shown["observation"], observations["observation"][row])
        assert env.seat == vec.seats[row]


def episodes(mode, steps=80, num_envs=5):
    """Returns and lengths of each row's episodes, as a user would record them."""
    vec = gymnasium.make_vec(ID, num_envs=num_envs, opponent="random", autoreset_mode=mode)
    _, infos = vec.reset(seed=2)
    returns, lengths = np.zeros(num_envs), np.zeros(num_envs, int)
    done = [[] for _ in range(num_envs)]
    over = np.zeros(num_envs, bool)
    for _ in range(steps):
        if mode == AutoresetMode.DISABLED and over.any():
            with pytest.raises(RuntimeError, match="reset_mask"):
                vec.step(first(infos["action_mask"]))
            _, infos = vec.reset(options={"reset_mask": over})
        resetting = over & (mode == AutoresetMode.NEXT_STEP)
        actions = first(infos["action_mask"])
        observations, rewards, terminations, _, infos = vec.step(actions)
        assert (rewards[resetting] == 0).all()
        assert not terminations[resetting].any()
        assert vec.observation_space["observation"].contains(observations["observation"])
        returns += rewards
        lengths += ~resetting
        assert ("final_obs" in infos) == (mode == AutoresetMode.SAME_STEP and terminations.any())
        if "final_obs" in infos:
            assert np.array_equal(infos["_final_obs"], terminations)
            assert not infos["final_info"]["action_mask"].any()
            assert np.array_equal(infos["final_info"]["_action_mask"], terminations)
            assert not infos["final_obs"]["observation"][~terminations].any()
            assert infos["final_obs"]["observation"][terminations].any(1).all()
        for row in np.flatnonzero(terminations):
            done[row].append((returns[row], int(lengths[row])))
            returns[row], lengths[row] = 0, 0
        over = terminations.copy()
        live = ~over if mode != AutoresetMode.SAME_STEP else np.ones(num_envs, bool)
        assert infos["action_mask"][live].any(1).all()
    return [row[:3] for row in done]


def test_all_modes_give_the_same_episodes():
    modes = [episodes(mode) for mode in AutoresetMode]
    assert modes[0] == modes[1] == modes[2]
    assert all(length == 24 for row in modes[0] for _, length in row)
    assert all(len(row) == 3 for row in modes[0])


def test_some_rows_are_reset_with_their_own_seeds():
    vec = gymnasium.make_vec(ID, num_envs=4, autoreset_mode="Disabled")
    vec.reset(seed=0)
    mask = np.array([True, False, True, False])
    vec.reset(seed=[1, 2, 3, 4], options={"reset_mask": mask})
    for row, seed in ((0, 1), (2, 3)):
        env = gymnasium.make(ID).unwrapped
        env.reset(seed=seed)
        assert vec._table.batch.position(row) == env.position
    with pytest.warns(UserWarning, match="unknown reset option"):
        vec.reset(options={"x": 1})


def test_rows_do_not_depend_on_their_number():
    def run(num_envs):
        vec = gymnasium.make_vec(ID, num_envs=num_envs, opponent="random")
        _, infos = vec.reset(seed=7)
        out = []
        for _ in range(60):
            _, rewards, _, _, infos = vec.step(first(infos["action_mask"]))
            out.append(rewards[:2].copy())
        return np.array(out)

    assert np.array_equal(run(2), run(9))


def test_stored_transitions_are_real_decisions():
    """In every mode a non-reset step is one decision of the learner: replaying them gives the same points."""
    vec = gymnasium.make_vec(ID, num_envs=4, opponent="greedy", seat=0)
    _, infos = vec.reset(seed=3)
    over = np.zeros(4, bool)
    decisions = 0
    for _ in range(75):
        before = vec._table.batch.clone().state["ply"].copy()
        _, _, terminations, _, infos = vec.step(first(infos["action_mask"]))
        after = vec._table.batch.clone().state["ply"]
        moved = (after != before) & ~over
        assert moved.all() == (~over).all()
        decisions += int((~over).sum())
        over = terminations
    assert decisions == 4 * 72


def test_batched_callables():
    def caller(obs, mask, rng):
        assert obs.ndim == mask.ndim == 2
        return mask.argmax(1)

    vec = gymnasium.make_vec(ID, num_envs=6, opponent=caller)
    single = gymnasium.make(ID, opponent=lambda obs, mask, rng: int(mask.argmax())).unwrapped
    _, infos = vec.reset(seed=[1] * 6)
    total = np.zeros(6)
    for _ in range(24):
        _, rewards, terminations, _, infos = vec.step(first(infos["action_mask"]))
        total += rewards
    assert terminations.all()
    assert set(total) == {play(single, 1)[0]}


def test_an_illegal_action_in_one_row_refuses_all():
    vec = gymnasium.make_vec(ID, num_envs=4)
    _, infos = vec.reset(seed=1)
    actions = first(infos["action_mask"])
    before = vec._table.batch.clone().state.tobytes()
    wrong = actions.copy()
    wrong[2] = infos["action_mask"][2].argmin()
    for bad in (wrong, np.where(np.arange(4) == 1, -1, actions)):
        with pytest.raises(IllegalActionError, match="row"):
            vec.step(bad)
    assert vec._table.batch.clone().state.tobytes() == before
    ending = gymnasium.make_vec(ID, num_envs=4, on_illegal="end")
    ending.reset(seed=1)
    _, rewards, terminations, _, _ = ending.step(wrong)
    assert terminations.tolist() == [False, False, True, False]
    assert rewards[2] == -283


def test_gymnasium_s_vector_wrappers_work():
    vec = gymnasium.wrappers.vector.RecordEpisodeStatistics(gymnasium.make_vec(ID, num_envs=3, flat=True))
    vec = gymnasium.wrappers.vector.DtypeObservation(vec, np.float32)
    _, infos = vec.reset(seed=1)
    for _ in range(24):
        observations, _, _, _, infos = vec.step(first(infos["action_mask"]))
    assert observations.dtype == np.float32
    assert infos["episode"]["l"].tolist() == [24, 24, 24]


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_s_own_vectors_find_the_environment_by_module_and_id(mode):
    code = f"""
import gymnasium, numpy as np
if __name__ == "__main__":
    kwargs = {{"context": "spawn"}} if {mode!r} == "async" else {{}}
    vec = gymnasium.make_vec("basra_env:basra_env/Basra-v0", num_envs=2, vectorization_mode={mode!r}, vector_kwargs=kwargs)
    _, infos = vec.reset(seed=1)
    for _ in range(30):
        _, _, terminations, _, infos = vec.step(infos["action_mask"].argmax(1))
    vec.close()
    print("ok")
"""
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    script = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"basra_{mode}_{os.getpid()}.py")
    with open(script, "w") as file:
        file.write(code)
    try:
        done = subprocess.run(
            [sys.executable, script], capture_output=True, text=True, env=env, check=False, timeout=300
        )
    finally:
        os.unlink(script)
    assert done.stdout.strip() == "ok", done.stderr[-2000:]


def test_sync_vector_agrees_with_ours():
    ours = gymnasium.make_vec(ID, num_envs=3, opponent="greedy")
    theirs = gymnasium.make_vec(ID, num_envs=3, opponent="greedy", vectorization_mode="sync")
    _, a = ours.reset(seed=[1, 2, 3])
    _, b = theirs.reset(seed=[1, 2, 3])
    for _ in range(60):
        actions = first(a["action_mask"])
        x = ours.step(actions)
        y = theirs.step(actions)
        a, b = x[4], y[4]
        for one, two in zip(x[1:4], y[1:4], strict=True):
            assert np.array_equal(one, two)
        assert np.array_equal(x[0]["observation"], y[0]["observation"])
        assert np.array_equal(a["action_mask"], b["action_mask"])


def test_games_at_different_plies_play_as_alone(dananeer):
    batch = GameBatch(dananeer, 10, seed=1)
    singles = [GameBatch(dananeer, 1, seed=0) for _ in range(10)]
    for row, single in enumerate(singles):
        single.restore(batch.clone([row]))
    rng = np.random.default_rng(0)
    for _ in range(300):
        rows = np.flatnonzero(rng.random(10) < 0.5)
        if not len(rows):
            continue
        actions = first(batch.slots.action_mask[rows])
        batch.step(actions, rows)
        for row, action in zip(rows, actions, strict=True):
            singles[row].step([action])
            assert np.array_equal(singles[row].slots.rewards[0], batch.slots.rewards[row])
            assert singles[row].position() == batch.position(row)
