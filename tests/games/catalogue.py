"""Every game, player count and option that changes play: what laws, referees and wrappers are tested on."""

from __future__ import annotations

from typing import Any

Option = tuple[str, dict[str, Any]]

GAMES: list[Option] = [
    ("dananeer", {}),
    ("classic", {}),
    ("standard", {}),
    ("standard", {"players": 3}),
    ("standard", {"players": 4}),
    ("standard", {"players": 4, "teams": True}),
    ("egyptian", {}),
    ("egyptian", {"players": 4}),
    ("mini", {}),
    ("micro", {}),
    ("basra_io", {}),
    ("basra_io", {"jack": "plain"}),
    ("pishti", {}),
    ("pishti", {"players": 4}),
    ("briscola", {}),
    ("briscola", {"players": 4}),
    ("briscola", {"exchange": "free"}),
    ("briscola", {"exchange": "conditional"}),
    ("briscola", {"exchange": "free", "players": 4}),
    ("briscola", {"exchange": "conditional", "players": 4}),
]
"""The rule sets of rules.md."""

OPTIONS: list[Option] = [
    *GAMES,
    ("dananeer", {"players": 3}),
    ("dananeer", {"players": 4}),
    ("dananeer", {"players": 4, "teams": True}),
    ("dananeer", {"sweepers": "J", "barred": "J"}),
    ("dananeer", {"majority": 0, "target": 20}),
    ("dananeer", {"capture": "disjoint"}),
    ("standard", {"must_capture": "hand"}),
    ("standard", {"must_capture": "hand", "players": 3}),
    ("classic", {"players": 3}),
    ("classic", {"players": 4, "packet": 6, "first_floor": 4}),
    ("mini", {"must_capture": "hand", "majority_tied": "void"}),
    ("micro", {"majority_tied": "carry", "jack_on_jack": 20}),
    ("micro", {"majority_tied": "void", "capture": "disjoint"}),
    ("micro", {"suits": "C", "target": 20}),  # in every sixth round nobody captures
    ("basra_io", {"players": 2}),
    ("pishti", {"redeal": 2}),
    ("pishti", {"jack": "plain", "jokers": 2, "hidden": 5, "barred": "none"}),
]
"""And fields of theirs that change play."""


SMALL: list[Option] = [
    ("dananeer", {}),
    ("standard", {"must_capture": "hand", "players": 3}),
    ("micro", {}),
    ("basra_io", {}),
    ("pishti", {}),
    ("briscola", {"exchange": "free"}),
]
"""What is run without the compiler too, where it takes a hundred times as long: a game or two of each family."""


def game_id(option: Option) -> str:
    """For names of tests."""
    name, fields = option
    return name + "".join(f"-{key}={value}" for key, value in fields.items())
