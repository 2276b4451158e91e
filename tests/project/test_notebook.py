"""The notebook runs from top to bottom on a real run, and says what `train.evaluate` says."""

import json
import os
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from basra_env import make
from train.config import PPOConfig
from train.evaluate import evaluate
from train.ppo import train

ROOT = Path(__file__).parents[2]
NOTEBOOK = ROOT / "notebooks" / "compare_policies"


def test_the_notebook_is_paired_with_its_script():
    paired = jupytext.read(NOTEBOOK.with_suffix(".ipynb"))
    script = jupytext.read(NOTEBOOK.with_suffix(".py"))
    assert [(c.cell_type, c.source) for c in paired.cells] == [(c.cell_type, c.source) for c in script.cells]


def test_the_notebook_runs_and_agrees_with_the_command(tmp_path, monkeypatch):
    config = PPOConfig(
        num_envs=32,
        minibatch_size=512,
        width=32,
        total_timesteps=3 * 32 * 48,
        evaluate_every=1,
        evaluate_deals=5,
        torch_threads=1,
    )
    train(config, tmp_path / "run")
    for name, value in (
        ("RUN_DIR", tmp_path / "run"),
        ("DEALS", 20),
        ("REPORT", tmp_path / "report.json"),
        ("PYTHONPATH", ROOT),
    ):
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("MPLBACKEND", "agg")
    notebook = nbformat.read(NOTEBOOK.with_suffix(".ipynb"), as_version=4)
    NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(ROOT / "notebooks")}}
    ).execute()
    report = json.loads((tmp_path / "report.json").read_text())
    again = json.loads(json.dumps(evaluate(make("dananeer"), report["agents"], 20)))
    assert report.pop("speeds")[0].keys() == again.pop("speeds")[0].keys()  # what the clock says differs
    assert report == again
    assert len(report["pairs"]) == len(report["agents"]) * (len(report["agents"]) - 1) // 2
    assert "points " in notebook.cells[-1].outputs[0].text
    assert os.environ["MPLBACKEND"] == "agg"


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.name)
def test_no_path_of_a_machine_is_committed(path):
    assert str(ROOT) not in path.read_text()
