"""Play the engine and a slow referee side by side and compare all that both know after every decision."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from basra_env import Game, GameBatch, make
from basra_env.core.cards import as_set
from tests.reference import briscola, fishing, topcard
from tests.reference.match import Match


@dataclass(frozen=True)
class Contest:
    """A game and the referee's rules for it.

    Attributes:
        game: the engine's.
        rules: the referee's, with `pack`, `players`, `sides`, `teams`.
        begin: `(deck, dealer, carry)` -> the referee's round.
        match: `(decks, dealer)` -> the referee's match.
        see: `(record, referee's round, ids)` -> triples (name, engine's, referee's) that must be equal.
        deals: False for a deck that may not be given.
        carries: on top of the first majority.
    """

    game: Game
    rules: Any
    begin: Callable[[list[str], int, int], Any]
    match: Callable[[list[list[str]], int], Match]
    see: Callable[[Any, Any, Callable[[str], int]], list[tuple[str, Any, Any]]]
    deals: Callable[[list[str]], bool] = lambda _deck: True
    carries: tuple[int, ...] = (0,)

    def deck(self, rng: random.Random) -> list[str]:
        """A fresh deck that may be given."""
        while True:
            deck = list(self.rules.pack)
            rng.shuffle(deck)
            if self.deals(deck):
                return deck

    @cached_property
    def action(self) -> Callable[[str], int]:
        """The engine's id of a card or an extra action."""
        pack, extra = self.game.family.pack, self.game.family.extra_actions
        names = [*pack.texts(range(pack.size)), *extra]
        return {name: number for number, name in enumerate(names)}.__getitem__


def fishing_contest(name: str, **fields: Any) -> Contest:
    """A fishing game; a variant that is no column of the table is told by all its fields."""
    game = make(name, **fields)
    told = game.fields()
    rules = fishing.Table(**told)
    if name in fishing.COLUMNS and not fields:
        assert rules == fishing.COLUMNS[name], "the presets are the table's columns"

    def see(s: Any, referee: fishing.Round, ids: Callable[[str], int]) -> list[tuple[str, Any, Any]]:
        pending = -1 if referee.pending is None else ids(referee.pending)
        return [
            ("floor", int(s["floor"]), as_set(map(ids, referee.floor))),
            ("carry", int(s["carry"]), referee.carry),
            ("last capturer", int(s["last_capturer"]), -1 if referee.last_capturer is None else referee.last_capturer),
            ("pending", int(s["pending"]), pending),
            ("named", int(s["named"]), as_set(map(ids, referee.named))),
        ]

    return Contest(
        game,
        rules,
        lambda deck, dealer, carry: fishing.Round(deck, dealer, carry, rules),
        lambda decks, dealer: fishing.match(decks, dealer, rules),
        see,
        carries=(0, 0, rules.majority, 2 * rules.majority),
    )


def topcard_contest(name: str, **fields: Any) -> Contest:
    """A top-card game."""
    game = make(name, **fields)
    rules = topcard.Table(**game.fields())

    def see(s: Any, referee: topcard.Round, ids: Callable[[str], int]) -> list[tuple[str, Any, Any]]:
        lying = [*map(ids, referee.hidden), *map(ids, referee.floor)]
        face_down = int(s["secret"]) if s["secret_holder"] < 0 else 0
        return [
            ("table", s["table"][: s["table_size"]].tolist(), lying),
            ("face down", face_down, as_set(map(ids, referee.hidden))),
            ("last capturer", int(s["last_capturer"]), -1 if referee.last_capturer is None else referee.last_capturer),
        ]

    return Contest(
        game,
        rules,
        lambda deck, dealer, _carry: topcard.Round(deck, dealer, rules),
        lambda decks, dealer: topcard.match(decks, dealer, rules),
        see,
        deals=lambda deck: not topcard.calls_for_redeal(deck, rules),
    )


def briscola_contest(name: str, **fields: Any) -> Contest:
    """Briscola."""
    game = make(name, **fields)
    rules = briscola.Table(**game.fields())

    def see(s: Any, referee: briscola.Round, ids: Callable[[str], int]) -> list[tuple[str, Any, Any]]:
        return [
            ("trick", s["trick"][: s["trick_size"]].tolist(), [ids(card) for _, card in referee.trick]),
            ("face up", int(s["face_up"]), ids(referee.stock[-1]) if referee.stock else -1),
            ("trump", int(s["trump"]), ids(referee.turned_up)),
            ("stock", s["deck"][s["cursor"] :].tolist(), [ids(card) for card in referee.stock[:-1]]),
            ("swapped", int(s["swapped"]), as_set(referee.swapped)),
        ]

    return Contest(
        game,
        rules,
        lambda deck, dealer, _carry: briscola.Round(deck, dealer, rules),
        lambda decks, dealer: briscola.match(decks, dealer, rules),
        see,
    )


def contest(name: str, **fields: Any) -> Contest:
    """The contest of any game."""
    family = make(name).family.name
    build = {"fishing": fishing_contest, "topcard": topcard_contest, "briscola": briscola_contest}[family]
    return build(name, **fields)


def compare_rounds(contest: Contest, rounds: int, seed: int, batch_size: int = 256) -> int:
    """Random rounds on the engine and the referee; the number of decisions compared.

    Raises:
        AssertionError: they differ; the message has deck, dealer and actions.
    """
    rng = random.Random(seed)
    rules = contest.rules
    decisions = 0
    for start in range(0, rounds, batch_size):
        size = min(batch_size, rounds - start)
        decks = [contest.deck(rng) for _ in range(size)]
        dealers = [rng.randrange(rules.players) for _ in range(size)]
        carries = [rng.choice(contest.carries) for _ in range(size)]
        batch = GameBatch(contest.game, size, seed=seed, autoreset=False)
        batch.reset(decks=decks, dealers=dealers, carry=carries)
        referees = [contest.begin(*given) for given in zip(decks, dealers, carries, strict=True)]
        rows = list(range(size))
        while rows:
            for row in rows:
                _compare(contest, batch, row, referees[row])
            rows = [row for row in rows if not referees[row].over]
            if not rows:
                break
            plays = [_any(rng, referees[row].legal()) for row in rows]
            paid = [list(referees[row].points) for row in rows]
            for row, action in zip(rows, plays, strict=True):
                referees[row].play(action)
            slots = batch.step(np.array([contest.action(action) for action in plays]), rows)
            for row, before in zip(rows, paid, strict=True):
                gain = [now - then for now, then in zip(referees[row].points, before, strict=True)]
                expected = [
                    gain[side] - (sum(gain) - gain[side]) / (rules.sides - 1) for side in contest.game.spec.sides
                ]
                if not np.allclose(slots.rewards[row], expected, atol=1e-4):
                    raise AssertionError(_story("rewards", batch, row, slots.rewards[row], expected))
            decisions += len(rows)
    return decisions


def compare_matches(contest: Contest, matches: int, seed: int, batch_size: int = 128, most: int = 60) -> int:
    """Random matches to their end; the number of rounds compared."""
    rng = random.Random(seed)
    total = 0
    for start in range(0, matches, batch_size):
        size = min(batch_size, matches - start)
        decks = [[contest.deck(rng) for _ in range(most)] for _ in range(size)]
        dealers = [rng.randrange(contest.rules.players) for _ in range(size)]
        batch = GameBatch(contest.game, size, seed=seed, episode="match", autoreset=False)
        batch.reset(decks=decks, dealers=dealers)
        referees = [contest.match(*given) for given in zip(decks, dealers, strict=True)]
        paid = np.zeros((size, contest.rules.players))
        rows = list(range(size))
        while rows:
            plays = [_any(rng, referees[row].round.legal()) for row in rows]
            for row, action in zip(rows, plays, strict=True):
                referees[row].play(action)
            slots = batch.step(np.array([contest.action(action) for action in plays]), rows)
            paid[rows] += slots.rewards[rows]
            for row in rows:
                referee, s = referees[row], batch._state[row]
                scores = s["scores"][: contest.rules.sides].tolist()
                if scores != referee.scores:
                    raise AssertionError(_story("scores", batch, row, scores, referee.scores))
                if slots.terminated[row] != referee.over:
                    raise AssertionError(_story("terminated", batch, row, slots.terminated[row], referee.over))
                if not referee.over:
                    _compare(contest, batch, row, referee.round)
            for row in rows:
                if referees[row].over:
                    position = batch.position(row)
                    assert position.rounds == tuple(map(tuple, referees[row].rounds)), batch.replay(row)
                    assert position.match_over
                    won = referees[row].scores
                    expected = [won[s] - (sum(won) - won[s]) / (len(won) - 1) for s in contest.game.spec.sides]
                    if not np.allclose(paid[row], expected, atol=1e-2):
                        raise AssertionError(_story("paid in all", batch, row, paid[row], expected))
                    total += len(position.rounds)
            rows = [row for row in rows if not referees[row].over]
    return total


def _any(rng: random.Random, actions: list[str]) -> str:
    return actions[int(rng.random() * len(actions))]


def _compare(contest: Contest, batch: GameBatch, row: int, referee: Any) -> None:
    s, players, sides = batch._state[row], contest.rules.players, contest.rules.sides
    ids = contest.action
    hands, piles, points = s["hands"].tolist(), s["piles"].tolist(), s["points"].tolist()
    for name, engine, expected in (
        ("to_play", int(batch.slots.to_play[row]), -1 if referee.over else referee.to_play),
        ("mask", np.flatnonzero(batch.slots.action_mask[row]).tolist(), sorted(map(contest.action, referee.legal()))),
        ("hands", hands[:players], [as_set(map(ids, hand)) for hand in referee.hands]),
        ("piles", piles[:players], [as_set(map(ids, pile)) for pile in referee.piles]),
        ("points", points[:sides], referee.points),
        *contest.see(s, referee, ids),
    ):
        if engine != expected:
            raise AssertionError(_story(name, batch, row, engine, expected))


def _story(what: str, batch: GameBatch, row: int, engine: object, expected: object) -> str:
    return f"{what}: engine {engine}, referee {expected}\n{batch.replay(row)}"
