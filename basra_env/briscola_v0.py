"""Briscola for PettingZoo: `env`, `raw_env`, `parallel_env` and `vector_env`, as in `basra_v0`.

For example `briscola_v0.env(players=4, exchange="free", episode="match")`.
"""

from __future__ import annotations

from typing import Any

from basra_env import basra_v0
from basra_env.wrappers.aec import OrderedTableEnv, ParallelTableEnv, TableEnv
from basra_env.wrappers.vector import VectorTableEnv

__all__ = ["env", "parallel_env", "raw_env", "vector_env"]


def env(**options: Any) -> OrderedTableEnv:
    """`basra_v0.env` of Briscola, with the same options but for the variant."""
    return basra_v0.env("briscola", **options)


def raw_env(**options: Any) -> TableEnv:
    """`basra_v0.raw_env` of Briscola, with the same options but for the variant."""
    return basra_v0.raw_env("briscola", **options)


def parallel_env(**options: Any) -> ParallelTableEnv:
    """`basra_v0.parallel_env` of Briscola, with the same options but for the variant."""
    return basra_v0.parallel_env("briscola", **options)


def vector_env(num_envs: int = 1, **options: Any) -> VectorTableEnv:
    """`basra_v0.vector_env` of Briscola, with the same options but for the variant."""
    return basra_v0.vector_env(num_envs, "briscola", **options)
