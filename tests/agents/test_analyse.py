"""What agents make of a game or a position."""

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from agents.analyse import Arguments, decisions, page, table
from basra_env import GameBatch, make
from tests.agents.test_search import lone_queen

ROOT = Path(__file__).parents[2]
QUICK = "pimc:worlds=10"


def finished(name="dananeer", player="greedy", **options):
    batch = GameBatch(make(name), 1, seed=5, autoreset=False, **options)
    rngs = batch.player_generators(0)
    while batch.slots.to_play[0] >= 0:
        batch.step(batch.decide(player, rngs))
    return batch


def looked_at(text, tmp_path, **options):
    arguments = Arguments(file=tmp_path / "x", search=QUICK, **options)
    return [decision for _, decision in decisions(text, arguments)], arguments


@pytest.mark.parametrize("name", ["dananeer", "classic", "briscola"])
def test_every_decision_of_a_game(name, tmp_path):
    batch = finished(name)
    found, _ = looked_at(batch.replay(0), tmp_path, agents=("greedy", "random"))
    assert len(found) == batch._state["ply"][0]
    for decision in found:
        assert decision.advice[0] == decision.played, "greedy played, and would again"
        assert decision.lost >= 0
        assert decision.played in dict(decision.values)
        assert decision.values == tuple(sorted(decision.values, key=lambda each: -each[1]))
    assert found[-1].exact
    assert not found[0].exact


def test_points_lost_are_exact_where_no_card_is_hidden(tmp_path):
    found, _ = looked_at(finished(player="random").replay(0), tmp_path)
    exact = [decision for decision in found if decision.exact]
    assert exact
    assert all(value == int(value) for decision in exact for _, value in decision.values)
    assert sum(decision.lost for decision in found) > 10


def test_a_position(tmp_path):
    game = make("standard", majority=0)
    text = json.dumps(lone_queen(game))
    (decision,), arguments = looked_at(text, tmp_path, game="standard:majority=0")
    assert decision.played is None
    assert decision.values[0] == ("QS", 10.0)
    assert decision.lost is None
    assert table(arguments.agents, [decision]).row_count == 1


class Cells(HTMLParser):
    """Counts rows and open elements."""

    def __init__(self):
        super().__init__()
        self.rows, self.depth = 0, 0

    def handle_starttag(self, tag, attrs):
        self.rows += tag == "tr"
        self.depth += tag not in ("meta", "br")

    def handle_endtag(self, tag):
        self.depth -= 1


def test_the_command_and_its_page(tmp_path):
    replay, out = tmp_path / "game.jsonl", tmp_path / "page.html"
    replay.write_text(finished("micro").replay(0) + "\n")
    words = [str(replay), "--agents", "greedy", "ismcts:iterations=20", "--search", QUICK, "--html", str(out)]
    done = subprocess.run(
        [sys.executable, "-m", "agents.analyse", *words],
        capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert "ismcts" in done.stdout
    told = out.read_text()
    cells = Cells()
    cells.feed(told)
    assert cells.rows == 9  # a head and eight cards
    assert cells.depth == 0
    assert "http" not in told, "the page needs nothing else"


def test_names_are_written_safely(tmp_path):
    found, arguments = looked_at(finished("micro").replay(0), tmp_path)
    assert "<script>" not in page("<script>", arguments, found)


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "neither a replay nor"), ("{}", "needs hands"), ("[1]", "its JSON fields"), ('{"format": 9}', "format 9")],
)
def test_what_is_neither_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        looked_at(text, tmp_path)


def test_a_search_without_values_is_refused(tmp_path):
    arguments = Arguments(file=tmp_path / "x", search="greedy")
    with pytest.raises(ValueError, match="gives no values"):
        list(decisions(finished().replay(0), arguments))


def test_seeds_make_it_the_same_again(tmp_path):
    text = finished("micro").replay(0)
    assert looked_at(text, tmp_path)[0] == looked_at(text, tmp_path)[0]
    assert np.isfinite([value for decision in looked_at(text, tmp_path)[0] for _, value in decision.values]).all()
