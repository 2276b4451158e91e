"""Recipes: every field settable, unknown ones refused with the nearest name."""

from pathlib import Path

import pytest
import yaml

from basra_env import games
from train.config import PPOConfig, checked_config, load_config

CONFIGS = Path(__file__).parents[2] / "configs"


@pytest.mark.parametrize("path", sorted(CONFIGS.rglob("*.yaml")), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_shipped_recipe_loads(path):
    assert load_config(path).game == path.parent.name


def test_every_game_has_a_quick_recipe():
    assert {path.parent.name for path in CONFIGS.glob("*/quick.yaml")} >= set(games())


def test_a_number_that_yaml_reads_as_text_is_a_number():
    assert yaml.safe_load("learning_rate: 1e-4") == {"learning_rate": "1e-4"}
    assert checked_config({"learning_rate": "1e-4"}, "here").learning_rate == 1e-4


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat: 1", "unknown field 'learning_rat'; did you mean 'learning_rate'"),
        ("gamma: 2", "gamma: Input should be less than or equal to 1, got 2"),
        ("num_envs: many", "num_envs"),
        ("- a\n- b", "must hold `field: value` lines"),
        ("a: [", "is not YAML"),
    ],
)
def test_a_broken_recipe_says_what_is_wrong_and_where(tmp_path, text, message):
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message.replace("(", r"\(").replace("?", r"\?")) as error:
        load_config(path)
    assert "broken.yaml" in str(error.value)


def test_a_recipe_that_is_not_there(tmp_path):
    with pytest.raises(ValueError, match="No such file"):
        load_config(tmp_path / "none.yaml")


def test_a_resolved_recipe_is_read_back(tmp_path):
    config = PPOConfig(num_envs=7, rules={"target": 50})
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(config.model_dump(mode="json")))
    assert load_config(tmp_path / "config.yaml") == config
