"""The graph by hand on the demonstration's documents: entity, path, communities, merges, undo, export, --as-of."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cliquerag
import networkx as nx
import pytest

DOCUMENTS = Path(cliquerag.__file__).parent / "demo" / "documents"
RELEASE, REPORT = "Norrland_Cell_2025-11-18_release.html", "Halvern_2025_10K.pdf"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration's documents in one workspace, the report published after the release."""
    home = tmp_path_factory.mktemp("graph")
    for name in ("Halvern_2025Q4_earnings_call.txt", RELEASE):
        run(home, "add", str(DOCUMENTS / name))
    run(home, "add", str(DOCUMENTS / REPORT), "--published", "2026-02-20")
    return home


def run(home: Path, *arguments: str, code: int = 0) -> str:
    """What the command prints, as a user runs it."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CLIQUERAG_", "OPENAI_"))}
    settings = {"CLIQUERAG_EMBEDDER": "none", "CLIQUERAG_CACHE": str(home / "cache")}
    command = [sys.executable, "-m", "cliquerag", *arguments, "--workspace", f"sqlite:///{home}/x.db"]
    done = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=120, cwd=home, env=clean | settings
    )
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def read(home: Path, *arguments: str) -> Any:
    return json.loads(run(home, *arguments, "--json"))


def test_an_entity_with_its_relations_by_kind_and_their_pages(workspace: Path) -> None:
    text = run(workspace, "graph", "entity", "Halvern")
    assert "Halvern Robotics, Inc.  (company;" in text and "also: " in text
    kinds = [line for line in text.splitlines() if line.endswith(")") and not line.startswith(" ")]
    assert any(line.startswith("supplied by (") for line in kinds) and any("acquires (1)" in line for line in kinds)
    assert f"({REPORT}, page 2" in text.replace("\n", "") and str(DOCUMENTS) not in text.replace("\n", "")
    found = read(workspace, "graph", "entity", "Halvern")
    assert {r["relation"] for r in found["relations"]} >= {"supplies", "acquires", "competes_with"}


def test_an_entity_by_its_ticker(workspace: Path) -> None:
    assert read(workspace, "graph", "entity", "HLVN")["entity"]["name"] == "Halvern Robotics, Inc."


def test_an_unknown_entity_is_an_error_with_the_nearest_names(workspace: Path) -> None:
    assert "Near:" in run(workspace, "graph", "entity", "Norland Sell", code=2)


def test_nothing_is_told_that_was_published_later(workspace: Path) -> None:
    whole = read(workspace, "graph", "entity", "Halvern")["relations"]
    before = read(workspace, "graph", "entity", "Halvern", "--as-of", "2025-12-31")["relations"]
    sources = {s["document"] for r in before for s in r["statements"]}
    assert len(before) < len(whole) and not any(source.endswith(REPORT) for source in sources)
    assert "is not a day" in run(workspace, "graph", "entity", "Halvern", "--as-of", "soon", code=2)


def test_questions_and_facts_as_of_a_day(workspace: Path) -> None:
    question = "What was the revenue of Halvern Robotics in fiscal 2025?"
    assert all(not e["source"].endswith(REPORT) for e in read(workspace, "search", question, "--as-of", "2026-01-31"))
    assert any(e["source"].endswith(REPORT) for e in read(workspace, "search", question))
    facts = read(workspace, "facts", "--metric", "revenue")
    then = read(workspace, "facts", "--metric", "revenue", "--as-of", "2026-01-31")
    assert any(f["source"].endswith(REPORT) for f in facts) and not any(f["source"].endswith(REPORT) for f in then)
    answer = read(workspace, "ask", question, "--as-of", "2026-01-31")
    assert all(not c["source"].endswith(REPORT) for c in answer["citations"])


def test_a_path_with_the_sentence_behind_each_step(workspace: Path) -> None:
    text = run(workspace, "graph", "path", "Atacama Minerals SpA", "Halvern")
    assert text.index("Atacama Minerals SpA  supplies  Norrland Cell AB") < text.index("Norrland Cell AB  supplies")
    assert "buys lithium hydroxide from" in " ".join(text.split()) and str(DOCUMENTS) not in text.replace("\n", "")
    ends = read(workspace, "graph", "path", "Atacama Minerals SpA", "Halvern")[0]
    assert [step["relation"] for step in ends] == ["supplies", "supplies"]
    assert "No path" in run(workspace, "graph", "path", "Atacama Minerals SpA", "Halvern", "--as-of", "2020-01-01")


def test_communities_with_their_relations(workspace: Path) -> None:
    found = read(workspace, "graph", "communities")
    groups = found if isinstance(found, list) else next(v for v in found.values() if isinstance(v, list))
    assert any("Halvern" in group["title"] + group["report"] for group in groups)


def test_a_merge_is_shown_undone_and_not_made_again(workspace: Path) -> None:
    merges = read(workspace, "graph", "merges")
    made = next(m for m in merges if m["reason"] == "ticker")
    assert (made["name"], made["into_name"]) == ("HLVN (ticker)", "Halvern Robotics, Inc.")
    assert f"{made['id']}  HLVN (ticker) = Halvern Robotics, Inc.  (ticker, 1.00)" in run(workspace, "graph", "merges")
    run(workspace, "graph", "undo", made["id"])
    assert next(m for m in read(workspace, "graph", "merges") if m["id"] == made["id"])["undone"]
    run(workspace, "remove", next(d["source"] for d in read(workspace, "docs") if d["source"].endswith(REPORT)))
    run(workspace, "add", str(DOCUMENTS / REPORT), "--published", "2026-02-20")
    assert next(m for m in read(workspace, "graph", "merges") if m["id"] == made["id"])["undone"]
    assert "no such merge" in run(workspace, "graph", "undo", made["id"], code=2)


@pytest.mark.parametrize("name", ["graph.graphml", "graph.dot", "graph.json", "graph.csv"])
def test_exports(workspace: Path, name: str) -> None:
    counts = read(workspace, "graph", "export", "--to", str(workspace / name))
    assert counts["relations"] > 10 and counts["entities"] > 10
    if name.endswith(".graphml"):
        graph = nx.read_graphml(workspace / name)
        assert graph.number_of_edges() == counts["relations"]
        assert all("ended" in edge for *_, edge in graph.edges(data=True))
    else:
        assert (workspace / name).exists()


def test_files_for_neo4j_are_the_same_by_several_processes(workspace: Path) -> None:
    one, two = workspace / "one.neo4j", workspace / "two.neo4j"
    assert read(workspace, "graph", "export", "--to", str(one))["documents"] > 1
    read(workspace, "graph", "export", "--to", str(two), "--workers", "2")
    for name in ("Chunk", "RELATIONS", "Entity"):
        shares = [two / f"{name}.csv", *two.glob(f"{name}.001.csv")]
        assert b"".join(path.read_bytes() for path in shares) == (one / f"{name}.csv").read_bytes()
        assert len(shares) == 1 + (name != "Entity"), name


def test_an_export_as_of_a_day_and_to_another_store(workspace: Path) -> None:
    whole = read(workspace, "graph", "export", "--to", str(workspace / "all.graphml"))
    before = read(workspace, "graph", "export", "--to", str(workspace / "then.graphml"), "--as-of", "2025-12-31")
    assert 0 < before["relations"] < whole["relations"] and before["entities"] < whole["entities"]
    copied = run(workspace, "graph", "export", "--to", f"sqlite:///{workspace}/copy.db", "--as-of", "2025-12-31")
    assert "documents: 2" in copied or "documents: 1" in copied
    assert "neo4j://" in run(workspace, "graph", "export", "--help")


def test_an_unknown_ending_is_named(workspace: Path) -> None:
    assert "Known endings" in run(workspace, "graph", "export", "--to", "graph.png", code=2)


def test_the_picture_needs_no_network(workspace: Path) -> None:
    run(workspace, "graph", "entity", "Halvern", "--html", str(workspace / "x.html"))
    page = (workspace / "x.html").read_text(encoding="utf-8")
    assert "Norrland Cell AB" in page and "src=" not in page and "@import" not in page


def test_drivers_of_a_company(tmp_path: Path) -> None:
    note, page = tmp_path / "acme_2022.txt", tmp_path / "drivers.html"
    note.write_text(
        "Acme Inc. annual report for fiscal 2022\n\nNet sales rose $40 million, or 8%, in fiscal 2022 due to volume of "
        "$50 million, partially offset by currency of $10 million.\n",
        encoding="utf-8",
    )
    run(tmp_path, "add", str(note), "--company", "Acme Inc.", "--period", "FY2022")
    (found,) = read(tmp_path, "graph", "drivers", "Acme", "--metric", "sales", "--period", "2022")
    assert (found["metric"], found["direction"], found["change"]["text"]) == ("revenue", "up", "$40 million")
    assert [(cause["sign"], cause["role"], cause["category"]) for cause in found["causes"]] == [
        (1, "cause", "volume"),
        (-1, "offset", "currency"),
    ]
    text = run(tmp_path, "graph", "drivers", "--cause", "currency", "--html", str(page))
    assert "▲ Net sales" in text and "[currency, offset]" in text and "<svg" in page.read_text(encoding="utf-8")
    assert "No drivers" in run(tmp_path, "graph", "drivers", "Acme", "--period", "2019")
    assert "no class of causes" in run(tmp_path, "graph", "drivers", "--cause", "luck", code=2)
    assert "Error" in run(tmp_path, "graph", "drivers", "Acme", "--period", "sometime", code=2)


def test_what_follows_is_shown_as_inferred_and_an_unknown_relation_is_named(workspace: Path) -> None:
    found = read(workspace, "graph", "predict", "Halvern")
    assert all(guess["inferred"] and guess["why"] and 0 < guess["score"] <= 1 for guess in found)
    text = run(workspace, "graph", "predict", "Halvern")
    assert text.startswith("inferred ") if found else text.startswith("Nothing follows for Halvern Robotics")
    assert "no relation 'eats' in the schema" in run(
        workspace, "graph", "predict", "Halvern", "--relation", "eats", code=2
    )


def test_drivers_leave_with_the_csv_export(tmp_path: Path) -> None:
    note = tmp_path / "acme_2022.txt"
    note.write_text("Net sales rose in fiscal 2022 due to higher rates driven by acquisitions.\n", encoding="utf-8")
    run(tmp_path, "add", str(note), "--company", "Acme Inc.", "--period", "FY2022")
    assert read(tmp_path, "graph", "export", "--to", str(tmp_path / "all.csv"))["drivers"] == 1
    with (tmp_path / "all.csv" / "drivers.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["cause"], first["sign"], first["behind"]) == ("higher rates", "1", "")
    assert (second["cause"], second["behind"], second["metric"]) == ("acquisitions", "0", "revenue")
