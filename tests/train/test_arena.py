"""Tables of agents: the same whatever the workers, kept on disk, as many decks as an interval needs."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents.registry import make_agent
from basra_env import GameBatch, make
from train import arena
from train.arena import play_table
from train.decks import MIXED, Decks, finished_rounds, play_decks, seatings
from train.evaluate import evaluate
from train.intervals import half_width
from train.ledger import FILE

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}
NAMES = ["greedy", "random", "tactician"]


def same(one, other):
    """Reports alike but for what the clock says."""

    def untimed(report):
        return {name: value for name, value in report.items() if name != "speeds"}

    return json.dumps(untimed(one)) == json.dumps(untimed(other))


def agents(game, *names):
    return [make_agent(name, game) for name in names or NAMES]


def test_workers_change_nothing(dananeer):
    one = evaluate(dananeer, NAMES, 250, seed=3)
    assert same(one, evaluate(dananeer, NAMES, 250, seed=3, workers=4))
    assert not same(one, evaluate(dananeer, NAMES, 250, seed=4))


def test_decks_do_not_depend_on_how_many_are_played(dananeer):
    a, b = agents(dananeer, "greedy", "random")
    whole = play_decks(dananeer, a, b, 0, 60, seed=1)
    parts = [play_decks(dananeer, a, b, first, first + 20, seed=1) for first in (0, 20, 40)]
    joined = Decks.joined(parts)
    for name in ("differences", "won", "basras", "cards", "regret", "decisions"):
        assert np.array_equal(getattr(joined, name), getattr(whole, name)), name
    assert np.array_equal(whole.first(20).differences, parts[0].differences)


def test_an_interrupted_table_goes_on(dananeer, tmp_path, monkeypatch):
    whole = evaluate(dananeer, NAMES, 350, seed=5)
    calls = []

    def stops(*args, **kwargs):
        calls.append(args)
        if len(calls) == 5:
            raise KeyboardInterrupt
        return play_decks(*args, **kwargs)

    monkeypatch.setattr(arena, "play_decks", stops)
    with pytest.raises(KeyboardInterrupt):
        evaluate(dananeer, NAMES, 350, seed=5, table=tmp_path)
    with (tmp_path / FILE).open("a") as file:
        file.write('{"a": "greedy", "b": "ran')  # as a killed process leaves it
    assert same(evaluate(dananeer, NAMES, 350, seed=5, table=tmp_path), whole)
    assert len(calls) == 5 + 12 - 4, "what was kept is not played again"
    assert same(evaluate(dananeer, NAMES, 350, seed=5, table=tmp_path), whole)
    assert len(calls) == 13
    fewer = evaluate(dananeer, NAMES, 120, seed=5, table=tmp_path)
    assert same(fewer, evaluate(dananeer, NAMES, 120, seed=5))


def test_an_agent_more_plays_only_its_pairs(dananeer, tmp_path, monkeypatch):
    evaluate(dananeer, NAMES, 100, table=tmp_path)
    pairs = []

    def noted(game, a, b, *rest):
        pairs.append((a.name, b.name))
        return play_decks(game, a, b, *rest)

    monkeypatch.setattr(arena, "play_decks", noted)
    told = evaluate(dananeer, [*NAMES, "solver"], 100, table=tmp_path)
    assert pairs == [(name, "solver") for name in NAMES]
    assert same(told, evaluate(dananeer, [*NAMES, "solver"], 100))


def test_the_order_of_the_agents_does_not_matter_to_a_table(dananeer, tmp_path, monkeypatch):
    evaluate(dananeer, NAMES, 100, table=tmp_path)
    calls = []
    monkeypatch.setattr(arena, "play_decks", lambda *args: calls.append(args) or play_decks(*args))
    again = evaluate(dananeer, NAMES[::-1], 100, table=tmp_path)
    assert not calls
    assert same(again, evaluate(dananeer, NAMES[::-1], 100))
    assert same(evaluate(dananeer, NAMES[::-1], 200, table=tmp_path), evaluate(dananeer, NAMES[::-1], 200))


@pytest.mark.parametrize(
    ("changed", "message"),
    [({"seed": 1}, "played with seed 0, not 1"), ({"episode": "match"}, "episode round, not match")],
)
def test_a_table_of_other_settings_is_refused(dananeer, tmp_path, changed, message):
    evaluate(dananeer, NAMES[:2], 10, table=tmp_path)
    with pytest.raises(ValueError, match=message):
        evaluate(dananeer, NAMES[:2], 10, table=tmp_path, **changed)


def test_a_file_that_is_no_table_is_refused(dananeer, tmp_path):
    (tmp_path / FILE).write_text('{"what": 1}\n')
    with pytest.raises(ValueError, match="no table of played decks"):
        evaluate(dananeer, NAMES[:2], 10, table=tmp_path)


def test_as_many_decks_as_the_interval_needs(dananeer, tmp_path):
    two = agents(dananeer, "greedy", "random")
    (decks,) = play_table(dananeer, two, 1000, seed=2, until_ci=0.8).values()
    assert half_width(decks.per_deck) <= 0.8
    assert half_width(decks.per_deck[: len(decks) - arena.STRETCH]) > 0.8
    first = evaluate(dananeer, NAMES[:2], 1000, seed=2, until_ci=2.0, table=tmp_path)
    again = evaluate(dananeer, NAMES[:2], 1000, seed=2, until_ci=0.8, table=tmp_path)
    assert first["pairs"][0]["deals"] < again["pairs"][0]["deals"] == len(decks)


def test_partners_of_both_kinds():
    game = make("egyptian", players=4)
    assert len(seatings(game)) == 2
    assert len(seatings(game, MIXED)) == 10
    greedy, uniform = agents(game, "greedy", "random")
    fixed, mixed = (play_decks(game, greedy, uniform, 0, 150, 0, "round", partners) for partners in ("fixed", MIXED))
    assert mixed.differences.shape == (10, 150)
    assert 0 < mixed.per_deck.mean() < fixed.per_deck.mean(), "one seat of two is worth less than both"


def test_measures_by_hand(dananeer):
    greedy, uniform = agents(dananeer, "greedy", "random")
    decks = play_decks(dananeer, greedy, uniform, 0, 40, seed=3)
    assert (decks.cards.sum(0) == 2 * 52).all()
    assert (decks.decisions == 48).all()  # 24 of its own in each of two seatings
    assert (decks.seat_rounds == 2).all()
    assert (decks.basras[0] > decks.basras[1]).mean() > 0.5
    told = evaluate(dananeer, ["greedy", "random"], 40, seed=3)
    assert told["measures"][0]["cards"] == pytest.approx(decks.cards[0].sum() / 80)
    assert told["speeds"][0]["milliseconds_per_decision"] > 0


def test_regret_is_none_for_whoever_plays_endgames_exactly_and_more_for_the_weak(dananeer):
    told = evaluate(dananeer, ["greedy+solver", "greedy", "random"], 100)
    regret = [each["endgame_regret"] for each in told["measures"]]
    assert regret[0] == 0
    assert 0 < regret[1] < regret[2]
    assert told["measures"][0]["endgame_decisions"] > 500
    three = make("standard", players=3)
    assert evaluate(three, ["greedy", "random"], 10)["measures"][0]["endgame_regret"] is None


def test_rounds_of_matches_are_counted_as_they_were_played():
    game = make("basra_io", target=80)
    batch = GameBatch(game, 20, seed=1, episode="match", autoreset=False)
    rngs = batch.player_generators(0)
    while (batch.slots.to_play >= 0).any():
        batch.step(batch.decide("greedy", rngs))
    ends, rows = finished_rounds(batch)
    for row in range(20):
        assert [tuple(points[:2]) for points in ends["points"][rows == row]] == list(batch.position(row).rounds)


def test_pairing_narrows_what_decks_bring(dananeer):
    told = evaluate(dananeer, ["greedy", "tactician"], 400)
    assert told["variance"][0]["paired"] < told["variance"][0]["unpaired"]


def test_the_command_writes_everything(tmp_path):
    words = [
        "greedy",
        "random",
        "tactician",
        "--deals",
        "60",
        "--table",
        str(tmp_path),
        "--heatmap",
        str(tmp_path / "x.png"),
    ]
    done = subprocess.run(
        [sys.executable, "-m", "train.evaluate", *words], capture_output=True, text=True, env=ENV, cwd=ROOT, check=True
    )
    assert "endgame regret" in done.stdout
    report = json.loads((tmp_path / "table.json").read_text())
    assert [each["agent"] for each in report["ratings"]] == NAMES
    rows = list(csv.DictReader((tmp_path / "table.csv").read_text().splitlines()))
    assert [(row["a"], row["b"]) for row in rows] == [(pair["a"], pair["b"]) for pair in report["pairs"]]
    for name in ("table.png", "x.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_a_killed_command_loses_no_finished_stretch(tmp_path):
    words = ["pimc:worlds=20,threads=1", "greedy", "--deals", "100000", "--table", str(tmp_path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "train.evaluate", *words], env=ENV, cwd=ROOT, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline:
        lines = (tmp_path / FILE).read_text().splitlines() if (tmp_path / FILE).exists() else []
        if sum('"decks"' in line for line in lines) >= 2:
            break
        time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    game = make("dananeer")
    told = evaluate(game, words[:2], 200, table=tmp_path)
    assert told["pairs"][0]["deals"] == 200
