"""`solver` against brute force over the slow referee, and what it is used for."""

import copy
import random

import numpy as np
import pytest

from agents.base import Turn
from agents.registry import make_agent
from agents.solver import UNSOLVED, action_values
from basra_env import GameBatch, make
from tests.games.catalogue import game_id
from tests.games.compare import contest
from train.arena import play_pair

COVERED = [
    ("dananeer", {}),
    ("classic", {}),
    ("standard", {}),
    ("standard", {"must_capture": "hand"}),
    ("egyptian", {}),
    ("mini", {}),
    ("micro", {}),
    ("briscola", {}),
    ("briscola", {"exchange": "free"}),
    ("briscola", {"exchange": "conditional"}),
]


def minimax(referee):
    """Points still to be won by side 0 less side 1, both playing their best: every line is tried."""
    if referee.over:
        return referee.points[0] - referee.points[1]
    values = [minimax(after(referee, action)) for action in referee.legal()]
    return max(values) if referee.to_play == 0 else min(values)


def after(referee, action):
    following = copy.copy(referee)
    for name, value in vars(referee).items():
        if isinstance(value, (list, set, dict)):
            setattr(following, name, copy.deepcopy(value))
    following.play(action)
    return following


def endings(duel, count, seed):
    """Rounds played at random until no card is hidden: (batch of one, the referee's round)."""
    rng = random.Random(seed)
    for _ in range(count):
        deck, dealer = duel.deck(rng), rng.randrange(2)
        batch = GameBatch(duel.game, 1, seed=0, autoreset=False)
        batch.reset(decks=[deck], dealers=dealer)
        referee = duel.begin(deck, dealer, 0)
        while not batch.all_known()[0]:
            action = rng.choice(referee.legal())
            referee.play(action)
            batch.step([duel.action(action)])
        yield batch, referee


def compare_endings(option, count, seed=0):
    """Values of all actions, and so the set of the best ones, in so many endings."""
    name, fields = option
    duel = contest(name, **fields)
    for batch, referee in endings(duel, count, seed):
        (values,) = action_values(Turn.of(batch, np.array([0]), np.array([0])))
        now = referee.points[0] - referee.points[1]
        sign = 1 if referee.to_play == 0 else -1
        expected = np.full(len(values), UNSOLVED)
        for action in referee.legal():
            expected[duel.action(action)] = sign * (minimax(after(referee, action)) - now)
        assert values.tolist() == expected.tolist(), batch.replay(0)


@pytest.mark.parametrize("option", COVERED, ids=game_id)
def test_a_share_of_endings(option):
    compare_endings(option, 6, seed=1)


@pytest.mark.verify
@pytest.mark.parametrize("option", COVERED, ids=game_id)
def test_all_endings(option):
    compare_endings(option, 2000, seed=2)


def test_a_lone_card_is_not_left_to_a_seat_that_is_known_to_hold_its_like():
    """4S on 4D leaves QC alone, and seat 1 holds QH: a basra. QS on QC leaves 4D, for which it has nothing."""
    game = make("standard", majority=0)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    pack = game.family.pack.texts(game.spec.cards)
    rest = [card for card in pack if card not in ("QS", "4S", "9C", "QC", "4D", "QH")]
    batch.set_position(
        0,
        {
            "hands": [["QS", "4S"], ["9C", "QH"]], "floor": ["QC", "4D"], "piles": [rest[:24], rest[24:]], "stock": [],
            "to_play": 0, "dealer": 1, "last_capturer": 1,
        },
    )  # fmt: skip
    (values,) = action_values(Turn.of(batch, np.array([0]), np.array([0])))
    assert {card: int(values[game.parse_card(card)]) for card in ("QS", "4S")} == {"QS": 0, "4S": -10}


def test_it_loses_nothing_against_the_agent_it_stands_behind():
    game = make("dananeer")
    with_it, alone = make_agent("greedy+solver", game), make_agent("greedy", game)
    result = play_pair(game, with_it, alone, 300, 0)
    assert result.ci95[0] > -0.5
    assert result.mean > 0


def test_hidden_cards_are_left_to_the_other_agent():
    game = make("pishti")
    batch = GameBatch(game, 50, seed=0)
    turn = Turn.of(batch, np.arange(50), np.arange(50))
    assert not turn.all_known().any()
    solver, greedy = make_agent("solver", game), make_agent("greedy", game)
    assert (solver.act(turn) == greedy.act(turn)).all()
    assert (action_values(turn) == UNSOLVED).all()


def test_too_long_a_search_is_left_to_the_other_agent():
    game = make("dananeer")
    batch = GameBatch(game, 20, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while not batch.all_known().any():
        batch.step(batch.decide("random", rngs))
    turn = Turn.of(batch, np.arange(20), np.arange(20))
    assert (action_values(turn, most_nodes=50) == UNSOLVED).all()
    assert (action_values(turn).max(1) > UNSOLVED).all()


@pytest.mark.parametrize("name", ["dananeer", "briscola"])
def test_the_end_of_the_episode_is_played_for_where_every_line_reaches_it(name):
    game = make(name)
    batch = GameBatch(game, 200, seed=0, reward="win", autoreset=False)
    points = GameBatch(game, 200, seed=0, autoreset=False)
    rngs = batch.player_generators(0)
    while not batch.all_known().all():
        actions = batch.decide("random", rngs)
        batch.step(actions)
        points.step(actions)
    rows, seeds = np.arange(200), np.arange(200)
    open_rows = rows[batch.slots.to_play >= 0]
    won = action_values(Turn.of(batch, open_rows, seeds[open_rows]))
    margin = action_values(Turn.of(points, open_rows, seeds[open_rows]))
    assert set(np.unique(won[won > UNSOLVED])) <= {-1, 0, 1}
    standings = [points.position(int(row)).points for row in open_rows]
    mover = points.slots.to_play[open_rows]
    ahead = np.array([(-1) ** seat * (a - b) for (a, b), seat in zip(standings, mover, strict=True)])
    assert (np.sign(margin.max(1) + ahead) == won.max(1)).all()


def test_a_match_that_goes_on_is_played_for_points():
    game = make("dananeer", target=1_000_000)
    batch = GameBatch(game, 20, seed=0, episode="match", reward="win", autoreset=False)
    rngs = batch.player_generators(0)
    while not batch.all_known().any():
        batch.step(batch.decide("random", rngs))
    values = action_values(Turn.of(batch, np.arange(20), np.arange(20)))
    assert (np.abs(values[values > UNSOLVED]) > 1).any()
