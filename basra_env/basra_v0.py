"""Basra for PettingZoo: `env`, `raw_env`, `parallel_env` and `vector_env`.

All take `variant` (one of `basra_env.games()`) and any field of its rules, for example
`basra_v0.env(variant="dananeer", target=50, episode="match")`.
"""

from __future__ import annotations

from typing import Any

from basra_env.registry import make
from basra_env.wrappers.aec import OrderedTableEnv, ParallelTableEnv, TableEnv
from basra_env.wrappers.vector import VectorTableEnv

__all__ = ["env", "parallel_env", "raw_env", "vector_env"]


def env(
    variant: str = "dananeer",
    episode: str = "round",
    reward: str = "points",
    render_mode: str | None = None,
    on_illegal: str = "raise",
    **rule_fields: Any,
) -> OrderedTableEnv:
    """One table in the agent-environment cycle, with PettingZoo's checks of the order of calls.

    Arguments as for `raw_env`.
    """
    return OrderedTableEnv(raw_env(variant, episode, reward, render_mode, on_illegal, **rule_fields))


def raw_env(
    variant: str = "dananeer",
    episode: str = "round",
    reward: str = "points",
    render_mode: str | None = None,
    on_illegal: str = "raise",
    **rule_fields: Any,
) -> TableEnv:
    """One table in the agent-environment cycle.

    Args:
        variant: one of `basra_env.games()`.
        episode: "round" (one full deck) or "match" (rounds up to the target).
        reward: "points" (change of the difference to the other sides' mean) or "win" (at the end).
        render_mode: None or "ansi".
        on_illegal: "raise", or "end" the episode, the offender paid a lost round.
        rule_fields: any field of the variant's rules.
    """
    return TableEnv(make(variant, **rule_fields), episode, reward, render_mode, on_illegal)


def parallel_env(
    variant: str = "dananeer",
    episode: str = "round",
    reward: str = "points",
    render_mode: str | None = None,
    on_illegal: str = "raise",
    **rule_fields: Any,
) -> ParallelTableEnv:
    """The parallel view of one table: only the player to move acts. Arguments as for `raw_env`."""
    return ParallelTableEnv(make(variant, **rule_fields), episode, reward, render_mode, on_illegal)


def vector_env(
    num_envs: int = 1,
    variant: str = "dananeer",
    episode: str = "round",
    reward: str = "points",
    autoreset: bool = True,
    threads: int = 1,
    **rule_fields: Any,
) -> VectorTableEnv:
    """Many tables at once: the vectorised environment, every value a dict agent -> arrays (B, ...).

    Args:
        num_envs: B.
        autoreset: a finished table starts its next episode in the same step.
        threads: tables are split among so many threads.
        variant, episode, reward, rule_fields: as for `raw_env`.
    """
    return VectorTableEnv(make(variant, **rule_fields), num_envs, episode, reward, autoreset, threads)
