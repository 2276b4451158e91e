"""The fishing family: `dananeer` and its relatives (rules.md, section 2)."""

from __future__ import annotations

from basra_env.core.cards import FRENCH, members
from basra_env.core.dispatch import Kernels, register
from basra_env.core.game import Family
from basra_env.core.match import sides_of_seats
from basra_env.core.spec import Spec
from basra_env.games.fishing import house, kernels, layout, outlook
from basra_env.games.fishing.position import read_position, write_position
from basra_env.games.fishing.rules import CARDS, CHOOSE, PARAMETERS, VARIANTS, Rules, rules_of


def spec(rules: Rules) -> Spec:
    """Sizes of a fishing game."""
    fields = layout.layout(rules)
    cards = tuple(members(rules.ranks & rules.suits))
    plays = len(cards) - rules.first_floor
    summands = sum(card < 36 for card in cards) if rules.capture == CHOOSE else 0  # what may be named in a choice
    basras = (plays + 1) // 2  # after a basra the next card lies down
    return Spec(
        players=rules.players,
        cards=cards,
        num_actions=CARDS,
        obs_size=fields.size,
        state_size=fields.size + rules.players * CARDS,
        state_high=fields["due"].high,
        sides=sides_of_seats(rules),
        max_plies=plays + summands,
        max_legal=max(rules.packet, summands),
        points_bound=basras * max(rules.basra, rules.jack_on_jack) + 13 + rules.majority,
        layout=fields,
    )


register(Rules, Kernels.of(kernels, layout, house, outlook))

FAMILY = Family(
    name="fishing",
    variants=VARIANTS,
    parameters=PARAMETERS,
    rules_of=rules_of,
    spec=spec,
    pack=FRENCH,
    record=kernels.RECORD,
    policies=house.POLICIES,
    read_position=read_position,
    write_position=write_position,
    decode=layout.decode,
)
