"""A run folder explains itself: resolved config, versions, commit, metrics and TensorBoard events."""

from __future__ import annotations

import csv
import json
import math
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml
from torch.utils.tensorboard import SummaryWriter

from basra_env import __version__
from train.config import PPOConfig

METRICS = "metrics.csv"
_PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "torch", "safetensors", "tensorboard", "pydantic", "tyro")


class RunFolder:
    """Where a run writes what it is and what it measures.

    Attributes:
        path: the folder.
    """

    def __init__(self, path: Path, config: PPOConfig, resume_at: int | None) -> None:
        """Open the folder.

        Args:
            path: the folder; made if need be.
            config: written into it, resolved.
            resume_at: step count to go on from: later lines of the metrics are dropped; None for a new run.

        Raises:
            ValueError: a new run in a folder that holds one.
        """
        self.path = path
        self._columns: list[str] = []
        metrics = path / METRICS
        if resume_at is None and (metrics.exists() or any(path.glob("checkpoints/[0-9]*"))):
            raise ValueError(f"{path} already holds a run: add --resume to go on with it, or name another --run-dir")
        path.mkdir(parents=True, exist_ok=True)
        (path / "config.yaml").write_text(yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False))
        with (path / "run.jsonl").open("a") as about:
            about.write(json.dumps(_provenance(resume_at)) + "\n")
        if resume_at is not None:
            self._drop_after(metrics, resume_at)
        self._metrics = metrics
        self._events = SummaryWriter(str(path), purge_step=resume_at)

    def log(self, step: int, values: dict[str, float]) -> None:
        """Write one line of metrics.csv and the same values as TensorBoard events."""
        columns = ["step", *values]
        new = not self._metrics.exists() or self._metrics.stat().st_size == 0
        if not new and not self._columns:
            with self._metrics.open() as file:
                self._columns = next(csv.reader(file))
        if new:
            self._columns = columns
        with self._metrics.open("a", newline="") as file:
            writer = csv.DictWriter(file, self._columns, restval="", extrasaction="ignore")
            if new:
                writer.writeheader()
            writer.writerow({"step": step, **values})
        self.log_events(step, values)

    def log_events(self, step: int, values: dict[str, float]) -> None:
        """Write TensorBoard events alone, those values that were measured."""
        for name, value in values.items():
            if not math.isnan(value):  # an evaluation that was not due is NaN
                self._events.add_scalar(name, value, step)

    def close(self) -> None:
        """Flush the events."""
        self._events.close()

    @staticmethod
    def _drop_after(metrics: Path, step: int) -> None:
        if not metrics.exists() or metrics.stat().st_size == 0:
            return
        with metrics.open() as file:
            header, *rows = list(csv.reader(file))
        kept = [row for row in rows if len(row) == len(header) and int(row[0]) <= step]
        partial = metrics.with_suffix(".partial")
        with partial.open("w", newline="") as file:
            csv.writer(file).writerows([header, *kept])
        partial.replace(metrics)


def _provenance(resume_at: int | None) -> dict[str, Any]:
    """What made this run: command, versions, commit, machine."""
    versions = {}
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return {
        "command": sys.argv,
        "resumed_at": resume_at,
        "commit": _git("rev-parse", "HEAD") or None,
        "uncommitted_changes": bool(_git("status", "--porcelain")),
        "versions": {"basra_env": __version__, "python": platform.python_version(), **versions},
        "platform": platform.platform(),
        "processor": processor_name(),
    }


def _git(*words: str) -> str:
    """What git says of the checkout that this file is in; nothing where there is none."""
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    except OSError:
        return ""
    return done.stdout.strip()


def processor_name() -> str:
    """The CPU's own name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()
