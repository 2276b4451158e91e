# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Compare policies
#
# A training run read back from its folder: how it learned, how its checkpoints fare against each other and against
# the baselines, and one round with what the policy thought at each decision.
#
# Train one first: `make train`. Another folder is named by the environment variable `RUN_DIR`.

# %%
import json
import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from agents.base import Turn
from agents.registry import make_agent
from basra_env import GameBatch, make
from basra_env.render.text import pretty
from train.config import load_config
from train.evaluate import evaluate

root = Path.cwd() if Path("runs").exists() else Path.cwd().parent
run = Path(os.environ.get("RUN_DIR", root / "runs" / "quick"))
deals = int(os.environ.get("DEALS", "300"))
config = load_config(run / "config.yaml")
game = make(config.game, **config.rules)
game.name, game.fields()

# %% [markdown]
# ## How it learned
#
# Points a round against the baselines, measured during training on the same decks each time. The learner never
# trains against them.

# %%
metrics = pd.read_csv(run / "metrics.csv").set_index("step")
figure, axes = plt.subplots(1, 3, figsize=(13, 3.6), layout="constrained")
measured = metrics.filter(like="eval/").dropna()
for name, label in (("greedy", "against greedy"), ("random", "against random")):
    axes[0].plot(measured.index / 1e6, measured[f"eval/points_against_{name}"], label=label)
axes[0].axhline(0, color="grey", linewidth=0.8)
axes[0].set(title="points a round", xlabel="million decisions")
axes[0].legend()
axes[1].plot(metrics.index / 1e6, metrics["losses/entropy"])
axes[1].set(title="entropy of the policy, nats", xlabel="million decisions")
axes[2].plot(metrics.index / 1e6, metrics["losses/explained_variance"])
axes[2].set(title="variance of returns explained by the critic", xlabel="million decisions", ylim=(0, 1))
plt.show()

# %% [markdown]
# ## The cross table
#
# The first, a middle and the last checkpoint, `greedy` and `random`: every pair on the same decks in both seatings.
# It is what `python -m train.evaluate` writes for the same agents, decks and seed.

# %%
found = sorted((run / "checkpoints").glob("[0-9]*"))
chosen = [found[i] for i in sorted({0, len(found) // 2, len(found) - 1})]
report = evaluate(game, [*map(str, chosen), "greedy", "random"], deals)
labels = {str(path): f"{int(path.name) / 1e6:.1f} M decisions" for path in chosen}
names = [labels.get(name, name) for name in report["agents"]]
table = pd.DataFrame(0.0, index=names, columns=names)
for pair in report["pairs"]:
    a, b = (labels.get(pair[side], pair[side]) for side in ("a", "b"))
    table.loc[a, b], table.loc[b, a] = pair["mean"], -pair["mean"]
if "REPORT" in os.environ:
    Path(os.environ["REPORT"]).write_text(json.dumps(report))
table.round(1)

# %%
figure, axis = plt.subplots(figsize=(6.4, 5.2), layout="constrained")
reach = max(np.abs(table.to_numpy()).max(), 1)
axis.imshow(table, cmap="RdBu", vmin=-reach, vmax=reach)
axis.set_xticks(range(len(names)), names, rotation=30, ha="right")
axis.set_yticks(range(len(names)), names)
for (row, column), value in np.ndenumerate(table.to_numpy()):
    axis.text(
        column, row, f"{value:+.1f}", ha="center", va="center", color="white" if abs(value) > 0.6 * reach else "black"
    )
axis.set_title(f"points a round, row less column ({deals} decks)")
plt.show()

# %% [markdown]
# ## One round
#
# The last checkpoint plays both seats. For each decision: the floor, and how likely the policy found each card.

# %%
learner = make_agent(str(run), game)
batch = GameBatch(game, 1, seed=7, autoreset=False)
rows = []
while batch.slots.to_play[0] >= 0:
    position = batch.position()
    chances = learner.probabilities(batch.slots.obs, batch.slots.action_mask)[0]
    action = learner.act(Turn.of(batch, np.array([0]), np.array([0])))
    thought = "  ".join(f"{pretty(game.card_text(c))} {chances[c]:.0%}" for c in np.argsort(-chances) if chances[c] > 0)
    batch.step(action)
    gain = int(batch.slots.rewards[0, position.to_play])
    floor = " ".join(map(pretty, position.floor)) or "-"
    rows.append((position.to_play, floor, thought, pretty(game.card_text(int(action[0]))), gain))
pd.set_option("display.max_colwidth", None)
pd.DataFrame(rows, columns=["seat", "floor", "policy", "plays", "points"]).rename_axis("ply")

# %%
end = batch.position()
print(
    f"points {end.points[0]} to {end.points[1]}, basras {end.basras[0]} to {end.basras[1]}, cards {len(end.piles[0])} to {len(end.piles[1])}"
)
