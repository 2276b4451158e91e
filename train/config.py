"""What a training run can be told: one model, one YAML a recipe, every field a command-line option."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from basra_env.core.errors import unknown


class PPOConfig(BaseModel):
    """A recipe. Names are CleanRL's where CleanRL has one."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str = "dananeer"
    """Variant to play, one of basra_env.games()."""
    rules: dict[str, int | bool | str] = Field(default_factory=dict)
    """Rule fields that differ from the variant's."""
    episode: Literal["round", "match"] = "round"
    """One full deck, or rounds up to the target."""
    reward: Literal["points", "win"] = "points"
    """Points as they are made, or the result at the end."""
    reward_scale: float = Field(0.1, gt=0)
    """Rewards are multiplied by this before learning."""

    seed: int = Field(1, ge=0)
    """Of decks, weights and sampling."""
    total_timesteps: int | None = Field(None, ge=1)
    """Decisions to train for; unset: anneal_timesteps, or until max_minutes."""
    max_minutes: float | None = Field(None, gt=0)
    """Minutes to train for; the schedules then follow elapsed time."""
    anneal_timesteps: int = Field(8_000_000, ge=1)
    """Decisions after which the schedules have come to their ends."""

    num_envs: int = Field(1024, ge=1)
    """Games played side by side."""
    num_steps: int = Field(48, ge=1)
    """Decisions a game in each rollout; a round of dananeer is always 48."""
    width: int = Field(256, ge=8)
    """Of hidden layers."""
    perfect_information_critic: bool = True
    """The critic sees all cards; the policy never does."""

    learning_rate: float = Field(1e-3, gt=0)
    final_learning_rate: float = Field(0.05, ge=0, le=1)
    """Fraction of learning_rate left at the end of its linear schedule."""
    gamma: float = Field(1.0, ge=0, le=1)
    gae_lambda: float = Field(0.95, ge=0, le=1)
    update_epochs: int = Field(3, ge=1)
    minibatch_size: int = Field(8192, ge=1)
    clip_coef: float = Field(0.2, gt=0)
    clip_vloss: bool = False
    ent_coef: float = Field(0.01, ge=0)
    final_ent_coef: float = Field(0.1, ge=0, le=1)
    """Fraction of ent_coef left at the end of its linear schedule."""
    vf_coef: float = Field(0.5, ge=0)
    max_grad_norm: float = Field(0.5, gt=0)
    norm_adv: bool = True
    target_kl: float | None = Field(None, gt=0)
    """Stop the epochs of an update beyond this divergence."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    precision: Literal["auto", "bf16", "fp32"] = "auto"
    """Of the networks' arithmetic; auto: bf16 where the hardware multiplies it."""
    torch_threads: int = Field(0, ge=0)
    """CPU threads of torch; 0: one a core."""

    checkpoint_every: float = Field(60, gt=0)
    """Seconds between checkpoints; there is one more at the end."""
    keep_checkpoints: int = Field(8, ge=2)
    """Older ones are thinned out, the first and the last are kept."""
    evaluate_every: int = Field(10, ge=1)
    """Updates between evaluations against the baselines."""
    evaluate_deals: int = Field(200, ge=2)
    """Decks of such an evaluation."""
    baselines: tuple[str, ...] = ("greedy", "random")
    """Agents that the learner is measured against; it never trains against them."""


def load_config(path: Path) -> PPOConfig:
    """The recipe in a YAML file.

    Raises:
        ValueError: names the file, and for each wrong field what was given and what was expected.
    """
    try:
        fields = yaml.safe_load(path.read_text()) or {}
    except OSError as error:
        raise ValueError(f"cannot read the config {path}: {error.strerror}") from error
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML: {error}") from error
    if not isinstance(fields, dict):
        raise ValueError(f"{path} must hold `field: value` lines, not a {type(fields).__name__}")
    return checked_config(fields, str(path))


def checked_config(fields: dict[str, Any], where: str) -> PPOConfig:
    """A recipe from its fields; numbers may come as texts such as `1e-4`, which is what YAML makes of them."""
    for name in fields:
        if name not in PPOConfig.model_fields:
            raise ValueError(f"{where}: {unknown('field', name, PPOConfig.model_fields)}")
    try:
        return PPOConfig(**fields)
    except ValidationError as error:
        lines = [f"  {'.'.join(map(str, e['loc']))}: {e['msg']}, got {e['input']!r}" for e in error.errors()]
        raise ValueError(f"{where} does not fit:\n" + "\n".join(lines)) from error
