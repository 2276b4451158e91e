"""Compare agents: `python -m train.evaluate --game dananeer random greedy runs/x --deals 2000`.

Every pair plays the same decks in every seating; intervals are over decks.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents.registry import make_agent
from basra_env import Game, __version__, make
from train.arena import PairResult, play_pair


@dataclass(frozen=True)
class Arguments:
    """Compare agents on the same decks, in every seating."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional]
    """Two or more: a name with options (pimc:worlds=64), a run folder (its last checkpoint), or a checkpoint."""
    game: str = "dananeer"
    """Variant, with rule fields after a colon: dananeer:target=50."""
    deals: int = 1000
    """Number of decks."""
    episode: Literal["round", "match"] = "round"
    """One full deck, or rounds up to the target."""
    seed: int = 0
    """Of decks and of all that agents draw."""
    json: Path | None = None
    """Where to write the results."""


def parse_game(text: str) -> Game:
    """The game that `name:field=value,...` says.

    Raises:
        ValueError: an unknown name, field or value.
    """
    name, _, options = text.partition(":")
    fields: dict[str, Any] = {}
    for part in filter(None, options.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} in --game {text} is no field=value")
        lowered = value.strip().lower()
        fields[key.strip()] = (
            lowered == "true"
            if lowered in ("true", "false")
            else int(value)
            if lowered.lstrip("-").isdigit()
            else value
        )
    return make(name, **fields)


def evaluate(
    game: Game, names: Sequence[str], deals: int, seed: int = 0, episode: str = "round", progress: bool = False
) -> dict[str, Any]:
    """Play every pair of the named agents; the JSON that the command writes.

    Raises:
        ValueError: fewer than two agents or decks, an agent that does not exist or does not fit.
    """
    if len(names) < 2:
        raise ValueError(f"expected two agents or more, got {len(names)}")
    if deals < 2:
        raise ValueError(f"--deals is {deals}: an interval needs at least 2 decks")
    agents = [make_agent(name, game) for name in names]
    pairs = list(itertools.combinations(agents, 2))
    shown = track(pairs, "playing", console=Console(stderr=True), transient=True) if progress else pairs
    results = [play_pair(game, a, b, deals, seed, episode) for a, b in shown]
    return {
        "game": game.name,
        "rules": game.fields(),
        "episode": episode,
        "seed": seed,
        "deals": deals,
        "version": __version__,
        "agents": list(names),
        "pairs": [result.to_json() for result in results],
    }


def results_table(report: dict[str, Any]) -> Table:
    """The results as a person reads them."""
    unit = "round" if report["episode"] == "round" else "match"
    table = Table(title=f"{report['game']}, {report['deals']} decks in every seating, seed {report['seed']}")
    for column in ("agent", "against"):
        table.add_column(column)
    for column in ("points a round", "95 % interval", f"{unit}s won", "drawn", "lost"):
        table.add_column(column, justify="right")
    for pair in report["pairs"]:
        low, high = pair["ci95"]
        shares = [f"{100 * pair[name]:.1f} %" for name in ("win", "draw", "loss")]
        table.add_row(pair["a"], pair["b"], f"{pair['mean']:+.2f}", f"{low:+.2f} to {high:+.2f}", *shares)
    return table


def main(arguments: Arguments) -> None:
    """Run the command."""
    report = evaluate(
        parse_game(arguments.game),
        arguments.agents,
        arguments.deals,
        arguments.seed,
        arguments.episode,
        progress=True,
    )
    Console(width=None if sys.stdout.isatty() else 120).print(results_table(report))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(report, indent=1) + "\n")


__all__ = ["PairResult", "evaluate", "parse_game", "play_pair", "results_table"]

if __name__ == "__main__":
    try:
        main(tyro.cli(Arguments, prog="python -m train.evaluate"))
    except (ValueError, ImportError, OSError) as error:
        sys.exit(f"error: {error}")
