"""The laws that every game obeys, as plain functions: run them on a game of your own with `check_game`.

Each takes a `Game` and raises AssertionError with what went wrong. They are written once and run over every
registered variant, player count and option.
"""

from __future__ import annotations

import copy
import hashlib
import math
import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from basra_env.core import driver
from basra_env.core.batch import EPISODES, REWARDS, GameBatch
from basra_env.core.game import Game
from basra_env.core.jit import DISABLED
from basra_env.core.position import Position
from basra_env.core.slots import Snapshot
from basra_env.registry import load_replay


def check_game(game: Game, seed: int = 0) -> None:
    """All laws at a moderate size."""
    for law in LAWS:
        law(game, seed)


def random_batch(game: Game, num_envs: int, seed: int, episode: str = "round", plies: int | None = None) -> GameBatch:
    """Games at different plies: row i has made up to `plies` (default: its round's) random decisions."""
    batch = GameBatch(game, num_envs, seed=seed, autoreset=False)
    if plies is None:
        play_out(batch, seed)
        most = batch._state["ply"].astype(np.int64)
    else:
        most = np.full(num_envs, plies)
    batch = GameBatch(game, num_envs, seed=seed, episode=episode, autoreset=False)
    wanted = np.random.default_rng(seed).integers(0, most + 1)
    rngs = batch.player_generators(seed)
    for ply in range(int(wanted.max())):
        rows = np.flatnonzero((wanted > ply) & (batch.slots.to_play >= 0))
        if len(rows):
            chosen = rngs[rows]
            batch.step(batch.decide("random", chosen, rows), rows)
            rngs[rows] = chosen
    return batch


def cards_of(position: Position) -> list[str]:
    """Every card of a position, wherever it lies."""
    pending = [position.pending] if position.pending else []
    trick = [card for _, card in position.trick]
    places = [*position.hands, *position.piles, position.floor, position.hidden, position.stock]
    return [card for place in places for card in place] + pending + trick


def check_cards_conserved(game: Game, seed: int = 0) -> None:
    """Each card is in exactly one place, at every ply."""
    batch = random_batch(game, 200, seed)
    pack = sorted(game.card_text(int(card)) for card in batch._cards)
    for row in range(batch.num_envs):
        assert sorted(cards_of(batch.position(row))) == pack, f"row {row}: {batch.position(row)}"


def check_deal_reads_its_packet_only(game: Game, seed: int = 0) -> None:
    """What is dealt does not depend on the order of the cards beneath."""
    batch = random_batch(game, 100, seed, plies=game.spec.max_plies - 1)
    other = copy.deepcopy(batch)
    rng = np.random.default_rng(seed)
    before = batch._state["cursor"].copy()
    rngs = batch.player_generators(seed)
    rows = np.flatnonzero(batch.slots.to_play >= 0)
    for _ in range(game.spec.max_plies):
        rows = rows[batch.slots.to_play[rows] >= 0]
        dealt = batch._state["cursor"] - before
        rows = rows[dealt[rows] == 0]  # until a packet has been dealt
        if not len(rows):
            break
        chosen = rngs[rows]
        actions = batch.decide("random", chosen, rows)
        rngs[rows] = chosen
        probe = batch.clone()
        batch.step(actions, rows)
        for row in rows[batch._state["cursor"][rows] != before[rows]]:
            other.restore(probe)
            taken = int(batch._state["cursor"][row])
            size = len(batch._cards)
            other._state["deck"][row, taken:size] = rng.permutation(other._state["deck"][row, taken:size])
            other.step(actions[rows == row], [int(row)])
            one, two = batch.position(int(row)), other.position(int(row))
            assert (one.hands, one.floor) == (two.hands, two.floor), f"row {row}: {one} against {two}"


def check_mask_empty_exactly_when_over(game: Game, seed: int = 0) -> None:
    """The mover's mask is empty exactly when the game is over; masks are those of the seat to play."""
    for episode in EPISODES:
        batch = GameBatch(game, 64, seed=seed, episode=episode, autoreset=False)
        rngs = batch.player_generators(seed)
        for _ in range(20 * game.spec.max_plies):
            over = batch.slots.to_play < 0
            assert np.array_equal(~batch.slots.action_mask.any(1), over)
            assert np.array_equal(batch.slots.terminated, over)
            if over.all():
                break
            batch.step(batch.decide("random", rngs))


def check_observations_hide(game: Game, seed: int = 0, rows: int = 300) -> None:
    """What a seat cannot know may be replaced without any change to its observation or its mask."""
    batch = random_batch(game, rows, seed)
    for seat in range(game.spec.players):
        every = np.arange(batch.num_envs)
        before = batch.observe(every, seat)
        masks = batch.slots.action_mask & (batch.slots.to_play == seat)[:, None]
        other = copy.deepcopy(batch)
        other.determinize(every, seat, np.arange(batch.num_envs) + seed)
        assert np.array_equal(other.observe(every, seat), before), f"seat {seat} sees what it cannot know"
        after = other.slots.action_mask & (other.slots.to_play == seat)[:, None]
        assert np.array_equal(after, masks)
        assert np.array_equal(other.slots.to_play, batch.slots.to_play)


def check_worlds_keep_what_is_known(game: Game, seed: int = 0, rows: int = 300) -> None:
    """Worlds keep the own hand, all open cards, the sizes of hands, and where publicly known cards lie.

    And the truth leaves no trace in them: from another game that looks the same the same seeds make the same worlds.
    """
    batch = random_batch(game, rows, seed)
    for seat in range(game.spec.players):
        other = copy.deepcopy(batch)
        other.determinize(np.arange(batch.num_envs), seat, seed)
        for row in range(batch.num_envs):
            one, two = batch.position(row), other.position(row)
            assert one.hands[seat] == two.hands[seat]
            assert [len(hand) for hand in one.hands] == [len(hand) for hand in two.hands]
            unknown = _unknown_in_piles(one, seat), _unknown_in_piles(two, seat)
            for pile, twin in zip(one.piles, two.piles, strict=True):
                assert len(pile) == len(twin)
                assert [card for card in pile if card not in unknown[0]] == [c for c in twin if c not in unknown[1]]
            public = ("floor", "plays", "scores", "rounds", "carry", "to_play", "trick", "pending", "named", "basras")
            for name in (*public, *(() if unknown[0] else ("points",))):
                assert getattr(one, name) == getattr(two, name), f"row {row}, {name}: {one} against {two}"
            assert one.known[seat : seat + 1] == two.known[seat : seat + 1]
            for card, place in one.known[seat] if one.known else ():
                if place == "hand":
                    assert [card in hand for hand in one.hands] == [card in hand for hand in two.hands]
                elif place == "stock":
                    assert one.stock.index(card) == two.stock.index(card)
            assert sorted(cards_of(two)) == sorted(cards_of(one))
        again = copy.deepcopy(batch)
        again.determinize(np.arange(batch.num_envs), seat, seed + 1)
        other.determinize(np.arange(batch.num_envs), seat, seed + 1)
        for row in range(batch.num_envs):
            assert again.position(row) == other.position(row), f"row {row}, seat {seat}: the world tells of the truth"


def _unknown_in_piles(position: Position, seat: int) -> set[str]:
    """Cards in piles that others have seen and `seat` has not."""
    own = set(position.known[seat]) if position.known else set()
    return {card for known in position.known for card, place in known if place == "pile" and (card, place) not in own}


World = dict[int, tuple[int, int]]
"""Where each unseen card lies: card id -> (line, value) of `reveal`."""


def check_worlds_uniform(
    batch: GameBatch,
    row: int,
    seat: int,
    samples: int,
    seed: int = 0,
    consistent: Callable[[World], bool] | None = None,
) -> int:
    """The worlds of one position are uniform over all that are consistent; how many there are.

    Each unseen card is equally likely in each unseen place; and where there are at most 5,000 worlds, each world.

    Args:
        batch: with the game.
        row: of the game.
        seat: whose knowledge stays.
        samples: number of worlds to draw.
        seed: of the worlds.
        consistent: says of a world whether what the seat has seen allows it; None: all do.
    """
    worlds = GameBatch(batch.game, samples, seed=0, episode=batch.episode, autoreset=False)
    worlds.restore(batch.clone([row]))
    worlds.determinize(np.arange(samples), seat, np.arange(samples) + seed * samples)
    truth, drawn = _places(batch, batch.state([row]))[0], _places(batch, worlds.state())
    position = batch.position(row)
    told = position.known[seat] if position.known else ()
    seen = [*position.hands[seat], *(card for card, _ in told)]
    known = set(map(batch.game.parse_card, seen))
    unseen = [int(card) for card in np.flatnonzero(truth) if card not in known]
    places, capacity = np.unique(truth[unseen], return_counts=True)
    if len(unseen) > 1 and consistent is None:
        observed = np.array([(drawn[:, unseen] == place).sum(0) for place in places])
        expected = samples * capacity[:, None] / len(unseen)
        chi2 = float(((observed - expected) ** 2 / expected).sum())
        freedom = (len(places) - 1) * (len(unseen) - 1)
        if freedom:
            assert abs(chi2 - freedom) < 6 * np.sqrt(2 * freedom) + 12, f"places of cards: chi2 {chi2} for {freedom}"
    total, left = 1, len(unseen)
    for room in map(int, capacity):
        total *= math.comb(left, room)
        left -= room
    if consistent is not None and total <= 20_000:
        every = _arrangements(unseen, dict(zip(places.tolist(), capacity.tolist(), strict=True)))
        total = sum(consistent({card: divmod(place, 256) for card, place in world.items()}) for world in every)
    if 1 < total <= 5000 and samples >= 10 * total:
        keys = Counter(map(bytes, drawn[:, unseen]))
        assert len(keys) == total, f"{len(keys)} worlds seen, {total} are consistent"
        chi2 = sum((count - samples / total) ** 2 for count in keys.values()) / (samples / total)
        assert abs(chi2 - (total - 1)) < 6 * np.sqrt(2 * (total - 1)) + 12, f"worlds: chi2 {chi2} for {total - 1}"
    return total


def _places(batch: GameBatch, states: np.ndarray) -> np.ndarray:
    """int16 (n, cards): where each unseen card is, 256 x line + value of `reveal`; 0 where it is not unseen."""
    width = batch.game.spec.layout["hand"].shape[0]
    beyond = states[:, batch.game.spec.obs_size :].reshape(len(states), -1, width).astype(np.int16)
    lines = np.arange(beyond.shape[1], dtype=np.int16)[:, None]
    places: np.ndarray = ((beyond + 256 * lines) * (beyond > 0)).sum(1).astype(np.int16)
    return places


def _arrangements(cards: list[int], room: dict[int, int]) -> Iterator[dict[int, int]]:
    """All ways to put cards into places that hold so many each."""
    if not cards:
        yield {}
        return
    for place in [place for place, free in room.items() if free]:
        for rest in _arrangements(cards[1:], {**room, place: room[place] - 1}):
            yield {cards[0]: place, **rest}


def check_copies_go_on_identically(game: Game, seed: int = 0) -> None:
    """Clone and restore, pickle and deepcopy continue as the original does, future deals included."""
    for episode in EPISODES:
        batch = random_batch(game, 40, seed, episode, plies=game.spec.max_plies - 1)
        restored = GameBatch(game, 40, seed=seed + 1, episode=episode, autoreset=False)
        restored.restore(batch.clone())
        copies = [restored, copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]  # noqa: S301 our own bytes
        end = play_out(batch, seed)
        for twin in copies:
            assert play_out(twin, seed) == end


def check_seeds(game: Game, seed: int = 0) -> None:
    """Row i depends on (seed, i) only; a second reset goes on with the stream; no global generator is touched."""
    before = (random.getstate(), str(np.random.get_state()))
    big = GameBatch(game, 33, seed=seed, threads=3)
    small = GameBatch(game, 5, seed=seed)
    first = [big.position(row) for row in range(33)]
    assert first[:5] == [small.position(row) for row in range(5)]
    by_chance = math.factorial(len(game.spec.cards)) < 10_000  # so few deals that some come twice
    dealt = len({(position.hands, position.stock) for position in first})
    assert dealt == 33 or (by_chance and dealt > 1), "rows are dealt the same cards"
    assert play_out(big, seed)[:5] == play_out(small, seed)
    small.reset()
    again = [small.position(row) for row in range(5)]
    differ = [one.stock != two.stock for one, two in zip(first, again, strict=False)]
    assert all(differ) or (by_chance and again != first[:5]), "a second reset repeats"
    small.reset(seed=seed)
    assert [small.position(row) for row in range(5)] == first[:5]
    after = (random.getstate(), str(np.random.get_state()))
    assert before == after, "a global generator was used"


def check_rewards(game: Game, seed: int = 0) -> None:
    """Rewards add up to zero over sides in each step, and over an episode to the difference made since its start."""
    sides, players = game.spec.num_sides, game.spec.players
    side_of = np.array(game.spec.sides)
    for episode in EPISODES:
        for reward in REWARDS:
            batch = GameBatch(game, 64, seed=seed, episode=episode, reward=reward, autoreset=False)
            rngs = batch.player_generators(seed)
            paid = np.zeros((64, players))
            while (batch.slots.to_play >= 0).any():
                batch.step(batch.decide("random", rngs))
                paid += batch.slots.rewards
                each = np.stack([batch.slots.rewards[:, side_of == side].mean(1) for side in range(sides)], 1)
                assert np.allclose(each.sum(1), 0, atol=1e-4)
                assert np.array_equal(batch.slots.rewards, each.astype(np.float32)[:, side_of]), (
                    "partners are paid alike"
                )
            for row in range(64):
                end = batch.position(row)
                scores = np.array(end.points if episode == "round" else end.scores, float)
                if reward == "points":
                    others = (scores.sum() - scores) / (sides - 1)
                    expected = scores - others
                else:
                    best = scores == scores.max()
                    k = best.sum()
                    expected = np.zeros(sides) if k == sides else np.where(best, 1 / k, -1 / (sides - k))
                assert np.allclose(paid[row], expected[side_of], atol=1e-3), f"row {row}: {paid[row]}, {expected}"


def check_points_sum(game: Game, seed: int = 0) -> None:
    """The scores are the sums of the rounds; a finished match has one side alone ahead, at or over its target."""
    batch = GameBatch(game, 30, seed=seed, episode="match", autoreset=False)
    play_out(batch, seed)
    for row in range(30):
        end = batch.position(row)
        standing = list(end.rounds)
        if game.spec.match_unit == "rounds":
            standing = [tuple(int(2 * own > sum(points)) for own in points) for points in end.rounds]
        assert end.scores == tuple(map(sum, zip(*standing, strict=True)))
        assert end.match_over
        best, second = sorted(end.scores, reverse=True)[:2]
        assert best >= game.rules.target
        assert best > second


def check_observations_lie_in_space(game: Game, seed: int = 0, games: int = 40 if DISABLED else 500) -> None:
    """Every byte is at most what the layout says; lines and fresh observations agree; auto-reset shows the new game."""
    high = game.spec.layout.high()
    for episode in EPISODES:
        batch = GameBatch(game, games, seed=seed, episode=episode)
        rngs = batch.player_generators(seed)
        rows = np.arange(games)
        for _ in range(game.spec.max_plies + 5):
            slots = batch.step(batch.decide("random", rngs))
            assert (slots.obs <= high).all()
            assert np.array_equal(slots.obs, batch.observe(rows, slots.to_play))
            ended = slots.terminated
            assert (slots.final_obs[ended] <= high).all()
            assert batch.state().shape == (games, game.spec.state_size)
            assert np.array_equal(batch.state()[:, : game.spec.obs_size], slots.obs)


def check_replays(game: Game, seed: int = 0) -> None:
    """A game finished or running, a match too, is told in one line and played again to the same state."""
    for episode in EPISODES:
        batch = random_batch(game, 30, seed, episode, plies=game.spec.max_plies)
        told = [batch.replay(row) for row in range(30)]
        again = [load_replay(line) for line in told]
        for row, twin in enumerate(again):
            assert twin.position(0) == batch.position(row), told[row]
            assert twin._state[0].tobytes() == batch._state[row].tobytes(), told[row]
            assert twin.replay(0) == told[row]
        ends = play_out(batch, seed)
        assert [load_replay(batch.replay(row)).position(0) for row in range(30)] == ends


def check_positions_round_trip(game: Game, seed: int = 0) -> None:
    """A position read, written as JSON, read back and set up plays on as the game it was read from."""
    for episode in EPISODES:
        batch = random_batch(game, 40, seed, episode)
        batch.restore(_ended(game, seed, episode), rows=[0])
        twin = GameBatch(game, 40, seed=seed, episode=episode, autoreset=False)
        for row in range(40):
            position = batch.position(row)
            assert Position.from_json(position.to_json()) == position
            twin.set_position(row, position.to_json())
            assert twin.position(row) == position
        for seat in range(game.spec.players):
            assert np.array_equal(twin.observe(np.arange(40), seat), batch.observe(np.arange(40), seat))
        assert np.array_equal(twin.slots.action_mask, batch.slots.action_mask)
        twin._state["rng"] = batch._state["rng"]
        assert play_out(twin, seed) == play_out(batch, seed)
        assert load_replay(twin.replay(7)).position(0) == twin.position(7)


def _ended(game: Game, seed: int, episode: str) -> Snapshot:
    """A finished game."""
    batch = GameBatch(game, 1, seed=seed, episode=episode, autoreset=False)
    play_out(batch, seed)
    return batch.clone()


def check_players_use_what_they_know(game: Game, seed: int = 0, rows: int = 300) -> None:
    """A built-in player does the same in every world that it cannot tell from the real one."""
    batch = random_batch(game, rows, seed, plies=game.spec.max_plies - 1)
    seats = np.maximum(batch.slots.to_play, 0)
    for policy in game.family.policies:
        real = batch.decide(policy, batch.player_generators(seed))
        other = copy.deepcopy(batch)
        other.determinize(np.arange(rows), seats, np.arange(rows))
        assert np.array_equal(real, other.decide(policy, batch.player_generators(seed))), policy
        playing = batch.slots.to_play >= 0
        assert batch.slots.action_mask[playing, real[playing]].all(), f"{policy} plays an illegal card"


def check_decoded_observations(game: Game, seed: int = 0, rows: int = 60) -> None:
    """An observation decodes back to what its seat knows, as read from the position."""
    batch = random_batch(game, rows, seed)
    players, sides = game.spec.players, game.spec.num_sides
    for row in range(rows):
        position = batch.position(row)
        for seat in range(players):
            seen = game.decode(batch.observe([row], seat)[0])
            by_id = game.parse_card
            assert list(seen["hand"]) == sorted(position.hands[seat], key=by_id)
            assert sorted(seen.get("floor", ()), key=by_id) == sorted(position.floor, key=by_id)
            unknown = _unknown_in_piles(position, seat)
            for offset in range(sides):
                side = (game.spec.sides[seat] + offset) % sides
                pile = [c for s in range(players) if game.spec.sides[s] == side for c in position.piles[s]]
                assert list(seen["piles"][offset]) == sorted(set(pile) - unknown, key=by_id)
                assert seen["cards"][offset] == len(pile)
                assert seen["scores"][offset] == position.scores[side]
                for name in ("basras", "basra_points"):
                    assert name not in seen or seen[name][offset] == getattr(position, name)[side]
            assert seen["plays"] == tuple(((s - seat) % players, card) for s, card in position.plays)
            assert seen["dealer"] == (position.dealer - seat) % players
            assert seen.get("carry", 0) == position.carry
            told = seen["due"] if "due" in seen else [(owner, card, 0) for owner, card in seen.get("shown", ())]
            due = {card: (owner, when) for owner, card, when in told}
            known = position.known[seat] if position.known else ()
            assert set(due) == {card for card, place in known if place != "pile"}
            for card, (owner, when) in due.items():
                holder = (seat + owner) % players
                assert (card in position.hands[holder]) == (when == 0)
    _check_due_cards_come(batch, seed)


def _check_due_cards_come(batch: GameBatch, seed: int) -> None:
    """Cards whose future place is public come to the seat, and after so many packets, as was told."""
    game, players = batch.game, batch.game.spec.players
    told = {}
    for row in range(batch.num_envs):
        for owner, card, when in game.decode(batch.observe([row], 0)[0]).get("due", ()):
            told[row, card] = (owner, game.decode(batch.observe([row], 0)[0])["packet"] + when)
    rngs = batch.player_generators(seed)
    while (batch.slots.to_play >= 0).any():
        for (row, card), (owner, packet) in list(told.items()):
            position = batch.position(row)
            now = game.decode(batch.observe([row], 0)[0])["packet"]
            if now == packet and not position.plays:
                assert card in position.hands[owner % players], f"row {row}: {card} did not come to seat {owner}"
                del told[row, card]
            elif now < packet:
                assert card in position.stock
        batch.step(batch.decide("random", rngs))


def play_out(batch: GameBatch, seed: int) -> list[Position]:
    """Random decisions until every game is over (with auto-reset: a round's worth); the positions then."""
    rngs = batch.player_generators(seed)
    for _ in range(1000 * batch.game.spec.max_plies):
        if (batch.slots.to_play < 0).all():
            break
        batch.step(batch.decide("random", rngs))
        if batch.autoreset and batch.slots.terminated.any():
            break
    return [batch.position(row) for row in range(batch.num_envs)]


def games_digest(game: Game, seed: int = 0, num_envs: int = 20) -> str:
    """A digest of all that some random games show: equal compiled and interpreted, and from version to version."""
    digest = hashlib.sha256()
    for episode in EPISODES:
        batch = GameBatch(game, num_envs, seed=seed, episode=episode)
        rngs = batch.player_generators(seed)
        for _ in range(game.spec.max_plies + 10):
            for policy in game.family.policies:
                digest.update(batch.decide(policy, rngs.copy()).tobytes())
            slots = batch.step(batch.decide("random", rngs))
            for array in (slots.obs, slots.action_mask, slots.to_play, slots.rewards, slots.terminated):
                digest.update(array.tobytes())
            digest.update(batch.state().tobytes())
        digest.update(batch._state.tobytes())
        twin = copy.deepcopy(batch)
        twin.determinize(np.arange(num_envs), np.maximum(twin.slots.to_play, 0), np.arange(num_envs))
        digest.update(twin._state.tobytes())
    return digest.hexdigest()


def check_rows_hold_no_padding(game: Game, seed: int = 0) -> None:
    """Equal games are equal bytes: the record has no hidden padding, and its pad stays zero."""
    record = game.family.record
    batch = random_batch(game, 50, seed)
    assert (batch._state["pad"] == 0).all()
    for dtype in (record, driver.history_dtype(record)):
        assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize, dtype


LAWS: tuple[Callable[..., None], ...] = (
    check_cards_conserved,
    check_deal_reads_its_packet_only,
    check_mask_empty_exactly_when_over,
    check_observations_hide,
    check_worlds_keep_what_is_known,
    check_copies_go_on_identically,
    check_seeds,
    check_rewards,
    check_points_sum,
    check_observations_lie_in_space,
    check_replays,
    check_positions_round_trip,
    check_players_use_what_they_know,
    check_decoded_observations,
    check_rows_hold_no_padding,
)
