"""The trainer as users run it: it learns, resumes bit for bit, and loses nothing when it is stopped."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents.neural import NeuralAgent
from agents.registry import make_agent
from basra_env import make, registry
from tests.tiny_game import TINY, Perfect
from train.arena import play_pair
from train.checkpoint import thin_out
from train.config import PPOConfig
from train.ppo import train

ROOT = Path(__file__).parents[2]
QUICK = ROOT / "configs" / "dananeer" / "quick.yaml"
ENV = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT), "COLUMNS": "200"}
SMALL = [
    "--num-envs",
    "64",
    "--minibatch-size",
    "512",
    "--width",
    "32",
    "--evaluate-deals",
    "10",
    "--torch-threads",
    "1",
]
STEPS = 64 * 48


def command(*words):
    return [sys.executable, "-m", "train.ppo", "--config", str(QUICK), *map(str, words)]


def run(*words, check=True):
    done = subprocess.run(command(*words), capture_output=True, text=True, env=ENV, cwd=ROOT, timeout=600, check=False)
    assert not check or done.returncode == 0, done.stderr[-3000:]
    return done


def last(folder, name="policy"):
    return load_file(sorted((folder / "checkpoints").glob("[0-9]*"))[-1] / f"{name}.safetensors")


def metrics(folder):
    with (folder / "metrics.csv").open() as file:
        return list(csv.DictReader(file))


def same_learning(one, two):
    """Lines of metrics.csv but for what the clock says."""
    timed = ("charts/elapsed_minutes", "charts/SPS", "charts/outside_network")
    strip = [{k: v for k, v in row.items() if k not in timed} for row in one]
    other = [{k: v for k, v in row.items() if k not in timed} for row in two]
    assert strip == other


def test_n_and_n_resumed_equals_2n_bit_for_bit_with_the_quick_recipe(tmp_path):
    """As shipped, but for the size of evaluations, which change nothing."""
    words = ["--torch-threads", 1, "--evaluate-deals", 2]
    n = 1024 * 48
    run("--run-dir", tmp_path / "straight", "--total-timesteps", 2 * n, *words)
    run("--run-dir", tmp_path / "halves", "--total-timesteps", n, *words)
    run("--run-dir", tmp_path / "halves", "--total-timesteps", 2 * n, "--resume", *words)
    for name in ("policy", "trainer"):
        straight, halves = last(tmp_path / "straight", name), last(tmp_path / "halves", name)
        assert straight.keys() == halves.keys()
        for key in straight:
            assert torch.equal(straight[key], halves[key]), key
    same_learning(metrics(tmp_path / "straight"), metrics(tmp_path / "halves"))


def test_it_learns_by_self_play(tmp_path):
    """Two hundred thousand decisions in half a minute: far better than the weights it began with."""
    config = PPOConfig(
        num_envs=256, minibatch_size=1024, learning_rate=2e-3, gae_lambda=0.6, width=64, total_timesteps=200_000,
        anneal_timesteps=200_000, evaluate_every=100, evaluate_deals=2, torch_threads=1,
    )  # fmt: skip
    train(config, tmp_path / "run")
    game = make("dananeer")
    agents = [make_agent(str(path), game) for path in sorted((tmp_path / "run" / "checkpoints").glob("[0-9]*"))]
    assert play_pair(game, agents[-1], make_agent("random", game), 300, 5).ci95[0] > 12
    assert play_pair(game, agents[-1], agents[0], 300, 5).ci95[0] > 12


@pytest.mark.parametrize("perfect_information_critic", [False, True])
def test_it_learns_a_tiny_game_of_known_value(tmp_path, monkeypatch, perfect_information_critic):
    """Against minimax an agent can at best be even: untrained it loses, trained it gives next to nothing away."""
    monkeypatch.setattr(registry, "_FAMILIES", (*registry._FAMILIES, TINY))
    config = PPOConfig(
        game="tiny", num_envs=256, num_steps=6, minibatch_size=256, width=64, learning_rate=3e-3, reward_scale=1,
        total_timesteps=150_000, anneal_timesteps=150_000, evaluate_every=1000, evaluate_deals=2, torch_threads=1,
        baselines=("random",), gae_lambda=0.9, perfect_information_critic=perfect_information_critic, precision="fp32",
    )  # fmt: skip
    monkeypatch.setattr("train.ppo.make_agent", lambda name, game: Perfect())
    learner = train(config, tmp_path / "run")
    game = registry.make("tiny")
    first = sorted((tmp_path / "run" / "checkpoints").glob("[0-9]*"))[0]
    untrained = play_pair(game, NeuralAgent.load(first, game), Perfect(), 400, 3)
    trained = play_pair(game, NeuralAgent("trained", learner.policy), Perfect(), 400, 3)
    assert untrained.mean < -0.3
    assert -0.06 < trained.mean <= 0


def test_a_match_runs_over_the_borders_of_rollouts(tmp_path):
    """With the result as its reward, the other clipping, and a limit on the divergence."""
    config = PPOConfig(
        num_envs=64, num_steps=32, minibatch_size=512, width=32, total_timesteps=64 * 32 * 4, episode="match",
        reward="win", rules={"target": 20}, evaluate_deals=5, torch_threads=1, perfect_information_critic=False,
        precision="fp32", clip_vloss=True, target_kl=0.05,
    )  # fmt: skip
    learner = train(config, tmp_path / "run")
    rows = metrics(tmp_path / "run")
    assert learner.updates == len(rows) == 4
    assert all(np.isfinite(float(row["losses/total"])) for row in rows)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "small"
    done = run("--run-dir", folder, "--total-timesteps", 3 * STEPS, "--profile", "--evaluate-every", 2, *SMALL)
    return folder, done


def test_a_run_folder_explains_itself(finished):
    folder, done = finished
    about = json.loads((folder / "run.jsonl").read_text().splitlines()[0])
    assert about["versions"]["torch"] == torch.__version__
    assert set(about) >= {"command", "commit", "processor", "platform", "resumed_at"}
    assert "num_envs: 64" in (folder / "config.yaml").read_text()
    rows = metrics(folder)
    assert [int(row["step"]) for row in rows] == [STEPS, 2 * STEPS, 3 * STEPS]
    assert {row["losses/first_ratio_error"] for row in rows} == {"0.0"}, "the ratio of the first minibatch is 1"
    measured = [row["eval/points_against_greedy"] for row in rows]
    assert measured[0] == "nan"
    assert measured[1] != "nan"
    events = EventAccumulator(str(folder))
    events.Reload()
    tags = set(events.Tags()["scalars"])
    assert tags >= {
        "returns/eldest", "eval/points_against_greedy", "eval/points_against_random", "losses/entropy",
        "losses/approx_kl", "losses/clip_fraction", "losses/explained_variance", "charts/SPS",
    }  # fmt: skip
    assert [event.step for event in events.Scalars("eval/points_against_greedy")] == [0, 2 * STEPS]
    assert "tensorboard --logdir" in done.stderr
    assert re.search(r"outside the network's forward, backward and optimiser steps: +[\d.]+ %", done.stderr)
    assert "SPS" in done.stderr
    assert "points a round against greedy" in done.stderr


def test_a_new_run_does_not_write_over_an_old_one(finished):
    folder, _ = finished
    done = run("--run-dir", folder, "--total-timesteps", STEPS, *SMALL, check=False)
    assert done.returncode == 1
    assert "add --resume to go on with it" in done.stderr


def test_a_checkpoint_is_an_agent_and_fits_its_game_only(finished):
    folder, _ = finished
    game = make("dananeer")
    agent = make_agent(str(folder), game)
    assert isinstance(agent, NeuralAgent)
    first = sorted((folder / "checkpoints").glob("[0-9]*"))[0]
    for path in (first, first / "policy.safetensors"):
        make_agent(str(path), game)
    with pytest.raises(ValueError, match="was trained on dananeer"):
        make_agent(str(folder), make("dananeer", players=3))


def test_a_snapshot_does_not_change_while_training_goes_on(tmp_path, finished):
    folder = tmp_path / "run"
    shutil.copytree(finished[0], folder)
    before = sorted((folder / "checkpoints").glob("[0-9]*"))[-1]
    kept = {key: value.clone() for key, value in load_file(before / "policy.safetensors").items()}
    agent = make_agent(str(before), make("dananeer"))
    run("--run-dir", folder, "--resume", "--total-timesteps", 4 * STEPS, *SMALL)
    now = load_file(before / "policy.safetensors")
    assert all(torch.equal(now[key], kept[key]) for key in kept)
    assert all(torch.equal(agent.policy.state_dict()[key], kept[key]) for key in kept)
    assert not torch.equal(last(folder)["score.weight"], kept["score.weight"])
    assert [int(row["step"]) for row in metrics(folder)] == [STEPS * i for i in (1, 2, 3, 4)]


@pytest.mark.parametrize("name", ["policy.safetensors", "trainer.safetensors", "trainer.json"])
def test_a_truncated_checkpoint_is_refused_and_the_one_before_still_serves(tmp_path, finished, name):
    folder = tmp_path / "run"
    shutil.copytree(finished[0], folder)
    newest = sorted((folder / "checkpoints").glob("[0-9]*"))[-1]
    file = newest / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    done = run("--run-dir", folder, "--resume", "--total-timesteps", 4 * STEPS, *SMALL, check=False)
    assert done.returncode == 1
    assert newest.name in done.stderr
    assert "Traceback" not in done.stderr
    shutil.rmtree(newest)
    run("--run-dir", folder, "--resume", "--total-timesteps", STEPS, *SMALL)


def test_loading_never_unpickles(finished):
    folder, _ = finished
    for path in folder.rglob("*"):
        assert path.suffix not in (".pt", ".pth", ".pkl", ".bin")
    source = (ROOT / "train" / "checkpoint.py").read_text() + (ROOT / "agents" / "neural.py").read_text()
    assert "torch.load" not in source
    assert "import pickle" not in source


def wait_for(condition, seconds=120):
    end = time.time() + seconds
    while time.time() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def start(folder, *words):
    return subprocess.Popen(
        command("--run-dir", folder, *words, *SMALL),
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=ENV,
        cwd=ROOT,
    )


def test_ctrl_c_writes_a_checkpoint_and_says_how_to_go_on(tmp_path):
    process = start(tmp_path / "run", "--total-timesteps", 10_000 * STEPS)
    wait_for((tmp_path / "run" / "metrics.csv").exists)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    told = re.search(r"go on with: python -m (train.ppo .*--resume)", err)
    assert told
    done = int(metrics(tmp_path / "run")[-1]["step"])
    assert int(sorted((tmp_path / "run" / "checkpoints").glob("[0-9]*"))[-1].name) == done
    words = told[1].replace(str(10_000 * STEPS), str(done + STEPS)).split()
    subprocess.run([sys.executable, "-m", *words], check=True, env=ENV, cwd=ROOT, capture_output=True, timeout=300)
    assert int(metrics(tmp_path / "run")[-1]["step"]) == done + STEPS


def test_kill_at_any_moment_leaves_the_last_whole_checkpoint(tmp_path):
    folder = tmp_path / "run"
    process = start(folder, "--total-timesteps", 10_000 * STEPS, "--checkpoint-every", 0.01)
    wait_for(lambda: len(list((folder / "checkpoints").glob("[0-9]*"))) > 3)
    process.kill()
    process.communicate()
    newest = sorted((folder / "checkpoints").glob("[0-9]*"))[-1]
    load_file(newest / "policy.safetensors")
    load_file(newest / "trainer.safetensors")
    step = int(newest.name)
    run("--run-dir", folder, "--resume", "--total-timesteps", step + STEPS, *SMALL)
    rows = [int(row["step"]) for row in metrics(folder)]
    assert rows == [STEPS * (i + 1) for i in range(len(rows))]
    assert rows[-1] == step + STEPS
    assert not list((folder / "checkpoints").glob(".partial*")) or newest.exists()


def test_a_full_disk_ends_the_run_with_an_error_and_keeps_what_was_saved(tmp_path, finished, monkeypatch):
    import train.checkpoint as module

    folder = tmp_path / "run"
    shutil.copytree(finished[0], folder)
    whole = sorted(path.name for path in (folder / "checkpoints").iterdir())

    def full(*_args, **_kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "save_file", full)
    config = PPOConfig(
        num_envs=64, minibatch_size=512, width=32, total_timesteps=4 * STEPS, evaluate_deals=2, torch_threads=1
    )
    with pytest.raises(OSError, match="No space left"):
        train(config, folder, resume=True)
    assert sorted(path.name for path in (folder / "checkpoints").iterdir()) == whole


def test_a_run_without_a_single_update_does_not_end_well(tmp_path):
    done = run("--run-dir", tmp_path / "run", "--max-minutes", "0.00001", *SMALL, check=False)
    assert done.returncode == 1
    assert "without a single update" in done.stderr


def test_a_loss_that_is_no_number_ends_the_run_with_an_error(tmp_path):
    done = run(
        "--run-dir",
        tmp_path / "run",
        "--learning-rate",
        "1e30",
        "--max-grad-norm",
        "1e30",
        "--total-timesteps",
        20 * STEPS,
        *SMALL,
        check=False,
    )
    assert done.returncode == 1
    assert "the loss is" in done.stderr


def test_schedules_follow_elapsed_time_which_is_kept(tmp_path):
    folder = tmp_path / "run"
    run("--run-dir", folder, "--max-minutes", "0.1", *SMALL)
    rows = metrics(folder)
    rates = [float(row["charts/learning_rate"]) for row in rows]
    assert rates == sorted(rates, reverse=True)
    assert rates[-1] < 0.5 * 2e-3
    before = float(rows[-1]["charts/elapsed_minutes"])
    assert before >= 0.09
    run("--run-dir", folder, "--max-minutes", "0.16", "--resume", *SMALL)
    later = metrics(folder)
    assert float(later[len(rows)]["charts/elapsed_minutes"]) > before
    assert float(later[-1]["charts/elapsed_minutes"]) < 0.3
    steps = [int(row["step"]) for row in later]
    assert steps == sorted(set(steps))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--learning-rat", "1"], "learning-rat"),
        (["--game", "dananer"], "did you mean 'dananeer'"),
        (["--gamma", "3"], "gamma"),
    ],
)
def test_wrong_options_are_refused_by_name(tmp_path, words, message):
    done = run("--run-dir", tmp_path / "run", *words, *SMALL, check=False)
    assert done.returncode != 0
    assert message in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_help_shows_every_field():
    done = subprocess.run(
        [sys.executable, "-m", "train.ppo", "--help"], capture_output=True, text=True, env=ENV, cwd=ROOT, check=True
    )
    for name in PPOConfig.model_fields:
        assert f"--{name.replace('_', '-')}" in done.stdout, name


def test_thinning_keeps_the_first_and_the_last(tmp_path):
    for step in range(20):
        (tmp_path / "checkpoints" / f"{step:012d}").mkdir(parents=True)
    thin_out(tmp_path, 5)
    left = [int(path.name) for path in sorted((tmp_path / "checkpoints").iterdir())]
    assert len(left) == 5
    assert (left[0], left[-1]) == (0, 19)


def test_the_policy_sees_no_hidden_card(finished):
    folder, _ = finished
    game = make("dananeer")
    agent = make_agent(str(folder), game)
    from agents.base import Turn
    from basra_env.testing import random_batch

    batch = random_batch(game, 64, 3, plies=47)
    rows = np.arange(64)
    before = agent.act(Turn.of(batch, rows, rows))
    batch.determinize(rows, batch.slots.to_play.astype(int), 5)
    assert np.array_equal(agent.act(Turn.of(batch, rows, rows)), before)


def test_no_baseline_among_the_opponents():
    source = (ROOT / "train" / "rollout.py").read_text()
    assert "greedy" not in source
    assert "make_agent" not in source
    assert "greedy" not in QUICK.read_text().replace("# ", "")
