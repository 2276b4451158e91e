"""What every game asks of a `Position` that is set up by hand; each function raises ValueError with what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from basra_env.core.cards import Pack
from basra_env.core.match import count_sides
from basra_env.core.position import Position
from basra_env.core.spec import Spec

_LARGEST = 2**30
"""Of points and the like, which may be negative too."""


def check_types(position: Position, spec: Spec) -> None:
    """Every field is of its kind: cards are lists of texts, seats are seats of the game, numbers are whole."""
    seats = range(spec.players)
    for name in ("floor", "hidden", "stock", "named"):
        _check_each(name, getattr(position, name), _is_text, "a list of cards")
    for name in ("hands", "piles"):
        _check_each(name, getattr(position, name), lambda cards: _are(cards, _is_text), "a list of cards a seat")
    for name in ("trick", "plays"):
        _check_each(name, getattr(position, name), lambda play: _is_play(play, seats), "pairs of a seat and a card")
    _check_each("known", position.known, lambda each: _are(each, _is_known), "a list of (card, place) a seat")
    _check_each("swapped", position.swapped, lambda seat: _is_seat(seat, seats), "seats")
    for name in ("points", "scores", "basras", "basra_points"):
        _check_each(name, getattr(position, name), _is_number, "a whole number a side")
    _check_each("rounds", position.rounds, lambda each: _are(each, _is_number) and len(each) == spec.num_sides,
                f"{spec.num_sides} whole numbers a round")  # fmt: skip
    for name in ("to_play", "dealer", "last_capturer"):
        seat = getattr(position, name)
        if not _is_seat(seat, seats) and (seat is not None or name == "dealer"):
            raise ValueError(f"{name} is {seat!r}: seats are 0 to {spec.players - 1}")
    for name in ("trump", "pending"):
        if not isinstance(getattr(position, name), str | None):
            raise ValueError(f"{name} is {getattr(position, name)!r}: expected a card or None")
    if not _is_number(position.carry) or position.carry < 0:
        raise ValueError(f"carry is {position.carry!r}: expected a whole number, 0 or more")
    most = spec.layout["basras"].high if "basras" in spec.layout else 0
    if not all(0 <= number <= most for number in position.basras):
        raise ValueError(f"basras is {position.basras}: expected 0 to {most} for each side")
    if not position.round_over and not all(0 <= number <= spec.points_bound for number in position.points):
        raise ValueError(f"points is {position.points}: a round is worth 0 to {spec.points_bound}")
    if position.match_over and not position.round_over:
        raise ValueError("match_over is true and round_over is not: a match ends with a round")


def _check_each(name: str, value: Any, fits: Callable[[Any], bool], expected: str) -> None:
    if not _are(value, fits):
        raise ValueError(f"{name} is {value!r}: expected {expected}")


def _are(value: Any, fits: Callable[[Any], bool]) -> bool:
    return isinstance(value, tuple | list) and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool) and -_LARGEST <= value <= _LARGEST


def _is_seat(value: Any, seats: range) -> bool:
    return _is_number(value) and value in seats


def _is_play(value: Any, seats: range) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and _is_seat(value[0], seats) and _is_text(value[1])


def _is_known(value: Any) -> bool:
    return _are(value, _is_text) and len(value) == 2 and value[1] in ("stock", "hand", "pile")


def check_fields(position: Position, absent: Iterable[str]) -> None:
    """Fields that the game does not have must be empty."""
    foreign = [name for name in absent if getattr(position, name)]
    if foreign:
        raise ValueError(f"this game has no {', '.join(foreign)}")


def check_seats(position: Position, rules: Any) -> None:
    """Hands, piles, seats and sides are as many as the game has."""
    players, sides = rules.players, count_sides(rules)
    for name in ("points", "scores", "basras", "basra_points"):
        if len(getattr(position, name)) not in (0, sides):
            raise ValueError(f"{name} is {getattr(position, name)}: expected one for each of {sides} sides")
    for name in ("hands", "piles", "known"):
        if len(getattr(position, name)) != players and not (name == "known" and not position.known):
            raise ValueError(f"expected {name} of {players} seats, got {len(getattr(position, name))}")
    if (position.to_play is None) != position.round_over:
        raise ValueError("to_play is None exactly when the round is over")
    if position.round_over and any(position.hands):
        raise ValueError("the round is over: hands must be empty")


def check_stock_is_gone(position: Position) -> None:
    """Where a round ends with the last card of the stock none is left when it is over."""
    if position.round_over and position.stock:
        raise ValueError("the round is over: the stock must be empty")


def check_cards(every: Sequence[int], cards: Sequence[int], pack: Pack) -> None:
    """Each card in play lies in exactly one place."""
    if sorted(every) == list(cards):
        return
    twice = sorted({pack.text(card) for card in every if every.count(card) > 1})
    missing = [pack.text(card) for card in cards if card not in every]
    foreign = [pack.text(card) for card in every if card not in cards]
    raise ValueError(
        f"each card must lie in exactly one place; twice: {twice}, nowhere: {missing}, not in play: {foreign}"
    )


def check_turn(position: Position, rules: Any) -> None:
    """Hands are as large as they are in the middle of a packet, and the stock is whole packets."""
    check_stock_is_gone(position)
    if position.to_play is None:
        return
    players, eldest = rules.players, (position.dealer + 1) % rules.players
    sizes = [len(position.hands[(eldest + turn) % players]) for turn in range(players)]
    mover = (position.to_play - eldest) % players
    sizes[mover] += bool(position.pending)  # a pending card has left its hand already
    largest = sizes[mover]
    if not 1 <= largest <= rules.packet or sizes != [largest - (turn < mover) for turn in range(players)]:
        raise ValueError(f"hands of {sizes} cards from the eldest on do not fit seat {position.to_play} to play")
    if len(position.stock) % (rules.packet * players):
        raise ValueError(f"a stock of {len(position.stock)} cards is no whole number of packets")


def plays_in_order(position: Position, rules: Any, pack: Pack) -> list[int]:
    """Cards played in this packet, from the eldest on; those that the position does not tell are left out."""
    eldest = (position.dealer + 1) % rules.players
    made = rules.packet * rules.players - sum(map(len, position.hands))
    for turn, (player, _) in enumerate(position.plays):
        if player != (eldest + turn) % rules.players or turn >= made:
            raise ValueError(
                f"plays are {position.plays}: {made} plays were made in this packet, in turn from seat {eldest} on"
            )
    return pack.parse_all(card for _, card in position.plays)


def swept_cards(
    public: Sequence[int], stock: Sequence[int], held: Sequence[int], barred: int, pack: Pack
) -> tuple[list[int], list[int]]:
    """Of cards known to have been swept under the deck those dealt since, and those still under it.

    They are dealt last of all.
    """
    if len(set(public)) < len(public):
        raise ValueError(f"known tells {pack.texts(public)}: expected each card once")
    under = [card for card in stock if card in public]
    if under != list(stock[len(stock) - len(under) :]):
        raise ValueError("cards known to be under the deck must be the last of the stock")
    dealt = [card for card in public if card not in under]
    if dealt and len(under) < len(stock):
        raise ValueError(f"known says {pack.texts(dealt)} are dealt: cards swept under the deck are dealt last")
    for card in public:
        if not (barred >> card) & 1 or (card in dealt and card not in held):
            raise ValueError(
                f"known says {pack.text(card)}: only cards that were swept under the deck are, until they are played"
            )
    return dealt, under
