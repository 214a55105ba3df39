"""What an answer says beside what is quoted: how the question was read, and where the documents do not answer, what is
not there, what was searched, what came closest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...core.anchor import short_name
from ...core.names import company_key, is_chinese
from ...core.orders import gives_orders, is_spelled_out
from ...core.sequences import grouped
from ...kg.store import DocumentRecord
from ...prompts.messages import message
from ..calculation.answer import shown_place
from ..question.entity_linking import capitalised_names
from ..question.plan import QuestionPlan
from ..question.scope.absent_company import AbsentCompany
from ..question.scope.periods import PeriodReading
from ..search.evidence import Evidence
from .extractive.requirements.subject import chinese_subjects
from .extractive.sentence_scoring import Quote
from .generative.prompts import shown_name

_GUESSED = ("spelling", "blend", "ticker", "alias")
"""Ways of reading a name that may be wrong; initials and well-known names need no remark."""
_MOST_SOURCES = 3
_MOST_NAMES = 5
_LONGEST_TOPIC = 90


def remarks_on(plan: QuestionPlan) -> list[str]:
    """A line each, in the language of the question; nothing where all was read as it stands."""
    names = [reading for reading in plan.taken_for if reading.how in _GUESSED]
    lines = [message("taken_for", plan.language, written=name.written, name=name.name) for name in names]
    transcribed = plan.catalogue.companies.transcribed(plan.asked.trimmed)
    for written, known in (*plan.asked.taken, *transcribed):
        lines.append(message("taken_for", plan.language, written=written, name=known))
    for readings in plan.selection.readings.values():
        for reading in readings:
            lines += _on_period(plan, reading)
    note = message("note", plan.language)
    return [f"{note}{line}" for line in dict.fromkeys(lines)]


def _on_period(plan: QuestionPlan, reading: PeriodReading) -> Iterator[str]:
    language, asked = plan.language, reading.asked
    other = _sources(plan, reading.others)
    if reading.how == "own":
        yield message("period_as_company_counts", language, asked=asked, other=other)
        return
    if reading.own is None:
        return
    if reading.how == "calendar":
        yield message("period_by_calendar", language, asked=asked, own=reading.own)
        return
    source = _sources(plan, reading.taken)
    yield message("period_by_file_name", language, asked=asked, source=source, own=reading.own)
    if other:
        yield message("period_by_file_name_also", language, asked=asked, other=other)


def _sources(plan: QuestionPlan, records: Iterable[DocumentRecord]) -> str:
    names = [short_name(record.source, plan.catalogue.by_source) for record in records]
    return ", ".join(shown_name(name, plan.language) for name in names[:_MOST_SOURCES])


def not_found(
    plan: QuestionPlan, evidence: Sequence[Evidence], *, scope_notes: Sequence[str] = (), absent: Sequence[str] = ()
) -> str:
    """An honest refusal: which name no document mentions, which filter no document passes, or what came closest."""
    documents = len(plan.catalogue.records)
    empty = [note for note in scope_notes if note.startswith("no document of that")]
    if empty and not evidence:
        return message("out_of_scope", plan.language, reason="; ".join(empty), documents=documents)
    if absent:
        others = _companies(plan)
        return message(
            "not_mentioned",
            plan.language,
            documents=documents,
            names=", ".join(dict.fromkeys(absent)),
            companies=others,
        )
    closest = _closest(plan, evidence[0]) if evidence else "-"
    looked = searched(plan)
    if _names_somebody(plan):
        looked += _companies(plan)
    return message("not_found", plan.language, searched=looked, closest=closest)


def _names_somebody(plan: QuestionPlan) -> bool:
    metrics = plan.vocabulary.metrics
    if plan.language == "zh":
        return bool(chinese_subjects(plan.asked.trimmed, metrics))
    return bool(capitalised_names(plan.asked.trimmed, metrics))


def _companies(plan: QuestionPlan) -> str:
    """Which companies there are documents of, names in its own writing first; "" where the question names one."""
    language = plan.language
    counted = _documents_of_each(plan)
    if not counted or plan.companies:
        return ""
    ordered = sorted(counted, key=lambda name: (is_chinese(name) != (language == "zh"), -counted[name]))
    names = [shown_name(name, language) for name in ordered[:_MOST_NAMES]]
    rest = len(counted) - len(names)
    more = message("more_companies", language, count=rest, all=len(counted)) if rest else ""
    return message("there_are", language, names=message("between_names", language).join(names), more=more)


def _documents_of_each(plan: QuestionPlan) -> dict[str, int]:
    """Each company by one of the ways in which its documents write it, with their number; not the one in capitals."""
    written: dict[str, Counter[str]] = {}
    for record in plan.catalogue.records:
        if record.companies:
            name = record.companies[0]
            written.setdefault(company_key(name), Counter())[name] += 1
    return {min(names, key=lambda name: (name.isupper(), -names[name])): names.total() for names in written.values()}


def no_document_of(plan: QuestionPlan) -> str:
    """That no document is of the companies asked about, and of whom there are some."""
    count, others = len(plan.catalogue.records), _companies(plan)
    return message("no_document_of", plan.language, names=absent_names(plan), documents=count, companies=others)


def subject_elsewhere(plan: QuestionPlan) -> str:
    """Said before what the documents of others say of a company that no document is of; "" where none is absent."""
    if not plan.absent:
        return ""
    return message("subject_elsewhere", plan.language, name=absent_names(plan))


def absent_names(plan: QuestionPlan) -> str:
    """The companies that the question asks about and no document is of."""
    names = list(dict.fromkeys(_absent_name(company) for company in plan.absent))
    return message("between_names", plan.language).join(shown_name(name, plan.language) for name in names)


def _absent_name(company: AbsentCompany) -> str:
    """The company as it calls itself, with what the question writes: a brand, a ticker, a name in another language."""
    is_said = company.written.lower() in company.name.lower()
    return company.name if is_said else f"{company.name} ({company.written})"


def figure_not_stated(plan: QuestionPlan, companies: Sequence[AbsentCompany], *, of_nobody: bool = False) -> str:
    """That no document states the figure asked for of these companies; said before what does name them, unless
    ``of_nobody``: then nothing follows."""
    names = message("between_names", plan.language).join(
        shown_name(company.name, plan.language) for company in companies
    )
    if of_nobody:
        return message("figure_not_stated", plan.language, names=names, documents=len(plan.catalogue.records))
    return message("figure_of_others", plan.language, names=names)


def not_stated(plan: QuestionPlan, names: Sequence[str]) -> str:
    """That no document states the relation that is asked of these names; "" where none is asked."""
    if not names:
        return ""
    each = [written[0] for written in grouped(names, company_key).values()]  # a name and the same in capitals are one
    values = {"names": ", ".join(each), "documents": len(plan.catalogue.records)}
    return message("not_stated", plan.language, **values)


def closest_passage(plan: QuestionPlan, evidence: Sequence[Evidence]) -> str:
    """Where the closest passage stands: a report may speak of competition at length and name no competitor."""
    return "".join(message("closest", plan.language, closest=_closest(plan, item)) for item in evidence[:1])


def searched(plan: QuestionPlan) -> str:
    """How many documents were searched, and where some were left out, of how many and for whom."""
    catalogue, language, selection = plan.catalogue, plan.language, plan.selection
    count, everything = len(selection.sources), len(catalogue.records)
    if count in (0, everything):
        return message("searched_all", language, all=everything)
    about = _searched_for(plan)
    return message("searched_some", language, searched=count, all=everything, about=about)


def _searched_for(plan: QuestionPlan) -> str:
    """For whom and when documents were left out: "" where it was for no company."""
    by_company = plan.catalogue.by_company
    records = [by_company[key][0] for key in plan.selection.companies if by_company.get(key)]
    if not records:
        return ""
    companies = [shown_name(record.companies[0], plan.language) for record in records if record.companies]
    names = dict.fromkeys((*companies, *(period.label for period in plan.asked.periods)))
    return message("searched_for", plan.language, names=", ".join(names))


def _closest(plan: QuestionPlan, item: Evidence) -> str:
    """Where the best passage stands and under which heading, so that a reader can tell whether to look there."""
    place = _place(plan, item)
    topic = " ".join(item.headings[-1].split()) if item.headings else ""
    is_readable = 0 < len(topic) <= _LONGEST_TOPIC and not is_spelled_out(topic)
    if not is_readable or gives_orders(topic):
        return place
    return message("closest_about", plan.language, place=place, topic=topic)


def _place(plan: QuestionPlan, item: Evidence) -> str:
    source = shown_name(short_name(item.source, plan.catalogue.by_source), plan.language)
    return shown_place(source, item, plan.language)


def said_elsewhere(plan: QuestionPlan, quotes: Sequence[Quote]) -> str:
    """What stands before quotations that name a company which no document is of; "" where none names one."""
    return subject_elsewhere(plan) if _name_absent(plan, quotes) else ""


def misses_absent(plan: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    """True where a well-known company that no document is of is asked about, and no quotation names it."""
    return any(company.well_known for company in plan.absent) and not _name_absent(plan, quotes)


def _name_absent(plan: QuestionPlan, quotes: Sequence[Quote]) -> bool:
    spellings = [spelling.lower() for company in plan.absent for spelling in company.spellings]
    return any(spelling in quote.text.lower() for quote in quotes for spelling in spellings)
