"""Self-play PPO: `python -m train.ppo --config configs/dananeer/quick.yaml --run-dir runs/first --max-minutes 5`.

One shared network plays every seat from random weights. It trains against nobody but itself: the baselines only
measure it. The file reads from top to bottom; a variant is a config.
"""

from __future__ import annotations

import copy
import math
import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import torch
import tyro
from rich.console import Console
from torch import nn

from agents.nets import Critic, MaskedCategorical, Policy, candidates
from agents.neural import NeuralAgent
from agents.registry import make_agent
from basra_env import Game, GameBatch, make
from train import checkpoint
from train.arena import play_pair
from train.checkpoint import Learner
from train.config import PPOConfig, checked_config, load_config
from train.losses import advantages, explained_variance, policy_loss, value_loss
from train.progress import ProgressLine
from train.rollout import Rollout, values
from train.run_folder import RunFolder
from train.timing import Stopwatch

EVALUATION_SEED = 2**40
"""Decks of evaluations during training, apart from those of any run."""


class Arguments(PPOConfig):
    """Train by self-play. Every field of the config is an option."""

    config: Path
    """YAML recipe; options given here win over it."""
    run_dir: Path
    """Folder of this run."""
    resume: bool = False
    """Go on from the last checkpoint in the run folder."""
    profile: bool = False
    """Print where the time went."""


class Interrupt:
    """Turns the first Ctrl-C, or a polite kill, into a wish to stop after the update in progress."""

    def __init__(self) -> None:
        self.wanted = False

    @contextmanager
    def armed(self) -> Iterator[None]:
        """Listen while inside."""
        before = {number: signal.signal(number, self._note) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True


def train(config: PPOConfig, run_dir: Path, resume: bool = False, profile: bool = False) -> Learner:
    """Train as `config` says and keep all of it in `run_dir`.

    Raises:
        ValueError: a config, run folder or checkpoint that does not fit.
        RuntimeError: the loss is no longer a number, or not one update was made.
        OSError: a checkpoint or a metric could not be written.
    """
    started = time.perf_counter()
    torch.set_num_threads(config.torch_threads or os.cpu_count() or 1)
    device = torch.device(
        ("cuda" if torch.cuda.is_available() else "cpu") if config.device == "auto" else config.device
    )
    game = make(config.game, **config.rules)
    learner = new_learner(config, game, device)
    if resume:
        check_resumable(run_dir, config)
        checkpoint.load(run_dir, learner)
    folder = RunFolder(run_dir, config, learner.timesteps if resume else None)
    rollout = Rollout(learner.batch, config.num_steps, config.perfect_information_critic)
    elapsed_before = learner.elapsed
    interrupt, watch, line = Interrupt(), Stopwatch(), ProgressLine(Console(stderr=True))
    precision = arithmetic(config, device)
    with interrupt.armed(), line:
        if not resume:
            checkpoint.save(run_dir, learner, config.width)
            scores = evaluation(config, game, learner, watch)
            folder.log_events(0, scores)
            line.update(learner, 0.0, 0.0, math.nan, scores)
        last_save = time.perf_counter()
        steps_before, updates_before = learner.timesteps, learner.updates
        while not interrupt.wanted:
            learner.elapsed = elapsed_before + time.perf_counter() - started
            progress = fraction_done(config, learner)
            if run_fraction(config, learner) >= 1:
                break

            # 1. Schedules
            set_learning_rate(learner, config.learning_rate * annealed(progress, config.final_learning_rate))
            ent_coef = config.ent_coef * annealed(progress, config.final_ent_coef)

            # 2. Play whole rounds against itself
            with precision():
                rollout.fill(learner.policy, learner.generator, device, watch)

            # 3. Advantages that follow each seat's own decisions
            with watch("forward"), precision():
                old_values = values(learner.critic, rollout.critic_inputs(), device, config.minibatch_size)
            with watch("advantages"):
                advantage, known = advantages(
                    rollout.rewards.numpy() * np.float32(config.reward_scale),
                    old_values,
                    rollout.seats[:-1].numpy(),
                    rollout.terminated.numpy(),
                    config.gamma,
                    config.gae_lambda,
                )

            # 4. Learn from them
            metrics = update(config, learner, rollout, old_values, advantage, known, ent_coef, device, precision, watch)
            learner.updates += 1
            learner.timesteps += config.num_envs * config.num_steps

            # 5. Say how it goes
            learner.elapsed = elapsed_before + time.perf_counter() - started
            scores = dict.fromkeys((f"eval/points_against_{name}" for name in config.baselines), math.nan)
            if learner.updates % config.evaluate_every == 0:
                scores = evaluation(config, game, learner, watch)
            sps = (learner.timesteps - steps_before) / (time.perf_counter() - started)
            returns = np.where(known, advantage + old_values, np.nan)
            folder.log(
                learner.timesteps,
                {
                    "charts/elapsed_minutes": learner.elapsed / 60,
                    "charts/SPS": sps,
                    "charts/learning_rate": learner.optimizer.param_groups[0]["lr"],
                    "charts/ent_coef": ent_coef,
                    "charts/outside_network": watch.outside_network(),
                    "returns/eldest": eldest_return(rollout),
                    "returns/spread": float(np.nanstd(returns)),
                    **metrics,
                    **scores,
                },
            )
            line.update(learner, run_fraction(config, learner), sps, metrics["losses/total"], scores)
            if time.perf_counter() - last_save > config.checkpoint_every:
                checkpoint.save(run_dir, learner, config.width)
                checkpoint.thin_out(run_dir, config.keep_checkpoints)
                last_save = time.perf_counter()
    if learner.updates == updates_before and not interrupt.wanted and not resume:
        raise RuntimeError("the run ended without a single update: give it more time or more timesteps")
    saved = checkpoint.save(run_dir, learner, config.width)
    checkpoint.thin_out(run_dir, config.keep_checkpoints)
    folder.close()
    out = Console(stderr=True)
    if profile:
        print_profile(out, watch)
    if interrupt.wanted:
        out.print(f"stopped at {learner.timesteps:,} decisions; go on with: {resume_command()}", soft_wrap=True)
    out.print(f"checkpoint: {saved}\nTensorBoard: tensorboard --logdir {run_dir}", soft_wrap=True)
    return learner


def check_resumable(run_dir: Path, config: PPOConfig) -> None:
    """Refuse to go on with another game, network or number of games than the run was started with.

    Raises:
        ValueError: names each field that differs.
    """
    saved = run_dir / "config.yaml"
    if not saved.exists():
        return
    before = load_config(saved)
    fixed = ("game", "rules", "episode", "reward", "num_envs", "width", "perfect_information_critic")
    differ = [
        f"{name}: {getattr(before, name)!r}, now {getattr(config, name)!r}"
        for name in fixed
        if getattr(before, name) != getattr(config, name)
    ]
    if differ:
        raise ValueError(f"{run_dir} cannot be resumed with other settings:\n  " + "\n  ".join(differ))


def new_learner(config: PPOConfig, game: Game, device: torch.device) -> Learner:
    """Fresh networks, optimiser, generator and games, all from the seed."""
    torch.manual_seed(config.seed)
    policy = Policy(game.spec, config.width).to(device)
    critic = Critic(game.spec, config.width, config.perfect_information_critic).to(device)
    parameters = [*policy.parameters(), *critic.parameters()]
    return Learner(
        policy=policy,
        critic=critic,
        optimizer=torch.optim.Adam(parameters, lr=config.learning_rate, eps=1e-5, fused=True),
        generator=torch.Generator(device).manual_seed(config.seed),
        batch=GameBatch(game, config.num_envs, seed=config.seed, episode=config.episode, reward=config.reward),
    )


def arithmetic(config: PPOConfig, device: torch.device) -> Callable[[], AbstractContextManager[Any]]:
    """Contexts for the networks' arithmetic: bf16 where asked for, or where the hardware multiplies it.

    Each context is to be left before the weights change: inside, torch keeps the weights' bf16 copies.
    """
    if config.precision == "auto":
        bf16 = torch.cuda.is_bf16_supported() if device.type == "cuda" else cpu_multiplies_bf16()
    else:
        bf16 = config.precision == "bf16"
    return lambda: torch.autocast(device.type, dtype=torch.bfloat16, enabled=bf16)


def cpu_multiplies_bf16() -> bool:
    """True if the CPU has instructions for bf16 products."""
    try:
        flags = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    return "avx512_bf16" in flags or "amx_bf16" in flags


def fraction_done(config: PPOConfig, learner: Learner) -> float:
    """How far the schedules are, 0 to 1: by elapsed time under max_minutes, else by decisions."""
    if config.max_minutes is not None:
        return min(learner.elapsed / (60 * config.max_minutes), 1.0)
    return min(learner.timesteps / config.anneal_timesteps, 1.0)


def run_fraction(config: PPOConfig, learner: Learner) -> float:
    """How much of its time or of its decisions the run has used up, 1 at the end."""
    limit = config.total_timesteps
    if limit is None and config.max_minutes is None:
        limit = config.anneal_timesteps
    by_time = learner.elapsed / (60 * config.max_minutes) if config.max_minutes is not None else 0.0
    return min(max(by_time, learner.timesteps / limit if limit is not None else 0.0), 1.0)


def annealed(progress: float, final: float) -> float:
    """A line from 1 to `final`."""
    return 1.0 + (final - 1.0) * progress


def set_learning_rate(learner: Learner, rate: float) -> None:
    """For all parameters."""
    for group in learner.optimizer.param_groups:
        group["lr"] = rate


def update(
    config: PPOConfig,
    learner: Learner,
    rollout: Rollout,
    old_values: np.ndarray,
    advantage: np.ndarray,
    known: np.ndarray,
    ent_coef: float,
    device: torch.device,
    precision: Callable[[], AbstractContextManager[Any]],
    watch: Stopwatch,
) -> dict[str, float]:
    """Some epochs of minibatches over one rollout; what happened, by name.

    A decision with one legal action teaches the critic only: its probability is 1 whatever the weights are.

    Raises:
        RuntimeError: the loss is no longer a number.
    """
    obs, masks = rollout.obs[:-1].flatten(0, 1), rollout.action_mask[:-1].flatten(0, 1)
    inputs = rollout.critic_inputs().flatten(0, 1)
    chosen, old_log_probs = rollout.index.flatten(), rollout.log_probs.flatten()
    advantages_, old = torch.from_numpy(advantage).flatten(), torch.from_numpy(old_values).flatten()
    returns = advantages_ + old
    usable = torch.from_numpy(np.flatnonzero(known))
    free = masks.sum(1) > 1
    parameters = [p for group in learner.optimizer.param_groups for p in group["params"]]
    totals: dict[str, list[float]] = {}
    first_ratio_error = None
    for _ in range(config.update_epochs):
        order = usable[torch.randperm(len(usable), generator=learner.generator, device=device).cpu()]
        kls = []
        for rows in order.split(config.minibatch_size):
            rows_free = rows[free[rows]]
            if len(rows_free) == 0:
                continue  # a handful of rows left over at the end of an epoch, none of them a choice
            with watch("forward"), precision():
                index, present = candidates(masks[rows_free].to(device))
                distribution = MaskedCategorical(learner.policy(obs[rows_free].to(device), index), present)
                log_prob = distribution.log_prob(chosen[rows_free].to(device))
                value = learner.critic(inputs[rows].to(device))
                weight = advantages_[rows_free].to(device)
                if config.norm_adv and len(weight) > 1:
                    weight = (weight - weight.mean()) / (weight.std() + 1e-8)
                surrogate = policy_loss(log_prob, old_log_probs[rows_free].to(device), weight, config.clip_coef)
                entropy = distribution.entropy().mean()
                clip_value = config.clip_coef if config.clip_vloss else None
                v_loss = value_loss(value, old[rows].to(device), returns[rows].to(device), clip_value)
                loss = surrogate.loss - ent_coef * entropy + config.vf_coef * v_loss
            if first_ratio_error is None:
                first_ratio_error = float((log_prob.detach() - old_log_probs[rows_free].to(device)).abs().max())
            with watch("backward"):
                learner.optimizer.zero_grad()
                loss.backward()
            with watch("optimizer"):
                norm = nn.utils.clip_grad_norm_(parameters, config.max_grad_norm)
                learner.optimizer.step()
            for name, scalar in (
                ("losses/total", loss),
                ("losses/policy", surrogate.loss),
                ("losses/value", v_loss),
                ("losses/entropy", entropy),
                ("losses/approx_kl", surrogate.approx_kl),
                ("losses/clip_fraction", surrogate.clip_fraction),
                ("losses/grad_norm", norm),
            ):
                totals.setdefault(name, []).append(float(scalar.detach()))
            kls.append(totals["losses/approx_kl"][-1])
            if not math.isfinite(totals["losses/total"][-1]):
                raise RuntimeError(f"the loss is {totals['losses/total'][-1]} in update {learner.updates + 1}")
        if config.target_kl is not None and np.mean(kls) > config.target_kl:
            break
    means = {name: float(np.mean(each)) for name, each in totals.items()}
    flat = np.flatnonzero(known)
    means["losses/explained_variance"] = explained_variance(old_values.ravel()[flat], returns.numpy()[flat])
    means["losses/first_ratio_error"] = first_ratio_error if first_ratio_error is not None else math.nan
    return means


def evaluation(config: PPOConfig, game: Game, learner: Learner, watch: Stopwatch) -> dict[str, float]:
    """Mean difference to each baseline, points a round, of a copy of the policy as it is now."""
    agent = NeuralAgent("learner", copy.deepcopy(learner.policy))
    with watch("evaluation"):
        return {
            f"eval/points_against_{name}": play_pair(
                game, agent, make_agent(name, game), config.evaluate_deals, EVALUATION_SEED, config.episode
            ).mean
            for name in config.baselines
        }


def eldest_return(rollout: Rollout) -> float:
    """Mean return of the seat that acts first, over the episodes that began and ended in the rollout; else NaN."""
    rewards, seats = rollout.rewards.numpy(), rollout.seats.numpy()
    terminated = rollout.terminated.numpy()
    games = np.arange(seats.shape[1])
    eldest = seats[0].astype(np.int64)
    running, ends = np.where(rollout.from_start, 0.0, np.nan), []
    for t in range(rollout.steps):
        running += rewards[t, games, eldest]
        done = terminated[t]
        ends.extend(running[done].tolist())
        running[done] = 0.0
        eldest[done] = seats[t + 1][done]
    whole = [end for end in ends if not math.isnan(end)]
    return float(np.mean(whole)) if whole else math.nan


def print_profile(out: Console, watch: Stopwatch) -> None:
    """Shares of wall time."""
    for part, share in watch.shares().items():
        out.print(f"{part:<12}{100 * share:5.1f} %")
    out.print(f"outside the network's forward, backward and optimiser steps: {100 * watch.outside_network():.1f} %")


def resume_command() -> str:
    """The command line that goes on with this run."""
    words = [word for word in sys.argv[1:] if word != "--resume"]
    return shlex.join(["python", "-m", "train.ppo", *words, "--resume"])


def main(words: list[str] | None = None) -> None:
    """Run the command: the YAML first, then the options over it."""
    words = sys.argv[1:] if words is None else words
    defaults: dict[str, Any] = {}
    for i, word in enumerate(words):
        if word == "--config" and i + 1 < len(words):
            defaults = load_config(Path(words[i + 1])).model_dump()
        elif word.startswith("--config="):
            defaults = load_config(Path(word.removeprefix("--config="))).model_dump()
    missing = {"config": tyro.MISSING, "run_dir": tyro.MISSING, "resume": False, "profile": False}
    default = Arguments.model_construct(**{**checked_config({}, "defaults").model_dump(), **defaults, **missing})
    arguments = tyro.cli(Arguments, prog="python -m train.ppo", args=words, default=default)
    config = checked_config(
        arguments.model_dump(exclude={"config", "run_dir", "resume", "profile"}), "the command line"
    )
    train(config, arguments.run_dir, arguments.resume, arguments.profile)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, RuntimeError, OSError, ImportError) as error:
        sys.exit(f"error: {error}")
