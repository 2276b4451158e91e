"""Fixtures that many tests share. torch runs one thread: two OpenMP threads on a shared machine wait for each other."""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest

from basra_env import Game, make


@pytest.fixture(scope="session")
def dananeer() -> Game:
    return make("dananeer")
