"""`greedy`: the best of what is won now less what is left to the next player; see each family's `house`."""

from __future__ import annotations

from agents.house import HousePlayer


class Greedy(HousePlayer):
    """The rule-based baseline."""

    def __init__(self) -> None:
        """No options."""
        super().__init__("greedy")
