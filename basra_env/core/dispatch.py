"""Kernels found by the type of `rules`.

A game registers its kernels under the class of its rules, a NamedTuple of numbers. Compiled callers then reach
them through the functions below, chosen while compiling: no function is passed as an argument, which would cost
ten times the call and defeat the disk cache. Without the compiler the same functions look the kernel up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from types import ModuleType
from typing import Any

import numpy as np
from numba.extending import overload

from basra_env.core.jit import OPTIONS
from basra_env.core.match import never_known, points_so_far


@dataclass(frozen=True)
class Kernels:
    """The kernels of one game, plain functions over one record `s` and its `rules`.

    Attributes:
        deal: `(s, rules)` takes what chance gives next from `s["deck"]` and reads nothing beyond it; ends with the
            seat to play, or with CHANCE and cursor 0 where the deal does not stand and the pack is shuffled again.
        apply: `(s, action, rules)` plays for `s["to_play"]`; ends with the next seat, CHANCE or TERMINAL, the
            round and the match scored; draws no random number.
        legal: `(s, rules) -> int64` set of legal actions, empty exactly when the round is over.
        observe: `(s, seat, rules, out)` writes what `seat` may know into `out`: uint8 (O,).
        resample: `(s, seat, rules, rng, scratch)` replaces in place all that `seat` cannot know, but for the generator;
            `scratch`: int8 (3, D) to work in, D cards in the deck.
        reveal: `(s, seat, rules, out)` writes what `observe` may not: with it the whole state is known.
        decide: `(s, policy, rules, rng) -> int64` what a built-in policy plays for `s["to_play"]`, using only
            what that seat may know; `policy` is an index into the family's `policies`.
        standing: `(s, side, rules) -> int64` what rewards and winners go by: points, unless a match counts rounds won.
        outlook: `(s, side, rules) -> float` what `standing` may be expected to be at the end of the round, judged by what lies
            there: search that does not play a round to its end goes by it; at the end it is `standing`.
        all_known: `(s, rules) -> bool` True where each of two seats that remember knows all cards, and chance has no
            part any more in this round: the end can be solved.
    """

    deal: Callable[..., None]
    apply: Callable[..., None]
    legal: Callable[..., int]
    observe: Callable[..., None]
    resample: Callable[..., None]
    reveal: Callable[..., None]
    decide: Callable[..., int]
    standing: Callable[..., int] = points_so_far
    outlook: Callable[..., float] = points_so_far
    all_known: Callable[..., bool] = never_known

    @classmethod
    def of(cls, *modules: ModuleType) -> Kernels:
        """The kernels of a game whose modules have them under these names."""
        names = [field.name for field in fields(cls)]
        return cls(**{name: vars(module)[name] for module in modules for name in names if name in vars(module)})


_BY_RULES: dict[type, Kernels] = {}


def register(rules: type, kernels: Kernels) -> None:
    """Make `kernels` those of every game whose rules are of class `rules`."""
    _BY_RULES[rules] = kernels


def deal(s: np.void, rules: Any) -> None:
    """`Kernels.deal` of the game of `rules`."""
    _BY_RULES[type(rules)].deal(s, rules)


def apply(s: np.void, action: int, rules: Any) -> None:
    """`Kernels.apply` of the game of `rules`."""
    _BY_RULES[type(rules)].apply(s, action, rules)


def legal(s: np.void, rules: Any) -> int:
    """`Kernels.legal` of the game of `rules`."""
    return _BY_RULES[type(rules)].legal(s, rules)


def observe(s: np.void, seat: int, rules: Any, out: np.ndarray) -> None:
    """`Kernels.observe` of the game of `rules`."""
    _BY_RULES[type(rules)].observe(s, seat, rules, out)


def resample(s: np.void, seat: int, rules: Any, rng: np.ndarray, scratch: np.ndarray) -> None:
    """`Kernels.resample` of the game of `rules`."""
    _BY_RULES[type(rules)].resample(s, seat, rules, rng, scratch)


def reveal(s: np.void, seat: int, rules: Any, out: np.ndarray) -> None:
    """`Kernels.reveal` of the game of `rules`."""
    _BY_RULES[type(rules)].reveal(s, seat, rules, out)


def decide(s: np.void, policy: int, rules: Any, rng: np.ndarray) -> int:
    """`Kernels.decide` of the game of `rules`."""
    return _BY_RULES[type(rules)].decide(s, policy, rules, rng)


def standing(s: np.void, side: int, rules: Any) -> int:
    """`Kernels.standing` of the game of `rules`."""
    return _BY_RULES[type(rules)].standing(s, side, rules)


def outlook(s: np.void, side: int, rules: Any) -> float:
    """`Kernels.outlook` of the game of `rules`."""
    return _BY_RULES[type(rules)].outlook(s, side, rules)


def all_known(s: np.void, rules: Any) -> bool:
    """`Kernels.all_known` of the game of `rules`."""
    return _BY_RULES[type(rules)].all_known(s, rules)


def _body(rules: Any, name: str) -> Any:
    """The kernel's own function, to be compiled in the caller's place: one layer less than a function that calls it."""
    return getattr(_BY_RULES[rules.instance_class], name).py_func


@overload(deal, jit_options=OPTIONS, strict=False)
def _deal(s: Any, rules: Any) -> Any:
    return _body(rules, "deal")


@overload(apply, jit_options=OPTIONS, strict=False)
def _apply(s: Any, action: Any, rules: Any) -> Any:
    return _body(rules, "apply")


@overload(legal, jit_options=OPTIONS, strict=False)
def _legal(s: Any, rules: Any) -> Any:
    return _body(rules, "legal")


@overload(observe, jit_options=OPTIONS, strict=False)
def _observe(s: Any, seat: Any, rules: Any, out: Any) -> Any:
    return _body(rules, "observe")


@overload(resample, jit_options=OPTIONS, strict=False)
def _resample(s: Any, seat: Any, rules: Any, rng: Any, scratch: Any) -> Any:
    return _body(rules, "resample")


@overload(reveal, jit_options=OPTIONS, strict=False)
def _reveal(s: Any, seat: Any, rules: Any, out: Any) -> Any:
    return _body(rules, "reveal")


@overload(decide, jit_options=OPTIONS, strict=False)
def _decide(s: Any, policy: Any, rules: Any, rng: Any) -> Any:
    return _body(rules, "decide")


@overload(standing, jit_options=OPTIONS, strict=False)
def _standing(s: Any, side: Any, rules: Any) -> Any:
    return _body(rules, "standing")


@overload(outlook, jit_options=OPTIONS, strict=False)
def _outlook(s: Any, side: Any, rules: Any) -> Any:
    return _body(rules, "outlook")


@overload(all_known, jit_options=OPTIONS, strict=False)
def _all_known(s: Any, rules: Any) -> Any:
    return _body(rules, "all_known")
