"""What lists, signatures, headings and exhibits state: a line above them gives the relation, they give the names.

The lead-ins, the forms of contracts and the classes of risks are data: ``lists.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from ....core.names import has_legal_form, is_chinese, name_key
from ....core.patterns import PatternTable
from ....core.period import Period
from ....core.period_text import first_period
from ....core.rules import load_rules
from ....ingest.document import Document, Segment
from ....ingest.table import Table
from ...triple import Triple
from ..rules.runs import find_runs
from .cells import (
    Known,
    clean,
    is_company,
    is_person,
    named,
    person_before_role,
    place_in,
    roles_in,
    same_name,
    starts_with_role,
)
from .tables import BY_ROLE, Claim, with_roles

_CONFIDENCE = 0.9
_CONTRACTS = PatternTable(__package__, "lists.toml", "contracts")
_SUBSIDIARIES = PatternTable(__package__, "lists.toml", "subsidiaries")
_RISKS = PatternTable(__package__, "lists.toml", "risks.headings")
_BULLET = re.compile(r"^(?:[•●▪◦*·-]|\(?(?:\d{1,2}|[a-z])[.)])\s{0,9}")
_ITEM_END = re.compile(r"[:;.,，；。：—–(（®™]|\s-\s|\s(?:which|that|is|are|was|were)\b|\sand$")
_LEAD = 320
"""Characters of a paragraph's end that can be the lead-in of a list."""
_MOST_BREAKS = 3
"""Segments between the parts of one list: pages break lists."""
_AGED = re.compile(
    r"^(?P<name>(?:[A-Z][\w.'’-]*\s){1,4}[A-Z][\w'’-]+(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?),?\s(?P<age>[2-9]\d)\s(?=[A-Z])(?P<rest>.+)",
    re.MULTILINE,
)
"""An officer in a table that was not read as one: "Daniel Durn 56 Executive Vice President"."""
_SIGNED = re.compile(r"^(?:By:?\s{0,9})?/\s?[sS]\s?/[ \t]{0,9}(?P<name>[^\n|]{2,90})", re.MULTILINE)
_DATE = re.compile(r"(?:Date[d]?:?\s{0,9})?\b[A-Z][a-z]{2,8}\s\d{1,2},\s?\d{4}\b")
_SIGNED_LINES = 6
_NOT_LETTERS = re.compile(r"[^a-z]+")
_TERM = re.compile(
    r"\b(?:since (?P<since>(?:[A-Z][a-z]+ )?\d{4})"
    r"|from (?P<start>(?:[A-Z][a-z]+ )?\d{4}) (?:until|to|through) (?P<until>(?:[A-Z][a-z]+ )?\d{4}))"
)
_DEPARTMENT = 2
"""Words: "Human Resources" reads like a company."""
_OF_FIRM = re.compile(r"\b(?:of|at|for|with)\s(?:the\s)?(?=[A-Z])")
_SENTENCE = re.compile(r"(?<=[a-z\d])(?<!\bMr)(?<!\bMs)(?<!\bDr)\.\s(?=[A-Z])|;\s")
_LONGEST_PARTIES = 420
_MOST_CLASSES = 2
_MOST_LINE_WORDS = 16
_LONGEST_TITLE = 80
_RISK_NAME = 14
"""Characters within which a Chinese heading calls its matter a risk."""
_SHORTEST_RISK, _LONGEST_RISK = 30, 420
"""Characters of a heading that says what the risk is."""


@dataclass(frozen=True, slots=True)
class _List:
    lead: re.Pattern[str]
    cell: str
    claim: Claim


def list_triples(document: Document, known: Known) -> Iterator[Triple]:
    """What the lists, signatures, headings and contracts of a document say of the firm that it is from."""
    reading = _Reading(document, known)
    yield from reading.subsidiaries()
    yield from reading.lists()
    yield from reading.officers()
    yield from reading.signatures()
    yield from reading.risks()
    yield from reading.contracts()


class _Reading:
    """One document and the firm that it is from."""

    def __init__(self, document: Document, known: Known) -> None:
        self._document, self._known = document, known
        self._text, self._filer = document.text, document.metadata.companies[0]

    def subsidiaries(self) -> Iterator[Triple]:
        """The lines of exhibit 21 where no table was recognised: a name and its place, or the other way round."""
        inside = False
        for segment in self._document.segments:
            text = self._text[segment.start : segment.end]
            first_line = text.partition("\n")[0].strip()
            if _SUBSIDIARIES.any("section", first_line[:_LONGEST_TITLE]) and "|" not in text:
                inside = True
            elif inside and _SUBSIDIARIES.any("end", first_line):
                inside = False
            if not inside or segment.kind == "table":
                continue
            for line, start in _lines(self._text, segment.start, segment.end):
                name, place = _name_and_place(line)
                if name and not same_name(name, self._filer):
                    for relation, tail, kind in (
                        ("subsidiary_of", self._filer, "company"),
                        ("incorporated_in", place, "place"),
                    ):
                        yield self._said(name, "company", relation, tail, kind, start, start + len(line))

    def lists(self) -> Iterator[Triple]:
        """Items below a line that says what they are."""
        segments = self._document.segments
        for number, segment in enumerate(segments):
            if segment.kind == "table":
                continue
            text = self._text[segment.start : segment.end]
            if ":" not in text and "：" not in text:
                continue
            lead, _, below = _split_lead(text)
            if not lead:
                continue
            for rule in _lists():
                if rule.lead.search(lead):
                    first = segment.end - len(below)
                    yield from self._items(rule, lead, first, segment.end, segments[number + 1 :])
                    break

    def _items(self, rule: _List, lead: str, start: int, end: int, after: Sequence[Segment]) -> Iterator[Triple]:
        """The items in the rest of the segment, or in those that follow."""
        if self._text[start:end].strip():
            yield from self._named_items(rule, start, end)
            return
        for segment in after[: _MOST_BREAKS * 4]:
            is_text = segment.kind in ("list", "paragraph")
            found = list(self._named_items(rule, segment.start, segment.end)) if is_text else []
            if not found:
                return
            yield from found

    def _named_items(self, rule: _List, start: int, end: int) -> Iterator[Triple]:
        """The items of a stretch of text; none where a line of it is no item."""
        items: list[Triple] = []
        for line, low in _lines(self._text, start, end):
            bullet = _BULLET.match(line)
            rest = line[bullet.end() :] if bullet else line
            stop = _ITEM_END.search(rest)
            item = rest[: stop.start()] if stop else rest
            if stop and stop[0] == "." and has_legal_form(item):
                item += "."
            is_prose = bullet is None and stop is not None and rest[stop.start() :] not in (";", ",")
            name = "" if is_prose else named(item.strip(), rule.cell, self._known)
            if name and not same_name(name, self._filer):
                items.append(self._claimed(rule.claim, name, low, low + len(line)))
            elif bullet is None:
                return
        yield from items

    def _claimed(self, claim: Claim, item: str, start: int, end: int) -> Triple:
        head = item if claim.head == "item" else self._filer
        tail = item if claim.tail == "item" else self._filer
        return self._said(head, claim.head_type, claim.relation, tail, claim.tail_type, start, end)

    def officers(self) -> Iterator[Triple]:
        """Lines of officers with their age and office, and what the paragraph below says of their careers."""
        for match in _AGED.finditer(self._text):
            name, rest = match["name"], match["rest"]
            if not is_person(name) or not starts_with_role(rest):
                continue
            end = self._text.find("\n\n", match.start())
            end = end if end >= 0 else len(self._text)
            first = True
            for sentence, start, stop in _sentences(self._text, match.start("rest"), end):
                details = {"age": match["age"]} if first else {}
                line = match.start() if first else start
                yield from self._career(name, sentence, line, stop, details)
                first = False

    def _career(self, name: str, sentence: str, start: int, end: int, details: Mapping[str, str]) -> Iterator[Triple]:
        """The offices of one sentence, each with its term, in the firm or in another that it names."""
        pieces = _by_term(sentence)
        for piece, term in pieces:
            held = roles_in(piece)
            if not held or (not starts_with_role(piece.strip()) and not details):
                continue
            firm = _other_firm(piece) or self._filer
            about = {**details, **term, "role": " ".join(piece.split())[:120]}
            period = first_period(" ".join(term.values())) if term else None
            said = self._said(name, "person", BY_ROLE, firm, "company", start, end, about)
            said = _in_period(said, period)
            yield from with_roles(said, piece)
            if firm == self._filer:
                office = self._said(name, "person", "holds_role", "", "role", start, end, about)
                yield from with_roles(_in_period(office, period), piece)

    def signatures(self) -> Iterator[Triple]:
        """Who signed, and in what office."""
        signed = list(_SIGNED.finditer(self._text))
        told: set[tuple[str, str, str]] = set()
        for number, match in enumerate(signed):
            following = signed[number + 1].start() if number + 1 < len(signed) else len(self._text)
            lines = self._text[match.start() : following].split("\n")[: _SIGNED_LINES + 1]
            name, office = _signer(_DATE.sub(" ", match["name"]), [_DATE.sub(" ", line) for line in lines[1:]])
            if not name or not roles_in(office) or "/s/" in match["name"].lower():
                continue
            end = match.start() + len("\n".join(lines).rstrip())
            details = {"role": office, "signed": "yes"}
            for relation, tail, kind in ((BY_ROLE, self._filer, "company"), ("holds_role", "", "role")):
                said = self._said(name, "person", relation, tail, kind, match.start(), end, details)
                for one in with_roles(said, office):
                    if (one.head, one.relation, one.tail) not in told:
                        told.add((one.head, one.relation, one.tail))
                        yield one

    def risks(self) -> Iterator[Triple]:
        """The classes of risk that the headings of the risk factors name."""
        inside = False
        for segment in self._document.segments:
            if segment.kind not in ("heading", "paragraph"):
                continue
            text = " ".join(self._text[segment.start : segment.end].split())
            if segment.kind == "heading" and _RISKS.any("end", text):
                inside = False
            elif segment.kind == "heading" and len(text) < _LONGEST_TITLE and _RISKS.any("section", text):
                inside = not is_chinese(text)
                continue
            below = any(_RISKS.any("section", heading) for heading in segment.headings[-3:])
            if not (inside or below) or not _names_risk(text, segment.kind == "heading"):
                continue
            for name in _classes_of(text, self._document.metadata.language):
                yield self._said(self._filer, "company", "exposed_to", name, "risk", segment.start, segment.end)

    def contracts(self) -> Iterator[Triple]:
        """With whom the firm has agreements, in which part, and for whose notes somebody is trustee."""
        outside = [segment for segment in self._document.segments if segment.kind != "table"]
        for segment in outside:
            flat = self._text[segment.start : segment.end].replace("\n", " ")
            if " dated " in flat:
                yield from self._contracts_in(flat, [(0, segment.start, segment.end)])
        for table in self._document.tables:
            flat, places = _described(self._text, table)
            yield from self._contracts_in(flat, places)

    def _contracts_in(self, flat: str, places: Sequence[tuple[int, int, int]]) -> Iterator[Triple]:
        """The contracts of a text; ``places`` gives for offsets in it where they stand in the document."""
        for match in _contract().finditer(flat):
            stop = _CONTRACTS.all("until")[0].search(flat, match.end(), match.end() + _LONGEST_PARTIES)
            end = stop.start() if stop else min(match.end() + _LONGEST_PARTIES // 2, len(flat))
            touched = [place for place in places if place[0] < end] or [places[0]]
            first = max((place for place in touched if place[0] <= match.start()), default=touched[0])
            start, stop_at = first[1], touched[-1][2]
            if len(places) == 1:
                start, stop_at = first[1] + match.start(), first[1] + end
            yield from self._parties(match, flat[match.end() : end], start, stop_at)

    def _parties(self, match: re.Match[str], parties: str, start: int, end: int) -> Iterator[Triple]:
        parties = " ".join(parties.split())
        for name, former in _former_names(parties):
            yield self._said(name, "company", "formerly_named", former, "company", start, end)
        parties = _without_brackets(parties)
        names_filer = _CONTRACTS.any("filer", parties) or name_key(self._filer) in parties.lower()
        if not names_filer:
            return
        about = {"agreement": " ".join(match["what"].split()), "date": match["date"]}
        for name, role in _companies_in(parties):
            if same_name(name, self._filer) or _CONTRACTS.any("no_party", name):
                continue
            details = {**about, "part": role} if role else about
            yield self._said(self._filer, "company", "contracts_with", name, "company", start, end, details)
            if "trustee" in role.lower():
                yield self._said(name, "company", "trustee_of", self._filer, "company", start, end, details)

    def _said(
        self,
        head: str,
        head_type: str,
        relation: str,
        tail: str,
        tail_type: str,
        start: int,
        end: int,
        details: Mapping[str, str] | None = None,
    ) -> Triple:
        return Triple(
            head=head,
            head_type=head_type,
            relation=relation,
            tail=tail,
            tail_type=tail_type,
            sentence=self._text[start:end],
            start=start,
            end=end,
            period=self._document.metadata.period,
            confidence=_CONFIDENCE,
            metadata=details or {},
        )


def _name_and_place(line: str) -> tuple[str, str]:
    """The subsidiary and the place of a line that ends, or begins, with a place; ("", "") for another line."""
    words = line.split()
    if not 2 < len(words) < _MOST_LINE_WORDS or _SUBSIDIARIES.any("no_name", line):
        return "", ""
    for count in range(min(4, len(words) - 1), 0, -1):
        for place, name in ((words[-count:], words[:-count]), (words[:count], words[count:])):
            found, company = place_in(" ".join(place)), clean(" ".join(name))
            is_sure = place == words[-count:] or is_company(company)
            if found and company[:1].isupper() and is_sure:
                return company, found
    return "", ""


def _split_lead(text: str) -> tuple[str, str, str]:
    """The lead-in of a list, its colon, and what follows on further lines; ("", "", "") where no line ends in one."""
    at = max(text.find(":\n"), text.find("：\n"))
    if at < 0 and text.rstrip().endswith((":", "：")):
        at = len(text.rstrip()) - 1
    if at < 0:
        return "", "", ""
    lead = " ".join(text[max(0, at + 1 - _LEAD) : at + 1].split())
    return _SENTENCE.split(lead)[-1] if lead else "", text[at], text[at + 1 :]


def _lines(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """The lines of a stretch without blanks around them, each with its offset."""
    at = start
    for line in text[start:end].split("\n"):
        bare = line.strip()
        if bare:
            yield bare, at + line.index(bare)
        at += len(line) + 1


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The sentences of a paragraph, without line breaks, with their offsets."""
    at = start
    for match in _SENTENCE.finditer(text, start, end):
        yield text[at : match.start()].replace("\n", " "), at, match.start()
        at = match.end()
    if text[at:end].strip():
        yield text[at:end].replace("\n", " "), at, end


def _by_term(sentence: str) -> list[tuple[str, dict[str, str]]]:
    """A sentence cut behind each term of office: ("Chairman since 2020", {"since": "2020"}), ..."""
    pieces: list[tuple[str, dict[str, str]]] = []
    at = 0
    for match in _TERM.finditer(sentence):
        told = {"since": match["since"] or match["start"], "until": match["until"]}
        piece = re.sub(r"^(?:,? and |, )", "", sentence[at : match.start()])
        pieces.append((piece, {name: value for name, value in told.items() if value}))
        at = match.end()
    return pieces or [(sentence, {})]


def _other_firm(piece: str) -> str:
    """The company that an office was held in, where the words name one; a department is none."""
    match = _OF_FIRM.search(piece)
    if match is None:
        return ""
    named_whole = re.split(r",(?!\s(?:Inc|Ltd|LLC|L\.P|N\.A))|\s(?:from|since|and its)\b", piece[match.end() :])[
        0
    ].strip()
    run = next(find_runs(piece[match.end() :]), None)
    for name in (named_whole, run.text if run is not None and run.start == 0 else ""):
        if name and is_company(name) and (has_legal_form(name) or len(name.split()) != _DEPARTMENT):
            return name
    return ""


def _in_period(said: Triple, period: Period | None) -> Triple:
    return said if period is None else replace(said, period=period)


def _signer(signed: str, below: Sequence[str]) -> tuple[str, str]:
    """Who signed and the words about the office: the name is printed once more, or it is what was signed."""
    letters = _NOT_LETTERS.sub("", signed.lower())
    for number, line in enumerate(below):
        words = line.split()
        for count in range(min(6, len(words)), 1, -1):
            name = " ".join(words[:count]).strip(",")
            squeezed = _NOT_LETTERS.sub("", name.lower())
            if len(squeezed) > 4 and letters.startswith(squeezed) and is_person(name):
                beside = _without_letters(signed, len(squeezed))
                others = [*below[:number], " ".join(words[count:]), *below[number + 1 :]]
                return name, _office([beside, *others])
    alone = person_before_role(" ".join(signed.split()))
    if alone[0]:
        return alone[0].title() if alone[0].isupper() else alone[0], _office([alone[1], *below])
    name = " ".join(signed.split()).strip(" ,")
    return (name, _office(below)) if is_person(name) and not name.isupper() else ("", "")


def _without_letters(text: str, count: int) -> str:
    """What follows the first letters of a text: the office beside a name that is printed with gaps."""
    for place, char in enumerate(text):
        if count == 0:
            return text[place:]
        count -= char.isalpha()
    return ""


def _office(lines: Sequence[str]) -> str:
    """The words about an office, up to the end of the paragraph that names one."""
    words = ""
    for line in lines:
        if not line.strip() and roles_in(words):
            break
        words += " " + line
    return " ".join(words.replace("|", " ").split())[:160]


def _names_risk(text: str, is_heading: bool) -> bool:
    """True for a heading, or a sentence of its own, that says what the risk is; in Chinese for one called a risk."""
    if is_chinese(text):
        return "风险" in text[:_RISK_NAME] and len(text) <= _LONGEST_RISK
    if is_heading and len(text) < _LONGEST_TITLE:
        return not _RISKS.any("no_heading", text) and not text.endswith(":")
    is_sentence = _SHORTEST_RISK <= len(text) <= _LONGEST_RISK and text.endswith(".")
    return is_sentence and _SENTENCE.search(text) is None and not _RISKS.any("no_heading", text)


def _classes_of(text: str, language: str) -> list[str]:
    """The classes of risk that a heading speaks of, in the order of its words, at most two."""
    found: list[tuple[int, str]] = []
    for names, words in _risk_classes():
        match = words.search(text)
        if match:
            found.append((match.start(), names[language]))
    return [name for _, name in sorted(found)[:_MOST_CLASSES]]


def _described(text: str, table: Table) -> tuple[str, list[tuple[int, int, int]]]:
    """The column of a table of exhibits that describes them, as one text, and where its lines stand."""
    about = " ".join((table.title, *table.headings[-1:], *map(" ".join, table.heads))).lower()
    if "exhibit" not in about or not table.body:
        return "", []
    widest = max(range(table.width), key=lambda column: sum(len(row[column]) for row in table.body))
    rows = [(start, end) for start, end in _row_lines(text, table)][-len(table.body) :]
    flat, places = "", []
    for row, (start, end) in zip(table.body, rows, strict=False):
        if row[0].strip() and row[0].strip()[0].isdigit() and flat:
            flat += " ; "
        places.append((len(flat), start, end))
        flat += " ".join(row[widest].split()) + " "
    return flat, places


def _row_lines(text: str, table: Table) -> Iterator[tuple[int, int]]:
    at = table.start
    for line in text[table.start : table.end].split("\n"):
        if line.startswith("|"):
            yield at, at + len(line)
        at += len(line) + 1


def _companies_in(parties: str) -> Iterator[tuple[str, str]]:
    """The companies among the parties of a contract, with the part that each plays."""
    role = _CONTRACTS.all("role")[0]
    for run in find_runs(parties):
        name = run.text
        if is_company(name):
            part = role.match(re.sub(r"^,? N(?:ational Association|\.A\.)", "", parties[run.end :]))
            yield name, part["role"] if part else ""


def _former_names(parties: str) -> Iterator[tuple[str, str]]:
    """(name, former name): "Wyeth (formerly American Home Products Corporation)"."""
    for match in _CONTRACTS.all("former")[0].finditer(parties):
        before = _last_name(parties[: match.start()])
        former = _last_name(match["former"])
        if before and former and is_company(former):
            yield before, former


def _last_name(text: str) -> str:
    """The capitalised name that a text ends in."""
    runs = list(find_runs(text))
    return runs[-1].text if runs and len(text.rstrip(" .,")) - runs[-1].end < 3 else ""


def _without_brackets(text: str) -> str:
    """A text without what stands in brackets, also within brackets."""
    depth, kept = 0, ""
    for char in text:
        depth += char == "("
        if depth <= 0:
            kept += char
        depth = max(0, depth - (char == ")"))
    return kept.replace(" ,", ",")


@cache
def _contract() -> re.Pattern[str]:
    what, dated, among = (_CONTRACTS.all(part)[0].pattern for part in ("what", "dated", "among"))
    return re.compile(f"(?P<what>{what}){dated}{among}", re.IGNORECASE)


@cache
def _lists() -> tuple[_List, ...]:
    rules = load_rules(__package__, "lists.toml")["lists"]
    return tuple(
        _List(re.compile(rule["lead"], re.IGNORECASE), rule["cell"], Claim.parse(rule["says"])) for rule in rules
    )


@cache
def _risk_classes() -> tuple[tuple[Mapping[str, str], re.Pattern[str]], ...]:
    classes = load_rules(__package__, "lists.toml")["risks"]["classes"]
    return tuple((rule, re.compile(rule["words"], re.IGNORECASE)) for rule in classes)
