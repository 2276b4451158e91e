"""The ids under which Gymnasium finds our environments. Importing `basra_env` registers them."""

from __future__ import annotations

import gymnasium


def register_environments() -> None:
    """Register `basra_env/Basra-v0`, once."""
    if "basra_env/Basra-v0" not in gymnasium.registry:
        gymnasium.register(
            id="basra_env/Basra-v0",
            entry_point="basra_env.wrappers.gym:SeatEnv",
            vector_entry_point="basra_env.wrappers.gym:SeatVectorEnv",
        )
