"""One learner seat at each of many tables, the other seats played by opponents.

The reward of a learner's decision is all that it is paid until it is to play again, whoever moves in between; over
an episode the rewards add up to its final difference.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from basra_env.core import driver
from basra_env.core.arguments import decisions
from basra_env.core.batch import GameBatch, policy_code
from basra_env.core.errors import unknown
from basra_env.core.game import Game
from basra_env.wrappers.spaces import checked_on_illegal, penalties

BatchedOpponent = Callable[[np.ndarray, np.ndarray, np.random.Generator], Any]
"""`(obs uint8 (n, O), action_mask bool (n, A), rng) -> actions (n,)`."""
Opponent = str | BatchedOpponent
_CALLED = -1


class LearnerSeats:
    """A `GameBatch` seen from one seat of each row.

    Attributes:
        batch: the games; no auto-reset.
        seats: int8 (B,) the learner's seat in each row, in this episode.
        ended: bool (B,) episodes that are over, those ended by an illegal action too.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        episode: str,
        reward: str,
        opponent: Opponent | Sequence[Opponent | None],
        seat: int | None,
        on_illegal: str,
    ) -> None:
        """See `SeatEnv`."""
        if seat is not None and not 0 <= seat < game.spec.players:
            raise ValueError(f"seat is {seat}: expected 0 to {game.spec.players - 1}, or None for a random one")
        self.batch = GameBatch(game, num_envs, episode=episode, reward=reward, autoreset=False)
        self.game = game
        self.seat = seat
        self.on_illegal = checked_on_illegal(on_illegal)
        self.seats: np.ndarray = np.zeros(num_envs, np.int8)
        self.ended: np.ndarray = np.zeros(num_envs, np.bool_)
        # What opponents that moved first have cost the learner is paid with its first decision: it had none before.
        self._opening: np.ndarray = np.zeros(num_envs, np.float32)
        self._rngs = self.batch.player_generators(None)
        self._numpy_rng = np.random.default_rng()
        self.set_opponent(opponent)

    def set_opponent(self, opponent: Opponent | Sequence[Opponent | None]) -> None:
        """Seat other opponents: one for all other seats, or a list with one a seat (the learner's is not used)."""
        players = self.game.spec.players
        each = [opponent] * players if isinstance(opponent, str) or callable(opponent) else list(opponent)
        if len(each) != players:
            raise ValueError(f"{len(each)} opponents for {players} seats: expected one a seat, or one for all")
        codes = np.zeros(players, np.int8)
        for seat, chosen in enumerate(each):
            if chosen is not None and not isinstance(chosen, str) and not callable(chosen):
                raise ValueError(unknown("opponent", chosen, [*self.game.family.policies, "a callable"]))
            codes[seat] = policy_code(self.game, chosen) if isinstance(chosen, str) else _CALLED
        self._opponents = each
        self._calls_opponents = any(callable(chosen) or chosen is None for chosen in each)
        self._policies = np.tile(codes, (self.batch.num_envs, 1))

    def reset(self, rows: np.ndarray, seed: int | Sequence[int] | None, start: Callable[[], Any]) -> None:
        """Begin episodes in `rows`: `start` resets the batch's rows; then opponents play up to the learner's turn.

        Raises:
            ValueError: what `start` refuses, or a start that leaves the learner nothing to play; all is as before.
        """
        with self._all_or_nothing(rows):
            start()
            if seed is not None:
                self._rngs[rows] = self.batch.player_generators(seed, rows)
                if len(rows) == self.batch.num_envs:
                    self._numpy_rng = np.random.default_rng(seed)
            if self.seat is None:
                drawn, rngs = np.empty(len(rows), np.int64), self._rngs[rows]
                driver.draw_rows(rngs, self.game.spec.players, drawn)
                self._rngs[rows] = rngs
                self.seats[rows] = drawn
            else:
                self.seats[rows] = self.seat
            self._opening[rows], self.ended[rows] = self._advance(rows, np.full(len(rows), -1))
            if self.ended[rows].any():
                raise ValueError(f"row {rows[self.ended[rows]][0]}: the game is over before the learner is to play")

    def step(self, rows: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Play the learner's decisions: rewards float32 (n,), terminated bool (n,).

        Raises:
            IllegalActionError: with `on_illegal="raise"`, or an opponent's; nothing has changed.
        """
        actions = decisions(actions, len(rows))
        rewards = np.zeros(len(rows), np.float32)
        known = (actions >= 0) & (actions < self.game.spec.num_actions)
        legal = known & self.batch.slots.action_mask[rows, np.where(known, actions, 0)]
        if self.on_illegal == "end":
            for k in np.flatnonzero(~legal):
                seat = int(self.seats[rows[k]])
                rewards[k] = penalties(self.game, self.batch.reward, seat)[seat]
        elif not legal.all():
            first = np.flatnonzero(~legal)[0]
            raise self.batch.illegal_action(int(rows[first]), int(actions[first]))
        terminated = ~legal
        if self._calls_opponents:
            with self._all_or_nothing(rows):
                rewards[legal], terminated[legal] = self._advance(rows[legal], actions[legal])
        else:
            rewards[legal], terminated[legal] = self._advance(rows[legal], actions[legal])
        self.ended[rows] = terminated
        rewards += self._opening[rows]
        self._opening[rows] = 0
        return rewards, terminated

    @contextmanager
    def _all_or_nothing(self, rows: np.ndarray) -> Iterator[None]:
        """Undo everything done to `rows` inside if it fails: an opponent may raise, or play an illegal card."""
        games = self.batch.clone(rows)
        kept: list[np.ndarray] = [array.copy() for array in (self.seats, self.ended, self._opening, self._rngs)]
        generator = copy.deepcopy(self._numpy_rng)
        try:
            yield
        except BaseException:
            self.batch.restore(games, rows)
            self.seats, self.ended, self._opening, self._rngs = kept
            self._numpy_rng = generator
            raise

    def masks(self, rows: np.ndarray) -> np.ndarray:
        """int8 (n, A): legal actions of the learner, all zero where the episode is over."""
        masks: np.ndarray = self.batch.slots.action_mask[rows] & ~self.ended[rows, None]
        return masks.astype(np.int8)

    def observations(self, rows: np.ndarray) -> np.ndarray:
        """uint8 (n, O): what the learner sees."""
        return self.batch.observe(rows, self.seats[rows])

    def _advance(self, rows: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        if not len(rows):
            return np.zeros(0, np.float32), np.zeros(0, np.bool_)
        rewards, terminated = self.batch.advance(actions, self.seats, self._policies, self._rngs, rows)
        while True:
            to_play = self.batch.slots.to_play[rows]
            waiting = (to_play >= 0) & (to_play != self.seats[rows])
            if not waiting.any():
                return rewards, terminated
            for seat in np.unique(to_play[waiting]):
                lines = np.flatnonzero(waiting & (to_play == seat))
                called = rows[lines]
                opponent = self._opponents[seat]
                if not callable(opponent):
                    raise ValueError(f"seat {seat} is to play and has no opponent")
                slots = self.batch.slots
                chosen = opponent(slots.obs[called].copy(), slots.action_mask[called].copy(), self._numpy_rng)
                paid, terminated[lines] = self.batch.advance(
                    np.asarray(chosen), self.seats, self._policies, self._rngs, called
                )
                rewards[lines] += paid
