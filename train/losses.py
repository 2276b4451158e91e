"""What PPO minimises, and the advantages it weighs decisions with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


def advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    seats: np.ndarray,
    terminated: np.ndarray,
    gamma: float,
    gae_lambda: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised advantages that follow each seat's own decisions.

    What a seat is paid between two of its own decisions, by its own move or by the others' replies, belongs to the
    earlier of the two; its next value is that of its own next decision, never of the opponent's half-move.

    Args:
        rewards: float32 (T, B, P) paid to each seat by each decision.
        values: float32 (T, B) of the deciding seat, before its decision.
        seats: int8 (T, B) deciding seat.
        terminated: bool (T, B) the decision ended the episode.
        gamma: discount from one own decision to the next.
        gae_lambda: lambda of the estimator.

    Returns:
        advantages: float32 (T, B); known: bool (T, B), False where the seat's next decision lies beyond the
        rollout, so that nothing can be said yet (its advantage is 0 and it must not be trained on).
    """
    steps, games, players = rewards.shape
    out = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), np.bool_)
    row = np.arange(games)
    paid = np.zeros((games, players), np.float32)  # since each seat's own decision
    next_value = np.zeros((games, players), np.float32)
    next_advantage = np.zeros((games, players), np.float32)
    reached = np.zeros((games, players), np.bool_)  # the seat's next decision, or the end, lies in the rollout
    for t in range(steps - 1, -1, -1):
        ended = terminated[t]
        for array, at_end in ((paid, 0.0), (next_value, 0.0), (next_advantage, 0.0), (reached, True)):
            array[ended] = at_end
        paid += rewards[t]
        own = (row, seats[t])
        delta = paid[own] + gamma * next_value[own] - values[t]
        known[t] = reached[own]
        out[t] = np.where(known[t], delta + gamma * gae_lambda * next_advantage[own], 0.0)
        paid[own] = 0.0
        next_value[own] = values[t]
        next_advantage[own] = out[t]
        reached[own] = True
    return out, known


@dataclass
class PolicyLoss:
    """The clipped surrogate and what describes the step; scalars."""

    loss: Tensor
    approx_kl: Tensor
    clip_fraction: Tensor


def policy_loss(log_prob: Tensor, old_log_prob: Tensor, advantage: Tensor, clip_coef: float) -> PolicyLoss:
    """PPO's clipped surrogate over decisions (N,)."""
    log_ratio = log_prob - old_log_prob
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - clip_coef, 1 + clip_coef)
    loss = -torch.minimum(advantage * ratio, advantage * clipped).mean()
    with torch.no_grad():
        approx_kl = ((ratio - 1) - log_ratio).mean()
        clip_fraction = ((ratio - 1).abs() > clip_coef).float().mean()
    return PolicyLoss(loss, approx_kl, clip_fraction)


def value_loss(value: Tensor, old_value: Tensor, returns: Tensor, clip_coef: float | None) -> Tensor:
    """Half the mean squared error, with `clip_coef` the larger of it and of a step clipped around the old value."""
    error = (value - returns).square()
    if clip_coef is not None:
        clipped = old_value + (value - old_value).clamp(-clip_coef, clip_coef)
        error = torch.maximum(error, (clipped - returns).square())
    return 0.5 * error.mean()


def explained_variance(values: np.ndarray, returns: np.ndarray) -> float:
    """Share of the returns' variance that the values explain; NaN where there is none to explain."""
    spread = float(np.var(returns))
    return float("nan") if spread == 0 else 1.0 - float(np.var(returns - values)) / spread
