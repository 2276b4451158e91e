"""A trained policy as an agent, from the live network or from a checkpoint. The one agent that needs torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open

from agents.base import Turn
from agents.nets import Policy, describe
from basra_env import Game

POLICY_FILE = "policy.safetensors"
CHECKPOINTS = "checkpoints"
_EQUAL = 1e-6
"""Probabilities that differ by no more are equal: one of them is drawn, so that a network that knows nothing plays at
random and not, say, its lowest card."""


class NeuralAgent:
    """Plays what a policy network finds likeliest, or draws from it."""

    def __init__(self, name: str, policy: Policy, sample: bool = False) -> None:
        """Wrap a network.

        Args:
            name: for tables.
            policy: used as it is: a live network goes on learning, `copy.deepcopy` it to keep it still.
            sample: draw from the policy instead of playing its likeliest card.
        """
        self.name = name
        self.policy = policy
        self.sample = sample

    @classmethod
    def load(cls, path: Path, game: Game, sample: bool = False) -> NeuralAgent:
        """The policy in a run folder (its last checkpoint), a checkpoint folder or a policy file.

        Raises:
            ValueError: nothing to load, a broken file, or a policy for another game.
        """
        file = policy_file(path)
        weights, about = read_policy(file)
        if about["network"] != json.loads(json.dumps(describe(game.spec))):
            raise ValueError(
                f"{file} was trained on {about['game']} with rules {about['rules']}, whose observations and actions "
                f"are not those of {game.name} with rules {game.fields()}"
            )
        policy = Policy(game.spec, about["width"])
        policy.load_state_dict(weights)
        return cls(str(path), policy.eval(), sample)

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`."""
        chances = self.probabilities(turn.obs, turn.action_mask)
        if not self.sample:
            chances = (chances >= chances.max(1, keepdims=True) - _EQUAL).astype(np.float32)
            if (chances.sum(1) == 1).all():
                best: np.ndarray = chances.argmax(1)
                return best
        drawn = np.array([np.random.default_rng(int(seed)).random() for seed in turn.seeds])
        cumulated = chances.cumsum(1)
        out: np.ndarray = (cumulated < (drawn * cumulated[:, -1])[:, None]).sum(1)
        return out

    def probabilities(self, obs: np.ndarray, action_mask: np.ndarray) -> np.ndarray:
        """float32 (n, A): the policy, zero for illegal actions, for obs: uint8 (n, O), action_mask: bool (n, A)."""
        device = next(self.policy.parameters()).device
        with torch.no_grad():
            seen, legal = torch.from_numpy(obs).to(device), torch.from_numpy(action_mask).to(device)
            distribution, candidates = self.policy.distribution(seen, legal)
            chances = distribution.log_probs.exp() * distribution.present
            out = torch.zeros(action_mask.shape, device=device).scatter_(1, candidates, chances)
        array: np.ndarray = out.cpu().numpy()
        return array


def policy_file(path: Path) -> Path:
    """The policy file that a run folder, a checkpoint folder or a file stands for."""
    if (path / CHECKPOINTS).is_dir():
        found = sorted(path.glob(f"{CHECKPOINTS}/[0-9]*/{POLICY_FILE}"))
        if not found:
            raise ValueError(f"the run folder {path} has no checkpoint yet")
        return found[-1]
    file = path / POLICY_FILE if path.is_dir() else path
    if not file.is_file():
        raise ValueError(f"{path} is neither a run folder, a checkpoint folder nor a policy file")
    return file


def read_policy(file: Path) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """Weights by name, and what the file says about them. Nothing is unpickled.

    Raises:
        ValueError: a truncated or foreign file.
    """
    try:
        with safe_open(file, "pt") as opened:
            about = json.loads((opened.metadata() or {})["about"])
            names = list(opened.keys())
            return {name: opened.get_tensor(name) for name in names}, about
    except (SafetensorError, KeyError, OSError, json.JSONDecodeError) as error:
        raise ValueError(f"{file} is no whole policy file ({error}); use an earlier checkpoint") from error
