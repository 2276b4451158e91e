"""Gymnasium: one learner seat against opponents, one table or many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from basra_env.core.errors import unknown
from basra_env.core.position import Position
from basra_env.registry import make
from basra_env.render.text import table_text
from basra_env.wrappers.seats import LearnerSeats, Opponent
from basra_env.wrappers.spaces import BATCH_RESET_OPTIONS, known_options, observation_space, reset_one

RENDER_MODES = ("ansi",)
SingleOpponent = str | Callable[[np.ndarray, np.ndarray, np.random.Generator], int]


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat at one table; made by `gymnasium.make("basra_env/Basra-v0", ...)`.

    Observation: a dict of `observation` uint8 (O,) and `action_mask` int8 (A,), or with `flat` the first alone;
    `info["action_mask"]` and `action_masks()` give the mask in both. The reward of a step sums all that the
    learner is paid until it is to play again.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(
        self,
        variant: str = "dananeer",
        opponent: SingleOpponent | Sequence[SingleOpponent | None] = "greedy",
        seat: int | None = None,
        flat: bool = False,
        episode: str = "round",
        reward: str = "points",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **rule_fields: Any,
    ) -> None:
        """Seat the learner.

        Args:
            variant: one of `basra_env.games()`.
            opponent: "random", "greedy", "tactician", or a callable
                `(obs uint8 (O,), action_mask bool (A,), rng) -> action`, for all other seats, a partner's too; or a list,
                one a seat.
            seat: the learner's; None draws one each episode.
            flat: observe the plain array instead of a dict.
            episode: "round" or "match".
            reward: "points" or "win".
            on_illegal: "raise", or "end" the episode with a lost round, for testers that sample without masks.
            render_mode: None or "ansi".
            rule_fields: any field of the variant's rules.
        """
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(unknown("render mode", render_mode, RENDER_MODES))
        game = make(variant, **rule_fields)
        self.game = game
        self.render_mode = render_mode
        self._flat = flat
        self._table = LearnerSeats(game, 1, episode, reward, _batched_all(opponent), seat, on_illegal)
        self._row = np.zeros(1, np.int64)
        self._ready = False
        self.observation_space = observation_space(game, game.spec.num_actions, flat)
        self.action_space = spaces.Discrete(game.spec.num_actions)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode and let the opponents play up to the learner's turn.

        Args:
            seed: 0 to 2**63 - 1; None goes on with the environment's own stream.
            options: any of `deck`, `decks`, `dealer`, `scores`, `carry`; or `position`.
        """
        super().reset(seed=seed)
        table = self._table
        table.reset(self._row, seed, lambda: reset_one(table.batch, seed, options))
        self._ready = True
        return self._show()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play one decision of the learner and all answers to it.

        Raises:
            IllegalActionError: with `on_illegal="raise"`; nothing has changed.
            RuntimeError: before the first reset, or after the end of an episode.
        """
        if not self._ready or self._table.ended[0]:
            raise RuntimeError("no episode is running: call reset() before step()")
        rewards, terminated = self._table.step(self._row, np.asarray(action).reshape(1))
        obs, info = self._show()
        return obs, float(rewards[0]), bool(terminated[0]), False, info

    def action_masks(self) -> np.ndarray:
        """int8 (A,): the learner's legal actions; the name that sb3-contrib asks for."""
        mask: np.ndarray = self._table.masks(self._row)[0]
        return mask

    def set_opponent(self, opponent: SingleOpponent | Sequence[SingleOpponent | None]) -> None:
        """Seat other opponents, from the next decision on."""
        self._table.set_opponent(_batched_all(opponent))

    @property
    def seat(self) -> int:
        """The learner's seat in this episode."""
        return int(self._table.seats[0])

    @property
    def position(self) -> Position:
        """Everything about the game, as a person reads it."""
        return self._table.batch.position(0)

    def replay(self) -> str:
        """The game so far as one JSON line for `basra_env.load_replay`."""
        return self._table.batch.replay(0)

    def render(self) -> str | None:
        """The table as the learner sees it, with `render_mode="ansi"`."""
        if self.render_mode is None:
            return None
        return table_text(self.game, self._table.observations(self._row)[0], self.seat)

    def _show(self) -> tuple[Any, dict[str, Any]]:
        obs, mask = self._table.observations(self._row)[0], self.action_masks()
        info = {"action_mask": mask.copy()}
        return (obs if self._flat else {"observation": obs, "action_mask": mask}), info


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Many tables with one learner seat each, in compiled code; made by `gymnasium.make_vec`.

    Row i depends on (seed, i) only, but for callable opponents: they share one generator. Rewards, observations and
    masks are as in `SeatEnv`, with a leading axis.
    """

    def __init__(
        self,
        num_envs: int = 1,
        variant: str = "dananeer",
        opponent: Opponent | Sequence[Opponent | None] = "greedy",
        seat: int | None = None,
        flat: bool = False,
        episode: str = "round",
        reward: str = "points",
        on_illegal: str = "raise",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **rule_fields: Any,
    ) -> None:
        """Seat a learner at each table.

        Args:
            num_envs: B.
            opponent: callables are batched: `(obs uint8 (n, O), action_mask bool (n, A), rng) -> actions (n,)`.
            autoreset_mode: NEXT_STEP (Gymnasium's default: the step after the end resets, ignoring the action),
                SAME_STEP (the end's observation is in `infos["final_obs"]`), or DISABLED (`options["reset_mask"]`).
            variant, seat, flat, episode, reward, on_illegal, rule_fields: as for `SeatEnv`.
        """
        if render_mode is not None:
            raise ValueError("the vector environment does not render; make a single one with render_mode='ansi'")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            raise ValueError(
                unknown("autoreset mode", autoreset_mode, [mode.value for mode in AutoresetMode])
            ) from None
        game = make(variant, **rule_fields)
        self.game = game
        self.num_envs = num_envs
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self._flat = flat
        self._table = LearnerSeats(game, num_envs, episode, reward, opponent, seat, on_illegal)
        self._rows = np.arange(num_envs)
        self._ready = False
        self.single_observation_space = observation_space(game, game.spec.num_actions, flat)
        self.single_action_space = spaces.Discrete(game.spec.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start all tables, or those in `options["reset_mask"]`: bool (B,).

        Args:
            seed: one for all rows, or a sequence, one a row; None goes on with each row's own stream.
            options: `decks`, `dealers`, `scores`, `carry` as in `GameBatch.reset`, one a reset row; `reset_mask`.
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        given = dict(options or {})
        mask = np.asarray(given.pop("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"reset_mask must be bool ({self.num_envs},) with a True in it, got {mask.dtype} {mask.shape}"
            )
        rows = np.flatnonzero(mask)
        if seed is not None and not isinstance(seed, (int, np.integer)) and len(seed) == self.num_envs:
            seed = [seed[int(row)] for row in rows]
        self._begin(rows, seed, known_options(given, BATCH_RESET_OPTIONS))
        self._ready = True
        return self._show(), self._info()

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Play one decision of each learner and all answers to it.

        Args:
            actions: integers (B,); those of rows that reset in this step are not looked at.

        Raises:
            IllegalActionError: with `on_illegal="raise"`; nothing has changed.
            RuntimeError: before the first reset; in mode DISABLED a row that is over.
        """
        plays = np.asarray(actions)
        if plays.shape != (self.num_envs,) or plays.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers ({self.num_envs},), got {plays.dtype} {plays.shape}")
        if not self._ready:
            raise RuntimeError("call reset() before step()")
        over = self._table.ended.copy()
        if over.any() and self.autoreset_mode == AutoresetMode.DISABLED:
            raise RuntimeError(f"row {int(np.flatnonzero(over)[0])} is over: reset it with options['reset_mask']")
        rewards, terminated = np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_)
        going = np.flatnonzero(~over)
        rewards[going], terminated[going] = self._table.step(going, plays[going].astype(np.int64))
        infos: dict[str, Any] = {}
        if over.any():
            self._begin(np.flatnonzero(over), None, {})
        if terminated.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
            infos = {
                "final_obs": self._show(terminated),
                "_final_obs": terminated.copy(),
                "final_info": {"action_mask": np.zeros_like(self.action_masks()), "_action_mask": terminated.copy()},
                "_final_info": terminated.copy(),
            }
            self._begin(np.flatnonzero(terminated), None, {})
        return self._show(), rewards, terminated, np.zeros(self.num_envs, np.bool_), {**infos, **self._info()}

    def action_masks(self) -> np.ndarray:
        """int8 (B, A): the learners' legal actions, all zero where the episode is over."""
        return self._table.masks(self._rows)

    def set_opponent(self, opponent: Opponent | Sequence[Opponent | None]) -> None:
        """Seat other opponents, from the next decision on."""
        self._table.set_opponent(opponent)

    @property
    def seats(self) -> np.ndarray:
        """int8 (B,): the learner's seat in each row, in this episode."""
        return self._table.seats.copy()

    def _begin(self, rows: np.ndarray, seed: int | Sequence[int] | None, options: dict[str, Any]) -> None:
        self._table.reset(rows, seed, lambda: self._table.batch.reset(rows=rows, seed=seed, **options))

    def _show(self, only: np.ndarray | None = None) -> Any:
        """Observations of all rows, or zeros but for the rows in `only`: bool (B,)."""
        obs, masks = self._table.observations(self._rows), self.action_masks()
        if only is not None:
            obs[~only], masks[~only] = 0, 0
        return obs if self._flat else {"observation": obs, "action_mask": masks}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, np.bool_)}


class _Batched:
    """A callable for one table, called as one for many; a class, so that environments can be pickled."""

    def __init__(self, single: Callable[[np.ndarray, np.ndarray, np.random.Generator], int]) -> None:
        self.single = single

    def __call__(self, obs: np.ndarray, mask: np.ndarray, rng: np.random.Generator) -> list[int]:
        return [int(self.single(each, legal, rng)) for each, legal in zip(obs, mask, strict=True)]


def _batched_all(opponent: SingleOpponent | Sequence[SingleOpponent | None]) -> Opponent | list[Opponent | None]:
    if isinstance(opponent, str):
        return opponent
    if callable(opponent):
        return _Batched(opponent)
    return [_Batched(one) if callable(one) else one for one in opponent]
