"""Training and evaluation, run from the command line: `python -m train.ppo --help`.

Two OpenMP runtimes on a shared machine spin against each other unless told to wait; that must be said before
torch is first imported.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
