"""Decisions a second, beside the limit: `python -m benchmarks.speed`.

One thread, best of five, the CPU named. Random legal actions are chosen in compiled code, and everything is
written: observation with preview, mask, rewards, ends, auto-reset. The limit is the rate at which the same rows are
merely copied. Games are put out of step before they are timed, as they are in use, unless `--in-step` is given.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from basra_env import GameBatch, basra_v0, games, make

REPEATS = 5


def processor() -> str:
    """The CPU's own name where the system tells it."""
    try:
        names = [
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
    except OSError:
        names = []
    return f"{names[0] if names else platform.processor()}, {os.cpu_count()} cores"


def best(work: Callable[[], int]) -> float:
    """Most decisions a second of five tries; `work` returns how many it made."""
    rates = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        made = work()
        rates.append(made / (time.perf_counter() - start))
    return max(rates)


def batch_rates(name: str, num_envs: int, in_step: bool, decisions: int = 1_500_000) -> dict[str, float]:
    """Rates of a batch: with everything written, of choosing alone, and of copying the same rows."""
    batch = GameBatch(make(name), num_envs, seed=0)
    rngs = batch.player_generators(0)
    if not in_step:
        rng = np.random.default_rng(0)
        for _ in range(60):
            rows = np.flatnonzero(rng.random(num_envs) < 0.7)
            chosen = rngs[rows]
            batch.step(batch.decide("random", chosen, rows), rows)
            rngs[rows] = chosen
    steps = max(decisions // num_envs, 1)

    def play() -> int:
        for _ in range(steps):
            batch.step(batch.decide("random", rngs))
        return steps * num_envs

    def choose() -> int:
        for _ in range(steps):
            batch.decide("random", rngs)
        return steps * num_envs

    copied = np.empty_like(batch.slots.obs), np.empty_like(batch.slots.action_mask), np.empty_like(batch.slots.rewards)

    def copy() -> int:
        for _ in range(steps):
            np.copyto(copied[0], batch.slots.obs)
            np.copyto(copied[1], batch.slots.action_mask)
            np.copyto(copied[2], batch.slots.rewards)
        return steps * num_envs

    play()
    rates = {"play": best(play), "choose": best(choose), "copy": best(copy)}
    fresh = batch.observe(np.arange(num_envs), batch.slots.to_play)
    if not np.array_equal(fresh, batch.slots.obs):
        raise AssertionError("rows written while stepping differ from a fresh observe")
    return rates


def single_step_microseconds(name: str, steps: int = 20_000) -> float:
    """Microseconds of `step` on a batch of one, everything written; the choice of actions is not counted."""
    batch = GameBatch(make(name), 1, seed=0)
    tries = []
    for _ in range(REPEATS):
        spent = 0.0
        for _ in range(steps):
            actions = batch.slots.action_mask.argmax(1)
            start = time.perf_counter()
            batch.step(actions)
            spent += time.perf_counter() - start
        tries.append(spent / steps * 1e6)
    return min(tries)


def aec_rate(name: str, rounds: int = 200) -> float:
    """Decisions a second of the PettingZoo environment: `agent_iter`, `last`, `step`, `reset`."""
    env = basra_v0.env(variant=name)

    def play() -> int:
        made = 0
        for number in range(rounds):
            env.reset(seed=number)
            for _ in env.agent_iter():
                observation, _, terminated, _, _ = env.last()
                env.step(None if terminated else int(observation["action_mask"].argmax()))
                made += not terminated
        return made

    play()
    return best(play)


def start_seconds() -> tuple[float, float, float]:
    """Seconds of compiling all that stepping needs in an empty cache; then in new processes, with and without imports."""
    code = (
        "import time; a = time.perf_counter()\n"
        "import basra_env; b = time.perf_counter()\n"
        "batch = basra_env.GameBatch(basra_env.make('dananeer'), 4, seed=0)\n"
        "batch.step(batch.slots.action_mask.argmax(1)); c = time.perf_counter()\n"
        "print(c - a, c - b)"
    )
    with tempfile.TemporaryDirectory() as cache:
        env = {**os.environ, "NUMBA_CACHE_DIR": cache}
        outs = [
            [
                float(word)
                for word in subprocess.run(
                    [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env
                ).stdout.split()
            ]
            for _ in range(1 + REPEATS)
        ]
    return outs[0][1], min(out[0] for out in outs[1:]), min(out[1] for out in outs[1:])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--in-step", action="store_true", help="time games that are all at the same ply")
    parser.add_argument("--game", choices=games(), action="append", help="only these games")
    options = parser.parse_args()
    print(f"{processor()}; Python {platform.python_version()}; one thread, best of {REPEATS}\n")
    print("| game | games at once | decisions a second | choosing alone | copying the same rows |")
    print("|---|---:|---:|---:|---:|")
    names = options.game or games()
    for name in names:
        for num_envs in (1024, 4096):
            rates = batch_rates(name, num_envs, options.in_step)
            print(
                f"| {name} | {num_envs:,} | {rates['play'] / 1e6:.2f} M | {rates['choose'] / 1e6:.1f} M | {rates['copy'] / 1e6:.1f} M |"
            )
    print("\n| game | a step of one game | PettingZoo AEC |\n|---|---:|---:|")
    for name in names:
        print(f"| {name} | {single_step_microseconds(name):.2f} us | {aec_rate(name):,.0f} decisions a second |")
    cold, warm, loading = start_seconds()
    print(
        f"\ncompiling for the first time: {cold:.1f} s; a later process: {warm:.2f} s with all imports, {loading:.2f} s without"
    )


if __name__ == "__main__":
    main()
