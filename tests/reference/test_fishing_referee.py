"""The referee itself against the worked examples of rules.md, section 2."""

import pytest

from tests.reference.fishing import basra, captured
from tests.worked_examples import FISHING


@pytest.mark.parametrize(("variants", "floor", "play", "takes", "points"), FISHING)
def test_referee_follows_worked_example(variants, floor, play, takes, points):
    assert set(captured(floor.split(), play)) == set(takes.split())
    assert basra(floor.split(), play) == points
