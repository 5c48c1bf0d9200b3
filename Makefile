# Everything on a new machine with Python 3.11+ and make: `make play`, `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
QUICK  := tests/kernel tests/hexes tests/test_imports.py tests/games/target_arnhem tests/games/bulge
PYTHONS := $(shell for v in 3.12 3.13 3.14; do python$$v --version >/dev/null 2>&1 && echo python$$v; done)
PIP    := $(BIN)/pip --disable-pip-version-check install -q -c constraints.txt

.PHONY: play test test-lab test-all quick bench docs format lint lint-python lint-client

play: $(VENV)/play
	$(BIN)/salient serve --open

# A test that fails in the crowd is tried once more alone: browsers starve on two busy cores. A real fault fails again.
test: $(VENV)/dev
	tools/install-browser
	tools/install-postgresql
	$(MAKE) lint
	$(BIN)/pytest -n 2 --dist worksteal -m "not lab" || $(BIN)/pytest --last-failed --last-failed-no-failures none -m "not lab"

test-lab: $(VENV)/lab
	$(BIN)/pytest -m lab tests/lab

# The first verdict, in under a minute: lint, types, the kernel, the boards and the two small games.
quick: lint
	$(BIN)/pytest -n 2 $(QUICK)

# The engine's tests on every Python from 3.11 that this machine has.
test-all: test
	for python in $(PYTHONS); do \
	  $$python -m venv out/$$python && out/$$python/bin/pip --disable-pip-version-check install -q -c constraints.txt -e '.[dev]' \
	  && out/$$python/bin/pytest -n 2 $(QUICK) || exit 1; \
	done

docs: $(VENV)/docs
	$(BIN)/mkdocs build --strict --site-dir out/docs

lint: $(VENV)/dev
	$(MAKE) -j 2 --output-sync --no-print-directory lint-python lint-client

lint-python:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

lint-client:
	tools/install-node
	node_modules/.bin/eslint src/salient/web tests eslint.config.js
	node_modules/.bin/tsc

bench: $(VENV)/dev
	$(BIN)/python -m bench

format: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/play: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

$(VENV)/dev: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e '.[dev]'
	touch $@ $(VENV)/play

$(VENV)/lab: $(VENV)/dev
	$(PIP) -e '.[dev,lab-all]'
	touch $@

$(VENV)/docs: $(VENV)/dev
	$(PIP) -e '.[docs]'
	touch $@
