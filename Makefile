# Everything on a new machine with Python 3.11+ and make: `make play`, `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip --disable-pip-version-check install -q -c constraints.txt

.PHONY: play test test-lab bench format lint

play: $(VENV)/play
	$(BIN)/salient serve --open

test: $(VENV)/dev
	tools/install-browser
	$(MAKE) lint
	$(BIN)/pytest -n 2 --dist worksteal -m "not lab"

test-lab: $(VENV)/lab
	$(BIN)/pytest -m lab tests/lab

lint: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

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
