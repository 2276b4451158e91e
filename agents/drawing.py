"""A table on a terminal, as one seat sees it, in suits and colour."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from basra_env import Game
from basra_env.core.cards import FRENCH
from basra_env.render.text import pretty

_INK = {"C": "black", "S": "black", "D": "red", "H": "red", "X": "magenta"}
_ITALIAN = {"D": ("coins", "dark_goldenrod"), "C": ("cups", "red"), "S": ("swords", "blue"), "B": ("batons", "green")}


def card(game: Game, name: str) -> Text:
    """One card, black or coloured on white; the Italian suits by name."""
    if game.family.pack.suits == FRENCH.suits:
        return Text(f" {pretty(name)} ", style=f"bold {_INK[name[0] if name[0] == 'X' else name[1]]} on white")
    suit, ink = _ITALIAN[name[1]]
    return Text(f" {name[0]} {suit} ", style=f"bold {ink} on white")


def cards(game: Game, names: Iterable[str]) -> Text:
    """Cards side by side; a dash for none."""
    row = Text(" ").join(card(game, name) for name in names)
    return row if len(row) else Text("-")


def action(game: Game, name: str) -> Text:
    """A card, or what an extra action is called."""
    return Text(f" {name} ", style="bold") if name in game.family.extra_actions else card(game, name)


def table(game: Game, view: Mapping[str, Any], names: Sequence[str]) -> Panel:
    """The table.

    Args:
        game: what is played.
        view: `game.decode` of the seat's observation.
        names: who sits where, from the seat itself onwards.
    """
    grid = Table.grid(padding=(0, 2))
    if "trick" in view:
        up = view["face_up"]
        trump = card(game, up) if up else Text(_ITALIAN[view["trump"]][0])
        grid.add_row("trumps", Text.assemble(trump, f"   {view['stock']} cards in the stock"))
        grid.add_row("trick", _plays(game, view["trick"], names))
    else:
        lying = cards(game, view["floor"])
        if view.get("hidden"):
            lying = Text.assemble(f"{view['hidden']} face down  ", lying)
        grid.add_row("table", lying)
        grid.add_row("played", _plays(game, view["plays"], names))
        if view["due"]:
            grid.add_row("known", _due(game, view["due"], names))
    won = Table(box=None, padding=(0, 2), pad_edge=False)
    told = [name for name in ("cards", "basras", "points") if name in view]
    told += ["scores"] if view["target"] else []
    for column in ("", *told):
        won.add_column(column, justify="left" if not column else "right")
    for side in range(game.spec.num_sides):
        seats = [name for seat, name in enumerate(names) if _side(game, seat) == side]
        won.add_row(" and ".join(seats), *(str(view[name][side]) for name in told))
    title = f"{game.name}, {names[view['dealer']]} dealt"
    if "packet" in view:
        title += f", packet {view['packet'] + 1}"
    return Panel(Group(grid, Text(), won), title=title, expand=False)


def _side(game: Game, seat: int) -> int:
    """The relative side of a relative seat: sides go around with the seats."""
    return seat % game.spec.num_sides


def _plays(game: Game, plays: Sequence[tuple[int, str]], names: Sequence[str]) -> Text:
    row = Text("   ").join(Text.assemble(f"{names[seat]} ", card(game, name)) for seat, name in plays)
    return row if len(row) else Text("-")


def _due(game: Game, due: Sequence[tuple[int, str, int]], names: Sequence[str]) -> Text:
    return Text("   ").join(
        Text.assemble(card(game, name), " held by " if when == 0 else f" in {when} packets to ", names[seat])
        for seat, name, when in due
    )
