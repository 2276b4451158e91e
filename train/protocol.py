"""Frozen benchmarks that papers can cite: named decks, opponents and measures that stay what they are.

A protocol is a file beside this one, written once. It holds digests of all that its numbers depend on: the decks of a game,
what a seat sees of them, and how each opponent plays them. Whoever measures with a version of this package that deals, shows
or plays otherwise is told so instead of getting numbers that only look alike. `docs/benchmark.md` says how to report it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from agents.registry import make_agent
from basra_env import Game, GameBatch, make
from basra_env.core.errors import unknown
from train.decks import deck_seeds, play_decks

FOLDER = Path(__file__).parent / "protocols"
_PROBES = 10
"""Decks that each opponent plays against `random` for its digest."""


@dataclass(frozen=True)
class Protocol:
    """One game of a frozen benchmark.

    Attributes:
        name: of the benchmark, with its version.
        game: what is played, by all its rules.
        opponents: agents by name and options, weakest first.
        deals: decks of each pair.
        seed: of the decks.
        episode: "round" or "match".
    """

    name: str
    game: Game
    opponents: tuple[str, ...]
    deals: int
    seed: int
    episode: Literal["round", "match"]

    @classmethod
    def load(cls, name: str, game: str) -> Protocol:
        """The part of the protocol `name` for the variant `game`.

        Raises:
            ValueError: an unknown protocol or game; or this version deals, shows or plays otherwise than it says.
        """
        names = sorted(path.stem for path in FOLDER.glob("*.json"))
        if name not in names:
            raise ValueError(unknown("protocol", name, names))
        every = json.loads((FOLDER / f"{name}.json").read_text())["games"]
        if game not in every:
            raise ValueError(unknown(f"game of {name}", game, every))
        told = every[game]
        protocol = cls(
            name, make(game, **told["rules"]), tuple(told["opponents"]), told["deals"], told["seed"], told["episode"]
        )
        for what, digest in protocol.digests().items():
            if told["digests"].get(what) != digest:
                raise ValueError(
                    f"{what} of {game} are not those of {name} in this version of basra-env, so its numbers would not be "
                    f"comparable: measure with a version that has them, or by a newer protocol"
                )
        return protocol

    def digests(self) -> dict[str, str]:
        """What the numbers depend on, each as a digest."""
        batch = GameBatch(self.game, self.deals, seed=0, episode=self.episode, autoreset=False)
        batch.reset(seed=deck_seeds(self.seed, 0, self.deals))
        cards = batch._state["deck"][:, : len(self.game.spec.cards)]
        found = {
            "decks": _digest(cards, batch._state["dealer"]),
            "observations": _digest(batch.slots.obs),
        }
        uniform = make_agent("random", self.game)
        for name in self.opponents:
            probe = play_decks(self.game, make_agent(name, self.game), uniform, 0, _PROBES, self.seed)
            found[f"the plays of {name}"] = _digest(probe.differences, probe.basras, probe.cards)
        return found


def _digest(*arrays: np.ndarray) -> str:
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array.astype("<f8")).tobytes())
    return digest.hexdigest()[:16]


def freeze(name: str, deals: int, seed: int, opponents: tuple[str, ...], variants: tuple[str, ...]) -> dict[str, Any]:
    """The file of a new protocol."""
    games = {}
    for variant in variants:
        protocol = Protocol(name, make(variant), opponents, deals, seed, "round")
        games[variant] = {
            "rules": protocol.game.fields(), "episode": protocol.episode, "deals": deals, "seed": seed,
            "opponents": list(opponents), "digests": protocol.digests(),
        }  # fmt: skip
    return {"name": name, "games": games}


V1 = (
    "random",
    "greedy",
    "tactician",
    "pimc:worlds=100,rollout=greedy,caution=1",
    "ismcts:iterations=400,rollout=greedy,exploration=20,patience=30",
)
"""The opponents of basra-bench-v1."""
V1_GAMES = ("dananeer", "classic", "standard", "egyptian", "basra_io", "pishti", "briscola")


def main() -> None:
    """Write the file of a protocol that is not there yet."""
    parser = argparse.ArgumentParser(prog="python -m train.protocol", description=__doc__)
    parser.add_argument("name", help="with its version, for example basra-bench-v2")
    parser.add_argument("--deals", type=int, default=2000, help="decks of each pair")
    parser.add_argument("--seed", type=int, default=20261130, help="of the decks")
    parser.add_argument("--opponent", action="append", help="agents by name and options, weakest first")
    options = parser.parse_args()
    path = FOLDER / f"{options.name}.json"
    if path.exists():
        sys.exit(f"error: {path} is frozen: a change makes a new version, under another name")
    FOLDER.mkdir(exist_ok=True)
    told = freeze(options.name, options.deals, options.seed, tuple(options.opponent or V1), V1_GAMES)
    path.write_text(json.dumps(told, indent=1) + "\n")


if __name__ == "__main__":
    main()
