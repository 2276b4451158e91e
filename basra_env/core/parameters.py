"""The fields of a rule set as people write them: read, checked, shown and listed in one place.

A game's `Rules` is a NamedTuple of integers; its `PARAMETERS` say of each field what a person may write for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from basra_env.core.errors import unknown


@dataclass(frozen=True)
class Parameter:
    """One field of a rule set.

    Attributes:
        name: the keyword, and the field of `Rules`.
        values: what may be written for it, in words.
        meaning: one sentence for people.
        read: `(what was written) -> int`; ValueError where that makes no sense.
        show: `(int) -> what a person writes`; `read` takes it back.
    """

    name: str
    values: str
    meaning: str
    read: Callable[[Any], int]
    show: Callable[[int], Any]


def integer(name: str, lowest: int, highest: int, meaning: str) -> Parameter:
    """A whole number in a range."""
    values = f"{lowest} to {highest}" if lowest < highest else str(lowest)

    def read(value: Any) -> int:
        if isinstance(value, bool) or not hasattr(value, "__index__") or np.ndim(value):
            raise ValueError(f"{name} is {value!r}: expected an integer")
        if not lowest <= int(value) <= highest:
            raise ValueError(f"{name} is {value}: expected {values}")
        return int(value)

    return Parameter(name, values, meaning, read, int)


def flag(name: str, meaning: str) -> Parameter:
    """True or false."""

    def read(value: Any) -> int:
        if np.ndim(value) or value not in (True, False):
            raise ValueError(f"{name} is {value!r}: expected true or false")
        return int(value)

    return Parameter(name, "true, false", meaning, read, bool)


def choice(name: str, options: Sequence[str], meaning: str) -> Parameter:
    """One of a few words; the rules hold its index."""
    return named(name, {option: number for number, option in enumerate(options)}, meaning)


def named(name: str, options: Mapping[str, int], meaning: str) -> Parameter:
    """One of a few words, each of which stands for a number. Case, commas and spaces do not matter."""
    plain = {_plain(option): number for option, number in options.items()}
    words = {number: option for option, number in options.items()}

    def read(value: Any) -> int:
        if not isinstance(value, str) or _plain(value) not in plain:
            raise ValueError(unknown(f"value of {name}", value, options))
        return plain[_plain(value)]

    return Parameter(name, ", ".join(f'"{option}"' for option in options), meaning, read, words.__getitem__)


def letters(name: str, sets: Mapping[str, int], meaning: str) -> Parameter:
    """Some of a row of letters, each of which stands for a bit set; the rules hold their union."""

    def read(value: Any) -> int:
        total = 0
        for letter in _plain(value).replace(" ", ""):
            if letter not in sets:
                raise ValueError(unknown(f"letter of {name}", letter, sets))
            total |= sets[letter]
        if not total:
            raise ValueError(f"{name} is {value!r}: expected some of {''.join(sets)}")
        return total

    def show(number: int) -> str:
        return "".join(letter for letter, cards in sets.items() if number & cards == cards)

    return Parameter(name, f"some of {''.join(sets)}", meaning, read, show)


def _plain(value: Any) -> str:
    return " ".join(str(value).upper().replace(",", " ").split())


class Parameters(Mapping[str, Parameter]):
    """The fields of a family's `Rules`, in their order, by name."""

    def __init__(self, *fields: Parameter) -> None:
        """List them."""
        self._fields = {field.name: field for field in fields}

    def __getitem__(self, name: str) -> Parameter:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def replaced(self, rules: Any, fields: Mapping[str, Any]) -> Any:
        """`rules` with some fields replaced.

        Raises:
            ValueError: an unknown field, or a value that makes no sense by itself.
        """
        for name in fields:
            if name not in self:
                raise ValueError(unknown("rule field", name, self))
        return rules._replace(**{name: self[name].read(value) for name, value in fields.items()})

    def readable(self, rules: Any) -> dict[str, Any]:
        """The fields as a person writes them; `replaced` takes them back."""
        return {name: field.show(getattr(rules, name)) for name, field in self.items()}


def check_seats(rules: Any, allowed: Sequence[int]) -> None:
    """Refuse numbers of players that the game does not seat, and pairs of anything but four."""
    if rules.players not in allowed:
        *most, last = map(str, allowed)
        seats = f"{', '.join(most)} or {last}" if most else last
        raise ValueError(f"players is {rules.players}: this game seats {seats}")
    if rules.teams and rules.players != 4:
        raise ValueError(f"teams is true with {rules.players} players: pairs need players=4")
