"""A slow referee for the fishing games, written from rules.md and from nothing else.

Cards are two-character texts, hands and tables are lists, sums are found by trying every subset. Nothing
here is fast and nothing is shared with the engine: where both agree, both read the rules alike. The number
behind each branch is the clause of rules.md it follows.
"""

from __future__ import annotations

from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]  # 1: rank then suit


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


class Dananeer:
    """The column `dananeer` of the table in section 2."""

    players = 2
    majority = 30
    target = 121
    basra = 10

    @staticmethod
    def sweeps(card: str) -> bool:
        """Sweepers: J, 7D."""
        return card[0] == "J" or card == "7D"

    @staticmethod
    def barred_from_first_floor(card: str) -> bool:
        """First floor may not hold: J, 7D."""
        return card[0] == "J" or card == "7D"


def groups(floor: list[str], target: int) -> list[tuple[str, ...]]:
    """2.3: every group of two or more aces and number cards that adds up to `target`."""
    numbers = [card for card in floor if value(card) is not None]
    return [
        group
        for size in range(2, min(len(numbers), target) + 1)
        for group in combinations(numbers, size)
        if sum(value(card) or 0 for card in group) == target
    ]


def captured(floor: list[str], card: str, rules: type[Dananeer] = Dananeer) -> list[str]:
    """What a played card takes from the floor, in the floor's order."""
    if not floor:
        return []  # 2: on an empty floor every card, sweepers too, just lies down
    if rules.sweeps(card):
        return list(floor)  # 2.1
    taken = {other for other in floor if other[0] == card[0]}  # 2.2
    card_value = value(card)
    if card_value is not None:
        for group in groups(floor, card_value):  # 2.3
            taken.update(group)  # `union`: every card that belongs to at least one group
    return [other for other in floor if other in taken]


def basra(floor: list[str], card: str, rules: type[Dananeer] = Dananeer) -> int:
    """Points for clearing the floor with `card`, 0 if that is no basra."""
    taken = captured(floor, card, rules)
    if not taken or len(taken) != len(floor):
        return 0  # Basra: the capture clears the floor
    if card[0] == "J":
        return 0  # a jack never makes one (`jack_on_jack` is 0 here)
    if card == "7D":  # where 7D sweeps: all aces and number cards, at most 10, 7D not counted
        values = [value(other) for other in floor]
        if any(v is None for v in values) or sum(v or 0 for v in values) > 10:
            return 0
    return rules.basra  # by rank or sum, kings and queens included; the last card counts too


class Round:
    """One round from a given deck (first card on top) and dealer."""

    def __init__(self, deck: list[str], dealer: int, carry: int = 0, rules: type[Dananeer] = Dananeer) -> None:
        if sorted(deck) != sorted(PACK):
            raise ValueError("not a permutation of the pack")  # 1
        self.rules = rules
        self.stock = list(deck)
        self.dealer = dealer
        self.carry = carry
        self.hands: list[list[str]] = [[] for _ in range(rules.players)]
        self.piles: list[list[str]] = [[] for _ in range(rules.players)]
        self.points = [0] * rules.players
        self.floor: list[str] = []
        self.swept: list[str] = []
        self.last_capturer: int | None = None
        self.over = False
        self.to_play = self.eldest = (dealer + 1) % rules.players  # 1: the seat after the dealer plays first
        self._deal_hands()  # 1: hands are dealt before the table cards
        while len(self.floor) < 4:  # First floor: turned one at a time until four lie
            card = self.stock.pop(0)
            if rules.barred_from_first_floor(card):
                self.stock.append(card)  # under the deck at once; of two, the later lies lowest
                self.swept.append(card)
            else:
                self.floor.append(card)

    def _deal_hands(self) -> None:
        """1: eldest first, one card at a time in turn; 2: four to each."""
        for _ in range(4):
            for step in range(self.rules.players):
                self.hands[(self.eldest + step) % self.rules.players].append(self.stock.pop(0))

    def legal(self) -> list[str]:
        """2: exactly one card of your hand, any card (`must_capture`: `card`)."""
        return [] if self.over else sorted(self.hands[self.to_play], key=PACK.index)

    def play(self, card: str) -> None:
        """A turn of the seat to play."""
        seat = self.to_play
        self.hands[seat].remove(card)
        taken = captured(self.floor, card, self.rules)
        if taken:
            self.points[seat] += basra(self.floor, card, self.rules)
            gained = [card, *taken]  # 2: what it takes goes with it to your pile
            self.floor = [other for other in self.floor if other not in taken]
            self.piles[seat].extend(gained)
            self.points[seat] += sum(map(card_points, gained))
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
            self.points[self.last_capturer] += sum(map(card_points, self.floor))
            self.floor = []
        counts = [len(pile) for pile in self.piles]
        most = max(counts)
        if counts.count(most) > 1:  # majority_tied `carry`: nobody scores it, it piles up
            self.carry += self.rules.majority
        else:  # Most cards: `majority` points, with what was carried over
            self.points[counts.index(most)] += self.rules.majority + self.carry
            self.carry = 0


class Match:
    """Rounds up to a target, from a list of decks, one a round."""

    def __init__(
        self, decks: list[list[str]], dealer: int, target: int | None = None, rules: type[Dananeer] = Dananeer
    ):
        self.rules = rules
        self.target = rules.target if target is None else target
        self.decks = decks
        self.scores = [0] * rules.players
        self.rounds: list[list[int]] = []
        self.over = False
        self.round = Round(decks[0], dealer, 0, rules)

    def play(self, card: str) -> None:
        """A turn; a finished round is scored and, unless the match is over, the next one dealt."""
        self.round.play(card)
        if not self.round.over:
            return
        self.rounds.append(list(self.round.points))
        self.scores = [total + won for total, won in zip(self.scores, self.round.points, strict=True)]
        best = max(self.scores)  # 1: judged only after a whole round is scored
        if best >= self.target and self.scores.count(best) == 1:
            self.over = True
            return
        dealer = (self.round.dealer + 1) % self.rules.players  # 1: the deal passes after each round
        self.round = Round(self.decks[len(self.rounds)], dealer, self.round.carry, self.rules)
