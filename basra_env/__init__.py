"""basra-env: fishing card games of the Middle East as a reinforcement-learning environment.

The public names, nothing else. Importing the package registers its Gymnasium environments.
"""

from basra_env.core.batch import GameBatch
from basra_env.core.errors import IllegalActionError
from basra_env.core.game import Game
from basra_env.core.position import Position
from basra_env.core.slots import Slots, Snapshot
from basra_env.core.spec import Field, Layout, Spec
from basra_env.registry import games, load_replay, make
from basra_env.wrappers.gym_register import register_environments

__version__ = "0.3.0"

__all__ = [
    "Field",
    "Game",
    "GameBatch",
    "IllegalActionError",
    "Layout",
    "Position",
    "Slots",
    "Snapshot",
    "Spec",
    "__version__",
    "games",
    "load_replay",
    "make",
]

register_environments()
