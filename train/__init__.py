"""Training and evaluation, run from the command line: `python -m train.ppo --help`.

Two OpenMP runtimes on a shared machine spin against each other unless told to wait; that must be said before
torch is first imported.
"""

import os
from importlib.util import find_spec

from basra_env.core.errors import MissingExtraError

os.environ.setdefault("OMP_WAIT_POLICY", "passive")

for _package in ("torch", "pydantic", "yaml", "tyro", "rich", "safetensors", "tensorboard"):
    if find_spec(_package) is None:
        raise MissingExtraError(_package, "train")
