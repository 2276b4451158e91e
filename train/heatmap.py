"""A table of agents as a picture: what each wins from each, in points a round."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from basra_env.core.errors import MissingExtraError


def write_heatmap(told: Mapping[str, Any], path: Path) -> None:
    """Draw the report `told` into a PNG file, agents by rating, best first.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 not needed for anything but pictures
    except ModuleNotFoundError as error:
        raise MissingExtraError(str(error.name), "notebooks") from error
    names = told["agents"]
    order = sorted(range(len(names)), key=lambda place: -told["ratings"][place]["rating"])
    place = {name: nth for nth, name in enumerate(names[each] for each in order)}
    mean, half = np.full((len(names), len(names)), np.nan), np.zeros((len(names), len(names)))
    for pair in told["pairs"]:
        a, b = place[pair["a"]], place[pair["b"]]
        mean[a, b], mean[b, a] = pair["mean"], -pair["mean"]
        half[a, b] = half[b, a] = (pair["ci95"][1] - pair["ci95"][0]) / 2
    size = 1.1 * len(names) + 2.5
    figure = Figure(figsize=(size + 1.5, size), layout="constrained", dpi=120)
    axes = figure.subplots()
    most = max(float(np.nanmax(np.abs(mean))), 1e-9)
    image = axes.imshow(mean, cmap="RdBu", vmin=-most, vmax=most)
    for a in range(len(names)):
        for b in range(len(names)):
            if not np.isnan(mean[a, b]):
                colour = "white" if abs(mean[a, b]) > 0.6 * most else "black"
                text = f"{mean[a, b]:+.1f}\n±{half[a, b]:.1f}"
                axes.text(b, a, text, ha="center", va="center", color=colour, fontsize=9)
    sorted_names = [names[each] for each in order]
    axes.set_xticks(range(len(names)), sorted_names, rotation=30, ha="right")
    axes.set_yticks(range(len(names)), sorted_names)
    axes.set_xlabel("against")
    axes.set_title(f"{told['game']}: points a round, {told['deals']} decks in every seating", fontsize=11)
    figure.colorbar(image, shrink=0.8)
    figure.savefig(path)
