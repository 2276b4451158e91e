"""The tables of the games' pages, from `Rules`, `Spec` and `Layout`: `python docs/tables.py` writes them, `--check` looks.

A page `docs/games/<name>.md` marks where each table goes; everything between its marks is written anew.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from basra_env import Game, games, make

PAGES = Path(__file__).parent / "games"


def rows(head: Iterable[str], body: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    lines = [list(head)]
    lines += [["---"] * len(lines[0]), *([str(cell) for cell in line] for line in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def parameters(game: Game) -> str:
    """Every field of the rules: its value in this variant, what may be written for it, what it means."""
    values = game.fields()
    return rows(
        ("parameter", game.name, "values", "meaning"),
        (
            (
                f"`{name}`",
                f"`{str(values[name]).lower() if isinstance(values[name], bool) else values[name]}`",
                field.values,
                field.meaning,
            )
            for name, field in game.family.parameters.items()
        ),
    )


def actions(game: Game) -> str:
    """What each action id is."""
    size = game.family.pack.size
    examples = ", ".join(f"{card} `{game.card_text(card)}`" for card in (*game.spec.cards[:2], game.spec.cards[-1]))
    lines: list[tuple[object, object]] = [
        (f"0 to {min(size, game.spec.num_actions) - 1}", f"the card of that id: {examples}")
    ]
    lines += [(size + number, name) for number, name in enumerate(game.family.extra_actions)]
    return rows(("action", "meaning"), lines)


def sizes(game: Game) -> str:
    """The numbers of the spec, for each number of players that the game seats and each option that changes them."""
    told = []
    for players in (2, 3, 4):
        usual = _sizes(game.name, players=players)
        if usual is None:
            continue
        told.append({"players": players, "with": "", **usual})
        for name, value in options(game):
            changed = _sizes(game.name, players=players, **{name: value})
            if changed not in (None, usual):
                told.append({"players": players, "with": f"`{name}={value}`", **changed})
    return rows(told[0], [line.values() for line in told])


def options(game: Game) -> list[tuple[str, object]]:
    """Fields that take one of a few values, with each of these."""
    found: list[tuple[str, object]] = []
    for name, field in game.family.parameters.items():
        found += [(name, word) for word in re.findall(r'"([^"]+)"', field.values)]
        found += [(name, value) for value in (True, False) if field.values == "true, false"]
    return found


def _sizes(name: str, **fields: object) -> dict[str, object] | None:
    """None where the game has no such option."""
    try:
        spec = make(name, **fields).spec
    except ValueError:
        return None
    return {
        "sides": spec.num_sides,
        "cards": len(spec.cards),
        "actions": spec.num_actions,
        "bytes of an observation": spec.obs_size,
        "bytes of a state": spec.state_size,
        "decisions a round, at most": spec.max_plies,
        "a match adds up": spec.match_unit,
    }


def observation(game: Game) -> str:
    """Every field of an observation."""
    return rows(
        ("field", "bytes", "shape", "up to", "meaning"),
        (
            (
                f"`{name}`",
                f"{field.start} to {field.stop - 1}",
                "x".join(map(str, field.shape)) or "1",
                field.high,
                field.meaning,
            )
            for name, field in game.spec.layout.items()
        ),
    )


def columns(game: Game) -> str:
    """What each place of the last axis tells, in fields where they differ."""
    return rows(
        ("field", "place", "name", "meaning"),
        (
            (f"`{name}`", place, f"`{column}`", meaning)
            for name, field in game.spec.layout.items()
            for place, (column, meaning) in enumerate(field.columns)
        ),
    )


TABLES: dict[str, Callable[[Game], str]] = {
    "parameters": parameters,
    "actions": actions,
    "sizes": sizes,
    "observation": observation,
    "columns": columns,
}

NEW_PAGE = """# {name}

Say here what is particular to `{name}`, and where the rules of its family are. Each parameter is a keyword of
`basra_env.make("{name}", ...)` and of every environment.

## Readings (R)

| clause | reading | parameter |
|---|---|---|
| what the published rules leave open | how it is played here | `the field that changes it` |

"""
"""What a page starts from; the tables follow."""


def page(name: str, text: str) -> str:
    """The text of a page with its tables written anew.

    Raises:
        ValueError: a table that the page does not mark.
    """
    game = make(name)
    for table, write in TABLES.items():
        marked = re.compile(rf"(<!-- {table} -->\n).*?(<!-- end -->)", re.DOTALL)
        place = marked.search(text)
        if place is None:
            raise ValueError(f"{name}.md has no place for its {table}: expected <!-- {table} --> ... <!-- end -->")
        text = f"{text[: place.end(1)]}{write(game)}\n{text[place.start(2) :]}"
    return text


def new_page(name: str) -> str:
    """A page to be filled in, with a place for each table."""
    places = (f"## {table.capitalize()}\n\n<!-- {table} -->\n<!-- end -->\n" for table in TABLES)
    return NEW_PAGE.format(name=name) + "\n".join(places)


def main() -> None:
    """Write or check every page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing; fail if a page is out of date")
    options = parser.parse_args()
    stale = []
    for name in games():
        path = PAGES / f"{name}.md"
        before = path.read_text() if path.exists() else new_page(name)
        after = page(name, before)
        if after != before or not path.exists():
            stale.append(path.name)
            if not options.check:
                path.write_text(after)
    if options.check and stale:
        sys.exit(f"out of date: {', '.join(stale)}; run `make docs`")
    print(f"{'out of date' if options.check else 'written'}: {', '.join(stale) or 'nothing'}")  # noqa: T201 a command


if __name__ == "__main__":
    main()
