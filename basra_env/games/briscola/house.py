"""The built-in players of Briscola: compiled, so that environments can move them without leaving a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import lowest, nth_card, popcount
from basra_env.core.chance import below
from basra_env.core.jit import kernel
from basra_env.core.match import side_of
from basra_env.games.briscola.kernels import (
    beats,
    count_that_beat,
    legal,
    stock_size,
    trick_points,
    unseen_by,
    winning_seat,
)
from basra_env.games.briscola.rules import CARDS, POINTS, STRENGTH, Rules
from basra_env.games.briscola.tactician import WEIGHTS, tactician

POLICIES = ("random", "greedy", "tactician")

# Greedy's scale, in tenths of a point.
_POINT = 10
_TRUMP = 25  # a trump is kept, the more the higher
_TRUMP_STRENGTH = 6
_PLAIN_STRENGTH = 1


@kernel
def decide(s: Any, policy: int, rules: Rules, rng: np.ndarray) -> int:
    """The action that `POLICIES[policy]` takes for the seat to play."""
    actions = legal(s, rules)
    if policy == 0:
        return nth_card(actions, below(rng, popcount(actions)))
    return _greedy(s, actions, rules) if policy == 1 else tactician(s, rules, WEIGHTS)


@kernel
def _greedy(s: Any, actions: int, rules: Rules) -> int:
    """One ply: the trick's points, by the chance to win it, less what the card is worth kept; of equals the lowest id.

    It exchanges whenever that gives a higher trump.
    """
    seat = int(s["to_play"])
    best_action = -1
    best = 0
    rest = actions
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        if action >= CARDS:
            low = 0 if action > CARDS else STRENGTH[6]
            worth = 1000 if STRENGTH[int(s["face_up"]) >> 2] > low else -1000
        else:
            worth = _worth(s, seat, action, rules)
        if best_action < 0 or worth > best:
            best_action = action
            best = worth
    return best_action


@kernel
def _worth(s: Any, seat: int, card: int, rules: Rules) -> int:
    trump = int(s["trump"])
    size = int(s["trick_size"])
    lying = trick_points(s) + int(POINTS[card >> 2])
    holder = winning_seat(s, rules)
    wins = True
    best = card
    for place in range(size):
        if not beats(card, int(s["trick"][place]), trump):
            wins = False
    if not wins:
        best = int(s["trick"][0])
        for place in range(1, size):
            if beats(int(s["trick"][place]), best, trump):
                best = int(s["trick"][place])
    ours = wins or side_of(holder, rules) == side_of(seat, rules)
    # The chance that a later player takes the trick, in 120ths: by how many of the unseen cards could.
    unseen = unseen_by(s, seat, rules)
    others = rules.players - size - 1
    opponents = (others + 1) // 2 if rules.teams else others
    in_hands = 3 if stock_size(s) else max(popcount(int(s["hands"][seat])), 1)
    taken = 120 * count_that_beat(unseen, best, trump) * in_hands * opponents // max(popcount(unseen), 1)
    taken = min(taken, 120)
    gain = lying * (120 - 2 * taken) // 120 if ours else -lying
    kept = _PLAIN_STRENGTH * int(STRENGTH[card >> 2])
    if card & 3 == trump & 3:
        kept = _TRUMP + _TRUMP_STRENGTH * int(STRENGTH[card >> 2])
    if stock_size(s) == 0:
        kept = 0
    return _POINT * gain - kept
