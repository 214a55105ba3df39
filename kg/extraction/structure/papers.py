"""What papers state in fixed forms of words: contracts, cases at law, the cover page, new standards.

The forms are data: ``papers.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ....core.names import name_key
from ....core.patterns import PatternTable
from ....core.sequences import first
from ....ingest.document import Table
from ...triple import Triple
from ..rules.runs import find_runs
from .cells import is_company, place_in, same_name
from .filing import Filing, lines_of, row_lines

_CONTRACTS = PatternTable(__package__, "papers.toml", "contracts")
_CASES = PatternTable(__package__, "papers.toml", "cases")
_COVER = PatternTable(__package__, "papers.toml", "cover")
_NOTES = PatternTable(__package__, "papers.toml", "notes")
_STANDARDS = PatternTable(__package__, "papers.toml", "standards")
_OF_PARTS = ("trustee_of", "lends_to")
"""Relations to the firm that the part in a contract states beside the contract."""
_PARTNERS = re.compile(r"[A-Z][\w.-]{1,30},? (?:and|&) $")
_COVER_PAGE = 6000
"""Characters at the beginning of a report that can be its cover."""
_BEHIND = 220
"""Characters behind a case or a rule in which the court, the date or the firm's part in it stand."""
_LONGEST_PARTIES = 420
_SENTENCE_END = re.compile(r"(?<!\bCorp)(?<!\bInc)(?<!\bLtd)(?<!\bCo)\.\s")


def contracts(filing: Filing) -> Iterator[Triple]:
    """With whom the firm has agreements, in which part, and for whose notes somebody is trustee."""
    outside = [segment for segment in filing.document.segments if segment.kind != "table"]
    for segment in outside:
        flat = filing.text[segment.start : segment.end].replace("\n", " ")
        if " dated " in flat:
            yield from _contracts_in(filing, flat, [(0, segment.start, segment.end)])
    for table in filing.document.tables:
        flat, places = _described(filing.text, table)
        yield from _contracts_in(filing, flat, places)


def _contracts_in(filing: Filing, flat: str, places: Sequence[tuple[int, int, int]]) -> Iterator[Triple]:
    """The contracts of a text; ``places`` gives for offsets in it where they stand in the document."""
    for match in _contract().finditer(flat):
        stop = _CONTRACTS.all("until")[0].search(flat, match.end(), match.end() + _LONGEST_PARTIES)
        end = stop.start() if stop else min(match.end() + _LONGEST_PARTIES // 2, len(flat))
        parties = flat[match.end() : end]
        notes = _CONTRACTS.all("notes")[0].match(flat, end)
        end = notes.end() if notes else end  # whose trustee it is
        touched = [place for place in places if place[0] < end] or [places[0]]
        first = max((place for place in touched if place[0] <= match.start()), default=touched[0])
        start, stop_at = first[1], touched[-1][2]
        if len(places) == 1:
            start, stop_at = first[1] + match.start(), first[1] + end
        yield from _parties(filing, match, parties, start, stop_at)


def _parties(filing: Filing, match: re.Match[str], parties: str, start: int, end: int) -> Iterator[Triple]:
    parties = " ".join(parties.split())
    parties = _without_brackets(parties)
    names_filer = _CONTRACTS.any("filer", parties) or name_key(filing.filer) in parties.lower()
    if not names_filer:
        return
    about = {"agreement": " ".join(match["what"].split()), "date": match["date"]}
    for name, role in _companies_in(parties):
        if same_name(name, filing.filer) or _CONTRACTS.any("no_party", name):
            continue
        details = {**about, "part": role} if role else about
        yield filing.said(filing.firm, "contracts_with", (name, "company"), (start, end), details)
        for relation in _OF_PARTS:
            if _CONTRACTS.any(relation, role):
                yield filing.said((name, "company"), relation, filing.firm, (start, end), details)


def _described(text: str, table: Table) -> tuple[str, list[tuple[int, int, int]]]:
    """The column of a table of exhibits that describes them, as one text, and where its lines stand."""
    about = " ".join((table.title, *table.headings[-1:], *map(" ".join, table.heads))).lower()
    if "exhibit" not in about or not table.body:
        return "", []
    widest = max(range(table.width), key=lambda column: sum(len(row[column]) for row in table.body))
    rows = row_lines(text, table)
    flat, places = "", []
    for row, (start, end) in zip(table.body, rows, strict=False):
        if row[0].strip() and row[0].strip()[0].isdigit() and flat:
            flat += " ; "
        places.append((len(flat), start, end))
        flat += " ".join(row[widest].split()) + " "
    return flat, places


def _companies_in(parties: str) -> Iterator[tuple[str, str]]:
    """The companies among the parties of a contract, with the part that each plays."""
    role = _CONTRACTS.all("role")[0]
    for run in find_runs(parties):
        name = _whole_name(parties[: run.start], run.text)
        if is_company(name):
            part = role.match(re.sub(r"^,? N(?:ational Association|\.A\.)", "", parties[run.end :]))
            yield name, part["role"] if part else ""


def _whole_name(before: str, name: str) -> str:
    """ "Cowen and Company, LLC", of which a run of capitals has only the end."""
    match = _PARTNERS.search(before) if name.startswith("Company") else None
    return f"{match[0]}{name}" if match else name


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


def notes(filing: Filing) -> Iterator[Triple]:
    """The notes and bonds that a sentence says the firm issued."""
    for match in _NOTES.each("name", filing.text.replace("\n", " ")):
        paragraph = filing.text[max(0, match.start() - _BEHIND) : match.start()].rpartition("\n\n")[2]
        before = _SENTENCE_END.split(paragraph)[-1]
        if _NOTES.any("issued", before) and not _names_other(filing, before):
            place = (match.start() - len(before), match.end())
            details = {"due": match["due"]}
            yield filing.said(filing.firm, "issues", (match["name"], "instrument"), place, details)


def _names_other(filing: Filing, words: str) -> bool:
    """True where a company other than the firm is named before its notes: a subsidiary issued them."""
    names = [run.text for run in find_runs(words) if is_company(run.text)]
    issuer = _NOTES.first("issuer", words)
    if issuer is not None and not _CONTRACTS.any("filer", f"the {issuer['who']}"):
        names.append(issuer["who"])
    own = name_key(filing.filer)
    return any(not own.startswith(name_key(name)) for name in names)


def former_names(filing: Filing) -> Iterator[Triple]:
    """What companies were called before: "Viatris Inc. (formerly Mylan N.V.)"."""
    flat = filing.text.replace("\n", " ")
    for match in _CONTRACTS.each("former", flat):
        low = max(0, match.start() - _BEHIND // 2)
        before, former = _last_name(flat[low : match.start()]), _last_name(match["former"])
        if before and former and is_company(former) and is_company(before):
            place = (match.start() - len(before) - 1, match.end())
            yield filing.said((before, "company"), "formerly_named", (former, "company"), place)


def cases(filing: Filing) -> Iterator[Triple]:
    """The cases at law that the text names, where the firm is one of their parties or the matter is its own."""
    for segment in filing.document.segments:
        text = filing.text[segment.start : segment.end].replace("\n", " ")
        if " v. " not in text and " vs. " not in text and "In re" not in text:
            continue
        for match in _CASES.each("name", text):
            name = match[0].strip(" ,")
            plaintiff, defendant = match["plaintiff"], match["defendant"]
            part = _part_in(filing, plaintiff, defendant)
            if part:
                yield _case(filing, name, text, match.end(), segment.start + match.start(), {"part": part})
        for match in _CASES.each("matter", text):
            yield _case(filing, match[0], text, match.end(), segment.start + match.start(), {})


def _part_in(filing: Filing, plaintiff: str, defendant: str) -> str:
    """The part that the firm plays in a case; "" where it is no party by name."""
    own = name_key(filing.filer).split()[0]
    if own in name_key(defendant).split():
        return "defendant"
    return "plaintiff" if own in name_key(plaintiff).split() else ""


def _case(filing: Filing, name: str, text: str, end: int, start: int, details: dict[str, str]) -> Triple:
    """The firm is party to a case; the court and the date of filing stand behind it."""
    behind = text[end : end + _BEHIND]
    for key in ("court", "filed"):
        match = _CASES.first(key, behind)
        if match:
            details[key] = match[key]
    stop = start + len(name) + min(len(behind), _BEHIND // 2)
    return filing.said(filing.firm, "party_to", (name, "event"), (start, stop), details)


def cover(filing: Filing) -> Iterator[Triple]:
    """The cover page: the exchanges that securities are listed on, the state of incorporation, the head office."""
    lines = list(lines_of(filing.text, 0, _COVER_PAGE))
    for number, (line, start) in enumerate(lines):
        place = (start, start + len(line))
        listed = _COVER.first("registered", line)
        if listed:
            details = {"title": listed["title"], "symbol": listed["symbol"]}
            yield filing.said(filing.firm, "listed_on", (listed["market"], "market"), place, details)
        label = lines[number + 1][0] if number + 1 < len(lines) else ""
        state = _COVER.first("state", line)
        if state and _COVER.any("state_label", label) and place_in(state["state"]):
            yield filing.said(filing.firm, "incorporated_in", (state["state"], "place"), place)
        if _COVER.any("address_label", label):
            town = _town_of(line)
            if town:
                details = {"address": line}
                yield filing.said(filing.firm, "headquartered_in", (town, "place"), place, details)


def _town_of(address: str) -> str:
    """The town of an address: "999 Lake Drive, Issaquah, WA 98027", "999 Lake Drive Issaquah, WA 98027"."""
    town = _COVER.first("town", address)
    if town:
        return town["town"]
    parts = [part.strip() for part in address.split(",")]
    towns = [part for part in parts[1:] if part.replace(" ", "").replace(".", "").isalpha() and not part.isupper()]
    return first(towns, "")


def standards(filing: Filing) -> Iterator[Triple]:
    """The rules of accounting that the firm adopts: once each, where the text says so."""
    told: set[str] = set()
    for match in _STANDARDS.each("name", filing.text):
        around = filing.text[max(0, match.start() - _BEHIND) : match.end() + _BEHIND]
        number = match["number"]
        if number not in told and _STANDARDS.any("adopted", around):
            told.add(number)
            place = _line_of(filing.text, match.start())
            yield filing.said(filing.firm, "subject_to", (f"ASU {number}", "regulation"), place)


def _line_of(text: str, at: int) -> tuple[int, int]:
    """Where the line begins and ends that a place is in."""
    end = text.find("\n", at)
    return text.rfind("\n", 0, at) + 1, end if end >= 0 else len(text)
