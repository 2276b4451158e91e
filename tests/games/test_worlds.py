"""Worlds of positions in which something has been shown are uniform over those that are consistent with it."""

import numpy as np
import pytest

from basra_env import GameBatch, make
from basra_env.testing import check_worlds_uniform, random_batch
from tests.games.worlds import (
    hands_are_as_likely_as_the_ways_to_deal_them,
    points_of_worlds_are_those_of_their_piles,
    worlds_call_for_no_redeal,
    worlds_of_constrained_hands,
)
from tests.wrappers.test_every_game import choosing


@pytest.mark.parametrize("players", [2, 3])
def test_nobody_held_a_capture_back(players):
    assert len(worlds_of_constrained_hands(3, 100_000, players=players)) == 3


def test_hands_are_as_likely_as_the_ways_to_deal_them():
    hands_are_as_likely_as_the_ways_to_deal_them(3000)


def test_the_deal_called_for_no_redeal():
    assert worlds_call_for_no_redeal(300) > 300


def test_points_go_with_the_cards_of_a_world():
    assert points_of_worlds_are_those_of_their_piles(100) > 20


def test_a_pending_choice_is_kept():
    batch = choosing()
    check_worlds_uniform(batch, 0, 0, 100_000)
    check_worlds_uniform(batch, 0, 1, 100_000)


@pytest.mark.parametrize(("name", "fields"), [("pishti", {}), ("basra_io", {"redeal": 0})])
def test_hidden_cards_are_spread_over_all_that_a_seat_has_not_seen(name, fields):
    """Without redeals, which make some hands of the first packet impossible, all unseen cards are alike."""
    game = make(name, **fields)
    batch = random_batch(game, 400, seed=3, plies=40)
    on_table = taken = None
    for row in range(400):
        position = batch.position(row)
        if position.hidden and on_table is None and len(position.plays) > 2:
            on_table = row
        if any(place == "pile" for _, place in position.known[1]) and not position.round_over and taken is None:
            taken = row
    for row in (on_table, taken):
        for seat in range(game.spec.players):
            check_worlds_uniform(batch, row, seat, 100_000, seed=1)
    assert not any(place == "pile" for _, place in batch.position(taken).known[0])


@pytest.mark.parametrize("fields", [{"exchange": "free"}, {"exchange": "free", "players": 4}])
def test_an_exchanged_trump_stays_known(fields):
    game = make("briscola", **fields)
    batch = random_batch(game, 300, seed=3, plies=20)
    rows = [row for row in range(300) if batch.position(row).known[0] and batch.position(row).stock]
    for row in rows[:2]:
        for seat in range(game.spec.players):
            check_worlds_uniform(batch, row, seat, 100_000, seed=1)
    assert len(rows) > 1


def test_each_world_of_the_end_of_briscola_is_equally_likely():
    game = make("briscola", players=4)
    batch = random_batch(game, 200, seed=6, plies=32)
    sizes = []
    for row in range(200):
        position = batch.position(row)
        if position.to_play is not None and sum(map(len, position.hands)) in (7, 8, 9) and not position.stock:
            sizes.append(check_worlds_uniform(batch, row, int(position.to_play), 100_000, seed=len(sizes)))
    assert len(sizes) >= 2
    assert min(sizes) > 1


def test_a_finished_round_is_left_as_it_is():
    game = make("pishti")
    batch = GameBatch(game, 20, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while (batch.slots.to_play >= 0).any():
        batch.step(batch.decide("random", rngs))
    ends = [batch.position(row) for row in range(20)]
    batch.determinize(np.arange(20), 0, 5)
    assert [batch.position(row) for row in range(20)] == ends
