"""The built-in compiled players of a game, as agents."""

from __future__ import annotations

import numpy as np

from agents.base import Turn


class HousePlayer:
    """Plays by the kernel that environments use as an opponent, in a world that it cannot tell from the real one."""

    def __init__(self, policy: str) -> None:
        """Args: policy: one of `game.family.policies`."""
        self.name = policy

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`."""
        world = turn.worlds(turn.seeds)
        return world.decide(self.name, world.player_generators(turn.seeds.tolist()))
