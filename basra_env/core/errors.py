"""The errors users meet, and the sentence that helps them on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class IllegalActionError(ValueError):
    """An action that the rules do not allow. Nothing has changed when it is raised."""


class MissingExtraError(ImportError):
    """An optional package is not installed; the message names the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"this needs {package}, which is not installed: pip install 'basra-env[{extra}]'", name=package
        )


def unknown(what: str, given: object, known: Iterable[object]) -> str:
    """Say that `given` is no known `what`, name the nearest one, and list them all."""
    names = [str(name) for name in known]
    near = difflib.get_close_matches(str(given), names, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    return f"unknown {what} {given!r}{hint} Known: {', '.join(names)}."
