"""`pimc`: perfect-information Monte Carlo. Of many imagined worlds, the action that does best on average in them."""

from __future__ import annotations

import itertools
import time

import numpy as np

from agents.base import Turn
from agents.cores import count_cores, on_cores
from agents.rollouts import UNIT, deals_until, roll_out_rows
from basra_env import GameBatch
from basra_env.core.batch import policy_code

_GO = 8
"""Worlds between two looks at the clock."""


class Pimc:
    """Tries every legal action in the same worlds, and lets a built-in player play on to the end of the round."""

    def __init__(
        self, worlds: int = 64, rollout: str = "greedy", horizon: int = -1, milliseconds: float = 0.0, threads: int = 0
    ) -> None:
        """Set it up.

        Args:
            worlds: imagined for each decision.
            rollout: the built-in player that plays on in every seat.
            horizon: it plays on until so many more deals would be made, and what the game then promises counts; 0: to the
                end of the round; -1: as far as it pays in that family of games.
            milliseconds: for each decision, in place of `worlds`; such play depends on the machine.
            threads: to share the work among, 0 for one a core; the play does not depend on it.

        Raises:
            ValueError: no worlds, or a negative number.
        """
        if worlds < 1 or milliseconds < 0 or horizon < -1:
            raise ValueError(
                f"expected at least one world and no negative number, got {worlds=}, {horizon=}, {milliseconds=}"
            )
        self.name = "pimc"
        self.worlds = worlds
        self.rollout = rollout
        self.horizon = horizon
        self.milliseconds = milliseconds
        self.threads = count_cores(threads)

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`; of actions worth the same the lowest id."""
        best: np.ndarray = self.values(turn).argmax(1)
        return best

    def values(self, turn: Turn) -> np.ndarray:
        """float64 (n, A): mean points won over the others' mean from here to the end of the round; -inf where illegal.

        A forced action is worth 0: it needs no thought.
        """
        totals = np.zeros(turn.action_mask.shape, np.int64)
        choices = np.flatnonzero(turn.action_mask.sum(1) > 1)
        done = 1
        if len(choices):
            thought = turn.take(choices)
            worlds = thought.worlds(thought.seeds)
            deadline = time.perf_counter() + self.milliseconds / 1e3 * len(choices)
            done = 0
            while done == 0 or time.perf_counter() < deadline:
                last = done + (_GO if self.milliseconds else self.worlds)
                totals[choices] += self._roll_out(worlds, thought.seeds, done, last)
                done = last
        others = turn.game.spec.num_sides - 1
        return np.where(turn.action_mask, totals / (UNIT * done * others), -np.inf)

    def _roll_out(self, worlds: GameBatch, seeds: np.ndarray, first: int, last: int) -> np.ndarray:
        """Totals int64 (n, A) of worlds first to last - 1: decisions are shared among threads, or else their worlds."""
        spec, policy = worlds.game.spec, policy_code(worlds.game, self.rollout)
        rows = np.arange(len(seeds))
        if len(rows) >= self.threads:
            parts = [(part, first, last) for part in np.array_split(rows, self.threads)]
        else:
            cuts = np.linspace(first, last, self.threads + 1).astype(int)
            parts = [(rows, int(low), int(high)) for low, high in itertools.pairwise(cuts)]
        totals = np.zeros((len(rows), spec.num_actions), np.int64)

        def task(part: tuple[np.ndarray, int, int]) -> tuple[np.ndarray, np.ndarray]:
            mine, low, high = part
            out = np.zeros((len(mine), spec.num_actions), np.int64)
            roll_out_rows(
                worlds._state, mine, seeds[mine], low, high, policy, deals_until(self.horizon, worlds.game),
                worlds.game.rules,
                np.zeros(2, worlds._state.dtype), np.zeros((2, 4), np.uint32),
                np.zeros((3, len(spec.cards)), np.int8), out,
            )  # fmt: skip
            return mine, out

        for mine, out in on_cores(task, parts, self.threads):
            totals[mine] += out
        return totals
