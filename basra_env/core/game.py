"""A game: rules, kernels and spec under one name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from basra_env.core.cards import Pack
from basra_env.core.parameters import Parameters
from basra_env.core.position import Position
from basra_env.core.spec import Spec


def no_deck_fault(_deck: Sequence[int], _rules: Any) -> str | None:
    """Any permutation of the cards can be dealt."""
    return None


@dataclass(frozen=True)
class Family:
    """What one folder of `games` hands to the registry.

    Attributes:
        name: of the family.
        variants: name of a rule set -> its rules, a NamedTuple of numbers.
        parameters: the fields of the rules as people write them.
        rules_of: `(variant, fields) -> rules` with fields replaced; ValueError where that makes no sense.
        spec: `(rules) -> Spec`.
        pack: how cards are named.
        horizon: deals by chance that searching agents look ahead, before they take a game's outlook: so far it pays.
        extra_actions: names of the actions that follow the card ids.
        record: dtype of one game.
        policies: names of the built-in players, in the order that the kernel `decide` counts them.
        read_position: `(record, rounds, rules) -> Position`.
        write_position: `(record, position, rules)` sets all but the header's generator, scores and match flag.
        decode: `(obs, rules) -> dict` what an observation says.
        deck_fault: `(card ids, rules)` why a given deck cannot be played, None if it can.
    """

    name: str
    variants: Mapping[str, Any]
    parameters: Parameters
    rules_of: Callable[[str, Mapping[str, Any]], Any]
    spec: Callable[[Any], Spec]
    pack: Pack
    record: np.dtype[np.void]
    policies: tuple[str, ...]
    read_position: Callable[[Any, list[tuple[int, ...]], Any], Position]
    write_position: Callable[[Any, Position, Any], None]
    decode: Callable[[np.ndarray, Any], dict[str, Any]]
    horizon: int = 1
    extra_actions: tuple[str, ...] = ()
    deck_fault: Callable[[Sequence[int], Any], str | None] = no_deck_fault

    def __reduce__(self) -> tuple[Any, ...]:
        return family_named, (self.name,)


def family_named(name: str) -> Family:
    """The family in the folder `games/<name>`; named, not imported, so that the core depends on no game."""
    family: Family = import_module(f"basra_env.games.{name}").FAMILY
    return family


@dataclass(frozen=True)
class Game:
    """A named variant with its fields settled; made by `basra_env.make`.

    Attributes:
        name: of the variant.
        rules: its fields, a NamedTuple of numbers.
        family: what its relatives share.
        spec: sizes and the meaning of observations.
    """

    name: str
    rules: Any
    family: Family = field(repr=False, compare=False)
    spec: Spec = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "spec", self.family.spec(self.rules))

    def parse_card(self, text: str) -> int:
        """Card id of a text such as `7D`, `10d` or `7♦`; an action is a card id."""
        return self.family.pack.parse(text)

    def card_text(self, card: int) -> str:
        """Text of a card id: `25` is `7D`."""
        return self.family.pack.text(card)

    def action_text(self, action: int) -> str:
        """Text of an action: a card, or what one of the extra actions that follow the card ids is called."""
        extra = action - self.family.pack.size
        return self.family.extra_actions[extra] if extra >= 0 else self.card_text(action)

    def fields(self) -> dict[str, Any]:
        """The rules as a person writes them; `basra_env.make(name, **fields)` takes them back."""
        return self.family.parameters.readable(self.rules)

    def decode(self, obs: np.ndarray) -> dict[str, Any]:
        """What one observation, uint8 (O,), says, in words: see the family's `layout`."""
        return self.family.decode(obs, self.rules)
