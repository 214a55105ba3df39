"""Answers to the broadest questions, which no passage speaks of as a whole.

Without a model: whole claims of community reports, or the steps of a path, each cited, and themes. A theme is a risk, a
rule or a rival that the statements of several companies lead to; the one that most share is first. Of one company its
risks are told so, by the classes that most of its sentences state; what it does, as its report says of itself; and what
it expects of its business.

With a model: one call a group of the graph chooses the notes that answer and says what each is worth; the call that
writes the answer gets the chosen notes of all groups instead of the few that one ranking would have had room for. What
is cited is always a note with its place, never what a model said of it. Source: Edge et al. 2024 (GraphRAG), section
3.1.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, dropwhile, takewhile
from typing import TYPE_CHECKING, Any

from ...core.errors import ModelError
from ...core.language import language_of
from ...core.names import company_key
from ...core.orders import gives_orders
from ...core.patterns import PatternTable, on_demand
from ...core.plain import first_words
from ...core.records import dataclass
from ...kg.graph import Relation, Statement
from ...models.language import Message
from ...prompts.messages import message
from ..question.plan import QuestionPlan
from ..question.wording.answer_type import holds_amount
from ..search.chunk_evidence import chunk_evidence
from ..search.evidence import Evidence, Trace
from ..search.retrievers.communities import asks_broadly, asks_for_connection
from ..search.retrievers.graph import statement_evidence
from .citations import Citations
from .extractive.asked_section import topic_of
from .extractive.quote_text import write_extract
from .extractive.relations.rosters import reported_last
from .extractive.requirements.base import fitting_documents
from .extractive.sentence_scoring import Quote
from .generative.prompts import defuse, fill, note_tag, without_orders

if TYPE_CHECKING:
    from ...ingest.chunk import Chunk
    from ...models.language import LanguageModel

MOST_GROUPS = 8
MOST_CLAIMS = 12
"""Of all groups together; each has three, so that the largest does not fill the answer."""
LONGEST = 240

Claims = dict[str, list[Evidence]]
"""Community or path -> its claims, in the order found."""


def claims_for(plan: QuestionPlan, evidence: Sequence[Evidence]) -> Claims:
    """The claims that answer a question about everything at once, or about how two things hang together.

    A question for names that is about one company is not answered by all that is related to it.
    """
    question = plan.asked
    if asks_for_connection(question):
        steps = _grouped(evidence, lambda item: "path" in item.why)
        if steps:
            return steps
    asks_names_of_one = plan.expected.kind == "name" and len(plan.companies) == 1
    if asks_names_of_one or not asks_broadly(question):
        return {}
    return _grouped(evidence, lambda item: item.kind == "community")


def write_overview(claims: Claims, citations: Citations) -> str:
    """A paragraph a group: its title, then a line a claim."""
    shown = list(claims.items())[:MOST_GROUPS]
    most = max(3, MOST_CLAIMS // len(shown))
    paragraphs: list[str] = []
    for title, items in shown:
        lines = [f"- {_line(item, citations)}" for item in items[:most]]
        paragraphs.append("\n".join([title, *lines]))
    return "\n\n".join(paragraphs)


def _grouped(evidence: Sequence[Evidence], wanted: Callable[[Evidence], bool]) -> Claims:
    groups: Claims = {}
    for item in evidence:
        if wanted(item) and item.headings and not gives_orders(item.text):
            groups.setdefault(item.headings[0], []).append(item)
    return groups


def _line(item: Evidence, citations: Citations) -> str:
    """A claim with its citation; what is cited is the sentence that says so."""
    claim, _, sentence = item.text.partition("\n" if item.kind == "community" else ": ")
    number = citations.cite(item, sentence or claim, item.start, item.end)
    return f"{first_words(claim, LONGEST)} [{number}]"


MOST_THEMES = 8
MOST_COMPANIES = 4
"""Companies of a theme that are named, each with its sentence; the others are counted."""
_LEAST_COMPANIES = 2
_RULES = PatternTable(__package__, "themes.toml", "shared")
_OWN = PatternTable(__package__, "themes.toml", "own")
_BUSINESS = PatternTable(__package__, "themes.toml", "business")
_OUTLOOK = PatternTable(__package__, "themes.toml", "outlook")
OUTLOOK_TITLES = (frozenset({"outlook"}), frozenset({"prospect"}), frozenset({"展望"}))
RISK_TITLES = (frozenset({"risk", "factor"}), frozenset({"风险", "险因", "因素"}))
"""Words of the titles under which reports state risks."""
_MOST_RISKS = 8
_TELLS_WHAT, _TELLS_ACTS, _NAMED, _UNDER_TITLE, _LATE = 1.0, 0.6, 0.3, 0.3, 0.5
"""Worth of a sentence that says what a company is, or does, that names it, that stands under a fitting title; and what
it loses that stands at the end of the report."""
_LEAST_TOLD = 0.7
_YEAR = on_demand(r"20\d\d")
_MARKS, _LONGEST_NAME = ",.’'", 8
"""Around the words of a name, and how many it may have."""
_READ_ON, _TOLD_BEHIND = 5, 2
"""Sentences behind the first that are looked at, and shown."""
_BULLETS = frozenset("•-–*·")

_WORTH_AHEAD = {"expects": 1.0, "results": 0.7, "business": 0.4, "ahead": 0.5}
"""Worth of a sentence that says what the company expects, of its results, else of its business, in a time ahead."""
_AMOUNT = 0.5
"""The same where it gives an amount; a title counts as above."""
_LEAST_EXPECTED, _MOST_EXPECTED, _BEGINNING, _MOST_REPORTS = 2.1, 4, 120, 4

Said = tuple[Relation, Statement]


@dataclass(frozen=True, slots=True)
class Theme:
    """What companies share, and for each of them the relation and the statement that says so."""

    name: str
    said: Sequence[Said]


def shared_themes(plan: QuestionPlan) -> list[Theme]:
    """The themes of the documents in scope that a broad question asks for; empty for any other question.

    Reads all relations of the store once, as finding the communities does.
    """
    text = plan.asked.trimmed
    asked = [kind for kind in _RULES if _RULES.any(kind, text)]
    if not asked or not asks_broadly(plan.asked):
        return []
    sources = set(plan.selection.sources)
    by_theme: dict[str, dict[str, Said]] = {}
    names: dict[str, str] = {}
    for relation in plan.store.all_relations():
        if relation.relation not in asked:
            continue
        said = next((one for one in relation.statements if one.document in sources and _can_be_shown(one)), None)
        if said is not None:
            names[relation.tail.id] = relation.tail.name
            by_theme.setdefault(relation.tail.id, {}).setdefault(relation.head.id, (relation, said))
    themes = [Theme(names[id], list(own.values())) for id, own in by_theme.items() if len(own) >= _LEAST_COMPANIES]
    themes.sort(key=lambda theme: (-len(theme.said), theme.name))
    return themes[:MOST_THEMES]


def write_themes(themes: Sequence[Theme], plan: QuestionPlan, citations: Citations) -> str:
    """A line a theme: its name, how many companies share it, and some of them with page and citation."""
    lines, between = [message("themes", plan.language)], message("between_names", plan.language)
    for theme in themes:
        named = [_named(item, plan, citations) for item in theme.said[:MOST_COMPANIES]]
        shared = message("theme", plan.language, name=theme.name, count=len(theme.said), named=between.join(named))
        lines.append(f"- {shared}")
    return "\n".join(lines)


# --- what one company is exposed to


def asks_for_risks(plan: QuestionPlan) -> bool:
    """True for a question for the risks of one company, and for nothing else of them."""
    if len(plan.companies) != 1 or not _OWN.any("asks", plan.asked.trimmed):
        return False
    return all(_OWN.any("idle", word) for word in topic_of(plan))


def _told_risks(plan: QuestionPlan) -> list[tuple[Relation, list[Statement]]]:
    """Each risk with what the company's reports in scope state of it, the most first."""
    sources = fitting_documents(plan)
    firms = [link.entity.id for link in plan.linked_with_companies if link.entity.type == "company"]
    told: list[tuple[Relation, list[Statement]]] = []
    for relation in plan.relations_around(firms, kinds={"exposed_to"}):
        told.append((relation, [one for one in relation.statements if one.document in sources and _can_be_shown(one)]))
    return sorted(told, key=lambda pair: (-len(pair[1]), pair[0].tail.name))


def _rank(said: Statement, plan: QuestionPlan) -> tuple[int, bool, int]:
    """Orders the sentences on a risk: of the latest report, whole ones before items and headings, by place."""
    is_part = said.text.lstrip()[:1] in _BULLETS or said.text.isupper()
    return reported_last(said.document, plan), is_part, said.start


def write_risks(plan: QuestionPlan, citations: Citations) -> str:
    """A line a risk of the company asked about: its class, and the sentence that states it; "" for fewer than two.

    Those that most sentences state come first, each with a sentence of its own out of the latest report.
    """
    shown: dict[str, Said] = {}
    for relation, said in _told_risks(plan):
        new = [one for one in said if one.text not in shown]
        if new and len(shown) < _MOST_RISKS:
            latest = min(new, key=lambda one: _rank(one, plan))
            shown[latest.text] = (relation, latest)
    lines: list[str] = []
    for relation, latest in shown.values() if len(shown) > 1 else ():
        number = citations.cite(_evidence(relation, latest, plan), latest.text, latest.start, latest.end)
        told = _OWN.without("before", latest.text, "")
        lines.append(f"- {relation.tail.name}: {first_words(told, LONGEST)} [{number}]")
    return "\n".join(lines)


def write_business(plan: QuestionPlan, citations: Citations) -> str:
    """What the one company asked about does, as its latest report puts it; "" where that is not asked or not told."""
    if not _BUSINESS.any("asks", _without_name(plan)):
        return ""
    return write_extract(plan.store, _told_of_business(plan), citations)


def asks_for_outlook(plan: QuestionPlan) -> bool:
    """True for a question for what one company expects, and for no figure of it."""
    return _OUTLOOK.any("asks", " ".join(_OUTLOOK.without("when", _without_name(plan)).split()))


def write_outlook(plan: QuestionPlan, citations: Citations) -> str:
    """What the one company asked about expects of its business, as the latest report that says so puts it; else ""."""
    for source in sorted(plan.selection.certain, key=lambda source: reported_last(source, plan))[:_MOST_REPORTS]:
        by_worth = sorted(_expected(plan, source), key=lambda one: (one.score, -one.start))
        best = list({" ".join(one.text.split()): one for one in by_worth}.values())[-_MOST_EXPECTED:]
        if best:
            return write_extract(plan.store, sorted(best, key=lambda one: one.start), citations)
    return ""


def _without_name(plan: QuestionPlan) -> str:
    """The question without the one company's name and its legal form, "What does do"; "" where it names none or two."""
    text = plan.asked.trimmed
    spans = plan.catalogue.companies.spans(text)
    if len(spans) != 1 or plan.absent:
        return ""
    start, end = spans[0]
    records = plan.catalogue.records_from(fitting_documents(plan))
    names = _Names.of([name for record in records for name in record.companies])
    words = (
        word.removesuffix("’s").removesuffix("'s").strip(_MARKS) for word in text[end:].lower().strip(" ,").split()
    )
    behind = dropwhile(names.words.__contains__, words)
    return " ".join((*text[:start].lower().split(), *behind)).strip(" ?？.!")


def _told_of_business(plan: QuestionPlan) -> list[Quote]:
    """The sentence in which a report says best what the company is, with those behind it that say what it does."""
    latest = sorted(fitting_documents(plan), key=lambda source: reported_last(source, plan))[:1]
    sentences = list(chain.from_iterable(_sentences(plan, source) for source in latest))
    best = max(range(len(sentences)), key=lambda at: sentences[at].score, default=0)
    if not sentences or sentences[best].score < _LEAST_TOLD:
        return []
    behind = [one for one in sentences[best + 1 : best + _READ_ON] if one.score > 0]
    return [sentences[best], *behind[:_TOLD_BEHIND]]


def _sentences(plan: QuestionPlan, source: str) -> Iterator[Quote]:
    """The sentences of prose in which a document speaks of its company, each with how well it says what that is."""
    text = plan.store.text(source)
    names = _Names.of(plan.catalogue.by_source[source].companies)
    for chunk, start, end in _prose(plan, source):
        said = text[start:end]
        named, of_itself = names.subject(_BUSINESS.without("opening", said, ""))
        if of_itself and not _BUSINESS.any("formal", said):
            under = bool(chunk.headings) and _BUSINESS.any("titles", chunk.headings[-1])
            told = _TELLS_WHAT * _BUSINESS.any("is", of_itself) + _TELLS_ACTS * _BUSINESS.any("does", of_itself)
            score = told + _NAMED * named + _UNDER_TITLE * under - _LATE * start / len(text)
            yield Quote(chunk_evidence(chunk, score, {}), said, start, end, score=told and score)


def _expected(plan: QuestionPlan, source: str) -> Iterator[Quote]:
    """The sentences of a report that say what the company expects of its business, each with its worth."""
    text, period = plan.store.text(source), plan.catalogue.by_source[source].period
    years = {str(asked.year) for asked in plan.asked.periods}
    near = [str(period.year), str(period.year + 1)] if period else years  # what a sentence without a year speaks of
    for chunk, start, end in _prose(plan, source):
        said = text[start:end]
        if not _is_expectation(said) or any(_OUTLOOK.any("elsewhere", title) for title in chunk.headings):
            continue
        if years and years.isdisjoint(_YEAR.findall(said) or near):
            continue
        worth = sum(value for name, value in _WORTH_AHEAD.items() if _OUTLOOK.any(name, said))
        worth += _AMOUNT * holds_amount(said)
        worth += _UNDER_TITLE * any(_OUTLOOK.any("titles", title) for title in chunk.headings)
        if worth >= _LEAST_EXPECTED:
            yield Quote(chunk_evidence(chunk, worth, {}), said, start, end, score=worth)


def _is_expectation(said: str) -> bool:
    """True for a sentence that begins with what the company expects, of its business rather than of its books."""
    begins = _OUTLOOK.first("expects", said)
    return begins is not None and begins.start() < _BEGINNING and not _OUTLOOK.any("formal", said)


def _prose(plan: QuestionPlan, source: str) -> Iterator[tuple[Chunk, int, int]]:
    """Where the sentences of a document's prose stand, each with its chunk."""
    for chunk in plan.store.chunks_of(source):
        if chunk.kind == "text":
            for start, end in chunk.printed:
                yield chunk, start, end


@dataclass(frozen=True, slots=True)
class _Names:
    """The words of a company's names, in small letters, and those that tell it from others."""

    words: frozenset[str]
    own: frozenset[str]

    @classmethod
    def of(cls, names: Sequence[str]) -> _Names:
        words = (word.strip(_MARKS) for word in " ".join(names).lower().split())
        return cls(frozenset(words), frozenset(" ".join(map(company_key, names)).split()))

    def subject(self, said: str) -> tuple[bool, str]:
        """Whether a sentence begins with the name, and what it says of itself behind that or "we"; "" for any other."""
        itself = _BUSINESS.first("itself", said)
        if itself is not None:
            return False, _BUSINESS.without("between", said[itself.end() :], "")
        begins = [word.strip(_MARKS).lower() for word in said.split()[:_LONGEST_NAME]]
        name = list(takewhile(self.words.__contains__, begins))
        if self.own.isdisjoint(name) or len(name) == len(said.split()):
            return False, ""
        return True, _BUSINESS.without("between", said.split(maxsplit=len(name))[-1], "")


def _can_be_shown(said: Statement) -> bool:
    return said.modality != "negated" and not gives_orders(said.text)


def _named(item: Said, plan: QuestionPlan, citations: Citations) -> str:
    """ "Acme (p. 12) [3]": who shares a theme, and where its document says so."""
    relation, said = item
    evidence = _evidence(relation, said, plan)
    number = citations.cite(evidence, said.text, said.start, said.end)
    page = message("theme_page", plan.language, page=evidence.page) if evidence.page else ""
    return f"{relation.head.name}{page} [{number}]"


def _evidence(relation: Relation, said: Statement, plan: QuestionPlan) -> Evidence:
    pages = plan.store.pages({said.document}).get(said.document, ())
    return statement_evidence(said.confidence, relation, said, plan.vocabulary.schema, pages)


FOUND = 240
"""Notes that the search gives for the groups to choose from."""
_MOST_GROUPS = 8
"""Groups that are read, and so calls; the largest and best fitting come first."""
_MOST_NOTES = 40
"""Notes of a group that a call reads: about 3,000 tokens."""
_LEAST_NOTES = 2
"""A group of one note needs no reading."""
_BEST = 10
"""What a note is worth at most; 0 says that it does not answer."""
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "notes": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"note": {"type": "integer"}, "worth": {"type": "integer"}},
                "required": ["note", "worth"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["notes"],
    "additionalProperties": False,
}

Group = Sequence[Evidence]


def chosen_of_groups(model: LanguageModel, question: str, notes: Sequence[Evidence], trace: Trace) -> list[Evidence]:
    """The notes of community reports that answer a question, best first, those of every group in turn.

    A group whose call fails, or whose reply is of no use, keeps its notes in the order of the search. The trace says
    how many groups were read and what came of each.
    """
    groups = _groups(notes)
    requests = [_messages(question, group) for group in groups]
    chosen: dict[int, list[tuple[int, Evidence]]] = {}
    failed: dict[int, str] = {}

    def report(index: int, error: ModelError) -> None:
        failed[index] = str(error)

    for index, reply in model.replies(requests, schema=_SCHEMA, failed=report):
        chosen[index] = _read(reply.data, groups[index])
    ranked: list[Sequence[tuple[int, Evidence]]] = [
        chosen.get(index) or [(0, note) for note in group] for index, group in enumerate(groups)
    ]
    trace.note("groups read", {"groups": len(groups), "chosen": list(map(len, ranked)), "failed": failed})
    return _in_turn(ranked)


def _groups(notes: Sequence[Evidence]) -> list[Group]:
    """The notes by their community, in the order found."""
    by_title: dict[str, list[Evidence]] = {}
    for note in notes:
        if note.kind == "community" and note.headings:
            by_title.setdefault(note.headings[0], []).append(note)
    groups: list[Group] = [own[:_MOST_NOTES] for own in by_title.values() if len(own) >= _LEAST_NOTES]
    return groups[:_MOST_GROUPS]


def _messages(question: str, group: Group) -> list[Message]:
    """The chat that asks which notes of a group answer."""
    language = language_of(question)
    tag = note_tag(question, group)
    lines = [f"[{number}] {defuse(without_orders(note.text))}" for number, note in enumerate(group, 1)]
    title = defuse(without_orders(group[0].headings[0]))
    asked = fill("group_question", language, tag=tag, title=title, notes="\n".join(lines), question=question)
    return [Message("system", fill("group_notes", language, tag=tag, best=_BEST)), Message("user", asked)]


def _read(data: Any, group: Group) -> list[tuple[int, Evidence]]:
    """The notes that a reply names, with what they are worth; numbers that are none of the group's are left out."""
    rows = data.get("notes", []) if isinstance(data, Mapping) else []
    worth: dict[int, int] = {}
    for row in rows if isinstance(rows, list) else []:
        number, value = (row.get("note"), row.get("worth")) if isinstance(row, Mapping) else (None, None)
        if isinstance(number, int) and isinstance(value, int) and 1 <= number <= len(group) and value > 0:
            worth[number] = max(worth.get(number, 0), min(value, _BEST))
    ordered = sorted(worth, key=lambda number: (-worth[number], number))
    return [(worth[number], group[number - 1]) for number in ordered]


def _in_turn(groups: Sequence[Sequence[tuple[int, Evidence]]]) -> list[Evidence]:
    """The best note of each group, then the second of each; in a round the best first."""
    rounds = max(map(len, groups), default=0)
    chosen: list[Evidence] = []
    for place in range(rounds):
        row = [group[place] for group in groups if place < len(group)]
        row.sort(key=lambda pair: -pair[0])
        chosen.extend(note for _, note in row)
    return chosen
