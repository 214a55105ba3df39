"""Facts for questions about figures: the metric asked, of the companies and periods in scope, with its page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from ....core.fact import Fact
from ....core.names import is_chinese
from ....core.period import label_of
from ....core.quantity import scale_power_in
from ....core.tokens import estimate_tokens
from ....ingest.facts.metrics import MetricList, plain_label
from ....kg.store import FactQuery
from ...question.plan import QuestionPlan
from ...question.scope.document_filter import Selection
from ...question.vocabulary.vocabulary import METRIC
from ..evidence import Evidence
from ..query import FactSpan, Query
from .base import Findings, SearchRequest, retriever

_LONGEST = 8
_NEAR = 0.15
"""Facts whose scores differ by less answer too: those of a ratio's parts, or of two years."""
_SCALES = {10**3: "thousand", 10**4: "万", 10**6: "million", 10**8: "亿", 10**9: "billion"}
_MOST_FACTS = 400
_ROUNDED = Decimal("0.006")
"""Share of an amount by which one printed with three digits may differ: $7.84 billion of 7,838 million."""
_NAMED = 1.0
"""What a fact of a product or segment that the question names gains: more than a figure of the whole company has."""
_PARTS = frozenset({"product", "segment"})
"""Types of entities that have figures of their own in a company's tables."""
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
    metrics = dict.fromkeys(asked)
    for text in query.added:
        metrics.update(dict.fromkeys(_metrics_in(plain_label(text), names)))
    return list(metrics)


def facts_asked(plan: QuestionPlan, query: Query) -> list[tuple[float, Fact]]:
    """Facts about the metrics asked in the documents selected, best first; nothing where no figure is asked.

    Where all documents are searched, those that the question itself speaks of; nothing where it speaks of none: of
    which company the figure is to be is then open.
    """
    selection = plan.own_selection
    metrics = metrics_asked(query, plan.vocabulary.metrics)
    is_open = selection.everything or len(selection.certain) > _MOST_DOCUMENTS
    if not metrics or is_open:
        return []
    found = plan.store.facts(FactQuery(metrics=tuple(metrics), sources=selection.certain, limit=_MOST_FACTS))
    place = {metric: at for at, metric in enumerate(metrics)}
    scored = [(_score(fact, query, selection, place), fact) for fact in found]
    place[""] = 0
    scored += [(_NAMED + _score(fact, query, selection, place), fact) for fact in _facts_of_parts(plan, found)]
    scored.sort(key=lambda pair: -pair[0])
    best: dict[tuple[object, ...], tuple[float, Fact]] = {}
    for score, fact in scored:
        best.setdefault((*_figure(fact), fact.page), (score, fact))
    return list(best.values())


def _facts_of_parts(plan: QuestionPlan, of_metrics: Sequence[Fact]) -> Iterator[Fact]:
    """Figures of the rows that are called by a product or a segment that the question names.

    "How much revenue did Paxlovid bring in?": its row prints no metric, and shares a unit with those that do.
    """
    units = {fact.unit for fact in of_metrics}
    parts = [link.written for link in plan.linked if link.entity.type in _PARTS]
    for part in parts:
        called_so = FactQuery(label=part, metrics=("",), sources=plan.own_selection.certain, limit=_MOST_FACTS)
        for fact in plan.store.facts(called_so):
            name = plain_label(fact.label)
            if fact.unit in units and name.startswith(plain_label(part)):
                yield fact


def _figure(fact: Fact) -> tuple[object, ...]:
    """What tells a figure from others, wherever it is printed."""
    return fact.company, fact.metric, _label(fact), fact.amount, fact.dimensions


def _label(fact: Fact) -> str:
    return label_of(fact.period)


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
        has_place = fact.end > fact.start
        if not has_place or not _is_of_year(fact, query):
            continue
        fit = 1 - (best.setdefault(fact.source, score) - score) / _NEAR
        if fit > 0:
            spans.setdefault(fact.source, []).append(FactSpan(fact.start, fact.end, fit))
    return spans


def _is_of_year(fact: Fact, query: Query) -> bool:
    years = query.question.years
    if not years:
        return True
    return fact.period is not None and fact.period.year in years


@retriever("fact")
def facts_found(request: SearchRequest) -> Findings:
    """The facts of the search as evidence."""
    return Findings(fact_evidence(request.facts, request.k))


def fact_evidence(facts: Sequence[tuple[float, Fact]], k: int) -> list[Evidence]:
    """The ``k`` best facts as evidence; one that stands on several pages is shown once.

    Of several values of a company for one metric and period the best supported is shown: the others are of a part, a
    subsidiary or a misread column, and nothing in their line says so.
    """
    best = _best_supported([fact for _, fact in facts])
    shown: dict[tuple[object, ...], Evidence] = {}
    for score, fact in facts:
        chosen = best.get(_asked_for(fact))
        if fact.dimensions or chosen is None or _says_the_same(fact, chosen):
            shown.setdefault(_figure(fact), _evidence(score, fact))
    return list(shown.values())[:k]


def _asked_for(fact: Fact) -> tuple[object, ...]:
    return fact.company, fact.metric or fact.label, _label(fact), fact.unit, fact.basis


def _best_supported(facts: Sequence[Fact]) -> dict[tuple[object, ...], Fact]:
    """Of each company, metric and period the value that stands on most pages; the first in its document where several
    do. Values of a part, said to be so, do not count."""
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        if fact.value is not None and not fact.dimensions:
            groups.setdefault(_asked_for(fact), []).append(fact)
    return {key: max(group, key=lambda fact: _support(fact, group)) for key, group in groups.items()}


def _support(fact: Fact, group: Sequence[Fact]) -> tuple[bool, int, bool, int]:
    """Consolidated first, then pages that print about the same, then of a table, then the earlier page."""
    pages = {(other.source, other.page) for other in group if _says_the_same(other, fact)}
    return fact.consolidation != "parent", len(pages), fact.source_kind != "prose", -(fact.page or 0)


def _says_the_same(one: Fact, other: Fact) -> bool:
    """True for the same amount, perhaps rounded in one of them."""
    if one.amount is None or other.amount is None:
        return one.amount == other.amount
    return abs(abs(one.amount) - abs(other.amount)) <= _ROUNDED * abs(other.amount)


def _metrics_in(plain: str, names: Mapping[str, str]) -> list[str]:
    """Canonical names of the metrics that a text names, in order."""
    if is_chinese(plain):
        return _chinese_metrics_in(plain, names)
    words = plain.split()
    found: list[str] = []
    at = 0
    while at < len(words):
        name = _longest_name(words, at, names)
        if name:
            found.append(names[name])
        at += len(name.split()) or 1
    return found


def _longest_name(words: Sequence[str], at: int, names: Mapping[str, str]) -> str:
    """The longest name that begins at a word; "" without one."""
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        name = " ".join(words[at : at + count])
        if name in names:
            return name
    return ""


def _chinese_metrics_in(plain: str, names: Mapping[str, str]) -> list[str]:
    matches = [name for name in names if name in plain and not name.isascii()]
    longest: list[str] = []
    for name in matches:
        is_part = any(name != other and name in other for other in matches)
        if not is_part:
            longest.append(name)
    return [names[name] for name in sorted(longest, key=plain.find)]


def _score(fact: Fact, query: Query, selection: Selection, place: dict[str, int]) -> float:
    """Whole figures before parts of them, the years asked before others, the metric named first before the next."""
    years = query.question.years
    score = fact.confidence - 0.05 * place[fact.metric] + 0.5 * selection.preference.get(fact.source, 0.0)
    score += 0.5 * (not fact.dimensions) + 0.2 * (fact.source_kind != "prose") - 0.2 * (fact.consolidation == "parent")
    if years and fact.period:
        year = fact.period.year
        if year == years[-1]:
            score += 0.5
        elif year in years:
            score += 0.3
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
    # Prose mostly prints its scale ("$3.4 billion"), a table leaves it to the unit line.
    is_printed = fact.scale == 1 or scale_power_in(fact.text) is not None
    scale = "" if is_printed else _SCALES.get(int(fact.scale), f"x {fact.scale:f}")
    details = [fact.unit] if fact.unit else []
    details += [f"{axis} {member}" for axis, member in fact.dimensions]
    if fact.consolidation == "parent":
        details.append("parent company alone")
    if fact.basis != "reported":
        details.append(fact.basis)
    text = f"{fact.company}: {fact.label}"
    if fact.period:
        text += f", {fact.period.label}"
    text += f" = {fact.text}"
    if scale:
        text += f" {scale}"
    if details:
        text += f" ({', '.join(details)})"
    return text
