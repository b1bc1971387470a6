# Everything runs in a virtual environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: run test lint format reproduce-table2 reproduce-table3 clean

run: $(READY)
	$(BIN)/ecoc-bench run configs/uci_svm.yaml

test: $(READY)
	$(BIN)/python -m pytest -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

reproduce-table2: $(READY)
	$(BIN)/ecoc-bench run configs/uci_adaboost.yaml

reproduce-table3: $(READY)
	$(BIN)/ecoc-bench run configs/allwein_table3.yaml
	$(BIN)/ecoc-bench run configs/uci_svm.yaml
	$(BIN)/ecoc-bench table results/allwein_table3 results/uci_svm

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(READY): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'ecoc-bench needs Python 3.11 or later')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,peers]"
	touch $(READY)
