"""Flat Monte Carlo over imagined worlds, compiled: deal what is hidden anew, play each action, play on to the end.

All actions of a decision are tried in the same worlds and with the same draws, so that what the cards bring is not
taken for what an action is worth.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env import Game
from basra_env.core.bits import lowest
from basra_env.core.chance import WORLDS, seed_generator
from basra_env.core.dispatch import apply, deal, decide, legal, outlook, resample, standing
from basra_env.core.driver import note_action
from basra_env.core.jit import entry_point, kernel
from basra_env.core.match import num_sides, side_of
from basra_env.core.record import CHANCE

UNIT = 1000
"""Of `gained`: so many are a point."""
_EVERY_DEAL = 1000
"""More deals than a round has."""


def deals_until(horizon: int, game: Game) -> int:
    """Deals that are made before play stops: at the `horizon`-th from now; none stops it for 0; the family's for -1."""
    if horizon < 0:
        horizon = game.family.horizon
    return horizon - 1 if horizon else _EVERY_DEAL


@entry_point
def roll_out_rows(
    state: np.ndarray,
    rows: np.ndarray,
    seeds: np.ndarray,
    first: int,
    last: int,
    policy: int,
    deals: int,
    rules: Any,
    games: np.ndarray,
    rngs: np.ndarray,
    scratch: np.ndarray,
    gains: np.ndarray,
    usual: np.ndarray,
    totals: np.ndarray,
    squares: np.ndarray,
) -> int:
    """Add up, for each action of the seat to play, what it wins from here to the end of the round in many worlds.

    Args:
        state: record (B,), read only.
        rows: int64 (n,) games that are not over.
        seeds: int64 (n,); world w of a row depends on its seed and w alone.
        first, last: worlds first to last - 1 are imagined.
        policy: index of the built-in player that plays on in every seat.
        deals: play stops, and the outlook is taken, where chance would deal once more.
        rules: of the game.
        games: record (2,) to work in.
        rngs: uint32 (2, 4) to work in.
        scratch: int8 (3, D) to work in.
        gains: int64 (A,) to work in.
        usual: int64 (n,) the action that the others are compared with.
        totals: int64 (n, A), added to: the sum of what was `gained`.
        squares: float64 (n, A), added to: the sum of the squares of what was gained more than by the usual action; sums of
            whole numbers, the same in whatever order.

    Returns:
        Rounds played to their end.
    """
    played = 0
    for k in range(rows.shape[0]):
        s = state[rows[k]]
        seat = int(s["to_play"])
        for world in range(first, last):
            seed_generator(rngs[0], seeds[k], WORLDS + world)
            games[0] = s
            resample(games[0], seat, rules, rngs[0], scratch)
            actions = legal(s, rules)
            rest = actions
            while rest:
                action = lowest(rest)
                rest &= rest - 1
                games[1] = games[0]
                for word in range(4):
                    rngs[1, word] = rngs[0, word]
                left = play(games[1], action, rules, deals)
                play_on(games[1], policy, rules, rngs[1], left)
                gains[action] = gained(games[0], games[1], seat, rules)
                played += 1
            while actions:
                action = lowest(actions)
                actions &= actions - 1
                more = float(gains[action] - gains[usual[k]])
                totals[k, action] += gains[action]
                squares[k, action] += more * more
    return played


@kernel
def play(s: Any, action: int, rules: Any, deals: int) -> int:
    """One decision, noted as the driver notes it, and what chance deals after it, at most `deals` times: what is left of them.

    Where the next deal would be one too many the game stays as it is, CHANCE to play.
    """
    note_action(s, action)
    apply(s, action, rules)
    while s["to_play"] == CHANCE and deals > 0:
        deal(s, rules)
        deals -= 1
    return deals


@kernel
def play_on(s: Any, policy: int, rules: Any, rng: np.ndarray, deals: int) -> None:
    """A built-in player in every seat to the end of the round, or until chance has dealt `deals` times."""
    while s["to_play"] >= 0:
        deals = play(s, decide(s, policy, rules, rng), rules, deals)


@kernel
def gained(before: Any, after: Any, seat: int, rules: Any) -> int:
    """What the side of `seat` has won, by the outlook `after`, more than the mean of the others since `before`.

    In thousandths of a point times the number of other sides: a whole number, whose sums do not depend on their order.
    """
    own = side_of(seat, rules)
    others = 0.0
    for side in range(num_sides(rules)):
        if side != own:
            others += outlook(after, side, rules) - standing(before, side, rules)
    mine = outlook(after, own, rules) - standing(before, own, rules)
    return round(UNIT * (mine * (num_sides(rules) - 1) - others))
