"""A fishing game's record as a `Position`, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from basra_env.core.cards import FRENCH, as_set, members
from basra_env.core.match import num_sides, pile_of_side
from basra_env.core.position import Position
from basra_env.core.position_checks import (
    check_cards,
    check_fields,
    check_seats,
    check_turn,
    plays_in_order,
    swept_cards,
)
from basra_env.core.record import NOBODY, TERMINAL
from basra_env.games.fishing.capture import capturing_ranks, within_reach
from basra_env.games.fishing.choice import nameable, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.kernels import MAX_PLIES, choices, deck_size
from basra_env.games.fishing.layout import num_packets
from basra_env.games.fishing.points import card_points
from basra_env.games.fishing.rules import CHOOSE, HAND, Rules


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    """Everything about one game.

    Args:
        s: its record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    seats = range(rules.players)
    sides = range(num_sides(rules))
    stock = [*s["deck"][s["cursor"] : deck_size(rules)], *s["swept"][s["swept_dealt"] : s["swept_count"]]]
    eldest = (int(s["dealer"]) + 1) % rules.players
    played = enumerate(s["plays"][: s["played"]])
    held = sum(int(hand) for hand in s["hands"])
    known = [
        (FRENCH.text(card), "hand" if (held >> card) & 1 else "stock")
        for card in map(int, s["swept"][: s["swept_count"]])
        if (held >> card) & 1 or card in stock
    ]
    return Position(
        hands=tuple(FRENCH.texts(members(s["hands"][seat])) for seat in seats),
        floor=_in_order(s, s["floor"], rules),
        piles=tuple(_in_order(s, s["piles"][seat], rules) for seat in seats),
        stock=FRENCH.texts(stock),
        pending=None if s["pending"] == NOBODY else FRENCH.text(s["pending"]),
        named=FRENCH.texts(members(s["named"])),
        plays=tuple(((eldest + turn) % rules.players, FRENCH.text(card)) for turn, card in played),
        known=tuple(tuple(known) for _ in seats),
        to_play=None if s["to_play"] == TERMINAL else int(s["to_play"]),
        dealer=int(s["dealer"]),
        last_capturer=None if s["last_capturer"] == NOBODY else int(s["last_capturer"]),
        basras=tuple(int(s["basras"][side]) for side in sides),
        points=tuple(int(s["points"][side]) for side in sides),
        scores=tuple(int(s["scores"][side]) for side in sides),
        rounds=tuple(rounds),
        carry=int(s["carry"]),
        round_over=bool(s["round_over"]),
        match_over=bool(s["match_over"]),
    )


def _in_order(s: Any, cards: int, rules: Rules) -> tuple[str, ...]:
    """Cards by when they came there; of those taken together the played card first."""

    def arrival(card: int) -> tuple[int, bool, int]:
        ply = int(s["moved"][card]) - rules.first_floor - 1
        played = 0 <= ply < MAX_PLIES and s["actions"][ply] == card
        return int(s["moved"][card]), not played, card

    return FRENCH.texts(sorted(members(cards), key=arrival))


def write_position(s: Any, position: Position, rules: Rules) -> None:
    """Set up the game of `position` in the record `s`, whose generator, scores and match flag stay as they are.

    Raises:
        ValueError: cards missing or in two places, hands that no deal gives, a seat that does not exist.
    """
    hands, floor = [_ids(hand) for hand in position.hands], _ids(position.floor)
    piles, stock = [_ids(pile) for pile in position.piles], _ids(position.stock)
    pending = [FRENCH.parse(position.pending)] if position.pending else []
    _check(position, [*floor, *_joined(piles), *_joined(hands), *stock, *pending], rules)
    public = [FRENCH.parse(card) for card, _ in position.known[0]] if position.known else []
    dealt, under = swept_cards(public, stock, _joined(hands), rules.barred, FRENCH)
    deck = stock[: len(stock) - len(under)]
    gone = [*_joined(piles), *floor, *pending, *_joined(hands), *under]
    plays = plays_in_order(position, rules, FRENCH)

    s["deck"][:] = 0
    s["deck"][: deck_size(rules)] = [*gone, *deck]
    s["cursor"] = len(gone)
    s["swept"][:] = (dealt + under + [0] * 8)[:8]
    s["swept_count"], s["swept_dealt"] = len(dealt + under), len(dealt)
    s["hands"][:], s["piles"][:] = 0, 0
    s["hands"][: rules.players] = [as_set(hand) for hand in hands]
    s["piles"][: rules.players] = [as_set(pile) for pile in piles]
    s["floor"] = as_set(floor)
    s["moved"][:] = 0
    for arrival, card in enumerate([*_joined(piles), *floor, *pending], 1):
        s["moved"][card] = arrival
    ply = len(floor) + sum(map(len, piles)) + len(pending) - rules.first_floor
    in_packet = rules.packet * rules.players
    s["ply"] = ply
    s["packet"] = num_packets(rules) - 1 - len(stock) // in_packet
    s["actions"][:] = NOBODY
    s["plays"][:] = NOBODY
    s["played"] = len(plays)
    s["plays"][: len(plays)] = plays
    s["cannot_hold"][:] = 0
    if rules.must_capture == HAND:
        _note_what_was_laid(s, position, plays, piles, floor)
    s["pending"] = pending[0] if pending else NOBODY
    if pending:
        s["actions"][ply - 1] = pending[0]  # `_in_order` looks for the played card there
    s["named"] = as_set(_ids(position.named))
    s["to_play"] = TERMINAL if position.to_play is None else position.to_play
    s["dealer"] = position.dealer
    s["last_capturer"] = NOBODY if position.last_capturer is None else position.last_capturer
    s["points"][:], s["basras"][:] = 0, 0
    s["points"][: len(position.points)] = position.points
    for side, points in enumerate(position.points):
        if position.basras:
            s["basras"][side] = position.basras[side]
        elif rules.basra:  # not told: what the points say
            s["basras"][side] = max(points - int(card_points(pile_of_side(s, side, rules))), 0) // rules.basra
    s["carry"] = position.carry
    s["round_over"], s["match_over"] = position.round_over, position.match_over
    if pending:
        _check_choice(s, pending[0], rules)


def _note_what_was_laid(s: Any, position: Position, plays: list[int], piles: list[list[int]], floor: list[int]) -> None:
    """What each seat cannot hold, since it laid a card down and had to capture if it could: the packet told backwards."""
    lying, piles = list(floor), [list(pile) for pile in piles]
    for turn in reversed(range(len(plays))):
        card, seat = plays[turn], position.plays[turn][0]
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


def _ids(cards: Iterable[str]) -> list[int]:
    return FRENCH.parse_all(cards)


def _joined(places: list[list[int]]) -> list[int]:
    return [card for place in places for card in place]


def _check(position: Position, every: list[int], rules: Rules) -> None:
    choice = () if rules.capture == CHOOSE else ("pending", "named")
    check_fields(position, ("hidden", "trump", "trick", "swapped", *choice))
    check_seats(position, rules)
    check_cards(every, list(members(rules.ranks & rules.suits)), FRENCH)
    check_turn(position, rules)
    if any(tuple(seen) != tuple(position.known[0]) for seen in position.known):
        raise ValueError("all seats know the same cards: they saw them go under the deck")
    if position.named and not position.pending:
        raise ValueError(f"named is {position.named}, and no card is pending")
