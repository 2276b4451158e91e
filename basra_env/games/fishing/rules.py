"""The rules of the fishing family as data: a named, frozen set of numbers (rules.md, section 2)."""

from __future__ import annotations

from typing import Any, NamedTuple

from basra_env.core.cards import FRENCH, as_set
from basra_env.core.errors import unknown

CARDS = FRENCH.size
HAND = 4
"""Cards of one seat's packet, and of the first floor."""

JACKS = as_set(FRENCH.parse_all(["JC", "JD", "JH", "JS"]))
SEVEN_OF_DIAMONDS = FRENCH.parse("7D")
_JACKS_AND_7D = JACKS | 1 << SEVEN_OF_DIAMONDS


class Rules(NamedTuple):
    """One rule set. Every field is an integer, so that a new rule set is a new value and compiles nothing.

    Attributes:
        players: seats, 2 to 4.
        teams: 1 where four seats play as two pairs.
        sweepers: set of cards that take the whole floor.
        barred: set of cards that the first floor may not hold.
        basra: points for a capture that clears the floor.
        majority: points for most cards; a tie carries them over to the next round.
        target: points that a match is played to.
    """

    players: int = 2
    teams: int = 0
    sweepers: int = _JACKS_AND_7D
    barred: int = _JACKS_AND_7D
    basra: int = 10
    majority: int = 30
    target: int = 121


VARIANTS: dict[str, Rules] = {"dananeer": Rules()}

_SETS = {"J": JACKS, "J 7D": _JACKS_AND_7D}


def with_fields(rules: Rules, **fields: Any) -> Rules:
    """`rules` with some fields replaced.

    Raises:
        ValueError: an unknown field, or a value that makes no sense.
    """
    for name in fields:
        if name not in Rules._fields:
            raise ValueError(unknown("rule field", name, Rules._fields))
    return _checked(rules._replace(**{name: _number(name, value) for name, value in fields.items()}))


def readable(rules: Rules) -> dict[str, Any]:
    """The fields as a person writes them; `with_fields` takes them back."""
    names = {number: text for text, number in _SETS.items()}
    fields: dict[str, Any] = rules._asdict()
    fields["teams"] = bool(rules.teams)
    for name in ("sweepers", "barred"):
        fields[name] = names[fields[name]]
    return fields


def _number(name: str, value: Any) -> int:
    """The integer that stands for `value` in the field `name`."""
    if name in ("sweepers", "barred"):
        text = " ".join(str(value).upper().replace(",", " ").split())
        if text not in _SETS:
            raise ValueError(unknown(f"value of {name}", value, _SETS))
        return _SETS[text]
    if name == "teams":
        if value not in (True, False):
            raise ValueError(f"teams is {value!r}: expected true or false")
        return int(value)
    if isinstance(value, bool) or (not isinstance(value, int) and not hasattr(value, "__index__")):
        raise ValueError(f"{name} is {value!r}: expected an integer")
    return int(value)


def _checked(rules: Rules) -> Rules:
    if not 2 <= rules.players <= 4:
        raise ValueError(f"players is {rules.players}: the fishing games seat 2, 3 or 4")
    if rules.teams and rules.players != 4:
        raise ValueError(f"teams is true with {rules.players} players: pairs need players=4")
    for name, lowest, highest in (("basra", 0, 100), ("majority", 0, 1000), ("target", 1, 1_000_000)):
        value = getattr(rules, name)
        if not lowest <= value <= highest:
            raise ValueError(f"{name} is {value}: expected {lowest} to {highest}")
    return rules
