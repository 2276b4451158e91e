"""Recorded games: any change of behaviour shows here, and then needs a new version.

`python -m tests.games.test_golden` writes them anew, or those of the games it is given.
"""

import json
import sys
from pathlib import Path

import pytest

from basra_env import GameBatch, games, load_replay, make
from basra_env.testing import games_digest, play_out

GOLDEN = Path(__file__).parents[1] / "golden"

pytestmark = pytest.mark.small


@pytest.mark.parametrize("name", games())
def test_recorded_games_replay_to_the_same_end(name):
    recorded = json.loads((GOLDEN / f"{name}.json").read_text())
    for entry in recorded["games"]:
        batch = load_replay(json.dumps(entry["replay"]))
        assert batch.position(0).to_json() == entry["end"]


@pytest.mark.parametrize("name", games())
def test_all_that_games_show_is_unchanged(name):
    recorded = json.loads((GOLDEN / f"{name}.json").read_text())
    assert games_digest(make(name), 0, 8) == recorded["digest"]


def write(name):
    entries = []
    for episode in ("round", "match"):
        batch = GameBatch(make(name), 4, seed=0, episode=episode, autoreset=False)
        play_out(batch, 0)
        entries += [{"replay": json.loads(batch.replay(row)), "end": batch.position(row).to_json()} for row in range(4)]
    GOLDEN.mkdir(exist_ok=True)
    told = {"digest": games_digest(make(name), 0, 8), "games": entries}
    (GOLDEN / f"{name}.json").write_text(json.dumps(told) + "\n")


if __name__ == "__main__":
    for each in sys.argv[1:] or games():
        write(each)
