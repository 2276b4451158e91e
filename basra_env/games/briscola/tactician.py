"""The hand-written expert of Briscola: what players say of good play, weighed against each other.

It weighs a trick by what those who still play to it will do at their best with the cards they may hold: so it leads
blanks, keeps aces and threes from being ruffed, ruffs for points only, and loads a trick of the partner's. Trumps and loads are
worth something in hand; so is it to lose the trick after which the face-up trump is drawn.
"""

from __future__ import annotations

from typing import Any

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.estimates import chance_of_being_best
from basra_env.core.jit import kernel
from basra_env.core.match import seat_after, side_of
from basra_env.games.briscola.kernels import beats, legal, stock_size, trick_points, unseen_by, winning_seat
from basra_env.games.briscola.rules import CARDS, POINTS, STRENGTH, Rules

WEIGHTS = (5.42, 0.87, 0.22, 4.32, 0.08, 1.31, 0.81)
"""What the expert goes by, found by trying what wins most."""
TRUMP, TRUMP_STRENGTH, PLAIN_STRENGTH, LOAD, LEAD, LAST, FACE_UP = range(7)
"""The weights: points that a trump is worth in hand, and more for each step of its strength; for each step of another
card's; points that an ace or three of another suit is worth in hand; points for leading to the next trick; the share of
all these that is left when the stock is gone; the share of the face-up trump's worth that counts when it is drawn next."""


@kernel
def tactician(s: Any, rules: Rules, weights: tuple[float, ...]) -> int:
    """The action with the best outlook for the seat to play; of equals the lowest id."""
    seat = int(s["to_play"])
    unseen = unseen_by(s, seat, rules)
    best_action = -1
    best = 0.0
    rest = legal(s, rules)
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        if action < CARDS:
            worth = _outlook(s, seat, action, unseen, rules, weights)
        else:  # an exchange for a higher trump is always welcome
            low = 0 if action > CARDS else STRENGTH[6]
            worth = 1000.0 if STRENGTH[int(s["face_up"]) >> 2] > low else -1000.0
        if best_action < 0 or worth > best:
            best_action = action
            best = worth
    return best_action


@kernel
def _outlook(s: Any, seat: int, card: int, unseen: CardSet, rules: Rules, weights: tuple[float, ...]) -> float:
    """What `card` is expected to bring, in points, less what it is worth in hand."""
    trump = int(s["trump"])
    size = int(s["trick_size"])
    own = side_of(seat, rules)
    holder = winning_seat(s, rules)
    best = card
    ours = True
    if size:
        lying = int(s["trick"][0])
        for place in range(1, size):
            if beats(int(s["trick"][place]), lying, trump):
                lying = int(s["trick"][place])
        if not beats(card, lying, trump):
            best = lying
            ours = side_of(holder, rules) == own
    pot = trick_points(s) + int(POINTS[card >> 2])
    # Those who could still take the trick from the side that holds it: how many cards they have, and which of them are known.
    to_come = 0
    shown = 0
    other = seat
    for _ in range(rules.players - size - 1):
        other = seat_after(other, 1, rules.players)
        if (side_of(other, rules) == own) != ours:
            to_come += popcount(int(s["hands"][other]) & ~int(s["shown"]))
            shown |= int(s["hands"][other]) & int(s["shown"])
    kept = _kept(s, card, weights)
    prize = _prize(s, rules, weights)
    if to_come == 0 and shown == 0:
        return (pot + prize if ours else -pot - prize) - kept
    reply = _best_reply(s, best, pot, prize, unseen, shown, to_come, weights)
    return (-reply if ours else reply) - kept


@kernel
def _prize(s: Any, rules: Rules, weights: tuple[float, ...]) -> float:
    """What winning the trick is worth besides its points: the lead, less the face-up trump where the last to draw gets it."""
    if stock_size(s) != rules.players:
        return weights[LEAD]
    return weights[LEAD] - weights[FACE_UP] * _in_hand(int(s["face_up"]), int(s["trump"]), weights)


@kernel
def _best_reply(
    s: Any, best: int, pot: int, prize: float, unseen: CardSet, shown: CardSet, held: int, weights: tuple[float, ...]
) -> float:
    """What those still to play are expected to make of the trick: the best of the cards they may hold, by its chance."""
    trump = int(s["trump"])
    known = -1000.0
    while shown:
        known = max(known, _made_of(s, lowest(shown), best, pot, prize, trump, weights))
        shown &= shown - 1
    if held == 0:
        return known
    size = popcount(unseen)
    held = min(held, size)
    total = 0.0
    rest = unseen
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = _made_of(s, card, best, pot, prize, trump, weights)
        lower = 0
        others = unseen & ~(1 << card)
        while others:
            another = lowest(others)
            others &= others - 1
            rival = _made_of(s, another, best, pot, prize, trump, weights)
            lower += rival < worth or (rival == worth and another < card)
        total += chance_of_being_best(lower, size, held) * max(worth, known)
    return total


@kernel
def _made_of(s: Any, card: int, best: int, pot: int, prize: float, trump: int, weights: tuple[float, ...]) -> float:
    """What `card`, played on `best`, makes of the trick for the side that plays it, less what it is worth in hand."""
    points = pot + int(POINTS[card >> 2]) + prize
    return (points if beats(card, best, trump) else -points) - _kept(s, card, weights)


@kernel
def _kept(s: Any, card: int, weights: tuple[float, ...]) -> float:
    """What a card is worth in hand now."""
    worth = _in_hand(card, int(s["trump"]), weights)
    return worth if stock_size(s) else weights[LAST] * worth


@kernel
def _in_hand(card: int, trump: int, weights: tuple[float, ...]) -> float:
    """What a card is worth in hand while there is a stock, in points."""
    strength = int(STRENGTH[card >> 2])
    if card & 3 == trump & 3:
        return weights[TRUMP] + weights[TRUMP_STRENGTH] * strength
    return weights[PLAIN_STRENGTH] * strength + (weights[LOAD] if POINTS[card >> 2] >= 10 else 0.0)
