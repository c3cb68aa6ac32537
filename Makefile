# Euchre Arena. `make` alone lists the targets. A fresh machine needs Python 3.11 or newer and make.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

.PHONY: setup
setup: $(READY) ## make .venv with everything that developing needs (other targets do it by themselves)

$(READY): requirements/uv.txt requirements/dev.txt pyproject.toml sdk/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	    "Python 3.11 or newer is needed; $(PYTHON) is " + sys.version.split()[0] + ". Another one: make PYTHON=...")'
	@echo "making .venv (once, about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/uv.txt
	@VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --require-hashes --no-deps -r requirements/dev.txt
	@VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e . -e sdk
	@touch $@
