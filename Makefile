# Euchre Arena. `make` alone lists the targets. A fresh machine needs Python 3.11 or newer and make;
# every target makes the environment it needs by itself.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
INSTALL := pip install --quiet --require-hashes --no-deps
EDITABLE := pip install --quiet --no-deps --no-build-isolation

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

# The TypeScript bot, built where npm is; the demo says so where it is not.
TS := example_bots/typescript
TS_READY := .cache/ts/.ready
$(TS_READY): $(TS)/package-lock.json $(TS)/tsconfig.json $(shell find $(TS)/src -name '*.ts')
	@mkdir -p $(@D)
	@if command -v npm > /dev/null; then echo "building the TypeScript bot (once)"; \
	    cd $(TS) && npm ci --silent --no-audit --no-fund && npm run --silent build && touch ../../$@; fi

# using it

.PHONY: demo
demo: $(READY) $(TS_READY) ## a whole tournament of example bots over gRPC, with a live table
	@$(BIN)/python -m arena.demo

.PHONY: bench
bench: $(READY) ## the benchmarks, one after the other (minutes)
	@for script in $$(grep -l __main__ benchmarks/*.py); do \
	    echo; echo "== $$script"; $(BIN)/python "$$script"; done

# working on it

.PHONY: setup
setup: $(READY) ## make .venv with everything that developing needs

$(READY): requirements/uv.txt requirements/dev.txt pyproject.toml sdk/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	    "Python 3.11 or newer is needed; $(PYTHON) is " + sys.version.split()[0] + ". Another one: make PYTHON=...")'
	@echo "making .venv (once, about a minute)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m $(INSTALL) -r requirements/uv.txt
	@VIRTUAL_ENV=.venv $(BIN)/uv $(INSTALL) -r requirements/dev.txt
	@VIRTUAL_ENV=.venv $(BIN)/uv $(EDITABLE) -e . -e sdk
	@touch $@

.PHONY: test
test: $(READY) ## all tests
	@$(BIN)/python -m pytest

.PHONY: quick
quick: $(READY) ## the tests that are not marked slow (pytest says how many were left out)
	@$(BIN)/python -m pytest -m "not slow"

.PHONY: fuzz
fuzz: $(READY) ## the tests of tests/fuzz with many more examples, other ones each time (FUZZ=50: 50 times as many)
	@FUZZ=$(or $(FUZZ),50) $(BIN)/python -m pytest tests/fuzz --timeout=0

.PHONY: fix
fix: $(READY) ## format everything and mend what can be mended
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@cd proto && ../$(BIN)/buf format -w

.PHONY: check
check: check-format check-lint check-types check-layers check-proto check-stubs check-locks check-ts sdk-matrix ## everything but the tests
	@echo "all checks passed"

.PHONY: check-format check-lint check-types check-layers check-proto check-stubs check-locks check-ts
check-format: $(READY)
	@echo "-- format"
	@$(BIN)/ruff format --check --output-format concise

check-lint: $(READY)
	@echo "-- lint"
	@$(BIN)/ruff check --quiet --output-format concise

check-types: $(READY)
	@echo "-- types"
	@$(BIN)/mypy

check-layers: $(READY)
	@echo "-- layers"
	@$(BIN)/lint-imports --no-logo --no-cache

# The contract as bots in the field know it is proto/contract.binpb. It grows only by `make contract`,
# and an addition that is not in it yet is not protected, so the check asks for that too.
CONTRACT := proto/contract.binpb

check-proto: $(READY)
	@echo "-- proto"
	@cd proto && ../$(BIN)/buf lint && ../$(BIN)/buf format --diff --exit-code
	@$(BIN)/buf breaking proto --against $(CONTRACT)
	@mkdir -p .cache
	@$(BIN)/buf build proto --exclude-source-info -o .cache/contract.binpb
	@cmp -s .cache/contract.binpb $(CONTRACT) || { \
	    echo "$(CONTRACT) lacks what proto/ has gained: run make contract" >&2; exit 1; }

.PHONY: contract
contract: $(READY) ## take additions to proto/ into the protected contract; refuses anything that breaks it
	@if test -e $(CONTRACT); then $(BIN)/buf breaking proto --against $(CONTRACT); fi
	@$(BIN)/buf build proto --exclude-source-info -o $(CONTRACT)

# The generators are old on purpose (requirements/stubs.in) and therefore live in their own environment.
# They write a service stub for every file; those of files without a service are dropped.
STUBS := .cache/stubs
GENERATE = $(STUBS)/bin/python -m grpc_tools.protoc --proto_path=proto --python_out=$(1) --grpc_python_out=$(1) \
    --plugin=protoc-gen-mypy=$(STUBS)/bin/protoc-gen-mypy --mypy_out=quiet:$(1) \
    --plugin=protoc-gen-mypy_grpc=$(STUBS)/bin/protoc-gen-mypy_grpc --mypy_grpc_out=quiet:$(1) \
    $$(cd proto && ls euchre/v1/*.proto); \
    for stub in $(1)/euchre/v1/*_pb2_grpc.py; do \
        grep -q '^class' "$$stub" || rm "$$stub" "$${stub}i"; done

$(STUBS)/.ready: requirements/stubs.txt $(READY)
	@$(BIN)/uv venv --quiet --clear --python '>=3.11,<3.14' $(STUBS)
	@VIRTUAL_ENV=$(STUBS) $(BIN)/uv $(INSTALL) -r requirements/stubs.txt
	@touch $@

.PHONY: stubs
stubs: $(STUBS)/.ready ## generate sdk/euchre/v1 from proto/ (make check-ts does the TypeScript bot's)
	@find sdk/euchre/v1 -name '*_pb2*' -delete
	@$(call GENERATE,sdk)

check-stubs: $(STUBS)/.ready
	@echo "-- stubs"
	@rm -rf .cache/generated && mkdir -p .cache/generated
	@$(call GENERATE,.cache/generated)
	@diff --recursive --brief --exclude=py.typed --exclude=__pycache__ .cache/generated/euchre sdk/euchre || { \
	    echo "sdk/euchre differs from what proto/ generates: run make stubs" >&2; exit 1; }

check-locks: $(READY)
	@echo "-- locks"
	@VIRTUAL_ENV=.venv $(BIN)/uv pip check --quiet
	@$(BIN)/python tools/check_locks.py

check-ts: $(READY)
	@if ! test -e example_bots/typescript/package.json; then exit 0; fi; \
	echo "-- typescript"; \
	if ! command -v npm > /dev/null; then echo "no npm here: example_bots/typescript is NOT checked"; exit 0; fi; \
	cd example_bots/typescript && npm ci --silent --no-audit --no-fund; \
	rm -rf ../../.cache/ts-gen && mkdir -p ../../.cache && cp -r src/gen ../../.cache/ts-gen; \
	PATH="$$PWD/../../$(BIN):$$PATH" npm run --silent generate; \
	diff --recursive --brief ../../.cache/ts-gen src/gen || { \
	    echo "example_bots/typescript/src/gen was out of date; it has been generated anew" >&2; exit 1; }; \
	npm run --silent check

# the range of libraries that the SDK promises

SDK_TESTS := tests/sdk --ignore-glob="*/test_cli*" -m "not cli"

.PHONY: sdk-matrix
sdk-matrix: .cache/sdk-lowest/.ready .cache/sdk-newest/.ready
	@for pair in lowest newest; do \
	    echo "-- the SDK with the $$pair $$(sed -nE 's/^(grpcio|protobuf)==([0-9.]+).*/\1 \2/p' requirements/sdk-$$pair.txt | paste -sd' ')"; \
	    .cache/sdk-$$pair/bin/python -m pytest --quiet -p no:cacheprovider $(SDK_TESTS); done

.cache/sdk-%/.ready: requirements/sdk-%.txt sdk/pyproject.toml $(READY)
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .cache/sdk-$*
	@VIRTUAL_ENV=.cache/sdk-$* $(BIN)/uv $(INSTALL) -r requirements/sdk-$*.txt
	@VIRTUAL_ENV=.cache/sdk-$* $(BIN)/uv $(EDITABLE) -e sdk
	@touch $@

# lock files

LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

# The images get the very versions that the tests run with.
AS_TESTED := --upgrade --constraint requirements/dev.txt

.PHONY: lock
lock: ## pin what pyproject.toml and requirements/*.in ask for; UPGRADE=1 takes newer releases
	@$(LOCK) $(if $(UPGRADE),--upgrade) requirements/uv.in -o requirements/uv.txt
	@$(LOCK) $(if $(UPGRADE),--upgrade) --no-emit-package euchre-sdk --group dev pyproject.toml \
	    --extra cli sdk/pyproject.toml -o requirements/dev.txt
	@$(LOCK) $(if $(UPGRADE),--upgrade) requirements/stubs.in -o requirements/stubs.txt
	@$(LOCK) $(if $(UPGRADE),--upgrade) requirements/sdk-lowest.in -o requirements/sdk-lowest.txt
	@$(LOCK) $(if $(UPGRADE),--upgrade) requirements/sdk-newest.in -o requirements/sdk-newest.txt
	@$(LOCK) $(AS_TESTED) --no-emit-package euchre-sdk pyproject.toml --extra cli sdk/pyproject.toml \
	    -o requirements/arena.txt
	@$(LOCK) $(AS_TESTED) --extra cli sdk/pyproject.toml -o requirements/bot.txt
	@$(LOCK) $(AS_TESTED) requirements/wheels.in -o requirements/wheels.txt
