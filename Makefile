# `make train` and `make test` work on a fresh clone: they make .venv and install what constraints.txt pins.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUN ?= runs/quick
MINUTES ?= 5

.PHONY: help train test verify check speed search baselines learning docs pythons clean

help:
	@echo "make train      train dananeer for $(MINUTES) minutes, then compare with random and greedy"
	@echo "make test       set up and run all tests"
	@echo "make check      formatting, lint, types, import contracts"
	@echo "make verify     the long counts: 20,000 rounds and 5,000 matches of each game and option against slow referees"
	@echo "make speed      decisions a second, beside the limit"
	@echo "make baselines  from random to search in every game, player count and option, as a table"
	@echo "make search     roll-outs a second, and microseconds a solved endgame"
	@echo "make learning   five minutes of self-play in every game, as a table"
	@echo "make docs       write the tables of docs/games anew"
	@echo "make pythons    the small tests with each supported Python that is installed"

train: $(VENV)/installed
	$(BIN)/python -m train.ppo --config configs/dananeer/quick.yaml --run-dir $(RUN) --max-minutes $(MINUTES)
	$(BIN)/python -m train.evaluate --game dananeer $(RUN) greedy random --deals 2000 --json $(RUN)/evaluation.json
	@echo "run folder: $(RUN)    curves: $(BIN)/tensorboard --logdir $(RUN)"

test: $(VENV)/installed
	$(BIN)/python -m pytest -n 2 -m "not verify"
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n 2 -q -m "small and not verify"
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n 2 -q -m "small and not verify"

check: $(VENV)/installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

verify: $(VENV)/installed
	$(BIN)/python -m pytest -n 2 -m verify

# The wheel and its four packages alone, with each supported Python that is there.
PYTHONS ?= python3.11 python3.12 python3.13
pythons:
	set -e; for python in $(PYTHONS); do \
	  if ! $$python --version >/dev/null 2>&1; then echo "no $$python here"; continue; fi; \
	  folder=.venv-$$($$python -c "import sys; print(sys.version_info.major, sys.version_info.minor, sep=chr(46))"); \
	  $$python -m venv $$folder; \
	  $$folder/bin/pip install --quiet --constraint constraints.txt . pytest hypothesis; \
	  $$folder/bin/python -m pytest -q -p no:cacheprovider -m "small and not verify" tests/core tests/games tests/test_laws.py; \
	done

speed: $(VENV)/installed
	$(BIN)/python -m benchmarks.speed

search: $(VENV)/installed
	$(BIN)/python -m benchmarks.search

baselines: $(VENV)/installed
	$(BIN)/python -m benchmarks.baselines

learning: $(VENV)/installed
	$(BIN)/python -m benchmarks.learning

docs: $(VENV)/installed
	$(BIN)/python docs/tables.py

# torch goes first, with the version that is pinned: a plain `torch` can fetch gigabytes of CUDA.
$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt "$$(grep '^torch==' constraints.txt)"
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[train,notebooks,integrations,dev]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
