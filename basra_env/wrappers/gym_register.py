"""The ids under which Gymnasium finds our environments. Importing `basra_env` registers them."""

from __future__ import annotations

import gymnasium

DEFAULT_VARIANT = {"basra_env/Basra-v0": "dananeer", "basra_env/Briscola-v0": "briscola"}


def register_environments() -> None:
    """Register `basra_env/Basra-v0` and `basra_env/Briscola-v0`, once; either takes any `variant`."""
    for name, variant in DEFAULT_VARIANT.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="basra_env.wrappers.gym:SeatEnv",
                vector_entry_point="basra_env.wrappers.gym:SeatVectorEnv",
                kwargs={"variant": variant},
            )
