# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
EXTRAS := dev,neo4j,communities,serve,web

.PHONY: demo test check fuzz install editor bench bench-check neo4j neo4j-stop demo-documents notebooks clean

demo: install ## install, then add four invented documents and answer five questions
	$(BIN)/cliquerag demo

test: install check ## install, lint, check types, run every test
	$(BIN)/python -m pytest -rs --numprocesses auto --maxprocesses 4 --dist loadgroup --no-loadscope-reorder

check: install ## format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python tools/typecheck.py

install: $(STAMP)

$(STAMP): pyproject.toml
	$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 10) and 'CliqueRAG needs Python 3.10 or newer')"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$(EXTRAS)]"
	$(BIN)/cliquerag setup --yes
	touch $(STAMP)

fuzz: install ## damaged files for every reader, a minute each; READER="PDF" for one, SECONDS=600 for longer
	$(BIN)/python tests/support/fuzz.py --seconds $(or $(SECONDS),60) $(if $(READER),"$(READER)")

editor: install ## link the folders as they install, so that editors follow imports
	$(BIN)/python -m tools.editor

bench: install ## list the benchmarks; `make bench NAME=financebench` runs one
	$(BIN)/python -m benchmarks $(NAME) --write docs

bench-check: install ## compare today's figures with the kept ones
	$(BIN)/python -m benchmarks $(NAME) --check docs

neo4j: install ## start a real Neo4j server and its Browser, without Docker
	$(BIN)/python -m cliquerag.kg.engines.neo4j.server start

neo4j-stop: ## stop it
	$(BIN)/python -m cliquerag.kg.engines.neo4j.server stop

demo-documents: install ## lay out the demo's PDFs again from their sources
	$(BIN)/python -m pip install --quiet fonttools
	$(BIN)/python -m tools.demo_documents app/demo/documents

notebooks: install ## run the notebooks and keep their outputs; NAME=graph_tour runs one
	$(BIN)/python tests/support/notebooks.py $(NAME)

clean:
	rm -rf $(VENV) build dist *.egg-info
