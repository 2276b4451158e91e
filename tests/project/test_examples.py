"""Each example runs, in a short form, as a user would run it."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_maskable_ppo_trains_and_is_evaluated():
    words = ["--total-timesteps", "1536", "--num-envs", "4", "--num-steps", "96", "--deals", "20"]
    done = subprocess.run(
        [sys.executable, "examples/sb3_maskable_ppo.py", *words],
        capture_output=True, text=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    told = re.findall(r"(before|after): ([+-][\d.]+) points a round against (random|greedy)", done.stdout)
    assert [(moment, name) for moment, _, name in told] == [
        (m, n) for m in ("before", "after") for n in ("random", "greedy")
    ]
    assert "total_timesteps" in done.stdout
