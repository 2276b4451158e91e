"""Briscola, for two and for four in pairs (rules.md, section 4)."""

from __future__ import annotations

from basra_env.core.dispatch import Kernels, register
from basra_env.core.game import Family
from basra_env.core.match import sides_of_seats
from basra_env.core.spec import Spec
from basra_env.games.briscola import house, kernels, layout
from basra_env.games.briscola.position import read_position, write_position
from basra_env.games.briscola.rules import (
    ALL_POINTS,
    CARDS,
    CONDITIONAL,
    HAND,
    OFF,
    PACK,
    PARAMETERS,
    VARIANTS,
    Rules,
    rules_of,
)


def spec(rules: Rules) -> Spec:
    """Sizes of Briscola."""
    fields = layout.layout(rules)
    drawing = (CARDS - HAND * rules.players) // rules.players  # tricks after which cards are drawn
    exchanges = {OFF: 0, CONDITIONAL: 2}.get(rules.exchange, drawing * rules.players)
    return Spec(
        players=rules.players,
        cards=tuple(range(CARDS)),
        num_actions=layout.num_actions(rules),
        obs_size=fields.size,
        state_size=fields.size + (rules.players + 1) * CARDS,
        state_high=CARDS,
        sides=sides_of_seats(rules),
        max_plies=CARDS + exchanges,
        max_legal=HAND + (2 if rules.exchange != OFF else 0),
        points_bound=ALL_POINTS,
        layout=fields,
        match_unit="rounds",
    )


register(Rules, Kernels.of(kernels, layout, house))

FAMILY = Family(
    name="briscola",
    variants=VARIANTS,
    parameters=PARAMETERS,
    rules_of=rules_of,
    spec=spec,
    pack=PACK,
    record=kernels.RECORD,
    policies=house.POLICIES,
    read_position=read_position,
    write_position=write_position,
    decode=layout.decode,
    horizon=4,
    extra_actions=layout.EXCHANGES,
)
