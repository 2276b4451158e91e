"""A game as one JSON line, and back: game, rules, every deck, dealer, actions and scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import numpy as np

from basra_env.core.errors import IllegalActionError
from basra_env.core.position import Position

if TYPE_CHECKING:
    from basra_env.core.batch import GameBatch

FORMAT = 1

Build = Callable[[str, dict[str, Any], str, str], "GameBatch"]


def write_replay(batch: GameBatch, row: int) -> str:
    """The game in `row`, finished or running, as one line of JSON.

    A game that was set up by hand, or whose hidden cards were imagined, is told from that moment on.
    """
    s = batch._state[row]
    past = [_round(batch, entry, int(entry["plies"])) for entry in batch._history[row, : int(s["rounds"])]]
    rounds = past if s["round_over"] and past else [*past, _round(batch, s, int(s["ply"]))]
    line: dict[str, Any] = {
        "format": FORMAT,
        "game": batch.game.name,
        "rules": batch.game.fields(),
        "episode": batch.episode,
        "reward": batch.reward,
    }
    if batch._displaced[row]:
        origin = batch._origins[row]
        told = batch._finished_rounds(row)[: int(origin["rounds"])]
        line["position"] = batch.game.family.read_position(origin, told, batch.game.rules).to_json()
        rounds = rounds[int(origin["rounds"]) - bool(origin["round_over"]) :]
        rounds[0]["actions"] = rounds[0]["actions"][int(origin["ply"]) :]
    line["rounds"] = rounds
    text = batch.game.family.pack.text
    ahead = batch._history[row, int(s["rounds"]) + 1 :]
    line["decks_to_come"] = [
        [text(int(card)) for card in entry["deck"][: len(batch.game.spec.cards)]] for entry in ahead if entry["given"]
    ]
    sides = batch.game.spec.num_sides
    line["scores"] = [int(score) for score in s["scores"][:sides]]
    line["points"] = [int(points) for points in s["points"][:sides]]
    line["generator"] = [int(word) for word in s["rng"]]
    return json.dumps(line)


def _round(batch: GameBatch, entry: Any, plies: int) -> dict[str, Any]:
    """One round of a replay; `entry` is a record or an entry of a history."""
    text = batch.game.family.pack.text
    return {
        "deck": [text(int(card)) for card in entry["deck"][: len(batch.game.spec.cards)]],
        "dealer": int(entry["dealer"]),
        "actions": [int(action) for action in entry["actions"][:plies]],
        "points": [int(points) for points in entry["points"][: batch.game.spec.num_sides]],
    }


def read_replay(line: str, build: Build) -> GameBatch:
    """A batch of one game, without auto-reset, at the same state as the one that wrote `line`.

    Args:
        line: from `write_replay`.
        build: `(name, rule fields, episode, reward)` -> a batch of one without auto-reset.

    Raises:
        ValueError: no replay, a truncated one, one of another format, or one that these rules do not play.
    """
    steps = replay_steps(line, build)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            batch: GameBatch = end.value
            return batch


def replay_steps(line: str, build: Build) -> Generator[tuple[GameBatch, int], None, GameBatch]:
    """The batch of one before each decision of a replay, and the action that was taken; it is the same batch each time.

    Arguments, errors and the batch that is returned at the end: as for `read_replay`.
    """
    try:
        told = json.loads(line)
        if told["format"] != FORMAT:
            raise ValueError(f"replay of format {told['format']}: this version reads format {FORMAT}")
        batch = build(told["game"], told["rules"], told["episode"], told["reward"])
        rounds = told["rounds"]
        decks = [*(played["deck"] for played in rounds), *told["decks_to_come"]]
        if "position" in told:
            batch.set_position(0, Position.from_json(told["position"]))
            batch._expect_decks(0, decks[1:])
        else:
            batch.reset(decks=[decks], dealers=[rounds[0]["dealer"]])
        for played in rounds:
            for action in played["actions"]:
                yield batch, action
                batch.step(np.array([action]))
        s = batch._state[0]
        if [int(score) for score in s["scores"][: len(told["scores"])]] != told["scores"] or [
            int(points) for points in s["points"][: len(told["points"])]
        ] != told["points"]:
            raise ValueError("the replay's scores are not those that its actions make under its rules")
        s["rng"][:] = told["generator"]
    except IllegalActionError as error:
        raise ValueError(f"the replay plays an illegal action: {error}") from error
    except (KeyError, TypeError, IndexError, OverflowError, AttributeError, json.JSONDecodeError) as error:
        raise ValueError(f"not a replay: {type(error).__name__}: {error}") from error
    return batch
