"""What asks, told from whatever it comes in: a mail, a ticket, a form, a template, small talk in any language.

A text is cut into lines, fields and sentences, and each is weighed by what the store knows. Beside one that asks,
another counts only where it says whom or when it is about and the question does not, where it defines a term, or where
it tells how to answer. So no wrapping has to be known: what names nothing of the store falls away by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from ...core.names import is_chinese
from ...core.patterns import PatternTable, ends_of, on_demand
from ...core.period_text import find_periods, period_places
from ...core.records import dataclass
from ...core.sequences import without
from .question import segments_of
from .wording.conversation import of_company
from .wording.talk import (
    begins_with,
    capitalised,
    content_of,
    idle_lead,
    is_asking,
    opened,
    pattern_of,
    without_speech,
)

_RULES = PatternTable(__package__, "question.toml", "focus")
_ASKS = PatternTable(__package__, "sub_questions.toml", "asks")
_LABEL = on_demand(r"^[^\W\d_][^:：=\n]{0,40}(?::|：|\s=)\s*(?=\S)")
_LONGEST_LABEL = 4
"""Words of a label: "Line item"."""
_FEWEST_TELLING = 2
"""Words of content with which a question that names nothing known asks about something."""
_MOST_BESIDE_TIME = 2
"""Words of content beside a time that a sentence lends to a question: "since 2019 I have covered consumer stocks" tells
of something else."""
_SPEECH, _LONG = 4, 6
"""Sentences beside a question that are somebody speaking, and their words."""
_CHINESE_MARKS = ("", *"。？！：；，")

Span = tuple[int, int]
Spans = Sequence[Span]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Where a text names what is known: companies of the store, figures of the vocabulary, ``strangers`` (companies
    that the market knows and the store does not) and ``others``, names that documents print."""

    companies: Callable[[str], Spans]
    figures: Callable[[str], Spans]
    strangers: Callable[[str], Spans] = lambda _: ()
    others: Callable[[str], Spans] = lambda _: ()

    def names(self, text: str) -> frozenset[str]:
        """What a text names: "company", "stranger", "figure", "period"."""
        found = {
            "company": self.companies(text),
            "stranger": self.strangers(text),
            "figure": self.figures(text),
            "period": period_places(text),
        }
        return frozenset(kind for kind, spans in found.items() if spans)

    def tells(self, text: str) -> bool:
        """True where a text names what documents can be asked about."""
        return bool(self.names(text) or self.others(text))


@dataclass(frozen=True, slots=True)
class Focus:
    """``asked`` is what asks, with what it needs; ``form`` are words on the answer that were left out of it."""

    asked: str
    form: str = ""


@dataclass(frozen=True)
class _Segment:
    """A line, a field or a sentence, and what it names."""

    text: str
    known: Knowledge

    @cached_property
    def label(self) -> str:
        """What stands before a colon and names nothing: "Priority: ", "Question: "."""
        match = _LABEL.match(self.text)
        if match is None or len(match[0].split()) > _LONGEST_LABEL or self.known.names(match[0]):
            return ""
        return "" if begins_with("narrowing", match[0]) else match[0]

    @cached_property
    def said(self) -> str:
        """The text behind its label."""
        return self.text[len(self.label) :]

    @property
    def value(self) -> str:
        """The same without marks around it."""
        return self.said.strip(" \t,;.=?？。'\"“”")

    @cached_property
    def names(self) -> frozenset[str]:
        """What the text names: "company", "stranger", "figure", "period"."""
        return self.known.names(self.text)

    @cached_property
    def content(self) -> tuple[str, ...]:
        """Words that documents may hold."""
        return content_of(self.text)

    @cached_property
    def addresses(self) -> bool:
        """True for words to or of those who take part in the talk."""
        return _RULES.any("addresses", self.said)

    @cached_property
    def lead(self) -> str:
        """What stands before a question and says nothing."""
        if is_chinese(self.text):
            return ""
        role = _role_lead(self.text, lambda lead: self.known.names(lead) - {"figure"})  # "an auditor" is one, too
        return role + idle_lead(self.text[len(role) :], self.known.tells)

    @cached_property
    def core(self) -> str:
        """The text without what runs into a question before and behind it."""
        if is_chinese(self.text):
            return _about_its_subject(_chinese_core(self), self.known)
        said = self.said if "=" in self.label else self.text[len(self.lead) :]
        begins = capitalised(said) if self.lead and not self.text.islower() else said
        return _about_its_subject(without_speech(begins, self.known.names), self.known)

    @property
    def is_marked(self) -> bool:
        """True for a text with a question mark."""
        return self.said.rstrip(" \"'’)”").endswith("?")

    @property
    def speaks(self) -> bool:
        """True for words of those who ask and answer."""
        return pattern_of("speakers").search(self.text) is not None

    @property
    def is_talk(self) -> bool:
        """True for words that are put to the listener, and for "Which one is right does not matter."."""
        states = self.text.endswith(".") and begins_with("question", opened(self.core))
        return self.addresses or (not self.is_marked and (self.speaks or states))

    @cached_property
    def asks(self) -> bool:
        """True for a question and for an order to find something out."""
        if is_chinese(self.said):
            return self.said.rstrip().endswith(("?", "？")) or _ASKS.any("zh", self.said)
        return self.is_marked or any(map(_is_order, (self.said, self.core)))

    @cached_property
    def asks_about_something(self) -> bool:
        """True for a question that can be understood by itself."""
        if not self.asks or _refers(self.core, self.known):
            return False
        if self.names:
            return True
        is_put = is_chinese(self.said) or _is_order(self.core) or _RULES.any("sentence", self.core)
        return is_put and not self.is_talk and len(self.content) >= _FEWEST_TELLING

    @property
    def is_about_answer(self) -> bool:
        """True for words on how to answer, from what, and in which case."""
        begins = opened(self.text)
        says_where = begins_with("settings", begins) and not self.content
        return says_where or begins_with("answering", begins) or begins_with("conditions", self.text)

    @cached_property
    def kind(self) -> str:
        """ "company" or "period" for a field that holds one and nothing else; else ""."""
        companies = self.known.companies(self.value) or self.known.strangers(self.value)
        for kind, spans in (("company", companies), ("period", period_places(self.value))):
            if spans and not _beside(self.value, spans).strip(" ,()'’s"):
                return kind
        return ""


def _role_lead(text: str, names: Callable[[str], Collection[str]]) -> str:
    """The role that is given before what is asked in one sentence, where it names nothing known."""
    role = pattern_of("role_before").match(text)
    return role[0] if role is not None and not names(role[0]) else ""


def _is_order(text: str) -> bool:
    return begins_with("tasks", opened(text)) or is_asking(text)


def _named_by(segments: Sequence[_Segment]) -> frozenset[str]:
    return frozenset[str]().union(*(segment.names for segment in segments))


def _beside(text: str, spans: Spans) -> str:
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return text


def _refers(text: str, known: Knowledge) -> bool:
    """True for "What was it in Canada?", which needs what was said before; "its" is of a company named first."""
    first = min((start for start, _ in known.companies(text)), default=len(text))
    return _RULES.any("points", text[:first])


def focused(text: str, known: Knowledge) -> Focus:
    """The parts of a text that ask something, and those without which they cannot be answered.

    >>> import re
    >>> known = Knowledge(lambda text: [m.span() for m in re.finditer("Acme", text)], lambda text: [])
    >>> focused("Task 7/12\\nDifficulty: hard\\n\\nWhat was Acme's revenue in 2021?", known).asked
    "What was Acme's revenue in 2021?"
    >>> focused("Company: Acme | Metric: revenue | Period: 2021", known).asked
    "What was Acme's revenue in 2021?"
    """
    segments = _with_subject([_Segment(part, known) for part in segments_of(text)])
    asking = [segment for segment in segments if segment.asks_about_something]
    fields = "" if asking else _from_fields(segments) or _from_line(text, known)
    if fields:
        return Focus(fields)
    asking = asking or _topics(segments)
    return _focused_on(asking, segments, text) if asking else Focus(text)


def _focused_on(asking: Sequence[_Segment], segments: Sequence[_Segment], text: str) -> Focus:
    first = segments.index(asking[0])
    kept = [
        segment
        for at, segment in enumerate(segments)
        if segment in asking or _is_needed(segment, asking, is_before=at < first)
    ]
    left_out = without(segments, kept)
    if _is_speech(asking, left_out):
        return Focus(text)
    asked = _from_fields(kept) or _joined([_put(segment, asking) for segment in kept])
    asked = _narrowed(asked, left_out)
    wishes = [segment.lead for segment in asking] + [segment.text for segment in filter(_may_wish, left_out)]
    is_kept = _same(asked, text) and not is_chinese(text)
    return Focus(text if is_kept else asked, _joined(filter(None, wishes)))


def _narrowed(asked: str, beside: Sequence[_Segment]) -> str:
    """The question with what another sentence narrows it to: "Compare Acme and Bolt. Focus on headcount."."""
    for segment in beside:
        said = _RULES.first("narrows_to", segment.text)
        if said is None or not any(map(str.isalpha, content_of(said["of"]))):
            continue
        of = said["of"].strip(" .!。！")
        end = len(asked.rstrip(" .?!。？！"))
        joined = f"（{of}）" if is_chinese(of) else f" regarding {of}"
        asked = f"{asked[:end]}{joined}{asked[end:]}"
    return asked


def _topics(segments: Sequence[_Segment]) -> list[_Segment]:
    """The one segment that names a company and what of it or when, where no other asks or names a figure: "Acme's
    revenue in 2021". In Chinese an order to tell of something is no question, and stays whole."""
    english = [segment for segment in segments if not is_chinese(segment.text)]
    topics = [segment for segment in english if "company" in segment.names and len(segment.names) > 1]
    others = without(segments, topics)
    is_alone = not any(segment.asks and segment.content for segment in segments) and "figure" not in _named_by(others)
    return topics if len(topics) == 1 and is_alone else []


def _put(segment: _Segment, asking: Sequence[_Segment]) -> str:
    """What is kept of a segment; the only question without the mark of a list and without quotation marks."""
    if segment not in asking:
        return segment.text
    return segment.core if len(asking) > 1 else _RULES.without("frame", segment.core, "")


def _is_speech(asking: Sequence[_Segment], beside: Sequence[_Segment]) -> bool:
    """True for somebody speaking at length of no company that is known, of whose sentences each may be needed."""
    if not _named_by(asking).isdisjoint(("company", "stranger")):
        return False
    is_long = sum(len(segment.text.split()) >= _LONG for segment in beside) >= _SPEECH
    tells = is_long or any(map(_tells, beside)) or (len(asking) > 1 and any(s.content for s in beside))
    return tells or _is_headline(asking, beside)


def _tells(segment: _Segment) -> bool:
    return segment.known.tells(segment.text)


def _is_headline(asking: Sequence[_Segment], beside: Sequence[_Segment]) -> bool:
    """True for a Chinese question that names nothing known beside a sentence that speaks to nobody: "底部信号？百亿级
    私募大手笔自购"."""
    if any(map(_tells, asking)) or not is_chinese(asking[0].text):
        return False
    return any(segment.content and not segment.addresses for segment in beside)


def _is_needed(segment: _Segment, asking: Sequence[_Segment], *, is_before: bool) -> bool:
    """True for a segment that the questions beside it need, or that an answer has to heed."""
    is_definition = pattern_of("defining").search(segment.text) and (segment.names or not segment.label)
    if _supplies(segment, asking) or is_definition:
        return True
    if is_chinese(asking[0].text):
        asks_too = segment.asks and is_chinese(segment.text) and not is_before
        is_in_brackets = segment.text.startswith(("（", "(")) and not segment.addresses
        return asks_too or (is_in_brackets and segment.known.tells(segment.text))
    if segment.asks:
        return not (segment.is_talk or is_before)
    return segment.is_about_answer and not segment.label


def _supplies(segment: _Segment, asking: Sequence[_Segment]) -> bool:
    """True for a segment that names a company or a period where no question does. A day alone is that of a mail."""
    named = _named_by(asking)
    wanted = {"company", "period"} | ({"stranger"} if "company" not in named else set())
    lacking = wanted & (segment.names - named)
    if lacking != {"period"}:
        return bool(lacking)
    if all(mention.period.unit == "day" for mention in find_periods(segment.text)):
        return begins_with("narrowing", segment.text)
    is_pointed_to = _RULES.any("points_to_time", asking[-1].text)
    beside = content_of(_beside(segment.text, period_places(segment.text)))
    return is_pointed_to or "company" in segment.names or len(beside) <= _MOST_BESIDE_TIME


def _may_wish(segment: _Segment) -> bool:
    """True for words left out that may say how to answer: "保留两位小数", "Please answer in Chinese"."""
    return not segment.content or (is_chinese(segment.text) and not segment.names)


def _joined(texts: Iterable[str]) -> str:
    whole = ""
    for text in texts:
        between = " " if whole[-1:] in tuple(".?!:;") else "\n"
        whole += text if whole[-1:] in _CHINESE_MARKS else f"{between}{text}"
    return whole


def _same(one: str, other: str) -> bool:
    return "".join(one.split()) == "".join(other.split())


# --- whom a question is about, told before it


def _with_subject(segments: Sequence[_Segment]) -> Sequence[_Segment]:
    """The segments, those that ask and name nobody behind the one company that stands alone beside them."""
    subjects = {segment.value for segment in segments if segment.kind == "company"}
    if len(subjects) != 1:
        return segments
    subject = subjects.pop()
    return [_told_of(subject, segment) for segment in segments]


def _told_of(subject: str, segment: _Segment) -> _Segment:
    asks = segment.asks if is_chinese(segment.said) else _is_order(segment.said)
    if not asks or not segment.names.isdisjoint(("company", "stranger")):
        return segment
    return _Segment(f"{subject}: {segment.said}", segment.known)


def _about_its_subject(text: str, known: Knowledge) -> str:
    """The question with the company that a lead names and nothing else: "Regarding Acme: how much did it pay?"."""
    start, end = next(iter(known.companies(text)), (0, 0))
    parted = _RULES.first("behind_subject", text[end:]) if end else None
    if parted is None or not _is_idle_around_subject(text[:start], parted[0]):
        return text
    subject, asked = text[start:end], text[end + parted.end() :]
    if not asked or known.companies(asked):
        return asked if subject in asked else text
    return of_company(asked, subject)


def _is_idle_around_subject(before: str, behind: str) -> bool:
    """True for words that only say that somebody is spoken of: "With respect to Acme now: "."""
    if is_chinese(before + behind):
        return _RULES.any("chinese_subject", f"{before} {behind.strip('：，: ')}")
    begins = opened(before)
    if begins_with("question", begins) or begins_with("tasks", begins) or content_of(before):
        return False
    return not content_of(behind)


# --- within a question


def _chinese_core(segment: _Segment) -> str:
    """The clauses that name something or ask, without the label and the words of asking before them."""
    text = segment.text
    colon = max(map(text.rfind, "：:"))
    if colon >= 0 and not segment.known.names(text[:colon]):
        text = text[colon + 1 :]
    ends = [0, *ends_of(_RULES.all("chinese_clause_end")[0], text), len(text)]
    clauses = [_Segment(text[start:end], segment.known) for start, end in pairwise(ends)]
    of_whom = next((at for at, clause in enumerate(clauses) if "company" in clause.names), 0)
    said = "".join(clause.text for at, clause in enumerate(clauses) if _is_said(clause, is_before=at < of_whom))
    first = min((start for start, _ in segment.known.companies(said)), default=0)
    is_talk = not segment.known.names(said[:first]) and _RULES.any("addresses", said[:first])
    return said[first:] if is_talk else said


def _is_said(clause: _Segment, *, is_before: bool) -> bool:
    """True for a clause that names something or asks, or may narrow what is asked: before the company with a
    preposition ("为应对汇率波动，") or in words that documents print, behind it in any but those of the talk."""
    if clause.names or (clause.asks and not is_before):
        return True
    if clause.addresses or (is_before and _RULES.any("chinese_setting", clause.text)):
        return False
    may_narrow = _RULES.any("chinese_narrowing", clause.text) or clause.known.others(clause.text)
    return not is_before or bool(may_narrow)


# --- fields


def _from_line(text: str, known: Knowledge) -> str:
    """The question for fields of one line that slashes or commas part."""
    for mark in _RULES.all("between_fields"):
        parts = mark.split(text)
        fields = [_Segment(part, known) for part in parts]
        if any(field.kind == "company" for field in fields):  # "at May 1, 2021" has no fields
            return _from_fields(fields)
    return ""


def _from_fields(segments: Sequence[_Segment]) -> str:
    """ "What was Acme's revenue in 2021?" for a company, a figure and a period that each stand alone; "" otherwise."""
    bare = {segment.kind: segment.value for segment in segments if segment.kind}
    topic = _topic([segment for segment in segments if not segment.kind])
    if not bare or not topic:
        return ""
    owner = f"{bare['company']}'s " if "company" in bare else ""
    when = f" in {bare['period']}" if "period" in bare else ""
    return f"What was {owner}{topic}{when}?"


def _topic(fields: Sequence[_Segment]) -> str:
    """The one field that says what is asked for, those that name a figure first; "" where a sentence asks."""
    topics = [field for field in fields if content_of(field.value)]
    figures = [field for field in topics if field.names]
    named = figures if "figure" in _named_by(figures) else topics
    if len(named) != 1 or is_chinese(named[0].text) or _RULES.any("sentence", named[0].value):
        return ""
    return "" if _is_order(named[0].value) else named[0].value
