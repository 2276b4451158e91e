"""`ismcts`: information-set Monte Carlo tree search. The action that is visited most in a tree over imagined worlds."""

from __future__ import annotations

import time

import numpy as np

from agents.base import Turn
from agents.cores import count_cores, on_cores
from agents.rollouts import deals_until
from agents.tree import NODE, grow_tree
from basra_env import GameBatch
from basra_env.core.batch import policy_code

_GO = 32
"""Iterations between two looks at the clock."""
_DEEPEST = 64
"""Actions of one iteration that the tree remembers."""
_STREAMS = 1 << 24
"""Worlds set apart for each tree of a decision."""


class Ismcts:
    """Grows trees, which all imagined worlds share; a built-in player plays on from where a tree is left."""

    def __init__(
        self,
        iterations: int = 400,
        rollout: str = "greedy",
        horizon: int = -1,
        exploration: float = 20.0,
        patience: int = 30,
        nodes: int = 20_000,
        trees: int = 1,
        milliseconds: float = 0.0,
        threads: int = 0,
    ) -> None:
        """Set it up.

        Args:
            iterations: worlds for each tree.
            rollout: the built-in player that plays on in every seat.
            horizon: it plays on until so many more deals would be made, and what the game then promises counts; 0: to the
                end of the round; -1: as far as it pays in that family of games.
            exploration: in points of the game: how far an action may lag behind and still be tried.
            patience: visits of a node before it is given children: until then the built-in player answers there.
            nodes: most of a tree; when it is full it only learns what its nodes are worth.
            trees: for each decision, their visits added up: so many cores can think about one decision.
            milliseconds: for each decision, in place of `iterations`; such play depends on the machine.
            threads: to share the work among, 0 for one a core; the play does not depend on it.

        Raises:
            ValueError: nothing to grow, or a negative number.
        """
        if min(iterations, trees, nodes - 1) < 1 or min(exploration, patience, milliseconds, horizon + 1) < 0:
            raise ValueError(
                "expected at least one iteration, one tree and two nodes, and no negative number, got "
                f"{iterations=}, {trees=}, {nodes=}, {horizon=}, {exploration=}, {patience=}, {milliseconds=}"
            )
        self.name = "ismcts"
        self.iterations = iterations
        self.rollout = rollout
        self.horizon = horizon
        self.exploration = exploration
        self.patience = patience
        self.nodes = nodes
        self.trees = trees
        self.milliseconds = milliseconds
        self.threads = count_cores(threads)

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`; of actions visited as often the one worth more, then the lowest id."""
        visits, totals = self._search(turn)
        most = visits == visits.max(1, keepdims=True)
        best: np.ndarray = np.where(most & turn.action_mask, totals, -np.inf).argmax(1)
        return best

    def values(self, turn: Turn) -> np.ndarray:
        """float64 (n, A): mean points won over the others' mean from here to the end of the round; -inf where illegal.

        A forced action is worth 0: it needs no thought. So is one that no iteration came to.
        """
        visits, totals = self._search(turn)
        return np.where(turn.action_mask, totals / np.maximum(visits, 1), -np.inf)

    def _search(self, turn: Turn) -> tuple[np.ndarray, np.ndarray]:
        """Visits int64 (n, A) and total points float64 (n, A) of each action, zero where there is no choice."""
        visits = np.zeros(turn.action_mask.shape, np.int64)
        totals = np.zeros(turn.action_mask.shape)
        choices = np.flatnonzero(turn.action_mask.sum(1) > 1)
        if len(choices):
            thought = turn.take(choices)
            worlds = thought.worlds(thought.seeds)
            every = [(row, tree) for row in range(len(choices)) for tree in range(self.trees)]
            parts = [every[start :: self.threads] for start in range(self.threads)]
            grown = on_cores(lambda part: self._grow(worlds, thought, part), parts, self.threads)
            roots = {
                job: root for part, done in zip(parts, grown, strict=True) for job, root in zip(part, done, strict=True)
            }
            for row, tree in every:
                seen, won = roots[row, tree]
                visits[choices[row]] += seen
                totals[choices[row]] += won
        return visits, totals

    def _grow(self, worlds: GameBatch, turn: Turn, jobs: list[tuple[int, int]]) -> list[tuple[np.ndarray, np.ndarray]]:
        """Visits and totals (A,) at the root of each tree (row, number of the tree)."""
        spec, policy = worlds.game.spec, policy_code(worlds.game, self.rollout)
        most = self.nodes if self.milliseconds else min(self.nodes, self.iterations + 1)
        tree = np.zeros(most, NODE)
        path, games = np.zeros(_DEEPEST, np.int64), np.zeros(2, worlds._state.dtype)
        rng, scratch = np.zeros(4, np.uint32), np.zeros((3, len(spec.cards)), np.int8)
        roots = []
        for row, number in jobs:
            deadline = time.perf_counter() + self.milliseconds / 1e3
            size, first, done = 1, number * _STREAMS, 0
            while done == 0 or time.perf_counter() < deadline:
                more = _GO if self.milliseconds else self.iterations
                size = grow_tree(
                    worlds._state, row, int(turn.seeds[row]), first + done, first + done + more, self.exploration, self.patience,
                    policy, deals_until(self.horizon, worlds.game), worlds.game.rules, tree, size, path, games, rng, scratch,
                )  # fmt: skip
                done += more
            roots.append(_at_root(tree, spec.num_actions))
            tree[:size] = np.zeros((), NODE)
        return roots


def _at_root(tree: np.ndarray, num_actions: int) -> tuple[np.ndarray, np.ndarray]:
    visits, totals = np.zeros(num_actions, np.int64), np.zeros(num_actions)
    node = int(tree["first_child"][0])
    while node:
        visits[tree["action"][node]] = tree["visits"][node]
        totals[tree["action"][node]] = tree["total"][node]
        node = int(tree["next_sibling"][node])
    return visits, totals
