"""`solver`: plays endgames in which no card is hidden exactly, and all else as the agent it stands behind."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, Turn
from agents.endgame import FIRST, POINTS, UNSOLVED, WIN, solve_rows
from agents.greedy import Greedy
from basra_env import GameBatch

MOST_NODES = 1_000_000
"""A position that needs more is left to the other agent: the last packet of
`dananeer` needs about 600 nodes with hands of four cards and 40,000 with hands of six."""


class Solver:
    """Exact where the last cards are dealt and two play; before that, the agent it stands behind."""

    def __init__(self, before: Agent | None = None) -> None:
        """Args: before: who plays while cards are hidden; `greedy` if None."""
        self.before = before or Greedy()
        self.name = "solver" if before is None else f"{before.name}+solver"

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`; of actions worth the same the lowest id."""
        actions = np.full(len(turn), -1)
        known = np.flatnonzero(turn.all_known())
        if len(known):
            values = action_values(turn.take(known))
            solved = values.max(1) > UNSOLVED
            actions[known[solved]] = values[solved].argmax(1)
        rest = np.flatnonzero(actions < 0)
        if len(rest):
            actions[rest] = self.before.act(turn.take(rest))
        return actions


def action_values(turn: Turn, most_nodes: int = MOST_NODES) -> np.ndarray:
    """What each action is worth from here on against the best play of both: own side less the other.

    Args:
        turn: n decisions. In one that rewards the end of the episode, 1, 0 or -1 where every line of play reaches it.
        most_nodes: of each decision.

    Returns:
        int64 (n, A), UNSOLVED for illegal actions, and in decisions with hidden cards or too many nodes.
    """
    worlds = turn.worlds(turn.seeds)  # nothing is hidden: the world is the game
    values = np.empty((len(turn), turn.game.spec.num_actions), np.int64)
    aim = WIN if worlds.reward == "win" else POINTS
    stack, frames = work_space(worlds)
    solve_rows(worlds._state, np.arange(len(turn)), turn.game.rules, aim, most_nodes, stack, frames, values)
    return values


def work_space(batch: GameBatch) -> tuple[np.ndarray, np.ndarray]:
    """What `solve_rows` works in: records (D x W,) and int64 (D, FIRST + W)."""
    spec = batch.game.spec
    depth, width = spec.max_plies + 2, spec.max_legal
    return np.zeros(depth * width, batch._state.dtype), np.zeros((depth, FIRST + width), np.int64)
