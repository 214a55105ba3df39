"""One question, one ranked list of evidence, no model call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..core.errors import UsageError
from ..core.fact import Fact
from ..core.scope import Scope
from ..kg.as_of import as_of
from ..kg.store import Store
from ..models.embedder import Embedder
from .corpus import Corpus, corpus_of
from .evidence import MODES, Evidence
from .facts_route import fact_evidence, fact_pages, facts_asked
from .fusion import interleaved, reciprocal_rank_fusion
from .graph_leg import GraphFindings, global_findings, local_findings, who_is_who
from .linking import LinkedEntity, as_data, link_entities
from .passages import Passage, as_evidence
from .query import Query, make_query
from .question import read_question
from .scope import Selection, select_documents
from .synonyms import Synonyms, default_synonyms
from .trace import Trace
from .vector_leg import search_passages
from .weights import FILING_WEIGHTS, PASSAGE_WEIGHTS, Weights

_LIGHTRAG_MODES = {"naive": "vector", "mix": "hybrid", "bypass": "vector"}
_THEME_PASSAGES = 20
_PASSAGES_FIRST = 5
"""In hybrid the first places belong to passages: what the graph adds comes between the later ones."""
_LEAST_RELATION = 0.35
"""A relation that fits less does not belong in a hybrid result."""
_GRAPH_SHARE = 4
"""One in so many places of a hybrid result may go to relations and facts."""


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
    weights: Weights | None = None,
) -> list[Evidence]:
    """The best ``k`` pieces of evidence, best first.

    ``scope=None`` reads companies, periods and kinds of document from the question; ``Scope.all()`` reads nothing.
    ``scope.as_of`` leaves out what was published later. ``mode`` is one of ``evidence.MODES``; LightRAG's "naive" and
    "mix" are accepted. ``embedder`` must be the one that the stored vectors come from; None searches by words and
    graph. ``weights=None`` takes those measured on filings, or on short passages where such are searched. Raises
    UsageError for an unknown mode.
    """
    trace = trace or Trace()
    mode = mode_named(mode)
    store = as_of(store, scope.as_of if scope else None)
    with trace.timed("scope"):
        corpus = corpus_of(store)
        asked = read_question(question)
        selection = select_documents(corpus.catalogue, asked, scope)
    short = _has_short(corpus, selection)
    names = corpus.catalogue.companies.chinese_names(asked.trimmed) if selection.companies else []
    weights = weights or (PASSAGE_WEIGHTS if short else FILING_WEIGHTS)
    with trace.timed("encode"):
        query = make_query(asked, synonyms or default_synonyms(), embedder, weights, short=short, names=names)
    _note(trace, mode, query, selection)
    with trace.timed("facts"):
        facts = [] if mode == "vector" else facts_asked(store, query, selection)
        query = replace(query, fact_pages=fact_pages(facts, query))
    wanted = k if mode == "vector" else max(k, _THEME_PASSAGES)
    passages = search_passages(store, corpus, query, selection, wanted, weights, trace, linked=mode != "vector")
    if mode == "vector":
        return _evidence(store, passages[:k])
    with trace.timed("graph"):
        links = link_entities(store, asked.text, _company_names(corpus, selection))
        trace.note("linked", as_data(links))
        route = _Route(store, query, selection, links, passages, facts, k)
        return route.hybrid() if mode in ("hybrid", "auto") else route.graph(mode)


def mode_named(name: str) -> str:
    """Our name of a mode. Raises UsageError for an unknown one."""
    mode = _LIGHTRAG_MODES.get(name, name)
    if mode not in MODES:
        raise UsageError(f"no mode {name!r}", hint="There are: " + ", ".join(MODES))
    return mode


@dataclass(frozen=True, slots=True)
class _Route:
    """What the modes that use the graph start from, and how each puts its result together."""

    store: Store
    query: Query
    selection: Selection
    links: Sequence[LinkedEntity]
    passages: Sequence[Passage]
    facts: Sequence[tuple[float, Fact]]
    k: int

    def graph(self, mode: str) -> list[Evidence]:
        """Relations and the passages they lead to, in turn; then who is who. Nothing where the graph has nothing."""
        low = self._local() if mode in ("local", "graph") else GraphFindings()
        high = self._global() if mode in ("global", "graph") else GraphFindings()
        relations = _fused([low.relations, high.relations])
        texts = _evidence(self.store, list(dict.fromkeys((*low.passages, *high.passages))))
        found = interleaved(relations, texts, first=1, every=2)
        who = who_is_who(self.store, self.links, self.selection) if mode != "global" else []
        return [*found, *who][: self.k]

    def hybrid(self) -> list[Evidence]:
        """The passages, and between the later ones facts and relations."""
        extra = fact_evidence(self.facts, self.k)
        relations = _fused([self._local().relations, self._global().relations])
        relations = [relation for relation in relations if relation.score >= _LEAST_RELATION]
        most = self.k // _GRAPH_SHARE
        added = interleaved(extra, relations, first=1, every=2)[:most]
        texts = _evidence(self.store, self.passages)
        return interleaved(texts, added, first=_PASSAGES_FIRST, every=2)[: self.k]

    def _local(self) -> GraphFindings:
        return local_findings(self.store, self.query, self.selection, self.links, self.passages, self.k)

    def _global(self) -> GraphFindings:
        return global_findings(self.store, self.query, self.passages, self.k)


def _fused(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    by_id = {item.id: item for items in reversed(lists) for item in items}
    return [by_id[key] for key, _ in reciprocal_rank_fusion([[item.id for item in items] for items in lists])]


def _evidence(store: Store, passages: Sequence[Passage]) -> list[Evidence]:
    return as_evidence(passages, store.pages({passage.chunk.document for passage in passages}))


def _company_names(corpus: Corpus, selection: Selection) -> list[str]:
    own = (record for key in selection.companies for record in corpus.catalogue.by_company.get(key, ()))
    return list(dict.fromkeys(name for record in own for name in record.companies))


def _has_short(corpus: Corpus, selection: Selection) -> bool:
    """True where passages are searched rather than filings: few chunks a document and no pages."""
    catalogue = corpus.catalogue
    if selection.everything:
        return catalogue.pages < len(catalogue.records)
    return sum(catalogue.by_source[source].pages for source in selection.sources) < len(selection.sources)


def _note(trace: Trace, mode: str, query: Query, selection: Selection) -> None:
    asked = query.question
    trace.note("mode", mode)
    trace.note("scope", {"notes": list(selection.notes), "documents": len(selection.sources)})
    trace.note("groups", [list(group) for group in selection.groups] if len(selection.groups) > 1 else [])
    trace.note("trimmed", asked.trimmed)
    trace.note("periods", [period.label for period in asked.periods])
    trace.note("kinds", list(asked.kinds))
    trace.note("keywords", dict(query.terms))
    trace.note("homes", dict(query.homes))
