"""What a floor is worth to whoever plays to it next, by the cards that it may hold."""

from __future__ import annotations

from basra_env.core.bits import CardSet, lowest, popcount
from basra_env.core.estimates import chance_of_any
from basra_env.core.jit import kernel
from basra_env.games.fishing.capture import within_reach
from basra_env.games.fishing.groups import count_values
from basra_env.games.fishing.points import basra_points, card_points
from basra_env.games.fishing.rules import Rules


@kernel
def gain(floor: CardSet, taken: CardSet, card: int, card_worth: float, rules: Rules) -> float:
    """Points that `card` wins by taking `taken`: a basra, card points, and cards on the way to the majority."""
    if taken == 0:
        return 0.0
    gained = taken | 1 << card
    return basra_points(floor, taken, card, rules) + card_points(gained) + card_worth * popcount(gained)


@kernel
def expected_reply(
    stay: CardSet,
    unseen: CardSet,
    certain: CardSet,
    held: int,
    card_worth: float,
    kept: float,
    rules: Rules,
) -> float:
    """What the next player wins from `stay`, each rank by the chance that it holds a card of it.

    Args:
        stay: what is left on the floor.
        unseen: cards that may be anywhere.
        certain: cards that all know the next player to hold.
        held: how many of these the next player holds.
        card_worth: of a card in the race for the majority.
        kept: points for which it would rather keep a sweeper.
        rules: of the game.
    """
    counts = count_values(stay)
    total = 0.0
    for rank in range(13):
        cards = (15 << (4 * rank)) & (unseen | certain)
        plain = cards & ~rules.sweepers
        if plain:
            card = lowest(plain)
            taken = within_reach(stay, counts, card, rules)
            if taken:
                chance = 1.0 if plain & certain else chance_of_any(plain, unseen, held)
                total += chance * gain(stay, taken, card, card_worth, rules)
        sweeping = cards & rules.sweepers
        if sweeping:
            won = gain(stay, stay, lowest(sweeping), card_worth, rules) - kept
            if won > 0:
                chance = 1.0 if sweeping & certain else chance_of_any(sweeping, unseen, held)
                total += chance * won
    return total
