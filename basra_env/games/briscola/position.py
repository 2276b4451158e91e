"""A game of Briscola's record as a `Position`, and back."""

from __future__ import annotations

from typing import Any

from basra_env.core.cards import as_set, members
from basra_env.core.match import count_sides
from basra_env.core.position import Position
from basra_env.core.position_checks import check_cards, check_fields, check_seats, check_stock_is_gone
from basra_env.core.position_records import joined, shared_fields, write_shared
from basra_env.core.record import NOBODY
from basra_env.games.briscola.kernels import would_beat
from basra_env.games.briscola.rules import CARDS, HAND, OFF, PACK, POINTS, Rules


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    """Everything about one game.

    Args:
        s: its record.
        rounds: points a side in each finished round.
        rules: of the game.
    """
    seats = range(rules.players)
    leader = int(s["leader"])
    face_up = [int(s["face_up"])] if s["face_up"] != NOBODY else []
    plays = sorted(
        (int(number), (int(s["played_by"][card]) - _led(s, int(number), rules)) % rules.players, card)
        for card, number in enumerate(s["played_in"])
        if number
    )
    order = {card: nth for nth, (_, _, card) in enumerate(plays)}  # empty where the plays were not told
    return Position(
        hands=tuple(PACK.texts(members(s["hands"][seat])) for seat in seats),
        floor=(),
        piles=tuple(
            PACK.texts(sorted(members(s["piles"][seat]), key=lambda card: order.get(card, card))) for seat in seats
        ),
        stock=PACK.texts([*s["deck"][s["cursor"] :], *face_up]),
        trump=PACK.text(s["trump"]),
        trick=tuple(
            ((leader + place) % rules.players, PACK.text(card))
            for place, card in enumerate(s["trick"][: s["trick_size"]])
        ),
        plays=tuple((int(s["played_by"][card]), PACK.text(card)) for _, _, card in plays),
        known=tuple(tuple((PACK.text(card), "hand") for card in members(s["shown"])) for _ in seats),
        swapped=tuple(seat for seat in seats if (int(s["swapped"]) >> seat) & 1),
        **shared_fields(s, rounds, rules),
    )


def _led(s: Any, number: int, rules: Rules) -> int:
    """Who led to a trick: the eldest, or the seat in whose pile the trick before lies."""
    if number > int(s["tricks"]):
        return int(s["leader"])
    before = [card for card in range(CARDS) if s["played_in"][card] == number - 1]
    for seat in range(rules.players):
        if before and (int(s["piles"][seat]) >> before[0]) & 1:
            return seat
    return (int(s["dealer"]) + 1) % rules.players


def write_position(s: Any, position: Position, rules: Rules) -> None:
    """Set up the game of `position` in the record `s`, whose generator, scores and match flag stay as they are.

    Raises:
        ValueError: cards missing or in two places, hands that no deal gives, a seat that does not exist.
    """
    check_fields(position, ("floor", "hidden", "pending", "named", "carry", "basras", "basra_points", "last_capturer"))
    check_seats(position, rules)
    hands, piles = [PACK.parse_all(hand) for hand in position.hands], [PACK.parse_all(pile) for pile in position.piles]
    stock, trick = PACK.parse_all(position.stock), PACK.parse_all(card for _, card in position.trick)
    held, won = joined(hands), joined(piles)
    check_cards([*held, *won, *trick, *stock], range(CARDS), PACK)
    if position.trump is None:
        raise ValueError("trump is None: Briscola needs the card that was turned up")
    trump = PACK.parse(position.trump)
    leader = _checked_turn(position, hands, stock, trick, trump, rules)
    shown = [PACK.parse(card) for card, _ in position.known[0]] if position.known else []
    if any(tuple(seen) != tuple(position.known[0]) for seen in position.known) or not set(shown) <= set(held):
        raise ValueError("known are cards in hands that all have seen: drawn face up, or taken up by an exchange")
    plays = [(seat, PACK.parse(card)) for seat, card in position.plays]
    _check_plays(position, plays, piles, trick, trump, rules)

    points = [0] * count_sides(rules)
    for seat, pile in enumerate(piles):
        points[seat % len(points)] += sum(int(POINTS[card >> 2]) for card in pile)
    if position.points and list(position.points) != points:
        raise ValueError(f"points is {position.points}: the piles hold {points}")

    write_shared(s, position)
    s["points"][: len(points)] = points
    face_up = stock[-1] if stock else NOBODY
    s["deck"][:] = [*won, *trick, *held, *([face_up] if stock else []), *stock[:-1]]
    s["cursor"] = CARDS - len(stock[:-1])
    s["hands"][:], s["piles"][:] = 0, 0
    s["hands"][: rules.players] = [as_set(hand) for hand in hands]
    s["piles"][: rules.players] = [as_set(pile) for pile in piles]
    s["shown"] = as_set(shown)
    s["trick"][:] = NOBODY
    s["trick"][: len(trick)] = trick
    s["trick_size"] = len(trick)
    s["leader"] = leader
    s["tricks"] = len(won) // rules.players
    s["trump"] = trump
    s["face_up"] = face_up
    s["swapped"] = as_set(position.swapped)
    s["played_in"][:], s["played_by"][:] = 0, NOBODY
    for nth, (seat, card) in enumerate(plays):
        s["played_in"][card], s["played_by"][card] = nth // rules.players + 1, seat
    s["ply"] = len(won) + len(trick)


def _check_plays(
    position: Position, plays: list[tuple[int, int]], piles: list[list[int]], trick: list[int], trump: int, rules: Rules
) -> None:
    """Plays are told of all cards in piles and trick or of none, in turn, and each trick lies in its winner's pile."""
    if not plays:
        return
    if sorted(card for _, card in plays) != sorted([*joined(piles), *trick]):
        raise ValueError("plays tells all cards in piles and trick in the order played, or none")
    leader = (position.dealer + 1) % rules.players
    for start in range(0, len(plays), rules.players):
        cards = plays[start : start + rules.players]
        if [seat for seat, _ in cards] != [(leader + turn) % rules.players for turn in range(len(cards))]:
            raise ValueError(f"plays is {position.plays}: from play {start} on seat {leader} leads, the others in turn")
        if len(cards) < rules.players:
            break
        best = cards[0]
        for play in cards[1:]:
            best = play if would_beat(play[1], best[1], trump) else best
        leader = best[0]
        if not {card for _, card in cards} <= set(piles[leader]):
            raise ValueError(
                f"plays is {position.plays}: the trick from play {start} on belongs in the pile of seat {leader}"
            )


def _checked_turn(
    position: Position, hands: list[list[int]], stock: list[int], trick: list[int], trump: int, rules: Rules
) -> int:
    """Who leads to the trick, after looking whether hands, trick, stock and turn fit together."""
    check_stock_is_gone(position)
    players = rules.players
    if len(stock) % players or len(stock) > CARDS - HAND * players:
        raise ValueError(f"a stock of {len(stock)} cards cannot be drawn by {players} seats in turn")
    if stock and stock[-1] & 3 != trump & 3:
        raise ValueError(f"the last card of the stock is {PACK.text(stock[-1])}: the face-up trump lies there")
    if position.swapped and (rules.exchange == OFF or not stock):
        raise ValueError(f"swapped is {position.swapped}: nobody can have exchanged")
    if position.to_play is None:
        last = position.plays[-1][1] if position.plays else None
        return next((seat for seat in range(players) if last in position.piles[seat]), (position.dealer + 1) % players)
    leader = position.trick[0][0] if trick else position.to_play
    turns = [(leader + turn) % players for turn in range(players)]
    if [seat for seat, _ in position.trick] != turns[: len(trick)] or position.to_play != turns[len(trick) % players]:
        raise ValueError(f"trick is {position.trick}: seat {position.to_play} cannot be to play")
    sizes = [len(hands[seat]) for seat in turns]
    largest = sizes[-1]
    if sizes != [largest - (turn < len(trick)) for turn in range(players)] or not 1 <= largest <= HAND:
        raise ValueError(f"hands of {sizes} cards from seat {leader} on do not fit a trick of {len(trick)}")
    if stock and largest != HAND:
        raise ValueError(f"hands of {largest} cards with {len(stock)} in the stock: three are held until it is gone")
    return leader
