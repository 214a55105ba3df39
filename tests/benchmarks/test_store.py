"""The benchmark of the store, at a size that takes a moment."""

from __future__ import annotations

from cliquerag.kg.storage.preparation import check

from benchmarks.tasks.scale import store
from benchmarks.tasks.scale._documents import CHUNKS, DIM, Filings


def test_documents_are_sound_and_repeatable():
    one, again = Filings().bundle(3), Filings().bundle(3)
    check(one)
    assert len(one.chunks) == CHUNKS and one.vectors.shape == (CHUNKS, DIM)
    assert one.chunks == again.chunks and one.graph == again.graph and (one.vectors == again.vectors).all()


def test_every_size_is_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(store, "SCALES", (30, 60))
    monkeypatch.setattr(store, "_SAMPLES", 3)
    report = store.run(tmp_path)
    assert {row.system for row in report.rows} == {"30 chunks", "60 chunks"}
    values = {row.metric: row.value for row in report.rows if row.system == "60 chunks"}
    assert values["add a document, ratio to empty"] > 0 and values["the three readers of a question, CPU ms"] > 0
    assert 1 < values["bytes written / data stored"] < 20
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
