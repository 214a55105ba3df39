"""Names that a sentence counts up behind a word that says what they are: "our competitors include Acme, Bolt and Crux".

Which words make which statement is data: ``lists.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ....core.names import has_legal_form
from ....core.patterns import LazyPattern, PatternTable
from ....core.records import dataclass
from ....core.rules import load_rules
from ...triple import Triple
from .cells import is_department, named, place_in, roles_in, same_name
from .filing import Filing, sentences_of
from .table_rules import Claim

_SAID = PatternTable(__package__, "lists.toml", "enumerations.words")
_IN_WORD = r"(?:[\w&'’+/-]|\.(?=\w)|(?<=\b[A-Z])\.|(?<=\b(?:St|Dr|Mt|Ft|Co))\.|(?<=\b(?:Inc|Ltd))\.|(?<=\bCorp)\.)"
"""A letter of a name, or a full stop that ends no sentence: of "U.S.", "St. Louis", "Booking.com" and "Bolt Inc."."""
_ITEM = re.compile(
    rf"(?:the )?(?P<name>[A-Z]{_IN_WORD}{{0,40}}(?: (?:of |to |the |for |de |& )?[A-Z0-9]{_IN_WORD}{{0,40}}){{0,5}}"
    r"(?:,? (?:Inc|Corp|Ltd|LLC|L\.P|LP|PLC|N\.V|S\.A|AG|SE|Co)\b\.?)?)"
    r"(?: ?[®™©]| ?\([^()]{0,80}\)){0,2}"
)
"""A name with capitals, its legal form, marks and what stands in brackets behind it."""
_SMALL = r"(?:[a-z][\w&-]{1,20}(?: [a-z][\w-]{1,20})?, )?"
"""A name among others that is written small, or what stands between commas as they do; it is passed over."""
_BEGINS = re.compile(rf"[ :]{{0,3}}{_SMALL}(?=the [A-Z]|[A-Z])")
_BETWEEN = re.compile(
    rf",? (?:and|or|as well as) (?=the [A-Z]|[A-Z])|, {_SMALL}(?=the [A-Z]|[A-Z])|; (?=the [A-Z]|[A-Z])"
)
_BEHIND_FORM = re.compile(r"( (?:S\.p\.A\.|Inc\.|Corp\.|Ltd\.|LLC|N\.V\.|PLC|plc|GmbH)) [A-Z][a-z].*")
"""A heading that a page text runs on behind a name: "Bolt Group S.p.A. Display Segment"."""
_LONGEST_SENTENCE = 2000
_MOST = 30
"""Names of one enumeration."""
_UNCLEAR = 3
"""Names with "and" between them, of which two may be one."""


@dataclass(frozen=True, slots=True)
class _Enumeration:
    """What a sentence has to say, of what types its names are not, and what it states of each of them."""

    said: LazyPattern
    among: LazyPattern
    """The same behind the names."""
    least: int
    """Names that make an enumeration; fewer are a remark."""
    claim: Claim
    never: frozenset[str]
    """Types that a name of the document may not have."""
    unless: LazyPattern | None
    """What the sentence must not say."""
    places: bool
    """Places and departments may be such names: segments are often called by where they sell or what they do."""
    cell: str
    """What each of the names has to be, as a cell of a table."""


def enumerations(filing: Filing) -> Iterator[Triple]:
    """What sentences say of the names that they count up."""
    for segment in filing.document.segments:
        if segment.kind in ("table", "heading"):
            continue
        for sentence, start, end in sentences_of(filing.text, segment.start, segment.end):
            if len(sentence) <= _LONGEST_SENTENCE and not _SAID.any("denied", sentence):
                yield from _in_sentence(filing, sentence, start, end)


def _in_sentence(filing: Filing, sentence: str, start: int, end: int) -> Iterator[Triple]:
    """The statements of one sentence: the first kind that it speaks of takes all that it counts up."""
    own = _SAID.any("own", sentence) or filing.filer.split()[0] in sentence
    for rule in _rules() if own else ():
        if rule.unless is not None and rule.unless.search(sentence):
            continue
        names = _names_behind(filing, rule, sentence) or _names_before(filing, rule, sentence)
        for name in names:
            yield rule.claim.of_item(filing, name, start, end)
        if names:
            return


def _names_behind(filing: Filing, rule: _Enumeration, sentence: str) -> list[str]:
    """The names behind what the rule looks for, and behind each further "such as" of the sentence."""
    said = rule.said.search(sentence)
    if said is None:
        return []
    found: list[str] = []
    behind = said.end()
    places = [behind, *(behind + match.end() for match in _SAID.each("introduces", sentence[behind:]))]
    for place in places:
        items = _joint_items(sentence, place) if rule.places else _items(sentence, place)[0]
        items = _whole(filing, items, sentence, place)
        names = list(filter(None, (_named(filing, rule, item) for item in items)))
        if len(names) >= rule.least:
            found += names
    return list(dict.fromkeys(found))[:_MOST]


def _whole(filing: Filing, items: list[str], sentence: str, at: int) -> list[str]:
    """The names of an enumeration; one that the document writes with a comma or "and" in it is not two of them."""
    joint = [
        name
        for name in filing.known
        if (", " in name or " and " in name) and sentence.find(name, at) >= 0 and any(map(name.startswith, items))
    ]
    return [*joint, *(item for item in items if not any(item in name for name in joint))]


def _names_before(filing: Filing, rule: _Enumeration, sentence: str) -> list[str]:
    """The names that begin a sentence which says what they are: "Acme, Bolt and Crux are among our competitors"."""
    said = rule.among.search(sentence)
    if said is None:
        return []
    items, end = _items(sentence, 0)
    names = list(filter(None, (_named(filing, rule, item) for item in items)))
    is_enumeration = end == said.start() and len(names) >= rule.least
    return names[:_MOST] if is_enumeration else []


def _items(sentence: str, at: int) -> tuple[list[str], int]:
    """The names of an enumeration that begins at a place, and where it ends."""
    matches = list(_matches(sentence, at))
    return list(map(_name_of, matches)), matches[-1].end() if matches else at


def _matches(sentence: str, at: int) -> Iterator[re.Match[str]]:
    """The places of the names of an enumeration."""
    begins = _BEGINS.match(sentence, at)
    match = _ITEM.match(sentence, begins.end()) if begins else None
    while match is not None:
        yield match
        between = _BETWEEN.match(sentence, match.end())
        match = _ITEM.match(sentence, between.end()) if between else None


def _name_of(match: re.Match[str]) -> str:
    name = _BEHIND_FORM.sub(r"\1", match["name"])
    return name if has_legal_form(name) else name.rstrip(".,'’")


def _joint_items(sentence: str, at: int) -> list[str]:
    """As :func:`_items`, where "and" may stand inside a name: between commas it does, and behind the last one it parts
    two names; of three the one with a short form in brackets ends there, else nobody can tell.

    >>> _joint_items("Aeronautics, Missiles and Fire Control (MFC), Rotary and Mission Systems (RMS) and Space", 0)
    ['Aeronautics', 'Missiles and Fire Control', 'Rotary and Mission Systems', 'Space']
    >>> _joint_items("Digital Media, Digital Marketing and Print and Publishing", 0)
    ['Digital Media']
    """
    groups: list[list[re.Match[str]]] = []
    opens_with_and = False
    for match in _matches(sentence, at):
        between = sentence[groups[-1][-1].end() : match.start()] if groups else ","
        if "," in between or ";" in between:
            groups.append([])
            opens_with_and = "and" in between
        groups[-1].append(match)
    if not groups:
        return []
    whole = [_joined(sentence, group) for group in groups]
    return whole if opens_with_and else [*whole[:-1], *_parted(sentence, groups[-1])]


def _joined(sentence: str, group: Sequence[re.Match[str]]) -> str:
    return sentence[group[0].start("name") : group[-1].start("name")] + _name_of(group[-1])


def _parted(sentence: str, group: Sequence[re.Match[str]]) -> list[str]:
    """The names between which "and" stands at the end of an enumeration."""
    if len(group) < _UNCLEAR:
        return list(map(_name_of, group))
    if len(group) > _UNCLEAR:
        return []
    first, second, last = group
    if second[0].endswith(")"):
        return [_joined(sentence, [first, second]), _name_of(last)]
    return [_name_of(first), _joined(sentence, [second, last])] if first[0].endswith(")") else []


def _named(filing: Filing, rule: _Enumeration, item: str) -> str:
    """The name of an item; "" for what is no name of the kind: a place, an office, a department, the firm itself."""
    name = named(item, rule.cell, filing.known)
    if rule.cell == "place" or not name:
        return name
    if same_name(item, filing.filer) or filing.known.get(item) in rule.never or roles_in(item):
        return ""
    is_nobody = _SAID.any("nobody", item) or place_in(item) or is_department(item)
    return "" if is_nobody and not rule.places else item


@cache
def _rules() -> tuple[_Enumeration, ...]:
    return tuple(
        _Enumeration(
            said=LazyPattern(rule["said"]),
            among=LazyPattern(rf" (?:are|were|is) (?:among|some of|one of)?[^.;,]{{0,80}}\b(?:{rule['among']})\b", 0),
            least=rule["least"],
            claim=Claim.parse(rule["says"]),
            never=frozenset(rule["never"]),
            unless=LazyPattern(rule["unless"]) if "unless" in rule else None,
            places=rule.get("places", False),
            cell=rule.get("cell", "name"),
        )
        for rule in load_rules(__package__, "lists.toml")["enumerations"]["rules"]
    )
