"""Agents by name."""

import pytest

from agents.registry import AGENTS, make_agent


@pytest.mark.parametrize("name", sorted(AGENTS))
def test_every_agent_is_made_by_name(dananeer, name):
    assert make_agent(name, dananeer).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gready", "did you mean 'greedy'"),
        ("greedy:depth=3", "unknown option of greedy 'depth'"),
        ("no/such/folder", "unknown agent"),
    ],
)
def test_what_is_no_agent_is_refused(dananeer, text, message):
    with pytest.raises(ValueError, match=message):
        make_agent(text, dananeer)


def test_a_folder_without_a_checkpoint_says_so(dananeer, tmp_path):
    (tmp_path / "checkpoints").mkdir()
    with pytest.raises(ValueError, match="has no checkpoint yet"):
        make_agent(str(tmp_path), dananeer)
    with pytest.raises(ValueError, match="neither a run folder"):
        make_agent(str(tmp_path / "checkpoints"), dananeer)
