"""The games' pages agree with the code: their tables are those that `make docs` would write."""

import importlib.util
from pathlib import Path

import pytest

from basra_env import games

ROOT = Path(__file__).parents[2]


def tables():
    spec = importlib.util.spec_from_file_location("tables", ROOT / "docs" / "tables.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", games())
def test_the_tables_of_a_page_are_up_to_date(name):
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert tables().page(name, text) == text, "run `make docs`"


def test_drift_is_noticed():
    text = (ROOT / "docs" / "games" / "pishti.md").read_text()
    drifted = text.replace("| `target` | `151` |", "| `target` | `150` |")
    assert drifted != text
    assert tables().page("pishti", drifted) == text


def test_a_page_without_a_place_for_a_table_is_refused():
    with pytest.raises(ValueError, match="no place for its parameters"):
        tables().page("pishti", "# pishti")


@pytest.mark.parametrize("name", games())
def test_a_page_says_what_is_a_reading_and_which_parameter_changes_it(name):
    text = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    assert "(R)" in text
    readings = text.split("(R)", 1)[1]
    assert "`" in readings
