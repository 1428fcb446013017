# What people and CI run. `make help` lists it.

PYTHON := .venv/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT

.DEFAULT_GOAL := help
.PHONY: help setup run test check lint bench format messages lock

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: ## Make .venv from the lock and compile the catalogues (every other target does this first)
	@bin/setup
	@$(PYTHON) bin/catalogues.py compile

run: setup ## Run the site on this machine, with a demonstration on an empty database (PORT=8000)
	@$(PYTHON) manage.py migrate --verbosity 0
	@$(PYTHON) manage.py demo --if-empty
	@$(PYTHON) manage.py renew_rankings --verbosity 0 || true
	@echo "Bornage: http://$(HOST):$(PORT)/   (Ctrl-C stops it)"
	@bin/web

test: setup ## Run the tests; what this machine has no server for is skipped by name (ARGS="-k name")
	@$(PYTHON) -m pytest -n auto $(ARGS)

check: lint test ## Everything that must hold before a change is handed in

lint: setup ## The checks that are not tests
	@.venv/bin/ruff format --check
	@.venv/bin/ruff check
	@.venv/bin/mypy
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/djlint --quiet --lint templates
	@$(PYTHON) manage.py makemigrations --check --dry-run
	@$(PYTHON) bin/catalogues.py check
	@.venv/bin/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

bench: setup ## Measure the speed of the important paths; writes build/bench.json
	@$(PYTHON) -m bench

format: setup ## Put the code into its one form
	@.venv/bin/ruff format
	@.venv/bin/ruff check --fix

messages: setup ## Bring the texts of code and templates into the catalogues of locale/
	@$(PYTHON) bin/catalogues.py extract

# No header and no index: a lock must not name the registry that it was made with.
LOCK := uv pip compile --quiet --universal --generate-hashes --no-header --no-emit-index-url --no-emit-find-links

lock: ## Lock the dependencies of pyproject.toml anew (needs uv; LOCKARGS=--upgrade for newer versions)
	@$(LOCK) $(LOCKARGS) --all-extras --group dev --output-file requirements.lock pyproject.toml
	@$(LOCK) --constraint requirements.lock --output-file requirements-run.lock pyproject.toml
	@! grep -nE '://|file:' requirements.lock requirements-run.lock
