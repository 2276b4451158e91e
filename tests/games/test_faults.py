"""Every planted fault turns the comparison, a worked example or a law red; without one all are green."""

import pytest

from tests.games.faults import FAULTS, probe


def test_without_a_fault_all_is_green(tmp_path):
    assert probe(tmp_path, None) == "all green"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_planted_fault_turns_red(fault, tmp_path):
    assert probe(tmp_path, fault).startswith("red: ")
