"""A game of six cards and three tricks, all of it public once dealt, so that its value is known by minimax.

The eldest leads, the higher card takes the trick and a point, and its player leads to the next. It shows that the
core, the wrappers and the trainer ask no more of a game than its `Family`, and gives learners something to be held to.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from basra_env.core.bits import lowest, write_plane
from basra_env.core.cards import Pack, members
from basra_env.core.chance import next_word
from basra_env.core.dispatch import Kernels, register
from basra_env.core.game import Family
from basra_env.core.jit import kernel
from basra_env.core.match import target_reached
from basra_env.core.parameters import Parameters, flag, integer
from basra_env.core.position import Position
from basra_env.core.record import record_dtype
from basra_env.core.spec import Layout, Spec

CARDS = 6
EMPTY = -1


class Rules(NamedTuple):
    """Two seats, played to a target."""

    players: int = 2
    teams: int = 0
    target: int = 3


RECORD = record_dtype(CARDS, CARDS, [("hands", np.int64, (2,)), ("gone", np.int64, ()), ("lead", np.int8, ())])
LAYOUT = Layout(
    [
        ("hand", (CARDS,), 1, "own hand"),
        ("gone", (CARDS,), 1, "cards played, the one led too"),
        ("lead", (CARDS,), 1, "the card led"),
        ("preview", (CARDS, 1), 1, "of each playable card: 1 if it takes the trick"),
    ]
)


@kernel
def deal(s, rules):
    s["ply"] = 0
    s["round_over"] = 0
    s["gone"] = 0
    s["lead"] = EMPTY
    for seat in range(2):
        s["hands"][seat] = 0
        s["points"][seat] = 0
    eldest = 1 - int(s["dealer"])
    for place in range(CARDS):
        s["hands"][eldest ^ (place & 1)] |= 1 << int(s["deck"][place])
    s["cursor"] = CARDS
    s["to_play"] = eldest


@kernel
def apply(s, action, rules):
    seat = int(s["to_play"])
    s["hands"][seat] &= ~(1 << action)
    s["gone"] |= 1 << action
    if s["lead"] == EMPTY:
        s["lead"] = action
        s["to_play"] = 1 - seat
        return
    winner = seat if action > s["lead"] else 1 - seat
    s["points"][winner] += 1
    s["lead"] = EMPTY
    s["to_play"] = winner
    if s["hands"][0] == 0:
        for side in range(2):
            s["scores"][side] += s["points"][side]
        s["rounds"] += 1
        s["round_over"] = 1
        s["match_over"] = target_reached(s["scores"], 2, rules.target)
        s["to_play"] = -1


@kernel
def legal(s, rules):
    return int(s["hands"][s["to_play"]]) if s["to_play"] >= 0 else 0


@kernel
def observe(s, seat, rules, out):
    for place in range(out.shape[0]):
        out[place] = 0
    write_plane(int(s["hands"][seat]), out, 0, CARDS)
    write_plane(int(s["gone"]), out, CARDS, CARDS)
    if s["lead"] != EMPTY:
        out[2 * CARDS + int(s["lead"])] = 1
        hand = int(s["hands"][seat])
        while hand:
            card = lowest(hand)
            hand &= hand - 1
            out[3 * CARDS + card] = card > s["lead"]


@kernel
def reveal(s, seat, rules, out):
    write_plane(int(s["hands"][1 - seat]), out, 0, CARDS)


@kernel
def resample(s, seat, rules, rng, scratch):
    pass


@kernel
def decide(s, policy, rules, rng):
    cards = legal(s, rules)
    if next_word(rng) & 1 and cards & (cards - 1):
        cards &= cards - 1
    return lowest(cards)


def spec(rules):
    return Spec(
        players=2, cards=tuple(range(CARDS)), num_actions=CARDS, obs_size=LAYOUT.size, state_size=LAYOUT.size + CARDS, state_high=1, sides=(0, 1),
        max_plies=CARDS, max_legal=3, points_bound=3, layout=LAYOUT,
    )  # fmt: skip


def read_position(s: Any, rounds: list[tuple[int, ...]], rules: Rules) -> Position:
    hands = tuple(PACK.texts(members(hand)) for hand in s["hands"])
    return Position(
        hands=hands, floor=(), piles=(), stock=(), to_play=None if s["to_play"] < 0 else int(s["to_play"]),
        dealer=int(s["dealer"]), points=tuple(map(int, s["points"][:2])), scores=tuple(map(int, s["scores"][:2])),
        rounds=tuple(rounds), round_over=bool(s["round_over"]), match_over=bool(s["match_over"]),
    )  # fmt: skip


PACK = Pack("A23456", "S")
PARAMETERS = Parameters(integer("players", 2, 2, ""), flag("teams", ""), integer("target", 1, 99, ""))
register(Rules, Kernels(deal, apply, legal, observe, resample, reveal, decide))
TINY = Family(
    name="tiny", variants={"tiny": Rules()}, parameters=PARAMETERS,
    rules_of=lambda name, fields: PARAMETERS.replaced(Rules(), fields), spec=spec, pack=PACK, record=RECORD, policies=("random",),
    read_position=read_position, write_position=lambda s, position, rules: None, decode=lambda obs, rules: {},
)  # fmt: skip


@cache
def value(own: int, other: int, lead: int) -> int:
    """Points of the seat to play less the other's, from here on, both playing their best."""
    return max((worth(own, other, lead, card) for card in members(own)), default=0)


def worth(own: int, other: int, lead: int, card: int) -> int:
    """The same after playing `card`."""
    rest = own & ~(1 << card)
    if lead == EMPTY:
        return -value(other, rest, card)
    return 1 + value(rest, other, EMPTY) if card > lead else -1 - value(other, rest, EMPTY)


class Perfect:
    """Plays by minimax."""

    name = "perfect"

    def act(self, turn):
        view = {name: LAYOUT.view(turn.obs, name) for name in ("hand", "gone", "lead")}
        actions = []
        for hand, gone, lead in zip(view["hand"], view["gone"], view["lead"], strict=True):
            own = sum(1 << int(card) for card in np.flatnonzero(hand))
            other = sum(1 << card for card in range(CARDS)) & ~own & ~sum(1 << int(c) for c in np.flatnonzero(gone))
            led = int(lead.argmax()) if lead.any() else EMPTY
            actions.append(max(members(own), key=lambda card: worth(own, other, led, card)))
        return np.array(actions)
