"""Endgames in which no card is hidden, solved exactly: alpha-beta over records, compiled once a family of games.

Two sides, nothing left to chance: each knows what the other holds, since it remembers what is gone. Values are
differences, own side less the other, of what is won from here on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import lowest, popcount
from basra_env.core.dispatch import all_known, apply, legal, standing
from basra_env.core.driver import note_action
from basra_env.core.jit import entry_point, kernel
from basra_env.core.match import side_of
from basra_env.core.record import TERMINAL

POINTS, WIN = 0, 1
"""What is played for: the points of the rounds, or the end of the episode, where every line of play reaches it."""
_ANY_GOES_ON = 2
"""Asks whether a line of play ends with the episode still going on."""
UNSOLVED = -(2**62)
"""Value of an action that is illegal, or of any where the search was too long."""
_INFINITE = 2**60

NODE, COUNT, NEXT, BEST, ALPHA, BETA, FIRST = range(7)
"""Columns of `frames`: a node's record in `stack`, its children, how many were looked at, the best value of them, the
window; then the children in the order they are looked at."""


@entry_point
def solve_rows(
    state: np.ndarray,
    rows: np.ndarray,
    rules: Any,
    aim: int,
    most_nodes: int,
    stack: np.ndarray,
    frames: np.ndarray,
    values: np.ndarray,
) -> int:
    """Write what each legal action of the seat to play is worth, both sides playing their best from there on.

    Args:
        state: record (B,), read only.
        rows: int64 (n,).
        rules: of the game, of two sides.
        aim: POINTS, or WIN: 1, 0 or -1 for the end of the episode; rows with a line of play that does not reach it are
            solved for points.
        most_nodes: a row that needs more is left unsolved.
        stack: record (D x W,) to work in: D plies deep, W legal actions wide.
        frames: int64 (D, FIRST + W) to work in.
        values: int64 (n, A) owned by the caller; UNSOLVED for illegal actions, and in rows with hidden cards.

    Returns:
        Nodes looked at in all.
    """
    width = frames.shape[1] - FIRST
    total = 0
    for k in range(rows.shape[0]):
        for action in range(values.shape[1]):
            values[k, action] = UNSOLVED
        s = state[rows[k]]
        if s["to_play"] < 0 or not all_known(s, rules):
            continue
        budget = most_nodes
        kind = POINTS
        if aim == WIN:
            stack[0] = s
            goes_on, nodes = _search(stack, frames, width, rules, _ANY_GOES_ON, -_INFINITE, _INFINITE, budget)
            total += nodes
            kind = POINTS if goes_on else WIN
        sign = 1 if side_of(int(s["to_play"]), rules) == 0 else -1
        now = 0 if kind == WIN else standing(s, 0, rules) - standing(s, 1, rules)
        actions = legal(s, rules)
        while actions:
            action = lowest(actions)
            actions &= actions - 1
            stack[0] = s
            _play(stack, 0, action, rules)
            value, nodes = _search(stack, frames, width, rules, kind, -_INFINITE, _INFINITE, budget)
            total += nodes
            budget -= nodes
            if budget <= 0:
                for each in range(values.shape[1]):
                    values[k, each] = UNSOLVED
                break
            values[k, action] = sign * (value - now)
    return total


@kernel
def _play(stack: np.ndarray, place: int, action: int, rules: Any) -> None:
    s = stack[place]
    note_action(s, action)
    apply(s, action, rules)


@kernel
def _search(
    stack: np.ndarray, frames: np.ndarray, width: int, rules: Any, kind: int, alpha: int, beta: int, budget: int
) -> tuple[int, int]:
    """The value of `stack[0]`, side 0 less side 1, and how many nodes it took; no recursion, whose code is not kept."""
    if stack[0]["to_play"] == TERMINAL:
        return _leaf(stack[0], rules, kind), 1
    depth = 0
    _open(stack, frames, width, rules, kind, 0, 0, alpha, beta)
    nodes = 1
    while True:
        frame = frames[depth]
        if frame[NEXT] == frame[COUNT] or frame[ALPHA] >= frame[BETA] or nodes >= budget:
            if depth == 0:
                return int(frame[BEST]), nodes
            depth -= 1
            _take_in(stack, frames[depth], rules, kind, int(frame[BEST]))
            continue
        child = int(frame[FIRST + frame[NEXT]])
        frame[NEXT] += 1
        nodes += 1
        if stack[child]["to_play"] == TERMINAL:
            _take_in(stack, frame, rules, kind, _leaf(stack[child], rules, kind))
            continue
        depth += 1
        _open(stack, frames, width, rules, kind, depth, child, int(frame[ALPHA]), int(frame[BETA]))


@kernel
def _maximises(s: Any, rules: Any, kind: int) -> bool:
    return kind == _ANY_GOES_ON or side_of(int(s["to_play"]), rules) == 0


@kernel
def _open(
    stack: np.ndarray,
    frames: np.ndarray,
    width: int,
    rules: Any,
    kind: int,
    depth: int,
    node: int,
    alpha: int,
    beta: int,
) -> None:
    """Begin a node: all its children are played, and put in order by what they win at once."""
    s = stack[node]
    frame = frames[depth]
    maximises = _maximises(s, rules, kind)
    frame[NODE] = node
    frame[NEXT] = 0
    frame[ALPHA] = alpha
    frame[BETA] = beta
    frame[BEST] = -_INFINITE if maximises else _INFINITE
    actions = legal(s, rules)
    count = popcount(actions)
    frame[COUNT] = count
    sign = 1 if maximises else -1
    for nth in range(count):
        action = lowest(actions)
        actions &= actions - 1
        child = (depth + 1) * width + nth
        stack[child] = s
        _play(stack, child, action, rules)
        won = sign * (standing(stack[child], 0, rules) - standing(stack[child], 1, rules))
        place = nth
        while place > 0:
            other = stack[frame[FIRST + place - 1]]
            if sign * (standing(other, 0, rules) - standing(other, 1, rules)) >= won:
                break
            frame[FIRST + place] = frame[FIRST + place - 1]
            place -= 1
        frame[FIRST + place] = child


@kernel
def _take_in(stack: np.ndarray, frame: np.ndarray, rules: Any, kind: int, value: int) -> None:
    """A child's value reaches its node."""
    if _maximises(stack[frame[NODE]], rules, kind):
        frame[BEST] = max(int(frame[BEST]), value)
        frame[ALPHA] = max(int(frame[ALPHA]), value)
    else:
        frame[BEST] = min(int(frame[BEST]), value)
        frame[BETA] = min(int(frame[BETA]), value)
    if kind == _ANY_GOES_ON and value:
        frame[ALPHA] = frame[BETA]


@kernel
def _leaf(s: Any, rules: Any, kind: int) -> int:
    over = s["match_over"] or not s["match"]
    if kind == _ANY_GOES_ON:
        return 0 if over else 1
    difference = standing(s, 0, rules) - standing(s, 1, rules)
    if kind == POINTS:
        return difference
    return 1 if difference > 0 else -1 if difference < 0 else 0
