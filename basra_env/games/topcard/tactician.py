"""The hand-written expert of the top-card family: what players say of good play, weighed against each other.

It weighs the pile that a card takes now against the pile that it leaves to the next player, who matches it, or takes it
with a jack, by a chance that is counted out from the ranks that are gone: so it lays a lone card of which none is out. A
jack waits for a pile that is worth it.
"""

from __future__ import annotations

from typing import Any

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.estimates import chance_of_any, race_of, worth_in_race
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side, seat_after, side_of
from basra_env.core.packets import stock_size, swept_set
from basra_env.games.topcard.kernels import (
    basra_value,
    card_points,
    deck_size,
    hidden_size,
    legal,
    table_set,
    takes,
    unknown_secret,
)
from basra_env.games.topcard.layout import is_last_card
from basra_env.games.topcard.rules import CAPTURES, JACK, JACKS, JOKER, Rules

WEIGHTS = (0.91, 0.69, 2.2, 2.6, 2.93, 1.98, 0.22, 1.11, 2.26)
"""What the expert goes by, found by trying what wins most."""
REPLY, FOLLOW, KEEP_ONE, KEEP_TWO, KEEP_MORE, CARD, LAST, TAKE, HIDDEN = range(9)
"""The weights: of what the next player is expected to win; of the pile that an own jack may take next; points for
keeping a jack that captures while one, two or more other cards are held; of a card in the race for the majority; of
having captured last, in the last packet; points for taking a pile besides what lies in it, since the next player must then
lay a lone card; points of a face-down card."""


@kernel
def tactician(s: Any, rules: Rules, weights: tuple[float, ...]) -> int:
    """The card with the best outlook for the seat to play; of equals the lowest id."""
    seat = int(s["to_play"])
    hand = int(s["hands"][seat])
    secret = unknown_secret(s, seat, rules)
    public = swept_set(s)
    gone = table_set(s)
    for side in range(num_sides(rules)):
        gone |= pile_of_side(s, side, rules)
    unseen = ((1 << deck_size(rules)) - 1) & ~(gone & ~secret) & ~hand & ~public
    ahead, left = race_of(s, side_of(seat, rules), deck_size(rules), rules)
    card_worth = weights[CARD] * worth_in_race(ahead, left, rules.majority)
    best_card = -1
    best = 0.0
    rest = legal(s, rules)
    while rest:
        card = lowest(rest)
        rest &= rest - 1
        worth = _outlook(s, seat, card, secret, unseen, public, card_worth, rules, weights)
        if best_card < 0 or worth > best:
            best_card = card
            best = worth
    return best_card


@kernel
def _outlook(
    s: Any,
    seat: int,
    card: int,
    secret: CardSet,
    unseen: CardSet,
    public: CardSet,
    card_worth: float,
    rules: Rules,
    weights: tuple[float, ...],
) -> float:
    """What `card` is expected to bring, in points."""
    others = int(s["hands"][seat]) & ~(1 << card)
    size = int(s["table_size"])
    captures = (JACKS >> card) & 1 and rules.jack == CAPTURES
    left = popcount(others)
    cost = 0.0
    if captures:
        cost = weights[KEEP_ONE] if left == 1 else weights[KEEP_TWO] if left == 2 else weights[KEEP_MORE]
    pile = (
        card_points(table_set(s) & ~secret | 1 << card, rules)
        + card_worth * (size + 1)
        + weights[HIDDEN] * hidden_size(s)
        + weights[TAKE]
    )
    if stock_size(s, deck_size(rules)) == 0:
        pile += weights[LAST] * (1 + rules.last_capture) / (1 + left)
    if takes(s, card, rules):
        return pile + basra_value(s, card, is_last_card(s, rules), rules) - cost
    follower = seat_after(seat, 1, rules.players)
    held = popcount(int(s["hands"][follower]) & ~public)
    certain = int(s["hands"][follower]) & public
    matching = (15 << (card & ~3)) & (unseen | certain)
    matched = 1.0 if matching & certain else chance_of_any(matching, unseen, held)
    jacks = 0.0
    if rules.jack == CAPTURES and size > 0 and card >> 2 != JACK:
        taking = JACKS & (unseen | certain)
        jacks = 1.0 if taking & certain else chance_of_any(taking, unseen, held)
    lone = 0
    if size == 0:
        lone = rules.joker_on_joker if card >> 2 == JOKER else rules.jack_on_jack if card >> 2 == JACK else rules.basra
    ruffed = (1.0 - matched) * jacks * max(pile - weights[KEEP_ONE], 0.0)
    own_jack = rules.jack == CAPTURES and others & JACKS
    follow = weights[FOLLOW] * (1.0 - matched) * (1.0 - jacks) * pile if own_jack else 0.0
    return follow - weights[REPLY] * (matched * (pile + lone) + ruffed) - cost
