"""The arrays that a batch writes to, and the games copied out of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from basra_env.core.game import Game


@dataclass
class Slots:
    """Where a batch writes what a step gives; the next step overwrites it. B games, P seats, A actions, O bytes.

    Attributes:
        obs: uint8 (B, O) what the seat to play sees; what seat 0 sees where the game is over.
        action_mask: bool (B, A) its legal actions; all False where the game is over.
        to_play: int8 (B,) seat to play, -1 where the game is over.
        rewards: float32 (B, P) what the last step paid each seat.
        terminated: bool (B,) True where the last step ended the episode, and where the game is over.
        final_obs: uint8 (B, P, O) what each seat saw at the end of the row's last episode (under auto-reset).
        final_scores: int32 (B, sides) points of each side at that end.
    """

    obs: np.ndarray
    action_mask: np.ndarray
    to_play: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    final_obs: np.ndarray
    final_scores: np.ndarray

    @classmethod
    def empty(cls, game: Game, lines: int) -> Slots:
        """Zeroed arrays for `lines` games."""
        spec = game.spec
        return cls(
            obs=np.zeros((lines, spec.obs_size), np.uint8),
            action_mask=np.zeros((lines, spec.num_actions), np.bool_),
            to_play=np.zeros(lines, np.int8),
            rewards=np.zeros((lines, spec.players), np.float32),
            terminated=np.zeros(lines, np.bool_),
            final_obs=np.zeros((lines, spec.players, spec.obs_size), np.uint8),
            final_scores=np.zeros((lines, spec.num_sides), np.int32),
        )

    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of them, in order."""
        return (
            self.obs,
            self.action_mask,
            self.to_play,
            self.rewards,
            self.terminated,
            self.final_obs,
            self.final_scores,
        )


@dataclass(frozen=True)
class Snapshot:
    """Games copied out of a batch by `clone`; `restore` puts them back, one into many rows if need be."""

    rules: Any
    state: np.ndarray
    history: np.ndarray
    origins: np.ndarray
    displaced: np.ndarray
