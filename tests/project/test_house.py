"""The house: the wheel, pins, missing extras, the cache of machine code, what the pages promise."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False, timeout=600, **options)


def tool(name):
    return str(Path(sys.executable).with_name(name))


def test_the_wheel_holds_basra_env_alone_and_needs_four_packages(tmp_path):
    built = run(tool("hatchling"), "build", "-t", "wheel", "-d", str(tmp_path))
    assert built.returncode == 0, built.stderr
    wheel = next(tmp_path.glob("*.whl"))
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], capture_output=True, text=True, check=True
    ).stdout
    tops = {line.split("/")[0] for line in names.splitlines()[1:] if line.strip()}
    assert {top for top in tops if not top.startswith("basra_env-")} == {"basra_env"}
    assert "basra_env/py.typed" in names
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {re.split(r"[><=]", need)[0] for need in project["dependencies"]} == {
        "numpy",
        "numba",
        "gymnasium",
        "pettingzoo",
    }


def test_every_direct_dependency_is_pinned():
    def plain(need):
        return re.split(r"[><=\[]", need)[0].lower().replace("_", "-")

    pinned = {plain(line) for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = {plain(need) for need in [*project["dependencies"], *(need for extra in extras for need in extra)]}
    assert wanted - {"basra-env"} <= pinned


def test_a_checkpoint_without_torch_names_the_extra(tmp_path):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "from agents.registry import make_agent\nfrom basra_env import make\n"
        f"make_agent({str(tmp_path)!r}, make('dananeer'))"
    )
    done = run(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert "pip install 'basra-env[train]'" in done.stderr


def test_the_commands_without_torch_name_the_extra():
    for module in ("train.ppo", "train.evaluate"):
        code = f"import sys; sys.modules['torch'] = None; sys.modules['tyro'] = None; import runpy; runpy.run_module({module!r}, run_name='__main__')"
        done = run(sys.executable, "-c", code, env={**os.environ, "PYTHONPATH": str(ROOT)})
        assert "pip install 'basra-env[train]'" in done.stderr, done.stderr[-500:]


@pytest.fixture(scope="module")
def starts(tmp_path_factory):
    """Seconds in a fresh process: importing, and building and stepping a batch; first cold, then from the cache."""
    cache = tmp_path_factory.mktemp("cache")
    code = (
        "import time; start = time.perf_counter()\n"
        "import basra_env\n"
        "batch = basra_env.GameBatch(basra_env.make('dananeer'), 4, seed=0)\n"
        "batch.step(batch.slots.action_mask.argmax(1))\n"
        "print(time.perf_counter() - start)"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    env.pop("NUMBA_DISABLE_JIT", None)
    return cache, [float(run(sys.executable, "-c", code, env=env).stdout) for _ in range(3)]


def test_machine_code_is_kept(starts):
    cache, (cold, *warm) = starts
    assert list(cache.rglob("*.nbc"))
    assert min(warm) < cold / 3


ANOTHER_VALUE = {
    "dananeer": [("dananeer", {"target": 7}), ("dananeer", {"players": 4, "teams": True}),
                 ("standard", {"players": 3, "must_capture": "hand"}), ("classic", {}), ("egyptian", {}),
                 ("mini", {"majority_tied": "void"}), ("micro", {"suits": "C"})],
    "basra_io": [("basra_io", {"jack": "plain"}), ("pishti", {}), ("pishti", {"players": 4, "redeal": 2, "jokers": 2, "hidden": 5})],
    "briscola": [("briscola", {"exchange": "free"}), ("briscola", {"players": 4, "exchange": "conditional", "target": 3})],
}  # fmt: skip


@pytest.mark.parametrize("name", ANOTHER_VALUE)
def test_a_new_rule_value_compiles_nothing(name):
    code = (
        "import numba.core.dispatcher as d, basra_env\n"
        "from basra_env.core import driver\n"
        "def use(name, **fields):\n"
        "    b = basra_env.GameBatch(basra_env.make(name, **fields), 4, seed=0)\n"
        "    b.step(b.decide('greedy', b.player_generators(0)))\n"
        "    b.determinize(range(4), b.slots.to_play, range(4))\n"
        "    b.state()\n"
        "count = lambda: sum(len(f.signatures) for f in vars(driver).values() if isinstance(f, d.Dispatcher))\n"
        f"use({name!r})\n"
        "before = count()\n"
        f"for other, fields in {ANOTHER_VALUE[name]}: use(other, **fields)\n"
        "assert count() == before > 5, (count(), before)\nprint('ok')"
    )
    assert run(sys.executable, "-c", code).stdout.strip() == "ok"


def test_a_later_process_compiles_no_kernel():
    """What Python asks of a game it asks of plain functions: a kernel called from Python is compiled in each process."""
    code = (
        "import gc, basra_env\n"
        "from numba.core.caching import NullCache\n"
        "from numba.core.dispatcher import Dispatcher\n"
        "for name in basra_env.games():\n"
        "    b = basra_env.GameBatch(basra_env.make(name), 4, seed=0)\n"
        "    b.step(b.slots.action_mask.argmax(1))\n"
        "    b.set_position(0, b.position(1))\n"
        "    b.game.decode(b.slots.obs[0])\n"
        "    basra_env.load_replay(b.replay(2))\n"
        "every = [o for o in gc.get_objects() if isinstance(o, Dispatcher)]\n"
        "print(*(o.py_func.__name__ for o in every if o.signatures and isinstance(o._cache, NullCache)))"
    )
    run(sys.executable, "-c", code)  # fills the cache if need be
    assert run(sys.executable, "-c", code).stdout.split() == []


def test_an_edited_kernel_is_never_served_from_an_old_cache(tmp_path):
    import shutil

    shutil.copytree(ROOT / "basra_env", tmp_path / "basra_env", ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "import basra_env\nb = basra_env.GameBatch(basra_env.make('dananeer'), 1, seed=1, autoreset=False)\n"
        "while not b.slots.terminated[0]: b.step(b.slots.action_mask.argmax(1))\n"
        "print(sum(b.position().points))"
    )
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path)}
    env.pop("NUMBA_DISABLE_JIT", None)

    def points():
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env, check=True
        )
        return int(done.stdout)

    before = points()
    kernels = tmp_path / "basra_env" / "games" / "fishing" / "kernels.py"
    kernels.write_text(kernels.read_text().replace('+= rules.majority + int(s["carry"])', "+= 7 + rules.majority"))
    assert points() == before + 7


def test_the_docs_name_no_command_that_is_not_there():
    text = (ROOT / "README.md").read_text()
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert (
        set(re.findall(r"make ([a-z]+)\b(?=[`\n ]*)", "\n".join(re.findall(r"```bash\n(.*?)```", text, re.DOTALL))))
        <= targets
    )
    for module in re.findall(r"python -m ([\w.]+)", text):
        assert (ROOT / (module.replace(".", "/") + ".py")).exists() or module in ("pip", "venv"), module


def test_the_readme_s_examples_run():
    namespace = {}
    for block in re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL):
        exec(block, namespace)  # noqa: S102 our own page
    assert namespace["slots"].obs.shape[0] == 4096


def test_versions_agree():
    from basra_env import __version__

    assert f"version: {__version__}" in (ROOT / "CITATION.cff").read_text()
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()
