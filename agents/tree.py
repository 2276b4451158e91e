"""Information-set tree search with one observer, compiled: one tree, of bounded size, shared by all imagined worlds.

A node is a sequence of actions since the root, whoever took them. In each iteration a world is imagined, the tree is
followed along actions that are legal in it, one node is added, and a built-in player plays on to the end of the round.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from agents.rollouts import UNIT, gained, play, play_on
from basra_env.core.bits import highest, lowest
from basra_env.core.chance import WORLDS, seed_generator
from basra_env.core.dispatch import decide, legal, resample
from basra_env.core.jit import entry_point, kernel
from basra_env.core.match import num_sides

NODE = np.dtype(
    [
        ("total", np.float64),  # points that iterations through it won for the seat that chose it
        ("visits", np.int32),
        ("available", np.int32),  # iterations that stood at its parent while its action was legal
        ("first_child", np.int32),  # 0: none
        ("next_sibling", np.int32),  # 0: none
        ("action", np.int32),
        ("seat", np.int32),  # that chose it
    ],
    align=True,
)
"""One node of the tree; node 0 is the root."""
_LOGARITHM_OF_TWO = 0.6931471805599453


@entry_point
def grow_tree(
    state: np.ndarray,
    row: int,
    seed: int,
    first: int,
    last: int,
    exploration: float,
    patience: int,
    policy: int,
    deals: int,
    rules: Any,
    tree: np.ndarray,
    size: int,
    path: np.ndarray,
    games: np.ndarray,
    rng: np.ndarray,
    scratch: np.ndarray,
) -> int:
    """Add iterations to the tree of one decision.

    Args:
        state: record (B,), read only.
        row: of a game that is not over.
        seed: iteration i depends on it, on i and on those before.
        first, last: iterations first to last - 1 are made.
        exploration: in points: how far an action may lag behind and still be tried.
        patience: visits of a node before it is given children: until then a built-in player answers there.
        policy: index of the built-in player that plays on from a leaf.
        deals: as for `roll_out_rows`.
        rules: of the game.
        tree: NODE (M,); when it is full no node is added. A new one is all zeros.
        size: nodes used so far, at least 1, the root.
        path: int64 (L,) to work in: the nodes of one iteration.
        games: record (2,) to work in: the world now, and as it began.
        rng: uint32 (4,) to work in.
        scratch: int8 (3, D) to work in.

    Returns:
        Nodes used.
    """
    s = state[row]
    for iteration in range(first, last):
        seed_generator(rng, seed, WORLDS + iteration)
        games[0] = s
        resample(games[0], int(s["to_play"]), rules, rng, scratch)
        games[1] = games[0]
        size, depth, left = _descend(games[0], tree, size, path, exploration, patience, policy, deals, rules, rng)
        play_on(games[0], policy, rules, rng, left)
        for step in range(depth):
            node = tree[path[step]]
            won = gained(games[1], games[0], int(node["seat"]), rules)
            node["visits"] += 1
            node["total"] += won / (UNIT * (num_sides(rules) - 1))
    return size


@kernel
def _descend(
    s: Any,
    tree: np.ndarray,
    size: int,
    path: np.ndarray,
    exploration: float,
    patience: int,
    policy: int,
    deals: int,
    rules: Any,
    rng: np.ndarray,
) -> tuple[int, int, int]:
    """Follow the tree in one world until it is left, one node more if there is room: its size, the depth, deals left."""
    parent = 0
    depth = 0
    while s["to_play"] >= 0 and depth < path.shape[0] and (parent == 0 or tree[parent]["visits"] >= patience):
        node, untried = _choose(s, tree, parent, exploration, rules)
        grows = untried != 0 and size < tree.shape[0]
        if grows:
            action = decide(s, policy, rules, rng)
            if not (untried >> action) & 1:
                action = lowest(untried)
            node = size
            size += 1
            new = tree[node]
            new["action"] = action
            new["seat"] = s["to_play"]
            new["available"] = 1
            new["next_sibling"] = tree[parent]["first_child"]
            tree[parent]["first_child"] = node
        if node == 0:
            break
        path[depth] = node
        depth += 1
        deals = play(s, int(tree[node]["action"]), rules, deals)
        if grows:
            break
        parent = node
    return size, depth, deals


@kernel
def _choose(s: Any, tree: np.ndarray, parent: int, exploration: float, rules: Any) -> tuple[int, int]:
    """The most promising child that is legal in this world, 0 if none; and the legal actions that have no child yet."""
    legal_here = legal(s, rules)
    untried = legal_here
    best = 0
    best_worth = 0.0
    node = int(tree[parent]["first_child"])
    while node:
        child = tree[node]
        bit = 1 << int(child["action"])
        if legal_here & bit:
            untried &= ~bit
            child["available"] += 1
            bonus = math.sqrt(_logarithm(int(child["available"])) / child["visits"])
            worth = child["total"] / child["visits"] + exploration * bonus
            if best == 0 or worth > best_worth:
                best = node
                best_worth = worth
        node = int(child["next_sibling"])
    return best, untried


@kernel
def _logarithm(n: int) -> float:
    """The natural logarithm of 1 or more, to nine digits.

    That of the machine's library may differ in its last digit from another's, and with it what is played.
    """
    twos = highest(n)
    part = n / (1 << twos)  # 1 or more, less than 2
    y = (part - 1.0) / (part + 1.0)
    z = y * y
    series = 1.0 + z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z * (1 / 11 + z * (1 / 13 + z / 15))))))
    return twos * _LOGARITHM_OF_TWO + 2.0 * y * series
