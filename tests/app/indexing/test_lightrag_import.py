"""A working directory that the real LightRAG wrote: everything with a place comes over, and torn files are told."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import DocumentError, UsageError
from cliquerag.indexing.lightrag import import_documents, import_lightrag
from cliquerag.indexing.lightrag_files import CHUNKS, DOCUMENTS, GRAPH, STATUS, read_folder
from cliquerag.kg.extraction.rules import RulesExtractor
from support.stores import SCHEMA, open_store

WRITTEN = Path(__file__).parent / "data" / "lightrag"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(WRITTEN, tmp_path / "rag"))


@pytest.fixture
def workspace(tmp_path: Path):
    with Workspace(f"sqlite:///{tmp_path}/x.db", embedder="none") as made:
        yield made


def rewrite(path: Path, change) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(change(data) or data), encoding="utf-8")


def relations(store) -> set[tuple[str, str, str]]:
    return {(r.head.name, r.relation, r.tail.name) for r in store.all_relations()}


class TestImport:
    def test_documents_and_chunks_keep_their_text(self, workspace, folder):
        reports = list(import_lightrag(workspace, folder))
        assert [(r.source, r.outcome, r.chunks) for r in reports] == [
            ("acme_10k_2023.txt", "added", 2),
            ("bolt.txt", "added", 1),
        ]
        stored = json.loads((folder / CHUNKS).read_text(encoding="utf-8"))
        for row in json.loads((folder / DOCUMENTS).read_text(encoding="utf-8")).values():
            text = workspace.store.text(row["file_path"])
            assert text == row["content"]
            chunks = workspace.store.chunks_of(row["file_path"])
            own = [c["content"] for c in stored.values() if c["file_path"] == row["file_path"]]
            assert [c.text for c in chunks] == own == [text[c.start : c.end] for c in chunks]

    def test_relations_get_direction_and_type_from_their_descriptions(self, workspace, folder):
        list(import_lightrag(workspace, folder))
        assert relations(workspace.store) == {
            ("Acme Inc.", "supplies", "Bolt Ltd."),
            ("Bolt Ltd.", "sues", "Acme Inc."),
            ("Acme Inc.", "acquires", "Crux GmbH"),
            ("Jane Roe", "leads", "Acme Inc."),
            ("Bolt Ltd.", "related_to", "新能源股份有限公司"),
        }

    def test_provenance_and_descriptions_are_kept(self, workspace, folder):
        list(import_lightrag(workspace, folder))
        said = {s.relation: s for r in workspace.store.all_relations() for s in r.statements}
        sued = said["sues"]
        assert (sued.document, sued.text) == ("bolt.txt", "Bolt Ltd. sued Acme Inc. over late pumps in March 2024.")
        assert sued.metadata == {
            "description": "Bolt Ltd. sued Acme Inc. over late pumps.",
            "keywords": "contract,lawsuit,supply",
            "weight": "2.0",
        }
        (acme,) = workspace.store.find_entities(["acme"])
        assert acme.type == "company" and acme.documents == 2
        assert acme.context["description"].splitlines()[1] == "Acme Inc. was sued by Bolt Ltd."

    def test_an_entity_that_is_stored_already_gets_its_description(self, workspace, folder):
        workspace.add_text("Acme Inc. acquired Zeta Corp. in 2021.", source="note.txt")
        list(import_lightrag(workspace, folder))
        (acme,) = workspace.store.find_entities(["acme"])
        assert acme.documents == 3 and "Acme Inc. was sued by Bolt Ltd." in acme.context["description"]

    def test_what_was_imported_can_be_searched(self, workspace, folder):
        list(import_lightrag(workspace, folder))
        found = workspace.search("Whom did Acme Inc. supply with pumps?", mode="graph")
        assert any(e.kind == "relation" and "Acme Inc. supplies Bolt Ltd." in e.text for e in found)

    def test_again_changes_nothing(self, workspace, folder):
        list(import_lightrag(workspace, folder))
        version, before = workspace.store.version(), relations(workspace.store)
        assert {r.outcome for r in import_lightrag(workspace, folder)} == {"unchanged"}
        assert (workspace.store.version(), relations(workspace.store)) == (version, before)

    def test_what_lightrag_has_changed_is_brought_up_to_date(self, workspace, folder):
        list(import_lightrag(workspace, folder))
        path = folder / GRAPH
        path.write_text(
            path.read_text(encoding="utf-8").replace("over late pumps.", "over broken pumps."), encoding="utf-8"
        )
        assert [r.outcome for r in import_lightrag(workspace, folder)] == ["unchanged", "replaced"]

    def test_a_folder_is_only_read(self, workspace, folder):
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        list(import_lightrag(workspace, folder))
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    def test_with_vectors(self, folder):
        class Fake:
            name, dim = "fake", 4

            def embed(self, texts, progress=None):
                import numpy as np

                rows = np.array([[len(t), t.count("a") + 1, t.count("e") + 1, 1] for t in texts], np.float32)
                return rows / np.linalg.norm(rows, axis=1, keepdims=True)

        for found in import_documents(read_folder(folder), RulesExtractor(SCHEMA), Fake()):
            assert found.chunked.vectors.shape == (len(found.chunked.chunks), 4)
            assert len(found.chunked.sentence_vectors) == sum(len(c.sentences) for c in found.chunked.chunks)


class TestWhatIsNotThere:
    @pytest.mark.parametrize("name", [DOCUMENTS, CHUNKS, STATUS, GRAPH])
    def test_a_torn_file_is_named_before_anything_is_stored(self, workspace, folder, name):
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) // 2])
        with pytest.raises(DocumentError, match=f"{name}.*torn"):
            list(import_lightrag(workspace, folder))
        assert workspace.documents() == []

    @pytest.mark.parametrize("content", ["[]", "3", '{"a": 1}', '{"a": [1]}'])
    def test_another_form_is_named(self, folder, content):
        (folder / CHUNKS).write_text(content)
        with pytest.raises(DocumentError, match="not in the form"):
            read_folder(folder)

    def test_another_folder_is_named(self, tmp_path, folder):
        with pytest.raises(UsageError, match="no working directory of LightRAG"):
            read_folder(tmp_path / "nowhere")
        with pytest.raises(UsageError, match="Name its folder: rag"):
            read_folder(tmp_path)

    def test_without_a_graph_the_documents_come_alone(self, workspace, folder):
        (folder / GRAPH).unlink()
        (folder / STATUS).unlink()
        assert [r.statements for r in import_lightrag(workspace, folder)] == [0, 0]
        assert len(workspace.documents()) == 2

    def test_relations_without_their_chunks_are_kept_with_the_reason(self, workspace, folder):
        rewrite(folder / CHUNKS, lambda data: {k: v for k, v in data.items() if v["file_path"] != "bolt.txt"})
        reports = list(import_lightrag(workspace, folder))
        assert reports[0].rejected == {"none of its source chunks is there": 1}
        (lost,) = workspace.store.rejected("acme_10k_2023.txt")
        assert "新能源股份有限公司" in lost.sentence

    def test_a_chunk_that_its_document_does_not_hold_keeps_its_text(self, workspace, folder):
        def change(data):
            next(iter(data.values()))["content"] = "A summary that stands nowhere."

        rewrite(folder / CHUNKS, change)
        list(import_lightrag(workspace, folder))
        assert "A summary that stands nowhere." in [c.text for c in workspace.store.chunks_of("acme_10k_2023.txt")]

    def test_documents_of_one_name_or_none_stay_apart(self, workspace, folder):
        def change(data):
            for row in data.values():
                row["file_path"] = "unknown_source"

        rewrite(folder / DOCUMENTS, change)
        assert len({r.source for r in import_lightrag(workspace, folder)}) == 2

    def test_an_entity_bomb_is_not_expanded(self, folder):
        bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
        path = folder / GRAPH
        text = path.read_text(encoding="utf-8").replace("?>", f"?>{bomb}", 1).replace("over late pumps.", "&b;", 1)
        path.write_text(text, encoding="utf-8")
        assert not any("aaaa" in relation.description for relation in read_folder(folder).relations)


def test_it_lands_in_neo4j_too(running, monkeypatch, folder):
    from cliquerag.indexing.pipeline import bundle_of
    from cliquerag.kg.engines.neo4j import server

    monkeypatch.setenv(server.PASSWORD_VARIABLE, running.password)
    with closing(open_store(running.bolt)) as store:
        for found in import_documents(read_folder(folder), RulesExtractor(SCHEMA)):
            store.put(bundle_of(found.document, found.chunked, None, graph=found.graph))
        assert ("Bolt Ltd.", "related_to", "新能源股份有限公司") in relations(store)
        for found in import_documents(read_folder(folder), RulesExtractor(SCHEMA)):
            store.remove(found.document.source)
