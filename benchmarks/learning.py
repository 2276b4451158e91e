"""What five minutes of self-play learn in every game: `python -m benchmarks.learning [--minutes 5] [--game standard]`.

Each game is trained by its `configs/<game>/quick.yaml` into `runs/learning/<game>`, then its first checkpoint (the
network before training) and its last are measured against `random` and `greedy`, in points a round. Runs that are
finished already are only measured.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from basra_env import games, make
from train.evaluate import evaluate

PAIRS = (("greedy", "random"), ("trained", "random"), ("untrained", "random"), ("trained", "greedy"))


def train(name: str, run: Path, minutes: float) -> None:
    """Train by the game's quick recipe, unless the run is there."""
    if (run / "evaluation.json").exists():
        return
    command = ["--config", f"configs/{name}/quick.yaml", "--run-dir", str(run), "--max-minutes", str(minutes)]
    resume = ["--resume"] if (run / "checkpoints").is_dir() else []
    subprocess.run([sys.executable, "-m", "train.ppo", *command, *resume], check=True)


def measure(name: str, run: Path, deals: int, seed: int) -> dict[str, dict[str, object]]:
    """Each of `PAIRS` on the same decks."""
    first = min((run / "checkpoints").glob("[0-9]*"))
    agents = {"trained": str(run), "untrained": str(first), "greedy": "greedy", "random": "random"}
    told = {}
    for a, b in PAIRS:
        (told[f"{a} over {b}"],) = evaluate(make(name), [agents[a], agents[b]], deals, seed)["pairs"]
    return told


def main() -> None:
    """Train what is missing and print the table in Markdown."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learning", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5, help="of training for each game")
    parser.add_argument("--game", choices=games(), action="append", help="only these games")
    parser.add_argument("--deals", type=int, default=2000, help="decks, each played in every seating")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=Path("runs/learning"), help="where the runs are kept")
    options = parser.parse_args()
    print("| game | " + " | ".join(f"{a} over {b}" for a, b in PAIRS) + " |")
    print("|---|" + "---:|" * len(PAIRS))
    for name in options.game or games():
        run = options.folder / name
        train(name, run, options.minutes)
        told = measure(name, run, options.deals, options.seed)
        (run / "evaluation.json").write_text(json.dumps(told, indent=1) + "\n")
        cells = [f"{pair['mean']:+.2f} ({pair['ci95'][0]:+.2f} to {pair['ci95'][1]:+.2f})" for pair in told.values()]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
