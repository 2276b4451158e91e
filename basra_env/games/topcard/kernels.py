"""How a round of a top-card game runs (rules.md, section 3): deal, apply, legal and resample over one record."""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.cards import as_set
from basra_env.core.chance import shuffle
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
from basra_env.core.unseen import deal_back, gather_unseen
from basra_env.games.topcard.rules import CAPTURES, CARDS, JACK, JACKS, JOKER, PACK, Rules, count_cards

MAX_PLIES = CARDS - 1

_ACES = as_set(range(4))
_TWO_OF_CLUBS = as_set([PACK.parse("2C")])
_TEN_OF_DIAMONDS = as_set([PACK.parse("TD")])
_JOKERS = as_set(PACK.parse_all(["X1", "X2"]))

RECORD = record_dtype(
    CARDS,
    MAX_PLIES,
    [
        *PACKET_FIELDS,
        ("secret", np.int64, ()),  # the cards that lay face down at the start
        ("secret_holder", np.int8, ()),  # the seat that took them; NOBODY while they lie there
        ("table", np.int8, (CARDS,)),  # bottom to top, those face down first
        ("table_size", np.uint8, ()),
        ("moved", np.uint8, (CARDS,)),  # when each card came to the pile where it lies: first table cards, then by ply
        ("basra_points", np.int32, (4,)),  # of each side in this round
    ],
)


deck_size = kernel(count_cards)


@kernel
def deal(s: Any, rules: Rules) -> None:
    """Deal the first packet and the table of a round, or the next packet; a round that calls for it is dealt afresh."""
    first = s["cursor"] == 0
    if first:
        _clear(s)
    else:
        s["packet"] += 1
        clear_plays(s)
    size = deck_size(rules)
    deal_hands(s, size, rules)
    if first:
        for seat in range(rules.players):
            if rules.redeal and most_of_a_rank(int(s["hands"][seat])) >= rules.redeal:
                s["cursor"] = 0
                return
        _lay_table(s, size, rules)
    s["to_play"] = seat_after(int(s["dealer"]), 1, rules.players)


@kernel
def apply(s: Any, action: int, rules: Rules) -> None:
    """Play the card `action` for the seat to play; at the end of the round score it."""
    seat = int(s["to_play"])
    note_play(s, seat, action)
    following = seat_after(seat, 1, rules.players)
    over = s["hands"][following] == 0  # hands are equal at the start of a packet, so the next seat runs out last
    last_card = over and stock_size(s, deck_size(rules)) == 0
    if takes(s, action, rules):
        _take(s, seat, action, last_card, rules)
    else:
        s["table"][s["table_size"]] = action
        s["table_size"] += 1
    if last_card:
        _count_round(s, rules)
        finish_round(s, rules)
    else:
        s["to_play"] = CHANCE if over else following


@kernel
def legal(s: Any, rules: Rules) -> CardSet:  # noqa: ARG001 every game's `legal` is asked with its rules
    """Any card of the hand."""
    return int(s["hands"][s["to_play"]]) if s["to_play"] >= 0 else 0


@kernel
def takes(s: Any, card: int, rules: Rules) -> bool:
    """True if the card takes the table: by the rank of the top card, or as a jack that captures."""
    size = int(s["table_size"])
    if size == 0:
        return False
    rank = card >> 2
    return rank == s["table"][size - 1] >> 2 or (rank == JACK and rules.jack == CAPTURES)


@kernel
def basra_value(s: Any, card: int, last_card: bool, rules: Rules) -> int:
    """Points for taking a table that is one lone card with nothing beneath, 0 for any other."""
    if s["table_size"] != 1 or (last_card and not rules.last_card_basra):
        return 0
    rank = card >> 2
    if rank != s["table"][0] >> 2:
        return rules.jack_on_other
    return rules.jack_on_jack if rank == JACK else rules.joker_on_joker if rank == JOKER else rules.basra


@kernel
def card_points(cards: CardSet, rules: Rules) -> int:
    """What the cards are worth to whoever wins them."""
    return (
        popcount(cards & _ACES) * rules.ace_points
        + popcount(cards & JACKS) * rules.jack_points
        + popcount(cards & _TWO_OF_CLUBS) * rules.two_of_clubs_points
        + popcount(cards & _TEN_OF_DIAMONDS) * rules.ten_of_diamonds_points
        + popcount(cards & _JOKERS) * rules.joker_points
    )


@kernel
def hidden_size(s: Any) -> int:
    """Cards that lie face down on the table."""
    return popcount(int(s["secret"])) if s["secret_holder"] == NOBODY else 0


@kernel
def table_set(s: Any) -> CardSet:
    """All cards on the table."""
    cards = 0
    for place in range(s["table_size"]):
        cards |= 1 << int(s["table"][place])
    return cards


@kernel
def unknown_secret(s: Any, seat: int, rules: Rules) -> CardSet:
    """Cards that lay face down and that `seat` has not come to know: it does when its side takes them."""
    holder = int(s["secret_holder"])
    if holder != NOBODY and side_of(holder, rules) == side_of(seat, rules):
        return 0
    return int(s["secret"])


@kernel
def all_known(s: Any, rules: Rules) -> bool:
    """True for two seats in the last packet of a table that had no card face down."""
    return rules.players == 2 and stock_size(s, deck_size(rules)) == 0 and s["secret"] == 0


@kernel
def most_of_a_rank(cards: CardSet) -> int:
    """The largest number of cards of one rank."""
    most = 0
    for rank in range(14):
        most = max(most, popcount(cards & (15 << (4 * rank))))
    return most


@kernel
def resample(s: Any, seat: int, rules: Rules, rng: np.ndarray, scratch: np.ndarray) -> None:
    """Deal anew what `seat` has not seen: other hands, the stock, and face-down cards that its side did not take.

    Swept cards stay, since all saw them. In the first packet no hand has so many of a rank that it would have been
    dealt afresh. The points of a side change with the unknown cards it has won. A finished round leaves only those unseen.
    """
    if s["round_over"]:
        return
    public = swept_set(s)
    secret = unknown_secret(s, seat, rules)
    cards, owners = scratch[1], scratch[2]
    count = gather_unseen(s, seat, public, secret, deck_size(rules), rules.players, scratch)
    shuffle(rng, cards, count)
    while rules.redeal and s["packet"] == 0 and _calls_for_redeal(s, seat, cards, owners, count, rules):
        shuffle(rng, cards, count)
    imagined = deal_back(s, seat, public, count, rules.players, scratch)
    if secret:
        _exchange_secret(s, secret, imagined, rules)


@kernel
def _calls_for_redeal(s: Any, seat: int, cards: np.ndarray, owners: np.ndarray, size: int, rules: Rules) -> bool:
    """True if one of the other hands, with what it has played of the first packet, would have been dealt afresh."""
    for other in range(rules.players):
        if other == seat:
            continue
        hand = 0
        turn = seat_after(int(s["dealer"]), 1, rules.players)
        for nth in range(s["played"]):
            if turn == other:
                hand |= 1 << int(s["plays"][nth])
            turn = seat_after(turn, 1, rules.players)
        for k in range(size):
            if owners[k] == other:
                hand |= 1 << int(cards[k])
        if most_of_a_rank(hand) >= rules.redeal:
            return True
    return False


@kernel
def _exchange_secret(s: Any, secret: CardSet, imagined: CardSet, rules: Rules) -> None:
    """Put `imagined` where the face-down cards `secret` lie, on the table or in a pile."""
    s["secret"] = imagined
    holder = int(s["secret_holder"])
    if holder == NOBODY:
        for place in range(popcount(imagined)):
            s["table"][place] = lowest(imagined)
            imagined &= imagined - 1
        return
    s["piles"][holder] = int(s["piles"][holder]) & ~secret | imagined
    s["points"][side_of(holder, rules)] += card_points(imagined, rules) - card_points(secret, rules)
    when = s["moved"][lowest(secret)]
    while secret:
        s["moved"][lowest(secret)] = 0
        secret &= secret - 1
    while imagined:
        s["moved"][lowest(imagined)] = when
        imagined &= imagined - 1


@kernel
def _clear(s: Any) -> None:
    """An empty table before a round."""
    clear_packets(s, MAX_PLIES, CARDS)
    s["secret"] = 0
    s["secret_holder"] = NOBODY
    s["table_size"] = 0
    for side in range(4):
        s["basra_points"][side] = 0
    for place in range(CARDS):
        s["table"][place] = 0


@kernel
def _lay_table(s: Any, size: int, rules: Rules) -> None:
    """The cards that lie face down, then one face up."""
    for place in range(rules.hidden):
        s["table"][place] = draw(s, size)
        s["secret"] |= 1 << int(s["table"][place])
    card = draw(s, size)
    while (rules.barred >> card) & 1:
        sweep_under(s, card)
        card = draw(s, size)
    s["table"][rules.hidden] = card
    s["table_size"] = rules.hidden + 1


@kernel
def _take(s: Any, seat: int, card: int, last_card: bool, rules: Rules) -> None:
    """`card`, which `seat` played, takes the table."""
    side = side_of(seat, rules)
    basra = basra_value(s, card, last_card, rules)
    gained = table_set(s) | 1 << card
    s["basra_points"][side] += basra
    s["basras"][side] += basra > 0
    s["points"][side] += basra + card_points(gained, rules)
    s["last_capturer"] = seat
    _to_pile(s, seat, rules.hidden + 1 + int(s["ply"]), gained)


@kernel
def _to_pile(s: Any, seat: int, when: int, cards: CardSet) -> None:
    """The table, and what took it, goes to a pile."""
    if s["secret_holder"] == NOBODY and s["secret"]:
        s["secret_holder"] = seat
    s["piles"][seat] |= cards
    while cards:
        s["moved"][lowest(cards)] = when
        cards &= cards - 1
    for place in range(s["table_size"]):
        s["table"][place] = 0
    s["table_size"] = 0


@kernel
def _count_round(s: Any, rules: Rules) -> None:
    """The table, and `last_capture`, to whoever captured last; the majority to the side with most cards alone."""
    last = int(s["last_capturer"])
    if last != NOBODY:
        leftovers = table_set(s)
        s["points"][side_of(last, rules)] += card_points(leftovers, rules) + rules.last_capture
        _to_pile(s, last, LEFTOVER + rules.hidden + 1 + int(s["ply"]), leftovers)
    most = 0
    holder = NOBODY
    for side in range(num_sides(rules)):
        won = popcount(pile_of_side(s, side, rules))
        if won > most:
            most = won
            holder = side
        elif won == most:
            holder = NOBODY
    if holder != NOBODY:
        s["points"][holder] += rules.majority
