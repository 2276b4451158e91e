"""The baselines in every game, player count and option of the rules: `python -m benchmarks.baselines [--game dananeer]`.

Each step of the ladder from `random` to search, on the same decks in every seating; search against search at equal time; and
the solver behind each agent against that agent alone, where two play.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from basra_env import make
from tests.games.catalogue import GAMES
from train.evaluate import evaluate

PIMC, ISMCTS = "pimc:worlds=100,rollout=greedy", "ismcts:iterations=400,rollout=greedy"
EXPERT = "pimc:worlds=100,rollout=tactician"
LADDER = (
    ("greedy", "random", 1.0),
    ("tactician", "greedy", 10.0),
    (PIMC, "greedy", 0.5),
    (PIMC, "tactician", 0.5),
    (EXPERT, "tactician", 0.25),
    ("ismcts:milliseconds=1,threads=1", "pimc:milliseconds=1,threads=1", 0.15),
)
"""(agent, against, share of the decks asked for): fewer where they think, more where they are close."""
SOLVED = (
    ("random+solver", "random", 1.0),
    ("greedy+solver", "greedy", 1.0),
    ("tactician+solver", "tactician", 1.0),
    (f"{PIMC}+solver", PIMC, 0.5),
    (f"{ISMCTS}+solver", ISMCTS, 0.5),
)


def row(label: str, report: dict[str, Any]) -> str:
    """The one pair of a report as a line of Markdown."""
    (pair,) = report["pairs"]
    low, high = pair["ci95"]
    shares = " | ".join(f"{100 * pair[key]:.1f} %" for key in ("win", "draw", "loss"))
    deals = f"{pair['deals']:,}"
    return f"| {label} | {pair['a']} | {pair['b']} | {deals} | {pair['mean']:+.2f} | {low:+.2f} to {high:+.2f} | {shares} |"


def main() -> None:
    """Print the table in Markdown, and write the reports as JSON."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.baselines", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", action="append", help="only these variants")
    parser.add_argument("--deals", type=int, default=2000, help="decks of a step, each played in every seating")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="where to write the reports")
    options = parser.parse_args()
    reports = []
    print("| game | agent | against | decks | points a round | 95 % interval | won | drawn | lost |")
    print("|---|---|---|---:|---:|---|---:|---:|---:|")
    for name, fields in GAMES:
        if options.game and name not in options.game:
            continue
        game = make(name, **fields)
        label = ", ".join([name, *(f"{field}={value}" for field, value in fields.items())])
        steps = LADDER + (SOLVED if game.spec.players == 2 and game.family.name != "topcard" else ())
        for a, b, share in steps:
            report = evaluate(game, [a, b], max(int(options.deals * share), 100), options.seed)
            reports.append(report)
            print(row(label, report), flush=True)
            if options.json:
                options.json.write_text(json.dumps(reports, indent=1) + "\n")


if __name__ == "__main__":
    main()
