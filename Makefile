# `make` alone lists what there is. Everything runs from .venv, which is made when first needed.
PYTHON ?= python3
PORT ?= 8787

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
READY := $(BIN)/starpost

.DEFAULT_GOAL := help
.PHONY: help play test fmt bench gallery screenshots soak mutants catalogues lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: $(READY) ## play on a local page, no Discord account needed (PORT=8787)
	@$(BIN)/starpost sandbox --port $(PORT)

test: $(READY) ## check format, lint and types, then run the tests
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/pytest --quiet -n auto

fmt: $(READY) ## format and mend what can be mended
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

bench: $(READY) ## measure
	@$(BIN)/python -m tests.bench

gallery: $(READY) ## draw docs/gallery.md and its pictures anew
	@$(BIN)/python -m render --gallery docs/gallery

screenshots: $(READY) ## draw docs/first-match/ anew, in a browser
	@$(BIN)/python -m tests.screenshots

soak: $(READY) ## run the long tests
	@$(BIN)/pytest -m soak

mutants: $(READY) ## plant bugs and show that each is caught
	@$(BIN)/python -m tests.mutants

catalogues: $(READY) ## gather the texts for translators, and compile their catalogues
	@$(BIN)/python -m tests.catalogues

# Versions already locked stay, unless told: make lock UPGRADE=--upgrade
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate $(UPGRADE)
lock: $(READY) ## write requirements/*.txt anew from pyproject.toml
	@$(LOCK) --output-file requirements/run.txt >/dev/null
	@$(LOCK) --group dev --constraint requirements/run.txt --output-file requirements/dev.txt >/dev/null

clean: ## remove .venv and everything generated
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.installed: requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
		{ echo 'Starpost needs Python 3.11 or newer: make PYTHON=/path/to/python3 …' >&2; exit 1; }
	@echo 'Setting up .venv (once) …'
	@$(PYTHON) -m venv --clear .venv
	@$(PIP) --no-compile --require-hashes -r requirements/dev.txt
	@touch $@

$(READY): .venv/.installed pyproject.toml
	@$(PIP) --no-build-isolation --no-deps --editable .
	@touch $@
