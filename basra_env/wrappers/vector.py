"""PettingZoo's names over many tables at once: the vectorised environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from basra_env.core.batch import GameBatch
from basra_env.core.game import Game
from basra_env.wrappers.spaces import BATCH_RESET_OPTIONS, Observation, agent_names, known_options, observation_space


class VectorTableEnv:
    """Many tables at once under PettingZoo's names: every value is a dict agent -> arrays (B, ...).

    Turns are those of each table: `to_play` says who acts where, and `step` takes one action a table, for that
    seat. A finished table starts its next episode in the same step (with `autoreset`); its last observations are
    then in `infos[agent]["final_observation"]`, valid where `infos[agent]["_final_observation"]`.

    Attributes:
        num_envs: B.
        possible_agents: one name a seat.
        to_play: int8 (B,) seat to play, -1 where the game is over.
        batch: the `GameBatch` beneath.
    """

    metadata = {"render_modes": [], "name": "basra", "autoreset_mode": "same_step"}

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        episode: str = "round",
        reward: str = "points",
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        """See `basra_env.basra_v0`."""
        self.game = game
        self.num_envs = num_envs
        self.batch = GameBatch(game, num_envs, episode=episode, reward=reward, autoreset=autoreset, threads=threads)
        self.possible_agents = agent_names(game)
        self.agents = list(self.possible_agents)
        self.metadata = {**self.metadata, "name": game.name}
        if not autoreset:
            self.metadata["autoreset_mode"] = "disabled"
        self.observation_spaces = {
            agent: observation_space(game, game.spec.num_actions) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(game.spec.num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Of one table."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Of one table."""
        return self.action_spaces[agent]

    @property
    def to_play(self) -> np.ndarray:
        """int8 (B,), a copy."""
        return self.batch.slots.to_play.copy()

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start all tables; row i depends on (seed, i) only. Options: `decks`, `dealers`, `scores`, `carry`."""
        self.batch.reset(seed=seed, **known_options(options, BATCH_RESET_OPTIONS))
        return self._observations(), {agent: {} for agent in self.possible_agents}

    def step(
        self, actions: np.ndarray
    ) -> tuple[
        dict[str, Observation],
        dict[str, np.ndarray],
        dict[str, np.ndarray],
        dict[str, np.ndarray],
        dict[str, dict[str, Any]],
    ]:
        """One decision at each table: observations, rewards, terminations, truncations, infos, all copies.

        Args:
            actions: integers (B,) for the seats in `to_play`; -1 for a table that is over.
        """
        slots = self.batch.step(actions)
        ended = slots.terminated.copy()
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.possible_agents}
        if self.batch.autoreset and ended.any():
            for seat, agent in enumerate(self.possible_agents):
                infos[agent] = {
                    "final_observation": slots.final_obs[:, seat].copy(),
                    "_final_observation": ended.copy(),
                    "final_scores": slots.final_scores.copy(),
                }
        return (
            self._observations(),
            {agent: slots.rewards[:, seat].copy() for seat, agent in enumerate(self.possible_agents)},
            {agent: ended.copy() for agent in self.possible_agents},
            {agent: np.zeros(self.num_envs, np.bool_) for agent in self.possible_agents},
            infos,
        )

    def close(self) -> None:
        """Nothing to release."""

    def _observations(self) -> dict[str, Observation]:
        slots = self.batch.slots
        rows = np.arange(self.num_envs)
        return {
            agent: {
                "observation": self.batch.observe(rows, seat),
                "action_mask": (slots.action_mask & (slots.to_play == seat)[:, None]).astype(np.int8),
            }
            for seat, agent in enumerate(self.possible_agents)
        }
