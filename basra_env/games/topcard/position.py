"""A top-card game's record as a `Position`, and back."""

from __future__ import annotations

from typing import Any

from basra_env.core.cards import as_set, members
from basra_env.core.match import sides_of_seats
from basra_env.core.position import Position
from basra_env.core.position_checks import check_cards, check_fields, check_seats, check_turn
from basra_env.core.position_records import by_side, joined, packet_fields, shared_fields, write_packets, write_shared
from basra_env.core.record import NOBODY
from basra_env.games.topcard.rules import PACK, Rules, count_cards


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    """Everything about one game.

    Args:
        s: its record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    table = [int(card) for card in s["table"][: s["table_size"]]]
    secret = PACK.texts(members(s["secret"]))
    holder = int(s["secret_holder"])
    hidden = len(secret) if holder == NOBODY else 0
    taken = tuple((card, "pile") for card in secret)
    sides = sides_of_seats(rules)
    fields = packet_fields(s, count_cards(rules), rules.hidden + 1, rules, PACK)
    fields["known"] = tuple(
        swept + (taken if holder != NOBODY and sides[holder] == sides[seat] else ())
        for seat, swept in enumerate(fields["known"])
    )
    return Position(
        floor=PACK.texts(table[hidden:]),
        hidden=PACK.texts(table[:hidden]),
        basra_points=by_side(s["basra_points"], rules),
        **fields,
        **shared_fields(s, rounds, rules),
    )


def write_position(s: Any, position: Position, rules: Rules) -> None:
    """Set up the game of `position` in the record `s`, whose generator, scores and match flag stay as they are.

    Raises:
        ValueError: cards missing or in two places, hands that no deal gives, a seat that does not exist.
    """
    check_fields(position, ("trump", "trick", "pending", "named", "swapped", "carry"))
    check_seats(position, rules)
    hands, piles = [PACK.parse_all(hand) for hand in position.hands], [PACK.parse_all(pile) for pile in position.piles]
    floor, hidden, stock = (PACK.parse_all(cards) for cards in (position.floor, position.hidden, position.stock))
    check_cards([*joined(hands), *joined(piles), *floor, *hidden, *stock], range(count_cards(rules)), PACK)
    check_turn(position, rules)
    swept, secret, holder = _known(position, piles, rules)
    if hidden and (secret or joined(piles) or len(hidden) != rules.hidden or not floor):
        raise ValueError(
            f"hidden is {position.hidden}: {rules.hidden} cards lie face down, beneath others, until the first capture"
        )

    write_shared(s, position)
    write_packets(s, position, [*hidden, *floor], swept, rules.hidden + 1, rules, PACK)
    if rules.redeal and s["packet"] == 0:
        _check_deal_stands(position, hands, rules)
    s["secret"] = as_set(hidden or secret)
    s["secret_holder"] = holder
    s["table"][:] = 0
    s["table"][: len(hidden + floor)] = hidden + floor
    s["table_size"] = len(hidden + floor)
    s["basra_points"][:] = 0
    s["basra_points"][: len(position.basra_points)] = position.basra_points


def _check_deal_stands(position: Position, hands: list[list[int]], rules: Rules) -> None:
    """In the first packet no hand, with what was played from it, would have been dealt afresh."""
    for seat, hand in enumerate(hands):
        ranks = [card // 4 for card in [*hand, *(PACK.parse(card) for by, card in position.plays if by == seat)]]
        if ranks and max(map(ranks.count, ranks)) >= rules.redeal:
            raise ValueError(f"seat {seat} was dealt {rules.redeal} cards of a rank or more: the round is dealt afresh")


def _known(position: Position, piles: list[list[int]], rules: Rules) -> tuple[list[int], list[int], int]:
    """Cards swept under the deck, which all know; cards that lay face down and were taken; and the seat that took them."""
    swept: list[int] = []
    secret: list[int] = []
    holder = NOBODY
    sides = sides_of_seats(rules)
    for seat, known in enumerate(position.known):
        open_cards = [PACK.parse(card) for card, place in known if place != "pile"]
        taken = [PACK.parse(card) for card, place in known if place == "pile"]
        if seat and open_cards != swept:
            raise ValueError("all seats know the same swept cards: they saw them go under the deck")
        swept = open_cards
        if not taken:
            continue
        holders = [other for other, pile in enumerate(piles) if set(taken) <= set(pile)]
        if len(holders) != 1 or sides[holders[0]] != sides[seat] or len(taken) != rules.hidden:
            raise ValueError(
                f"seat {seat} knows {PACK.texts(taken)}: expected what lay face down, in a pile of its side"
            )
        secret, holder = taken, holders[0]
    return swept, secret, holder
