"""Cards that a seat has not seen, gathered from the places of the deck they came from, and dealt back there.

What is imagined has no trace of what was: cards are gathered in the order of their ids and places in an order that the
seat knows, so that the same draws give the same world whatever the truth; and the deck is dealt anew in those places,
so that it stays the deck of the game as imagined.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from basra_env.core.bits import CardSet, lowest
from basra_env.core.jit import kernel
from basra_env.core.record import MAX_SEATS, NOBODY

IN_STOCK = NOBODY
ON_TABLE = MAX_SEATS
"""Where an unseen card is, besides in the hand of one of the seats 0 to 3."""


@kernel
def gather_unseen(
    s: Any, seat: int, public: CardSet, hidden: CardSet, size: int, players: int, scratch: np.ndarray
) -> int:
    """Gather what `seat` has not seen: the other hands, the stock, and `hidden`.

    Args:
        s: the record, only read.
        seat: who looks.
        public: cards that all have seen, in hands too.
        hidden: cards elsewhere that it has not seen.
        size: cards in the deck.
        players: seats.
        scratch: int8 (3, D): places in the deck, the cards there, and who has them.

    Returns:
        How many were gathered.
    """
    places, cards, owners = scratch[0], scratch[1], scratch[2]
    cursor = int(s["cursor"])
    unseen = 0
    count = 0
    for owner in range(players + 1):
        theirs = hidden if owner == players else int(s["hands"][owner]) & ~public
        if owner == seat or theirs == 0:
            continue
        unseen |= theirs
        for place in range(cursor):
            if (theirs >> int(s["deck"][place])) & 1:
                places[count] = place
                owners[count] = ON_TABLE if owner == players else owner
                count += 1
    for place in range(cursor, size):
        unseen |= 1 << int(s["deck"][place])
        places[count] = place
        owners[count] = IN_STOCK
        count += 1
    for nth in range(count):
        cards[nth] = lowest(unseen)
        unseen &= unseen - 1
    return count


@kernel
def deal_back(s: Any, seat: int, public: CardSet, count: int, players: int, scratch: np.ndarray) -> CardSet:
    """Deal the gathered cards, shuffled since, to where they were gathered.

    Returns:
        Those that now stand for the hidden ones.
    """
    places, cards, owners = scratch[0], scratch[1], scratch[2]
    hidden = 0
    for other in range(players):
        if other != seat:
            s["hands"][other] &= public
    for k in range(count):
        card = int(cards[k])
        s["deck"][places[k]] = card
        if owners[k] == ON_TABLE:
            hidden |= 1 << card
        elif owners[k] != IN_STOCK:
            s["hands"][owners[k]] |= 1 << card
    return hidden
