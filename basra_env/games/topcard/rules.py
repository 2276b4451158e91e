"""The rules of the top-card family as data: a named, frozen set of numbers (rules.md, section 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from basra_env.core.cards import Pack, as_set
from basra_env.core.packets import check_packets
from basra_env.core.parameters import Parameters, check_seats, choice, flag, integer, named

PACK = Pack("A23456789TJQK", "CDHS", jokers=2)
CARDS = PACK.size
JACK, JOKER = 10, 13
"""Ranks, counted from 0 for aces; the jokers are one rank."""
JACKS = as_set(range(4 * JACK, 4 * JACK + 4))

CAPTURES, PLAIN = range(2)
"""`jack`."""


class Rules(NamedTuple):
    """One rule set. Every field is an integer, so that a new rule set is a new value and compiles nothing.

    What each means stands in `PARAMETERS`. `barred` is a set of cards.
    """

    players: int = 2
    teams: int = 0
    jokers: int = 0
    packet: int = 4
    hidden: int = 3
    barred: int = JACKS
    jack: int = CAPTURES
    redeal: int = 0
    basra: int = 10
    jack_on_jack: int = 20
    jack_on_other: int = 0
    joker_on_joker: int = 20
    last_card_basra: int = 0
    ace_points: int = 1
    jack_points: int = 1
    two_of_clubs_points: int = 2
    ten_of_diamonds_points: int = 3
    joker_points: int = 0
    majority: int = 3
    last_capture: int = 0
    target: int = 151


PARAMETERS = Parameters(
    integer("players", 2, 4, "seats"),
    flag("teams", "four seats play as two pairs"),
    integer("jokers", 0, 2, "jokers in the pack"),
    integer("packet", 1, 12, "cards dealt to each seat at a time"),
    integer("hidden", 0, 12, "table cards that lie face down at the start, beneath one face up"),
    named("barred", {"J": JACKS, "none": 0}, "cards that may not be turned up: they go under the deck"),
    choice("jack", ("captures", "plain"), "a jack takes any table, or a jack only"),
    integer("redeal", 0, 4, "so many cards of one rank in a hand of the first packet: dealt afresh; 0: never"),
    integer("basra", 0, 100, "points for taking one lone card by its own rank"),
    integer("jack_on_jack", 0, 100, "points for taking a lone jack with a jack"),
    integer("jack_on_other", 0, 100, "points for taking another lone card with a jack"),
    integer("joker_on_joker", 0, 100, "points for taking a lone joker with a joker"),
    flag("last_card_basra", "the last card of the round can make a basra"),
    integer("ace_points", 0, 50, "points of each ace won"),
    integer("jack_points", 0, 50, "points of each jack won"),
    integer("two_of_clubs_points", 0, 50, "points of 2C"),
    integer("ten_of_diamonds_points", 0, 50, "points of TD"),
    integer("joker_points", 0, 50, "points of each joker won"),
    integer("majority", 0, 1000, "points for most cards, counted by side; none on a tie"),
    integer("last_capture", 0, 100, "points for the last capture of the round, besides the table"),
    integer("target", 1, 1_000_000, "points that a match is played to"),
)

VARIANTS: dict[str, Rules] = {
    "basra_io": Rules(
        players=4, teams=1, jokers=2, hidden=5, barred=0, redeal=3, jack_on_other=10, last_card_basra=1, majority=0,
        last_capture=3, target=256,
    ),
    "pishti": Rules(),
}  # fmt: skip

_WHERE_JACKS_ARE_PLAIN = {"basra_io": {"jack_on_jack": 10, "target": 156}}


def rules_of(variant: str, fields: Mapping[str, Any]) -> Rules:
    """The rules of a variant with some fields replaced.

    Raises:
        ValueError: an unknown field, or a value that makes no sense.
    """
    rules: Rules = PARAMETERS.replaced(VARIANTS[variant], fields)
    if "teams" not in fields:
        rules = rules._replace(teams=int(rules.players == 4))
    if rules.jack == PLAIN:
        plain = _WHERE_JACKS_ARE_PLAIN.get(variant, {})
        rules = rules._replace(**{name: value for name, value in plain.items() if name not in fields})
    check_seats(rules, (2, 4))
    check_packets(rules, count_cards(rules), rules.hidden + 1)
    worth = (
        rules.basra, rules.jack_on_jack, rules.jack_on_other, rules.ace_points, rules.jack_points, rules.majority,
        rules.two_of_clubs_points, rules.ten_of_diamonds_points, rules.last_capture, rules.jokers * rules.joker_points,
    )  # fmt: skip
    if not any(worth):
        raise ValueError("no capture and no card is worth a point: no match would ever end")
    if rules.redeal == 1 or 0 < rules.redeal <= (rules.packet - 1) // 13:
        raise ValueError(f"redeal is {rules.redeal}: no deal would ever stand; expected 0, or 2 to 4")
    return rules


def count_cards(rules: Rules) -> int:
    """Number of cards in play."""
    return 52 + rules.jokers


def deck_fault(deck: Sequence[int], rules: Rules) -> str | None:
    """Why a given deck cannot be played: it calls for a redeal."""
    if not rules.redeal:
        return None
    for turn in range(rules.players):
        hand = deck[turn : rules.players * rules.packet : rules.players]
        ranks = [card // 4 for card in hand]
        if max(map(ranks.count, ranks)) >= rules.redeal:
            cards = ", ".join(PACK.texts(sorted(hand)))
            return f"it calls for a redeal: a first hand of {cards} has {rules.redeal} of one rank or more"
    return None
