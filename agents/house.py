"""The built-in compiled players of a game, as agents."""

from __future__ import annotations

import numpy as np

from agents.base import Turn


class HousePlayer:
    """Plays by the kernel that environments use as an opponent."""

    def __init__(self, policy: str) -> None:
        """Args: policy: one of `game.family.policies`."""
        self.name = policy

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`."""
        return turn.decide(self.name)
