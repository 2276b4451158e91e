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
FAMILIES = sorted(path.parent.name for path in (ROOT / "basra_env" / "games").glob("*/kernels.py"))
FISHING = "games/fishing/"
TOPCARD = "games/topcard/"
BRISCOLA = "games/briscola/"
CAPTURE = FISHING + "capture.py"
GROUPS = FISHING + "groups.py"
CHOICE = FISHING + "choice.py"
POINTS = FISHING + "points.py"
KERNELS = FISHING + "kernels.py"
LAYOUT = FISHING + "layout.py"
PACKETS = "core/packets.py"
UNSEEN = "core/unseen.py"


@dataclass(frozen=True)
class Fault:
    """One planted fault."""

    name: str
    file: str
    text: str
    instead: str


FAULTS = [
    Fault("a card does not take its own rank", CAPTURE, "(15 << (4 * rank) | in_groups(counts, rank) | -", "(in_groups(counts, rank) | -"),
    Fault("7D does not sweep", CAPTURE, "-((rules.sweepers >> card) & 1)", "-(((rules.sweepers & ~(1 << 25)) >> card) & 1)"),
    Fault("a group holds no value twice", GROUPS, "max(map(parts.count, parts)) <= 4", "len(set(parts)) == len(parts)"),
    Fault("groups of four cards are overlooked", GROUPS, "max(map(parts.count, parts)) <= 4", "len(parts) <= 3"),
    Fault("tens take no sums", GROUPS, "if total <= 10 else []", "if total <= 9 else []"),
    Fault("a jack makes a basra", POINTS, "if (JACKS >> card) & 1:", "if False:"),
    Fault("7D makes a basra of 11", POINTS, "_SEVEN_LIMIT = 10", "_SEVEN_LIMIT = 11"),
    Fault("7D makes no basra of 10", POINTS, "_SEVEN_LIMIT = 10", "_SEVEN_LIMIT = 9"),
    Fault("7D makes a basra of court cards", POINTS, "(floor & COURTS or sum_of_values(floor) > _SEVEN_LIMIT)", "sum_of_values(floor) > _SEVEN_LIMIT"),
    Fault("2C counts one", POINTS, '_TEN_OF_DIAMONDS | as_set([FRENCH.parse("2C")])', "_TEN_OF_DIAMONDS"),
    Fault("the dealer is dealt to first", PACKETS, "eldest = seat_after(int(s[\"dealer\"]), 1, rules.players)\n    for _", 'eldest = int(s["dealer"])\n    for _'),
    Fault("jacks may lie on the first floor", KERNELS, "if (rules.barred >> card) & 1:", "if ((rules.barred & ~(15 << 40)) >> card) & 1:"),
    Fault("of two swept cards the later lies higher", PACKETS, '["swept"][s["swept_dealt"]]', '["swept"][s["swept_count"] - 1 - s["swept_dealt"]]'),
    Fault("the stock forgets what was swept under it", PACKETS, ' + int(s["swept_count"]) - int(s["swept_dealt"])', ""),
    Fault("leftovers go to whoever played last", KERNELS, 'last = int(s["last_capturer"])', 'last = int(s["to_play"])'),
    Fault("leftovers bring no points", KERNELS, "+= card_points(leftovers)", "+= 0 * card_points(leftovers)"),
    Fault("a tied majority goes to all", KERNELS, "rules.majority_tied == EACH", "rules.majority_tied >= 0"),
    Fault("a tied majority is not carried", KERNELS, 's["carry"] += rules.majority', 's["carry"] += 0'),
    Fault("the carried majority is never paid", KERNELS, 'rules.majority + int(s["carry"])', "rules.majority"),
    Fault("the carried majority is paid again", KERNELS, '        s["carry"] = 0\n', "        pass\n"),
    Fault("the played card goes nowhere", KERNELS, "gained = taken | 1 << card", "gained = taken"),
    Fault("the last capturer of the round before is remembered", PACKETS, '    s["last_capturer"] = NOBODY\n', ""),
    Fault("a match ends on a tie", "core/match.py", "and holders == 1", ""),
    Fault("the dealer stays in a match", "core/driver.py", 's["dealer"] = seat_after(int(s["dealer"]), 1, rules.players)', "pass"),
    Fault("a reward forgets the mover's replies", "core/driver.py", "paid[seat] = gain - (all_sides - gain)", "paid[seat] = gain - 0 * (all_sides - gain)"),
    Fault("worlds shuffle cards that all saw", KERNELS, "public = swept_set(s)\n    unseen", "public = 0\n    unseen"),
    Fault("worlds deal the lowest cards", KERNELS, "nth_card(possible, below(rng, left))", "nth_card(possible, 0)"),
    Fault("a seat with more to choose from is dealt to in no more ways", KERNELS, "if below(rng, most - nth) >= left:", "if left == 0:"),
    Fault("the points of basras are not told", LAYOUT, 'write_number(int(s["basra_points"][side])', 'write_number(0 * int(s["basra_points"][side])'),
    Fault("what a seat cannot hold is told of another", LAYOUT, "row = out[14 * seats_on(seat, other, players) :]", "row = out[14 * other :]"),
    Fault("worlds keep the generator", "core/driver.py", 's["rng"][word] = next_word(rng)', "next_word(rng)"),
    Fault("the other hand is shown", PACKETS, "write_held(int(s[\"hands\"][other]) & public,", 'write_held(int(s["hands"][other]),'),
    Fault("a swept card is said to come a packet late", PACKETS, "when = 2 + depth //", "when = 2 + (depth + 1) //"),
    Fault("the preview forgets the played card's points", LAYOUT, "card_points((taken | 1 << card) & ~lies)", "card_points(taken)"),
    Fault("greedy looks at the other hand", FISHING + "house.py", "seen = hand | floor", 'seen = int(s["hands"][1 - seat]) | floor'),
    Fault("a choice is settled by the engine", KERNELS, "rules.capture == CHOOSE and overlap", "rules.capture < 0 and overlap"),
    Fault("one name settles a choice", KERNELS, "if nameable(groups, named, card >> 2):", "if False:"),
    Fault("a choice takes only what was named", KERNELS, "named | groups & in_some_option(groups, named, card >> 2)", "named"),
    Fault("cards that all options hold may be named", CHOICE, "return cards & ~named & some & absent", "return cards & ~named & some"),
    Fault("an option need not be maximal", CHOICE, "total % (rank + 1) == 0:\n            chosen", "total == rank + 1:\n            chosen"),
    Fault("disjoint groups prefer the highest ids", CHOICE, "lower = size > best_size or points > best_points or (chosen & differ & -differ) != 0", "lower = size > best_size or points > best_points or (chosen & differ & -differ) == 0"),
    Fault("equal ranks are forgotten in a choice", KERNELS, "taken = reach & ~groups | named", "taken = named"),
    Fault("a void round keeps its points", KERNELS, "rules.majority_tied == VOID", "rules.majority_tied == 99"),
    Fault("the jack of egyptian is not paid", POINTS, "return rules.jack_on_jack if", "return 0 if"),
    Fault("a jack is paid for any lone card", POINTS, "floor & (floor - 1) == 0 and floor & JACKS", "floor & (floor - 1) == 0"),
    Fault("nobody must capture", KERNELS, "return capturing or hand", "return hand"),
    Fault("a capture not made says nothing of the hand", KERNELS, 's["cannot_hold"][seat] |= capturing_ranks(floor, counts)', "pass"),
    Fault("partners count apart", "core/match.py", "return seat & 1 if rules.teams else seat", "return seat"),

    Fault("a hidden card matches", TOPCARD + "kernels.py", 'rank == s["table"][size - 1] >> 2', 'rank == s["table"][0] >> 2'),
    Fault("a jack takes jacks only", TOPCARD + "kernels.py", "(rank == JACK and rules.jack == CAPTURES)", "False"),
    Fault("hidden cards do not spoil a basra", TOPCARD + "kernels.py", 's["table_size"] != 1 or', 's["table_size"] - hidden_size(s) != 1 or'),
    Fault("the last card makes a basra", TOPCARD + "kernels.py", "(last_card and not rules.last_card_basra)", "False"),
    Fault("a jack on another card is paid as a jack", TOPCARD + "kernels.py", "return rules.jack_on_other", "return rules.jack_on_jack"),
    Fault("jokers are paid as others", TOPCARD + "kernels.py", "rules.joker_on_joker if rank == JOKER", "rules.basra if rank == JOKER"),
    Fault("the last capture is not paid", TOPCARD + "kernels.py", "+ rules.last_capture", "+ 0"),
    Fault("a tied majority is paid to the first", TOPCARD + "kernels.py", "elif won == most:\n            holder = NOBODY", "elif won == most:\n            pass"),
    Fault("a turned jack stays", TOPCARD + "kernels.py", "while (rules.barred >> card) & 1:", "while False:"),
    Fault("hidden cards are lost with the first capture", TOPCARD + "kernels.py", "gained = table_set(s) | 1 << card", 'gained = table_set(s) & ~int(s["secret"]) | 1 << card'),
    Fault("all come to know what lay face down", TOPCARD + "kernels.py", "if holder != NOBODY and side_of(holder, rules) == side_of(seat, rules):", "if holder != NOBODY:"),
    Fault("worlds may call for a redeal", TOPCARD + "kernels.py", "while rules.redeal and s", "while False and s"),
    Fault("imagined cards bring no points", TOPCARD + "kernels.py", "+= card_points(imagined, rules) - card_points(secret, rules)", "+= 0"),
    Fault("the depth of the pile is counted from below", TOPCARD + "layout.py", "= size - place", "= 1 + place - hidden"),

    Fault("threes are low", BRISCOLA + "rules.py", '"24567JQK3A"', '"234567JQKA"'),
    Fault("a trump does not ruff", BRISCOLA + "kernels.py", "return card & 3 == trump & 3", "return False"),
    Fault("a higher card of another suit wins", BRISCOLA + "kernels.py", "if card & 3 == other & 3:", "if card & 3 != trump & 3:"),
    Fault("the loser draws first", BRISCOLA + "kernels.py", 'seat = int(s["leader"])\n        for _', 'seat = seat_after(int(s["leader"]), 1, players)\n        for _'),
    Fault("60 points win", BRISCOLA + "kernels.py", '2 * s["points"][side] > ALL_POINTS', '2 * s["points"][side] >= ALL_POINTS'),
    Fault("a match adds points", BRISCOLA + "kernels.py", "return int(s[\"scores\"][side]) if s[\"match\"] else", 'return int(s["scores"][side]) + int(s["points"][side]) if s["match"] else'),
    Fault("two exchanges a trick", BRISCOLA + "kernels.py", 's["swapped"] |= 1 << seat', "pass"),
    Fault("an exchange without a trick taken", BRISCOLA + "kernels.py", "rules.exchange == CONDITIONAL and pile_of_side", "False and pile_of_side"),
    Fault("the 7 is given for a 5", BRISCOLA + "kernels.py", "as_set([0, 2, 7, 8, 9])", "as_set([0, 2, 4, 7, 8, 9])"),
    Fault("the exchanger does not play on", BRISCOLA + "kernels.py", 's["face_up"] = low\n', 's["face_up"] = low\n    s["to_play"] = 1 - seat\n'),
    Fault("worlds forget who took up the trump", BRISCOLA + "kernels.py", '~(1 << low) | 1 << up\n    s["face_up"]', '~(1 << low)\n    s["face_up"]'),
    Fault("worlds deal anew what all have seen", UNSEEN, 'int(s["hands"][owner]) & ~public', 'int(s["hands"][owner])'),
    Fault("worlds tell of the truth", UNSEEN, "cards[nth] = lowest(unseen)", 'cards[nth] = s["deck"][places[nth]]'),
    Fault("worlds move the face-up card", BRISCOLA + "kernels.py", "shuffle(rng, scratch", 's["face_up"] = s["deck"][CARDS - 1]\n    shuffle(rng, scratch'),
    Fault("the preview misjudges who wins", BRISCOLA + "layout.py", "wins = best < 0 or beats(card, best, trump)", "wins = best < 0 or card > best"),
]  # fmt: skip

PROBE = """
import sys
import numpy as np
from basra_env import GameBatch, make, testing
from tests.games.test_dananeer import test_a_match_goes_on_while_both_hold_the_highest_total
from tests.games.compare import compare_matches, compare_rounds, contest
from tests.games.test_layout import preview_is_what_playing_does
from tests.games.test_referee import compare_captures
from tests.games.test_worked_examples import FISHING, test_the_choice_of_the_worked_example, test_worked_example
from tests.games import test_briscola as BRISCOLA, test_choice as CHOICE, test_topcard as TOPCARD, test_what_is_shown as SHOWN, worlds
from tests.games.worlds import worlds_of_constrained_hands

def examples():
    for example in FISHING:
        test_worked_example(*example)
    test_the_choice_of_the_worked_example()

def generator(name):
    batch = GameBatch(make(name), 5, seed=1)
    before = batch.clone().state["rng"].copy()
    batch.determinize(np.arange(5), 0, np.arange(5))
    assert not (batch.clone().state["rng"] == before).all(1).any()

def uniform(name, plies):
    batch = testing.random_batch(make(name), 3, seed=2, plies=plies)
    testing.check_worlds_uniform(batch, 0, 0, 400)

BOTH = (testing.check_worlds_keep_what_is_known, testing.check_observations_hide, testing.check_decoded_observations,
        testing.check_players_use_what_they_know)
def laws(name, **fields):
    return [(law.__name__, lambda law=law: law(make(name, **fields), 3, 60)) for law in BOTH]

def referee(name, rounds=32, matches=6, **fields):
    return [(f"rounds of {name} {fields}", lambda: compare_rounds(contest(name, **fields), rounds, 5)),
            (f"matches of {name} {fields}", lambda: compare_matches(contest(name, **fields), matches, 6))]

CHECKS = {
    "fishing": [
        ("worked examples", examples),
        ("captures against the referee", lambda: compare_captures(2000, 4)),
        ("disjoint captures", lambda: compare_captures(2000, 4, capture="disjoint")),
        ("choices", lambda: compare_captures(2000, 4, capture="choose")),
        ("a tie at the target", test_a_match_goes_on_while_both_hold_the_highest_total),
        ("a choice of two names", lambda: CHOICE.test_the_same_seat_names_cards_until_one_option_is_left_and_is_paid_once()),
        *referee("micro", 100, 30, majority_tied="void"),
        *referee("dananeer", 48, 12),
        *referee("standard", 24, 3, players=3, must_capture="hand"),
        *referee("egyptian", 24, 3, players=4),
        ("preview", lambda: preview_is_what_playing_does(make("dananeer"))),
        ("generator of worlds", lambda: generator("dananeer")),
        ("worlds are uniform", lambda: uniform("dananeer", 20)),
        ("greedy sees no other hand", lambda: testing.check_players_use_what_they_know(make("dananeer"), 3, 300)),
        *laws("dananeer"), *laws("dananeer", players=3), *laws("egyptian"),
        ("what a seat cannot hold", lambda: SHOWN.test_who_laid_a_card_down_though_it_had_to_capture_is_known_not_to_hold_what_captures()),
        ("ways to deal", lambda: worlds.hands_are_as_likely_as_the_ways_to_deal_them(3000)),
        ("constrained worlds", lambda: worlds_of_constrained_hands(2, 3000)),
    ],
    "topcard": [
        ("a joker on a joker", lambda: TOPCARD.test_what_a_basra_is_worth("basra_io", {"players": 2}, "X1", "X2", 20)),
        ("hidden cards", lambda: TOPCARD.test_a_hidden_card_never_matches_and_goes_with_the_first_capture()),
        *referee("pishti", 100, 12), *referee("basra_io"),
        ("a redeal in worlds", lambda: worlds.worlds_call_for_no_redeal(200)),
        ("generator of worlds", lambda: generator("pishti")),
        *laws("pishti"), *laws("basra_io"),
        ("the pile in order", lambda: TOPCARD.test_the_visible_pile_is_told_in_order()),
        ("points of worlds", lambda: worlds.points_of_worlds_are_those_of_their_piles(60)),
    ],
    "briscola": [
        ("an exchange", lambda: BRISCOLA.test_a_free_exchange_takes_whatever_lies_there_and_all_see_it()),
        *referee("briscola", 100, 12), *referee("briscola", 60, 6, exchange="free"),
        *referee("briscola", 60, 6, exchange="conditional"), *referee("briscola", players=4),
        ("a tie of 60", lambda: BRISCOLA.test_sixty_all_marks_nobody()),
        *laws("briscola", exchange="free"), *laws("briscola", players=4),
        ("preview", lambda: BRISCOLA.test_the_preview_says_who_would_win()),
    ],
}
for name, check in CHECKS[sys.argv[1]]:
    try:
        check()
    except AssertionError as error:
        print(f"red: {name}: {str(error)[:200]}")
        sys.exit(3)
print("all green")
"""


def families(fault: Fault) -> tuple[str, ...]:
    """The families whose checks may notice."""
    named = [family for family in FAMILIES if f"/{family}/" in fault.file]
    if fault.file == UNSEEN:
        return ("briscola",)  # fishing games deal hands by themselves
    return tuple(named) or ("fishing",)


def probe(folder: Path, fault: Fault | None, family: str) -> str:
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
        [sys.executable, "-c", PROBE, family],
        capture_output=True,
        text=True,
        cwd=folder,
        env=env,
        timeout=300,
        check=False,
    )
    return done.stdout.strip() if done.returncode in (0, 3) else f"broken: {done.stderr[-500:]}"
