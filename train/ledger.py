"""The decks of a table of agents, kept in a folder: an interrupted table goes on, and an agent more plays only its pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from train.decks import Decks

FILE = "decks.jsonl"


class Ledger:
    """One line of JSON for each stretch of decks that a pair has played, after one that says what is played."""

    def __init__(self, folder: Path, settings: Mapping[str, Any], agents: Mapping[str, str]) -> None:
        """Open a folder's table, or begin one.

        Args:
            folder: made if it is not there.
            settings: what all decks have in common; a table played with others is refused.
            agents: name -> what it stands for: a table that knows the name as something else is refused.

        Raises:
            ValueError: the folder holds another table, or no table.
            OSError: it cannot be written.
        """
        self.file = folder / FILE
        self._parts: dict[tuple[str, str], list[Decks]] = {}
        self._agents: dict[str, str] = {}
        folder.mkdir(parents=True, exist_ok=True)
        lines = self._whole_lines() if self.file.exists() else []
        if lines:
            self._check(lines[0], settings)
        else:
            self._write({"settings": dict(settings)})
        for line in lines[1:]:
            if "agent" in line:
                self._agents[line["agent"]] = line["is"]
            else:
                self._parts.setdefault((line["a"], line["b"]), []).append(Decks.from_json(line["decks"]))
        for name, what in agents.items():
            if self._agents.setdefault(name, what) != what:
                raise ValueError(
                    f"{name} is not what it was when the table in {folder} was played ({self._agents[name]}, now {what}): "
                    "name a checkpoint, or use another folder"
                )
            if not any(line.get("agent") == name for line in lines):
                self._write({"agent": name, "is": what})

    def decks(self, a: str, b: str) -> Decks | None:
        """Decks 0 to n - 1 of a pair, as far as they were played, whichever of the two was named first then."""
        if a != b and (b, a) in self._parts:
            return Decks.joined(self._parts[b, a]).swapped()
        parts = self._parts.get((a, b))
        return Decks.joined(parts) if parts else None

    def add(self, a: str, b: str, decks: Decks) -> None:
        """Keep the next decks of a pair; on return they are in the file."""
        if a != b and (b, a) in self._parts:
            a, b, decks = b, a, decks.swapped()
        self._parts.setdefault((a, b), []).append(decks)
        self._write({"a": a, "b": b, "decks": decks.to_json()})

    def _write(self, line: Mapping[str, Any]) -> None:
        with self.file.open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _whole_lines(self) -> list[dict[str, Any]]:
        """What the file says; a last line that was cut off is taken away."""
        text = self.file.read_text()
        whole = text[: text.rfind("\n") + 1]
        if whole != text:
            self.file.write_text(whole)
        try:
            lines: list[dict[str, Any]] = [json.loads(line) for line in whole.splitlines()]
        except json.JSONDecodeError as error:
            raise ValueError(f"{self.file} is no table of played decks ({error})") from error
        if lines and "settings" not in lines[0]:
            raise ValueError(f"{self.file} is no table of played decks: its first line has no settings")
        return lines

    def _check(self, first: Mapping[str, Any], settings: Mapping[str, Any]) -> None:
        for name, value in settings.items():
            had = first["settings"].get(name)
            if had != value:
                raise ValueError(
                    f"the table in {self.file.parent} was played with {name} {had}, not {value}: use another folder"
                )
