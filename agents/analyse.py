"""What agents make of a game: `python -m agents.analyse replay.jsonl --html analysis.html`.

For each decision: what was played, what each agent would play, the values that search gives, and the points lost by its
count; exact where no card is hidden.
"""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np

from agents.base import Agent, Turn
from agents.endgame import UNSOLVED
from agents.registry import make_agent, parse_game
from agents.solver import action_values
from basra_env import Game, GameBatch
from basra_env.core.errors import MissingExtraError
from basra_env.registry import steps_of_replay
from basra_env.render.text import table_text

try:
    import tyro
    from rich.console import Console
    from rich.progress import track
    from rich.table import Table
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "train") from error


@dataclass(frozen=True)
class Arguments:
    """Say what agents make of a game or of a position."""

    file: Annotated[Path, tyro.conf.Positional]
    """A replay (one JSON line a game, as agents.play saves it) or a position (the JSON of batch.position())."""
    game: str = "dananeer"
    """Of a position: variant, with rule fields after a colon. A replay says itself what was played."""
    agents: tuple[str, ...] = ("greedy", "tactician")
    """Who is asked, besides the search."""
    search: str = "pimc:worlds=500"
    """Who gives the values: pimc or ismcts, with options."""
    seed: int = 0
    """Of what agents and search draw."""
    html: Path | None = None
    """Where to write the page."""


@dataclass(frozen=True)
class Decision:
    """One decision, looked at.

    Attributes:
        number: from 1 on.
        seat: to play.
        played: what was played; None in a position that was only asked about.
        advice: what each agent would play, the search last.
        values: of each legal action, in points to the end of the round against the others' mean, best first.
        exact: the values are those of perfect play by both.
        lost: points by which the best value is above that of what was played; None if nothing was.
        view: what the seat sees, as text.
    """

    number: int
    seat: int
    played: str | None
    advice: tuple[str, ...]
    values: tuple[tuple[str, float], ...]
    exact: bool
    lost: float | None
    view: str


def look(
    batch: GameBatch, number: int, action: int | None, agents: Sequence[Agent], search: Agent, seed: int
) -> Decision:
    """Ask all agents about the decision to be made in a batch of one.

    Raises:
        ValueError: `search` gives no values.
    """
    game = batch.game
    turn = Turn.of(batch, np.array([0]), np.random.default_rng([seed, number]).integers(0, 2**63, 1))
    exact = False
    values = action_values(turn)[0].astype(float)
    if values.max() > UNSOLVED:
        exact = True
        values[values == UNSOLVED] = -np.inf
    elif hasattr(search, "values"):
        values = search.values(turn)[0]
    else:
        raise ValueError(f"{search.name} gives no values: expected pimc or ismcts, with options")
    legal = np.flatnonzero(turn.action_mask[0])
    ranked = sorted(legal, key=lambda each: -values[each])
    return Decision(
        number=number,
        seat=int(turn.seats[0]),
        played=None if action is None else game.action_text(action),
        advice=(
            *tuple(game.action_text(int(agent.act(turn)[0])) for agent in agents),
            game.action_text(int(ranked[0])),
        ),
        values=tuple((game.action_text(int(each)), float(values[each])) for each in ranked),
        exact=exact,
        lost=None if action is None else float(values[ranked[0]] - values[action]),
        view=table_text(game, turn.obs[0], int(turn.seats[0])),
    )


def decisions(text: str, arguments: Arguments) -> Iterator[tuple[Game, Decision]]:
    """Every decision of a replay's games, or the one of a position.

    Raises:
        ValueError: neither a replay nor a position.
    """
    try:
        first = json.loads(text.splitlines()[0]) if text.strip() else {}
        is_replay = "format" in first
    except json.JSONDecodeError:
        is_replay = False
    if is_replay:
        number = 0
        for line in filter(str.strip, text.splitlines()):
            for batch, action in steps_of_replay(line):
                number += 1
                agents = [make_agent(name, batch.game) for name in arguments.agents]
                yield (
                    batch.game,
                    look(batch, number, action, agents, make_agent(arguments.search, batch.game), arguments.seed),
                )
        return
    game = parse_game(arguments.game)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    try:
        told = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{arguments.file} is neither a replay nor the JSON of a position: {error}") from error
    batch.set_position(0, told)
    if batch.slots.to_play[0] < 0:
        raise ValueError(f"{arguments.file}: the game is over, nobody is to play")
    agents = [make_agent(name, game) for name in arguments.agents]
    yield game, look(batch, 1, None, agents, make_agent(arguments.search, game), arguments.seed)


def table(asked: Sequence[str], looked_at: Sequence[Decision]) -> Table:
    """The decisions as a person reads them."""
    shown = Table(title=f"{len(looked_at)} decisions; values in points to the end of the round, * exact")
    for column in ("", "seat", "played", *asked):
        shown.add_column(column, overflow="fold")
    shown.add_column("values")
    shown.add_column("lost", justify="right")
    for each in looked_at:
        values = ", ".join(f"{name} {value:+.1f}" for name, value in each.values)
        style = "red" if each.lost is not None and each.lost >= 1 else None
        shown.add_row(
            str(each.number), str(each.seat), each.played or "-", *each.advice, values + ("*" if each.exact else ""),
            "-" if each.lost is None else f"{each.lost:.1f}", style=style,
        )  # fmt: skip
    return shown


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title><style>
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }}
td.number {{ text-align: right; font-variant-numeric: tabular-nums; }}
tr.lost {{ background: #fde8e8; }}
.bar {{ display: inline-block; height: .7em; background: #4a7fb5; margin-right: .4em; }}
pre {{ font-size: 13px; background: #f6f6f6; padding: .6rem; overflow-x: auto; }}
</style></head><body><h1>{title}</h1>
<p>Values: points to the end of the round against the others' mean, by {search}; <b>*</b> exact, both playing their best.
Rows in red lost a point or more. {summary}</p>
<table><thead><tr><th></th><th>seat</th><th>played</th>{heads}<th>values</th><th>lost</th></tr></thead><tbody>
{rows}
</tbody></table></body></html>
"""


def page(title: str, arguments: Arguments, looked_at: Sequence[Decision]) -> str:
    """The decisions as an HTML page that needs nothing else; what each seat saw opens with a click."""
    rows = []
    for each in looked_at:
        best, worst = each.values[0][1], each.values[-1][1]
        bars = "<br>".join(
            f'<span class="bar" style="width:{0.3 + 6 * (value - worst) / max(best - worst, 1e-9):.2f}em"></span>'
            f"{html.escape(name)} {value:+.1f}"
            for name, value in each.values
        )
        advice = "".join(f"<td>{html.escape(name)}</td>" for name in each.advice)
        lost = "-" if each.lost is None else f"{each.lost:.1f}"
        rows.append(
            f'<tr{" class=lost" if each.lost is not None and each.lost >= 1 else ""}><td class="number">{each.number}</td>'
            f'<td class="number">{each.seat}</td><td><details><summary>{html.escape(each.played or "-")}</summary>'
            f"<pre>{html.escape(each.view)}</pre></details></td>{advice}"
            f'<td>{bars}{" *" if each.exact else ""}</td><td class="number">{lost}</td></tr>'
        )
    heads = "".join(f"<th>{html.escape(name)}</th>" for name in (*arguments.agents, arguments.search))
    seats = sorted({each.seat for each in looked_at})
    sums = [f"seat {seat} {sum(each.lost or 0 for each in looked_at if each.seat == seat):.1f}" for seat in seats]
    return _PAGE.format(
        title=html.escape(title), search=html.escape(arguments.search), heads=heads, rows="\n".join(rows),
        summary=html.escape(f"Lost in all: {', '.join(sums)}."),
    )  # fmt: skip


def main(arguments: Arguments) -> None:
    """Run the command."""
    text = arguments.file.read_text()
    every = track(decisions(text, arguments), "looking", console=Console(stderr=True), transient=True, total=None)
    looked_at = list(every)
    if not looked_at:
        raise ValueError(f"{arguments.file}: no decision was made yet")
    told = [decision for _, decision in looked_at]
    Console(width=None if sys.stdout.isatty() else 150).print(table([*arguments.agents, arguments.search], told))
    if arguments.html is not None:
        arguments.html.write_text(page(f"{looked_at[0][0].name}: {arguments.file.name}", arguments, told))


if __name__ == "__main__":
    try:
        main(tyro.cli(Arguments, prog="python -m agents.analyse"))
    except (ValueError, ImportError, OSError) as error:
        sys.exit(f"error: {error}")
