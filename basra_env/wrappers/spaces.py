"""The spaces that all wrappers share, and what they do with the options of a reset."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from basra_env.core.batch import GameBatch
from basra_env.core.errors import unknown
from basra_env.core.game import Game

Observation = dict[str, np.ndarray]
"""`observation`: uint8 (..., O) and `action_mask`: int8 (..., A)."""

ON_ILLEGAL = ("raise", "end")
RESET_OPTIONS = ("deck", "decks", "dealer", "scores", "carry", "position")
BATCH_RESET_OPTIONS = ("decks", "dealers", "scores", "carry")


def observation_space(game: Game, num_actions: int, flat: bool = False) -> spaces.Space[Any]:
    """Dict of `observation`: uint8 (O,) and `action_mask`: int8 (A,); with `flat` the observation alone."""
    box = spaces.Box(np.uint8(0), game.spec.layout.high(), dtype=np.uint8)
    if flat:
        return box
    return spaces.Dict({"observation": box, "action_mask": spaces.Box(0, 1, (num_actions,), np.int8)})


def agent_names(game: Game) -> list[str]:
    """`player_0`, `player_1`, ...: one a seat."""
    return [f"player_{seat}" for seat in range(game.spec.players)]


def checked_on_illegal(on_illegal: str) -> str:
    """The option, or a ValueError."""
    if on_illegal not in ON_ILLEGAL:
        raise ValueError(unknown("value of on_illegal", on_illegal, ON_ILLEGAL))
    return on_illegal


def penalties(game: Game, reward: str, offender: int) -> np.ndarray:
    """float32 (P,): a lost round for the offender's side, shared out among the others, for an illegal action."""
    sides = np.array(game.spec.sides)
    lost = 1.0 if reward == "win" else float(game.spec.points_bound)
    return np.where(sides == sides[offender], -lost, lost / (game.spec.num_sides - 1)).astype(np.float32)


def known_options(options: Mapping[str, Any] | None, known: tuple[str, ...]) -> dict[str, Any]:
    """The options that are known; others are named in a warning, since PettingZoo's own tests pass some."""
    given = dict(options or {})
    for name in set(given) - set(known):
        warnings.warn(unknown("reset option", name, known), stacklevel=4)
        del given[name]
    return given


def reset_one(batch: GameBatch, seed: int | None, options: Mapping[str, Any] | None) -> None:
    """Reset a batch of one as `env.reset(seed, options)` asks.

    Raises:
        ValueError: options that do not fit; the game in progress goes on.
    """
    given = known_options(options, RESET_OPTIONS)
    if "deck" in given and "decks" in given:
        raise ValueError("give either 'deck' or 'decks', not both")
    decks = [given["deck"]] if "deck" in given else given.get("decks")
    if "position" in given:
        clash = sorted({"deck", "decks", "dealer", "scores", "carry"} & set(given))
        if clash:
            raise ValueError(f"a position already says what {', '.join(clash)} would: give one or the other")
        before = batch.clone()
        batch.reset(seed=seed)
        try:
            batch.set_position(0, given["position"])
        except BaseException:
            batch.restore(before)
            raise
        return
    batch.reset(
        seed=seed,
        decks=None if decks is None else [list(decks)],
        dealers=given.get("dealer"),
        scores=given.get("scores"),
        carry=given.get("carry"),
    )
