from __future__ import annotations

import gc
import threading
import weakref
from datetime import date
from pathlib import Path

from cliquerag.core.scope import Scope
from cliquerag.ingest.facts.metrics import default_metrics
from cliquerag.kg.as_of import as_of
from cliquerag.kg.store import Store
from cliquerag.retrieval.calculation.fact_choice.book import FactBook
from cliquerag.retrieval.search.index.corpus import corpus_of
from support.library import FILINGS, library
from support.stores import open_store

from benchmarks.asking import search
from benchmarks.ours import make_bundle, text_documents


def test_a_store_that_nobody_holds_any_more_is_freed_with_its_corpus() -> None:
    store = library(FILINGS)
    search(store, None, "total assets of Acme")
    kept, corpus = weakref.ref(store), weakref.ref(corpus_of(store))
    store.close()
    del store
    gc.collect()
    assert kept() is None and corpus() is None


def test_searches_as_of_a_day_share_what_was_counted_until_the_next_write() -> None:
    store = library(FILINGS)
    one, other = date(2100, 1, 1), date(2100, 1, 2)
    sources = sorted(corpus_of(store).catalogue.by_source)
    index = corpus_of(store).index(sources)
    assert corpus_of(as_of(store, one)) is corpus_of(as_of(store, one))
    assert corpus_of(as_of(store, one)).index(sources) is corpus_of(as_of(store, other)).index(sources) is index
    _add(store, 1)
    assert "note1.txt" in corpus_of(as_of(store, one)).catalogue.by_source
    store.close()


def test_an_index_as_of_a_day_has_no_later_document() -> None:
    store = library(FILINGS)
    past = corpus_of(as_of(store, date(1900, 1, 1)))
    assert not past.catalogue.records and len(past.index(sorted(corpus_of(store).catalogue.by_source))) == 0
    assert search(store, None, "total assets of Acme", scope=Scope(as_of=date(1900, 1, 1))) == []
    store.close()


def test_rows_of_figures_are_read_once_until_the_next_write_and_not_before_they_were_public() -> None:
    store = library(FILINGS, facts=True)
    past = as_of(store, date(1900, 1, 1))
    sources = tuple(sorted(corpus_of(store).catalogue.by_source))
    rows = FactBook(store, sources, default_metrics()).rows
    assert rows.rows and FactBook(store, sources, default_metrics()).rows is rows
    assert FactBook(store, sources[:1], default_metrics()).rows is not rows
    assert FactBook(past, sources, default_metrics()).rows.rows == []
    store.remove(sources[0])
    left = FactBook(store, sources, default_metrics()).rows.rows
    assert {fact.source for row in left for fact in row.facts} == {
        fact.source for row in rows.rows for fact in row.facts
    } - {sources[0]}
    store.close()


def test_rows_that_other_questions_read_are_not_of_facts_read_before_a_write() -> None:
    store = library(FILINGS, facts=True)
    sources = tuple(sorted(corpus_of(store).catalogue.by_source))
    begun = FactBook(store, sources, default_metrics())
    assert any(fact.source == sources[0] for fact in begun.all_facts)
    store.remove(sources[0])
    assert begun.rows.rows
    rows = FactBook(store, sources, default_metrics()).rows.rows
    assert sources[0] not in {fact.source for row in rows for fact in row.facts}
    store.close()


def _add(store: Store, number: int) -> None:
    (document,) = text_documents({f"note{number}.txt": f"The quokka project number {number} began in the spring."})
    store.put(make_bundle(document, None, None))


def test_what_another_connection_writes_is_found_by_the_next_search(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    reader, writer = open_store(url), open_store(url)
    _add(writer, 1)
    assert len(search(reader, None, "quokka project", scope=Scope.all())) == 1
    _add(writer, 2)
    assert len(search(reader, None, "quokka project", scope=Scope.all())) == 2
    writer.remove("note1.txt")
    assert [item.source for item in search(reader, None, "quokka project", scope=Scope.all())] == ["note2.txt"]
    reader.close()
    writer.close()


def test_ten_readers_while_one_writes(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'shared.db'}"
    shared, writer = open_store(url), open_store(url)
    _add(writer, 0)
    written, wrong = [1], []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            least = written[0]
            found = len(search(shared, None, "quokka project", k=50, scope=Scope.all()))
            if not least <= found <= written[0] + 1:
                wrong.append((least, found))

    readers = [threading.Thread(target=read) for _ in range(10)]
    for reader in readers:
        reader.start()
    for number in range(1, 13):
        _add(writer, number)
        written[0] = number + 1
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong
    assert len(search(shared, None, "quokka project", k=50, scope=Scope.all())) == 13
    shared.close()
    writer.close()
