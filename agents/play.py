"""Play at the terminal: `python -m agents.play --game standard --opponent pimc`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import numpy as np

from agents.base import Agent, Turn
from agents.registry import make_agent, parse_game
from basra_env import Game, GameBatch
from basra_env.core.errors import MissingExtraError

try:
    import tyro
    from rich.console import Console
    from rich.text import Text

    from agents import drawing
    from agents.human import Human, Quit
except ModuleNotFoundError as error:
    raise MissingExtraError(str(error.name), "train") from error


@dataclass(frozen=True)
class Arguments:
    """Play a card game at the terminal."""

    game: str = "dananeer"
    """Variant, with rule fields after a colon: standard:players=4,teams=true."""
    opponent: tuple[str, ...] = ("greedy",)
    """Who plays the other seats, one for all or one each from the next seat on: a name with options, a run folder, a
    checkpoint."""
    seat: int = 0
    """Yours."""
    episode: Literal["round", "match"] = "round"
    """One full deck, or rounds up to the target."""
    seed: int | None = None
    """Of the decks and of the opponents; drawn anew if not given."""
    replay: Path = field(default_factory=lambda: Path("runs/replays") / time.strftime("%Y-%m-%d-%H%M%S.jsonl"))
    """Where the game is saved, finished or not, for agents.analyse."""


def play(arguments: Arguments, console: Console, ask: Callable[[str], str] | None = None) -> GameBatch:
    """Play one episode, or as much of it as the player likes; the replay is saved in any case.

    Raises:
        ValueError: a seat, a game or an opponent that does not exist.
    """
    game = parse_game(arguments.game)
    players = game.spec.players
    if not 0 <= arguments.seat < players:
        raise ValueError(f"--seat is {arguments.seat}: {game.name} has seats 0 to {players - 1}")
    others = arguments.opponent * (players - 1) if len(arguments.opponent) == 1 else arguments.opponent
    if len(others) != players - 1:
        raise ValueError(f"{len(others)} opponents: expected one for all, or {players - 1}, one a seat")
    names = ["you", *(f"{name} ({seat})" if players > 2 else name for seat, name in enumerate(others, 1))]
    agents: list[Agent] = [Human(console, names, ask), *(make_agent(name, game) for name in others)]
    seed = int(np.random.SeedSequence().generate_state(1)[0]) if arguments.seed is None else arguments.seed
    batch = GameBatch(game, 1, seed=seed, episode=arguments.episode, autoreset=False)
    console.print(f"{game.name}, seed {seed}: you are seat {arguments.seat}, against {', '.join(others)}")
    try:
        _play_on(batch, arguments.seat, agents, names, np.random.default_rng(seed), console)
    except Quit:
        console.print("\nstopped")
    finally:
        arguments.replay.parent.mkdir(parents=True, exist_ok=True)
        arguments.replay.write_text(batch.replay(0) + "\n")
        console.print(f"replay: {arguments.replay}    look at it with: python -m agents.analyse {arguments.replay}")
    return batch


def _play_on(
    batch: GameBatch,
    seat: int,
    agents: Sequence[Agent],
    names: Sequence[str],
    rng: np.random.Generator,
    console: Console,
) -> None:
    """Decision after decision to the end; what the others do, and what each round brings, is told."""
    game, rounds = batch.game, 0
    while (mover := int(batch.slots.to_play[0])) >= 0:
        who = (mover - seat) % game.spec.players
        before, card = game.decode(batch.observe([0], [seat])[0]), None
        while int(batch.slots.to_play[0]) == mover and (card is None or batch.position(0).pending is not None):
            turn = Turn.of(batch, np.array([0]), rng.integers(0, 2**63, 1))
            (action,) = agents[who].act(turn)
            card = game.action_text(int(action)) if card is None else card  # what follows names cards that it takes
            batch.step([action])
        told = batch.position(0).rounds
        after = game.decode(batch.observe([0], [seat])[0]) if len(told) == rounds else before
        console.print(_what_happened(game, who, names, str(card), before, after))
        if len(told) > rounds:
            rounds = len(told)
            console.print(_scores(batch, seat, names), style="bold")


def _what_happened(
    game: Game, who: int, names: Sequence[str], card: str, before: dict[str, Any], after: dict[str, Any]
) -> Text:
    """One turn, as all at the table saw it."""
    side = who % game.spec.num_sides
    gained = [name for name in after["piles"][side] if name not in before["piles"][side] and name != card]
    line = Text.assemble(f"{names[who]}: ", drawing.action(game, card))
    if "trick" in after:
        for other in range(game.spec.num_sides):
            won = after["points"][other] - before["points"][other]
            if after["cards"][other] > before["cards"][other]:
                takers = " and ".join(name for at, name in enumerate(names) if at % game.spec.num_sides == other)
                line.append(f"   the trick goes to {takers}: {won} points")
    elif gained:
        line.append(" takes ")
        line.append(drawing.cards(game, gained))
        if after["basras"][side] > before["basras"][side]:
            line.append("  basra!", style="bold")
    return line


def _scores(batch: GameBatch, seat: int, names: Sequence[str]) -> str:
    """Points of the round that has ended, and of the match."""
    position, sides = batch.position(0), batch.game.spec.num_sides
    own = batch.game.spec.sides[seat]

    def told(points: Sequence[int]) -> str:
        parts = []
        for side in range(sides):
            who = [name for at, name in enumerate(names) if at % sides == side]
            parts.append(f"{' and '.join(who)} {points[(own + side) % sides]}")
        return ", ".join(parts)

    line = f"the round is over: {told(position.rounds[-1])}"
    return line if batch.episode == "round" else f"{line}    the match: {told(position.scores)}"


def main(arguments: Arguments) -> None:
    """Run the command."""
    play(arguments, Console(highlight=False))


if __name__ == "__main__":
    try:
        main(tyro.cli(Arguments, prog="python -m agents.play"))
    except (ValueError, ImportError, OSError) as error:
        sys.exit(f"error: {error}")
