"""A person at a real terminal: whole games, wrong answers, choices of captures, and leaving at any prompt."""

import contextlib
import io
import os
import pty
import re
import select
import signal
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console

from agents.play import Arguments, play
from basra_env import load_replay

ROOT = Path(__file__).parents[2]
PROMPT = re.compile(r"(your card|another card\)|to go back): $")


class Terminal:
    """`python -m agents.play` on the other end of a pseudo-terminal."""

    def __init__(self, *words):
        env = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # tests started in the background ignore it
            os.execve(sys.executable, [sys.executable, "-m", "agents.play", *map(str, words)], env)  # noqa: S606 our own command
        self.raw = ""

    def wait(self):
        """The exit status."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    @property
    def text(self):
        """What was shown, without colours."""
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", self.raw).replace("\r", "")

    def wait_for_prompt(self, seconds=240):
        """True at a prompt, False when the command has ended."""
        deadline = time.monotonic() + seconds
        start = len(self.text)
        while time.monotonic() < deadline:
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if ready:
                try:
                    data = os.read(self.master, 65536)
                except OSError:  # the other end is closed
                    data = b""
                if not data:
                    return False
                self.raw += data.decode()
                if PROMPT.search(self.text[start:]):
                    return True
        raise AssertionError(f"no prompt in {seconds} s: {self.text[-500:]}")

    def answer(self, text):
        os.write(self.master, text.encode() + b"\n")


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(*words):
        opened.append(Terminal("--replay", tmp_path / "game.jsonl", *words))
        return opened[-1]

    yield start
    for each in opened:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each.pid, signal.SIGKILL)
        os.close(each.master)


def test_a_whole_round_at_a_terminal(terminal, tmp_path):
    screen = terminal("--game", "classic", "--opponent", "tactician", "--seed", 3)
    prompts = 0
    while screen.wait_for_prompt():
        prompts += 1
        screen.answer("1")
    assert screen.wait() == 0
    assert prompts >= 24
    assert "\x1b[" in screen.raw, "in colour"
    assert re.search(r"10[♣♦♥♠]", screen.text)
    ended = re.search(r"the round is over: you (\d+), tactician (\d+)", screen.text)
    position = load_replay((tmp_path / "game.jsonl").read_text()).position(0)
    assert position.round_over
    assert position.points == tuple(map(int, ended.groups()))


@pytest.mark.parametrize("way", ["q", "\x04", "\x03"], ids=["q", "ctrl-d", "ctrl-c"])
def test_it_can_be_left_at_a_prompt_and_the_game_is_saved(terminal, tmp_path, way):
    screen = terminal("--game", "briscola", "--seed", 1)
    assert screen.wait_for_prompt()
    screen.answer("1")
    assert screen.wait_for_prompt()
    os.write(screen.master, way.encode() + (b"\n" if way == "q" else b""))
    assert not screen.wait_for_prompt()
    assert screen.wait() == 0
    assert "stopped" in screen.text
    assert "Traceback" not in screen.text
    assert len(load_replay((tmp_path / "game.jsonl").read_text()).position(0).plays) >= 1


def played(tmp_path, answers, **options):
    """The game after so many answers, and what was shown."""
    shown = io.StringIO()
    given = iter(answers)

    def ask(prompt):
        shown.write(prompt + "\n")  # the answer ends the line
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    arguments = Arguments(replay=tmp_path / "game.jsonl", **options)
    batch = play(arguments, Console(file=shown, width=120), ask)
    return batch, shown.getvalue()


def test_wrong_answers_are_explained_and_asked_again(tmp_path):
    batch, text = played(tmp_path, ["", "99", "7", "hello", "?", "XX", "AS"], game="dananeer", seed=0)
    assert text.count("your card: ") == 8
    assert "no card and no number from 1 to 4" in text
    assert "Type the number or the name" in text
    assert "may not be played now" in text or batch.position(0).plays
    assert "stopped" in text


def test_a_card_is_taken_by_name_in_any_writing(tmp_path):
    batch, _ = played(tmp_path, [], game="dananeer", seed=1)
    hand = batch.position(0).hands[0]
    for writing in (
        str.lower,
        lambda name: name.replace("T", "10"),
        lambda name: name[0] + "♣♦♥♠"["CDHS".index(name[1])],
    ):
        after, _ = played(tmp_path, [writing(hand[0])], game="dananeer", seed=1)
        assert hand[0] not in after.position(0).hands[0]


def test_a_choice_of_captures_is_shown_before_it_is_confirmed(tmp_path):
    """Found by playing first cards: in this game of `classic` a card soon takes one of several groups."""
    for seed in range(40):
        for number in ("1", "2", "3", "4"):
            batch, text = played(tmp_path, [number, "1", "b", "1", ""], game="classic", seed=seed)
            if "which capture" in text:
                assert text.count("to go back") == 2
                shown = re.findall(r"^  1  takes (.+)$", text, re.MULTILINE)
                assert shown
                (mine, *_) = batch.position(0).piles
                taken = [name.replace("10", "T") for name in re.findall(r"10.|[2-9AJQK].", shown[0])]
                letters = [name[0] + "CDHS"["♣♦♥♠".index(name[1])] for name in taken]
                assert set(letters) <= set(mine)
                return
    raise AssertionError("no choice came up")


def test_matches_tell_both_scores(tmp_path):
    _, text = played(tmp_path, ["1"] * 2000, game="standard:target=10", episode="match", seed=2)
    assert "the match: you" in text
    assert "stopped" not in text


def test_four_at_the_table(tmp_path):
    _, text = played(tmp_path, ["1"] * 2000, game="basra_io", opponent=("random", "greedy", "random"), seed=2, seat=1)
    assert re.search(r"the round is over: you and greedy \(2\) \d+, random \(1\) and random \(3\) \d+", text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"game": "dananer"}, "did you mean 'dananeer'"),
        ({"opponent": ("gready",)}, "did you mean 'greedy'"),
        ({"seat": 2}, "has seats 0 to 1"),
        ({"opponent": ("greedy", "random")}, "2 opponents: expected one for all, or 1"),
    ],
)
def test_wrong_words_are_answered(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        played(tmp_path, [], **options)
