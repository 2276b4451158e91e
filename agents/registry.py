"""Name -> agent. A new agent is one file and one entry here."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agents.base import Agent
from agents.greedy import Greedy
from agents.ismcts import Ismcts
from agents.pimc import Pimc
from agents.solver import Solver
from agents.tactician import Tactician
from agents.uniform import Uniform
from basra_env import Game, make
from basra_env.core.errors import MissingExtraError, unknown

AGENTS: dict[str, Callable[..., Agent]] = {
    "random": Uniform,
    "greedy": Greedy,
    "tactician": Tactician,
    "solver": Solver,
    "pimc": Pimc,
    "ismcts": Ismcts,
}


def make_agent(text: str, game: Game) -> Agent:
    """The agent that `text` names.

    Args:
        text: a name with options, as `pimc:worlds=64,rollout=greedy`; a run folder (its last checkpoint); or a
            checkpoint.
        game: what it is to play; a checkpoint of another game is refused.

    Raises:
        ValueError: an unknown name or option, named with the nearest known one; a checkpoint that does not fit.
        MissingExtraError: a checkpoint without torch.
    """
    before, plus, solver = text.rpartition("+")
    if plus and solver == "solver":
        return Solver(make_agent(before, game))
    name, _, options = text.partition(":")
    if name in AGENTS:
        return _with_options(name, options)
    if Path(text).exists():
        try:
            from agents.neural import NeuralAgent  # noqa: PLC0415 the one agent that needs torch
        except ModuleNotFoundError as error:
            raise MissingExtraError(str(error.name), "train") from error
        return NeuralAgent.load(Path(text), game)
    raise ValueError(unknown("agent", text, [*AGENTS, "a run folder", "a checkpoint"]))


def parse_game(text: str) -> Game:
    """The game that `name:field=value,...` says, as commands take it.

    Raises:
        ValueError: an unknown name, field or value.
    """
    name, _, options = text.partition(":")
    fields: dict[str, Any] = {}
    for part in filter(None, options.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} in {text} is no field=value")
        lowered = value.strip().lower()
        fields[key.strip()] = (
            lowered == "true"
            if lowered in ("true", "false")
            else int(value)
            if lowered.lstrip("-").isdigit()
            else value
        )
    return make(name, **fields)


def _with_options(name: str, text: str) -> Agent:
    known = inspect.signature(AGENTS[name]).parameters
    options: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key not in known:
            raise ValueError(unknown(f"option of {name}", key, known or ["none"]))
        if not equals:
            raise ValueError(f"option {key!r} of {name} needs a value: {key}=...")
        kind = type(known[key].default)
        try:
            options[key] = value.lower() in ("true", "1") if kind is bool else kind(value)
        except ValueError:
            raise ValueError(f"{key} of {name} is {value!r}: expected {kind.__name__}") from None
    agent = AGENTS[name](**options)
    agent.name = f"{name}:{text}" if text else name
    return agent
