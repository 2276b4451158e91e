"""Name -> game. A new rule set is one more entry in its family's `VARIANTS`; a new family one more line here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from basra_env.core.batch import GameBatch
from basra_env.core.errors import unknown
from basra_env.core.game import Family, Game
from basra_env.core.replay import read_replay, replay_steps
from basra_env.games import briscola, fishing, topcard

_FAMILIES: tuple[Family, ...] = (fishing.FAMILY, topcard.FAMILY, briscola.FAMILY)


def games() -> list[str]:
    """Names of the variants that can be made."""
    return [name for family in _FAMILIES for name in family.variants]


def make(name: str, **fields: Any) -> Game:
    """The variant `name`, with any of its rule fields replaced.

    Raises:
        ValueError: an unknown variant or field, named with the nearest known one, or a value that makes no sense.
    """
    for family in _FAMILIES:
        if isinstance(name, str) and name in family.variants:
            return Game(name, family.rules_of(name, fields), family)
    raise ValueError(unknown("game", name, games()))


def load_replay(line: str) -> GameBatch:
    """A batch of one game, without auto-reset, at the state of the game that `batch.replay(row)` told in `line`.

    Raises:
        ValueError: no replay, a truncated one, one of another format, or one that the rules do not play.
    """
    return read_replay(line, _batch_of_one)


def steps_of_replay(line: str) -> Iterator[tuple[GameBatch, int]]:
    """The game before each decision of a replay, and the action that was taken: one batch, which plays on between.

    Raises:
        ValueError: as `load_replay`, when it comes to that.
    """
    return replay_steps(line, _batch_of_one)


def _batch_of_one(name: str, fields: dict[str, Any], episode: str, reward: str) -> GameBatch:
    return GameBatch(make(name, **fields), 1, seed=0, episode=episode, reward=reward, autoreset=False)
