"""How a round of a fishing game runs (rules.md, section 2): deal, apply, legal and resample over one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, nth_card, popcount
from basra_env.core.chance import below, shuffle
from basra_env.core.jit import kernel
from basra_env.core.match import finish_round, num_sides, pile_of_side, seat_after, side_of
from basra_env.core.packets import (
    LEFTOVER,
    PACKET_FIELDS,
    clear_packets,
    clear_plays,
    deal_hands,
    draw,
    note_play,
    stock_size,
    sweep_under,
    swept_set,
)
from basra_env.core.record import CHANCE, NOBODY, record_dtype
from basra_env.games.fishing.capture import captured, capturing_ranks, cards_of_ranks, within_reach
from basra_env.games.fishing.choice import in_some_option, nameable, overlap, summands
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.points import basra_points, card_points
from basra_env.games.fishing.rules import CARDS, CHOOSE, EACH, HAND, VOID, Rules, basras_differ

MAX_PLIES = 52 + 36
"""Every card is played once at most, and every card of a value below ten named once at most: naming it takes it."""

RECORD = record_dtype(
    CARDS,
    MAX_PLIES,
    [
        *PACKET_FIELDS,
        ("floor", np.int64, ()),
        ("basra_points", np.int32, (4,)),  # of each side in this round
        ("named", np.int64, ()),  # floor cards named so far in a choice
        ("pending", np.int8, ()),  # the card whose capture is being chosen, or NOBODY
        ("moved", np.uint8, (CARDS,)),  # when each card came to where it lies: on the first floor, then by ply
        ("cannot_hold", np.uint16, (4,)),  # `capturing_ranks` that each seat has shown not to hold, in this packet
    ],
)


worth_differs = kernel(basras_differ)


@kernel
def deck_size(rules: Rules) -> int:
    """`count_cards`, for kernels."""
    return popcount(rules.ranks & rules.suits)


@kernel
def deal(s: Any, rules: Rules) -> None:
    """Deal the first packet and the first floor of a round, or the next packet."""
    first = s["cursor"] == 0
    if first:
        _clear(s)
    else:
        s["packet"] += 1
        clear_plays(s)
    _clear_shown(s)
    size = deck_size(rules)
    deal_hands(s, size, rules)
    if first:
        _turn_first_floor(s, size, rules)
    s["to_play"] = seat_after(int(s["dealer"]), 1, rules.players)


@kernel
def apply(s: Any, action: int, rules: Rules) -> None:
    """Play the card `action` for the seat to play, or name it in a choice; at the end of the round score it."""
    seat = int(s["to_play"])
    floor = int(s["floor"])
    if s["pending"] != NOBODY:
        s["named"] |= 1 << action
        card = int(s["pending"])
        reach = within_reach(floor, count_values(floor), card, rules)
        groups = summands(reach, card)
        named = int(s["named"])
        if nameable(groups, named, card >> 2):
            return
        # One option is left: it holds every card of the values of which it holds more than was named.
        taken = reach & ~groups | named | groups & in_some_option(groups, named, card >> 2)
        s["pending"] = NOBODY
        s["named"] = 0
        _take(s, seat, card, taken, rules)
        _pass_on(s, seat, rules)
        return
    note_play(s, seat, action)
    s["moved"][action] = rules.first_floor + int(s["ply"])  # the driver has counted this ply
    counts = count_values(floor)
    if rules.capture == CHOOSE and overlap(within_reach(floor, counts, action, rules), action, rules):
        s["pending"] = action
        return
    taken = captured(floor, counts, action, rules)
    if taken:
        _take(s, seat, action, taken, rules)
    else:
        s["floor"] = floor | 1 << action
        if rules.must_capture == HAND:
            s["cannot_hold"][seat] |= capturing_ranks(floor, counts)
    _pass_on(s, seat, rules)


@kernel
def legal(s: Any, rules: Rules) -> CardSet:
    """Any card of the hand, or by `must_capture` any that captures; in a choice the cards that may be named."""
    if s["to_play"] < 0:
        return 0
    if s["pending"] != NOBODY:
        return choices(s, rules)
    hand = int(s["hands"][s["to_play"]])
    return _obliged(hand, int(s["floor"]), rules) if rules.must_capture == HAND else hand


@kernel
def _obliged(hand: CardSet, floor: CardSet, rules: Rules) -> CardSet:
    """The cards of `hand` that capture; all where none does."""
    capturing = hand & cards_of_ranks(capturing_ranks(floor, count_values(floor)), rules)
    return capturing or hand


@kernel
def all_known(s: Any, rules: Rules) -> bool:
    """True for two seats in the last packet: what neither saw the other holds."""
    return rules.players == 2 and stock_size(s, deck_size(rules)) == 0


@kernel
def choices(s: Any, rules: Rules) -> CardSet:
    """Floor cards that may be named for the pending card."""
    card = int(s["pending"])
    floor = int(s["floor"])
    groups = summands(within_reach(floor, count_values(floor), card, rules), card)
    return nameable(groups, int(s["named"]), card >> 2)


@kernel
def _take(s: Any, seat: int, card: int, taken: CardSet, rules: Rules) -> None:
    """`card`, which `seat` played, takes `taken`."""
    floor = int(s["floor"])
    side = side_of(seat, rules)
    gained = taken | 1 << card
    basra = basra_points(floor, taken, card, rules)
    s["piles"][seat] |= gained
    s["floor"] = floor & ~taken
    s["points"][side] += basra + card_points(gained)
    s["basras"][side] += basra > 0
    s["basra_points"][side] += basra
    s["last_capturer"] = seat
    now = s["moved"][card]
    while taken:
        s["moved"][lowest(taken)] = now
        taken &= taken - 1


@kernel
def _pass_on(s: Any, seat: int, rules: Rules) -> None:
    """The next seat is to play, or the next packet is dealt, or the round is over."""
    following = seat_after(seat, 1, rules.players)
    if s["hands"][following]:  # hands are equal at the start of a packet, so the next seat runs out last
        s["to_play"] = following
    elif stock_size(s, deck_size(rules)):
        s["to_play"] = CHANCE
    else:
        _count_round(s, rules)
        _clear_shown(s)
        finish_round(s, rules)


@kernel
def _clear_shown(s: Any) -> None:
    """Hands are empty: what each cannot hold is forgotten."""
    for seat in range(4):
        s["cannot_hold"][seat] = 0


@kernel
def resample(s: Any, seat: int, rules: Rules, rng: np.ndarray, scratch: np.ndarray) -> None:
    """Deal anew what `seat` has not seen: the other hands and the stock, but not the swept cards, which all saw.

    A seat that had to capture and did not holds no card that could have. The deck is dealt anew in the places those
    cards came from, so that it stays the deck of the game as imagined.
    """
    size = deck_size(rules)
    cursor = int(s["cursor"])
    public = swept_set(s)
    unseen = 0
    for place in range(cursor, size):
        unseen |= 1 << int(s["deck"][place])
    for other in range(rules.players):
        if other != seat:
            unseen |= int(s["hands"][other]) & ~public
    before_0, before_1 = int(s["hands"][0]), int(s["hands"][1])
    before_2, before_3 = int(s["hands"][2]), int(s["hands"][3])
    while not _deal_hands(s, seat, unseen, public, rules, rng):
        s["hands"][0], s["hands"][1], s["hands"][2], s["hands"][3] = before_0, before_1, before_2, before_3
    rest = unseen
    for other in range(rules.players):
        if other != seat:
            rest &= ~int(s["hands"][other])
    stock = scratch[0]
    for place in range(size - cursor):
        stock[place] = lowest(rest)
        rest &= rest - 1
    shuffle(rng, stock, size - cursor)
    for place in range(size - cursor):
        s["deck"][cursor + place] = stock[place]
    new_0, new_1 = int(s["hands"][0]) & ~public, int(s["hands"][1]) & ~public
    new_2, new_3 = int(s["hands"][2]) & ~public, int(s["hands"][3]) & ~public
    for place in range(cursor):
        card = int(s["deck"][place])
        if not (unseen >> card) & 1:
            continue
        if (before_0 >> card) & 1:
            s["deck"][place] = lowest(new_0)
            new_0 &= new_0 - 1
        elif (before_1 >> card) & 1:
            s["deck"][place] = lowest(new_1)
            new_1 &= new_1 - 1
        elif (before_2 >> card) & 1:
            s["deck"][place] = lowest(new_2)
            new_2 &= new_2 - 1
        else:
            s["deck"][place] = lowest(new_3)
            new_3 &= new_3 - 1


@kernel
def _deal_hands(s: Any, seat: int, unseen: CardSet, public: CardSet, rules: Rules, rng: np.ndarray) -> bool:
    """Give each other seat as many unseen cards as it holds, none that it cannot hold; False: to be tried again.

    A seat that could choose among more cards is dealt to in so many more ways. A try is kept with a chance in that
    proportion, so that all ways to deal come out equally often.
    """
    free = unseen
    dealt = 0
    for other in range(rules.players):
        if other == seat:
            continue
        count = popcount(int(s["hands"][other]) & ~public)
        possible = unseen & ~cards_of_ranks(int(s["cannot_hold"][other]), rules)
        most = min(popcount(possible), popcount(unseen) - dealt)
        s["hands"][other] &= public
        possible &= free
        for nth in range(count):
            left = popcount(possible)
            if below(rng, most - nth) >= left:
                return False
            card = 1 << nth_card(possible, below(rng, left))
            s["hands"][other] |= card
            possible &= ~card
            free &= ~card
        dealt += count
    return True


@kernel
def _clear(s: Any) -> None:
    """An empty table before a round."""
    clear_packets(s, MAX_PLIES, CARDS)
    s["floor"] = 0
    s["named"] = 0
    s["pending"] = NOBODY
    for side in range(4):
        s["basra_points"][side] = 0


@kernel
def _turn_first_floor(s: Any, size: int, rules: Rules) -> None:
    """Turn cards one at a time; one that may not lie there goes under the deck, until enough lie."""
    lying = 0
    while lying < rules.first_floor:
        card = draw(s, size)
        if (rules.barred >> card) & 1:
            sweep_under(s, card)
        else:
            lying += 1
            s["floor"] |= 1 << card
            s["moved"][card] = lying


@kernel
def _count_round(s: Any, rules: Rules) -> None:
    """Leftovers to the last capturer; the majority to whoever has most cards, or as `majority_tied` says."""
    last = int(s["last_capturer"])
    if last != NOBODY:
        leftovers = int(s["floor"])
        s["piles"][last] |= leftovers
        s["points"][side_of(last, rules)] += card_points(leftovers)
        s["floor"] = 0
        while leftovers:
            s["moved"][lowest(leftovers)] += LEFTOVER
            leftovers &= leftovers - 1
    most = -1
    holders = 0
    for side in range(num_sides(rules)):
        won = popcount(pile_of_side(s, side, rules))
        if won > most:
            most = won
            holders = 1
        elif won == most:
            holders += 1
    if holders == 1 or rules.majority_tied == EACH:
        for side in range(num_sides(rules)):
            if popcount(pile_of_side(s, side, rules)) == most:
                s["points"][side] += rules.majority + int(s["carry"])
        s["carry"] = 0
    else:
        s["carry"] += rules.majority
        if rules.majority_tied == VOID:
            for side in range(num_sides(rules)):
                s["points"][side] = 0
