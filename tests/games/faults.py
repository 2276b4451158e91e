"""Faults planted in the kernels of the fishing family, one at a time, to see that the tests would notice.

Each is a name, a file below `basra_env`, a piece of its text, and what is put in its place. `probe` runs the
comparison with the referee, the worked examples and the laws, and says which of them turned red.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
CAPTURE = "games/fishing/capture.py"
KERNELS = "games/fishing/kernels.py"
LAYOUT = "games/fishing/layout.py"


@dataclass(frozen=True)
class Fault:
    """One planted fault."""

    name: str
    file: str
    text: str
    instead: str


FAULTS = [
    Fault("a card does not take its own rank", CAPTURE, "takes = 15 << (4 * rank)", "takes = 0"),
    Fault("7D does not sweep", CAPTURE, "-((rules.sweepers >> card) & 1)", "-((JACKS >> card) & 1)"),
    Fault("a group holds no value twice", CAPTURE, "max(map(parts.count, parts)) <= 4", "len(set(parts)) == len(parts)"),
    Fault("groups of four cards are overlooked", CAPTURE, "max(map(parts.count, parts)) <= 4", "len(parts) <= 3"),
    Fault("tens take no sums", CAPTURE, "if total <= 10 else []", "if total <= 9 else []"),
    Fault("a jack makes a basra", CAPTURE, "taken != floor or (JACKS >> card) & 1:", "taken != floor:"),
    Fault("7D makes a basra of 11", CAPTURE, "_SEVEN_LIMIT = 10", "_SEVEN_LIMIT = 11"),
    Fault("7D makes no basra of 10", CAPTURE, "_SEVEN_LIMIT = 10", "_SEVEN_LIMIT = 9"),
    Fault("7D makes a basra of court cards", CAPTURE, "(floor & COURTS or sum_of_values(floor) > _SEVEN_LIMIT)", "sum_of_values(floor) > _SEVEN_LIMIT"),
    Fault("2C counts one", CAPTURE, '_TEN_OF_DIAMONDS | as_set([FRENCH.parse("2C")])', "_TEN_OF_DIAMONDS"),
    Fault("the dealer is dealt to first", KERNELS, "eldest = seat_after(int(s[\"dealer\"]), 1, rules.players)", 'eldest = int(s["dealer"])'),
    Fault("jacks may lie on the first floor", KERNELS, "if (rules.barred >> card) & 1:", "if ((rules.barred & ~(15 << 40)) >> card) & 1:"),
    Fault("of two swept cards the later lies higher", KERNELS, '["swept"][s["swept_dealt"]]', '["swept"][s["swept_count"] - 1 - s["swept_dealt"]]'),
    Fault("the stock forgets what was swept under it", KERNELS, ' + int(s["swept_count"]) - int(s["swept_dealt"])', ""),
    Fault("leftovers go to whoever played last", KERNELS, 'last = int(s["last_capturer"])', 'last = int(s["to_play"])'),
    Fault("leftovers bring no points", KERNELS, "+= card_points(leftovers)", "+= 0 * card_points(leftovers)"),
    Fault("a tied majority goes to the first side", KERNELS, "elif won == most:\n            holder = NOBODY", "elif won > most:\n            holder = NOBODY"),
    Fault("a tied majority is not carried", KERNELS, 's["carry"] += rules.majority', 's["carry"] += 0'),
    Fault("the carried majority is never paid", KERNELS, 'rules.majority + int(s["carry"])', "rules.majority"),
    Fault("the carried majority is paid again", KERNELS, '        s["carry"] = 0\n', "        pass\n"),
    Fault("the played card stays on the floor", KERNELS, "gained = taken | card", "gained = taken"),
    Fault("the last capturer of the round before is remembered", KERNELS, '    s["last_capturer"] = NOBODY\n', ""),
    Fault("a match ends on a tie", "core/match.py", "and holders == 1", ""),
    Fault("the dealer stays in a match", "core/driver.py", 's["dealer"] = seat_after(int(s["dealer"]), 1, rules.players)', "pass"),
    Fault("a reward forgets the mover's replies", "core/driver.py", "paid[seat] = gain - (all_sides - gain)", "paid[seat] = gain - 0 * (all_sides - gain)"),
    Fault("worlds shuffle cards that all saw", KERNELS, "public = swept_set(s)\n    cursor", "public = 0\n    cursor"),
    Fault("worlds keep the other hand", KERNELS, "shuffle(rng, cards, size)", "shuffle(rng, cards, 0)"),
    Fault("worlds keep the generator", KERNELS, 's["rng"][word] = next_word(rng)', "next_word(rng)"),
    Fault("the other hand is shown", LAYOUT, "_write_held(int(s[\"hands\"][other]) & public,", '_write_held(int(s["hands"][other]),'),
    Fault("a swept card is said to come a packet late", LAYOUT, "= 2 + _PACKET_OF[rules.players, place]", "= 2 + _PACKET_OF[rules.players, place + 1]"),
    Fault("the preview forgets the played card's points", LAYOUT, "card_points((taken | 1 << card) & ~lies)", "card_points(taken)"),
    Fault("greedy looks at the other hand", "games/fishing/house.py", "seen = hand | floor", 'seen = int(s["hands"][1 - seat]) | floor'),
]  # fmt: skip

PROBE = """
import sys
import numpy as np
from basra_env import GameBatch, make, testing
from tests.games.test_dananeer import test_a_match_goes_on_while_both_hold_the_highest_total
from tests.games.compare import compare_captures, compare_matches, compare_rounds
from tests.games.test_layout import test_preview_of_each_card_is_what_playing_it_does
from tests.games.test_worked_examples import FISHING, test_worked_example

def examples():
    for example in FISHING:
        test_worked_example(*example)

def generator():
    batch = GameBatch(make("dananeer"), 5, seed=1)
    before = batch.clone().state["rng"].copy()
    batch.determinize(np.arange(5), 0, np.arange(5))
    assert not (batch.clone().state["rng"] == before).all(1).any()

def uniform():
    batch = testing.random_batch(make("dananeer"), 3, seed=2, plies=20)
    testing.check_worlds_uniform(batch, 0, 0, 400)

checks = [
    ("worked examples", examples),
    ("captures against the referee", lambda: compare_captures(2000, 4)),
    ("a tie at the target", test_a_match_goes_on_while_both_hold_the_highest_total),
    ("rounds against the referee", lambda: compare_rounds(48, 5)),
    ("matches against the referee", lambda: compare_matches(12, 6)),
    ("preview", lambda: test_preview_of_each_card_is_what_playing_it_does(make("dananeer"))),
    ("generator of worlds", generator),
    ("worlds are uniform", uniform),
] + [(law.__name__, lambda law=law, fields=fields: law(make("dananeer", **fields), 3))
     for fields in ({}, {"players": 3}) for law in (
    testing.check_worlds_keep_what_is_known, testing.check_observations_hide, testing.check_decoded_observations,
    testing.check_players_use_what_they_know, testing.check_rewards)]
for name, check in checks:
    try:
        check()
    except AssertionError as error:
        print(f"red: {name}: {str(error)[:200]}")
        sys.exit(3)
print("all green")
"""


def probe(folder: Path, fault: Fault | None) -> str:
    """Plant the fault in a copy of the package in `folder`, run the checks without the compiler, say what they said."""
    package = folder / "basra_env"
    shutil.copytree(ROOT / "basra_env", package, ignore=shutil.ignore_patterns("__pycache__"))
    if fault is not None:
        source = (package / fault.file).read_text()
        if fault.text not in source:
            raise ValueError(f"the text of the fault {fault.name!r} is no longer in {fault.file}")
        (package / fault.file).write_text(source.replace(fault.text, fault.instead))
    env = {
        **os.environ,
        "NUMBA_DISABLE_JIT": "1",
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, cwd=folder, env=env, timeout=300, check=False
    )
    return done.stdout.strip() if done.returncode in (0, 3) else f"broken: {done.stderr[-500:]}"
