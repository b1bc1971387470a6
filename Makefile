# Everything runs in a virtual environment of its own, made on first use. What a run needs is there
# first; the tools of developers, the other libraries and Dask come with the first target for these.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
TOOLS := $(VENV)/tools
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.PHONY: run test test-faults lint format reproduce-table2 reproduce-table3 reproduce-figure3 \
  reproduce-sun reproduce-passerini reproduce-textbook check-regression clean

run: $(READY)
	$(BIN)/ecoc-bench run configs/uci_svm.yaml

# In the order of the files, the attack first: one long file at the end would leave a core idle.
test: $(TOOLS)
	$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

# An hour or two on a quiet machine; a failure is printed with the number that repeats it alone.
KILLS := 1000
INPUTS := 10000
TABLES := 3000
MODELS := 10000
test-faults: $(TOOLS)
	$(BIN)/python -m pytest -q -m "long or not long" \
	  tests/running/test_faults.py tests/running/test_faults_long.py tests/running/test_strangers.py
	PYTHONPATH=tests $(BIN)/python -m attack inputs --count $(INPUTS) --out results/reference/faults
	PYTHONPATH=tests $(BIN)/python -m attack tables --count $(TABLES) --out results/reference/faults
	PYTHONPATH=tests $(BIN)/python -m attack models --count $(MODELS) --out results/reference/faults
	PYTHONPATH=tests $(BIN)/python -m attack kills --count $(KILLS) --out results/reference/faults

lint: $(TOOLS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(TOOLS)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# These write over the committed runs: `git diff` shows what came out differently.
reproduce-table2: $(READY)
	$(BIN)/ecoc-bench run configs/uci_adaboost.yaml --out results/reference/uci_adaboost
	$(BIN)/ecoc-bench claims results/reference/uci_adaboost

reproduce-table3: $(READY)
	$(BIN)/ecoc-bench run configs/allwein_table3.yaml --out results/reference/allwein_table3
	$(BIN)/ecoc-bench run configs/uci_svm.yaml --out results/reference/uci_svm
	$(BIN)/ecoc-bench claims results/reference/allwein_table3 results/reference/uci_svm
	$(BIN)/ecoc-bench table results/reference/allwein_table3 results/reference/uci_svm

reproduce-figure3: $(READY)
	$(BIN)/ecoc-bench run configs/allwein_fig3.yaml --out results/reference/allwein_fig3
	$(BIN)/ecoc-bench claims results/reference/allwein_fig3

reproduce-sun: $(READY)
	$(BIN)/ecoc-bench run configs/sun_table3.yaml --out results/reference/sun_table3
	$(BIN)/ecoc-bench run configs/sun_rounds.yaml --out results/reference/sun_rounds
	$(BIN)/ecoc-bench claims results/reference/sun_table3 results/reference/sun_rounds

reproduce-passerini: $(READY)
	$(BIN)/ecoc-bench run configs/passerini_small.yaml --out results/reference/passerini/small
	$(BIN)/ecoc-bench run configs/passerini_large.yaml --out results/reference/passerini/large
	$(BIN)/ecoc-bench claims results/reference/passerini/small results/reference/passerini/large

reproduce-textbook: $(READY)
	$(BIN)/ecoc-bench run configs/textbook.yaml --out results/reference/textbook
	$(BIN)/ecoc-bench stats results/reference/textbook --compare method \
	  --plot results/reference/textbook/figures/critical_difference.svg
	$(BIN)/ecoc-bench scaling --codes --out results/reference/textbook

check-regression: $(READY)
	$(BIN)/ecoc-bench run configs/quick.yaml --out results/quick --fresh --no-report
	$(BIN)/ecoc-bench check results/quick --against results/reference/quick

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml | $(BIN)/python
	$(INSTALL) .
	touch $(READY)

$(TOOLS): pyproject.toml | $(BIN)/python
	$(INSTALL) ".[dev,peers,dask,onnx]"
	touch $(READY) $(TOOLS)

$(BIN)/python:
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'ecoc-bench needs Python 3.11 or later')"
	$(PYTHON) -m venv $(VENV)
