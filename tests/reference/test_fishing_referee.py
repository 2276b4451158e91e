"""The referee itself against the worked examples of rules.md, section 2."""

import pytest

from tests.reference.fishing import COLUMNS, basra, options
from tests.worked_examples import CHOSEN, FISHING


@pytest.mark.parametrize(("variant", "floor", "play", "takes", "points"), FISHING)
def test_referee_follows_worked_example(variant, floor, play, takes, points):
    rules = COLUMNS[variant]
    (taken,) = options(floor.split(), play, rules)
    assert taken == set(takes.split())
    assert basra(floor.split(), taken, play, rules) == points


def test_referee_leaves_the_choice_of_the_worked_example():
    floor, play, takes = CHOSEN
    assert set(options(floor.split(), play, COLUMNS["standard"])) == {frozenset(each.split()) for each in takes}
