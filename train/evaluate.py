"""Compare agents: `python -m train.evaluate --game dananeer random greedy runs/x --deals 2000`.

Every pair plays the same decks in every seating; intervals are over decks.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from agents.base import Agent
from agents.registry import AGENTS, make_agent, parse_game
from basra_env import Game, __version__
from train.arena import PairResult, play_pair, play_table
from train.decks import FIXED
from train.heatmap import write_heatmap
from train.ledger import Ledger
from train.protocol import Protocol
from train.report import report, tables, write_csv


@dataclass(frozen=True)
class Arguments:
    """Compare agents on the same decks, in every seating."""

    agents: Annotated[tuple[str, ...], tyro.conf.Positional] = ()
    """Two or more (with a protocol any number): a name with options (pimc:worlds=64), a run folder (its last checkpoint), or
    a checkpoint; each with +solver behind it to play endgames exactly."""
    game: str = "dananeer"
    """Variant, with rule fields after a colon: dananeer:target=50."""
    deals: int = 1000
    """Number of decks."""
    until_ci: float | None = None
    """In place of --deals: play until each 95 % interval is the mean plus or minus so many points."""
    episode: Literal["round", "match"] = "round"
    """One full deck, or rounds up to the target."""
    partners: Literal["fixed", "mixed"] = "fixed"
    """In pairs: partners are the same agent; or seatings count too in which one seat of four is the other agent's."""
    seed: int = 0
    """Of decks and of all that agents draw."""
    protocol: str | None = None
    """A frozen benchmark, as basra-bench-v1: the agents against its opponents on its decks; without agents its own table.
    It sets the rules, decks, seed and episode."""
    workers: int = 1
    """Threads that play at the same time; the results do not depend on it, the measured speeds do."""
    table: Path | None = None
    """A folder that keeps every deck played: an interrupted table goes on there, and with an agent more only the new pairs
    are played. table.json, table.csv and table.png are written there too."""
    json: Path | None = None
    """Where to write the results."""
    csv: Path | None = None
    """Where to write a line for each pair."""
    heatmap: Path | None = None
    """Where to draw the cross table, as PNG."""


def evaluate(
    game: Game,
    names: Sequence[str],
    deals: int,
    seed: int = 0,
    episode: str = "round",
    partners: str = FIXED,
    until_ci: float | None = None,
    workers: int = 1,
    table: Path | None = None,
    only: Sequence[str] | None = None,
    told: Callable[[int, int], None] = lambda _played, _of: None,
) -> dict[str, Any]:
    """Play every pair of the named agents; the JSON that the command writes, see `train.report.report`.

    With `only`, pairs in which none of those agents plays are left out; the other arguments are as for `play_table`.

    Raises:
        ValueError: fewer than two agents or decks, an agent that does not exist or does not fit, a table of other settings.
    """
    if len(names) < 2:
        raise ValueError(f"expected two agents or more, got {len(names)}")
    if deals < 2:
        raise ValueError(f"--deals is {deals}: an interval needs at least 2 decks")
    if until_ci is not None and until_ci <= 0:
        raise ValueError(f"--until-ci is {until_ci}: expected more than 0 points")
    if workers < 1:
        raise ValueError(f"--workers is {workers}: expected 1 or more")
    agents = [make_agent(name, game) for name in names]
    ledger = None
    if table is not None:
        settings = {
            "game": game.name, "rules": game.fields(), "episode": episode, "partners": partners, "seed": seed,
            "version": __version__,
        }  # fmt: skip
        ledger = Ledger(table, settings, {agent.name: _what(agent) for agent in agents})
    pairs = [
        (a, b)
        for a, b in itertools.combinations(range(len(names)), 2)
        if only is None or names[a] in only or names[b] in only
    ]
    played = play_table(game, agents, deals, seed, episode, partners, until_ci, workers, ledger, pairs, told)
    return report(game, [agent.name for agent in agents], played, seed, episode, partners)


def _what(agent: Agent) -> str:
    """What a name stands for: a checkpoint's weights, which a run replaces, or the name's own agent."""
    path = Path(agent.name.removesuffix("+solver"))
    if agent.name.partition(":")[0].partition("+")[0] in AGENTS or not path.exists():
        return "built in"
    from agents.neural import policy_file  # noqa: PLC0415 the one agent that needs torch

    return hashlib.sha256(policy_file(path).read_bytes()).hexdigest()


def main(arguments: Arguments) -> None:
    """Run the command."""
    names, only, game = arguments.agents, None, None
    if arguments.protocol is not None:
        _refuse_settings(arguments)
        protocol = Protocol.load(arguments.protocol, arguments.game)
        game = protocol.game
        arguments = replace(arguments, deals=protocol.deals, seed=protocol.seed, episode=protocol.episode)
        only = names or None
        names = (*names, *(name for name in protocol.opponents if name not in names))
    columns = (
        TextColumn("playing"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("decks"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("playing", total=None)
        told = evaluate(
            game or parse_game(arguments.game),
            names,
            arguments.deals,
            arguments.seed,
            arguments.episode,
            arguments.partners,
            arguments.until_ci,
            arguments.workers,
            arguments.table,
            only,
            lambda played, of: progress.update(task, completed=played, total=of),
        )
    if arguments.protocol is not None:
        told["protocol"] = arguments.protocol
    Console(width=None if sys.stdout.isatty() else 150).print(tables(told))
    folder = arguments.table
    for path in filter(None, (arguments.json, folder and folder / "table.json")):
        path.write_text(json.dumps(told, indent=1) + "\n")
    for path in filter(None, (arguments.csv, folder and folder / "table.csv")):
        write_csv(told, path)
    for path in filter(None, (arguments.heatmap, folder and folder / "table.png")):
        write_heatmap(told, path)


def _refuse_settings(arguments: Arguments) -> None:
    """A frozen benchmark leaves nothing to be set.

    Raises:
        ValueError: names what was set.
    """
    defaults = Arguments()
    for name in ("deals", "seed", "episode", "partners", "until_ci"):
        if getattr(arguments, name) != getattr(defaults, name):
            raise ValueError(f"--{name.replace('_', '-')} cannot be set with --protocol {arguments.protocol}")
    if ":" in arguments.game:
        raise ValueError(f"--game {arguments.game}: the rules are set by --protocol {arguments.protocol}")


__all__ = ["PairResult", "evaluate", "parse_game", "play_pair"]

if __name__ == "__main__":
    try:
        main(tyro.cli(Arguments, prog="python -m train.evaluate"))
    except (ValueError, ImportError, OSError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit("stopped: with --table the same command goes on from here")
