"""Frozen benchmarks: what they are measured on is what they say, or they refuse."""

import json

import pytest

from basra_env import GameBatch, make
from train import protocol
from train.decks import deck_seeds
from train.evaluate import Arguments, main
from train.protocol import V1_GAMES, Protocol, freeze


@pytest.mark.parametrize("game", V1_GAMES)
def test_this_version_deals_shows_and_plays_as_v1_says(game):
    told = Protocol.load("basra-bench-v1", game)
    assert told.deals == 2000
    assert told.game == make(game), "the preset is the rule set of its time"
    assert len(told.opponents) == 5


@pytest.fixture
def small(tmp_path, monkeypatch):
    """A protocol of few decks in a folder of its own."""
    told = freeze("small-v1", 20, 5, ("random", "greedy"), ("micro", "briscola"))
    (tmp_path / "small-v1.json").write_text(json.dumps(told))
    monkeypatch.setattr(protocol, "FOLDER", tmp_path)
    return tmp_path / "small-v1.json"


def test_agents_meet_its_opponents_on_its_decks(small, tmp_path):
    out = tmp_path / "out.json"
    main(Arguments(agents=("tactician", "solver"), game="micro", protocol="small-v1", json=out))
    report = json.loads(out.read_text())
    assert report["protocol"] == "small-v1"
    assert (report["deals"], report["seed"]) == (20, 5)
    met = {(pair["a"], pair["b"]) for pair in report["pairs"]}
    assert met == {(a, b) for a in ("tactician", "solver") for b in ("random", "greedy")} | {("tactician", "solver")}


def test_without_agents_it_is_the_table_of_its_opponents(small, tmp_path):
    out = tmp_path / "out.json"
    main(Arguments(game="briscola", protocol="small-v1", json=out))
    (pair,) = json.loads(out.read_text())["pairs"]
    assert (pair["a"], pair["b"]) == ("random", "greedy")


@pytest.mark.parametrize("what", ["decks", "observations", "the plays of greedy"])
def test_a_version_that_differs_refuses(small, what):
    told = json.loads(small.read_text())
    told["games"]["micro"]["digests"][what] = "0" * 16
    small.write_text(json.dumps(told))
    with pytest.raises(ValueError, match=f"{what} of micro are not those of small-v1"):
        Protocol.load("small-v1", "micro")
    Protocol.load("small-v1", "briscola")


def test_a_changed_rule_is_seen(small):
    told = json.loads(small.read_text())
    told["games"]["micro"]["rules"]["basra"] = 20
    small.write_text(json.dumps(told))
    with pytest.raises(ValueError, match="not those of small-v1"):
        Protocol.load("small-v1", "micro")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"protocol": "small-v2"}, "did you mean 'small-v1'"),
        ({"protocol": "small-v1", "game": "dananeer"}, "unknown game of small-v1"),
        ({"protocol": "small-v1", "game": "micro", "deals": 7}, "--deals cannot be set"),
        ({"protocol": "small-v1", "game": "micro", "until_ci": 7.0}, "--until-ci cannot be set"),
        ({"protocol": "small-v1", "game": "micro:target=5"}, "the rules are set by"),
    ],
)
def test_what_is_fixed_cannot_be_set(small, options, message):
    with pytest.raises(ValueError, match=message):
        main(Arguments(agents=("greedy",), **options))


def test_a_deck_is_that_of_a_single_environment_with_its_seed():
    game = make("dananeer")
    seeds = deck_seeds(9, 3, 6)
    batch = GameBatch(game, 3, seed=0)
    batch.reset(seed=seeds)
    for row, seed in enumerate(seeds):
        assert batch.position(row) == GameBatch(game, 1, seed=seed).position(0)
