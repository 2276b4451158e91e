"""`human`: a person at the terminal. Only legal cards are taken; a choice of captures is shown before it is confirmed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from rich.console import Console
from rich.text import Text

from agents import drawing
from agents.base import Turn
from basra_env import GameBatch

_HELP = "Type the number or the name of a card (7D, 10h, k♠), ? for this, q to stop. Everything you see is public."


class Quit(Exception):  # noqa: N818 not an error: the player has had enough
    """The player wants to stop."""


class Human:
    """Asks at the terminal; the table is drawn before each question."""

    def __init__(self, console: Console, names: Sequence[str], ask: Callable[[str], str] | None = None) -> None:
        """Set it up.

        Args:
            console: to draw on.
            names: who sits where, from this player's own seat onwards.
            ask: takes a prompt and returns the answer; raises EOFError or KeyboardInterrupt where there is none.
        """
        self.name = "human"
        self._console = console
        self._names = names
        self._ask = ask or console.input
        self._planned: list[int] = []

    def act(self, turn: Turn) -> np.ndarray:
        """As `Agent.act`.

        Raises:
            Quit: the player stops.
        """
        return np.array([self._decide(turn.take(np.array([place]))) for place in range(len(turn))])

    def _decide(self, turn: Turn) -> int:
        if self._planned:  # the rest of a capture that was confirmed
            return self._planned.pop(0)
        game = turn.game
        view = game.decode(turn.obs[0])
        while True:
            self._console.print(drawing.table(game, view, self._names))
            legal = [int(action) for action in np.flatnonzero(turn.action_mask[0])]
            for number, action in enumerate(legal, 1):
                told = self._outcome(turn, action)
                self._console.print(
                    Text.assemble(f"  {number}  ", drawing.action(game, game.action_text(action)), "  ", told)
                )
            action = self._choose(turn, legal)
            planned = self._capture(turn, action)
            if planned:
                self._planned = planned[1:]
                return planned[0]

    def _choose(self, turn: Turn, legal: list[int]) -> int:
        """A legal action, asked for until there is one."""
        game = turn.game
        while True:
            answer = self._answer("your card: ")
            if answer == "?":
                self._console.print(_HELP)
                continue
            if answer.isdecimal() and 1 <= int(answer) <= len(legal):
                return legal[int(answer) - 1]
            names = {game.action_text(action).lower(): action for action in legal}
            if answer.lower() in names:
                return names[answer.lower()]
            try:
                action = game.parse_card(answer)
            except ValueError:
                self._console.print(f"{answer!r} is no card and no number from 1 to {len(legal)}; ? for help")
                continue
            if action in legal:
                return action
            self._console.print(f"{game.card_text(action)} may not be played now")

    def _capture(self, turn: Turn, action: int) -> list[int]:
        """The action, and where it leaves a choice of captures those that settle it; nothing where the player goes back."""
        game = turn.game
        ways = captures(turn, action)
        if len(ways) == 1:
            return next(iter(ways.values()))
        every = list(ways.items())
        while True:
            for number, (taken, _) in enumerate(every, 1):
                self._console.print(Text.assemble(f"  {number}  takes ", drawing.cards(game, taken)))
            answer = self._answer("which capture (b: another card): ")
            if answer == "b":
                return []
            if answer.isdecimal() and 1 <= int(answer) <= len(every):
                taken, actions = every[int(answer) - 1]
                played = drawing.card(game, game.card_text(action))
                self._console.print(Text.assemble("  ", played, " takes ", drawing.cards(game, taken)))
                if self._answer("enter to play it, b to go back: ") != "b":
                    return actions
            else:
                self._console.print(f"expected a number from 1 to {len(every)}, or b")

    def _answer(self, prompt: str) -> str:
        try:
            answer = self._ask(prompt).strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        if answer.lower() in ("q", "quit", "exit"):
            raise Quit
        return answer

    def _outcome(self, turn: Turn, action: int) -> Text:
        """What an action would do, as far as it is settled."""
        game = turn.game
        if game.action_text(action) in game.family.extra_actions:
            return Text("")
        told = game.decode(turn.obs[0])["preview"].get(game.action_text(action), {})
        if "taken" not in told:
            return Text("wins the trick as it lies" if told.get("wins") and told.get("lying") else "")
        ways = captures(turn, action)
        if len(ways) > 1:
            return Text(f"takes one of {len(ways)} groups, as you choose")
        (taken,) = ways
        if not taken and not told["taken"]:
            return Text("lies down")
        return Text.assemble("takes ", drawing.cards(game, taken), "  basra!" if told["basra"] else "")


def captures(turn: Turn, action: int) -> dict[tuple[str, ...], list[int]]:
    """The ways in which an action of the only decision can end: table cards taken -> the actions that lead there."""
    world = turn.worlds(turn.seeds)
    seat, before = int(turn.seats[0]), _on_table(world)
    open_ways = [[action]]
    ways: dict[tuple[str, ...], list[int]] = {}
    snap = world.clone()
    while open_ways:
        actions = open_ways.pop()
        world.restore(snap)
        for each in actions:
            world.step([each])
        if world.position(0).pending is not None and world.slots.to_play[0] == seat:
            open_ways += [[*actions, int(name)] for name in np.flatnonzero(world.slots.action_mask[0])]
        else:
            gained = set(world.position(0).piles[seat]) & set(before)
            ways.setdefault(tuple(name for name in before if name in gained), actions)
    return ways


def _on_table(batch: GameBatch) -> tuple[str, ...]:
    """Cards that lie face up."""
    position = batch.position(0)
    return position.floor or tuple(name for _, name in position.trick)
