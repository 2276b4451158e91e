"""Checkpoints that a kill at any moment leaves whole, and that loading never unpickles.

A checkpoint is a folder, written under another name, flushed to disk and only then renamed:

    policy.safetensors    the policy's weights, and which game and width they are for
    trainer.safetensors   critic, optimiser, generators and games in progress
    trainer.json          step count, elapsed time, optimiser settings
"""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from agents.nets import Critic, Policy, describe
from agents.neural import CHECKPOINTS, POLICY_FILE, read_policy
from basra_env import GameBatch, Snapshot, __version__

TRAINER_FILE = "trainer.safetensors"
PROGRESS_FILE = "trainer.json"
FORMAT = 1


@dataclass
class Learner:
    """All that a run must find again to go on bit for bit."""

    policy: Policy
    critic: Critic
    optimizer: torch.optim.Optimizer
    generator: torch.Generator
    batch: GameBatch
    timesteps: int = 0
    updates: int = 0
    elapsed: float = 0.0


def save(folder: Path, learner: Learner, width: int) -> Path:
    """Write a checkpoint into the run folder `folder`; the folder that it is in.

    Raises:
        OSError: it could not be written (a full disk, say); nothing is left of it, earlier checkpoints stay.
    """
    final = folder / CHECKPOINTS / f"{learner.timesteps:012d}"
    if final.exists():
        return final
    for left_over in final.parent.glob(".partial-*"):  # of a run that was killed while writing
        shutil.rmtree(left_over, ignore_errors=True)
    partial = final.with_name(f".partial-{os.getpid()}")
    partial.mkdir(parents=True)
    game = learner.batch.game
    about = {
        "format": FORMAT,
        "version": __version__,
        "game": game.name,
        "rules": game.fields(),
        "width": width,
        "network": describe(game.spec),
        "timesteps": learner.timesteps,
    }
    try:
        save_file(_plain(learner.policy.state_dict()), partial / POLICY_FILE, {"about": json.dumps(about)})
        save_file(_trainer_tensors(learner), partial / TRAINER_FILE)
        progress = {
            "format": FORMAT,
            "timesteps": learner.timesteps,
            "updates": learner.updates,
            "elapsed": learner.elapsed,
            "param_groups": learner.optimizer.state_dict()["param_groups"],
        }
        (partial / PROGRESS_FILE).write_text(json.dumps(progress, indent=1))
        for file in partial.iterdir():
            _flush(file)
        partial.rename(final)
        _flush(final.parent)
    except BaseException as error:
        shutil.rmtree(partial, ignore_errors=True)
        if isinstance(error, SafetensorError):
            raise OSError(f"could not write the checkpoint {final}: {error}") from error
        raise
    return final


def load(folder: Path, learner: Learner) -> None:
    """Put the last checkpoint of the run folder into `learner`.

    Raises:
        ValueError: there is none, or it is broken or of another game; says what to do.
    """
    found = sorted((folder / CHECKPOINTS).glob("[0-9]*"))
    if not found:
        raise ValueError(f"{folder} has no checkpoint to resume from; start it without --resume")
    last = found[-1]
    weights, about = read_policy(last / POLICY_FILE)
    if about["network"] != json.loads(json.dumps(describe(learner.batch.game.spec))):
        raise ValueError(f"{last} was written for {about['game']} with other observations or actions")
    try:
        tensors = load_file(last / TRAINER_FILE)
        progress = json.loads((last / PROGRESS_FILE).read_text())
    except (SafetensorError, OSError, json.JSONDecodeError) as error:
        raise ValueError(f"{last} is not whole ({error}); remove it to resume from the one before") from error
    learner.policy.load_state_dict(weights)
    learner.critic.load_state_dict(_under("critic.", tensors))
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _under("optimizer.", tensors).items():
        number, key = name.split(".", 1)
        state.setdefault(int(number), {})[key] = tensor
    learner.optimizer.load_state_dict({"state": state, "param_groups": progress["param_groups"]})
    learner.generator.set_state(tensors["generator"])
    _restore_batch(learner.batch, _under("batch.", tensors))
    learner.timesteps, learner.updates = progress["timesteps"], progress["updates"]
    learner.elapsed = progress["elapsed"]


def thin_out(folder: Path, keep: int) -> None:
    """Remove checkpoints until `keep` are left: the first, the last, and others spread between them."""
    found = sorted((folder / CHECKPOINTS).glob("[0-9]*"))
    while len(found) > max(keep, 2):
        steps = [int(path.name) for path in found]
        gaps = [steps[i + 1] - steps[i - 1] for i in range(1, len(found) - 1)]
        shutil.rmtree(found.pop(1 + int(np.argmin(gaps))))


def _trainer_tensors(learner: Learner) -> dict[str, Tensor]:
    tensors = {f"critic.{name}": tensor for name, tensor in learner.critic.state_dict().items()}
    for number, state in learner.optimizer.state_dict()["state"].items():
        tensors.update({f"optimizer.{number}.{key}": value for key, value in state.items()})
    tensors["generator"] = learner.generator.get_state()
    snap = learner.batch.clone()
    for name in ("state", "history", "origins", "displaced"):
        array = getattr(snap, name)
        tensors[f"batch.{name}"] = torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())
        tensors[f"batch.{name}.shape"] = torch.tensor(array.shape)
    return _plain(tensors)


def _restore_batch(batch: GameBatch, tensors: dict[str, Tensor]) -> None:
    like = batch.clone()
    arrays = {
        name: np.frombuffer(tensors[name].numpy().tobytes(), getattr(like, name).dtype)
        .reshape(tuple(tensors[f"{name}.shape"].tolist()))
        .copy()
        for name in ("state", "history", "origins", "displaced")
    }
    if arrays["state"].shape != like.state.shape:
        raise ValueError(f"the checkpoint has {len(arrays['state'])} games, this run {batch.num_envs}")
    batch.restore(Snapshot(rules=batch.game.rules, **arrays))


def _plain(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}


def _under(prefix: str, tensors: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
