"""PettingZoo: the agent-environment cycle, and the parallel view of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from basra_env.core.batch import GameBatch
from basra_env.core.errors import IllegalActionError, unknown
from basra_env.core.game import Game
from basra_env.core.position import Position
from basra_env.render.text import table_text
from basra_env.wrappers.spaces import (
    Observation,
    agent_names,
    checked_on_illegal,
    observation_space,
    penalties,
    reset_one,
)

RENDER_MODES = ("ansi",)


class _Table:
    """What the two single-game views share: a batch of one, its spaces, and what each seat is shown."""

    def __init__(
        self, game: Game, extra_actions: int, episode: str, reward: str, render_mode: str | None, on_illegal: str
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(unknown("render mode", render_mode, RENDER_MODES))
        self.game = game
        self.render_mode = render_mode
        self.on_illegal = checked_on_illegal(on_illegal)
        self.possible_agents = agent_names(game)
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._batch = GameBatch(game, 1, episode=episode, reward=reward, autoreset=False)
        self._num_actions = game.spec.num_actions + extra_actions
        self.observation_spaces = {agent: observation_space(game, self._num_actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self._num_actions) for agent in self.possible_agents}
        beyond = np.full(game.spec.state_size - game.spec.obs_size, game.spec.state_high, np.uint8)
        high = np.concatenate([game.spec.layout.high(), beyond])
        self.state_space = spaces.Box(np.uint8(0), high, dtype=np.uint8)
        self._over = False

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same space object each time."""
        return self.action_spaces[agent]

    def state(self) -> np.ndarray:
        """uint8 (S,): the whole game, relative to the seat to play. For critics, never for players."""
        state: np.ndarray = self._batch.state()[0]
        return state

    @property
    def position(self) -> Position:
        """Everything about the game, as a person reads it."""
        return self._batch.position(0)

    def replay(self) -> str:
        """The game so far as one JSON line for `basra_env.load_replay`."""
        return self._batch.replay(0)

    def render(self) -> str | None:
        """The table as the player to move sees it, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        seat = max(int(self._batch.slots.to_play[0]), 0)
        return table_text(self.game, self._batch.observe([0], seat)[0], seat)

    def close(self) -> None:
        """Nothing to release."""

    def _show(self, agent: str) -> Observation:
        """Fresh arrays: what the agent sees, and its mask, all zero when it is not to play."""
        slots = self._batch.slots
        seat = self._seat[agent]
        mask = np.zeros(self._num_actions, np.int8)
        if slots.to_play[0] == seat:
            if not self._over:
                mask[: self.game.spec.num_actions] = slots.action_mask[0]
            return {"observation": slots.obs[0].copy(), "action_mask": mask}
        return {"observation": self._batch.observe([0], seat)[0], "action_mask": mask}

    def _play(self, action: Any) -> np.ndarray:
        """Play for the seat to play; what each seat is paid, float32 (P,)."""
        try:
            slots = self._batch.step(np.asarray(action).reshape(-1))
        except IllegalActionError:
            if self.on_illegal == "raise":
                raise
            self._over = True
            return penalties(self.game, self._batch.reward, int(self._batch.slots.to_play[0]))
        self._over = bool(slots.terminated[0])
        paid: np.ndarray = slots.rewards[0]
        return paid


class TableEnv(_Table, AECEnv[str, Observation, int]):
    """One table in PettingZoo's agent-environment cycle.

    The seat after the dealer acts first. Each step pays all agents: the rewards of the sides add up to zero.
    """

    metadata = {
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "name": "basra",
    }

    def __init__(
        self,
        game: Game,
        episode: str = "round",
        reward: str = "points",
        render_mode: str | None = None,
        on_illegal: str = "raise",
    ) -> None:
        """See `basra_env.basra_v0`."""
        AECEnv.__init__(self)
        _Table.__init__(self, game, 0, episode, reward, render_mode, on_illegal)
        self.metadata = {**self.metadata, "name": game.name}
        self.rewards: dict[str, float] = {}
        self.terminations: dict[str, bool] = {}
        self.truncations: dict[str, bool] = {}
        self.infos: dict[str, dict[str, Any]] = {}
        self._cumulative_rewards: dict[str, float] = {}
        self.agent_selection = self.possible_agents[0]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode; without a seed the stream of decks goes on.

        Args:
            seed: 0 to 2**63 - 1.
            options: any of `deck`, or `decks` (a match: one a round), `dealer`, `scores`, `carry`; or `position`.
        """
        reset_one(self._batch, seed, options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._over = bool(self._batch.slots.terminated[0])
        self.terminations = dict.fromkeys(self.agents, self._over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[max(int(self._batch.slots.to_play[0]), 0)]

    def observe(self, agent: str) -> Observation:
        """`observation`: uint8 (O,) and `action_mask`: int8 (A,), new arrays."""
        return self._show(agent)

    def step(self, action: Any) -> None:
        """Play `action` for `agent_selection`; None for an agent that is done.

        Raises:
            IllegalActionError: nothing has changed (with `on_illegal="raise"`).
            RuntimeError: no agent is left; `reset` starts the next episode.
        """
        if not self.agents:
            raise RuntimeError("the episode is over and all agents are done: call reset() before the next step")
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{self.agent_selection} is to play: None is for agents that are done")
        paid = self._play(action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        for agent, reward in zip(self.possible_agents, paid.tolist(), strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        if self._over:
            self.terminations = dict.fromkeys(self.agents, True)
        seat = int(self._batch.slots.to_play[0])
        self.agent_selection = self.possible_agents[seat] if seat >= 0 and not self._over else self.agents[0]


class OrderedTableEnv(OrderEnforcingWrapper):
    """PettingZoo's order checks; a step after the last agent is done raises instead of warning."""

    def step(self, action: Any) -> None:
        """As the table's own step."""
        if self._has_reset and not self.agents:
            raise RuntimeError("the episode is over and all agents are done: call reset() before the next step")
        super().step(action)


class ParallelTableEnv(_Table, ParallelEnv[str, Observation, int]):
    """The parallel view of a turn-based table: only the player to move acts, all others pass with `noop`.

    Attributes:
        noop: the action id A, the only legal action of an idle agent, and never legal for the one to move.
    """

    metadata = {"render_modes": list(RENDER_MODES), "name": "basra"}

    def __init__(
        self,
        game: Game,
        episode: str = "round",
        reward: str = "points",
        render_mode: str | None = None,
        on_illegal: str = "raise",
    ) -> None:
        """See `basra_env.basra_v0`."""
        _Table.__init__(self, game, 1, episode, reward, render_mode, on_illegal)
        self.metadata = {**self.metadata, "name": game.name}
        self.noop = game.spec.num_actions

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """As the AEC environment's; returns observations and infos of all agents."""
        reset_one(self._batch, seed, options)
        self.agents = list(self.possible_agents)
        self._over = bool(self._batch.slots.terminated[0])
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Play the mover's action. Idle agents may be left out, or pass with `noop`.

        Raises:
            IllegalActionError: an idle agent that does not pass, a mover that does; nothing has changed.
            RuntimeError: the episode is over.
        """
        if not self.agents:
            raise RuntimeError("the episode is over: call reset() before the next step")
        mover = self.possible_agents[int(self._batch.slots.to_play[0])]
        strangers = set(actions) - set(self.possible_agents)
        if strangers:
            raise ValueError(unknown("agent", strangers.pop(), self.possible_agents))
        if mover not in actions:
            raise ValueError(f"{mover} is to play, but there is no action for it")
        idle = [agent for agent in actions if agent != mover and int(actions[agent]) != self.noop]
        if idle and self.on_illegal == "raise":
            raise IllegalActionError(f"{idle[0]} is not to play: its only legal action is the no-op, {self.noop}")
        if idle:
            paid = penalties(self.game, self._batch.reward, self._seat[idle[0]])
            self._over = True
        else:
            paid = self._play(actions[mover])
        live, over = self.agents, self._over
        if over:
            self.agents = []
        return (
            self._observations(),
            dict(zip(live, paid.tolist(), strict=True)),
            dict.fromkeys(live, over),
            dict.fromkeys(live, False),
            {agent: {} for agent in live},
        )

    def _observations(self) -> dict[str, Observation]:
        shown = {agent: self._show(agent) for agent in self.possible_agents}
        if not self._over:
            mover = int(self._batch.slots.to_play[0])
            for agent, seat in self._seat.items():
                shown[agent]["action_mask"][self.noop] = seat != mover
        return shown
