"""A table in text, as one seat sees it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from basra_env.core.cards import FRENCH, PRETTY
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
    write = pretty if game.family.pack.suits == FRENCH.suits else str
    lines = [f"{game.name}: seat {seat}"]
    for name, value in view.items():
        if name == "hand":
            continue
        shown = _due_text(value, write) if name == "due" else _value_text(value, write)
        lines.append(f"  {name.replace('_', ' '):<14}{shown}")
    lines.append(f"  {'hand':<14}{_value_text(view['hand'], write)}")
    naming = view.get("pending") is not None and not set(preview) <= set(view["hand"])
    lines.append("  if named" if naming else "  if played")
    lines += [f"    {write(action):<4}{_preview_text(told)}" for action, told in preview.items()]
    return "\n".join(lines)


def _preview_text(told: dict[str, int]) -> str:
    """What an action would do."""
    if "taken" not in told:
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told.items() if value)
    if not told["taken"]:
        return "lies down"
    choice = " at most, as is chosen" if told.get("choice") else ""
    return f"takes {told['taken']}{choice}{', basra' if told['basra'] else ''}"


def _due_text(due: tuple[tuple[int, str, int], ...], write: Callable[[str], str]) -> str:
    """Cards whose future place all know: where they are, or when and to whom they will be dealt."""
    return (
        ", ".join(
            f"{write(card)} {'in the hand of' if when == 0 else f'in {when} packets to'} seat +{owner}"
            for owner, card, when in due
        )
        or "-"
    )


def _value_text(value: Any, write: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return write(value)
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return "  |  ".join(_value_text(item, write) or "-" for item in value)
        return " ".join(_value_text(item, write) for item in value) or "-"
    return "-" if value is None else str(value)
