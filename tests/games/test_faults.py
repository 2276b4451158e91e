"""Every planted fault turns the comparison, a worked example or a law red; without one all are green."""

import pytest

from tests.games.faults import FAMILIES, FAULTS, families, probe


@pytest.mark.parametrize("family", FAMILIES)
def test_without_a_fault_all_is_green(family, tmp_path):
    assert probe(tmp_path, None, family) == "all green"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name.replace(" ", "-"))
def test_a_planted_fault_turns_red(fault, tmp_path):
    (family,) = families(fault)
    assert probe(tmp_path, fault, family).startswith("red: ")


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_has_ten_faults_or_more(family):
    assert sum(families(fault) == (family,) for fault in FAULTS) >= 10
