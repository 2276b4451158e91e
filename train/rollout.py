"""Storage that a batch writes into, and the play that fills it."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from agents.nets import Critic, Policy
from basra_env import GameBatch, Slots
from train.timing import Stopwatch


class Rollout:
    """T decisions of B games. The batch writes observations, masks and rewards straight into these tensors.

    Attributes:
        obs: uint8 (T + 1, B, O); the last is the first of the next rollout.
        action_mask: bool (T + 1, B, A).
        seats: int8 (T + 1, B) seat to play.
        rewards: float32 (T, B, P).
        terminated: bool (T, B).
        states: uint8 (T, B, S) for a perfect-information critic, (T, B, 0) without one.
        index: int64 (T, B) which of the candidate actions was played.
        log_probs: float32 (T, B) of it.
        from_start: bool (B,) the rollout begins with the first decision of an episode.
    """

    def __init__(self, batch: GameBatch, steps: int, with_states: bool) -> None:
        """Allocate for `steps` decisions of all games of the batch."""
        spec, games = batch.game.spec, batch.num_envs
        self.batch = batch
        self.steps = steps
        self.obs = torch.zeros((steps + 1, games, spec.obs_size), dtype=torch.uint8)
        self.action_mask = torch.zeros((steps + 1, games, spec.num_actions), dtype=torch.bool)
        self.seats = torch.zeros((steps + 1, games), dtype=torch.int8)
        self.rewards = torch.zeros((steps, games, spec.players))
        self.terminated = torch.zeros((steps, games), dtype=torch.bool)
        self.states = torch.zeros((steps, games, spec.state_size if with_states else 0), dtype=torch.uint8)
        self.index = torch.zeros((steps, games), dtype=torch.int64)
        self.log_probs = torch.zeros((steps, games))
        self.from_start = np.zeros(games, np.bool_)
        final = Slots.empty(batch.game, games)
        self._slots = [
            Slots(
                obs=self.obs[t + 1].numpy(),
                action_mask=self.action_mask[t + 1].numpy(),
                to_play=self.seats[t + 1].numpy(),
                rewards=self.rewards[t].numpy(),
                terminated=self.terminated[t].numpy(),
                final_obs=final.final_obs,
                final_scores=final.final_scores,
            )
            for t in range(steps)
        ]
        self._states = self.states.numpy()

    def fill(self, policy: Policy, generator: torch.Generator, device: torch.device, watch: Stopwatch) -> None:
        """Play T decisions in every game, every seat by `policy`."""
        batch, slots = self.batch, self.batch.slots
        state = batch.clone().state
        self.from_start = (state["ply"] == 0) & (state["rounds"] == 0)
        self.obs[0].numpy()[:] = slots.obs
        self.action_mask[0].numpy()[:] = slots.action_mask
        self.seats[0].numpy()[:] = slots.to_play
        for t in range(self.steps):
            if self.states.shape[2]:
                with watch("environment"):
                    batch.state(out=self._states[t])
            with watch("forward"), torch.no_grad():
                distribution, candidates = policy.distribution(self.obs[t].to(device), self.action_mask[t].to(device))
                chosen = distribution.sample(generator)
                self.index[t] = chosen
                self.log_probs[t] = distribution.log_prob(chosen)
                actions = candidates.gather(1, chosen.unsqueeze(1)).squeeze(1).cpu().numpy()
            with watch("environment"):
                batch.step(actions, out=self._slots[t])
        # The batch's own slots have stayed behind: it wrote into ours.
        slots.obs[:] = self.obs[-1].numpy()
        slots.action_mask[:] = self.action_mask[-1].numpy()
        slots.to_play[:] = self.seats[-1].numpy()

    def critic_inputs(self) -> Tensor:
        """uint8 (T, B, ...): states, or observations where the critic sees no more than the policy."""
        return self.states if self.states.shape[2] else self.obs[:-1]


def values(critic: Critic, inputs: Tensor, device: torch.device, chunk: int) -> np.ndarray:
    """float32 (T, B): what the critic expects at each decision."""
    flat = inputs.flatten(0, 1)
    with torch.no_grad():
        parts = [critic(part.to(device)).cpu() for part in flat.split(chunk)]
    out: np.ndarray = torch.cat(parts).view(inputs.shape[:2]).numpy()
    return out
