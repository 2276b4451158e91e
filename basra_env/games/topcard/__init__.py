"""The top-card family: `basra_io` and `pishti` (rules.md, section 3)."""

from __future__ import annotations

from basra_env.core.dispatch import Kernels, register
from basra_env.core.game import Family
from basra_env.core.match import sides_of_seats
from basra_env.core.spec import Spec
from basra_env.games.topcard import house, kernels, layout
from basra_env.games.topcard.position import read_position, write_position
from basra_env.games.topcard.rules import PACK, PARAMETERS, VARIANTS, Rules, count_cards, deck_fault, rules_of


def spec(rules: Rules) -> Spec:
    """Sizes of a top-card game."""
    fields = layout.layout(rules)
    cards = count_cards(rules)
    plays = cards - rules.hidden - 1
    best_basra = max(rules.basra, rules.jack_on_jack, rules.jack_on_other, rules.joker_on_joker)
    in_cards = (
        4 * (rules.ace_points + rules.jack_points)
        + rules.two_of_clubs_points
        + rules.ten_of_diamonds_points
        + rules.jokers * rules.joker_points
    )
    return Spec(
        players=rules.players,
        cards=tuple(range(cards)),
        num_actions=cards,
        obs_size=fields.size,
        state_size=fields.size + (rules.players + 1) * cards,
        state_high=max(fields["due"].high, 2),
        sides=sides_of_seats(rules),
        max_plies=plays,
        max_legal=rules.packet,
        points_bound=(plays + 1) // 2 * best_basra + in_cards + rules.majority + rules.last_capture,
        layout=fields,
    )


register(Rules, Kernels.of(kernels, layout, house))

FAMILY = Family(
    name="topcard",
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
    deck_fault=deck_fault,
)
