# The project's commands. `make help` lists them; nothing but Python 3.11 or newer, make and git is needed to begin.

.DEFAULT_GOAL := help
SHELL := /bin/sh
PORT ?= 8000
ARGS ?=
DATA ?=
python := .venv/bin/python
comma := ,

# What a person's own shell sets for other projects must not reach this one.
unexport PYTHONPATH PYTHONHOME DJANGO_SETTINGS_MODULE
# Proxy settings are for the packages; what talks to this machine itself goes straight.
export no_proxy := $(if $(no_proxy),$(no_proxy)$(comma))127.0.0.1,localhost,::1
export NO_PROXY := $(if $(NO_PROXY),$(NO_PROXY)$(comma))127.0.0.1,localhost,::1
export PORT PYTHON ONCE

.PHONY: help
help: ## List these commands
	@awk -F ':.*## ' '/^## /{sub(/^## /, ""); print "\n" $$0} /^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

## To use it
.PHONY: run
run: setup ## Show the demo study's results, then serve on 127.0.0.1:$PORT (8000); ONCE=1 stops after the results
	@exec $(python) -m tools.launch --with-parent

.PHONY: setup
setup: ## Make .venv with what a run needs (PYTHON=… chooses the Python)
	@sh tools/setup.sh run

## To change it
.PHONY: setup-dev
setup-dev:
	@sh tools/setup.sh dev

.PHONY: test
test: setup-dev ## Run every test on SQLite, those that can differ on PostgreSQL too, with a real broker and browser (ARGS="-k word" chooses)
	@$(python) -m tools.suite -- $(ARGS)

.PHONY: test-fast
test-fast: setup-dev ## Run the tests that need no server, browser or patience, on SQLite
	@$(python) -m tools.suite --fast -- $(ARGS)

.PHONY: faults
faults: setup-dev ## Run the tests that kill workers, empty brokers and race writers, in full length
	@TOUCHSTONE_TEST_FAULTS=full $(python) -m tools.suite -- -m faults $(ARGS)

.PHONY: prove
prove: setup-dev ## Run the long proofs and the tests of faults in full length, and write docs/proofs.md (ARGS="-m prove" leaves faults out)
	@TOUCHSTONE_TEST_FAULTS=full $(python) -m tools.suite -- -p tests.proofs -m "prove or faults" $(ARGS)

.PHONY: openapi
openapi: setup-dev ## Write docs/openapi.json, the API's description, anew from the code
	@TOUCHSTONE_DATABASE_URL=sqlite:///:memory: $(python) manage.py spectacular --validate --fail-on-warn \
	  --format openapi-json --file docs/openapi.json

.PHONY: schema
schema: setup-dev ## Write docs/report.schema.json, what a report.json is, anew from the code
	@$(python) -m agreement.report.report

.PHONY: check
check: lint scripts dead imports types templates migrations deployable ## Run every check that isn't a test: ruff, oxlint, vulture, imports, mypy, djlint, migrations, deployment

.PHONY: lint
lint: setup-dev
	@$(python) -m ruff check .
	@$(python) -m ruff format --check .

.PHONY: scripts
scripts: setup-dev
	@.venv/bin/oxlint --quiet --config tools/oxlint.json static annotation tests/browser

.PHONY: dead
dead: setup-dev
	@$(python) -m vulture

.PHONY: imports
imports: setup-dev
	@.venv/bin/lint-imports --no-cache --no-logo

.PHONY: types
types: setup-dev
	@$(python) -m mypy .

.PHONY: templates
templates: setup-dev
	@$(python) -m djlint --quiet --lint templates annotation/answering/kinds

.PHONY: migrations
migrations: setup-dev
	@TOUCHSTONE_DATABASE_URL=sqlite:///:memory: $(python) manage.py makemigrations --check --dry-run

.PHONY: deployable
deployable: setup-dev
	@TOUCHSTONE_SECRET_KEY=$$($(python) -c 'import secrets; print(secrets.token_urlsafe(50))') \
	TOUCHSTONE_ALLOWED_HOSTS=touchstone.example.org TOUCHSTONE_BEHIND_PROXY=1 \
	$(python) manage.py check --deploy --fail-level WARNING

.PHONY: format
format: setup-dev ## Let ruff put the code in order
	@$(python) -m ruff check --fix .
	@$(python) -m ruff format .

.PHONY: messages
messages: setup-dev ## Bring the translations of the annotators' pages up to date and compile them (needs GNU gettext)
	@$(python) -m tools.messages

.PHONY: coverage
coverage: setup-dev ## Simulate how often the published intervals hold the truth (hours; ARGS=--help for less)
	@$(python) -m tools.benchmarks.coverage $(ARGS)

.PHONY: influence-points
influence-points: setup-dev ## Simulate how large a share of the variance one of so many workers has (ARGS=--help for more)
	@$(python) -m tools.benchmarks.influence_points $(ARGS)

.PHONY: cleaning-study
cleaning-study: setup-dev ## Simulate whom which cleaning rules exclude, for docs/cleaning.md (ARGS=--help for less)
	@$(python) -m tools.benchmarks.cleaning_study $(ARGS)

.PHONY: bench
bench: setup-dev ## Run the benchmarks one after the other (ARGS="name name" chooses)
	@$(python) -m tools.bench $(ARGS)

.PHONY: studies
studies: setup-dev ## Run the five founding studies from their items to their tables, into var/studies/ (DATA=folder adds comparisons)
	@$(python) manage.py studies --photographs --out var/studies $(if $(DATA),--data $(DATA)) $(ARGS)

.PHONY: wheel
wheel: setup-dev ## Build the package touchstone-annotation into dist/
	@$(python) -m hatchling build --target wheel

.PHONY: lock
lock: ## Write tools/requirements/*.txt anew from pyproject.toml (needs uv)
	@sh tools/lock.sh

.PHONY: clean
clean: ## Remove what tools made: caches and .venv; your data in var/ stays
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage htmlcov
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
