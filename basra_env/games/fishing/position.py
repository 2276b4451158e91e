"""A fishing game's record as a `Position`, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from basra_env.core.cards import FRENCH, as_set, members
from basra_env.core.match import num_sides
from basra_env.core.position import Position
from basra_env.core.record import NOBODY, TERMINAL
from basra_env.games.fishing.capture import card_points
from basra_env.games.fishing.kernels import MAX_PLIES, pile_of_side
from basra_env.games.fishing.rules import CARDS, HAND, Rules


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    """Everything about one game.

    Args:
        s: its record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    seats = range(rules.players)
    sides = range(num_sides(rules))
    stock = [*s["deck"][s["cursor"] :], *s["swept"][s["swept_dealt"] : s["swept_count"]]]
    eldest = (int(s["dealer"]) + 1) % rules.players
    played = enumerate(s["actions"][s["packet_start"] : s["ply"]])
    held = sum(int(hand) for hand in s["hands"])
    known = [
        (FRENCH.text(card), "hand" if (held >> card) & 1 else "stock")
        for card in map(int, s["swept"][: s["swept_count"]])
        if (held >> card) & 1 or card in stock
    ]
    return Position(
        hands=tuple(FRENCH.texts(members(s["hands"][seat])) for seat in seats),
        floor=_in_order(s, s["floor"]),
        piles=tuple(_in_order(s, s["piles"][seat]) for seat in seats),
        stock=FRENCH.texts(stock),
        plays=tuple(((eldest + turn) % rules.players, FRENCH.text(card)) for turn, card in played if card >= 0),
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


def _in_order(s: Any, cards: int) -> tuple[str, ...]:
    """Cards by when they came there; of those taken together the played card first."""

    def arrival(card: int) -> tuple[int, bool, int]:
        ply = int(s["moved"][card]) - 5
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
    _check(position, hands, [*floor, *_joined(piles), *_joined(hands), *stock], rules)
    public = [FRENCH.parse(card) for card, _ in position.known[0]] if position.known else []
    under = [card for card in stock if card in public]
    if under != stock[len(stock) - len(under) :]:
        raise ValueError("cards known to be under the deck must be the last of the stock")
    dealt = [card for card in public if card not in under]
    for card in public:
        if not (rules.barred >> card) & 1 or (card in dealt and card not in _joined(hands)):
            raise ValueError(
                f"known says {FRENCH.text(card)}: only cards that were swept under the deck are, until they are played"
            )
    deck = stock[: len(stock) - len(under)]
    gone = [*_joined(piles), *floor, *_joined(hands), *under]

    s["deck"][:] = [*gone, *deck]
    s["cursor"] = len(gone)
    s["swept"][:] = (dealt + under + [0] * 8)[:8]
    s["swept_count"], s["swept_dealt"] = len(dealt + under), len(dealt)
    s["hands"][:], s["piles"][:] = 0, 0
    s["hands"][: rules.players] = [as_set(hand) for hand in hands]
    s["piles"][: rules.players] = [as_set(pile) for pile in piles]
    s["floor"] = as_set(floor)
    s["moved"][:] = 0
    for arrival, card in enumerate([*_joined(piles), *floor], 1):
        s["moved"][card] = arrival
    ply = len(floor) + sum(map(len, piles)) - HAND
    in_packet = HAND * rules.players - sum(map(len, hands))
    s["ply"], s["packet_start"] = ply, ply - in_packet
    s["packet"] = ply // (HAND * rules.players) - (ply == MAX_PLIES)
    s["actions"][:] = NOBODY
    eldest = (position.dealer + 1) % rules.players
    for player, played in position.plays:
        turns = [
            t
            for t in range(in_packet)
            if (eldest + t) % rules.players == player and s["actions"][ply - in_packet + t] < 0
        ]
        if not turns:
            raise ValueError(f"seat {player} has not made so many plays in this packet: {position.plays}")
        s["actions"][ply - in_packet + turns[0]] = FRENCH.parse(played)
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


def _ids(cards: Iterable[str]) -> list[int]:
    return FRENCH.parse_all(cards)


def _joined(places: list[list[int]]) -> list[int]:
    return [card for place in places for card in place]


def _check(position: Position, hands: list[list[int]], every: list[int], rules: Rules) -> None:
    foreign = [name for name in ("hidden", "trump", "trick", "pending", "named") if getattr(position, name)]
    if foreign:
        raise ValueError(f"this game has no {', '.join(foreign)}")
    for name in ("points", "scores", "basras"):
        if len(getattr(position, name)) not in (0, num_sides(rules)):
            raise ValueError(f"{name} is {getattr(position, name)}: expected one for each of {num_sides(rules)} sides")
    if any(tuple(seen) != tuple(position.known[0]) for seen in position.known):
        raise ValueError("all seats know the same cards: they saw them go under the deck")
    if position.round_over and (_joined(hands) or position.stock):
        raise ValueError("the round is over: hands and stock must be empty")
    if sorted(every) != list(range(CARDS)):
        twice = sorted({FRENCH.text(card) for card in every if every.count(card) > 1})
        missing = [FRENCH.text(card) for card in range(CARDS) if card not in every]
        raise ValueError(f"each card must lie in exactly one place; twice: {twice}, nowhere: {missing}")
    if len(hands) != rules.players or len(position.piles) != rules.players:
        raise ValueError(
            f"expected hands and piles of {rules.players} seats, got {len(hands)} and {len(position.piles)}"
        )
    for name, seat in (
        ("to_play", position.to_play),
        ("dealer", position.dealer),
        ("last_capturer", position.last_capturer),
    ):
        if seat is not None and not 0 <= seat < rules.players:
            raise ValueError(f"{name} is {seat}: seats are 0 to {rules.players - 1}")
    if (position.to_play is None) != position.round_over:
        raise ValueError("to_play is None exactly when the round is over")
    if position.to_play is not None:
        eldest = (position.dealer + 1) % rules.players
        sizes = [len(hands[(eldest + turn) % rules.players]) for turn in range(rules.players)]
        mover = (position.to_play - eldest) % rules.players
        largest = sizes[mover]
        if not 1 <= largest <= HAND or sizes != [largest - (turn < mover) for turn in range(rules.players)]:
            raise ValueError(f"hands of {sizes} cards from the eldest on do not fit seat {position.to_play} to play")
        if len(position.stock) % (HAND * rules.players):
            raise ValueError(f"a stock of {len(position.stock)} cards is no whole number of packets")
