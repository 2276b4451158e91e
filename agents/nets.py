"""The networks: a policy that scores each playable card from its own preview, and critics.

They know a game only by its `Spec`: sizes, layout, and that the field `preview` has a row for each action.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from basra_env import Spec

_PREVIEW_SCALE = 0.25
_DIGITS = 14
"""A preview's numbers are shown as they are, and one-hot up to 13: a sum or a rank is no quantity."""


class MaskedCategorical:
    """A distribution over a few candidate actions, some of which may be absent.

    Log-probabilities are float32 whatever the logits come as; absent candidates have none, are never drawn, and
    do not count in the entropy.
    """

    def __init__(self, logits: Tensor, present: Tensor) -> None:
        """Args: logits: float (..., K); present: bool (..., K), at least one True a row."""
        self.present = present
        floor = torch.finfo(torch.float32).min
        self.log_probs = torch.log_softmax(logits.float().masked_fill(~present, floor), -1)

    def sample(self, generator: torch.Generator | None = None) -> Tensor:
        """Indices int64 (...,) of candidates that are present: the largest of log-probability plus Gumbel noise."""
        noise = torch.empty_like(self.log_probs).exponential_(generator=generator)
        return (self.log_probs - noise.log()).masked_fill(~self.present, -torch.inf).argmax(-1)

    def mode(self) -> Tensor:
        """Indices int64 (...,) of the likeliest candidates; of equals the first."""
        return self.log_probs.masked_fill(~self.present, -torch.inf).argmax(-1)

    def log_prob(self, index: Tensor) -> Tensor:
        """float32 (...,)."""
        return self.log_probs.gather(-1, index.unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """float32 (...,) nats, over the candidates that are present."""
        log_probs = self.log_probs.masked_fill(~self.present, 0.0)
        return -(log_probs.exp() * log_probs * self.present).sum(-1)


def candidates(action_mask: Tensor) -> tuple[Tensor, Tensor]:
    """The legal actions of each row in id order: indices int64 (N, K) and bool (N, K) which are present.

    K is the most that any of these rows has: a choice among many cards is rare, and a hand is small.
    """
    present, index = action_mask.to(torch.uint8).sort(dim=-1, descending=True, stable=True)
    most = max(int(action_mask.sum(-1).max()), 1) if len(action_mask) else 1
    return index[:, :most], present[:, :most].bool()


def _scaled(values: Tensor, scale: Tensor | None = None) -> Tensor:
    """uint8 values as floats of the precision in force, times `scale`."""
    device = values.device.type
    kind = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else torch.float32
    floats = values.to(kind)
    return floats if scale is None else floats * scale.to(kind)


class _Trunk(nn.Module):
    """Two layers over all bytes of an input but the preview, each scaled by the largest value it takes."""

    scale: Tensor

    def __init__(self, spec: Spec, hidden: int, width: int, extra: int = 0) -> None:
        super().__init__()
        preview = spec.layout["preview"]
        self.cut = (preview.start, preview.stop)
        high = spec.layout.high().astype("float32")
        kept = [*high[: preview.start], *high[preview.stop :], *[float(spec.state_high)] * extra]
        self.register_buffer("scale", 1.0 / torch.tensor(kept), persistent=False)
        self.first = nn.Linear(len(kept), hidden)
        self.second = nn.Linear(hidden, width)

    def forward(self, obs: Tensor) -> Tensor:
        kept = torch.cat([obs[:, : self.cut[0]], obs[:, self.cut[1] :]], 1)
        out: Tensor = self.second(torch.relu(self.first(_scaled(kept, self.scale))))
        return out


class Policy(nn.Module):
    """Scores each playable card from its own preview, with shared weights, joined to a trunk over the rest.

    The card chooses by a gate what of the table matters to it, and adds what it is and does.
    """

    scale: Tensor
    cards: Tensor
    digits: Tensor

    def __init__(self, spec: Spec, width: int) -> None:
        """Args: spec: of the game; width: of the trunk's hidden layer; a card's own layer is half as wide."""
        super().__init__()
        preview = spec.layout["preview"]
        self.slice = preview.slice
        self.shape = preview.shape
        self.trunk = _Trunk(spec, width, width)
        self.join = nn.Linear(width, width // 2)
        described = preview.shape[1] * (1 + _DIGITS) + spec.num_actions
        self.card = nn.Linear(described, width // 2, bias=False)
        self.gate = nn.Linear(described, width // 2)
        self.score = nn.Linear(width // 2, 1)
        self.register_buffer("scale", torch.tensor(_PREVIEW_SCALE), persistent=False)
        self.register_buffer("cards", torch.eye(spec.num_actions, dtype=torch.uint8), persistent=False)
        self.register_buffer("digits", torch.eye(_DIGITS, dtype=torch.uint8), persistent=False)
        with torch.no_grad():
            self.gate.weight.mul_(0.1)  # at first every card lets the whole table through
        nn.init.ones_(self.gate.bias)
        nn.init.zeros_(self.score.weight)  # at first every card is as good as the other
        nn.init.zeros_(self.score.bias)

    def forward(self, obs: Tensor, index: Tensor) -> Tensor:
        """Logits (N, K) of the candidate actions `index`: int64 (N, K), for obs: uint8 (N, O)."""
        rows = obs[:, self.slice].unflatten(1, self.shape)
        previews = rows.gather(1, index.unsqueeze(-1).expand(-1, -1, self.shape[1]))
        digits = self.digits[previews.clamp(max=_DIGITS - 1).int()].flatten(-2)
        described = torch.cat([_scaled(previews, self.scale), _scaled(torch.cat([digits, self.cards[index]], -1))], -1)
        table = self.join(torch.relu(self.trunk(obs)))
        joined = table.unsqueeze(1) * self.gate(described) + self.card(described)
        logits: Tensor = self.score(torch.relu(joined)).squeeze(-1)
        return logits

    def distribution(self, obs: Tensor, action_mask: Tensor) -> tuple[MaskedCategorical, Tensor]:
        """The policy for obs: uint8 (N, O) and action_mask: bool (N, A), and its candidate actions int64 (N, K)."""
        index, present = candidates(action_mask)
        return MaskedCategorical(self(obs, index), present), index


class Critic(nn.Module):
    """The expected return of the seat to play, from what it sees or, with perfect information, from the whole state."""

    def __init__(self, spec: Spec, width: int, perfect_information: bool) -> None:
        """Args: spec: of the game; width: of hidden layers; perfect_information: read `batch.state`, uint8 (N, S)."""
        super().__init__()
        self.trunk = _Trunk(spec, width, width, spec.state_size - spec.obs_size if perfect_information else 0)
        self.value = nn.Linear(width, 1)
        nn.init.normal_(self.value.weight, std=0.01)
        nn.init.zeros_(self.value.bias)

    def forward(self, inputs: Tensor) -> Tensor:
        """Values float32 (N,)."""
        values: Tensor = self.value(torch.relu(self.trunk(inputs))).squeeze(-1).float()
        return values


def describe(spec: Spec) -> dict[str, Any]:
    """What a network's weights depend on: a checkpoint fits a game whose description is the same."""
    return {
        "num_actions": spec.num_actions,
        "obs_size": spec.obs_size,
        "state_size": spec.state_size,
        "layout": {name: [field.start, *field.shape] for name, field in spec.layout.items()},
    }
