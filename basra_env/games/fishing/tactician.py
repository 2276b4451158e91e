"""The hand-written expert of the fishing family: what players say of good play, weighed against each other.

It weighs what a card takes now against what it leaves to the next player, who holds each unseen card with a chance that
is counted out: so it leaves no lone card that is still out, and no sum of ten or less while 7D is. A card more is worth
what it does to the race for the majority. Jacks wait for a full floor; near the end it takes last.
"""

from __future__ import annotations

from typing import Any

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.estimates import race_of, worth_in_race
from basra_env.core.jit import kernel
from basra_env.core.match import num_sides, pile_of_side, seat_after, side_of
from basra_env.core.packets import stock_size, swept_set
from basra_env.core.record import NOBODY
from basra_env.games.fishing.capture import captured, within_reach
from basra_env.games.fishing.choice import best_option, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.kernels import deck_size, legal
from basra_env.games.fishing.points import card_points
from basra_env.games.fishing.replies import expected_reply, gain
from basra_env.games.fishing.rules import Rules

WEIGHTS = (1.79, 1.10, 1.22, 2.41, 4.08, 1.17, 0.17, 0.40)
"""What the expert goes by, found by trying what wins most."""
REPLY, FOLLOW, KEEP_ONE, KEEP_TWO, KEEP_MORE, CARD, LAST, EMPTY = range(8)
"""The weights: of what the next player is expected to win; of what the own hand would win from what stays; points for
keeping a sweeper while one, two or more other cards are held; of a card in the race for the majority; of what lies on
the floor, for having captured last; points for leaving an empty floor."""


@kernel
def tactician(s: Any, rules: Rules, weights: tuple[float, ...]) -> int:
    """The action with the best outlook for the seat to play; of equals the lowest id."""
    seat = int(s["to_play"])
    follower = seat_after(seat, 1, rules.players)
    hand, floor, pending = int(s["hands"][seat]), int(s["floor"]), int(s["pending"])
    counts = count_values(floor)
    public = swept_set(s)
    unseen = rules.ranks & rules.suits & ~hand & ~floor & ~public
    for side in range(num_sides(rules)):
        unseen &= ~pile_of_side(s, side, rules)
    if pending != NOBODY:
        unseen &= ~(1 << pending)
    certain = int(s["hands"][follower]) & public
    held = popcount(int(s["hands"][follower]) & ~public)
    ahead, left_to_win = race_of(s, side_of(seat, rules), deck_size(rules), rules)
    card_worth = weights[CARD] * worth_in_race(ahead, left_to_win, rules.majority + int(s["carry"]))
    last_packet = stock_size(s, deck_size(rules)) == 0
    best_action = -1
    best = 0.0
    rest = legal(s, rules)
    while rest:
        action = lowest(rest)
        rest &= rest - 1
        if pending == NOBODY:
            card = action
            taken = captured(floor, counts, card, rules)
        else:
            card = pending
            reach = within_reach(floor, counts, card, rules)
            groups = summands(reach, card)
            taken = reach & ~groups | best_option(groups, int(s["named"]) | 1 << action, card >> 2)
        others = hand & ~(1 << card)
        stay = floor & ~taken if taken else floor | 1 << card
        worth = gain(floor, taken, card, card_worth, rules)
        if (rules.sweepers >> card) & 1:
            left = popcount(others)
            worth -= weights[KEEP_ONE] if left == 1 else weights[KEEP_TWO] if left == 2 else weights[KEEP_MORE]
        if last_packet and taken:
            worth += weights[LAST] * (card_points(stay) + card_worth * popcount(stay)) / (1 + popcount(others))
        if stay:
            worth -= weights[REPLY] * expected_reply(stay, unseen, certain, held, card_worth, weights[KEEP_ONE], rules)
            worth += weights[FOLLOW] * _best_follow(stay, others, card_worth, rules)
        else:
            worth += weights[EMPTY]
        if best_action < 0 or worth > best:
            best_action = action
            best = worth
    return best_action


@kernel
def _best_follow(stay: CardSet, others: CardSet, card_worth: float, rules: Rules) -> float:
    """The most that a card kept in hand would win if the floor stayed as it is."""
    counts = count_values(stay)
    best = 0.0
    while others:
        card = lowest(others)
        others &= others - 1
        best = max(best, gain(stay, within_reach(stay, counts, card, rules), card, card_worth, rules))
    return best
