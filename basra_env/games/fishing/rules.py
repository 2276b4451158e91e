"""The rules of the fishing family as data: a named, frozen set of numbers (rules.md, section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from basra_env.core.cards import FRENCH, as_set
from basra_env.core.packets import check_packets
from basra_env.core.parameters import Parameters, check_seats, choice, flag, integer, letters, named

CARDS = FRENCH.size

RANKS = {rank: as_set(4 * number + suit for suit in range(4)) for number, rank in enumerate(FRENCH.ranks)}
SUITS = {suit: as_set(range(number, CARDS, 4)) for number, suit in enumerate(FRENCH.suits)}
JACKS = RANKS["J"]
SEVEN_OF_DIAMONDS = FRENCH.parse("7D")
_TWO_OF_CLUBS, _TEN_OF_DIAMONDS = 1 << FRENCH.parse("2C"), 1 << FRENCH.parse("TD")
_SETS = {"J": JACKS, "J 7D": JACKS | 1 << SEVEN_OF_DIAMONDS, "7D": 1 << SEVEN_OF_DIAMONDS, "none": 0}

UNION, DISJOINT, CHOOSE = range(3)
"""`capture`: how overlapping groups are settled."""
CARRY, VOID, EACH = range(3)
"""`majority_tied`."""
CARD, HAND = range(2)
"""`must_capture`."""


class Rules(NamedTuple):
    """One rule set. Every field is an integer, so that a new rule set is a new value and compiles nothing.

    What each means stands in `PARAMETERS`. `ranks`, `suits`, `sweepers` and `barred` are sets of cards; the cards in
    play are those in both `ranks` and `suits`.
    """

    players: int = 2
    teams: int = 0
    ranks: int = sum(RANKS.values())
    suits: int = sum(SUITS.values())
    packet: int = 4
    first_floor: int = 4
    sweepers: int = _SETS["J 7D"]
    barred: int = _SETS["J 7D"]
    capture: int = UNION
    must_capture: int = CARD
    basra: int = 10
    jack_on_jack: int = 0
    majority: int = 30
    majority_tied: int = CARRY
    target: int = 121


PARAMETERS = Parameters(
    integer("players", 2, 4, "seats"),
    flag("teams", "four seats play as two pairs"),
    letters("ranks", RANKS, "ranks in play"),
    letters("suits", SUITS, "suits in play"),
    integer("packet", 1, 12, "cards dealt to each seat at a time"),
    integer("first_floor", 0, 12, "cards turned up on the first floor"),
    named("sweepers", _SETS, "cards that take the whole floor"),
    named("barred", _SETS, "cards that the first floor may not hold: they go under the deck"),
    choice(
        "capture",
        ("union", "disjoint", "choose"),
        "overlapping groups: all are taken, or the disjoint ones with the most cards, or the player chooses",
    ),
    choice(
        "must_capture",
        ("card", "hand"),
        "the played card takes all it can; or moreover whoever can capture must",
    ),
    integer("basra", 0, 100, "points for a capture that clears the floor"),
    integer("jack_on_jack", 0, 100, "points for a jack that takes exactly one lone jack"),
    integer("majority", 0, 1000, "points for most cards, counted by side"),
    choice(
        "majority_tied",
        ("carry", "void", "each"),
        "most cards are tied: the points go to the next round; or no point of the round counts and the next round's "
        "are worth more; or all that tie score them",
    ),
    integer("target", 1, 1_000_000, "points that a match is played to"),
)

_STANDARD = Rules(
    sweepers=JACKS, barred=JACKS, capture=CHOOSE, majority=3, majority_tied=EACH, target=100
)  # fmt: skip

VARIANTS: dict[str, Rules] = {
    "dananeer": Rules(),
    "classic": Rules(capture=CHOOSE, majority_tied=VOID),
    "standard": _STANDARD,
    "egyptian": Rules(capture=CHOOSE, jack_on_jack=20, majority_tied=EACH, target=100),
    # Ten cards and eight, for research: every deal and every play of them can be gone through.
    "mini": Rules(
        ranks=RANKS["A"] | RANKS["2"] | RANKS["3"] | RANKS["4"] | RANKS["J"], suits=SUITS["C"] | SUITS["D"],
        packet=2, first_floor=2, capture=CHOOSE, majority=3, majority_tied=EACH, target=50,
    ),
    "micro": Rules(
        ranks=RANKS["A"] | RANKS["2"] | RANKS["3"] | RANKS["J"], suits=SUITS["C"] | SUITS["D"],
        packet=2, first_floor=0, capture=CHOOSE, majority=3, majority_tied=EACH, target=50,
    ),
}  # fmt: skip

_PLAYED_IN_PAIRS = ("egyptian",)


def basras_differ(rules: Rules) -> bool:
    """True where a basra can be worth one of two values: how many were made does not tell their points."""
    return rules.jack_on_jack not in (0, rules.basra)


def count_cards(rules: Rules) -> int:
    """Number of cards in play."""
    return (rules.ranks & rules.suits).bit_count()


def rules_of(variant: str, fields: Mapping[str, Any]) -> Rules:
    """The rules of a variant with some fields replaced.

    Raises:
        ValueError: an unknown field, or a value that makes no sense.
    """
    rules: Rules = PARAMETERS.replaced(VARIANTS[variant], fields)
    in_pairs = variant in _PLAYED_IN_PAIRS
    if in_pairs and "teams" not in fields:
        rules = rules._replace(teams=int(rules.players == 4))
    check_seats(rules, (2, 4) if in_pairs else (2, 3, 4))
    cards = rules.ranks & rules.suits
    size = count_cards(rules)
    check_packets(rules, size, rules.first_floor)
    if not (rules.majority or rules.basra or cards & (RANKS["A"] | JACKS | _TWO_OF_CLUBS | _TEN_OF_DIAMONDS)):
        raise ValueError("basra and majority are 0 and no card in play is worth a point: no match would ever end")
    barred = (cards & rules.barred).bit_count()
    if size - rules.first_floor - rules.players * rules.packet < barred and rules.first_floor:
        raise ValueError(f"{barred} of {size} cards are barred: the first floor might not be filled")
    return rules
