"""Comparing agents: same decks, every seating, honest intervals."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.base import Turn
from agents.registry import make_agent
from basra_env import GameBatch, make
from train.arena import play_pair
from train.decks import seatings
from train.evaluate import evaluate, parse_game

ROOT = Path(__file__).parents[2]
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


def test_greedy_beats_random_by_25_points_a_round(dananeer):
    result = play_pair(dananeer, make_agent("greedy", dananeer), make_agent("random", dananeer), 2000, 0)
    assert result.mean >= 25
    assert result.ci95[1] - result.ci95[0] < 2
    assert result.win > 0.7


def test_an_agent_against_itself_is_even_to_the_point(dananeer):
    greedy = make_agent("greedy", dananeer)
    result = play_pair(dananeer, greedy, greedy, 100, 1)
    assert result.mean == 0
    assert result.ci95 == (0, 0)
    assert result.win == result.loss


def test_swapping_the_agents_swaps_the_result(dananeer):
    greedy, uniform = make_agent("greedy", dananeer), make_agent("random", dananeer)
    ab, ba = play_pair(dananeer, greedy, uniform, 200, 3), play_pair(dananeer, uniform, greedy, 200, 3)
    assert ab.mean == -ba.mean
    assert ab.ci95[0] == -ba.ci95[1]
    assert (ab.win, ab.draw) == (ba.loss, ba.draw)


def test_the_same_seed_gives_the_same_result(dananeer):
    args = (dananeer, make_agent("greedy", dananeer), make_agent("random", dananeer), 50)
    assert play_pair(*args, 4) == play_pair(*args, 4)
    assert play_pair(*args, 4) != play_pair(*args, 5)


def test_intervals_cover_the_truth_at_the_stated_rate(dananeer):
    greedy, uniform = make_agent("greedy", dananeer), make_agent("random", dananeer)
    truth = play_pair(dananeer, greedy, uniform, 6000, 999).mean
    hits = sum(
        low <= truth <= high
        for low, high in (play_pair(dananeer, greedy, uniform, 60, seed).ci95 for seed in range(100))
    )
    assert 86 <= hits <= 100


@pytest.mark.parametrize(
    ("fields", "expected"),
    [({}, 2), ({"players": 3}, 6), ({"players": 4}, 14), ({"players": 4, "teams": True}, 2)],
)
def test_every_seating_in_which_both_have_a_seat(fields, expected):
    assert len(seatings(make("dananeer", **fields))) == expected


@pytest.mark.parametrize("fields", [{"players": 3}, {"players": 4}, {"players": 4, "teams": True}])
def test_greedy_beats_random_at_larger_tables(fields):
    game = make("dananeer", **fields)
    result = play_pair(game, make_agent("greedy", game), make_agent("random", game), 100, 0)
    assert result.ci95[0] > 3
    assert abs(result.win + result.draw + result.loss - 1) < 1e-9


def test_matches_are_points_a_round_and_shares_of_matches():
    game = parse_game("dananeer:target=60")
    result = play_pair(game, make_agent("greedy", game), make_agent("random", game), 60, 0, "match")
    assert result.ci95[0] > 10
    assert result.win > 0.85
    assert result.draw == 0


def test_the_report_has_the_promised_form(dananeer):
    report = evaluate(dananeer, ["random", "greedy", "greedy"], 20, 2)
    assert len(report["pairs"]) == 3
    pair = report["pairs"][0]
    assert set(pair) == {"a", "b", "deals", "mean", "ci95", "win", "draw", "loss"}
    assert (pair["a"], pair["b"], pair["deals"]) == ("random", "greedy", 20)
    json.dumps(report)


def test_the_command(tmp_path):
    out = tmp_path / "out.json"
    words = ["random", "greedy", "--game", "dananeer:target=50", "--deals", "30", "--seed", "3", "--json", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "train.evaluate", *words], capture_output=True, text=True, env=ENV, cwd=ROOT, check=True
    )
    assert "points a round" in done.stdout
    report = json.loads(out.read_text())
    assert report["rules"]["target"] == 50
    game = parse_game("dananeer:target=50")
    assert report["pairs"] == json.loads(json.dumps(evaluate(game, ["random", "greedy"], 30, 3)["pairs"]))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "gready"], "did you mean 'greedy'"),
        (["random"], "two agents or more"),
        (["random", "greedy", "--game", "dananer"], "did you mean 'dananeer'"),
        (["random", "greedy", "--game", "dananeer:targt=5"], "did you mean 'target'"),
        (["random", "greedy:depth=2"], "unknown option of greedy"),
        (["random", "greedy", "--deals", "1"], "at least 2 decks"),
    ],
)
def test_wrong_words_are_answered(words, message):
    done = subprocess.run(
        [sys.executable, "-m", "train.evaluate", *words], capture_output=True, text=True, env=ENV, cwd=ROOT, check=False
    )
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_turn_hands_out_worlds_and_never_the_game(dananeer):
    batch = GameBatch(dananeer, 50, seed=1, autoreset=False)
    rows = np.arange(50)
    turn = Turn.of(batch, rows, rows)
    world = turn.worlds(rows + 100)
    mover = batch.slots.to_play
    same = 0
    for row in rows:
        real, imagined = batch.position(row), world.position(row)
        assert imagined.hands[mover[row]] == real.hands[mover[row]]
        same += imagined.hands[1 - mover[row]] == real.hands[1 - mover[row]]
    assert same < 3
    assert [batch.position(row) for row in rows] == [GameBatch(dananeer, 50, seed=1).position(row) for row in rows]


@pytest.mark.parametrize("name", ["random", "greedy"])
def test_agents_do_not_depend_on_hidden_cards_or_on_the_batch(dananeer, name):
    from basra_env.testing import random_batch

    agent = make_agent(name, dananeer)
    batch = random_batch(dananeer, 100, 5, plies=47)
    rows = np.arange(100)
    seeds = rows * 7 + 1
    whole = agent.act(Turn.of(batch, rows, seeds))
    assert np.array_equal(whole[40:60], agent.act(Turn.of(batch, rows[40:60], seeds[40:60])))
    batch.determinize(rows, batch.slots.to_play.astype(int), rows)
    assert np.array_equal(whole, agent.act(Turn.of(batch, rows, seeds)))
    assert batch.slots.action_mask[rows, whole].all()
