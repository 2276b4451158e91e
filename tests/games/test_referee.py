"""The engine against the slow referee: every mask, floor, hand, pile, score and reward."""

import pytest

from tests.games.compare import compare_captures, compare_matches, compare_rounds


@pytest.mark.small
def test_captures_from_crowded_floors():
    compare_captures(5_000, seed=10)


@pytest.mark.small
def test_some_rounds():
    assert compare_rounds(64, seed=11) == 64 * 48


@pytest.mark.small
def test_some_matches():
    assert compare_matches(10, seed=12) >= 10


@pytest.mark.parametrize("part", range(4))
def test_a_share_of_the_rounds(part):
    compare_rounds(1_500, seed=100 + part)


@pytest.mark.parametrize("part", range(2))
def test_a_share_of_the_matches(part):
    compare_matches(150, seed=200 + part)


@pytest.mark.verify
@pytest.mark.parametrize("part", range(20))
def test_all_rounds(part):
    compare_rounds(5_000, seed=1000 + part)


@pytest.mark.verify
@pytest.mark.parametrize("part", range(20))
def test_all_matches(part):
    compare_matches(500, seed=2000 + part)
