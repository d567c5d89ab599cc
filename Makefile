# The few commands there are. Everything is set up on first use in ./.venv; a second run starts at once.

VENV   := .venv
BIN    := $(VENV)/bin
# nbval brings a grammar of addresses that takes seconds to build, in each process: it is loaded where it is wanted.
PYTEST := $(BIN)/python -m pytest -p no:nbval
JOBS   ?= 2
LAB    ?=
ARGS   ?=
# What `make test` runs. Tests of browsers and of servers, one at a time, leave more than half of two cores to the others.
ASKED  := not soak and not newcomer

# One file goes to one worker, so that a server or kernel is started once; in the order of tests/conftest.py.
SPREAD := --dist loadfile --no-loadscope-reorder

# Hundreds of interpreters start in the tests: without bytecode each would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

# An environment knows the folder it was made in: once the folder is moved, it is made again.
MOVED := $(shell test -f $(VENV)/.place && test "$$(cat $(VENV)/.place)" != "$$(pwd)" && rm -rf $(VENV) && echo yes)
ifeq ($(MOVED),yes)
$(info This folder was moved: its environment is made again.)
endif

.DEFAULT_GOAL := help
.PHONY: help lab test check format notebooks newcomer bench soundness engines faults soak floors check-fast docs build clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

lab: $(VENV)/.lab ## open the first notebook in JupyterLab (LAB="--no-browser --port 8890" passes options)
	@$(BIN)/python -m svc_notebook.cli lab $(LAB)

test: $(VENV)/.dev $(VENV)/.browser ## everything: tests in a browser and of servers, one at a time; beside them checks and all other tests
	@status=0; told=$$(mktemp); export TURNS=$$(mktemp); \
	{ well=0; $(MAKE) --no-print-directory check || well=1; \
		scripts/tested.sh "-n $(JOBS) $(SPREAD)" $(PYTEST) -q -o cache_dir=.pytest_cache/beside -m "not browser and not served and $(ASKED)" $(ARGS) || well=1; \
		exit $$well; } > $$told 2>&1 & beside=$$!; \
	scripts/tested.sh "" $(PYTEST) -q -m "browser and $(ASKED)" $(ARGS) || status=1; \
	scripts/tested.sh "" $(PYTEST) -q -o cache_dir=.pytest_cache/served -m "served and not browser and $(ASKED)" $(ARGS) || status=1; \
	wait $$beside || status=1; cat $$told; rm -f $$told $$TURNS; \
	exit $$status

check-fast: $(VENV)/.dev ## what a change should pass before it is shown: checks, and the tests that need no browser, kernel or server
	@status=0; \
	$(MAKE) --no-print-directory check || status=1; \
	$(PYTEST) -q -n $(JOBS) $(SPREAD) -m "not browser and not kernel and not soak and not slow and not packaging and not postgres and not spark" \
		tests/protocol tests/lanes tests/client tests/results tests/results_frames tests/semantic_model tests/service $(ARGS) || status=1; \
	exit $$status

check: $(VENV)/.dev ## style, types, layers, built files current
	@status=0; \
	$(BIN)/ruff check . || status=1; \
	$(BIN)/ruff format --check . || status=1; \
	$(BIN)/mypy || status=1; \
	$(BIN)/lint-imports --no-logo || status=1; \
	$(BIN)/python scripts/build_vega_bundle.py --check || status=1; \
	$(BIN)/python scripts/build_vega_grammar.py --check || status=1; \
	exit $$status

format: $(VENV)/.dev ## rewrite the code in the house style
	@$(BIN)/ruff check --fix . ; $(BIN)/ruff format .

notebooks: $(VENV)/.dev ## run every notebook and compare every output, strictly
	@$(PYTEST) -q -p nbval.plugin --nbval -p no:cacheprovider -n $(JOBS) --dist loadscope notebooks $(ARGS)

newcomer: $(VENV)/.dev $(VENV)/.browser ## fresh environments: Binder's, each Python's, a newcomer's run on the clock (NEWCOMER_TESTS=1 ends with its tests)
	@$(PYTEST) -q -m newcomer tests/newcomer tests/packaging $(ARGS)

bench: $(VENV)/.dev ## measure against floors in the same run into docs/performance.md (ARGS="--only transport")
	@$(BIN)/python -m benchmarks --page $(ARGS)

soundness: $(VENV)/.dev $(VENV)/.browser ## the long runs of the two promises: row-level security, right numbers (ARGS="--seed 7")
	@$(PYTEST) -q -n $(JOBS) $(SPREAD) tests/soundness tests/cases_sql
	@$(PYTEST) -q -m soak tests/browser/test_four_surfaces.py tests/llm/test_scenarios.py tests/llm/test_language_model.py tests/analyst
	@$(BIN)/python -m tests.soundness.long_run $(ARGS)
	@$(BIN)/python -m scripts.mutants

engines: $(VENV)/.dev ## thousands of questions to DuckDB and to PostgreSQL and Spark over the same rows: equal, refused, different (ARGS="--engine spark --queries 10000")
	@$(BIN)/python -m tests.engines.long_run $(ARGS)

faults: $(VENV)/.dev ## kills, outages, full disks, clocks: every fault three times, as a table (ARGS="--times 20 --only F1 F2")
	@$(BIN)/python scripts/faults.py $(ARGS)

soak: $(VENV)/.dev ## a rolling restart under 100 chats, and an hour in fast motion: memory, threads, descriptors at its begin and end (ARGS="--minutes 5 --postgres")
	@$(PYTEST) -q -m soak tests/team
	@$(BIN)/python scripts/soak.py $(ARGS)

floors: | $(BIN)/python ## the quick tests with the lowest versions that are allowed (ARGS="--newest": with the newest)
	@$(BIN)/python scripts/floors.py $(ARGS)

docs: $(VENV)/.dev ## the site into site/ (open site/index.html; nothing is fetched)
	@$(BIN)/python -m sphinx -E -W --keep-going -q -c docs -d build/docs/doctrees . build/docs/html
	@rm -rf site && cp -R build/docs/html site && echo "site/index.html"

build: $(VENV)/.dev ## wheel and sdist into dist/
	@$(BIN)/python -m build

clean: ## remove the environment and everything generated
	rm -rf $(VENV) dist build site .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- set-up ---------------------------------------------------------------------------------------------------------

$(BIN)/python:
	@sh scripts/make_venv.sh $(VENV)

$(VENV)/.lab: pyproject.toml | $(BIN)/python
	@echo "Installing svc-notebook with JupyterLab into $(VENV) (once)…"
	@sh scripts/install.sh $(BIN)/python ".[lab,server,images,fast]"
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	@echo "Installing svc-notebook with everything its tests need into $(VENV) (once)…"
	@sh scripts/install.sh $(BIN)/python ".[dev]"
	@touch $@ $(VENV)/.lab

$(VENV)/.browser: | $(VENV)/.dev
	@sh scripts/find_browser.sh $(BIN)/python
	@touch $@
