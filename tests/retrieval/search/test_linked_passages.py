"""Facts of one answer in several passages: the chain of names that leads from one to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from cliquerag.core.scope import Scope
from cliquerag.kg.store import Store
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.index import titles
from cliquerag.retrieval.search.index.corpus import corpus_of
from cliquerag.retrieval.search.index.titles import Homes
from cliquerag.retrieval.search.query import Query
from cliquerag.retrieval.search.rerankers import passage_texts
from cliquerag.workspace import Workspace
from support.library import WordEmbedder, library
from support.shelf import record

from benchmarks.asking import search

EMBEDDER = WordEmbedder()
QUESTION = "In which valley was the founder of Quarrel Bank born?"
TEXTS = {
    "Quarrel Bank.txt": "Quarrel Bank is a bank. The founder of Quarrel Bank was Odette Varga.",
    "Odette Varga.txt": "Odette Varga was a painter and trader. She grew up in Hollin Mere.",
    "Hollin Mere.txt": "Hollin Mere is a village of millers near the Esk.",
    "Ash Valley.txt": "In the Ash Valley a bank was born of a founder who milled flour.",
    "Founder.txt": "A founder casts bells. In which valley the founder worked is not known.",
    "Banks.txt": "Banks lend. The founder of a bank was often born in a valley.",
} | {f"Town {chr(65 + i)}.txt": f"Town {chr(65 + i)} has a mill and {i + 2} streets." for i in range(20)}


@pytest.fixture(scope="module")
def texts() -> Iterator[Store]:
    store = library(TEXTS, graph=True)
    yield store
    store.close()


def _found(store: Store, question: str, mode: str = "hybrid", **options: object) -> list[str]:
    return [item.source for item in search(store, EMBEDDER, question, mode=mode, **options)]


def test_a_name_leads_to_the_passage_that_words_alone_do_not_find(texts: Store) -> None:
    assert "Odette Varga.txt" not in _found(texts, QUESTION, "vector")[:4]
    first = _found(texts, QUESTION)[:3]
    assert first[0] == "Quarrel Bank.txt" and "Odette Varga.txt" in first


def test_a_pick_says_over_which_sentence_it_was_reached(texts: Store) -> None:
    trace = Trace()
    search(texts, EMBEDDER, QUESTION, trace=trace)
    link = next(link for link in trace.data["links"] if link["to_source"] == "Odette Varga.txt")
    assert (link["from_source"], link["name"]) == ("Quarrel Bank.txt", "odette varga")
    assert "The founder of Quarrel Bank was Odette Varga." in link["sentence"] and link["weight"] > 0


def test_a_name_that_a_later_passage_holds_opens_the_gate() -> None:
    towns = {f"Ford {n}.txt": f"In Ford {n} a founder of mills was born in a valley." for n in range(6)}
    store = library(TEXTS | towns, graph=True)
    question = "Which founder of mills in the valley of mills was born, not Odette Varga?"
    first = _found(store, question, "vector")
    found = _found(store, question)
    store.close()
    assert "Odette Varga.txt" not in first[:8] and "Odette Varga.txt" in found[:2]


def test_without_a_rare_name_in_the_question_the_ranking_stays(texts: Store) -> None:
    question = "which founder was born in a valley"
    assert _found(texts, question) == _found(texts, question, "vector")


def test_it_works_without_an_encoder(texts: Store) -> None:
    by_words = [item.source for item in search(texts, None, QUESTION, mode="vector")]
    assert "Odette Varga.txt" not in by_words[:4]
    assert "Odette Varga.txt" in [item.source for item in search(texts, None, QUESTION)][:4]


def test_bridge_queries_ask_what_is_left_of_the_question(texts: Store) -> None:
    asked: list[str] = []

    class Noting(WordEmbedder):
        def embed(self, texts):
            asked.extend(texts)
            return super().embed(texts)

    search(texts, Noting(), QUESTION)
    assert len(asked) == 1
    found = [item.source for item in search(texts, Noting(), QUESTION, bridges=True)]
    assert "In which valley was the of born? odette varga" in asked
    assert "Odette Varga.txt" in found[:5]


def test_a_chain_stays_within_the_scope(texts: Store) -> None:
    scope = Scope(sources=("Quarrel Bank.txt", "Founder.txt"))
    assert set(_found(texts, QUESTION, scope=scope)) <= set(scope.sources)


@pytest.mark.parametrize("with_title", [True, False])
def test_names_lead_on_where_files_are_named_by_numbers(with_title: bool) -> None:
    """A title above the text, or a first sentence that says what it is, makes a passage the home of the name."""
    sources = {f"doc_{number:04d}.txt": name for number, name in enumerate(TEXTS)}
    titles = {name: name.removesuffix(".txt") for name in TEXTS}
    texts = {
        source: f"{titles[name]}\n{TEXTS[name]} It is told here." if with_title else TEXTS[name]
        for source, name in sources.items()
    }
    with Workspace("sqlite://", embedder="none") as workspace:
        for source, text in texts.items():
            workspace.add_text(text, source)
        homes = corpus_of(workspace.store).homes
        found = [sources.get(item.source) for item in workspace.search(QUESTION)]
    assert {sources[source] for source in homes.of_name["odette varga"]} == {"Odette Varga.txt"}
    assert found[0] == "Quarrel Bank.txt" and "Odette Varga.txt" in found[:3]


SMALL = {
    "reel 1.txt": "In Lantern Days the voice of Otto Finch was that of Mara Quill.",
    "reel 2.txt": "At the Esk works Mara Quill spun wool for years.",
    "reel 3.txt": "Many who voiced a part in lantern days worked for years at works of wool.",
    "Ottokar Finchley.txt": "Ottokar Finchley was a miller.",
} | {f"Town {chr(65 + i)}.txt": f"Town {chr(65 + i)} has a mill and {i + 2} streets." for i in range(20)}


TOLD = {
    "Lantern Days.txt": "Lantern Days is a film. The voice of Otto Finch was that of Mara Quill. "
    "Its songs are by Ivo Strand, and a train runs through it.",
    "reel 2.txt": "At the Esk works Mara Quill spun wool.",
    "reel 3.txt": "A works train: Ivo Strand drove it.",
} | {f"Town {chr(65 + i)}.txt": f"Town {chr(65 + i)} has a mill and {i + 2} streets." for i in range(20)}


def test_the_name_beside_the_words_that_describe_it_leads_on() -> None:
    """ "Mara Quill" stands in the sentence on Otto Finch, "Ivo Strand" in another one of the same passage."""
    store = library(TOLD, graph=True)
    try:
        found = _found(store, "At which works was the singer who voiced Otto Finch?")
    finally:
        store.close()
    assert found[:2] == ["Lantern Days.txt", "reel 2.txt"]


def test_a_name_written_small_in_the_question_opens_the_gate() -> None:
    store = library(SMALL, graph=True)
    try:
        trace = Trace()
        search(store, EMBEDDER, "at which works was the singer who voiced otto finch", trace=trace)
        assert "mara quill" in [link["name"] for link in trace.data["links"]]
        trace = Trace()
        search(store, EMBEDDER, "at which works was the singer who voiced a part", trace=trace)
        assert not trace.data.get("links"), "no name, no chain"
    finally:
        store.close()


def test_the_name_of_a_long_file_is_no_title_of_its_passages() -> None:
    """A report of many companies that lies in "Finance.txt": nothing in it is reached because it is called so."""
    short, long = (replace(record("shelf/Finance.txt"), tokens=tokens) for tokens in (4_000, 180_000))
    assert Homes.of([short]).names == {"shelf/Finance.txt": ("finance",)}
    assert Homes.of([long]).names == {}


NAMED = "In the Heat and Steel-Harbor & Sons's yard, A Long Way Home met O' Neill, Inc. and the Coca-Cola Company."
NAMED_TITLES = ("Heat", "Steel-Harbor & Sons", "A Long Way Home", "O'Neill", "O' Neill", "Coca-Cola", "In the Night")


def test_a_name_of_any_form_is_found_in_a_text() -> None:
    homes = _homes_of(NAMED_TITLES)
    assert homes.named_in(NAMED) == ["heat", "steel harbor and sons", "a long way home", "o neill", "coca cola"]


def test_words_that_begin_names_are_looked_at_only_where_the_text_goes_on_so(monkeypatch: pytest.MonkeyPatch) -> None:
    homes = _homes_of([f"In {word} on the Quiet Farm" for word in ("Winter", "Summer")])
    text = "In a year of war, in spite of all, In the end In truth. In Winter on the Quiet Farm."
    asked: list[str] = []
    own = titles.name_key
    homes.named_in(text)  # single words are known from now on
    monkeypatch.setattr(titles, "name_key", lambda name: asked.append(name) or own(name))
    assert homes.named_in(text) == ["in winter on the quiet farm"]
    assert len(asked) < 10


def test_of_a_long_page_only_the_nearest_chunks_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    own = passage_texts.sentence_cosines

    def noted(store: Store, query: Query, ids: Sequence[str]) -> dict[str, np.ndarray]:
        read.extend(ids)
        return own(store, query, ids)

    monkeypatch.setattr(passage_texts, "sentence_cosines", noted)
    page = "\n\n".join(f"{n}. The founder of a mill was born in the valley. " * 9 for n in range(12))
    store = library({**TEXTS, "Mill.pdf": [page, "Quarrel Bank lent money to the mill."]}, graph=True)
    try:
        on_page = {chunk.id for chunk in store.chunks_of("Mill.pdf") if chunk.page == 1}
        assert len(on_page) > 8
        assert "Odette Varga.txt" in _found(store, QUESTION)[:3]
        assert len(on_page.intersection(read)) == 4
    finally:
        store.close()


def _homes_of(names: Iterable[str]) -> Homes:
    store = library({f"{number}.txt": f"{name}\n\nThis says no more than that." for number, name in enumerate(names)})
    try:
        return corpus_of(store).homes
    finally:
        store.close()
