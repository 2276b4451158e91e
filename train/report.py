"""What a table of agents says: as JSON values, as tables for people, and as CSV."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table

from basra_env import Game, __version__
from train.arena import Pair, PairResult
from train.decks import AGENT_ARRAYS, Decks
from train.intervals import holm, p_value
from train.ratings import ratings


def report(
    game: Game, names: Sequence[str], played: Mapping[Pair, Decks], seed: int, episode: str, partners: str
) -> dict[str, Any]:
    """The whole of a table as JSON values.

    Args:
        game: what was played.
        names: of the agents; `played` names them by their places here.
        played: the decks of each pair.
        seed, episode, partners: as for `play_decks`.

    Returns:
        pairs: as `PairResult`. significance: the chance `p` of a mean as far from 0 if it were 0, and `p_holm`, corrected
        for the number of pairs. variance: standard deviations of a deck's result, as it is (`paired`: the same deck in all
        seatings) and as it would be if each seating had a deck of its own (`unpaired`). ratings: Bradley-Terry, Elo's scale.
        measures: of each agent over all its games: basras and cards a round of its side, `endgame_regret` in points a
        decision over `endgame_decisions`. speeds: what its decisions took; all else is the same for the same seed.
    """
    results = {pair: PairResult.of(names[pair[0]], names[pair[1]], decks) for pair, decks in played.items()}
    chances = [p_value(decks.per_deck) for decks in played.values()]
    by_place = [str(place) for place in range(len(names))]
    shares = {(str(a), str(b)): decks.won + decks.drawn / 2 for (a, b), decks in played.items()}
    rated = ratings(by_place, shares)
    return {
        "game": game.name,
        "rules": game.fields(),
        "episode": episode,
        "partners": partners,
        "seed": seed,
        "deals": max(map(len, played.values())),
        "version": __version__,
        "agents": list(names),
        "pairs": [result.to_json() for result in results.values()],
        "significance": [
            {"a": names[a], "b": names[b], "p": p, "p_holm": corrected}
            for (a, b), p, corrected in zip(played, chances, holm(chances), strict=True)
        ],
        "variance": [{"a": names[a], "b": names[b], **_spread(decks)} for (a, b), decks in played.items()],
        "ratings": [
            {"agent": name, "rating": rating, "ci95": list(ci95)}
            for name, (rating, ci95) in zip(names, rated, strict=True)
        ],
        "measures": [{"agent": name, **_measures(_total(place, played))} for place, name in enumerate(names)],
        "speeds": [{"agent": name, **_speeds(_total(place, played))} for place, name in enumerate(names)],
    }


def _spread(decks: Decks) -> dict[str, float]:
    """Standard deviations of what one deck says, with the deck in all seatings and with as many decks as seatings."""
    if len(decks) < 2:
        return {"paired": math.nan, "unpaired": math.nan}
    alone = decks.differences / decks.rounds
    unpaired = math.sqrt(alone.var(1, ddof=1).mean() / len(alone))
    return {"paired": float(decks.per_deck.std(ddof=1)), "unpaired": unpaired}


def _total(place: int, played: Mapping[Pair, Decks]) -> dict[str, float]:
    """What `Decks` holds of one agent, over all pairs it is in."""
    return {
        name: sum(
            float(np.sum(getattr(decks, name)[index]))
            for pair, decks in played.items()
            for index, who in enumerate(pair)
            if who == place
        )
        for name in AGENT_ARRAYS
    }


def _measures(total: Mapping[str, float]) -> dict[str, float | int | None]:
    seat_rounds, solved = total["seat_rounds"], total["solved"]
    return {
        "basras": total["basras"] / seat_rounds if seat_rounds else None,
        "cards": total["cards"] / seat_rounds if seat_rounds else None,
        "endgame_regret": total["regret"] / solved if solved else None,
        "endgame_decisions": int(solved),
        "decisions": int(total["decisions"]),
    }


def _speeds(total: Mapping[str, float]) -> dict[str, float | None]:
    decisions, seconds = total["decisions"], total["seconds"]
    return {
        "decisions_per_second": decisions / seconds if seconds else None,
        "milliseconds_per_decision": 1e3 * seconds / decisions if decisions else None,
    }


def tables(told: Mapping[str, Any]) -> Group:
    """The report as a person reads it: pairs, then agents."""
    unit = told["episode"]
    pairs = Table(title=f"{told['game']}, {told['deals']} decks in every seating, seed {told['seed']}")
    for column in ("agent", "against"):
        pairs.add_column(column, overflow="fold")
    for column in (
        "points a round",
        "95 % interval",
        "p (Holm)",
        f"{unit} won",
        "drawn",
        "lost",
        "sd of a deck (unpaired)",
    ):
        pairs.add_column(column, justify="right")
    for pair, chance, spread in zip(told["pairs"], told["significance"], told["variance"], strict=True):
        low, high = pair["ci95"]
        shares = [f"{100 * pair[name]:.1f} %" for name in ("win", "draw", "loss")]
        pairs.add_row(
            pair["a"], pair["b"], f"{pair['mean']:+.2f}", f"{low:+.2f} to {high:+.2f}", _chance(chance["p_holm"]),
            *shares, f"{spread['paired']:.1f} ({spread['unpaired']:.1f})",
        )  # fmt: skip
    agents = Table(title="each agent, over all its games")
    agents.add_column("agent", overflow="fold")
    for column in ("rating", "95 % interval", "basras", "cards", "endgame regret", "ms a decision", "decisions/s"):
        agents.add_column(column, justify="right")
    best_first = sorted(range(len(told["agents"])), key=lambda place: -told["ratings"][place]["rating"])
    for place in best_first:
        rating, measured, timed = told["ratings"][place], told["measures"][place], told["speeds"][place]
        agents.add_row(
            rating["agent"], f"{rating['rating']:+.0f}", f"{rating['ci95'][0]:+.0f} to {rating['ci95'][1]:+.0f}",
            _number(measured["basras"], ".2f"), _number(measured["cards"], ".1f"),
            _number(measured["endgame_regret"], ".3f"), _number(timed["milliseconds_per_decision"], ".4f"),
            _number(timed["decisions_per_second"], ",.0f"),
        )  # fmt: skip
    return Group(pairs, agents)


def _chance(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def write_csv(told: Mapping[str, Any], path: Path) -> None:
    """One line a pair, with everything that the report says of it."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(
            [
                "game",
                "episode",
                "a",
                "b",
                "deals",
                "mean",
                "low",
                "high",
                "win",
                "draw",
                "loss",
                "p",
                "p_holm",
                "sd_paired",
                "sd_unpaired",
            ]
        )
        for pair, chance, spread in zip(told["pairs"], told["significance"], told["variance"], strict=True):
            writer.writerow(
                [
                    told["game"], told["episode"], pair["a"], pair["b"], pair["deals"], pair["mean"], *pair["ci95"],
                    pair["win"], pair["draw"], pair["loss"], chance["p"], chance["p_holm"], spread["paired"], spread["unpaired"],
                ]
            )  # fmt: skip
