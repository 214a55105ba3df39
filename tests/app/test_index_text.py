"""What is indexed is a setting: it changes what is found, never what is cited, and a changed one is noticed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag.workspace import Workspace
from support.openai_server import OpenAIServer, fail, say

from tests.app.conftest import Run, json_of

REPORT = """# Acme Inc. 2023 Annual Report

## Leases

We moved to a new mill in Oslo in May, and the old one in Bergen was closed in June.

The rent of both is paid in advance. It is 4 million dollars a year, as agreed with the town.

## Debt

The Company owes its bank 90 million dollars. The loan ends in 2029, and it may be paid back before.

The interest follows the market. It was 5 percent at the end of the year.
"""


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "acme.md"
    path.write_text(REPORT, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", ["names", "context", "propositions", "names+context+propositions"])
def test_found_by_what_is_indexed_and_cited_as_printed(report: Path, tmp_path: Path, text: str) -> None:
    with Workspace(f"sqlite:///{tmp_path}/a.db", embedder="none", index_text=text) as workspace:
        workspace.add(report, company="Acme Inc.", period="FY2023")
        stored = workspace.store.chunks_of(str(workspace.store.documents()[0].source))
        assert all(chunk.text == REPORT[chunk.start : chunk.end] for chunk in stored)
        assert any("Acme" in chunk.index_text and "Acme" not in chunk.text for chunk in stored) == (
            text != "propositions" or any("Acme" in chunk.index_text for chunk in stored)
        )
        found = workspace.search("Which loan does the bank give?", k=1)
        assert "90 million" in found[0].text and found[0].text in REPORT


def test_a_changed_setting_is_noticed_and_the_same_one_costs_nothing(report: Path, tmp_path: Path) -> None:
    outcomes = []
    for text in ("plain", "plain", "names", "names", "plain"):
        with Workspace(f"sqlite:///{tmp_path}/a.db", embedder="none", index_text=text) as workspace:
            outcomes.append(workspace.add(report).outcome)
    assert outcomes == ["added", "unchanged", "replaced", "unchanged", "replaced"]


def test_relations_are_read_once_from_a_sentence_of_several_propositions(report: Path, tmp_path: Path) -> None:
    counts = []
    for text in ("plain", "propositions"):
        with Workspace(f"sqlite:///{tmp_path}/{text}.db", embedder="none", index_text=text) as workspace:
            added = workspace.add(report)
            counts.append((added.chunks, added.statements, added.facts))
            chunks = workspace.store.chunks_of(workspace.store.documents()[0].source)
            double = [chunk for chunk in chunks if len(chunk.printed) < len(chunk.sentences)]
            assert bool(double) == (text == "propositions")
    assert counts[0] == counts[1]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("CLIQUERAG_MODEL", "test-model")
        yield running


def test_a_model_cuts_one_call_a_section_and_its_cost_is_told(cli: Run, server: OpenAIServer, report: Path) -> None:
    server.script = [say('{"starts": [1, 2]}')]
    estimate = json_of(cli("add", str(report), "--chunker", "agentic", "--dry-run", "--json"))[0]
    assert (estimate["calls"], server.calls) == (0, [])  # each section is one chunk already
    report.write_text(
        REPORT.replace("We moved", "In the spring of that year, after long talks with the town, we moved" * 12)
    )
    estimate = json_of(cli("add", str(report), "--chunker", "agentic", "--dry-run", "--json"))[0]
    assert (estimate["calls"], server.calls) == (1, []) and estimate["input_tokens"] > 200
    added = json_of(cli("add", str(report), "--chunker", "agentic", "--json"))[0]
    assert added["usage"]["calls"] == len(server.calls) == 1
    assert json_of(cli("add", str(report), "--chunker", "agentic", "--json"))[0]["outcome"] == "unchanged"


def test_a_model_writes_context_lines(cli: Run, server: OpenAIServer, report: Path) -> None:
    line = {"passage": 1, "line": "Premises of the sawmill"}
    server.script = [say(json.dumps({"lines": [line]}))]
    estimate = json_of(cli("add", str(report), "--index-text", "context:model", "--dry-run", "--json"))[0]
    assert estimate["calls"] == 2 and estimate["output_tokens"] > 0
    cli("add", str(report), "--index-text", "context:model")
    assert len(server.calls) == 2 and "new mill in Oslo" in server.calls[0].question + server.calls[1].question
    (found, *_) = json_of(cli("search", "sawmill premises", "--json"))
    assert "sawmill" not in found["text"].lower()


def test_a_model_sums_up_tables(cli: Run, server: OpenAIServer, report: Path) -> None:
    report.write_text(
        "# Results\n\n| | 2021 | 2022 |\n| --- | --- | --- |\n| Planks | 100 | 120 |\n| Sawdust | 9 | 12 |\n"
    )
    summary = {"table": 1, "text": "Timber turnover went up, also for byproducts."}
    server.script = [say(json.dumps({"summaries": [summary]}))]
    estimate = json_of(cli("add", str(report), "--index-text", "tables:model", "--dry-run", "--json"))[0]
    assert (estimate["calls"], server.calls) == (1, []) and estimate["output_tokens"] > 0
    cli("add", str(report), "--index-text", "tables:model")
    assert len(server.calls) == 1 and "Planks" in server.calls[0].question
    (found, *_) = json_of(cli("search", "timber turnover of byproducts", "--json"))
    assert "Planks" in found["text"] and "turnover" not in found["text"]


def test_without_an_endpoint_that_is_said_before_anything_is_stored(cli: Run, report: Path) -> None:
    for options in (["--chunker", "agentic"], ["--index-text", "context:model"]):
        done = cli("add", str(report), *options)
        assert done.returncode == 2 and "asks a language model" in done.stderr and "Traceback" not in done.stderr
    done = cli("add", str(report), "--index-text", "nmaes")
    assert done.returncode == 2 and "names" in done.stderr


def test_an_endpoint_that_is_down_stores_nothing_under_its_name(cli: Run, server: OpenAIServer, report: Path) -> None:
    server.script = [fail(500, "no")]
    assert cli("add", str(report), "--index-text", "propositions:model").returncode == 1
    assert json_of(cli("docs", "--json")) == []


def test_chunk_shows_what_is_searched(cli: Run, report: Path) -> None:
    shown = cli("chunk", str(report), "--index-text", "context").stdout
    assert "searched: " in shown and "Debt" in shown
