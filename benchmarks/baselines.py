"""Agents in every game, player count and option of the rules: `python -m benchmarks.baselines [--run runs/quick]`."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from basra_env import make
from tests.games.catalogue import GAMES
from train.evaluate import evaluate


def main() -> None:
    """Print the table in Markdown, and write the reports as JSON."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.baselines", description=__doc__)
    parser.add_argument("--deals", type=int, default=2000, help="decks, each played in every seating")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--run", action="append", default=[], help="a run folder or checkpoint of dananeer to add")
    parser.add_argument("--json", type=Path, help="where to write the reports")
    options = parser.parse_args()
    reports = []
    print("| game | agent | against | points a round | 95 % interval | won | drawn | lost |")
    print("|---|---|---|---:|---|---:|---:|---:|")
    for name, fields in GAMES:
        label = ", ".join([name, *(f"{field}={value}" for field, value in fields.items())])
        agents = [*(options.run if label == "dananeer" else []), "greedy", "random"]
        report = evaluate(make(name, **fields), agents, options.deals, options.seed)
        reports.append(report)
        for pair in report["pairs"]:
            low, high = pair["ci95"]
            shares = " | ".join(f"{100 * pair[key]:.1f} %" for key in ("win", "draw", "loss"))
            print(
                f"| {label} | {pair['a']} | {pair['b']} | {pair['mean']:+.2f} | {low:+.2f} to {high:+.2f} | {shares} |"
            )
    if options.json:
        options.json.write_text(json.dumps(reports, indent=1) + "\n")


if __name__ == "__main__":
    main()
