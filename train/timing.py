"""Where the time of a run goes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

NETWORK = ("forward", "backward", "optimizer")
"""Parts that count as the network's own."""


class Stopwatch:
    """Adds up wall time by part; `share` divides by all the time since it was made.

    Attributes:
        seconds: by part.
    """

    def __init__(self) -> None:
        """Start."""
        self.seconds: dict[str, float] = defaultdict(float)
        self._start = time.perf_counter()

    @contextmanager
    def __call__(self, part: str) -> Iterator[None]:
        """Time what is done inside."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - start

    def shares(self) -> dict[str, float]:
        """Share of wall time by part, "other" being what no part was told of."""
        total = time.perf_counter() - self._start
        shares = {part: spent / total for part, spent in sorted(self.seconds.items(), key=lambda item: -item[1])}
        return {**shares, "other": 1.0 - sum(shares.values())}

    def outside_network(self) -> float:
        """Share of wall time spent outside the network's forward, backward and optimiser steps."""
        shares = self.shares()
        return 1.0 - sum(shares.get(part, 0.0) for part in NETWORK)
