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
        self,
        worlds: int = 64,
        rollout: str = "greedy",
        horizon: int = -1,
        caution: float = 1.0,
        milliseconds: float = 0.0,
        threads: int = 0,
    ) -> None:
        """Set it up.

        Args:
            worlds: imagined for each decision.
            rollout: the built-in player that plays on in every seat.
            horizon: it plays on until so many more deals would be made, and what the game then promises counts; 0: to the
                end of the round; -1: as far as it pays in that family of games.
            caution: standard errors by which an action must be better than the one that the roll-out player would play;
                few worlds find something better by mere chance. 0: the best on average, whatever that player would do.
            milliseconds: for each decision, in place of `worlds`; such play depends on the machine.
            threads: to share the work among, 0 for one a core; the play does not depend on it.

        Raises:
            ValueError: no worlds, or a negative number.
        """
        if worlds < 1 or min(milliseconds, caution, horizon + 1) < 0:
            raise ValueError(
                "expected at least one world and no negative number, got "
                f"{worlds=}, {horizon=}, {caution=}, {milliseconds=}"
            )
        self.name = "pimc"
        self.worlds = worlds
        self.rollout = rollout
        self.horizon = horizon
        self.caution = caution
        self.milliseconds = milliseconds
        self.threads = count_cores(threads)

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`; of actions as good the lowest id."""
        actions: np.ndarray = turn.action_mask.argmax(1)
        choices = np.flatnonzero(turn.action_mask.sum(1) > 1)  # a forced action needs no thought
        if len(choices):
            thought = turn.take(choices)
            usual = thought.decide(self.rollout)
            means, errors = self._think(thought, usual)
            lead = means - means[np.arange(len(choices)), usual][:, None]
            actions[choices] = np.where(thought.action_mask, lead - self.caution * errors, -np.inf).argmax(1)
        return actions

    def values(self, turn: Turn) -> np.ndarray:
        """float64 (n, A): mean points won over the others' mean from here to the end of the round; -inf where illegal."""
        means, _ = self._think(turn, turn.action_mask.argmax(1))
        return np.where(turn.action_mask, means, -np.inf)

    def _think(self, turn: Turn, usual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Mean points of each action, and standard errors of the lead over the usual one: float64 (n, A)."""
        worlds = turn.worlds(turn.seeds)
        sums = np.zeros(turn.action_mask.shape, np.int64), np.zeros(turn.action_mask.shape)
        deadline = time.perf_counter() + self.milliseconds / 1e3 * len(turn)
        done = 0
        while done == 0 or time.perf_counter() < deadline:
            last = done + (_GO if self.milliseconds else self.worlds)
            self._roll_out(worlds, turn.seeds, usual, done, last, sums)
            done = last
        means = sums[0] / done
        lead = means - means[np.arange(len(turn)), usual][:, None]
        variances = np.maximum(sums[1] / done - lead**2, 0)
        unit = UNIT * (turn.game.spec.num_sides - 1)
        return means / unit, np.sqrt(variances / done) / unit

    def _roll_out(
        self,
        worlds: GameBatch,
        seeds: np.ndarray,
        usual: np.ndarray,
        first: int,
        last: int,
        sums: tuple[np.ndarray, np.ndarray],
    ) -> None:
        """Add worlds first to last - 1 to the sums: decisions are shared among threads, or else their worlds."""
        spec, policy = worlds.game.spec, policy_code(worlds.game, self.rollout)
        rows = np.arange(len(seeds))
        if len(rows) >= self.threads:
            parts = [(part, first, last) for part in np.array_split(rows, self.threads)]
        else:
            cuts = np.linspace(first, last, self.threads + 1).astype(int)
            parts = [(rows, int(low), int(high)) for low, high in itertools.pairwise(cuts)]

        def task(part: tuple[np.ndarray, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            mine, low, high = part
            totals, squares = np.zeros((len(mine), spec.num_actions), np.int64), np.zeros((len(mine), spec.num_actions))
            roll_out_rows(
                worlds._state, mine, seeds[mine], low, high, policy, deals_until(self.horizon, worlds.game),
                worlds.game.rules, np.zeros(2, worlds._state.dtype), np.zeros((2, 4), np.uint32),
                np.zeros((3, len(spec.cards)), np.int8), np.zeros(spec.num_actions, np.int64), usual[mine],
                totals, squares,
            )  # fmt: skip
            return mine, totals, squares

        for mine, totals, squares in on_cores(task, parts, self.threads):
            sums[0][mine] += totals
            sums[1][mine] += squares
