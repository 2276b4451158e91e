"""How rounds of fishing games end: a tied majority by each rule, three sides, and rounds in which nobody captures.

Decks are searched with the slow referee: with the lowest action always taken, a deck settles its round.
"""

import random

import numpy as np
import pytest

from basra_env import GameBatch, make
from tests.games.compare import contest


def lowest(duel, referee):
    return min(referee.legal(), key=duel.action)


def settled(duel, deck, dealer, carry=0):
    """The referee's round from a deck, played to its end."""
    referee = duel.begin(deck, dealer, carry)
    while not referee.over:
        referee.play(lowest(duel, referee))
    return referee


def cards_of_sides(referee):
    counts = [0] * referee.rules.sides
    for seat, pile in enumerate(referee.piles):
        counts[referee.rules.side(seat)] += len(pile)
    return counts


def find_deck(duel, dealer, tied, seed):
    """A deck whose round ends with so many sides sharing the largest count."""
    rng = random.Random(seed)
    while True:
        deck = duel.deck(rng)
        counts = cards_of_sides(settled(duel, deck, dealer))
        if counts.count(max(counts)) == tied:
            return deck


def play_match(duel, decks, rounds, **given):
    """The engine's position after so many rounds of a match from `decks`, seat 0 dealing first."""
    batch = GameBatch(duel.game, 1, seed=0, episode="match", autoreset=False)
    batch.reset(decks=[decks], dealers=0, **given)
    while not batch.slots.terminated[0] and len(batch.position().rounds) < rounds:
        batch.step(batch.slots.action_mask.argmax(1))
    return batch.position()


# --- a tie, a tie, and a clear majority ------------------------------------------------------------------------------

TIED = [
    ("dananeer", {"target": 5000}, 2),
    ("dananeer", {"target": 5000, "players": 4, "teams": True}, 2),
    ("classic", {"target": 5000}, 2),
    ("classic", {"target": 5000, "players": 3}, 2),
    ("standard", {"target": 5000}, 2),
    ("standard", {"target": 5000, "players": 3}, 2),
    ("egyptian", {"target": 5000, "players": 4}, 2),
]


@pytest.mark.parametrize(("name", "fields", "tied"), TIED)
def test_what_two_tied_rounds_leave_for_the_third(name, fields, tied):
    duel = contest(name, **fields)
    rules = duel.rules
    dealers = [number % rules.players for number in range(3)]
    decks = [find_deck(duel, dealer, held, 7) for dealer, held in zip(dealers, (tied, tied, 1), strict=True)]
    alone = [settled(duel, deck, dealer) for deck, dealer in zip(decks, dealers, strict=True)]
    position = play_match(duel, decks, 3)
    assert position.scores == tuple(map(sum, zip(*position.rounds, strict=True)))

    clear = cards_of_sides(alone[2])
    holder = clear.index(max(clear))
    without = [points - rules.majority * (side == holder) for side, points in enumerate(alone[2].points)]
    if rules.majority_tied == "void":  # no point of a tied round counts, basras too
        assert position.rounds[:2] == ((0,) * rules.sides,) * 2
    else:
        for round_points, referee in zip(position.rounds, alone[:2], strict=False):
            assert round_points == tuple(referee.points)
    # 30, then 60, then 90: the majority of the third round is worth itself and what two ties have left
    waiting = 0 if rules.majority_tied == "each" else 2 * rules.majority
    expected = [points + (rules.majority + waiting) * (side == holder) for side, points in enumerate(without)]
    assert list(position.rounds[2]) == expected
    assert position.carry == 0
    assert position.dealer == 3 % rules.players


@pytest.mark.parametrize(("name", "fields", "tied"), [case for case in TIED if case[0] in ("standard", "egyptian")])
def test_each_side_that_ties_for_most_scores_the_majority(name, fields, tied):
    duel = contest(name, **fields)
    deck = find_deck(duel, 0, tied, 11)
    counts = cards_of_sides(settled(duel, deck, 0))
    with_it, without = (
        play_match(contest(name, **{**fields, "majority": majority}), [deck], 1).rounds[0] for majority in (3, 0)
    )
    gained = [more - less for more, less in zip(with_it, without, strict=True)]
    assert gained == [3 * (count == max(counts)) for count in counts]


def test_a_void_round_is_a_draw_of_all():
    duel = contest("classic")
    deck = find_deck(duel, 0, 2, 3)
    batch = GameBatch(duel.game, 1, seed=0, autoreset=False)
    batch.reset(decks=[deck], dealers=0)
    paid = np.zeros(2)
    while not batch.slots.terminated[0]:
        paid += batch.step(batch.slots.action_mask.argmax(1)).rewards[0]
    assert batch.position().points == (0, 0)
    assert paid.tolist() == [0, 0]  # what basras had paid is taken back


# --- matches of three sides ------------------------------------------------------------------------------------------


def test_of_three_sides_the_highest_total_must_be_held_alone():
    """Two of three share the highest total over the target: all three play on, and it is the highest that wins."""
    duel = contest("standard", players=3, target=100)
    deck = find_deck(duel, 0, 1, 5)
    won = settled(duel, deck, 0).points
    level = [200 - points for points in won]
    level[2] = 0
    position = play_match(duel, [deck], 1, scores=[level])
    assert position.scores[:2] == (200, 200)
    assert not position.match_over
    assert position.to_play is not None

    level[1] -= 1
    position = play_match(duel, [deck], 1, scores=[level])
    assert position.scores[:2] == (200, 199)
    assert position.match_over


def test_one_side_at_the_target_wins_though_others_are_level():
    duel = contest("standard", players=3, target=100)
    deck = find_deck(duel, 0, 1, 5)
    won = settled(duel, deck, 0).points
    position = play_match(duel, [deck], 1, scores=[[100 - won[0], 50 - won[1], 50 - won[2]]])
    assert position.scores == (100, 50, 50)
    assert position.match_over


# --- nobody captures -------------------------------------------------------------------------------------------------


@pytest.mark.small
@pytest.mark.parametrize(("tied", "points", "carry"), [("each", (3, 3), 0), ("carry", (0, 0), 3), ("void", (0, 0), 3)])
def test_where_nobody_captures_the_floor_counts_for_nobody(tied, points, carry):
    """Four clubs, one packet: J, 3, A, 2 in this order take nothing, and nobody has more cards than the other."""
    game = make("micro", suits="C", majority_tied=tied)
    batch = GameBatch(game, 1, seed=0, autoreset=False)
    batch.reset(decks=[["JC", "3C", "AC", "2C"]], dealers=0)
    for card in ("JC", "3C", "AC", "2C"):
        batch.step([game.parse_card(card)])
    end = batch.position()
    assert end.round_over
    assert end.last_capturer is None
    assert end.floor == ("JC", "3C", "AC", "2C")
    assert end.piles == ((), ())
    assert (end.points, end.carry) == (points, carry)
