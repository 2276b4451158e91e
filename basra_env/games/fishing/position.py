"""A fishing game's record as a `Position`, and back."""

from __future__ import annotations

from typing import Any

from basra_env.core.cards import FRENCH, as_set, members
from basra_env.core.match import pile_of_side
from basra_env.core.position import Position
from basra_env.core.position_checks import check_cards, check_fields, check_seats, check_turn
from basra_env.core.position_records import (
    by_arrival,
    by_side,
    joined,
    packet_fields,
    shared_fields,
    write_packets,
    write_shared,
)
from basra_env.core.record import NOBODY
from basra_env.games.fishing.capture import capturing_ranks, cards_of_ranks, within_reach
from basra_env.games.fishing.choice import nameable, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.kernels import choices
from basra_env.games.fishing.points import card_points
from basra_env.games.fishing.rules import CHOOSE, HAND, Rules, basras_differ, count_cards


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    """Everything about one game.

    Args:
        s: its record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    return Position(
        floor=by_arrival(s, s["floor"], rules.first_floor, FRENCH),
        pending=None if s["pending"] == NOBODY else FRENCH.text(s["pending"]),
        named=FRENCH.texts(members(s["named"])),
        basra_points=by_side(s["basra_points"], rules) if basras_differ(rules) else (),
        **packet_fields(s, count_cards(rules), rules.first_floor, rules, FRENCH),
        **shared_fields(s, rounds, rules),
    )


def write_position(s: Any, position: Position, rules: Rules) -> None:
    """Set up the game of `position` in the record `s`, whose generator, scores and match flag stay as they are.

    Raises:
        ValueError: cards missing or in two places, hands that no deal gives, a seat that does not exist.
    """
    floor, piles = FRENCH.parse_all(position.floor), [FRENCH.parse_all(pile) for pile in position.piles]
    pending = [FRENCH.parse(position.pending)] if position.pending else []
    hands, stock = [FRENCH.parse_all(hand) for hand in position.hands], FRENCH.parse_all(position.stock)
    _check(position, [*floor, *joined(piles), *joined(hands), *stock, *pending], rules)
    public = [FRENCH.parse(card) for card, _ in position.known[0]] if position.known else []

    write_shared(s, position)
    write_packets(s, position, [*floor, *pending], public, rules.first_floor, rules, FRENCH)
    s["floor"] = as_set(floor)
    for arrival, card in enumerate([*floor, *pending], 1 + len(joined(piles))):
        s["moved"][card] = arrival
    s["cannot_hold"][:] = 0
    if rules.must_capture == HAND and not position.round_over:
        _note_what_was_laid(s, position, piles, floor)
        for seat in range(rules.players):
            held = int(s["hands"][seat]) & int(cards_of_ranks(int(s["cannot_hold"][seat]), rules))
            if held:
                cards = FRENCH.texts(members(held))
                raise ValueError(f"seat {seat} holds {cards}, which would have captured where it laid a card down")
    s["pending"] = pending[0] if pending else NOBODY
    if pending:
        s["actions"][s["ply"] - 1] = pending[0]  # `by_arrival` looks for the played card there
    s["named"] = as_set(FRENCH.parse_all(position.named))
    _write_basras(s, position, rules)
    if pending:
        _check_choice(s, pending[0], rules)


def _write_basras(s: Any, position: Position, rules: Rules) -> None:
    """Number and points of basras; of what is not told, what the rest says."""
    s["basra_points"][:] = 0
    for side, points in enumerate(position.points):
        in_basras = max(points - int(card_points(pile_of_side(s, side, rules))), 0) if not position.basras else 0
        if rules.basra and not position.basras:
            s["basras"][side] = min(in_basras // rules.basra, 24)
        s["basra_points"][side] = int(s["basras"][side]) * rules.basra
    s["basra_points"][: len(position.basra_points)] = position.basra_points


def _note_what_was_laid(s: Any, position: Position, piles: list[list[int]], floor: list[int]) -> None:
    """What each seat cannot hold, since it laid a card down and had to capture if it could: the packet told backwards."""
    lying, piles = list(floor), [list(pile) for pile in piles]
    for seat, text in reversed(position.plays):
        card = FRENCH.parse(text)
        if card in lying:
            lying.remove(card)
            table = as_set(lying)
            s["cannot_hold"][seat] |= int(capturing_ranks(table, count_values(table)))
        elif card in piles[seat]:
            taken_with = piles[seat].index(card)
            lying += piles[seat][taken_with + 1 :]
            del piles[seat][taken_with:]


def _check_choice(s: Any, card: int, rules: Rules) -> None:
    """Refuse a pending card whose capture leaves no choice, and names that no option holds."""
    floor, named = int(s["floor"]), int(s["named"])
    groups = int(summands(within_reach(floor, count_values(floor), card, rules), card))
    possible = 0
    for each in members(named):  # one after the other, as they were named
        if named & ~groups or not (int(nameable(groups, possible, card >> 2)) >> each) & 1:
            raise ValueError(f"{FRENCH.text(each)} cannot be named for {FRENCH.text(card)}")
        possible |= 1 << each
    if not choices(s, rules):
        raise ValueError(f"the capture of {FRENCH.text(card)} leaves no choice: nothing is pending")


def _check(position: Position, every: list[int], rules: Rules) -> None:
    basra_points = () if basras_differ(rules) else ("basra_points",)
    choice = () if rules.capture == CHOOSE else ("pending", "named")
    check_fields(position, ("hidden", "trump", "trick", "swapped", *choice, *basra_points))
    check_seats(position, rules)
    check_cards(every, list(members(rules.ranks & rules.suits)), FRENCH)
    check_turn(position, rules)
    if any(tuple(seen) != tuple(position.known[0]) for seen in position.known):
        raise ValueError("all seats know the same cards: they saw them go under the deck")
    if position.named and not position.pending:
        raise ValueError(f"named is {position.named}, and no card is pending")
