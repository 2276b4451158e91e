"""What an agent is shown, and what it answers.

An agent is a pure function of a `Turn`: whatever it draws at random it draws from `turn.seeds`, so that the same
game is played the same way in any batch, by any number of workers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from basra_env import Game, GameBatch


@dataclass(frozen=True)
class Turn:
    """n decisions to be made at once, each for the seat to play of its own game.

    It never hands out what a seat may not know: agents that look ahead get worlds, not the game.

    Attributes:
        game: what is played.
        obs: uint8 (n, O) what each seat to play sees.
        action_mask: bool (n, A) its legal actions, at least one.
        seats: int8 (n,) seat to play.
        seeds: int64 (n,) the only randomness an agent may use, fresh for each decision.
    """

    game: Game
    obs: np.ndarray
    action_mask: np.ndarray
    seats: np.ndarray
    seeds: np.ndarray
    _batch: GameBatch = field(repr=False)
    _rows: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, batch: GameBatch, rows: np.ndarray, seeds: np.ndarray) -> Turn:
        """The decisions to be made in `rows`: int64 (n,) of a batch, none of them over."""
        slots = batch.slots
        return cls(
            batch.game, slots.obs[rows], slots.action_mask[rows], slots.to_play[rows], np.asarray(seeds), batch, rows
        )

    def __len__(self) -> int:
        return len(self.seats)

    def take(self, index: np.ndarray) -> Turn:
        """Some of the decisions: those at the places `index`."""
        return replace(
            self,
            obs=self.obs[index],
            action_mask=self.action_mask[index],
            seats=self.seats[index],
            seeds=self.seeds[index],
            _rows=self._rows[index],
        )

    def all_known(self) -> np.ndarray:
        """Bool (n,): True where a seat that remembers knows every card, and nothing is left to chance."""
        return self._batch.all_known(self._rows)

    def decide(self, policy: str) -> np.ndarray:
        """What a built-in player plays here: int64 (n,). It uses only what the seat to play knows."""
        batch = self._batch
        return batch.decide(policy, batch.player_generators(self.seeds.tolist(), self._rows), self._rows)

    def worlds(self, seeds: np.ndarray) -> GameBatch:
        """N games that the seats to play cannot tell from the real ones: all they do not know is drawn from `seeds`.

        Args:
            seeds: int64 (n,) 0 to 2**63 - 1.

        Returns:
            A batch of its own, without auto-reset, to be played on at will.
        """
        batch = self._batch
        imagined = GameBatch(self.game, len(self), seed=0, episode=batch.episode, reward=batch.reward, autoreset=False)
        imagined.restore(batch.clone(self._rows))
        imagined.determinize(np.arange(len(self)), self.seats, seeds)
        return imagined


class Agent(Protocol):
    """A player.

    Attributes:
        name: as the registry knows it, with its options.
    """

    name: str

    def act(self, turn: Turn) -> np.ndarray:
        """One legal action for each decision: int64 (n,)."""
        ...
