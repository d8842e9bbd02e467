PYTHON ?= python3
WORKERS ?= 2
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
CONSTRAINTS := configs/constraints.txt
# The benchmark's neighbours have an environment of their own: the project does not need them.
BENCH := .venv-bench
NEIGHBOURS := $(BENCH)/.installed

.DEFAULT_GOAL := help
.PHONY: help test train lint format fuzz bench evaluate report playthroughs rules clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

test: $(INSTALLED) ## run the tests
	$(BIN)/pytest -n $(WORKERS)

train: $(INSTALLED) ## train heroes on defaults, evaluate them beside the ladder, draw the curve
	$(BIN)/python scripts/train.py quick --resume --profile

lint: $(INSTALLED) ## check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(INSTALLED) ## put the code in its format and mend what can be mended
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

fuzz: $(INSTALLED) ## random play over all modes with the invariants checked
	$(BIN)/python scripts/fuzz.py
	$(BIN)/python scripts/fuzz_env.py

bench: $(NEIGHBOURS) ## measure the speed, beside neighbouring environments
	$(BENCH)/bin/python scripts/benchmark.py

evaluate: $(INSTALLED) ## play the scripted agents on the same deals
	$(BIN)/python scripts/evaluate.py --agents random,greedy,careful,looter,odds --plots

report: $(INSTALLED) ## the calibration report on test deals, a long run
	$(BIN)/python scripts/report.py --deals test --out runs/report

playthroughs: $(INSTALLED) ## write the golden games of the tests anew
	$(BIN)/python scripts/playthroughs.py

rules: $(INSTALLED) ## write the table of rules and their tests
	$(BIN)/python scripts/rules.py

clean: ## delete caches and built files, but not the virtual environment
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

$(INSTALLED): pyproject.toml $(CONSTRAINTS)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c $(CONSTRAINTS)
	touch $@

$(NEIGHBOURS): pyproject.toml $(CONSTRAINTS)
	test -x $(BENCH)/bin/python || $(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -e . 'pettingzoo[classic]' -c $(CONSTRAINTS)
	touch $@
