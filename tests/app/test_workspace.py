"""The Python API on a workspace in memory."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.kg.export import export_graph
from cliquerag.models.cache import Cache
from cliquerag.workspace import Workspace
from support.stores import OWN_SCHEMA, rated

FILING = """# Acme Inc. annual report

Consolidated balance sheets (in millions)

| December 31, | 2022 | 2021 |
| --- | --- | --- |
| Total assets | 1,234 | 1,100 |

Revenue was $50 million in fiscal 2022. Revenue was $45 million in fiscal 2021.
"""


def add(text: str = FILING, **settings: str) -> Workspace:
    workspace = Workspace("sqlite://", embedder="none", **settings)
    workspace.add_text(text, source="acme_2022_10K.md")
    return workspace


def test_facts_of_a_year_are_its_flows_and_then_its_balances() -> None:
    with add() as workspace:
        found = [(fact.metric, fact.period and fact.period.label) for fact in workspace.facts(period="FY2022")]
        assert found == [("revenue", "FY2022"), ("total assets", "2022-12-31")]
        (balance,) = workspace.facts(metric="total assets", period="FY2021")
        assert balance.text == "1,100"
        assert [fact.metric for fact in workspace.facts(period="FY2022", limit=1)] == ["revenue"]


def test_metrics_of_the_users_own_are_found_and_named(tmp_path: Path) -> None:
    own = tmp_path / "metrics.toml"
    own.write_text('[metrics."robots shipped"]\nen = ["robot deliveries"]\nkind = "count"\n', encoding="utf-8")
    text = "| Deliveries | 2022 | 2021 |\n| --- | --- | --- |\n| Robot deliveries | 1,940 | 1,610 |\n"
    with add(text, metrics=str(own)) as workspace:
        assert {fact.text for fact in workspace.facts(metric="Robot deliveries")} == {"1,940", "1,610"}
        assert workspace.facts(metric="robots shipped")[0].metric == "robots shipped"
    with add(text) as workspace:
        assert [fact.metric for fact in workspace.facts()] == ["", ""]


def test_facts_are_found_by_the_name_that_the_text_gives_a_company() -> None:
    text = FILING + '\nMeridian Freight Holdings, Inc. ("Meridian") reports here. Meridian owns ships.\n'
    with Workspace("sqlite://", embedder="none") as workspace:
        workspace.add_text(text, source="report.md", company="Meridian Freight Holdings, Inc.")
        assert len(workspace.facts(company="Meridian")) == len(workspace.facts()) == 4
        assert workspace.facts(company="Acme Two") == []


def test_one_file_is_one_document_by_whatever_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("reports", "work"):
        (tmp_path / name).mkdir()
    (tmp_path / "reports" / "a.txt").write_text("Acme Inc. acquired Beta Corp. in 2021.")
    monkeypatch.chdir(tmp_path / "work")
    with Workspace("sqlite:///x.db", embedder="none") as ws:
        outcomes = [ws.add(path).outcome for path in ("../reports/a.txt", tmp_path / "reports" / "a.txt")]
        assert outcomes == ["added", "unchanged"]
        (stored,) = ws.documents()
        assert ws.path_of(stored.source).is_file() and ws.sources.source_named("../reports/a.txt") == stored.source


def test_documents_are_named_by_the_shortest_end_of_their_path(private: Path) -> None:
    with Workspace("sqlite://", embedder="none") as ws:
        for source in (
            "/a/acme/10-K.pdf",
            "/a/beta/10-K.pdf",
            "/a/beta/call.txt",
            "call.txt",
            "https://x.org/news.html",
        ):
            ws.add_text("Acme Inc. sells pumps in Ohio.", source=source)
        known = [record.source for record in ws.documents()]
        names = ws.sources.short_names(known)
        assert names == {
            "/a/acme/10-K.pdf": "acme/10-K.pdf",
            "/a/beta/10-K.pdf": "beta/10-K.pdf",
            "/a/beta/call.txt": "beta/call.txt",
            "call.txt": "call.txt",
            "https://x.org/news.html": "https://x.org/news.html",
        }
        assert {source: ws.sources.source_named(name) for source, name in names.items()} == {s: s for s in known}
        assert ws.sources.source_named("10-K.pdf") is None, "two end so"


def test_a_setting_that_is_no_choice_is_said_before_anything_is_searched() -> None:
    for setting, said in (({"order": "graph"}, "no order 'graph'"), ({"parent": "chapter"}, "no parent 'chapter'")):
        with add(**setting) as workspace, pytest.raises(UsageError, match=said):
            workspace.ask("What was revenue in 2022?")


def test_a_workspace_that_is_not_there_loads_nothing_of_retrieval(private: Path) -> None:
    code = (
        "import sys; from cliquerag import Workspace\n"
        "try: Workspace('sqlite:///nowhere.db', create=False).ask('What was revenue?')\n"
        "except Exception as error: print(error)\n"
        "large = ('cliquerag.retrieval', 'cliquerag.ingest.facts', 'numpy')\n"
        "print(*sorted(name for name in sys.modules if name.startswith(large)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["nowhere.db: there is no workspace. Add a document to create it", ""]


def test_a_document_is_read_again_where_the_user_says_something_else_of_it() -> None:
    with Workspace("sqlite://", embedder="none") as ws:

        def outcome(**hints: Any) -> str:
            return ws.add_text("Acme Inc. sells pumps in Ohio.", "note.txt", **hints).outcome

        assert outcome(company="Acme Inc.", period="FY2023", published="2024-02-01") == "added"
        assert outcome() == outcome(period="FY2023", company=["Acme Inc."]) == "unchanged"
        assert outcome(published="2024-02-02") == "replaced"
        with pytest.raises(UsageError, match="not a date: 'soon'"):
            outcome(published="soon")


@pytest.mark.parametrize("k", [-1, 0, 10**12, 2.5])
def test_a_number_of_hits_out_of_range_is_said_with_the_range(k: Any) -> None:
    with add() as workspace, pytest.raises(UsageError, match=r"from 1 to 10,000"):
        workspace.search("What was revenue in 2022?", k=k)
    with add(k=str(k)) if isinstance(k, int) else add(k="-2") as workspace, pytest.raises(UsageError, match="from 1"):
        workspace.search("What was revenue in 2022?")


def test_limits_out_of_range_are_said() -> None:
    with add() as ws:
        for ask in (
            lambda limit: ws.facts(limit=limit),
            lambda limit: ws.sql("SELECT * FROM facts_view", limit=limit),
            lambda limit: ws.occurrences(Decimal(50), limit=limit),
        ):
            assert ask(1)
            for limit in (0, -1, 10**30):
                with pytest.raises(UsageError, match=r"from 1 to 10,000,000"):
                    ask(limit)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of another kind")
@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_a_workspace_and_the_cache_are_their_owners(private: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        with Workspace("sqlite:///acme.db", embedder="none") as ws:
            ws.add_text(FILING, source="acme.md")
            Cache().put_reply(b"key", "model", "text", 1, 1)
            made = {path: stat.S_IMODE(path.stat().st_mode) for path in private.rglob("*")}
    finally:
        os.umask(before)
    names = {path.relative_to(private).as_posix(): rights for path, rights in made.items()}
    assert names["acme.db"] == names["acme.db-wal"] == names["cache/models.db"] == 0o600
    assert names["cache"] == 0o700
    assert {rights for path, rights in made.items() if path.is_file()} == {0o600}


def test_a_workspace_of_an_odd_name_is_used_by_all_that_open_it(private: Path) -> None:
    with Workspace("sqlite:///we ird#1?.db", embedder="none") as ws:
        ws.add_text(FILING, source="acme.md")
        assert len(ws.sql("SELECT * FROM facts_view").rows) == 4
    assert {path.name for path in private.glob("*.db")} == {"we ird#1?.db"}
    with Workspace("sqlite:///we ird#1?.db", embedder="none", create=False) as ws:
        assert [record.source for record in ws.documents()] == ["acme.md"]


def test_a_users_schema_file_reaches_the_graph_and_its_exports(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(OWN_SCHEMA, encoding="utf-8")
    with Workspace("sqlite://", embedder="none", schema=str(file)) as workspace:
        workspace.store.put(rated("2022.txt", "Bolt", date(2022, 3, 1)))
        workspace.store.put(rated("2024.txt", "Crane", date(2024, 3, 1)))
        graph = workspace.graph()
        export_graph(workspace.store, str(tmp_path / "g.dot"), workspace.vocabulary.schema)
    ended = {graph.nodes[tail]["label"] for _, tail, edge in graph.edges(data=True) if edge["ended"]}
    assert ended == {"Bolt"}
    assert "has in trials" in (tmp_path / "g.dot").read_text(encoding="utf-8")
