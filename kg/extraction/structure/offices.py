"""Who holds which office, and when: lines of officers with their age, and signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ....core.patterns import PatternTable, stretches
from ....core.period import Period
from ....core.period_text import first_period
from ...triple import Triple
from ..rules.details import terms_of_office
from ..rules.runs import find_runs
from .cells import (
    Known,
    is_department,
    is_person,
    names_company,
    office_of,
    person_before_role,
    roles_in,
    starts_with_role,
    unit_of,
)
from .filing import Filing, sentences_of
from .tables import BY_ROLE, with_roles

_AGED = re.compile(
    r"^(?P<name>(?:[A-Z][\w.'’-]*\s){1,4}[A-Z][\w'’-]+(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?),?\s(?P<age>[2-9]\d)\s(?=[A-Z])(?P<rest>.+)",
    re.MULTILINE,
)
"""An officer in a table that was not read as one: "Daniel Durn 56 Executive Vice President"."""
_AGED_BEFORE = re.compile(
    r"^(?P<age>[2-9]\d)\s(?P<before>[A-Z][^\n]{4,120})\n"
    r"(?P<name>(?:[A-Z][\w.'’-]{0,30}\s){1,3}[A-Z][\w'’-]{1,30}(?:,?\s(?:Jr|Sr|II|III|IV)\.?)?)\s(?=[A-Z])(?P<rest>.+)",
    re.MULTILINE,
)
"""The same with the name printed in the middle of its row, so that it parts the words of the office."""
_SIGNED = re.compile(r"^(?:By:?\s{0,9})?/\s?[sS]\s?/[ \t]{0,9}(?P<name>[^\n|]{2,90})", re.MULTILINE)
_OF_AUDITOR = re.compile(
    r"\bPartner\b[^\n]{0,40}\b(?:Public Accountant|Chartered Accountant|Auditor)"
    r"|\bEngagement Partner\b|\bStatutory Auditor\b"
)
"""Who signed for the accounting firm holds no office in the firm that it audits."""
_DATE = re.compile(r"(?:Date[d]?:?\s{0,9})?\b[A-Z][a-z]{2,8}\s\d{1,2},\s?\d{4}\b")
_INTRODUCTIONS = PatternTable(__package__, "lists.toml", "introductions")
_CERTIFICATES = PatternTable(__package__, "lists.toml", "certificates")
_HEAD_OF_CERTIFICATE, _BODY_OF_CERTIFICATE = 200, 400
"""Characters before the name in which a heading tells the office, and behind it in which the report is named."""
_STOP = re.compile(
    r"[.?!](?<=[a-z\d].)(?<!\bMr.)(?<!\bMs.)(?<!\bDr.)(?<!\bInc.)(?<!\bCorp.)(?<!\bCo.)\s"  # the mark first: found fast
)
_ITEMS = re.compile(
    r";|,? as well as |,? along with |,? followed by |, and (?=our |[A-Z][a-z]+ [A-Z])| and (?=our [A-Z]|our c)"
)
_NEXT_PERSON = re.compile(r", (?=[A-Z][a-z]+ (?:[A-Z]\. )?[A-Z][a-z]+, )")
"""What parts the people that a sentence introduces."""
_SIGNED_LINES = 6
_SIDE_BY_SIDE = re.compile(r"\s{1,30}(?:By:?\s{0,9})?/\s?[sS]\s?/\s{0,9}")
_PAIR = 2
_BY_NAME = re.compile(r"\([A-Z][A-Za-z]{1,15}\)\s(?=[A-Z])")
"""What somebody is called by, within a name: "Mary (Maggie) A. Roe"."""
_GOES_ON = frozenset({"and", "&", "of", "the", "for", "-", "–"})
"""Words behind which an office goes on."""
_ROSTER_LINE = re.compile(
    r"^(?P<name>[A-Z][^\n|–—-]{2,40}(?:-[A-Z][^\n|–—-]{1,20})?)\s?(?P<dash>--|–|—)\s?(?P<title>[A-Z][^\n|]{2,140})$",
    re.MULTILINE,
)
_LEAST_ROSTER = 2
"""Lines of participants that make a roster."""
_NICKNAME = re.compile(r"[\"“][^\"“”\n]{1,20}[\"”]")
_ANALYST = re.compile(r"\banalyst\b", re.IGNORECASE)
_DASH = re.compile(r"\s[–—-]\s")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_CAREER = re.compile(
    r"(?:\b(?:Mr|Ms|Mrs|Dr)\. (?P<name>[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30})?)|\b(?P<pronoun>[Hh]e|[Ss]he)),?"
    r"(?: (?:also|currently|previously|most|recently|then|has|had|been|first|later|and|subsequently)){0,4}"
    r" (?:served|serves|was|is|worked|became|acted|acts|held|joined)\b"
)
"""A person of whom the sentence goes on to tell offices."""
_NAMED_IN_FULL = re.compile(r"\b(?:Mr|Ms|Mrs|Dr)\. (?P<name>[A-Z][\w'’-]{1,30}(?: [A-Z][\w'’-]{1,30})?)")
_ELSEWHERE = re.compile(
    r"\b(?:[Pp]rior to|[Bb]efore|[Uu]ntil) (?:joining|that|his|her|becoming)\b"
    r"|\b(?:at|for|with) (?:the )?[A-Z][\w&]{1,20}\b"
)
"""Words that an office was held in another firm, or may have been."""
_BEFORE_JOINING = re.compile(r"\b[Pp]rior to joining\b|\b[Bb]efore joining\b")
_FIRST_OFFICE = re.compile(r"\s(?=[A-Z])")
_JOINT = re.compile(r"^(?:,? and |, )")
_NAME_ENDS = re.compile(r",(?!\s(?:Inc|Ltd|LLC|L\.P|N\.A))|\s(?:from|since|and its|on)\b")
_NO_OFFICE_BEFORE = re.compile(r"\b(?:to|under|with|for) (?:the )?(?:\w{1,20} ){0,2}$")
"""What makes an office that of somebody else: "advisor to the Chief Executive Officer"."""
_OF_FIRM = re.compile(r"\b(?:of|at|for|with)\s(?:the\s)?(?=[A-Z])(?!Company\b)")


def officers(filing: Filing) -> Iterator[Triple]:
    """Lines of officers with their age and office, and what the paragraph below says of their careers."""
    lines = [m for m in _AGED.finditer(filing.text) if is_person(m["name"]) and starts_with_role(m["rest"])]
    lines += [m for m in _AGED_BEFORE.finditer(filing.text) if is_person(m["name"]) and starts_with_role(m["before"])]
    for match, stop_at in stretches(sorted(lines, key=re.Match.start), len(filing.text)):
        name, before = match["name"], match.groupdict().get("before", "")
        end = filing.text.find("\n\n", match.start(), stop_at)
        if end < 0:
            end = stop_at
        first = True
        for sentence, start, stop in sentences_of(filing.text, match.start("rest"), end):
            other = _NAMED_IN_FULL.search(sentence)
            if other and other["name"].split()[-1] not in name:
                break
            details = {"age": match["age"]} if first else {}
            line = match.start() if first else start
            told = f"{before} {sentence}" if first else sentence
            yield from _career(filing, name, told.strip(), line, stop, details)
            first = False


def _career(
    filing: Filing, name: str, sentence: str, start: int, end: int, details: Mapping[str, str]
) -> Iterator[Triple]:
    """The offices of one sentence, each with its term, in the firm or in another that it names."""
    own = "" if _BEFORE_JOINING.search(sentence) else filing.filer
    for piece, term in _by_term(sentence):
        held = roles_in(piece)
        firm = other_firm(piece, filing.known) or own
        if not held or not firm or (not starts_with_role(piece.strip()) and not details):
            continue
        about = {**details, **term, "role": " ".join(piece.split())[:120], **_unit_told(filing, piece, firm)}
        period = first_period(" ".join(term.values())) if term else None
        said = filing.said((name, "person"), BY_ROLE, (firm, "company"), (start, end), about, period)
        yield from with_roles(said, piece)
        if firm == filing.filer:
            yield from _office_itself(filing, name, piece, (start, end), about, period)


def _held_in_firm(
    filing: Filing, name: str, offices: str, place: tuple[int, int], details: Mapping[str, str]
) -> Iterator[Triple]:
    """What a person is in the firm by the words for the offices, and that the person holds each of them."""
    details = {**details, **_unit_told(filing, offices, filing.filer)}
    yield from with_roles(filing.said((name, "person"), BY_ROLE, filing.firm, place, details), offices)
    yield from _office_itself(filing, name, offices, place, details)


def _office_itself(
    filing: Filing,
    name: str,
    offices: str,
    place: tuple[int, int],
    details: Mapping[str, str],
    period: Period | None = None,
) -> Iterator[Triple]:
    yield from with_roles(filing.said((name, "person"), "holds_role", ("", "role"), place, details, period), offices)


def _unit_told(filing: Filing, offices: str, firm: str) -> dict[str, str]:
    """The detail that tells in which part of a firm an office is held; none for the firm's own."""
    unit = unit_of(offices, firm, filing.known)
    return {"unit": unit} if unit else {}


def careers(filing: Filing) -> Iterator[Triple]:
    """The offices with their terms that prose tells of a person: "Ms. Roe served as CFO of Bolt from 2010 to 2013"."""
    for segment in filing.document.segments:
        if segment.kind in ("table", "heading"):
            continue
        person = ""
        for sentence, start, end in _whole_sentences(filing.text, segment.start, segment.end):
            told = _CAREER.search(sentence)
            named = _NAMED_IN_FULL.search(sentence)
            if named:
                person = _in_full(named["name"], filing.known)
            if told and person:
                yield from _offices_with_terms(filing, person, sentence[told.end() :], (start, end))


def _offices_with_terms(filing: Filing, person: str, told: str, place: tuple[int, int]) -> Iterator[Triple]:
    """Each office of which the words say in which firm and for how long."""
    firm = "" if _ELSEWHERE.search(filing.text, *place) else filing.filer
    for part in told.split(";"):
        for piece, term in _by_term(part):
            firm = other_firm(piece, filing.known) or firm
            offices = piece[_start_of_office(piece) :].strip(" ,")
            if not term or not firm or not starts_with_role(offices):
                continue
            details = {**term, "role": " ".join(offices.split())[:120], **_unit_told(filing, offices, firm)}
            period = first_period(" ".join(term.values()))
            said = filing.said((person, "person"), BY_ROLE, (firm, "company"), place, details, period)
            yield from with_roles(said, offices)


def _start_of_office(piece: str) -> int:
    """Where the first office of some words begins: behind "as", "in various roles including"; 0 where none does."""
    if starts_with_role(piece.lstrip()):
        return 0
    for blank in _FIRST_OFFICE.finditer(piece):
        if starts_with_role(piece[blank.end() :]):
            return len(piece) if _NO_OFFICE_BEFORE.search(piece[: blank.end()]) else blank.end()
    return 0


def _in_full(name: str, known: Known) -> str:
    """The one person of the document whose family name it is; the name itself where there are none or several."""
    people = {full for full, kind in known.items() if kind == "person" and full.split()[-1:] == name.split()[-1:]}
    longer = {full for full in people if " " in full}
    return longer.pop() if len(longer) == 1 else name


def introductions(filing: Filing) -> Iterator[Triple]:
    """Who speaks or is present, as a sentence counts them up: "Jane Roe, our CEO; and John Doe, Treasurer"."""
    for segment in filing.document.segments:
        if segment.kind in ("table", "heading"):
            continue
        for sentence, start, end in _whole_sentences(filing.text, segment.start, segment.end):
            lead = _INTRODUCTIONS.first("lead", sentence)
            if lead is None or not roles_in(sentence):
                continue
            for item in _introduced_together(sentence[lead.start() :]):
                for name, role in _introduced(item, filing.known):
                    yield from _held_in_firm(filing, name, role, (start, end), {"role": role})


def rosters(filing: Filing) -> Iterator[Triple]:
    """The participants of a call, a line each: "Jane Roe -- Treasurer", "Joe Poe -- Nut Bank -- Analyst"."""
    lines = list(_ROSTER_LINE.finditer(filing.text))
    if len(lines) < _LEAST_ROSTER:
        return
    told: set[tuple[str, str]] = set()
    for match in lines:
        name = " ".join(_NICKNAME.sub(" ", match["name"]).split())
        title = match["title"].strip()
        if not is_person(name) or (name, title) in told:
            continue
        told.add((name, title))
        place = match.span()
        firm, _, office = title.rpartition(match["dash"])
        if firm.strip() and _ANALYST.search(office):
            details = {"role": office.strip()}
            yield filing.said((name, "person"), "works_for", (firm.strip(), "company"), place, details)
            yield filing.said((name, "person"), "covers", filing.firm, place, details)
        elif roles_in(title) and not firm:
            yield from _held_in_firm(filing, name, title, place, {"role": title})


def _introduced_together(text: str) -> Iterator[str]:
    """The parts of a sentence that name somebody each, an office that stands before a name with it."""
    for item in _ITEMS.split(text):
        before = ""
        for piece in _NEXT_PERSON.split(item):
            before = f"{before}, {piece}" if before else piece
            if any(is_person(run.text) for run in find_runs(before)):
                yield before
                before = ""


def _introduced(item: str, known: Known) -> Iterator[tuple[str, str]]:
    """The persons of a part of a sentence with the offices beside each: of "our CEO, Ann Roe, and CFO, Jo Poe" those
    before a name, of "Ann Roe, our CEO" those behind it."""
    runs = [run for run in find_runs(item) if is_person(run.text)]
    sure = [run for run in runs if known.get(run.text) == "person" or starts_with_role(item[run.end :].lstrip(", "))]
    people = sure or runs
    inner = [run.end for run in people[:-1]]
    if not roles_in(item[: people[0].start]):
        inner = [run.start for run in people[1:]]
    for person, (start, end) in zip(people, pairwise([0, *inner, len(item)]), strict=True):
        role = " ".join(", ".join(roles_in(item[start:end])).split())
        if role:
            yield person.text, role


def _whole_sentences(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The sentences of a segment, parts between semicolons together."""
    at = start
    for match in _STOP.finditer(text, start, end):
        yield text[at : match.end()].replace("\n", " "), at, match.end()
        at = match.end()
    if text[at:end].strip():
        yield text[at:end].replace("\n", " "), at, end


def signatures(filing: Filing) -> Iterator[Triple]:
    """Who signed, and in what office."""
    signed = list(_SIGNED.finditer(filing.text))
    told: set[tuple[str, str, str]] = set()
    for match, following in stretches(signed, len(filing.text)):
        lines = filing.text[match.start() : following].split("\n")[: _SIGNED_LINES + 1]
        end = match.start() + len("\n".join(lines).rstrip())
        for name, words in _signers(match["name"], [_DATE.sub(" ", line) for line in lines[1:]]):
            office = office_of(words)
            if not name or not office or _OF_AUDITOR.search(words):
                continue
            details = {"role": office, "signed": "yes"}
            for one in _held_in_firm(filing, name, office, (match.start(), end), details):
                if (one.head, one.relation, one.tail) not in told:
                    told.add((one.head, one.relation, one.tail))
                    yield one


def _signers(signed: str, below: Sequence[str]) -> list[tuple[str, str]]:
    """Each who signed on a line, with the words about the office: one person, or two side by side."""
    pair = _SIDE_BY_SIDE.split(_BY_NAME.sub("", signed))
    below = [_BY_NAME.sub("", line) for line in below]
    if len(pair) == 1:
        return [_signer(_DATE.sub(" ", pair[0]), below)]
    return _pair_of_signers(pair[0], pair[1], list(filter(None, map(str.strip, below)))) if len(pair) == _PAIR else []


def _pair_of_signers(left: str, right: str, below: Sequence[str]) -> list[tuple[str, str]]:
    """Two who signed side by side: their names come back on the line below, each office behind its name or below it."""
    if not below:
        return []
    printed = below[0]
    at, beside = (printed.lower().find(name.strip(" ,").lower()) for name in (left, right))
    if not 0 <= at < beside:
        return []
    ends = at + len(left.strip(" ,")), beside + len(right.strip(" ,"))
    names = printed[at : ends[0]], printed[beside : ends[1]]
    offices = printed[ends[0] : beside].strip(" –—,-"), printed[ends[1] :].strip(" –—,-")
    if not any(offices) and len(below) > 1:
        offices = _two_offices(below[1])
    return [(name, office) for name, office in zip(names, offices, strict=True) if is_person(name)]


def _two_offices(line: str) -> tuple[str, str]:
    """The offices of two columns: the line is cut where a second one begins that the first does not go on to.

    >>> _two_offices("President, Chief Executive Officer and Director Chairman of the Board")
    ('President, Chief Executive Officer and Director', 'Chairman of the Board')
    """
    words = line.split()
    for count in range(1, len(words)):
        first, second = " ".join(words[:count]), " ".join(words[count:])
        goes_on = words[count - 1].endswith(",") or words[count - 1] in _GOES_ON
        if not goes_on and starts_with_role(first) and starts_with_role(second):
            return first, second
    return "", ""


def certificates(filing: Filing) -> Iterator[Triple]:
    """Who certifies the report for the firm: "I, Jane Roe, certify that: I have reviewed this Annual Report ..."."""
    flat = filing.text.replace("\n", " ")
    for match in _CERTIFICATES.each("said", flat):
        name = " ".join(match["name"].split())
        heading = _CERTIFICATES.first("heading", flat[max(0, match.start() - _HEAD_OF_CERTIFICATE) : match.start()])
        behind = flat[match.end() : match.end() + _BODY_OF_CERTIFICATE]
        if not is_person(name) or not _CERTIFICATES.any("of_report", behind):
            continue
        place, details = (match.start(), match.end()), {"certifies": "yes"}
        offices = match["office"] or (heading["office"] if heading else "")
        if roles_in(offices):
            yield from _held_in_firm(filing, name, offices, place, {**details, "role": office_of(offices)})
        else:
            yield filing.said((name, "person"), "works_for", filing.firm, place, details)


def _by_term(sentence: str) -> list[tuple[str, dict[str, str]]]:
    """A sentence cut behind each term of office: ("Chairman since 2020", {"since": "2020"}), ..."""
    pieces: list[tuple[str, dict[str, str]]] = []
    at = 0
    for start, end, term in terms_of_office(sentence):
        pieces.append((_JOINT.sub("", sentence[at:start]), term))
        at = end
    return pieces or [(sentence, {})]


def other_firm(piece: str, known: Known) -> str:
    """The company that an office was held in, where the words name one; a department or a board is none.

    ``known`` are the names of the document with their types.
    """
    match = _OF_FIRM.search(piece)
    if match is None:
        return ""
    behind = piece[match.end() :]
    whole = _NAME_ENDS.split(behind)[0].strip()
    run = next(find_runs(behind), None)
    inner = _OF_FIRM.split(whole)[-1].strip()
    for name in (inner, whole, run.text if run is not None and run.start == 0 else ""):
        if names_company(name, known) and not is_department(name):
            return name
    return ""


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
                between, own, behind = below[:number], " ".join(words[count:]), below[number + 1 :]
                if any(map(_names_another, between)):
                    # Columns side by side: the office before the name, and what stands in brackets below its own
                    # office, is that of the other one.
                    between, behind = [], [] if roles_in(own) else behind
                others = [*between, own, *behind]
                return name, _office([beside, *others])
    alone = person_before_role(" ".join(signed.split()))
    if alone[0]:
        return alone[0].title() if alone[0].isupper() else alone[0], _office([alone[1], *below])
    name = " ".join(signed.split()).strip(" ,")
    return (name, _office(below)) if is_person(name) and not name.isupper() else ("", "")


def _names_another(line: str) -> bool:
    """True for a line with a person's name and nothing else but the office: "Jane Roe – Treasurer"."""
    return is_person(_DASH.split(line)[0].strip())


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
