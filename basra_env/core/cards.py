"""Packs of cards: ids, texts and sets (rules.md, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from basra_env.core.bits import CardSet
from basra_env.core.errors import unknown

_SIGNS = {"♣": "C", "♦": "D", "♥": "H", "♠": "S"}
PRETTY = {suit: sign for sign, suit in _SIGNS.items()}


@dataclass(frozen=True)
class Pack:
    """The naming of a pack. Card id = rank x number of suits + suit; jokers follow the ranked cards.

    Attributes:
        ranks: one letter a rank, in id order.
        suits: one letter a suit, in id order.
        jokers: number of jokers, written `X1`, `X2`.
    """

    ranks: str
    suits: str
    jokers: int = 0

    @property
    def size(self) -> int:
        """Number of card ids."""
        return len(self.ranks) * len(self.suits) + self.jokers

    def text(self, card: int) -> str:
        """Card id to its two characters, `25` to `"7D"`."""
        ranked = len(self.ranks) * len(self.suits)
        if not 0 <= card < self.size:
            raise ValueError(f"no card has id {card}: ids run from 0 to {self.size - 1}")
        if card >= ranked:
            return f"X{card - ranked + 1}"
        return self.ranks[card // len(self.suits)] + self.suits[card % len(self.suits)]

    def parse(self, text: str) -> int:
        """Text to card id. Takes `7D`, `7d`, `10D`, `7♦`; raises ValueError with the nearest card otherwise."""
        name = text.strip().upper().replace("10", "T")
        for sign, suit in _SIGNS.items():
            name = name.replace(sign, suit)
        card = self._ids.get(name)
        if card is None:
            raise ValueError(unknown("card", text, self._ids))
        return card

    def parse_all(self, cards: Iterable[str | int]) -> list[int]:
        """Card ids of texts, ids, or a mix of both."""
        return [self.parse(card) if isinstance(card, str) else _checked_id(card, self.size) for card in cards]

    def texts(self, cards: Iterable[int]) -> tuple[str, ...]:
        """Texts of card ids."""
        return tuple(self.text(int(card)) for card in cards)

    @cached_property
    def _ids(self) -> dict[str, int]:
        return {self.text(card): card for card in range(self.size)}


FRENCH = Pack("A23456789TJQK", "CDHS")
"""52 cards; 7D is 25."""


def _checked_id(card: int, size: int) -> int:
    if isinstance(card, bool) or int(card) != card or not 0 <= card < size:
        raise ValueError(f"{card!r} is no card: expected a text such as '7D' or an id from 0 to {size - 1}")
    return int(card)


def as_set(cards: Iterable[int]) -> CardSet:
    """Card ids as a bit set."""
    total = 0
    for card in cards:
        total |= 1 << int(card)
    return total


def members(cards: CardSet) -> Iterator[int]:
    """Card ids of a bit set, ascending."""
    rest = int(cards)
    while rest:
        yield (rest & -rest).bit_length() - 1
        rest &= rest - 1
