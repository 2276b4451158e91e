"""A slow referee for Briscola, written from rules.md, section 4, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.match import Match

PACK = [rank + suit for rank in "A234567JQK" for suit in "DCSB"]
HIGH_TO_LOW = "A3KQJ76542"
POINTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
SWAPS = {"7": "lay down the 7", "2": "lay down the 2"}


@dataclass(frozen=True)
class Table:
    """Players, the exchange, and the rounds to win."""

    players: int = 2
    teams: bool = False
    exchange: str = "off"
    target: int = 2
    sides: int = 2

    @property
    def pack(self) -> list[str]:
        """40 cards."""
        return PACK


class Round:
    """One round from a given deck (first card on top) and dealer."""

    def __init__(self, deck: list[str], dealer: int, rules: Table) -> None:
        if sorted(deck) != sorted(PACK):
            raise ValueError("not a permutation of the pack")
        self.rules = rules
        self.dealer = dealer
        self.stock = list(deck)
        n = rules.players
        self.hands: list[list[str]] = [[] for _ in range(n)]
        self.piles: list[list[str]] = [[] for _ in range(n)]
        self.points = [0, 0]
        self.to_play = (dealer + 1) % n  # the eldest leads
        for turn in range(3 * n):
            self.hands[(self.to_play + turn) % n].append(self.stock.pop(0))
        self.turned_up = self.stock.pop(0)  # the next card is turned up and lies under the stock
        self.trump = self.turned_up[1]
        self.stock.append(self.turned_up)
        self.trick: list[tuple[int, str]] = []
        self.swapped: set[int] = set()
        self.over = False

    def _swaps(self) -> list[str]:
        """The exchanges that the seat to play may make before it plays."""
        seat, mode = self.to_play, self.rules.exchange
        if mode == "off" or not self.stock or seat in self.swapped:
            return []
        if mode == "conditional" and not any(self.piles[other] for other in range(seat % 2, len(self.piles), 2)):
            return []  # once its side has taken a trick
        lies = self.stock[-1][0]
        wanted = {"7": "A3KQJ", "2": "7654"} if mode == "conditional" else {"7": HIGH_TO_LOW, "2": HIGH_TO_LOW}
        return [low for low in "72" if low + self.trump in self.hands[seat] and lies in wanted[low]]

    def legal(self) -> list[str]:
        """Any card may be played."""
        if self.over:
            return []
        return [*self.hands[self.to_play], *(SWAPS[low] for low in self._swaps())]

    def play(self, action: str) -> None:
        """A card, or an exchange, after which the seat plays as usual."""
        seat = self.to_play
        for low, name in SWAPS.items():
            if action == name:
                self.hands[seat].remove(low + self.trump)
                self.hands[seat].append(self.stock.pop())
                self.stock.append(low + self.trump)
                self.swapped.add(seat)
                return
        self.hands[seat].remove(action)
        self.trick.append((seat, action))
        n = self.rules.players
        if len(self.trick) < n:
            self.to_play = (seat + 1) % n
            return
        trumps = [play for play in self.trick if play[1][1] == self.trump]
        led = [play for play in self.trick if play[1][1] == self.trick[0][1][1]]
        winner = min(trumps or led, key=lambda play: HIGH_TO_LOW.index(play[1][0]))[0]
        cards = [card for _, card in self.trick]
        self.piles[winner].extend(cards)
        self.points[winner % 2] += sum(POINTS.get(card[0], 0) for card in cards)
        self.trick, self.swapped = [], set()
        self.to_play = winner
        if self.stock:  # the winner draws first, then the others in turn
            for turn in range(n):
                self.hands[(winner + turn) % n].append(self.stock.pop(0))
        elif not self.hands[winner]:
            self.over = True

    def score(self) -> list[int]:
        """More than 60 points win the round; 60-60 marks nobody."""
        return [int(self.over and points > 60) for points in self.points]


def match(decks: list[list[str]], dealer: int, rules: Table) -> Match:
    """The first side to win `target` rounds."""
    return Match(lambda deck, by, _before: Round(deck, by, rules), decks, dealer, rules)
