"""What lists and headings state: a line above the items gives the relation, the items are names.

The lead-ins and the classes of risks are data: ``lists.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from ....core.names import has_legal_form, is_chinese
from ....core.patterns import PatternTable, until
from ....core.records import dataclass
from ....core.rules import load_rules
from ....core.triggers import Words, folded, trigger_words
from ....ingest.document import Segment
from ...triple import Triple
from .cells import clean, is_company, named, place_in, same_name
from .filing import LEAD, LONGEST_TITLE, SENTENCE, Filing, lines_of, sentences_of, split_lead
from .table_rules import Claim

_SUBSIDIARIES = PatternTable(__package__, "lists.toml", "subsidiaries")
_SEGMENTS = PatternTable(__package__, "lists.toml", "segments")
_RISKS = PatternTable(__package__, "lists.toml", "risks.headings")
_EXPOSURES = PatternTable(__package__, "lists.toml", "risks.exposures")
_CHINA = re.compile(r"People['’]s Republic (?:of )?China")
_BULLET = re.compile(r"^(?:[•●▪◦*·-]|\(?(?:\d{1,2}|[a-z])[.)])\s{0,9}")
_ITEM_END = re.compile(r"\.(?=\s|$)|[:;,，；。：—–(（®™]|\s-\s|\s(?:which|that|is|are|was|were)\b|\sand$")
_BEFORE_SHORT_FORM = re.compile(
    r"[A-Z][\w&'’-]+(?:,? (?:and |of |the |& ){0,2}[A-Z][\w&'’-]+){1,9} (?=\([A-Z][A-Za-z&]{1,9}\))"
)
"""A name that goes on over commas to its short form in brackets: "Africa, Middle East and South Asia (AMESA)"."""
_MOST_PARTS = 12
"""Segments that one list can go on over: pages break lists."""
_MOST_CLASSES = 2
_FULL_STOP = re.compile(r"\.(?:\s|$)")
_LEAST_COUNTED = 3
"""Semicolons of a sentence that counts up what may go wrong."""
_MOST_LINE_WORDS = 16
_RISK_NAME = 14
"""Characters within which a Chinese heading calls its matter a risk."""
_BELOW_TITLE = 4
"""Paragraphs, the title among them, that surely speak of the risk that a title names."""
_SHORTEST_RISK, _LONGEST_RISK = 30, 420
"""Characters of a heading that says what the risk is."""


@dataclass(frozen=True, slots=True)
class _List:
    lead: re.Pattern[str]
    cell: str
    claim: Claim


def subsidiaries(filing: Filing) -> Iterator[Triple]:
    """The lines of exhibit 21 where no table was recognised: a name and its place, or the other way round."""
    inside = guarantee = False
    for segment in filing.document.segments:
        text = filing.text[segment.start : segment.end]
        first_line = text.partition("\n")[0].strip()
        guarantee = _SUBSIDIARIES.any("guarantee", text) or (guarantee and inside)
        if _SUBSIDIARIES.any("section", first_line[:LONGEST_TITLE]) and "|" not in text:
            inside = True
        elif inside and _SUBSIDIARIES.any("end", first_line):
            inside = False
        if not inside or segment.kind == "table":
            continue
        for name, place, start, end in _subsidiary_lines(filing.text, segment):
            if same_name(name, filing.filer):
                continue
            firm, at = (name, "company"), (start, end)
            yield filing.said(firm, "subsidiary_of", filing.firm, at)
            yield filing.said(firm, "incorporated_in", (place, "place"), at)
            if guarantee:
                yield filing.said(firm, "guarantees", filing.firm, at)


def _subsidiary_lines(text: str, segment: Segment) -> Iterator[tuple[str, str, int, int]]:
    """Each subsidiary with its place and where both stand: on one line, or the place on the line below the name."""
    lines = list(lines_of(text, segment.start, segment.end))
    above, begin = "", 0
    for number, (line, start) in enumerate(lines):
        below = lines[number + 1][0] if number + 1 < len(lines) else ""
        name, place, is_above = _subsidiary_on(line, above, below)
        if name and not is_above:
            begin = start
        if name and place:
            doubled = _SUBSIDIARIES.first("form_behind", clean(name))
            yield doubled["name"] if doubled else clean(name), place, begin, start + len(line)
            above = ""
        elif not _SUBSIDIARIES.any("form", line):
            above, begin = (line if _may_be_name(line) else ""), start


def _subsidiary_on(line: str, above: str, below: str) -> tuple[str, str, bool]:
    """The name and the place that end on a line, and whether the name stands on a line above it."""
    name, place = _name_and_place(line)
    if place_in(line):
        return above, place_in(line), True
    if name and place_in(below) and not line.endswith(place):
        return "", place, False  # "Las Vegas Arena Management, LLC", with its place below
    return name, place, False


def _may_be_name(line: str) -> bool:
    """True for a line that a place may follow on the next."""
    is_like_one = line[0].isupper() and len(line.split()) < _MOST_LINE_WORDS
    return is_like_one and not _SUBSIDIARIES.any("no_name", line)


def lists(filing: Filing) -> Iterator[Triple]:
    """Items below a line that says what they are."""
    segments = filing.document.segments
    for number, segment in enumerate(segments):
        if segment.kind == "table":
            continue
        text = filing.text[segment.start : segment.end]
        if ":" not in text and "：" not in text:
            continue
        lead, _, below = split_lead(text)
        if not lead:
            continue
        for rule in _lists():
            if rule.lead.search(lead):
                first = segment.end - len(below)
                yield from _items(filing, rule, lead, first, segment.end, segments[number + 1 :])
                break


def segments(filing: Filing) -> Iterator[Triple]:
    """Headings that call what is below them a segment: "Domestic Streaming Segment"."""
    for segment in filing.document.segments:
        if segment.kind != "heading":
            continue
        title = " ".join(filing.text[segment.start : segment.end].split())
        match = _SEGMENTS.first("heading", title) if len(title) < LONGEST_TITLE else None
        name = named(match["name"], "name", filing.known) if match else ""
        if name:
            yield filing.said(filing.firm, "has_segment", (name, "segment"), (segment.start, segment.end))


def _items(filing: Filing, rule: _List, lead: str, start: int, end: int, after: Sequence[Segment]) -> Iterator[Triple]:
    """The items in the rest of the segment, and in those that follow where it has none or ends within the list."""
    own = filing.text[start:end].strip()
    if own:
        yield from _named_items(filing, rule, start, end)
        if not own.endswith((";", "; and")):
            return  # else it goes on over a page
    for segment in after[:_MOST_PARTS]:
        is_text = segment.kind in ("list", "paragraph")
        found = list(_named_items(filing, rule, segment.start, segment.end)) if is_text else []
        if not found:
            return
        yield from found


def _named_items(filing: Filing, rule: _List, start: int, end: int) -> Iterator[Triple]:
    """The items of a stretch of text; none where a line of it is no item.

    Below a bullet a line without one goes on with its item.
    """
    items: list[Triple] = []
    has_bullets = False
    for line, low in lines_of(filing.text, start, end):
        bullet = _BULLET.match(line)
        if has_bullets and bullet is None:
            continue
        has_bullets = bullet is not None
        name = _item_of(filing, rule, line, bullet)
        if name and not same_name(name, filing.filer):
            items.append(rule.claim.of_item(filing, name, low, low + len(line)))
        elif bullet is None and not name:
            return
    yield from items


def _item_of(filing: Filing, rule: _List, line: str, bullet: re.Match[str] | None) -> str:
    """The name that a line of a list begins with; "" for none, and for prose."""
    rest = line[bullet.end() :] if bullet else line
    short = _BEFORE_SHORT_FORM.match(rest)
    stop = _ITEM_END.search(rest, short.end() if short else 0)
    item = rest[: stop.start()] if stop else rest
    if stop and stop[0] == "." and has_legal_form(item):
        item += "."
    is_prose = bullet is None and stop is not None and rest[stop.start() :] not in (";", ",")
    return "" if is_prose else named(item.strip(), rule.cell, filing.known)


def risks(filing: Filing) -> Iterator[Triple]:
    """The classes of risk that the headings of the risk factors name."""
    inside = False
    for segment in filing.document.segments:
        if segment.kind not in ("heading", "paragraph"):
            continue
        text = " ".join(filing.text[segment.start : segment.end].split())
        if segment.kind == "heading" and _RISKS.any("end", text):
            inside = False
        elif segment.kind == "heading" and len(text) < LONGEST_TITLE and _RISKS.any("section", text):
            inside = not is_chinese(text)
            continue
        below = any(_RISKS.any("section", heading) for heading in segment.headings[-3:])
        if not (inside or below) or not _names_risk(text, segment.kind == "heading"):
            continue
        for name in classes_of_risk(_without_effects(text), filing.document.metadata.language):
            yield filing.said(filing.firm, "exposed_to", (name, "risk"), (segment.start, segment.end))


def warnings(filing: Filing) -> Iterator[Triple]:
    """The risks that a caution about forward-looking statements counts up, in one sentence or below it."""
    lead = False
    for segment in filing.document.segments:
        if segment.kind == "table":
            continue
        text = filing.text[segment.start : segment.end].replace("\n", " ")
        if _RISKS.any("caution", text):
            yield from _counted_in_sentence(filing, text, segment)
        is_item = segment.kind != "heading" and _BULLET.match(text) is not None
        if is_item and lead:
            yield from _counted(filing, segment.start, segment.end, "\n")
        end = text[-LEAD:]
        is_caution = _RISKS.any("caution", end) and not _RISKS.any("no_caution", end)
        is_caution = is_caution or (_in_risk_factors(segment) and _RISKS.any("list_of_harms", end))
        lead = is_caution or (lead and is_item) if segment.kind != "heading" else _RISKS.any("list_of_risks", text)


def exposures(filing: Filing) -> Iterator[Triple]:
    """The risks that sentences say the firm is exposed to, or that could harm it; one of each sentence.

    Below the title of a risk a sentence that says what could go wrong, but not by what, speaks of that risk.
    """
    titled: list[str] = []
    harms = "clear_harms"
    below = 0
    for segment in filing.document.segments:
        text = " ".join(filing.text[segment.start : segment.end].split())
        is_title = _names_risk(text, segment.kind == "heading")
        if is_title or segment.kind == "heading":
            is_factor = _in_risk_factors(segment)
            titled = _classes_of_cause(text, filing.document.metadata.language) if is_title and is_factor else []
            harms = "harms" if is_factor else "clear_harms"
            below = 1
            continue
        below += 1
        if segment.kind == "table" or _RISKS.any("caution", text):
            continue
        # Page breaks hide titles: what stands further down may be about another risk.
        near = titled if below <= _BELOW_TITLE else []
        told = _risks_of_sentences(filing, segment, harms, near) or _risk_of_title(filing, segment, titled, text)
        for name, place in told:
            yield filing.said(filing.firm, "exposed_to", (name, "risk"), place)


def _risks_of_sentences(
    filing: Filing, segment: Segment, harms: str, titled: Sequence[str]
) -> list[tuple[str, tuple[int, int]]]:
    """The risks that the sentences of a paragraph speak of, each with its place."""
    told: list[tuple[str, tuple[int, int]]] = []
    for sentence, start, end in sentences_of(filing.text, segment.start, segment.end):
        names = {name for name, _ in told}
        name = _risk_told(sentence, harms, titled, names, filing.document.metadata.language)
        if name:
            told.append((name, (start, end)))
    return told


def _risk_of_title(
    filing: Filing, segment: Segment, titled: Sequence[str], text: str
) -> list[tuple[str, tuple[int, int]]]:
    """The risk that a title names, where a paragraph below it has words of this risk and of what may come of it.

    No sentence of it need say both; but as the title may be another's, words of the risk have to be its own.
    """
    if not titled or _EXPOSURES.any("denied", text) or not _EXPOSURES.any("harms", text):
        return []
    own = classes_of_risk(_without_effects(text), filing.document.metadata.language, most=None)
    return [(titled[0], (segment.start, segment.end))] if titled[0] in own else []


def _in_risk_factors(segment: Segment) -> bool:
    return any(map(_names_risk_factors, segment.headings[-4:]))


@lru_cache(maxsize=64)
def _names_risk_factors(heading: str) -> bool:
    return _RISKS.any("section", heading)


def _risk_told(sentence: str, harms: str, titled: Sequence[str], told: Container[str], language: str) -> str:
    """The class of risk that a sentence speaks of: by its own words, else that of the title above; "" for none.

    ``harms`` names the words that say what could go wrong; ``told`` are the risks that the paragraph has spoken of.
    """
    name = _risk_named(_without_effects(sentence), harms, titled, told, language)
    return "" if name and _EXPOSURES.any("denied", sentence) else name


def _risk_named(sentence: str, harms: str, titled: Sequence[str], told: Container[str], language: str) -> str:
    """As :func:`_risk_told`, also of a sentence that denies it."""
    names = classes_of_risk(_told_of(sentence), language)
    if names:
        return names[0]
    relied = _EXPOSURES.first("relies", sentence) if harms == "harms" else None
    if relied is not None:
        names = classes_of_risk(sentence[relied.start() :], language)
        return next((name for name in names if _EXPOSURES.any("of_others", name)), "")
    if not _EXPOSURES.any(harms, sentence):
        return ""
    names = classes_of_risk(_cause_in(sentence), language)
    within = classes_of_risk(sentence, language)
    if titled and (titled[0] in within or not within):
        names = list(titled)  # what names another risk than the title, but not as a cause, is left alone
    return next((name for name in names[:1] if name not in told), "")


def _classes_of_cause(title: str, language: str) -> list[str]:
    """The classes of what a title says could do harm; those of all its words where the cause is of no class."""
    title = _without_effects(title)
    return classes_of_risk(_told_of(title) or _cause_in(title), language) or classes_of_risk(title, language)


def _cause_in(sentence: str) -> str:
    """The words of a sentence that name what could go wrong: its condition, else what stands before "could"."""
    condition = _EXPOSURES.first("condition", sentence)
    if condition is not None:
        return condition["cause"]
    return SENTENCE.split(_EXPOSURES.all("possible")[0].split(sentence)[0])[-1]


def _without_effects(text: str) -> str:
    """A text without the general words for harm that it counts up: "our business, cash flows and liquidity"."""
    return _EXPOSURES.all("effects")[0].sub(lambda m: "it" if _EXPOSURES.any("generic", m[0]) else m[0], text)


def _told_of(sentence: str) -> str:
    """The words of a sentence that say what the firm is exposed to, or what could harm it; "" for none."""
    behind = _EXPOSURES.first("behind", sentence)
    if behind is not None:
        return sentence[behind.end() :]
    before = _EXPOSURES.first("before", sentence)
    return SENTENCE.split(sentence[: before.start()])[-1] if before is not None else ""


def _counted_in_sentence(filing: Filing, text: str, segment: Segment) -> Iterator[Triple]:
    """What cautioning sentences count up, between semicolons or else commas."""
    for first in _RISKS.each("counted", text):
        end = until(_FULL_STOP, text, first.end())
        start = segment.start + first.end()
        if text.count(";", first.end(), end) >= _LEAST_COUNTED:
            yield from _counted(filing, start, segment.start + end, ";")
        elif text.count(",", first.end(), end) >= 2 * _LEAST_COUNTED:
            yield from _counted(filing, start, segment.start + end, ",")


def _counted(filing: Filing, start: int, end: int, mark: str) -> Iterator[Triple]:
    """The class of the first risk that each part of a stretch of text names."""
    at = start
    for part in filing.text[start:end].split(mark):
        names = classes_of_risk(" ".join(part.split()), filing.document.metadata.language)
        if names and len(part) <= _LONGEST_RISK:
            yield filing.said(filing.firm, "exposed_to", (names[0], "risk"), (at, at + len(part)))
        at += len(part) + 1


def _name_and_place(line: str) -> tuple[str, str]:
    """The subsidiary and the place of a line that ends, or begins, with a place; ("", "") for another line."""
    words = _CHINA.sub("China", line).split()
    if place_in(line) or not 2 < len(words) < _MOST_LINE_WORDS or _SUBSIDIARIES.any("no_name", line):
        return "", ""
    for count in range(min(4, len(words) - 1), 0, -1):
        for place, name in ((words[-count:], words[:-count]), (words[:count], words[count:])):
            found, company = place_in(" ".join(place)), clean(" ".join(name))
            is_sure = place == words[-count:] or is_company(company)
            if found and company[:1].isupper() and is_sure:
                return _without_state(company) or (company, found)
    return "", ""


def _without_state(company: str) -> tuple[str, str] | None:
    """The name and the state of "Bolt, Inc. Delaware,", which stood before "United States"; None for a name alone."""
    if not company.endswith(","):
        return None
    words = company.rstrip(",").split()
    for count in range(min(3, len(words) - 1), 0, -1):
        state, name = place_in(" ".join(words[-count:])), " ".join(words[:-count])
        if state and has_legal_form(name):
            return name, state
    return None


def _names_risk(text: str, is_heading: bool) -> bool:
    """True for a heading, or a sentence of its own, that says what the risk is; in Chinese for one called a risk."""
    if is_chinese(text):
        return "风险" in text[:_RISK_NAME] and len(text) <= _LONGEST_RISK
    if is_heading and len(text) < LONGEST_TITLE:
        return not _RISKS.any("no_heading", text) and not text.endswith(":")
    is_sentence = _SHORTEST_RISK <= len(text) <= _LONGEST_RISK and text.endswith(".")
    return is_sentence and SENTENCE.search(text) is None and not _RISKS.any("no_heading", text)


def classes_of_risk(text: str, language: str, *, most: int | None = _MOST_CLASSES) -> list[str]:
    """The classes of risk that a heading speaks of, in the order of its words, at most two; all with ``most=None``."""
    plain = folded(text)
    told = frozenset(filter(plain.__contains__, _risk_words()))
    if not told:
        return []
    found: list[tuple[int, str]] = []
    for names, words, triggers in _risk_classes():
        match = None if told.isdisjoint(triggers) else words.search(text)
        if match:
            found.append((match.start(), names[language]))
    return [name for _, name in sorted(found)[:most]]


@cache
def _lists() -> tuple[_List, ...]:
    rules = load_rules(__package__, "lists.toml")["lists"]
    return tuple(
        _List(re.compile(rule["lead"], re.IGNORECASE), rule["cell"], Claim.parse(rule["says"])) for rule in rules
    )


@cache
def _risk_words() -> Words:
    """The words without which no class of risk is found."""
    return frozenset().union(*(triggers for _, _, triggers in _risk_classes()))


@cache
def _risk_classes() -> tuple[tuple[Mapping[str, str], re.Pattern[str], Words], ...]:
    """Each class with its words, and those without which they are not found: a sentence speaks of few classes."""
    classes = load_rules(__package__, "lists.toml")["risks"]["classes"]
    return tuple(
        (rule, re.compile(rule["words"], re.IGNORECASE), trigger_words(rule["words"]) or frozenset({""}))
        for rule in classes
    )
