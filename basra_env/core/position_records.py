"""A record as a `Position`, and back: the fields that games share, and those of games dealt in packets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from basra_env.core.cards import Pack, as_set, members
from basra_env.core.match import count_sides
from basra_env.core.packets import MAX_SWEPT
from basra_env.core.position import Position
from basra_env.core.position_checks import plays_in_order, swept_cards
from basra_env.core.record import NOBODY, TERMINAL


def shared_fields(s: Any, rounds: list[tuple[int, ...]], rules: Any) -> dict[str, Any]:
    """The fields of a `Position` that any record tells.

    Args:
        s: the record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    return {
        "to_play": None if s["to_play"] == TERMINAL else int(s["to_play"]),
        "dealer": int(s["dealer"]),
        "points": by_side(s["points"], rules),
        "scores": by_side(s["scores"], rules),
        "rounds": tuple(rounds),
        "carry": int(s["carry"]),
        "round_over": bool(s["round_over"]),
        "match_over": bool(s["match_over"]),
    }


def by_side(numbers: Sequence[int], rules: Any) -> tuple[int, ...]:
    """One number a side, of a field that has room for four."""
    return tuple(int(number) for number in numbers[: count_sides(rules)])


def write_shared(s: Any, position: Position) -> None:
    """Set those fields, but for the scores, which the driver sets; no action has been taken."""
    s["to_play"] = TERMINAL if position.to_play is None else position.to_play
    s["dealer"] = position.dealer
    s["points"][:] = 0
    s["points"][: len(position.points)] = position.points
    s["carry"] = position.carry
    s["round_over"], s["match_over"] = position.round_over, position.match_over
    s["actions"][:] = NOBODY


def packet_fields(s: Any, size: int, laid: int, rules: Any, pack: Pack) -> dict[str, Any]:
    """The fields of a `Position` that a record with `PACKET_FIELDS` tells, `known` of the swept cards alone.

    Args:
        s: the record.
        size: cards in the deck.
        laid: cards laid on the table before the first play.
        rules: of the game.
        pack: how its cards are named.
    """
    seats = range(rules.players)
    eldest = (int(s["dealer"]) + 1) % rules.players
    stock = [*s["deck"][s["cursor"] : size], *s["swept"][s["swept_dealt"] : s["swept_count"]]]
    held = sum(int(hand) for hand in s["hands"])
    swept = tuple(
        (pack.text(card), "hand" if (held >> card) & 1 else "stock")
        for card in map(int, s["swept"][: s["swept_count"]])
        if (held >> card) & 1 or card in stock
    )
    return {
        "hands": tuple(pack.texts(members(s["hands"][seat])) for seat in seats),
        "piles": tuple(by_arrival(s, s["piles"][seat], laid, pack) for seat in seats),
        "stock": pack.texts(stock),
        "plays": tuple(
            ((eldest + turn) % rules.players, pack.text(card)) for turn, card in enumerate(s["plays"][: s["played"]])
        ),
        "known": (swept,) * rules.players,
        "last_capturer": None if s["last_capturer"] == NOBODY else int(s["last_capturer"]),
        "basras": by_side(s["basras"], rules),
    }


def by_arrival(s: Any, cards: int, laid: int, pack: Pack) -> tuple[str, ...]:
    """Cards by when they came to where they lie; of those taken together the played card first."""

    def arrival(card: int) -> tuple[int, bool, int]:
        ply = int(s["moved"][card]) - laid - 1
        played = 0 <= ply < len(s["actions"]) and s["actions"][ply] == card
        return int(s["moved"][card]), not played, card

    return pack.texts(sorted(members(cards), key=arrival))


def write_packets(
    s: Any, position: Position, table: Sequence[int], public: Sequence[int], laid: int, rules: Any, pack: Pack
) -> None:
    """Set the fields of `PACKET_FIELDS`, the deck, and how far the round has come.

    Args:
        s: the record, with the fields of `write_shared`.
        position: to be set up.
        table: cards that are neither in a hand or a pile nor in the stock.
        public: cards that all saw go under the deck.
        laid: as for `packet_fields`.
        rules: of the game.
        pack: how its cards are named.

    Raises:
        ValueError: swept cards or plays that cannot be.
    """
    hands, piles = [pack.parse_all(hand) for hand in position.hands], [pack.parse_all(pile) for pile in position.piles]
    held, won = joined(hands), joined(piles)
    stock = pack.parse_all(position.stock)
    dealt, under = swept_cards(public, stock, held, rules.barred, pack)
    plays = plays_in_order(position, rules, pack)
    gone = [*won, *table, *held, *under]
    deck = [*gone, *stock[: len(stock) - len(under)]]
    in_packet = rules.packet * rules.players
    s["deck"][:] = 0
    s["deck"][: len(deck)] = deck
    s["cursor"] = len(gone)
    s["ply"] = len(won) + len(table) - laid
    s["packet"] = (len(deck) - laid) // in_packet - 1 - len(stock) // in_packet
    s["swept"][:] = (dealt + under + [0] * MAX_SWEPT)[:MAX_SWEPT]
    s["swept_count"], s["swept_dealt"] = len(dealt + under), len(dealt)
    s["hands"][:], s["piles"][:] = 0, 0
    s["hands"][: rules.players] = [as_set(hand) for hand in hands]
    s["piles"][: rules.players] = [as_set(pile) for pile in piles]
    s["moved"][:] = 0
    for arrival, card in enumerate(won, 1):
        s["moved"][card] = arrival
    s["played"] = len(plays)
    s["plays"][:] = NOBODY
    s["plays"][: len(plays)] = plays
    s["last_capturer"] = NOBODY if position.last_capturer is None else position.last_capturer
    s["basras"][:] = 0
    s["basras"][: len(position.basras)] = position.basras


def joined(places: Sequence[Sequence[int]]) -> list[int]:
    """The cards of several places, one place after the other."""
    return [card for place in places for card in place]
