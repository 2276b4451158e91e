"""A table in text, as one seat sees it."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.cards import PRETTY
from basra_env.core.game import Game


def pretty(card: str) -> str:
    """`7D` to `7♦`, `TD` to `10♦`."""
    return (
        card.replace("T", "10", 1).translate({ord(suit): sign for suit, sign in PRETTY.items()})
        if len(card) == 2
        else card
    )


def table_text(game: Game, obs: np.ndarray, seat: int) -> str:
    """What the observation `obs`: uint8 (O,) of `seat` says, line by line. It shows nothing the seat may not see."""
    view = game.decode(obs)
    preview = view.pop("preview", {})
    lines = [f"{game.name}: seat {seat}"]
    for name, value in view.items():
        if name == "hand":
            continue
        shown = _due_text(value) if name == "due" else _value_text(value)
        lines.append(f"  {name.replace('_', ' '):<14}{shown}")
    lines.append("  hand")
    for card in view["hand"]:
        seen = preview.get(card, {})
        gain = (
            "lies down"
            if not seen.get("taken")
            else f"takes {seen['taken']}" + (", basra" if seen.get("basra") else "")
        )
        lines.append(f"    {pretty(card):<4}{gain}")
    return "\n".join(lines)


def _due_text(due: tuple[tuple[int, str, int], ...]) -> str:
    """Cards whose future place all know: where they are, or when and to whom they will be dealt."""
    return (
        ", ".join(
            f"{pretty(card)} {'in the hand of' if when == 0 else f'in {when} packets to'} seat +{owner}"
            for owner, card, when in due
        )
        or "-"
    )


def _value_text(value: Any) -> str:
    if isinstance(value, str):
        return pretty(value)
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return "  |  ".join(_value_text(item) or "-" for item in value)
        return " ".join(_value_text(item) for item in value) or "-"
    return "-" if value is None else str(value)
