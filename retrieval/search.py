"""One question, one ranked list of evidence, no model call."""

from __future__ import annotations

from ..core.errors import UsageError
from ..core.scope import Scope
from ..kg.store import Store
from ..models.embedder import Embedder
from .corpus import Corpus, corpus_of
from .evidence import MODES, Evidence
from .passages import as_evidence
from .query import Query, make_query
from .question import read_question
from .scope import Selection, select_documents
from .synonyms import Synonyms, default_synonyms
from .trace import Trace
from .vector_leg import search_passages
from .weights import DEFAULT_WEIGHTS, Weights

_LIGHTRAG_MODES = {"naive": "vector", "mix": "hybrid", "bypass": "vector"}


def search(
    store: Store,
    embedder: Embedder | None,
    question: str,
    *,
    mode: str = "hybrid",
    k: int = 10,
    scope: Scope | None = None,
    trace: Trace | None = None,
    synonyms: Synonyms | None = None,
    weights: Weights = DEFAULT_WEIGHTS,
) -> list[Evidence]:
    """The best ``k`` pieces of evidence, best first.

    ``scope=None`` reads companies, periods and kinds of document from the question; ``Scope.all()`` reads nothing.
    ``mode`` is one of ``evidence.MODES``; LightRAG's "naive" and "mix" are accepted. ``embedder`` must be the one that
    the stored vectors come from; None searches by words and graph. Raises UsageError for an unknown mode.
    """
    trace = trace or Trace()
    mode = mode_named(mode)
    with trace.timed("scope"):
        corpus = corpus_of(store)
        asked = read_question(question)
        selection = select_documents(corpus.records, corpus.companies, asked, scope)
    with trace.timed("encode"):
        query = make_query(
            asked, synonyms or default_synonyms(), embedder, weights, short=_has_short(corpus, selection)
        )
    _note(trace, mode, query, selection)
    return _vector(store, corpus, query, selection, k, weights, trace)


def mode_named(name: str) -> str:
    """Our name of a mode. Raises UsageError for an unknown one."""
    mode = _LIGHTRAG_MODES.get(name, name)
    if mode not in MODES:
        raise UsageError(f"no mode {name!r}", hint="There are: " + ", ".join(MODES))
    return mode


def _vector(
    store: Store, corpus: Corpus, query: Query, selection: Selection, k: int, weights: Weights, trace: Trace
) -> list[Evidence]:
    linked = trace.data.get("mode") != "vector"
    passages = search_passages(store, corpus, query, selection, k, weights, trace, linked=linked)
    return as_evidence(passages, store.pages({passage.chunk.document for passage in passages}))


def _has_short(corpus: Corpus, selection: Selection) -> bool:
    """True where passages are searched rather than filings: few chunks a document and no pages."""
    chosen = set(selection.sources)
    records = [record for record in corpus.records if record.source in chosen]
    return bool(records) and sum(record.pages for record in records) < len(records)


def _note(trace: Trace, mode: str, query: Query, selection: Selection) -> None:
    asked = query.question
    trace.note("mode", mode)
    trace.note("scope", {"notes": list(selection.notes), "documents": len(selection.sources)})
    trace.note("groups", [list(group) for group in selection.groups])
    trace.note("trimmed", asked.trimmed)
    trace.note("periods", [period.label for period in asked.periods])
    trace.note("kinds", list(asked.kinds))
    trace.note("keywords", dict(query.terms))
    trace.note("homes", dict(query.homes))
