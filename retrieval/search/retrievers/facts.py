"""Facts for questions about figures: the metric asked, of the companies and periods in scope, with its page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....core.fact import Fact
from ....core.tokens import estimate_tokens
from ....ingest.facts.metrics import MetricList, plain_label
from ....kg.store import FactQuery
from ...question.plan import QuestionPlan
from ...question.scope.document_filter import Selection
from ...question.vocabulary.synonyms import METRIC
from ..evidence import Evidence
from ..ranking.query import FactSpan, Query
from .base import Findings, SearchRequest, retriever

_LONGEST = 8
_NEAR = 0.15
"""Facts whose scores differ by less answer too: those of a ratio's parts, or of two years."""
_SCALES = {10**3: "thousand", 10**4: "万", 10**6: "million", 10**8: "亿", 10**9: "billion"}
_MOST_FACTS = 400
_MOST_DOCUMENTS = 40
"""A question that leaves more documents open is not about one figure."""


def metrics_asked(query: Query, known: MetricList) -> list[str]:
    """Canonical metrics named in the question, then those that its synonym rules added (the parts of a ratio).

    The longest name wins: "operating cash flow" is not "cash". A question about customers or risks names none.
    """
    names = known.names
    asked = _metrics_in(plain_label(query.question.trimmed), names)
    if not asked and max(query.homes.values(), default=0.0) < METRIC:
        return []
    added = (metric for text in query.added for metric in _metrics_in(plain_label(text), names))
    return list(dict.fromkeys((*asked, *added)))


def facts_asked(plan: QuestionPlan, query: Query) -> list[tuple[float, Fact]]:
    """Facts about the metrics asked in the documents selected, best first; nothing where no figure is asked.

    Where all documents are searched, those that the question itself speaks of; nothing where it speaks of none: of
    which company the figure is to be is then open.
    """
    selection = plan.own_selection
    metrics = metrics_asked(query, plan.vocabulary.metrics)
    if not metrics or selection.everything or len(selection.certain) > _MOST_DOCUMENTS:
        return []
    found = plan.store.facts(FactQuery(metrics=tuple(metrics), sources=selection.certain, limit=_MOST_FACTS))
    place = {metric: at for at, metric in enumerate(metrics)}
    scored = sorted(((_score(fact, query, selection, place), fact) for fact in found), key=lambda pair: -pair[0])
    best: dict[tuple[object, ...], tuple[float, Fact]] = {}
    for score, fact in scored:
        label = fact.period.label if fact.period else ""
        best.setdefault((fact.company, fact.metric, label, fact.amount, fact.dimensions, fact.page), (score, fact))
    return list(best.values())


def fact_pages(facts: Sequence[tuple[float, Fact]], query: Query) -> dict[tuple[str, int], float]:
    """(source, page) -> 1 for a whole figure of a metric asked and a year asked, less for parts of one.

    Nothing where a cause is asked: the pages that state a figure do not say why it changed.
    """
    pages: dict[tuple[str, int], float] = {}
    if query.question.explains:
        return pages
    for _, fact in facts:
        if fact.page is not None and _is_of_year(fact, query):
            key = (fact.source, fact.page)
            pages[key] = max(pages.get(key, 0.0), fact.confidence * (0.5 if fact.dimensions else 1.0))
    return pages


def fact_spans(facts: Sequence[tuple[float, Fact]], query: Query) -> dict[str, list[FactSpan]]:
    """Source -> where its facts of a year asked stand that fit about as well as its best one; ``facts`` best first."""
    best: dict[str, float] = {}
    spans: dict[str, list[FactSpan]] = {}
    for score, fact in facts:
        if fact.end > fact.start and _is_of_year(fact, query):
            fit = 1 - (best.setdefault(fact.source, score) - score) / _NEAR
            if fit > 0:
                spans.setdefault(fact.source, []).append(FactSpan(fact.start, fact.end, fit))
    return spans


def _is_of_year(fact: Fact, query: Query) -> bool:
    years = query.question.years
    return not years or (fact.period is not None and fact.period.year in years)


@retriever("fact")
def facts_found(request: SearchRequest) -> Findings:
    """The facts of the search as evidence."""
    return Findings(fact_evidence(request.facts, request.k))


def fact_evidence(facts: Sequence[tuple[float, Fact]], k: int) -> list[Evidence]:
    """The ``k`` best facts as evidence; one that stands on several pages is shown once."""
    shown: dict[tuple[object, ...], Evidence] = {}
    for score, fact in facts:
        label = fact.period.label if fact.period else ""
        shown.setdefault((fact.company, fact.metric, label, fact.amount, fact.dimensions), _evidence(score, fact))
    return list(shown.values())[:k]


def _metrics_in(plain: str, names: Mapping[str, str]) -> list[str]:
    if any("\u4e00" <= c <= "\u9fff" for c in plain):
        matches = [name for name in names if len(name) > 1 and name in plain and not name.isascii()]
        longest = [name for name in matches if not any(name != other and name in other for other in matches)]
        return [names[name] for name in sorted(longest, key=plain.find)]
    words, found, at = plain.split(), [], 0
    while at < len(words):
        spans = (" ".join(words[at : at + count]) for count in range(min(_LONGEST, len(words) - at), 0, -1))
        name = next((span for span in spans if span in names), "")
        found += [names[name]] if name else []
        at += len(name.split()) or 1
    return found


def _score(fact: Fact, query: Query, selection: Selection, place: dict[str, int]) -> float:
    """Whole figures before parts of them, the years asked before others, the metric named first before the next."""
    years = query.question.years
    score = fact.confidence - 0.05 * place[fact.metric] + 0.5 * selection.preference.get(fact.source, 0.0)
    score += 0.5 * (not fact.dimensions) + 0.2 * (fact.source_kind != "prose") - 0.2 * (fact.consolidation == "parent")
    if years and fact.period:
        score += 0.5 if fact.period.year == years[-1] else 0.3 * (fact.period.year in years)
    return score


def _evidence(score: float, fact: Fact) -> Evidence:
    text = describe(fact)
    return Evidence(
        kind="fact",
        text=text,
        score=score,
        source=fact.source,
        id=fact.id,
        page=fact.page,
        anchors=fact.anchors,
        start=fact.start,
        end=fact.end,
        highlights=((fact.start, fact.end),),
        tokens=estimate_tokens(text),
        why={"fact": round(score, 4)},
    )


def describe(fact: Fact) -> str:
    """ "Acme: Net sales, FY2023 = $ 1,234 million (USD, segment Cloud)": a fact in one line, as printed."""
    # Prose prints its scale ("$3.4 billion"), a table leaves it to the unit line.
    printed = fact.source_kind == "prose" or fact.scale == 1
    scale = "" if printed else _SCALES.get(int(fact.scale), f"x {fact.scale:f}")
    details = [fact.unit] if fact.unit else []
    details += [f"{axis} {member}" for axis, member in fact.dimensions]
    details += [fact.basis] if fact.basis != "reported" else []
    inside = f" ({', '.join(details)})" if details else ""
    when = f", {fact.period.label}" if fact.period else ""
    return f"{fact.company}: {fact.label}{when} = {fact.text}{f' {scale}' if scale else ''}{inside}"
