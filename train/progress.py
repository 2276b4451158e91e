"""The live line of a training run."""

from __future__ import annotations

import math
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from train.checkpoint import Learner

_PLAIN_EVERY = 15.0
"""Seconds between lines where the output is no terminal; there is one for each evaluation too."""


class ProgressLine:
    """Speed, time left, loss, and mean points a round against the first baseline: live on a terminal, else in lines."""

    def __init__(self, console: Console) -> None:
        """Args: console: where it is shown."""
        self._console = console
        self._live = Live(console=console, refresh_per_second=4) if console.is_terminal else None
        self._last = 0.0
        self._score = ""

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._live.stop()

    def update(self, learner: Learner, progress: float, sps: float, loss: float, scores: dict[str, float]) -> None:
        """Show the state after an update; a score that was not measured this time keeps its last value."""
        measured = False
        for name, score in scores.items():
            if not math.isnan(score):
                measured = True
                self._score = f"{score:+.1f} points a round against {name.removeprefix('eval/points_against_')}"
                break
        left = learner.elapsed * (1 - progress) / progress if progress > 0 else float("inf")
        clock = "?" if left == float("inf") else f"{int(left) // 60}:{int(left) % 60:02d}"
        speed = "before training" if math.isnan(loss) else f"{sps:>7,.0f} SPS  {clock} left  loss {loss:+.4f}"
        text = f"{100 * progress:3.0f} %  {learner.timesteps:>11,} decisions  {speed}  {self._score}"
        if self._live:
            self._live.update(Text(text, no_wrap=True, overflow="ellipsis"))
        elif measured or time.monotonic() - self._last > _PLAIN_EVERY:
            self._last = time.monotonic()
            self._console.print(text, soft_wrap=True, highlight=False)
