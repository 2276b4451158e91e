"""The three ways to run kernels: compiled, with bounds checks, interpreted."""

import numba
import numpy as np
import pytest

from basra_env.core.jit import DISABLED, entry_point

pytestmark = pytest.mark.small


@entry_point
def pick(array, index):
    return array[index]


def test_each_pass_runs_as_its_variable_says():
    assert hasattr(pick, "signatures") != DISABLED
    assert pick(np.arange(3), 2) == 2
    if DISABLED or numba.config.BOUNDSCHECK:
        with pytest.raises(IndexError):
            pick(np.arange(3), 7)


def test_a_folder_that_cannot_be_written_means_no_cache(monkeypatch, tmp_path):
    from basra_env.core import jit

    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(blocked))
    jit._cache_folder.cache_clear()
    try:
        compiled = entry_point(lambda x: x + 1)
        assert compiled(1) == 2
    finally:
        jit._cache_folder.cache_clear()
