"""`GameBatch`: what its calls promise beyond the laws."""

import copy
import pickle

import numpy as np
import pytest

from basra_env import GameBatch, IllegalActionError, Slots, load_replay

pytestmark = pytest.mark.small


@pytest.fixture
def batch(dananeer):
    return GameBatch(dananeer, 16, seed=1)


def first_legal(batch):
    return batch.slots.action_mask.argmax(1)


def test_slots_have_the_documented_shapes(batch, dananeer):
    spec = dananeer.spec
    slots = batch.slots
    assert (slots.obs.shape, slots.obs.dtype) == ((16, spec.obs_size), np.uint8)
    assert (slots.action_mask.shape, slots.action_mask.dtype) == ((16, 52), np.bool_)
    assert (slots.to_play.shape, slots.to_play.dtype) == ((16,), np.int8)
    assert (slots.rewards.shape, slots.rewards.dtype) == ((16, 2), np.float32)
    assert (slots.terminated.shape, slots.terminated.dtype) == ((16,), np.bool_)
    assert (slots.final_obs.shape, slots.final_obs.dtype) == ((16, 2, spec.obs_size), np.uint8)
    assert slots.final_scores.shape == (16, 2)
    assert spec.obs_size <= 1000
    assert spec.max_plies == 48


def test_one_illegal_action_refuses_the_whole_batch(batch):
    actions = first_legal(batch)
    actions[7] = np.flatnonzero(~batch.slots.action_mask[7])[0]
    before = batch.clone().state.tobytes()
    shown = batch.slots.obs.copy()
    with pytest.raises(IllegalActionError, match="row 7: seat"):
        batch.step(actions)
    assert batch.clone().state.tobytes() == before
    assert np.array_equal(batch.slots.obs, shown)
    batch.step(first_legal(batch))


@pytest.mark.parametrize("action", [-1, -2, 52, 63, 64, 2**40])
def test_an_action_outside_the_space_is_illegal(batch, action):
    actions = first_legal(batch)
    actions[3] = action
    with pytest.raises(IllegalActionError, match="row 3"):
        batch.step(actions)


@pytest.mark.parametrize(
    ("actions", "message"), [(np.zeros(15, int), r"expected \(16,\)"), (np.zeros(16), "must be integers")]
)
def test_actions_of_another_shape_or_kind_are_refused(batch, actions, message):
    with pytest.raises(ValueError, match=message):
        batch.step(actions)


def test_rows_step_alone(batch):
    before = batch.clone()
    batch.step(first_legal(batch)[[2, 5]], rows=[2, 5])
    after = batch.clone()
    changed = [a.tobytes() != b.tobytes() for a, b in zip(before.state, after.state, strict=True)]
    assert np.flatnonzero(changed).tolist() == [2, 5]
    with pytest.raises(ValueError, match="named twice"):
        batch.step([0, 0], rows=[1, 1])
    with pytest.raises(IndexError, match="row 16"):
        batch.step([0], rows=[16])


def test_out_takes_the_callers_arrays(batch, dananeer):
    twin = copy.deepcopy(batch)
    mine = Slots.empty(dananeer, 2)
    rows = np.array([9, 4])
    assert batch.step(first_legal(batch)[rows], rows=rows, out=mine) is mine
    twin.step(first_legal(twin)[rows], rows=rows)
    for have, want in zip(mine.arrays(), twin.slots.arrays(), strict=True):
        assert np.array_equal(have, want[rows])
    with pytest.raises(ValueError, match=r"out.obs is uint8 \(2, "):
        batch.step(first_legal(batch), out=mine)


def test_a_finished_row_takes_minus_one_and_nothing_else(dananeer):
    batch = GameBatch(dananeer, 2, seed=1, autoreset=False)
    while not batch.slots.terminated.all():
        batch.step(first_legal(batch))
    assert batch.slots.to_play.tolist() == [-1, -1]
    assert not batch.slots.action_mask.any()
    end = batch.clone().state.tobytes()
    with pytest.raises(IllegalActionError, match="the game is over, so the only action is -1"):
        batch.step([0, -1])
    slots = batch.step([-1, -1])
    assert batch.clone().state.tobytes() == end
    assert slots.rewards.tolist() == [[0, 0], [0, 0]]
    assert slots.terminated.all()
    batch.reset(rows=[1])
    assert batch.slots.to_play.tolist()[0] == -1
    assert batch.slots.to_play[1] >= 0


def test_autoreset_shows_the_new_game_and_keeps_the_old_ones_end(dananeer):
    batch = GameBatch(dananeer, 8, seed=3)
    plain = GameBatch(dananeer, 8, seed=3, autoreset=False)
    for _ in range(48):
        actions = first_legal(batch)
        slots = batch.step(actions)
        plain.step(actions)
        assert np.array_equal(slots.rewards, plain.slots.rewards)
        assert np.array_equal(slots.terminated, plain.slots.terminated)
    assert slots.terminated.all()
    for seat in range(2):
        assert np.array_equal(slots.final_obs[:, seat], plain.observe(np.arange(8), seat))
    assert slots.final_scores.tolist() == [list(plain.position(row).points) for row in range(8)]
    plain.reset()
    assert [batch.position(row) for row in range(8)] == [plain.position(row) for row in range(8)]
    assert np.array_equal(slots.obs, plain.slots.obs)


def test_restore_of_one_record_goes_into_many_rows(batch):
    batch.step(first_legal(batch))
    one = batch.clone([3])
    batch.restore(one, rows=[0, 1, 2])
    assert batch.position(0) == batch.position(3)
    assert np.array_equal(batch.slots.obs[1], batch.slots.obs[3])
    assert batch.slots.rewards[:3].tolist() == [[0, 0]] * 3
    with pytest.raises(ValueError, match="a snapshot of 2 games does not fit 3 rows"):
        batch.restore(batch.clone([0, 1]), rows=[0, 1, 2])


def test_a_snapshot_of_another_episode_is_refused(batch, dananeer):
    with pytest.raises(ValueError, match="another kind of game or episode"):
        batch.restore(GameBatch(dananeer, 16, seed=0, episode="match").clone())


def test_a_snapshot_of_other_rules_is_refused(batch, dananeer):
    from basra_env import make

    with pytest.raises(ValueError, match="another kind of game"):
        batch.restore(GameBatch(make("dananeer", players=4), 16, seed=0).clone())


def test_restoring_does_not_let_the_history_grow(dananeer):
    batch = GameBatch(dananeer, 4, seed=0, episode="match")
    width = batch.clone().history.shape[1]
    for _ in range(20):
        batch.restore(batch.clone())
    assert batch.clone().history.shape[1] == width


def test_a_world_s_deck_and_replay_tell_the_world_and_not_the_game(batch):
    for _ in range(3):
        batch.step(first_legal(batch))
    rows = np.arange(16)
    truth = [batch.position(row) for row in rows]
    batch.determinize(rows, batch.slots.to_play.astype(int), rows)
    state = batch.clone().state
    for row in rows:
        seat = truth[row].to_play
        dealt = [batch.game.card_text(int(card)) for card in state["deck"][row][: state["cursor"][row]]]
        assert sorted(state["deck"][row]) == list(range(52))
        unseen = set(truth[row].hands[1 - seat]) - {card for card, _ in truth[row].known[seat]}
        assert set(batch.position(row).hands[1 - seat]) <= set(dealt) | {card for card, _ in truth[row].known[seat]}
        if len(unseen) == 4 and not unseen & set(batch.position(row).hands[1 - seat]):
            assert not unseen & set(dealt)


def test_arrays_that_compiled_code_would_overrun_are_refused(batch):
    with pytest.raises(ValueError, match=r"rngs is uint32 \(1, 4\): expected uint32 \(16, 4\)"):
        batch.decide("random", batch.player_generators(1)[:1])
    with pytest.raises(ValueError, match="out is"):
        batch.state(out=np.zeros((16, 3), np.uint8))
    with pytest.raises(ValueError, match="learners is"):
        batch.advance(first_legal(batch), np.zeros(3, np.int8), np.zeros((16, 2), np.int8), batch.player_generators(1))


def test_large_carries_are_counted(dananeer):
    batch = GameBatch(dananeer, 1, seed=3, autoreset=False)
    batch.reset(carry=40_000)
    while not batch.slots.terminated.all():
        batch.step(first_legal(batch))
    assert sum(batch.position(0).points) + batch.position(0).carry >= 40_000
    assert min(batch.position(0).points) >= 0


def test_a_replay_keeps_decks_to_come_and_the_reward(dananeer):
    packs = [[int(card) for card in np.random.default_rng(seed).permutation(52)] for seed in range(3)]
    batch = GameBatch(dananeer, 1, seed=3, episode="match", reward="win", autoreset=False)
    batch.reset(decks=[packs], dealers=0)
    for _ in range(60):
        batch.step(first_legal(batch))
    twin = load_replay(batch.replay(0))
    assert twin.reward == "win"
    while not batch.slots.terminated.all():
        batch.step(first_legal(batch))
        twin.step(first_legal(twin))
        assert twin.position() == batch.position()


def test_threads_make_no_difference(dananeer):
    one, three = GameBatch(dananeer, 100, seed=1), GameBatch(dananeer, 100, seed=1, threads=3)
    for _ in range(100):
        one.step(first_legal(one))
        three.step(first_legal(three))
    for a, b in zip(one.slots.arrays(), three.slots.arrays(), strict=True):
        assert np.array_equal(a, b)
    actions = first_legal(three)
    actions[99] = 60
    before = three.clone().state.tobytes()
    with pytest.raises(IllegalActionError, match="row 99"):
        three.step(actions)
    assert three.clone().state.tobytes() == before
    pickle.loads(pickle.dumps(three)).step(first_legal(three))


def test_a_sequence_of_seeds_gives_each_row_a_single_environments_stream(dananeer):
    batch = GameBatch(dananeer, 3, seed=0)
    batch.reset(seed=[5, 6, 5])
    singles = [GameBatch(dananeer, 1, seed=seed).position() for seed in (5, 6, 5)]
    assert [batch.position(row) for row in range(3)] == singles


def test_no_seed_draws_one_from_the_system(dananeer):
    assert GameBatch(dananeer, 1).position() != GameBatch(dananeer, 1).position()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"episode": "rounds"}, "did you mean 'round'"),
        ({"reward": "point"}, "did you mean 'points'"),
        ({"num_envs": 0}, "at least one game"),
        ({"seed": -1}, "seed is -1"),
        ({"seed": 2**63}, "seed is"),
        ({"seed": 1.5}, "seed is 1.5"),
    ],
)
def test_options_that_make_no_sense_are_refused(dananeer, options, message):
    with pytest.raises(ValueError, match=message):
        GameBatch(dananeer, **options)


def test_determinize_depends_on_its_seeds_only(batch):
    twin = copy.deepcopy(batch)
    batch.determinize([0, 1], 0, [7, 7])
    twin.determinize([1], 0, 7)
    assert batch.position(1) == twin.position(1)
    twin.determinize([1], 0, 8)
    assert batch.position(1) != twin.position(1)
    with pytest.raises(ValueError, match="seats run from 2"):
        batch.determinize([0], 2, [1])


def test_a_replay_of_an_imagined_game_tells_it_from_then_on(batch):
    batch.step(first_legal(batch))
    batch.determinize([4], int(batch.slots.to_play[4]), 3)
    for _ in range(5):
        batch.step(first_legal(batch))
    assert load_replay(batch.replay(4)).position() == batch.position(4)
    assert '"position"' in batch.replay(4)
    assert '"position"' not in batch.replay(5)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda line: line[:200], "not a replay"),
        (lambda _: "{}", "not a replay"),
        (lambda line: line.replace('"format": 1', '"format": 9'), "reads format 1"),
        (lambda line: line.replace('"game": "dananeer"', '"game": "dananer"'), "did you mean"),
        (lambda line: line.replace('"actions": [', '"actions": [51, 51, '), "illegal action"),
    ],
)
def test_a_spoilt_replay_says_what_is_wrong(batch, spoil, message):
    batch.step(first_legal(batch))
    with pytest.raises(ValueError, match=message):
        load_replay(spoil(batch.replay(0)))


def test_scores_that_the_actions_do_not_make_are_found(dananeer):
    batch = GameBatch(dananeer, 1, seed=1, autoreset=False)
    while not batch.slots.terminated.all():
        batch.step(first_legal(batch))
    line = batch.replay(0)
    points = list(batch.position(0).points)
    wrong = line.replace(f'"scores": {points}'.replace("'", '"'), '"scores": [1, 2]')
    assert wrong != line
    with pytest.raises(ValueError, match="scores are not those"):
        load_replay(wrong)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stock": ()}, "nowhere"),
        ({"to_play": 7}, "to_play is 7"),
        ({"to_play": None}, "exactly when the round is over"),
        ({"floor": ("KS", "KS")}, "twice: .*KS"),
        ({"flor": ()}, "did you mean 'floor'"),
        ({"trick": [[0, "2C"]]}, "this game has no trick"),
        ({"points": [1, 2, 3]}, "one for each of 2 sides"),
        ({"points": [10**9, 0], "basras": []}, "a round is worth 0 to"),
        ({"dealer": "x"}, "dealer is 'x': seats are 0 to 1"),
        ({"dealer": None}, "dealer is None"),
        ({"floor": "7D"}, "floor is '7D': expected a list of cards"),
        ({"last_capturer": True}, "last_capturer is True"),
        ({"carry": -30}, "carry is -30"),
        ({"basras": [200, 0]}, "basras is .*expected 0 to"),
        ({"known": [[["JC", "hand"]] * 100] * 2}, "each card once"),
        ({"known": [[["JC", "sleeve"]]] * 2}, "known is"),
        ({"plays": [[100, "2C"]]}, "plays is"),
        ({"match_over": True}, "a match ends with a round"),
        ({"known": [[["2C", "stock"]], [["2C", "stock"]]]}, "known says 2C|must be the last"),
        ({"to_play": None, "round_over": True}, "must be empty"),
    ],
)
def test_a_position_that_no_game_reaches_is_refused(batch, change, message):
    before = batch.clone().state.tobytes()
    with pytest.raises(ValueError, match=message):
        batch.set_position(0, {**batch.position(0).to_json(), **change})
    assert batch.clone().state.tobytes() == before


def test_a_long_match_outgrows_its_history(dananeer):
    from basra_env import make

    batch = GameBatch(make("dananeer", target=2000), 2, seed=1, episode="match", autoreset=False)
    rngs = batch.player_generators(1)
    while not batch.slots.terminated.all():
        batch.step(batch.decide("greedy", rngs))
    end = batch.position(0)
    assert len(end.rounds) > 30
    assert load_replay(batch.replay(0)).position() == end
