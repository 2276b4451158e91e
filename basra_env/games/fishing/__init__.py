"""The fishing family: `dananeer` and its relatives (rules.md, section 2)."""

from __future__ import annotations

from basra_env.core.cards import FRENCH
from basra_env.core.dispatch import Kernels, register
from basra_env.core.game import Family
from basra_env.core.match import num_sides
from basra_env.core.spec import Spec
from basra_env.games.fishing import house, kernels, layout
from basra_env.games.fishing.position import read_position, write_position
from basra_env.games.fishing.rules import CARDS, HAND, VARIANTS, Rules, readable, with_fields


def spec(rules: Rules) -> Spec:
    """Sizes of a fishing game."""
    fields = layout.layout(rules)
    basras = kernels.MAX_PLIES // 2  # after a basra the next card lies down
    return Spec(
        players=rules.players,
        num_actions=CARDS,
        obs_size=fields.size,
        state_size=fields.size + rules.players * CARDS,
        state_high=fields["due"].high,
        sides=tuple(seat % num_sides(rules) for seat in range(rules.players)),
        max_plies=kernels.MAX_PLIES,
        max_legal=HAND,
        points_bound=basras * rules.basra + 13 + rules.majority,
        layout=fields,
    )


register(
    Rules,
    Kernels(
        deal=kernels.deal,
        apply=kernels.apply,
        legal=kernels.legal,
        observe=layout.observe,
        resample=kernels.resample,
        reveal=layout.reveal,
        decide=house.decide,
    ),
)

FAMILY = Family(
    name="fishing",
    variants=VARIANTS,
    with_fields=with_fields,
    readable=readable,
    spec=spec,
    pack=FRENCH,
    record=kernels.RECORD,
    policies=house.POLICIES,
    read_position=read_position,
    write_position=write_position,
    decode=layout.decode,
)
