"""`random`: any legal card, each as likely as the other."""

from __future__ import annotations

from agents.house import HousePlayer


class Uniform(HousePlayer):
    """The weakest baseline."""

    def __init__(self) -> None:
        """No options."""
        super().__init__("random")
