"""Batch loops in compiled code: step, reset, observe and resample many records of one game.

Each function is one entry point that numba compiles once a family. `rows` are indices into `state`; `lines` are
the indices of the same games in the arrays written to. Everything written belongs to the caller.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import write_plane
from basra_env.core.chance import WORLDS, below, next_word, seed_generator, shuffle
from basra_env.core.dispatch import all_known, apply, deal, decide, legal, observe, resample, reveal, standing
from basra_env.core.jit import entry_point, inlined_kernel, kernel
from basra_env.core.match import num_sides, seat_after, side_of
from basra_env.core.record import CHANCE, MAX_SEATS, TERMINAL

Array = np.ndarray

POINTS = 0
WIN = 1
"""Kinds of reward."""


def history_dtype(record: np.dtype[np.void]) -> np.dtype[np.void]:
    """What is kept of each round of a match beside its record: enough to replay it.

    deck, actions, dealer: as in the record; plies: uint8 decisions made; points: int32 (4,) a side;
    given: uint8 1 where `deck` was handed over for a round still to come.
    """
    deck, actions = _field(record, "deck"), _field(record, "actions")
    flags = [("dealer", np.int8), ("plies", np.uint8), ("given", np.uint8)]
    used = 4 * MAX_SEATS + deck[1][0] + actions[1][0] + len(flags)
    fields: list[Any] = [("points", np.int32, (MAX_SEATS,)), ("deck", *deck), ("actions", *actions), *flags]
    return np.dtype([*fields, ("pad", np.uint8, (4 - used % 4,))], align=True)


def _field(record: np.dtype[np.void], name: str) -> tuple[Any, tuple[int, ...]]:
    return record[name].base, record[name].shape


@entry_point
def check_rows(state: Array, rows: Array, actions: Array, rules: Any) -> int:
    """First line whose action is illegal, -1 if there is none. A finished game takes -1 and nothing else."""
    return _first_illegal(state, rows, actions, rules)


@entry_point
def step_rows(
    state: Array,
    history: Array,
    rows: Array,
    lines: Array,
    actions: Array,
    rules: Any,
    cards: Array,
    reward: int,
    autoreset: bool,
    obs: Array,
    mask: Array,
    to_play: Array,
    rewards: Array,
    terminated: Array,
    final_obs: Array,
    final_scores: Array,
) -> tuple[int, int]:
    """Play one decision in each row and write what follows; nothing changes if any action is illegal.

    Args:
        state: record (B,) games.
        history: rounds (B, R) of matches; (B, 0) where episodes are rounds.
        rows: int64 (n,) rows to step, none twice.
        lines: int64 (n,) where each goes in the arrays below.
        actions: int64 (n,) one decision a row.
        rules: of the game.
        cards: int8 (D,) the pack in id order.
        reward: POINTS or WIN.
        autoreset: start the next episode in the same step.
        obs, mask, to_play, rewards, terminated, final_obs, final_scores: as in `Slots`, `mask` viewed as uint8.

    Returns:
        The first line with an illegal action or -1, and the most rounds any of the rows has finished.
    """
    bad = _first_illegal(state, rows, actions, rules)
    most = 0
    if bad >= 0:
        return bad, most
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        line = lines[k]
        if s["to_play"] >= 0:
            _advance(s, history, rows[k], actions[k], rules, cards, reward, rewards[line])
        else:
            for seat in range(rules.players):
                rewards[line, seat] = 0
        ended = s["to_play"] == TERMINAL
        terminated[line] = ended
        if ended and autoreset:
            for seat in range(rules.players):
                observe(s, seat, rules, final_obs[line][seat])
            for side in range(final_scores.shape[1]):
                final_scores[line][side] = standing(s, side, rules)
            _begin_episode(s, history, rows[k], -1, rules, cards)
        most = max(most, int(s["rounds"]))
        _show(s, line, rules, obs, mask, to_play)
    return bad, most


@entry_point
def advance_rows(
    state: Array,
    history: Array,
    rows: Array,
    actions: Array,
    learners: Array,
    policies: Array,
    rngs: Array,
    rules: Any,
    cards: Array,
    reward: int,
    rewards: Array,
    terminated: Array,
    paid: Array,
) -> tuple[int, int]:
    """Play a given decision, then those of built-in policies, until the learner or a seat without one is to play.

    Args:
        state, history, rows, rules, cards, reward: as for `step_rows`.
        actions: int64 (n,) decision of the seat to play; -1 where there is none, as after a reset.
        learners: int8 (B,) the learner's seat in each row.
        policies: int8 (B, P) index of the built-in policy in each seat, -1 for none.
        rngs: uint32 (B, 4) generators of the policies.
        rewards: float32 (n,) the learner's reward, summed over all decisions made here.
        terminated: bool (n,).
        paid: float32 (P,) to work in.

    Returns:
        As `step_rows`.
    """
    most = 0
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        if actions[k] != -1 and not _is_legal(s, actions[k], rules):
            return k, most
    for k in range(rows.shape[0]):
        row = rows[k]
        s = state[row]
        total = np.float32(0)
        if actions[k] >= 0:
            _advance(s, history, row, actions[k], rules, cards, reward, paid)
            total += paid[learners[row]]
        while s["to_play"] >= 0 and s["to_play"] != learners[row] and policies[row, s["to_play"]] >= 0:
            action = decide(s, int(policies[row, s["to_play"]]), rules, rngs[row])
            _advance(s, history, row, action, rules, cards, reward, paid)
            total += paid[learners[row]]
        rewards[k] = total
        terminated[k] = s["to_play"] == TERMINAL
        most = max(most, int(s["rounds"]))
    return -1, most


@entry_point
def begin_rows(
    state: Array, history: Array, rows: Array, dealers: Array, scores: Array, carries: Array, rules: Any, cards: Array
) -> None:
    """Start a new episode in each row; rounds that have a given deck in `history` or `state` use it.

    Args:
        state: record (B,); a row whose cursor is -1 is dealt the deck that its record already holds.
        history, rows, rules, cards: as for `step_rows`.
        dealers: int8 (n,) seat, or -1 to draw one from the row's generator.
        scores: int32 (n, 4) points a side to start from.
        carries: int32 (n,) to start from.
    """
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        _begin_match(s, int(dealers[k]), rules)
        for side in range(MAX_SEATS):
            s["scores"][side] = scores[k, side]
        s["carry"] = carries[k]
        _begin_round(s, history, rows[k], rules, cards)


@entry_point
def show_rows(state: Array, rows: Array, lines: Array, rules: Any, obs: Array, mask: Array, to_play: Array) -> None:
    """Write observation, mask and seat of each row, as `step_rows` does."""
    for k in range(rows.shape[0]):
        _show(state[rows[k]], lines[k], rules, obs, mask, to_play)


@entry_point
def observe_rows(state: Array, rows: Array, seats: Array, rules: Any, out: Array) -> None:
    """Write what each chosen seat sees of its game.

    Args:
        state: record (B,) games, read only.
        rows: int64 (n,) indices into `state`, repeats allowed.
        seats: int8 (n,) observing seat of each row.
        rules: of the game.
        out: uint8 (n, O) owned by the caller; line k belongs to `rows[k]`.
    """
    for k in range(rows.shape[0]):
        observe(state[rows[k]], int(seats[k]), rules, out[k])


@entry_point
def state_rows(state: Array, rows: Array, rules: Any, obs_size: int, out: Array) -> None:
    """Write the whole state, relative to the seat to play (seat 0 when the game is over), into uint8 (n, S)."""
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        seat = max(int(s["to_play"]), 0)
        observe(s, seat, rules, out[k, :obs_size])
        reveal(s, seat, rules, out[k, obs_size:])


@entry_point
def resample_rows(
    state: Array, rows: Array, seats: Array, seeds: Array, rules: Any, rng: Array, scratch: Array
) -> None:
    """Replace in each row all that `seats[k]` cannot know, drawn from `seeds[k]` alone.

    Args:
        state, rows, rules: as for `step_rows`.
        seats: int8 (n,).
        seeds: int64 (n,).
        rng: uint32 (4,) to work in.
        scratch: int8 (3, D) to work in.
    """
    for k in range(rows.shape[0]):
        seed_generator(rng, seeds[k], WORLDS)
        s = state[rows[k]]
        resample(s, int(seats[k]), rules, rng, scratch)
        for word in range(4):
            s["rng"][word] = next_word(rng)


@entry_point
def decide_rows(state: Array, rows: Array, policies: Array, rngs: Array, rules: Any, out: Array) -> None:
    """Write what the built-in policy of each row plays for its seat to play into int64 (n,); -1 when over.

    Args:
        state: record (B,), read only.
        rows: int64 (n,).
        policies: int8 (n,) index of the policy.
        rngs: uint32 (n, 4) generators, advanced.
        rules: of the game.
        out: int64 (n,) owned by the caller.
    """
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        out[k] = decide(s, int(policies[k]), rules, rngs[k]) if s["to_play"] >= 0 else -1


@entry_point
def known_rows(state: Array, rows: Array, rules: Any, out: Array) -> None:
    """Write for each row whether the seat to play can know all cards into bool (n,); False when over."""
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        out[k] = s["to_play"] >= 0 and all_known(s, rules)


@entry_point
def seed_rows(rngs: Array, seeds: Array, streams: Array) -> None:
    """Start generators: uint32 (n, 4), one stream for each (seed, stream)."""
    for k in range(rngs.shape[0]):
        seed_generator(rngs[k], seeds[k], streams[k])


@entry_point
def draw_rows(rngs: Array, n: int, out: Array) -> None:
    """Draw an integer in 0..n-1 from each generator into int64 (len(rngs),)."""
    for k in range(rngs.shape[0]):
        out[k] = below(rngs[k], n)


@inlined_kernel
def _is_legal(s: Any, action: int, rules: Any) -> bool:
    if s["to_play"] < 0:
        return action == -1
    return 0 <= action < 63 and (legal(s, rules) >> action) & 1 == 1


@kernel
def _first_illegal(state: Array, rows: Array, actions: Array, rules: Any) -> int:
    for k in range(rows.shape[0]):
        if not _is_legal(state[rows[k]], actions[k], rules):
            return k
    return -1


@kernel
def note_action(s: Any, action: int) -> None:
    """What comes before `apply`: the decision is noted, and its ply counted."""
    s["actions"][s["ply"]] = action
    s["ply"] += 1


@inlined_kernel
def _advance(s: Any, history: Array, row: int, action: int, rules: Any, cards: Array, reward: int, paid: Array) -> None:
    """Play one decision, pay every seat, and go on to the next decision of the episode or to its end."""
    before_0, before_1, before_2, before_3 = (
        standing(s, 0, rules),
        standing(s, 1, rules),
        standing(s, 2, rules),
        standing(s, 3, rules),
    )
    note_action(s, action)
    apply(s, action, rules)
    over = s["to_play"] == TERMINAL and not (s["match"] and not s["match_over"])
    if reward == POINTS:
        gain_0, gain_1 = standing(s, 0, rules) - before_0, standing(s, 1, rules) - before_1
        gain_2, gain_3 = standing(s, 2, rules) - before_2, standing(s, 3, rules) - before_3
        all_sides = gain_0 + gain_1 + gain_2 + gain_3
        for seat in range(rules.players):
            side = side_of(seat, rules)
            gain = gain_0 if side == 0 else gain_1 if side == 1 else gain_2 if side == 2 else gain_3
            paid[seat] = gain - (all_sides - gain) / (num_sides(rules) - 1)
    else:
        _pay_win(s, over, rules, paid)
    if s["to_play"] == TERMINAL and s["match"]:
        _log_round(s, history, row)
        if not over:
            s["dealer"] = seat_after(int(s["dealer"]), 1, rules.players)
            _begin_round(s, history, row, rules, cards)
    while s["to_play"] == CHANCE:
        deal(s, rules)


@kernel
def _pay_win(s: Any, over: bool, rules: Any, paid: Array) -> None:
    """1/k to each of k winning sides, -1/(n-k) to the others, 0 on a draw of all, and before the end."""
    best = standing(s, 0, rules)
    winners = 0
    for side in range(num_sides(rules)):
        best = max(best, standing(s, side, rules))
    for side in range(num_sides(rules)):
        winners += standing(s, side, rules) == best
    for seat in range(rules.players):
        if not over or winners == num_sides(rules):
            paid[seat] = 0
        elif standing(s, side_of(seat, rules), rules) == best:
            paid[seat] = 1 / winners
        else:
            paid[seat] = -1 / (num_sides(rules) - winners)


@kernel
def _copy(source: Array, target: Array) -> None:
    for place in range(source.shape[0]):
        target[place] = source[place]


@kernel
def _log_round(s: Any, history: Array, row: int) -> None:
    """Keep a finished round of a match for replays."""
    entry = history[row, int(s["rounds"]) - 1]
    _copy(s["deck"], entry["deck"])
    _copy(s["actions"], entry["actions"])
    _copy(s["points"], entry["points"])
    entry["dealer"] = s["dealer"]
    entry["plies"] = s["ply"]
    entry["given"] = 0


@kernel
def _begin_episode(s: Any, history: Array, row: int, dealer: int, rules: Any, cards: Array) -> None:
    for side in range(MAX_SEATS):
        s["scores"][side] = 0
    s["carry"] = 0
    _begin_match(s, dealer, rules)
    if s["match"]:
        for ahead in range(history.shape[1]):
            history[row, ahead]["given"] = 0
    _begin_round(s, history, row, rules, cards)


@kernel
def _begin_match(s: Any, dealer: int, rules: Any) -> None:
    s["rounds"] = 0
    s["match_over"] = 0
    s["dealer"] = dealer if dealer >= 0 else below(s["rng"], rules.players)


@kernel
def _begin_round(s: Any, history: Array, row: int, rules: Any, cards: Array) -> None:
    """Shuffle, or take the deck that was given, and deal until a seat is to play."""
    given = s["cursor"] == -1
    if s["match"]:
        entry = history[row, s["rounds"]]
        if entry["given"]:
            _copy(entry["deck"], s["deck"])
            given = True
    s["cursor"] = 0
    s["to_play"] = CHANCE
    while s["to_play"] == CHANCE:
        if s["cursor"] == 0 and not given:
            _copy(cards, s["deck"])
            shuffle(s["rng"], s["deck"], cards.shape[0])
        deal(s, rules)


@inlined_kernel
def _show(s: Any, line: int, rules: Any, obs: Array, mask: Array, to_play: Array) -> None:
    """Write the mover's observation and mask; when the game is over seat 0's, and no legal action."""
    seat = int(s["to_play"])
    to_play[line] = seat
    observe(s, max(seat, 0), rules, obs[line])
    write_plane(legal(s, rules), mask[line], 0, mask.shape[1])
