"""How kernels are compiled, and where their machine code is kept.

Numba's own disk cache looks at the file of the cached function alone: edit a kernel in another file and the old
rules would run silently. So the cache folder is named by a digest of every source file that compiled code can
come from. `NUMBA_DISABLE_JIT=1` leaves plain Python functions, for debugging and coverage.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

DISABLED = bool(numba.config.DISABLE_JIT)

_PACKAGE = Path(__file__).resolve().parents[1]
# Kernels own no memory, all arrays are their callers'. So numba's reference counts are left out (`_nrt`): counting each
# cut-out row up and down took a third of the time of a step. A kernel that allocates does not compile.
OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: F) -> F:
    """Compile a function that only compiled code calls: it lives inside the machine code of its callers."""
    return cast("F", numba.njit(**OPTIONS)(function))


def inlined_kernel(function: F) -> F:
    """Compile a function into each of its callers: for short ones that every decision goes through.

    A call hands over the rules number by number, which can cost more than what is called. What is rare stays a `kernel`:
    every copy of it would lengthen compilation.
    """
    return cast("F", numba.njit(forceinline=True, **OPTIONS)(function))


def entry_point(function: F) -> F:
    """Compile a function that Python calls: lazily, once a family of games, kept on disk, without the GIL."""
    if DISABLED:
        return function
    folder = _cache_folder(Path(sys.modules[function.__module__].__file__ or __file__).resolve().parent)
    if folder is None:
        return kernel(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return cast("F", numba.njit(cache=True, **OPTIONS)(function))
    finally:
        numba.config.CACHE_DIR = before


@functools.cache
def _cache_folder(caller: Path) -> Path | None:
    """The folder for code of `caller`'s package; None where nothing can be written, so that nothing is kept."""
    sources = sorted(_PACKAGE.rglob("*.py"))
    if not caller.is_relative_to(_PACKAGE):
        sources += sorted(caller.rglob("*.py"))
    digest = hashlib.sha256(f"bounds checks: {numba.config.BOUNDSCHECK}".encode())  # numba's own key leaves it out
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    root = Path(numba.config.CACHE_DIR or Path(home) / "basra_env")
    folder = root / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
