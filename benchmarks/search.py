"""How fast search thinks: `python -m benchmarks.search`. One core, best of five, the CPU named.

Roll-outs of `greedy` to the end of the round, from positions with about 24 plies left, through the agent's own code, its
worlds imagined anew for each; and the exact solution of a last packet, all its cards. Beside them the same rounds played to
their end by a batch with `greedy` in every seat, nothing imagined, observations and rewards written.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np

from agents.base import Turn
from agents.pimc import Pimc
from agents.solver import UNSOLVED, action_values
from basra_env import GameBatch, games, make
from benchmarks.speed import best, processor

WORLDS = 100
LEFT = 24


def half_played(name: str, num_envs: int) -> GameBatch:
    """Rounds between `greedy` players with about LEFT plies to go, or half the round where it is shorter."""
    batch = GameBatch(make(name), num_envs, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    plies = count_decisions(name)
    for _ in range(max(plies - LEFT, plies // 2)):
        rows = np.flatnonzero(batch.slots.to_play >= 0)
        batch.step(batch.decide("greedy", rngs[rows], rows), rows)  # `greedy` draws nothing
    return batch


def count_decisions(name: str) -> int:
    """Of one round."""
    batch = GameBatch(make(name), 1, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while batch.slots.to_play[0] >= 0:
        batch.step(batch.decide("greedy", rngs))
    return int(batch._state["ply"][0])


def roll_outs(batch: GameBatch) -> Callable[[], int]:
    """Work that plays every action of each game in WORLDS worlds to the end of the round."""
    rows = np.flatnonzero(batch.slots.to_play >= 0)
    turn = Turn.of(batch, rows, rows)
    agent = Pimc(worlds=WORLDS, horizon=0, threads=1)
    choices = turn.action_mask.sum(1)
    made = int(choices[choices > 1].sum()) * WORLDS

    def work() -> int:
        agent.values(turn)
        return made

    return work


def play_outs(batch: GameBatch) -> Callable[[], int]:
    """Work that lets a batch play the same rounds to their end, everything written."""
    rows = np.flatnonzero(batch.slots.to_play >= 0)
    snap = batch.clone(rows)
    learners = np.full(len(rows), -1, np.int8)
    policies = np.full((len(rows), batch.game.spec.players), batch.game.family.policies.index("greedy"), np.int8)
    played = GameBatch(batch.game, len(rows), seed=0, autoreset=False)
    rngs, nothing = played.player_generators(0), np.full(len(rows), -1)

    def work() -> int:
        for _ in range(20):
            played.restore(snap)
            played.advance(nothing, learners, policies, rngs)
        return 20 * len(rows)

    return work


def last_packets(name: str, num_envs: int) -> Callable[[], int] | None:
    """Work that solves the first decision without hidden cards of many rounds; None where there is none."""
    batch = GameBatch(make(name), num_envs, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while (batch.slots.to_play >= 0).any() and not batch.all_known().all():
        rows = np.flatnonzero((batch.slots.to_play >= 0) & ~batch.all_known())
        chosen = rngs[rows]
        batch.step(batch.decide("greedy", chosen, rows), rows)
        rngs[rows] = chosen
    if not batch.all_known().all():
        return None
    turn = Turn.of(batch, np.arange(num_envs), np.arange(num_envs))
    assert (action_values(turn).max(1) > UNSOLVED).all()

    def work() -> int:
        action_values(turn)
        return num_envs

    return work


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.search", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=games(), action="append", help="only these games")
    parser.add_argument("--games-at-once", type=int, default=200, help="positions")
    options = parser.parse_args()
    print(f"{processor()}, one thread, best of five\n")
    print("| game | roll-outs a second | rounds played on by a batch | microseconds a last packet |")
    print("|---|---:|---:|---:|")
    for name in options.game or games():
        batch = half_played(name, options.games_at_once)
        searched, played = roll_outs(batch), play_outs(batch)
        searched(), played()  # compiled
        solved = last_packets(name, 2 * options.games_at_once)
        microseconds = f"{1e6 / best(solved):.1f}" if solved else "-"
        print(f"| `{name}` | {best(searched):,.0f} | {best(played):,.0f} | {microseconds} |", flush=True)


if __name__ == "__main__":
    main()
