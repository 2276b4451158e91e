"""A slow referee for the top-card games, written from rules.md, section 3, and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from tests.reference.match import Match

FRENCH = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]


@dataclass(frozen=True)
class Table:
    """One column of the table in section 3."""

    players: int = 2
    teams: bool = False
    jokers: int = 0
    packet: int = 4
    hidden: int = 3
    barred: str = "J"
    jack: str = "captures"
    redeal: int = 0
    basra: int = 10
    jack_on_jack: int = 20
    jack_on_other: int = 0
    joker_on_joker: int = 20
    last_card_basra: bool = False
    ace_points: int = 1
    jack_points: int = 1
    two_of_clubs_points: int = 2
    ten_of_diamonds_points: int = 3
    joker_points: int = 0
    majority: int = 3
    last_capture: int = 0
    target: int = 151

    @property
    def pack(self) -> list[str]:
        """52 cards, or with jokers."""
        return [*FRENCH, *["X1", "X2"][: self.jokers]]

    @property
    def sides(self) -> int:
        """1: in partnership games seats 0, 2 are one side and 1, 3 the other."""
        return 2 if self.teams else self.players

    def side(self, seat: int) -> int:
        """The side of a seat."""
        return seat % 2 if self.teams else seat

    def points(self, cards: list[str]) -> int:
        """A 1, J 1, 2C 2, TD 3, jokers 0."""
        worth = {"A": self.ace_points, "J": self.jack_points, "X": self.joker_points}
        exact = {"2C": self.two_of_clubs_points, "TD": self.ten_of_diamonds_points}
        return sum(exact[card] if card in exact else worth.get(card[0], 0) for card in cards)


_IO = {"players": 4, "teams": True, "jokers": 2, "hidden": 5, "barred": "none", "redeal": 3, "jack_on_other": 10}
_IO |= {"last_card_basra": True, "majority": 0, "last_capture": 3}
COLUMNS = {
    ("basra_io", "captures"): Table(**_IO, target=256),
    ("basra_io", "plain"): Table(**_IO, jack="plain", jack_on_jack=10, target=156),
    ("pishti", "captures"): Table(),
    ("pishti 4", "captures"): Table(players=4, teams=True),
}


def first_hands(deck: list[str], rules: Table) -> list[list[str]]:
    """1: hands are dealt first, one card at a time in turn; the eldest's comes first."""
    return [deck[turn : rules.packet * rules.players : rules.players] for turn in range(rules.players)]


def calls_for_redeal(deck: list[str], rules: Table) -> bool:
    """Three or more of one rank in any hand of a round's first packet."""
    if not rules.redeal:
        return False
    return any(
        [card[0] for card in hand].count(rank) >= rules.redeal
        for hand in first_hands(deck, rules)
        for rank in "A23456789TJQKX"
    )


class Round:
    """One round from a given deck (first card on top) and dealer."""

    def __init__(self, deck: list[str], dealer: int, rules: Table) -> None:
        if sorted(deck) != sorted(rules.pack):
            raise ValueError("not a permutation of the pack")  # 1
        if calls_for_redeal(deck, rules):
            raise ValueError("calls for a redeal")
        self.rules = rules
        self.stock = list(deck)
        self.dealer = dealer
        self.hands: list[list[str]] = [[] for _ in range(rules.players)]
        self.piles: list[list[str]] = [[] for _ in range(rules.players)]
        self.points = [0] * rules.sides
        self.last_capturer: int | None = None
        self.over = False
        self.swept: list[str] = []
        self.to_play = self.eldest = (dealer + 1) % rules.players
        self._deal_hands()
        self.hidden = [self.stock.pop(0) for _ in range(rules.hidden)]
        while True:  # then one face up; a card barred from lying there goes under the deck, and the next is turned
            card = self.stock.pop(0)
            if card[0] != rules.barred:
                break
            self.stock.append(card)
            self.swept.append(card)
        self.floor = [card]

    def _deal_hands(self) -> None:
        for _ in range(self.rules.packet):
            for step in range(self.rules.players):
                self.hands[(self.eldest + step) % self.rules.players].append(self.stock.pop(0))

    def legal(self) -> list[str]:
        """Any card of the hand."""
        return [] if self.over else list(self.hands[self.to_play])

    def _basra(self, card: str) -> int:
        """The table was one lone card with nothing hidden beneath, and was taken."""
        rules = self.rules
        if len(self.floor) != 1 or self.hidden:
            return 0
        if not rules.last_card_basra and not self.stock and not any(self.hands):
            return 0  # `pishti`: none with the last card of the round
        if card[0] != self.floor[0][0]:
            return rules.jack_on_other
        return {"J": rules.jack_on_jack, "X": rules.joker_on_joker}.get(card[0], rules.basra)

    def play(self, card: str) -> None:
        """A turn of the seat to play."""
        seat, rules = self.to_play, self.rules
        self.hands[seat].remove(card)
        captures = bool(self.floor) and (card[0] == self.floor[-1][0] or (card[0] == "J" and rules.jack == "captures"))
        if captures:
            gained = [card, *self.hidden, *self.floor]
            self.points[rules.side(seat)] += self._basra(card) + rules.points(gained)
            self.piles[seat].extend(gained)
            self.hidden, self.floor = [], []
            self.last_capturer = seat
        else:
            self.floor.append(card)
        self.to_play = (seat + 1) % rules.players
        if not any(self.hands):
            if self.stock:
                self._deal_hands()
            else:
                self._finish()

    def _finish(self) -> None:
        self.over = True
        rules = self.rules
        if self.last_capturer is not None:  # else the table counts for nobody, hidden cards stay hidden
            self.piles[self.last_capturer].extend(self.floor)
            self.points[rules.side(self.last_capturer)] += rules.points(self.floor) + rules.last_capture
            self.floor = []
        counts = [0] * rules.sides
        for seat, pile in enumerate(self.piles):
            counts[rules.side(seat)] += len(pile)
        if counts.count(max(counts)) == 1:  # none on a tie
            self.points[counts.index(max(counts))] += rules.majority

    def score(self) -> list[int]:
        """What the round adds to a match."""
        return list(self.points)


def match(decks: list[list[str]], dealer: int, rules: Table) -> Match:
    """Rounds up to the target, from a list of decks, one a round."""
    return Match(lambda deck, by, _before: Round(deck, by, rules), decks, dealer, rules)
