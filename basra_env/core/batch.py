"""Many games at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from basra_env.core import driver
from basra_env.core.arguments import Deck, check_array, checked_deck, checked_seed, decisions, integers, rows_in
from basra_env.core.chance import DECKS, MAX_SEED, PLAYERS
from basra_env.core.errors import IllegalActionError, unknown
from basra_env.core.game import Game
from basra_env.core.position import Position, as_position
from basra_env.core.position_checks import check_types
from basra_env.core.record import MAX_SEATS, TERMINAL
from basra_env.core.replay import write_replay
from basra_env.core.slots import Slots, Snapshot

EPISODES = ("round", "match")
REWARDS = {"points": driver.POINTS, "win": driver.WIN}


class GameBatch:
    """B games of one kind, stepped together in compiled code.

    Row i depends on (seed, i) only: not on the size of the batch, the number of threads or the other rows.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 1,
        seed: int | None = None,
        episode: str = "round",
        reward: str = "points",
        autoreset: bool = True,
        threads: int = 1,
    ) -> None:
        """Build the batch and reset every row.

        Args:
            game: from `basra_env.make`.
            num_envs: B.
            seed: of all rows, 0 to 2**63 - 1; None draws one from the system.
            episode: "round" (one full deck) or "match" (rounds up to the target).
            reward: "points" (change of the difference to the other sides' mean) or "win" (at the end).
            autoreset: start a row's next episode in the step that ends one.
            threads: rows are split among so many threads in `step`.

        Raises:
            ValueError: an unknown episode or reward, no rows, no threads, a seed out of range.
        """
        if episode not in EPISODES:
            raise ValueError(unknown("episode", episode, EPISODES))
        if reward not in REWARDS:
            raise ValueError(unknown("reward", reward, REWARDS))
        if num_envs < 1 or threads < 1:
            raise ValueError(f"expected at least one game and one thread, got num_envs={num_envs}, threads={threads}")
        self.game = game
        self.num_envs = num_envs
        self.episode = episode
        self.reward = reward
        self.autoreset = autoreset
        self.threads = threads
        self.slots = Slots.empty(game, num_envs)
        record = game.family.record
        self._state = np.zeros(num_envs, record)
        self._state["match"] = episode == "match"
        self._history = np.zeros((num_envs, 4 if episode == "match" else 0), driver.history_dtype(record))
        # Where a row was set up by hand or imagined, its replay starts there and not at the deal.
        self._origins = np.zeros(0, record)
        self._displaced = np.zeros(num_envs, np.bool_)
        self._cards = np.array(game.spec.cards, np.int8)
        self._every = np.arange(num_envs)
        self._pool: ThreadPoolExecutor | None = None
        self._seed_rows(self._every, seed)
        self.reset()

    # --- playing -----------------------------------------------------------------------------------------------

    def step(self, actions: ArrayLike, rows: ArrayLike | None = None, out: Slots | None = None) -> Slots:
        """Play one decision in each row.

        Args:
            actions: integers (B,), or one for each of `rows`; -1 for a finished row, and for nothing else.
            rows: rows to step, none twice; None means all.
            out: the caller's arrays, one line for each stepped row, written instead of `slots`.

        Returns:
            `slots`, or `out`.

        Raises:
            IllegalActionError: names row, seat, card and what was legal; no row has changed.
            ValueError: actions of another shape or kind, a row out of range or twice.
        """
        chosen = self._every if rows is None else self._rows(rows, unique=True)
        plays = decisions(actions, len(chosen))
        slots = self.slots if out is None else self._checked_out(out, len(chosen))
        lines = chosen if out is None else np.arange(len(chosen))
        if self.threads == 1 or len(chosen) < 2 * self.threads:
            bad, most = self._step(chosen, lines, plays, slots)
        else:
            bad, most = driver.check_rows(self._state, chosen, plays, self.game.rules), 0
            if bad < 0:
                parts = zip(*(np.array_split(array, self.threads) for array in (chosen, lines, plays)), strict=True)
                futures = [self._threads().submit(self._step, part[0], part[1], part[2], slots) for part in parts]
                most = max(future.result()[1] for future in futures)
        if bad >= 0:
            raise self.illegal_action(int(chosen[bad]), int(plays[bad]))
        self._grow_history(most)
        if self.autoreset and self._origins.size:
            self._displaced[chosen[slots.terminated[lines]]] = False
        return slots

    def reset(
        self,
        rows: ArrayLike | None = None,
        seed: int | Sequence[int] | None = None,
        decks: Sequence[Any] | None = None,
        dealers: ArrayLike | None = None,
        scores: ArrayLike | None = None,
        carry: ArrayLike | None = None,
    ) -> Slots:
        """Start new episodes; without `seed` each row goes on with its own stream of decks.

        Args:
            rows: rows to reset; None means all.
            seed: start the rows' streams anew, as a new batch with that seed would; a sequence, one a row,
                gives each row the stream of a single environment with that seed.
            decks: one deck a row, first card on top, ids or texts; in matches also a list of decks a row, one a
                round, after which the row's own generator deals.
            dealers: seat for each row, or one for all; -1 or None draws it.
            scores: points (n, sides) that a match starts from, or (sides,) for all rows.
            carry: points (n,) on top of the first majority, or one number for all rows.

        Raises:
            ValueError: a deck that is no permutation of the pack, a dealer that is no seat, shapes that do not
                fit; the games in progress go on.
        """
        chosen = self._every if rows is None else self._rows(rows, unique=True)
        size = len(chosen)
        sides = self.game.spec.num_sides
        given = None if decks is None else self._decks(decks, size)
        dealt_by = np.full(size, -1, np.int8)
        if dealers is not None:
            dealt_by[:] = integers("dealers", dealers, (size,), -1, self.game.spec.players - 1)
        start = np.zeros((size, MAX_SEATS), np.int32)
        if scores is not None:
            start[:, :sides] = integers("scores", scores, (size, sides), -(2**30), 2**30)
        carried = np.zeros(size, np.int32)
        if carry is not None:
            carried[:] = integers("carry", carry, (size,), 0, 2**30)
        if carried.any() and "carry" not in self.game.spec.layout:
            raise ValueError(f"carry is {carry!r}: {self.game.name} carries nothing over to the next round")
        if seed is not None:
            self._seed_rows(chosen, seed)
        self._take_decks(chosen, given)
        self._displaced[chosen] = False
        driver.begin_rows(self._state, self._history, chosen, dealt_by, start, carried, self.game.rules, self._cards)
        if scores is not None or carry is not None:
            self._displace(chosen)
        return self._refresh(chosen)

    # --- looking -----------------------------------------------------------------------------------------------

    def observe(self, rows: ArrayLike, seats: ArrayLike) -> np.ndarray:
        """What chosen seats see: uint8 (n, O), a new array. `rows` may repeat; one seat serves all rows."""
        chosen = self._rows(rows)
        seen_by = self._seats(seats, len(chosen))
        out = np.empty((len(chosen), self.game.spec.obs_size), np.uint8)
        driver.observe_rows(self._state, chosen, seen_by, self.game.rules, out)
        return out

    def state(self, rows: ArrayLike | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """The whole of each game, relative to the seat to play: uint8 (n, S), for critics, never for players.

        It is the mover's observation followed by where every unseen card is, as its family's `reveal` tells it. `out`
        takes the caller's array.
        """
        chosen = self._every if rows is None else self._rows(rows)
        if out is None:
            out = np.empty((len(chosen), self.game.spec.state_size), np.uint8)
        check_array("out", out, np.uint8, (len(chosen), self.game.spec.state_size))
        driver.state_rows(self._state, chosen, self.game.rules, self.game.spec.obs_size, out)
        return out

    def position(self, row: int = 0) -> Position:
        """Everything about the game in `row`, as a person reads it."""
        row = int(self._rows(row)[0])
        s = self._state[row]
        return self.game.family.read_position(s, self._finished_rounds(row), self.game.rules)

    def set_position(self, row: int, position: Position | Mapping[str, Any]) -> Slots:
        """Put the game of `position` into `row`; its generator goes on.

        Raises:
            ValueError: a position that no game reaches; the game in progress goes on.
        """
        row = int(self._rows(row)[0])
        position = as_position(position)
        match = self.episode == "match"
        if match and position.round_over and not position.match_over:
            raise ValueError(
                "in a match a finished round is followed by the next at once: give that position, or match_over"
            )
        check_types(position, self.game.spec)
        s = self._state[row : row + 1].copy()
        self.game.family.write_position(s[0], position, self.game.rules)
        s["scores"][0] = 0
        s["scores"][0, : len(position.scores)] = position.scores
        s["rounds"] = len(position.rounds) if match else int(position.round_over)
        past = np.zeros(len(position.rounds), self._history.dtype)
        for number, points in enumerate(position.rounds):
            past["points"][number, : len(points)] = points
        if match:
            self._grow_history(len(past) + 1)
            self._history[row] = np.zeros((), self._history.dtype)
            self._history[row, : len(past)] = past
        self._state[row] = s[0]
        self._displace(np.array([row]))
        return self._refresh(np.array([row]))

    # --- copying -----------------------------------------------------------------------------------------------

    def clone(self, rows: ArrayLike | None = None) -> Snapshot:
        """A copy of the games in `rows` (None: all), generators included."""
        chosen = self._every if rows is None else self._rows(rows)
        origins = self._origins[chosen] if self._origins.size else self._origins.copy()
        return Snapshot(self.game.rules, self._state[chosen], self._history[chosen], origins, self._displaced[chosen])

    def restore(self, snap: Snapshot, rows: ArrayLike | None = None) -> Slots:
        """Put the games of a snapshot into `rows` (None: all); a snapshot of one goes into every row.

        Raises:
            ValueError: a snapshot of another size, or of another kind of game or episode.
        """
        chosen = self._every if rows is None else self._rows(rows, unique=True)
        if len(snap.state) not in (1, len(chosen)):
            raise ValueError(f"a snapshot of {len(snap.state)} games does not fit {len(chosen)} rows")
        of_match = bool(len(snap.state) and snap.state["match"][0])
        if snap.rules != self.game.rules or (len(snap.state) and of_match != (self.episode == "match")):
            raise ValueError("the snapshot is of another kind of game or episode")
        self._grow_history(snap.history.shape[1] - 2)
        self._state[chosen] = snap.state
        self._history[chosen] = np.zeros((), self._history.dtype)
        self._history[chosen, : snap.history.shape[1]] = snap.history
        self._displaced[chosen] = snap.displaced
        if snap.origins.size:
            self._make_origins()
            self._origins[chosen] = snap.origins
        return self._refresh(chosen)

    def determinize(self, rows: ArrayLike, seats: ArrayLike, seeds: ArrayLike) -> Slots:
        """Replace in each row all that a seat cannot know, future chance too, from the given seeds.

        Args:
            rows: rows to change, none twice.
            seats: the seat whose knowledge stays, for each row or one for all.
            seeds: integers (n,) 0 to 2**63 - 1, or one for all: the same seed gives the same world of a game.
        """
        chosen = self._rows(rows, unique=True)
        drawn = integers("seeds", seeds, (len(chosen),), 0, MAX_SEED)
        driver.resample_rows(
            self._state, chosen, self._seats(seats, len(chosen)), drawn, self.game.rules,
            np.empty(4, np.uint32), np.empty((3, len(self._cards)), np.int8),
        )  # fmt: skip
        self._history["given"][chosen] = 0
        self._displace(chosen)
        return self._refresh(chosen)

    def replay(self, row: int = 0) -> str:
        """The game in `row`, finished or running, as one JSON line that `basra_env.load_replay` reads."""
        return write_replay(self, int(self._rows(row)[0]))

    # --- built-in players --------------------------------------------------------------------------------------

    def player_generators(self, seed: int | Sequence[int] | None, rows: ArrayLike | None = None) -> np.ndarray:
        """uint32 (n, 4) generators for built-in players, apart from those of the decks; row i from (seed, i) only."""
        chosen = self._every if rows is None else self._rows(rows)
        return generators(seed, chosen, PLAYERS)

    def decide(self, policy: str, rngs: np.ndarray, rows: ArrayLike | None = None) -> np.ndarray:
        """What a built-in player plays in each row: int64 (n,), -1 where the game is over.

        Args:
            policy: one of `game.family.policies`; it uses only what the seat to play knows.
            rngs: uint32 (n, 4) from `player_generators`, advanced where the policy draws.
            rows: None means all.
        """
        chosen = self._every if rows is None else self._rows(rows)
        check_array("rngs", rngs, np.uint32, (len(chosen), 4))
        out = np.empty(len(chosen), np.int64)
        codes = np.full(len(chosen), policy_code(self.game, policy), np.int8)
        driver.decide_rows(self._state, chosen, codes, rngs, self.game.rules, out)
        return out

    def all_known(self, rows: ArrayLike | None = None) -> np.ndarray:
        """Bool (n,): True where each seat, if it remembers, knows every card, and nothing is left to chance.

        In games of two seats that is so once the last cards are dealt; what is public tells it.
        """
        chosen = self._every if rows is None else self._rows(rows)
        out = np.empty(len(chosen), np.bool_)
        driver.known_rows(self._state, chosen, self.game.rules, out)
        return out

    def advance(
        self,
        actions: ArrayLike,
        learners: np.ndarray,
        policies: np.ndarray,
        rngs: np.ndarray,
        rows: ArrayLike | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play one decision and let built-in players answer until the learner, or a seat without one, is to play.

        Args:
            actions: integers (n,) for the seat to play; -1 for none, as after a reset.
            learners: int8 (B,) the learner's seat in each row.
            policies: int8 (B, P) `policy_code` of the built-in player in each seat, -1 for none.
            rngs: uint32 (B, 4) from `player_generators`.
            rows: None means all.

        Returns:
            rewards: float32 (n,) the learner's, summed over all that was played; and terminated: bool (n,).
            `slots` are refreshed. There is no auto-reset.

        Raises:
            IllegalActionError: as `step`.
        """
        chosen = self._every if rows is None else self._rows(rows, unique=True)
        plays = decisions(actions, len(chosen))
        check_array("learners", learners, np.int8, (self.num_envs,))
        check_array("policies", policies, np.int8, (self.num_envs, self.game.spec.players))
        check_array("rngs", rngs, np.uint32, (self.num_envs, 4))
        rewards, terminated = np.zeros(len(chosen), np.float32), np.zeros(len(chosen), np.bool_)
        bad, most = driver.advance_rows(
            self._state, self._history, chosen, plays, learners, policies, rngs, self.game.rules, self._cards,
            REWARDS[self.reward], rewards, terminated, np.zeros(self.game.spec.players, np.float32),
        )  # fmt: skip
        if bad >= 0:
            raise self.illegal_action(int(chosen[bad]), int(plays[bad]))
        self._grow_history(most)
        self._refresh(chosen)
        return rewards, terminated

    # --- inside ------------------------------------------------------------------------------------------------

    def _step(self, rows: np.ndarray, lines: np.ndarray, actions: np.ndarray, slots: Slots) -> tuple[int, int]:
        bad_and_most: tuple[int, int] = driver.step_rows(
            self._state, self._history, rows, lines, actions, self.game.rules, self._cards,
            REWARDS[self.reward], self.autoreset, slots.obs, slots.action_mask.view(np.uint8), slots.to_play,
            slots.rewards, slots.terminated, slots.final_obs, slots.final_scores,
        )  # fmt: skip
        return bad_and_most

    def _refresh(self, rows: np.ndarray) -> Slots:
        slots = self.slots
        mask = slots.action_mask.view(np.uint8)
        driver.show_rows(self._state, rows, rows, self.game.rules, slots.obs, mask, slots.to_play)
        slots.rewards[rows] = 0
        slots.terminated[rows] = slots.to_play[rows] == TERMINAL
        return slots

    def _seed_rows(self, rows: np.ndarray, seed: int | Sequence[int] | None) -> None:
        self._state["rng"][rows] = generators(seed, rows, DECKS)

    def _decks(self, decks: Sequence[Any], size: int) -> list[list[list[int]]]:
        """Checked decks: for each row, for each round, card ids."""
        if len(decks) != size:
            raise ValueError(f"{len(decks)} decks for {size} rows: expected one a row")
        rows = []
        for row in decks:
            is_list_of_decks = len(row) > 0 and not isinstance(row[0], (str, int, np.integer))
            if is_list_of_decks and self.episode == "round" and len(row) != 1:
                raise ValueError(f"{len(row)} decks for an episode of one round: expected one")
            rows.append([self._deck(deck) for deck in (row if is_list_of_decks else [row])])
        return rows

    def _deck(self, deck: Deck) -> list[int]:
        ids = checked_deck(deck, self.game.family.pack, self._cards)
        fault = self.game.family.deck_fault(ids, self.game.rules)
        if fault is not None:
            raise ValueError(f"this deck cannot be given: {fault}")
        return ids

    def _expect_decks(self, row: int, decks: list[Deck]) -> None:
        """Give the decks of the rounds after the one in progress, for replays of matches."""
        ahead = int(self._state["rounds"][row]) + 1
        self._grow_history(ahead + len(decks))
        for number, deck in enumerate(decks, ahead):
            self._history["deck"][row, number, : len(self._cards)] = self._deck(deck)
            self._history["given"][row, number] = 1

    def _take_decks(self, rows: np.ndarray, decks: list[list[list[int]]] | None) -> None:
        """Lay given decks out where the driver looks for them."""
        self._state["cursor"][rows] = 0
        if self.episode == "match":
            self._history["given"][rows] = 0
        if decks is None:
            return
        if self.episode == "round":
            self._state["cursor"][rows] = -1
            self._state["deck"][rows, : len(self._cards)] = [row[0] for row in decks]
            return
        self._grow_history(max(map(len, decks)))
        for row, row_decks in zip(rows, decks, strict=True):
            self._history["deck"][row, : len(row_decks), : len(self._cards)] = row_decks
            self._history["given"][row, : len(row_decks)] = 1

    def _grow_history(self, rounds: int) -> None:
        """Make room for one round more than any match has finished."""
        have = self._history.shape[1]
        if self.episode == "match" and rounds + 1 >= have:
            more = np.zeros((self.num_envs, max(have, rounds + 2)), self._history.dtype)
            self._history = np.concatenate([self._history, more], axis=1)

    def _finished_rounds(self, row: int) -> list[tuple[int, ...]]:
        s, sides = self._state[row], self.game.spec.num_sides
        if self.episode == "round":
            return [tuple(map(int, s["points"][:sides]))] if s["round_over"] else []
        past = self._history["points"][row, : int(s["rounds"]), :sides]
        return [tuple(map(int, points)) for points in past]

    def _displace(self, rows: np.ndarray) -> None:
        """Remember that the replay of these rows starts from where they are now."""
        self._make_origins()
        self._origins[rows] = self._state[rows]
        self._displaced[rows] = True

    def _make_origins(self) -> None:
        if not self._origins.size:
            self._origins = np.zeros(self.num_envs, self._state.dtype)

    def _rows(self, rows: ArrayLike, unique: bool = False) -> np.ndarray:
        return rows_in(self.num_envs, rows, unique)

    def _seats(self, seats: ArrayLike, size: int) -> np.ndarray:
        return integers("seats", seats, (size,), 0, self.game.spec.players - 1).astype(np.int8)

    def _checked_out(self, out: Slots, size: int) -> Slots:
        for name, have, want in zip(Slots.__annotations__, out.arrays(), self.slots.arrays(), strict=True):
            check_array(f"out.{name}", have, want.dtype, (size, *want.shape[1:]))
        return out

    def illegal_action(self, row: int, action: int) -> IllegalActionError:
        """The error that names row, seat, card and what was legal, to be raised by whoever refuses the action."""
        seat = int(self._state[row]["to_play"])
        if seat < 0:
            return IllegalActionError(
                f"row {row}: the game is over, so the only action is -1, got {action}; reset the row"
            )
        spare = Slots.empty(self.game, 1)
        mask = spare.action_mask.view(np.uint8)
        driver.show_rows(self._state, np.array([row]), np.array([0]), self.game.rules, spare.obs, mask, spare.to_play)
        known = 0 <= action < self.game.spec.num_actions
        name = f"{self.game.action_text(action)} (action {action})" if known else f"action {action}"
        legal = ", ".join(self.game.action_text(int(each)) for each in np.flatnonzero(mask[0]))
        return IllegalActionError(f"row {row}: seat {seat} may not play {name}; legal: {legal}")

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="basra")
        return self._pool

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_pool": None}

    def __deepcopy__(self, memo: dict[int, Any]) -> GameBatch:
        twin = object.__new__(GameBatch)
        memo[id(self)] = twin
        for name, value in self.__getstate__().items():
            copied = value.copy() if isinstance(value, np.ndarray) else value
            twin.__dict__[name] = Slots(*(array.copy() for array in value.arrays())) if name == "slots" else copied
        return twin


def policy_code(game: Game, policy: str) -> int:
    """Index of a built-in player's name.

    Raises:
        ValueError: an unknown name.
    """
    if policy not in game.family.policies:
        raise ValueError(unknown("built-in player", policy, game.family.policies))
    return game.family.policies.index(policy)


def generators(seed: int | Sequence[int] | None, rows: np.ndarray, family: int) -> np.ndarray:
    """uint32 (n, 4) generators: row i of stream family `family` from (seed, i), or from (seed[i], 0)."""
    rngs = np.zeros((len(rows), 4), np.uint32)
    if seed is not None and not isinstance(seed, (int, np.integer)):
        if not isinstance(seed, (Sequence, np.ndarray)):
            raise ValueError(f"seed is {seed!r}: expected an integer from 0 to {MAX_SEED}")
        if len(seed) != len(rows):
            raise ValueError(f"{len(seed)} seeds for {len(rows)} rows: expected one a row, or one integer")
        seeds, streams = np.array([checked_seed(each) for each in seed], np.int64), np.zeros(len(rows), np.int64)
    else:
        one = int(np.random.SeedSequence().generate_state(1, np.uint64)[0] >> 1) if seed is None else checked_seed(seed)
        seeds, streams = np.full(len(rows), one, np.int64), rows
    driver.seed_rows(rngs, seeds, streams + family)
    return rngs
