"""`tactician`: the hand-written expert; see each family's `tactician` for what it weighs."""

from __future__ import annotations

from agents.house import HousePlayer


class Tactician(HousePlayer):
    """The strong rule-based baseline."""

    def __init__(self) -> None:
        """No options."""
        super().__init__("tactician")
