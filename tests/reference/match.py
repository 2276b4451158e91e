"""Matches as rules.md, section 1, has them: rounds up to a target. Nothing of `basra_env` is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Match:
    """Rounds of any game from a list of decks, one a round."""

    def __init__(
        self, begin: Callable[[list[str], int, Any], Any], decks: list[list[str]], dealer: int, rules: Any
    ) -> None:
        """Args: begin: `(deck, dealer, the round before or None)` -> a round."""
        self.begin = begin
        self.rules = rules
        self.decks = decks
        self.scores = [0] * rules.sides
        self.rounds: list[list[int]] = []
        self.over = False
        self.round = begin(decks[0], dealer, None)

    def play(self, action: str) -> None:
        """A decision; a finished round is scored and, unless the match is over, the next one dealt."""
        self.round.play(action)
        if not self.round.over:
            return
        self.rounds.append(list(self.round.points))
        self.scores = [total + won for total, won in zip(self.scores, self.round.score(), strict=True)]
        best = max(self.scores)  # 1: judged only after a whole round is scored
        if best >= self.rules.target and self.scores.count(best) == 1:
            self.over = True
            return
        dealer = (self.round.dealer + 1) % self.rules.players  # 1: the deal passes after each round
        self.round = self.begin(self.decks[len(self.rounds)], dealer, self.round)
