"""Briscola for PettingZoo: `env`, `raw_env`, `parallel_env` and `vector_env`, as in `basra_v0`.

For example `briscola_v0.env(players=4, exchange="free", episode="match")`.
"""

from __future__ import annotations

from functools import partial

from basra_env import basra_v0

__all__ = ["env", "parallel_env", "raw_env", "vector_env"]

env = partial(basra_v0.env, variant="briscola")
raw_env = partial(basra_v0.raw_env, variant="briscola")
parallel_env = partial(basra_v0.parallel_env, variant="briscola")
vector_env = partial(basra_v0.vector_env, variant="briscola")
