"""sb3-contrib's MaskablePPO on our Gymnasium environment, measured by our evaluation.

python examples/sb3_maskable_ppo.py --total-timesteps 300000
"""

from __future__ import annotations

import argparse

import gymnasium
import numpy as np

try:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.env_util import make_vec_env
except ModuleNotFoundError as error:
    from basra_env.core.errors import MissingExtraError

    raise MissingExtraError(str(error.name), "integrations") from error

import basra_env
from agents.base import Turn
from agents.registry import make_agent
from train.arena import play_pair

VARIANT = "dananeer"


class Scaled(gymnasium.ObservationWrapper):
    """The flat observation as float32 between 0 and 1; stable-baselines3 scales images only."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        self.high = env.observation_space.high.astype(np.float32)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, self.high.shape, np.float32)

    def observation(self, observation: np.ndarray) -> np.ndarray:
        return observation / self.high

    def action_masks(self) -> np.ndarray:
        return self.env.get_wrapper_attr("action_masks")()


class Sb3Agent:
    """A trained model as one of our agents: it is never asked without a mask."""

    name = "MaskablePPO"

    def __init__(self, model: MaskablePPO, high: np.ndarray) -> None:
        self.model = model
        self.high = high

    def act(self, turn: Turn) -> np.ndarray:
        actions, _ = self.model.predict(turn.obs / self.high, action_masks=turn.action_mask, deterministic=True)
        return actions


def make_env() -> gymnasium.Env:
    """One table against `greedy`, the seat drawn for each round, points scaled to about one."""
    env = Scaled(gymnasium.make("basra_env/Basra-v0", variant=VARIANT, opponent="greedy", flat=True))
    return gymnasium.wrappers.TransformReward(env, lambda reward: reward / 10)


def main() -> None:
    """Train, then compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--total-timesteps", type=int, default=300_000, help="decisions of the learner")
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--num-steps", type=int, default=192, help="decisions a table in each rollout")
    parser.add_argument("--deals", type=int, default=500, help="decks of the evaluation")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    envs = make_vec_env(make_env, options.num_envs, seed=options.seed)
    model = MaskablePPO(
        "MlpPolicy", envs, n_steps=options.num_steps, batch_size=1024, gamma=1.0, gae_lambda=0.8, ent_coef=0.01,
        learning_rate=1e-3, seed=options.seed, policy_kwargs={"net_arch": [256, 256]}, device="cpu", verbose=1,
    )  # fmt: skip
    game = basra_env.make(VARIANT)
    agent = Sb3Agent(model, game.spec.layout.high().astype(np.float32))
    for moment in ("before", "after"):
        for name in ("random", "greedy"):
            result = play_pair(game, agent, make_agent(name, game), options.deals, 0)
            low, high = result.ci95
            print(
                f"{moment}: {result.mean:+.1f} points a round against {name}, 95 % interval {low:+.1f} to {high:+.1f}"
            )
        if moment == "before":
            model.learn(options.total_timesteps)


if __name__ == "__main__":
    main()
