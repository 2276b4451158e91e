"""A slow referee for the fishing games, written from rules.md and from nothing else.

Cards are two-character texts, hands and tables are lists, sums are found by trying every subset, choices by trying every
family of groups. Nothing here is fast and nothing is shared with the engine: where both agree, both read the rules
alike. The number behind each branch is the clause of rules.md it follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tests.reference.match import Match

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]  # 1: rank then suit


@dataclass(frozen=True)
class Table:
    """One column of the table in section 2, and the fields for reduced decks."""

    players: int = 2
    teams: bool = False
    ranks: str = RANKS
    suits: str = SUITS
    packet: int = 4
    first_floor: int = 4
    sweepers: str = "J 7D"
    barred: str = "J 7D"
    capture: str = "union"
    must_capture: str = "card"
    basra: int = 10
    jack_on_jack: int = 0
    majority: int = 30
    majority_tied: str = "carry"
    target: int = 121

    @property
    def pack(self) -> list[str]:
        """The cards in play."""
        return [card for card in PACK if card[0] in self.ranks and card[1] in self.suits]

    @property
    def sides(self) -> int:
        """1: in partnership games seats 0, 2 are one side and 1, 3 the other."""
        return 2 if self.teams else self.players

    def side(self, seat: int) -> int:
        """The side of a seat."""
        return seat % 2 if self.teams else seat


COLUMNS = {
    "dananeer": Table(),
    "classic": Table(capture="choose", majority_tied="void"),
    "standard": Table(sweepers="J", barred="J", capture="choose", majority=3, majority_tied="each", target=100),
    "egyptian": Table(capture="choose", majority_tied="each", jack_on_jack=20, target=100),
}


def among(card: str, cards: str) -> bool:
    """True if `card` is one of `cards`, given as ranks and cards such as `J 7D`."""
    return card in cards.split() or card[0] in cards.split()


def value(card: str) -> int | None:
    """2.3: aces count 1, number cards their number; court cards have no value."""
    rank = card[0]
    if rank == "A":
        return 1
    if rank == "T":
        return 10
    return int(rank) if rank.isdigit() else None


def card_points(card: str) -> int:
    """2, end of the round: each ace 1, each jack 1, 2C 2, TD 3."""
    if card == "2C":
        return 2
    if card == "TD":
        return 3
    return 1 if card[0] in "AJ" else 0


def groups(floor: list[str], target: int) -> list[tuple[str, ...]]:
    """2.3: every group of two or more aces and number cards that adds up to `target`."""
    numbers = [card for card in floor if value(card) is not None]
    return [
        group
        for size in range(2, min(len(numbers), target) + 1)
        for group in combinations(numbers, size)
        if sum(value(card) or 0 for card in group) == target
    ]


def disjoint_unions(every: list[tuple[str, ...]]) -> set[frozenset[str]]:
    """The unions of all families of pairwise disjoint groups, the empty one too."""
    unions = {frozenset()}
    for group in every:
        unions |= {union | set(group) for union in unions if not union & set(group)}
    return unions


def options(floor: list[str], card: str, rules: Table) -> list[frozenset[str]]:
    """What a played card may take: one set of floor cards, or several where its player is to choose."""
    if not floor:
        return [frozenset()]  # 2: on an empty floor every card, sweepers too, just lies down
    if among(card, rules.sweepers):
        return [frozenset(floor)]  # 2.1
    alike = frozenset(other for other in floor if other[0] == card[0])  # 2.2
    card_value = value(card)
    every = groups(floor, card_value) if card_value is not None else []  # 2.3
    if rules.capture == "union":
        return [alike.union(*every)]
    unions = disjoint_unions(every)
    if rules.capture == "disjoint":  # most cards; then most card points; then the lowest sorted ids

        def rank(union: frozenset[str]) -> tuple[int, int, list[int]]:
            ids = sorted(PACK.index(other) for other in union)
            return -len(union), -sum(map(card_points, union)), ids

        return [alike | min(unions, key=rank)]
    return [alike | union for union in unions if not any(union < other for other in unions)]  # inclusion-maximal


def basra(floor: list[str], taken: frozenset[str], card: str, rules: Table) -> int:
    """Points for clearing the floor with `card`, 0 if that is no basra."""
    if not taken or len(taken) != len(floor):
        return 0  # Basra: the capture clears the floor
    if card[0] == "J":  # a jack never makes one, save from exactly one lone jack where the rule set pays that
        return rules.jack_on_jack if len(floor) == 1 and floor[0][0] == "J" else 0
    if card == "7D" and among(card, rules.sweepers):  # where 7D sweeps: no court cards, at most 10, 7D not counted
        values = [value(other) for other in floor]
        if any(v is None for v in values) or sum(v or 0 for v in values) > 10:
            return 0
    return rules.basra  # by rank or sum, kings and queens included; the last card counts too


class Round:
    """One round from a given deck (first card on top) and dealer."""

    def __init__(self, deck: list[str], dealer: int, carry: int, rules: Table) -> None:
        if sorted(deck) != sorted(rules.pack):
            raise ValueError("not a permutation of the pack")  # 1
        self.rules = rules
        self.stock = list(deck)
        self.dealer = dealer
        self.carry = carry
        self.hands: list[list[str]] = [[] for _ in range(rules.players)]
        self.piles: list[list[str]] = [[] for _ in range(rules.players)]
        self.points = [0] * rules.sides
        self.floor: list[str] = []
        self.swept: list[str] = []
        self.last_capturer: int | None = None
        self.over = False
        self.pending: str | None = None
        self.named: list[str] = []
        self.to_play = self.eldest = (dealer + 1) % rules.players  # 1: the seat after the dealer plays first
        self._deal_hands()  # 1: hands are dealt before the table cards
        while len(self.floor) < rules.first_floor:  # First floor: turned one at a time until four lie
            card = self.stock.pop(0)
            if among(card, rules.barred):
                self.stock.append(card)  # under the deck at once; of two, the later lies lowest
                self.swept.append(card)
            else:
                self.floor.append(card)

    def _deal_hands(self) -> None:
        """1: eldest first, one card at a time in turn; 2: four to each."""
        for _ in range(self.rules.packet):
            for step in range(self.rules.players):
                self.hands[(self.eldest + step) % self.rules.players].append(self.stock.pop(0))

    def _left(self) -> list[frozenset[str]]:
        """`choose`: the options that hold all cards named so far."""
        assert self.pending is not None
        return [o for o in options(self.floor, self.pending, self.rules) if o.issuperset(self.named)]

    def legal(self) -> list[str]:
        """The cards that may be played, or in a choice named."""
        if self.over:
            return []
        if self.pending is not None:  # in some but not all of the remaining options
            left = self._left()
            return [card for card in self.floor if any(card in o for o in left) and not all(card in o for o in left)]
        hand = self.hands[self.to_play]
        if self.rules.must_capture == "hand":  # whoever holds a card that captures must play such a card
            capturing = [card for card in hand if any(options(self.floor, card, self.rules))]
            return capturing or list(hand)
        return list(hand)  # 2: exactly one card of your hand, any card

    def play(self, card: str) -> None:
        """A turn of the seat to play, or one name of its choice."""
        if self.pending is not None:
            self.named.append(card)
            played, possible = self.pending, self._left()
        else:
            self.hands[self.to_play].remove(card)
            played, possible = card, options(self.floor, card, self.rules)
        if len(possible) > 1:
            self.pending = played
            return
        self.pending, self.named = None, []
        self._take(played, possible[0])

    def _take(self, card: str, taken: frozenset[str]) -> None:
        seat, side = self.to_play, self.rules.side(self.to_play)
        if taken:
            self.points[side] += basra(self.floor, taken, card, self.rules)
            gained = [card, *taken]  # 2: what it takes goes with it to your pile
            self.floor = [other for other in self.floor if other not in taken]
            self.piles[seat].extend(gained)
            self.points[side] += sum(map(card_points, gained))
            self.last_capturer = seat
        else:
            self.floor.append(card)  # 2: a card that takes nothing stays on the floor
        self.to_play = (seat + 1) % self.rules.players  # 1: play passes from seat to seat + 1
        if not any(self.hands):
            if self.stock:
                self._deal_hands()  # 2: when all hands are empty the next 4; nothing is added to the floor
            else:
                self._finish()

    def _finish(self) -> None:
        self.over = True
        if self.last_capturer is not None:  # the floor goes to the seat that captured last; never a basra
            self.piles[self.last_capturer].extend(self.floor)
            self.points[self.rules.side(self.last_capturer)] += sum(map(card_points, self.floor))
            self.floor = []
        counts = [0] * self.rules.sides
        for seat, pile in enumerate(self.piles):
            counts[self.rules.side(seat)] += len(pile)  # 1: partners' cards are counted together
        most = max(counts)
        if counts.count(most) == 1:  # Most cards: `majority` points, with what was carried over
            self.points[counts.index(most)] += self.rules.majority + self.carry
            self.carry = 0
        elif self.rules.majority_tied == "each":  # all that tie for most score it
            for side, count in enumerate(counts):
                if count == most:
                    self.points[side] += self.rules.majority + self.carry
            self.carry = 0
        else:  # `carry`: nobody scores it, it piles up; `void`: majority x (1 + ties in a row) in the next round
            self.carry += self.rules.majority
            if self.rules.majority_tied == "void":
                self.points = [0] * self.rules.sides  # no point of the round counts, basras too

    def score(self) -> list[int]:
        """What the round adds to a match."""
        return list(self.points)


def match(decks: list[list[str]], dealer: int, rules: Table) -> Match:
    """Rounds up to the target, from a list of decks, one a round."""
    return Match(lambda deck, by, before: Round(deck, by, before.carry if before else 0, rules), decks, dealer, rules)
