"""The modes of a search: a row each, which retrievers it asks and how what they find is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...core.errors import UsageError
from ...core.records import dataclass
from ...core.sequences import last
from ...kg.store import Store
from ..question.question import Question
from .chunk_evidence import Passage, as_evidence
from .context_expansion import whole_sections
from .evidence import TEXTS, Evidence
from .retrievers.base import Findings, SearchRequest, retrievers
from .retrievers.communities import asks_broadly, asks_for_connection
from .retrievers.graph import WORDS
from .weights import interleaved, reciprocal_rank_fusion

GRAPH_SHARE = 4
"""One in so many places of a hybrid result may go to relations and facts."""
_PASSAGES_FIRST = 5
"""In hybrid the first places belong to passages: what the graph adds comes between the later ones."""
_PASSAGES_BEFORE_ASKED = 3
"""Where the question asks for relations, what states them comes between the passages earlier."""
ASKED_SHARE = 3
"""One in so many places of a hybrid result may go to statements of the relations asked for."""
LIST_SHARE = 2
"""The same for a question that wants all there are: each statement may stand on a page of its own."""
_FIRST_PLACES = 10
_RELATIONS = 1
"""So many of the first places may go to relations, but where a list is asked for. Of the statements asked for the first
one led to a missing page in 17 of 67 questions, the second in 1 of 40, the third in 1 of 29; a passage at places 6 to 9
did in 16 of 147. Dev questions with fewer gold pages than mode vector finds: 3 with five such places, 2 with three,
none with one."""
_TOLD = 2
"""So many of the last places go to pages by the words of a request: of 391 relational questions 7 gained a page and
1 lost one; with one such place three of the first 252 gained one, with two five."""
_LEAST_RELATION = 0.35
"""A relation that fits less does not belong in a hybrid result."""
_LEAST_WORDS = 0.3
"""Share of the words asked beside the names from which a relation that nobody asked for belongs there."""
_BROAD_SHARE = 0.7
"""Of the places for a broad question, given to community reports: no passage speaks of all documents at once."""
SECTION_TOKENS = 1_200
"""Tokens of a section in mode menu: with 4,000 to read, three sections."""
_PAIR = 2
"""Names that can be connected."""


class Found(Mapping[str, Findings]):
    """Name of a retriever of a mode -> what it found. Each is asked when it is first looked at: what stands beside the
    relations asked for is read only where none of these is stated."""

    def __init__(self, request: SearchRequest, names: Sequence[str]) -> None:
        self._request = request
        self._names = names
        self.so_far: dict[str, Findings] = {}
        """What the retrievers found that were looked at."""

    def __getitem__(self, name: str) -> Findings:
        if name not in self._names:
            raise KeyError(name)
        if name not in self.so_far:
            self.so_far[name] = retrievers()[name](self._request)
        return self.so_far[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True)
class Mode:
    """A way of searching. Without retrievers the passages stand alone."""

    name: str
    retrievers: tuple[str, ...]
    combine: Callable[[SearchRequest, Found], list[Evidence]]


def passages_alone(request: SearchRequest, found: Found) -> list[Evidence]:
    """The passages in their order."""
    return passage_evidence(request.plan.store, request.passages[: request.k])


def graph_first(request: SearchRequest, found: Found) -> list[Evidence]:
    """What the graph leads to: the relations asked for and passages in turn, else passages and then relations.

    Community reports come first where the whole is asked about, and in ``global``; who is who comes last.
    """
    reports, paths = _items(found, "report"), _items(found, "path")
    asked = _items(found, "asked")
    relations = _without([*paths, *asked], _fused([_items(found, "local"), _items(found, "global")]))
    texts = passage_evidence(request.plan.store, found.get("passage", Findings()).passages)
    ahead = [*reports, *paths, *asked]
    if not ahead:
        ranked = interleaved(texts, relations, first=_PASSAGES_FIRST, every=2)
    else:
        # To a broad question the reports are the answer; beside a narrower one each is a guess, as a passage is.
        first = max(1, len(reports)) if asks_broadly(request.plan.asked) else 1
        ranked = interleaved([*ahead, *relations], texts, first=first, every=2)
    return [*ranked, *_items(found, "entity")][: request.k]


def passages_first(request: SearchRequest, found: Found) -> list[Evidence]:
    """The passages, those that say what moved the figure asked before all, and between the later ones facts, paths and
    relations.

    Reports lead for a broad question, and the path for one of how two names hang together.
    """
    paths = _items(found, "path")
    asked = _items(found, "asked")
    # Where the relation asked for is stated, whatever else is stated of those named is beside it.
    relations = [] if asked else _fused([_items(found, "local"), _items(found, "global")])
    fitting = [relation for relation in relations if _fits(relation)]
    relations = [*paths, *_without([*paths, *asked], fitting)]
    ahead = _items(found, "report")[: round(request.k * _BROAD_SHARE)]
    if asks_for_connection(request.plan.asked):
        ahead, relations = [*ahead, *paths], _without(paths, relations)
    added = interleaved(_items(found, "fact"), relations, first=1, every=2)[: request.k // GRAPH_SHARE]
    why = passage_evidence(request.plan.store, found.get("cause", Findings()).passages)
    texts = [*why, *_without(why, passage_evidence(request.plan.store, request.passages))]
    is_list = any("list" in item.why for item in asked)
    new = _beyond(texts[:_PASSAGES_FIRST], asked)[: request.k // (LIST_SHARE if is_list else ASKED_SHARE)]
    first = _PASSAGES_FIRST if not new else _PASSAGES_BEFORE_ASKED
    every = 1 if is_list and new else 2
    room = max(0, request.k - len(ahead))
    ranked = interleaved(texts, [*new, *added], first=first, every=every)
    ranked = ranked if is_list else _passages_in_front(ranked)
    certain = frozenset(request.plan.selection.certain)
    front = _with_new_pages(ranked, room, certain)
    # Where places are free all that was found is shown, and the rest are repetitions.
    told = found.get("told", Findings()).passages if len(front) == room else ()
    if told:
        front = _with_told(front, passage_evidence(request.plan.store, told), room, certain)
    return [*ahead, *front]


def _fits(relation: Evidence) -> bool:
    """True for a relation whose sentence holds enough of what is asked beside the names."""
    return relation.score >= _LEAST_RELATION and relation.why.get(WORDS, 1.0) >= _LEAST_WORDS


def _with_new_pages(ranked: Sequence[Evidence], room: int, asked: frozenset[str]) -> list[Evidence]:
    """The first ``room`` places; where a passage is pushed behind them by a relation, a passage of the later places
    makes way that shows no new page, or is of a document of nobody asked about, rather than the last one."""
    front, behind = list(ranked[:room]), list(ranked[room:])
    given = sum(item.kind not in TEXTS for item in front)
    for pushed in [item for item in behind if item.kind in TEXTS][:given]:
        at = _place_to_give(front, asked)
        if at is None or not _is_worth_it(pushed, front, asked):
            continue
        front = [*front[:at], *front[at + 1 :], pushed]
    return front


def _with_told(front: Sequence[Evidence], told: Sequence[Evidence], room: int, asked: frozenset[str]) -> list[Evidence]:
    """The places with passages that may tell what is asked at their end, where these are on pages not shown; for each
    a passage of the later places makes way."""
    new = _beyond(front, told)[: min(_TOLD, max(0, room - _PASSAGES_FIRST))]
    kept = list(front)
    while len(kept) + len(new) > room:
        texts = [at for at, item in enumerate(kept) if item.kind in TEXTS]
        at = _place_to_give(kept, asked)
        kept.pop(last(texts, -1) if at is None else at)
    return [*kept, *new]


def _place_to_give(front: Sequence[Evidence], asked: frozenset[str]) -> int | None:
    """The last place of the later ones that holds a passage of a page shown before, or of somebody not asked about."""
    for at in range(len(front) - 1, _PASSAGES_FIRST - 1, -1):
        if front[at].kind in TEXTS and not _is_worth_it(front[at], front[:at], asked):
            return at
    return None


def _is_worth_it(item: Evidence, before: Sequence[Evidence], asked: frozenset[str]) -> bool:
    """True for a page that is not shown before, of a company asked about where there are such."""
    is_new = item.page is None or all((item.source, item.page) != (other.source, other.page) for other in before)
    return is_new and (not asked or item.source in asked)


def _passages_in_front(ranked: Sequence[Evidence]) -> list[Evidence]:
    """The ranking with no more than so many of its first places given to relations: what is too much comes behind."""
    front: list[Evidence] = []
    behind: list[Evidence] = []
    given = 0
    for at, item in enumerate(ranked):
        if len(front) == _FIRST_PLACES:
            return [*front, *behind, *ranked[at:]]
        is_relation = item.kind == "relation"
        if is_relation and given == _RELATIONS:
            behind.append(item)
            continue
        given += is_relation
        front.append(item)
    return [*front, *behind]


def sections_first(request: SearchRequest, found: Found) -> list[Evidence]:
    """Whole sections in place of the passages, as DM-RAG reads them; facts and asked relations between later ones."""
    texts = whole_sections(request.plan.store, passage_evidence(request.plan.store, request.passages), SECTION_TOKENS)
    added = [*_items(found, "fact"), *_items(found, "asked")][: request.k // GRAPH_SHARE]
    return interleaved(texts, added, first=_PASSAGES_FIRST, every=2)[: request.k]


def _beyond(texts: Sequence[Evidence], asked: Sequence[Evidence]) -> list[Evidence]:
    """Statements on pages that the passages do not show, the best of each page."""
    shown = {(item.source, item.page) for item in texts}
    found: list[Evidence] = []
    for item in asked:
        if (item.source, item.page) not in shown:
            found.append(item)
            shown.add((item.source, item.page))
    return found


MODES: Mapping[str, Mode] = {
    mode.name: mode
    for mode in (
        Mode("vector", (), passages_alone),
        Mode("local", ("path", "asked", "local", "passage", "entity"), graph_first),
        Mode("global", ("report", "global", "passage"), graph_first),
        Mode("graph", ("report", "path", "asked", "local", "global", "passage", "entity"), graph_first),
        Mode("menu", ("fact", "asked"), sections_first),
        Mode("hybrid", ("report", "fact", "path", "cause", "asked", "local", "global", "told"), passages_first),
    )
}
"""A new mode is a row here."""
_LIGHTRAG_NAMES = {"naive": "vector", "mix": "hybrid", "bypass": "vector"}
AUTO = "auto"
"""The router chooses."""


def mode_names() -> tuple[str, ...]:
    """What ``mode`` may be."""
    return (*MODES, AUTO)


def mode_named(name: str) -> str:
    """Our name of a mode; LightRAG's "naive" and "mix" are accepted. Raises UsageError for an unknown one."""
    mode = _LIGHTRAG_NAMES.get(name, name)
    if mode not in mode_names():
        raise UsageError(f"no mode {name!r}", hint="There are: " + ", ".join(mode_names()))
    return mode


def run_mode(request: SearchRequest) -> list[Evidence]:
    """Ask the retrievers of the mode and put together what they found."""
    mode = MODES[request.mode]
    found = Found(request, mode.retrievers)
    ranked = mode.combine(request, found)
    if mode.retrievers:
        _note(request, found.so_far)
    return ranked


def choose_mode(question: Question, *, names: int, has_figures: bool) -> tuple[str, str]:
    """The mode that fits a question, and why; ``names`` are the entities that it names.

    Figures and passages that state them come from "hybrid"; how entities hang together from "graph"; what a body of
    documents is about from "global"; everything else from "hybrid". Several names alone do not make a question one for
    the graph: sent there, such questions lost their passages (on HotpotQA a sixth of all had both no more).

    >>> from cliquerag.retrieval.question.question import read_question
    >>> choose_mode(read_question("What are the main risks across these companies?"), names=0, has_figures=False)
    ('global', 'it is about everything in scope')
    """
    if names >= _PAIR and asks_for_connection(question):
        return "graph", "it asks how entities are connected"
    if asks_broadly(question):
        return "global", "it is about everything in scope"
    if has_figures:
        return "hybrid", "it asks for a figure that the facts have"
    return "hybrid", "a question about passages"


def passage_evidence(store: Store, passages: Sequence[Passage]) -> list[Evidence]:
    """Passages with their pages."""
    return as_evidence(passages, store.pages({passage.chunk.document for passage in passages}))


def _note(request: SearchRequest, found: Mapping[str, Findings]) -> None:
    """Keep for the trace what each retriever of the graph found, with its rank there."""
    rows: dict[str, dict[str, object]] = {}
    for name, findings in found.items():
        if name == "entity":
            continue
        for rank, item in enumerate(findings.items, 1):
            row = {"kind": item.kind, "text": item.text, "source": item.source, "score": round(item.score, 4)}
            rows.setdefault(item.id, row)[name] = rank
    request.trace.note("graph ranking", list(rows.values()))


def _items(found: Found, name: str) -> list[Evidence]:
    return list(found[name].items) if name in found else []


def _fused(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    by_id: dict[str, Evidence] = {}
    for items in reversed(lists):
        by_id.update((item.id, item) for item in items)
    rankings = [list(map(_id, items)) for items in lists]
    return [by_id[key] for key, _ in reciprocal_rank_fusion(rankings)]


def _id(item: Evidence) -> str:
    return item.id


def _without(shown: Sequence[Evidence], others: Sequence[Evidence]) -> list[Evidence]:
    known = {item.id for item in shown}
    return [item for item in others if item.id not in known]
