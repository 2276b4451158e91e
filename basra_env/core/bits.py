"""Card sets as bit sets in int64: counting, walking and writing them out as bytes.

A set of at most 54 cards fits a signed 64-bit integer with room to spare; one signed type spares every mix of
signed and unsigned that compiled and interpreted code would read differently.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from basra_env.core.jit import DISABLED, kernel

CardSet = int

BYTES_OF = np.array([[(byte >> bit) & 1 for bit in range(8)] for byte in range(256)], dtype=np.uint8)
"""uint8 (256, 8): row b holds the eight bits of b, lowest first, one byte each."""

if DISABLED:

    def popcount(cards: CardSet) -> int:
        """Number of cards in the set."""
        return int(cards).bit_count()

    def lowest(cards: CardSet) -> int:
        """Lowest card id of a non-empty set."""
        return (int(cards) & -int(cards)).bit_length() - 1

    def highest(cards: CardSet) -> int:
        """Highest card id of a non-empty set."""
        return int(cards).bit_length() - 1

else:

    def _one_instruction(name: str, extra: tuple[Any, ...] = ()) -> Any:
        """An intrinsic int64 -> int64 that is one machine instruction: numba has no function for it."""

        def typer(context: Any, cards: Any) -> Any:
            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                word = ir.IntType(64)
                operands = [word, *[ir.IntType(1) for _ in extra]]
                function = builder.module.declare_intrinsic(name, [word], ir.FunctionType(word, operands))
                return builder.call(function, [args[0], *[ir.Constant(ir.IntType(1), value) for value in extra]])

            return types.int64(types.int64), codegen

        return typer

    popcount = intrinsic(_one_instruction("llvm.ctpop"))
    lowest = intrinsic(_one_instruction("llvm.cttz", (True,)))
    _leading_zeros = intrinsic(_one_instruction("llvm.ctlz", (True,)))

    @kernel
    def highest(cards: CardSet) -> int:
        """Highest card id of a non-empty set."""
        return int(63 - _leading_zeros(cards))


@kernel
def nth_card(cards: CardSet, n: int) -> int:
    """Card id of the `n`-th card of the set, counted from 0 upwards."""
    for _ in range(n):
        cards &= cards - 1
    return lowest(cards)


@kernel
def write_plane(cards: CardSet, out: np.ndarray, at: int, size: int) -> None:
    """Write the set as `size` bytes of 0 and 1, one a card id, from `out[at]` on: eight at a time.

    The stretch is cut out first: indices counted from zero need no test for being negative, which would cost more
    than the writing.
    """
    plane = out[at : at + size]
    for word in range(size >> 3):
        row = (cards >> (8 * word)) & 255
        for bit in range(8):
            plane[8 * word + bit] = BYTES_OF[row, bit]
    for card in range(size & ~7, size):
        plane[card] = (cards >> card) & 1
