# Everything a fresh machine needs is Python 3.11+ and make.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo demo-neo4j screenshot test fast check fix clean
.DEFAULT_GOAL := demo

# The main job on the embedded store, on real input, with an as-of answer.
demo: $(VENV)/core
	@$(BIN)/hitherto demo

# The same data on a Neo4j server, to be looked at in Neo4j Browser.
demo-neo4j: $(VENV)/core
	@$(BIN)/hitherto demo-neo4j

# Takes the picture in docs/neo4j-browser.md anew.
screenshot: $(VENV)/dev
	HITHERTO_SCREENSHOT=docs/neo4j-browser.png HITHERTO_NEO4J_REQUIRED=1 $(BIN)/pytest -q tests/test_neo4j_browser.py -k sees

# All checks. The last lines say what was skipped and why. What talks to Neo4j runs beside the rest in two halves,
# each with a server of its own, and is shown after it.
PYTEST := $(BIN)/pytest -rs --durations=5
ONE_HALF := tests/kg tests/identity
test: check
	@$(PYTEST) -m neo4j $(ONE_HALF) > $(VENV)/neo4j-one.log 2>&1 & one=$$!; \
	$(PYTEST) -m neo4j $(addprefix --ignore=,$(ONE_HALF)) > $(VENV)/neo4j-other.log 2>&1 & other=$$!; \
	$(PYTEST) -m "not neo4j"; rest=$$?; \
	wait $$one; one=$$?; wait $$other; other=$$?; \
	cat $(VENV)/neo4j-one.log $(VENV)/neo4j-other.log; \
	test "$$rest $$one $$other" = "0 0 0"

# The same without the slow tests.
fast: check
	$(BIN)/pytest -rs -m "not slow"

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(VENV)/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(VENV)/core: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Hitherto needs Python 3.11 or newer; found $$($(PYTHON) --version). Try: make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Installing into $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/dev: $(VENV)/core pyproject.toml
	@$(PIP) install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
