"""A top-card game's record as a `Position`, and back."""

from __future__ import annotations

from typing import Any

from basra_env.core.cards import as_set, members
from basra_env.core.match import num_sides, side_of
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
from basra_env.games.topcard.kernels import MAX_PLIES, hidden_size, unknown_secret
from basra_env.games.topcard.layout import num_packets
from basra_env.games.topcard.rules import PACK, Rules, deck_size


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
    table = [int(card) for card in s["table"][: s["table_size"]]]
    hidden = int(hidden_size(s))
    held = sum(int(hand) for hand in s["hands"])
    swept = [
        (PACK.text(card), "hand" if (held >> card) & 1 else "stock")
        for card in map(int, s["swept"][: s["swept_count"]])
        if (held >> card) & 1 or card in stock
    ]
    taken = [(PACK.text(card), "pile") for card in members(s["secret"])] if s["secret_holder"] != NOBODY else []
    return Position(
        hands=tuple(PACK.texts(members(s["hands"][seat])) for seat in seats),
        floor=PACK.texts(table[hidden:]),
        hidden=PACK.texts(table[:hidden]),
        piles=tuple(_in_order(s, s["piles"][seat], rules) for seat in seats),
        stock=PACK.texts(stock),
        plays=tuple(
            ((eldest + turn) % rules.players, PACK.text(card)) for turn, card in enumerate(s["plays"][: s["played"]])
        ),
        known=tuple(tuple(swept + ([] if unknown_secret(s, seat, rules) else taken)) for seat in seats),
        to_play=None if s["to_play"] == TERMINAL else int(s["to_play"]),
        dealer=int(s["dealer"]),
        last_capturer=None if s["last_capturer"] == NOBODY else int(s["last_capturer"]),
        basras=tuple(int(s["basras"][side]) for side in sides),
        basra_points=tuple(int(s["basra_points"][side]) for side in sides),
        points=tuple(int(s["points"][side]) for side in sides),
        scores=tuple(int(s["scores"][side]) for side in sides),
        rounds=tuple(rounds),
        round_over=bool(s["round_over"]),
        match_over=bool(s["match_over"]),
    )


def _in_order(s: Any, cards: int, rules: Rules) -> tuple[str, ...]:
    """Cards by when they came there; of those taken together the played card first."""

    def arrival(card: int) -> tuple[int, bool, int]:
        ply = int(s["moved"][card]) - rules.hidden - 2
        played = 0 <= ply < MAX_PLIES and s["actions"][ply] == card
        return int(s["moved"][card]), not played, card

    return PACK.texts(sorted(members(cards), key=arrival))


def write_position(s: Any, position: Position, rules: Rules) -> None:
    """Set up the game of `position` in the record `s`, whose generator, scores and match flag stay as they are.

    Raises:
        ValueError: cards missing or in two places, hands that no deal gives, a seat that does not exist.
    """
    check_fields(position, ("trump", "trick", "pending", "named", "swapped", "carry"))
    check_seats(position, rules)
    hands, piles = [PACK.parse_all(hand) for hand in position.hands], [PACK.parse_all(pile) for pile in position.piles]
    floor, hidden, stock = (PACK.parse_all(cards) for cards in (position.floor, position.hidden, position.stock))
    held, won = [card for hand in hands for card in hand], [card for pile in piles for card in pile]
    check_cards([*held, *won, *floor, *hidden, *stock], range(deck_size(rules)), PACK)
    check_turn(position, rules)
    plays = plays_in_order(position, rules, PACK)
    swept, secret, holder = _known(position, piles, rules)
    dealt, under = swept_cards(swept, stock, held, rules.barred, PACK)
    if hidden and (secret or won or len(hidden) != rules.hidden or not floor):
        raise ValueError(
            f"hidden is {position.hidden}: {rules.hidden} cards lie face down, beneath others, until the first capture"
        )

    gone = [*won, *floor, *hidden, *held, *under]
    s["deck"][:] = 0
    s["deck"][: deck_size(rules)] = [*gone, *stock[: len(stock) - len(under)]]
    s["cursor"] = len(gone)
    s["swept"][:] = 0
    s["swept"][: len(dealt + under)] = dealt + under
    s["swept_count"], s["swept_dealt"] = len(dealt + under), len(dealt)
    s["hands"][:], s["piles"][:] = 0, 0
    s["hands"][: rules.players] = [as_set(hand) for hand in hands]
    s["piles"][: rules.players] = [as_set(pile) for pile in piles]
    s["secret"] = as_set(hidden or secret)
    s["secret_holder"] = holder
    s["table"][:] = 0
    s["table"][: len(hidden + floor)] = hidden + floor
    s["table_size"] = len(hidden + floor)
    s["moved"][:] = 0
    ply = len(floor) + len(hidden) + len(won) - rules.hidden - 1
    for arrival, card in enumerate(won, 1):
        s["moved"][card] = arrival
    s["ply"] = ply
    s["packet"] = num_packets(rules) - 1 - len(stock) // (rules.packet * rules.players)
    s["actions"][:] = NOBODY
    s["plays"][:] = NOBODY
    s["played"] = len(plays)
    s["plays"][: len(plays)] = plays
    s["to_play"] = TERMINAL if position.to_play is None else position.to_play
    s["dealer"] = position.dealer
    s["last_capturer"] = NOBODY if position.last_capturer is None else position.last_capturer
    for name in ("points", "basras", "basra_points"):
        s[name][:] = 0
        s[name][: len(getattr(position, name))] = getattr(position, name)
    s["carry"] = 0
    s["round_over"], s["match_over"] = position.round_over, position.match_over


def _known(position: Position, piles: list[list[int]], rules: Rules) -> tuple[list[int], list[int], int]:
    """Cards swept under the deck, which all know; cards that lay face down and were taken; and the seat that took them."""
    swept: list[int] = []
    secret: list[int] = []
    holder = NOBODY
    for seat, known in enumerate(position.known):
        open_cards = [PACK.parse(card) for card, place in known if place != "pile"]
        taken = [PACK.parse(card) for card, place in known if place == "pile"]
        if seat and open_cards != swept:
            raise ValueError("all seats know the same swept cards: they saw them go under the deck")
        swept = open_cards
        if not taken:
            continue
        holders = [other for other, pile in enumerate(piles) if set(taken) <= set(pile)]
        if len(holders) != 1 or side_of(holders[0], rules) != side_of(seat, rules) or len(taken) != rules.hidden:
            raise ValueError(
                f"seat {seat} knows {PACK.texts(taken)}: expected what lay face down, in a pile of its side"
            )
        secret, holder = taken, holders[0]
    return swept, secret, holder
