"""Capitalised runs: where English text writes something like a name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ....core.names import has_legal_form
from ....core.patterns import on_demand
from ....core.records import dataclass
from .lexicon import lexicon

_FORMS = (
    r"Incorporated|Inc|Corporation|Corp|Company|Co|Limited|Ltd|LLC|L\.L\.C|LLP|L\.L\.P|LP|L\.P|PLC|plc|P\.L\.C|N\.A|N\.V|S\.A|S\.p\.A|AG|SE"
    r"|GmbH|B\.V|Pte|Pty|National\sAssociation|INC|INCORPORATED|CORP|CORPORATION|COMPANY|LTD|LIMITED"
)
_DOTTED = r"(?:Inc|INC|Corp|CORP|Co|Ltd|LTD|Cos|Pte|Pty|Pvt|Sdn|Bhd|Bros|Mr|Ms|Mrs|Dr|Prof|St|Ft|Mt|Jr|Sr|No)\."
_TOKEN = (
    rf"(?:(?:[A-Z]\.){{2,}}(?:[A-Z]\b)?|{_DOTTED}|[A-Z]\.(?=\s[A-Z])|S\.p\.A\.|S\.A\."
    r"|[A-Z]\w*(?:(?:[’'&\-+]|\.(?=com\b|net\b|org\b|io\b|ai\b))\w+)*\+?"
    r"|\d+(?:[A-Z][A-Za-z]*|-[A-Z]\w+)|[a-z][A-Z]\w+)"
)
_COUNTRY_IN_NAME = (
    r"\([A-Z][\w.]{1,12}\)"
    r"(?=(?:\s(?:&|and|[A-Z][\w&-]{1,20})){0,5}?,?\s(?:Holdings?|Limited|Ltd|Inc|Corp|Co|Company|LLC|PLC|N\.A)\b)"
)
_JOINING = r"of\sthe|of|for|and|&|\+|de|la|du|del|von|van\sder|van|der"
_JOIN = rf"(?:\s(?:{_COUNTRY_IN_NAME}|{_JOINING})\s|\s(?:\d{{3}}\s(?=[A-Z]))?)"
_NUMBER = r"(?:\s\d{1,3}[A-Z]?(?![\w.,/%-]|\s(?:million|billion|percent|%)))"
_RUN = on_demand(
    rf"(?<![\w@.]){_TOKEN}(?:{_JOIN}{_TOKEN})*{_NUMBER}?(?:,?\s(?:{_FORMS})\b\.?(?:,?\s(?:{_FORMS})\b\.?)?)?[®™]?"
)
_JOINS = frozenset({"of", "for", "and", "&", "the", "de", "von", "van"})
_LAST_JOIN = on_demand(r"(?<!\s)(?:(?:\s+(?:of|for|and|&|the|de|von|van)){1,6}\s*|\s+)$")
_WORD = on_demand(r"\S+")
_SENTENCE_INSIDE = frozenset({"The", "Our", "We", "This", "These", "Its", "Their", "By", "As", "Dated"})
"""Words that begin a sentence behind a heading without a full stop: "Contingencies The Company is subject to"."""
_BASED = on_demand(r"-(?:based|headquartered|listed|domiciled|inspired|branded|focused)\Z")
"""What makes an adjective of a name, which ends there: "New York-based Acme Inc."."""
_INITIAL = on_demand(r"[A-Z]\.")
_LEAST_OF_PERSON = 3
"""Words of a name with an initial: "Ann S. Roe"."""
_CLOSING_FORMS = frozenset(
    {"Inc.", "Corp.", "Ltd.", "LLC.", "LLC", "LLP", "L.P.", "S.p.A.", "N.V.", "B.V.", "plc", "PLC", "GmbH"}
)
_LEAST_BEFORE_FORM = 2
"""Words of a name with its legal form."""
_LEAST_ENTRY = 2
"""Words of an entry behind its key."""
_MOST_LETTERS = 5
"""Letters of a ticker that a table prints before its market: "MGM New York Stock Exchange"."""
_TITLES = on_demand(r"(?:Mr|Ms|Mrs|Miss|Madam|Messrs|Dr|Prof|Professor|Sir|Dame)\b\.?")


@dataclass(frozen=True, slots=True)
class Run:
    """A candidate name, ``text[start:end]``, and whether it opens its sentence."""

    text: str
    start: int
    end: int
    opens: bool = False
    title: bool = False
    """An honorific stood before it."""


def find_runs(sentence: str) -> Iterator[Run]:
    """Candidate names of one sentence (line breaks already blanks), roles and honorifics split off.

    >>> [run.text for run in find_runs("Mr. Deese was President and CEO of Flowers Foods, Inc. in Georgia.")]
    ['Deese', 'President', 'CEO', 'Flowers Foods, Inc.', 'Georgia']
    """
    for match in _RUN.finditer(sentence):
        for start, end in _pieces(sentence, match.start(), match.end()):
            run = _trimmed(sentence, start, end)
            if run is not None:
                yield run


def is_heading(sentence: str) -> bool:
    """True for a line in capitals or title case: its capitals do not mark names."""
    words = [word for word in _WORD.findall(sentence) if word[0].isalpha()]
    if len(words) >= 2 and sum(map(str.isupper, words)) > 0.7 * len(words):
        return True
    if len(words) < 3 or sentence.rstrip().endswith((".", "?", "!")):
        return False
    capitals: int = sum(word[0].isupper() for word in words)
    return capitals > 0.7 * len(words)


@cache
def _openers() -> frozenset[str]:
    return lexicon("en").words["openers"]


@cache
def _roles() -> frozenset[str]:
    return lexicon("en").words["roles"]


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a run at roles, possessives, and joining words that do not belong to one name."""
    words = [(m.start(), m.end()) for m in _WORD.finditer(text, start, end)]
    first, index = 0, 0
    while index < len(words):
        length = _role_length(text, words, index)
        if index > first and (_starts_sentence(text, words, index) or _begins_other(text, words, first, index)):
            yield from _joined(text, words[first:index])
            first = index
        elif _measures(text, words[index]):
            yield from _joined(text, words[first:index])
            first = index = index + 1
        elif length:
            yield from _joined(text, words[first:index])
            yield words[index][0], words[index + length - 1][1]
            first = index = index + length
        elif based := _BASED.search(text, words[index][0], words[index][1]):
            if text[words[first][0] : based.start()] in lexicon("en").known:  # "Ground-based" is of no place
                yield words[first][0], based.start()
            first = index = index + 1
        elif _ends_name(text, words, first, index):
            low, high = words[index]
            yield from _joined(text, [*words[first:index], (low, high - 2)])
            first = index = index + 1
        else:
            index += 1
    yield from _joined(text, words[first:])


def _ends_name(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True for a word with a possessive "'s" that is no part of the name."""
    low, high = words[index]
    return text.endswith(("'s", "’s"), low, high) and not _keeps_possessive(text, words, first, index)


def _starts_sentence(text: str, words: list[tuple[int, int]], index: int) -> bool:
    """An opener after a full stop, "Goldman Sachs & Co. Please go ahead", or behind a heading."""
    before = text[words[index - 1][0] : words[index - 1][1]]
    word = text[words[index][0] : words[index][1]]
    if before.endswith(".") and word in _openers():
        return True
    return word in _SENTENCE_INSIDE and before not in _JOINS


def _begins_other(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True for a name that follows another without anything between, as in a table or a list of signatures."""
    followed = (_follows_form, _begins_market, _begins_person)
    return any(is_other(text, words, first, index) for is_other in followed)


def _follows_form(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True behind a legal form with its full stop: "Bolt Systems Inc. Ann Lee leads it"; of "Bolt Corp. Japan" a place
    goes on."""
    before = text[words[index - 1][0] : words[index - 1][1]]
    word = text[words[index][0] : words[index][1]].rstrip(".,")
    if before not in _CLOSING_FORMS or index - first < _LEAST_BEFORE_FORM:
        return False
    return not has_legal_form(f"X {word}") and word not in _JOINS and lexicon("en").known.get(word) != "place"


def _begins_person(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True for the second of "Ann S. Roe John W. Doe"."""
    if index - first < _LEAST_OF_PERSON or index + 1 >= len(words):
        return False
    given = lexicon("en").words["given_names"]
    written = [text[low:high] for low, high in words[first : index + 2]]
    is_person_before = written[0] in given and _INITIAL.fullmatch(written[1]) is not None
    return is_person_before and written[-2] in given and _INITIAL.fullmatch(written[-1]) is not None


def _begins_market(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True for the market behind a ticker, as on the cover of a filing: "MGM New York Stock Exchange"."""
    ticker = text[words[first][0] : words[first][1]]
    is_ticker = index == first + 1 and ticker.isupper() and len(ticker) <= _MOST_LETTERS
    return is_ticker and lexicon("en").known.get(text[words[index][0] : words[-1][1]]) == "market"


def _measures(text: str, word: tuple[int, int]) -> bool:
    """True for a word of the names of figures, which belongs to no name before it: "Bolt Resorts Adjusted EBITDAR"."""
    return text[word[0] : word[1]].rstrip(",.") in lexicon("en").words["measuring"]


def _role_length(text: str, words: list[tuple[int, int]], index: int) -> int:
    for length in range(min(4, len(words) - index), 0, -1):
        if text[words[index][0] : words[index + length - 1][1]].rstrip(",.") in _roles():
            return length
    return 0


def _keeps_possessive(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """Names like "McDonald's" hold their own "'s"."""
    known = lexicon("en").known
    starts, ends = {first, index}, range(index, min(len(words), index + 3))
    return any(text[words[i][0] : words[j][1]].replace("’", "'") in known for i in starts for j in ends)


_OPEN_JOINS = {"of", "for"}


def _joined(text: str, words: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Cut at "of", "for" and "and" unless what they join is one name."""
    if not words:
        return
    if text[words[0][0] : words[-1][1]] in lexicon("en").known:
        yield words[0][0], words[-1][1]
        return
    first = 0
    for index in range(1, len(words) - 1):
        if not _parts(text, words, first, index):
            continue
        if index > first:
            yield words[first][0], words[index - 1][1]
        first = index + 1
        if text[words[first][0] : words[first][1]] == "the":
            first += 1
    if first < len(words):
        yield words[first][0], words[-1][1]


def _parts(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """True for a joining word between two names."""
    word = text[words[index][0] : words[index][1]]
    if word in _OPEN_JOINS:
        return not _heads_of(text, words[index - 1])
    if word != "and" or _one_company(text, words, first, index):
        return False
    return not _one_law(text, words, first, index)


def _one_law(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """ "Tax Cuts and Jobs Act" is one law; "the Securities Act and Exchange Act" are two, "Bolt and the Act" none."""
    ends = lexicon("en").words["joined_endings"]
    before = text[words[first][0] : words[index - 1][1]]
    last = text[words[-1][0] : words[-1][1]].rstrip(",.")
    is_whole = last in ends and before.rpartition(" ")[2] not in ends
    return is_whole and len(words) - index > 2 and before not in lexicon("en").known


def _heads_of(text: str, word: tuple[int, int]) -> bool:
    return text[word[0] : word[1]] in lexicon("en").words["of_heads"]


def _one_company(text: str, words: list[tuple[int, int]], first: int, index: int) -> bool:
    """ "Mining and Manufacturing Company" is one name; "Apple and Microsoft Corporation" are two."""
    known = lexicon("en").known
    if text[words[first][0] : words[-1][1]] in known:
        return True
    before, after = text[words[first][0] : words[index - 1][1]], text[words[index + 1][0] : words[-1][1]]
    if before in known or after in known or has_legal_form(before) or before.endswith(("Bank", "Group", "Holdings")):
        return False
    if "," in after or len(after.split()) > 2:
        return False
    return after.endswith(("Company", "Co.")) or _only_ends_names(after)


def _only_ends_names(piece: str) -> bool:
    """ "Utilities Corp." of "Elm Power and Utilities Corp.": a form behind a word of many names."""
    word, _, form = piece.partition(" ")
    return has_legal_form(f"X {form}") and word.lower() in lexicon("en").words["joined_words"]


def _trimmed(text: str, start: int, end: int) -> Run | None:
    """Without openers, honorifics and trailing punctuation."""
    opens = not text[:start].strip(" \"'“‘(•-–—·*0123456789.)")
    start, has_title = _without_openers(text, start, end)
    piece = text[start:end].rstrip(" ,;:&-–®™")
    if piece.endswith(" I") and text[end : end + 2].strip()[:1].islower():
        piece = piece[:-2]  # "of interest for Bolt I mean"
    if piece.endswith(".") and not _dot_belongs(piece):
        piece = piece[:-1]
    piece = _LAST_JOIN.sub("", piece)
    if len(piece) < 2 or not any(map(str.isalpha, piece)):
        return None
    return Run(piece, start, start + len(piece), opens, has_title)


def _without_openers(text: str, start: int, end: int) -> tuple[int, bool]:
    """Where a run begins after the words that open sentences, and whether an honorific was among them."""
    has_title = False
    while start < end and text[start:end] not in lexicon("en").known:
        word = _WORD.match(text, start)
        if word is None:
            start += 1
            continue
        last = min(word.end(), end)
        token = text[start:last]
        if _begins_known(text, start, end) or text.startswith(" & ", last):
            break
        if _TITLES.fullmatch(token):
            has_title = True
        elif not _is_opener(token) and not _said_twice(text, start, end):
            break
        start = last + 1
    return start, has_title


def _begins_known(text: str, start: int, end: int) -> bool:
    """True for two words that are a name: "New York" of "New York State Gaming Commission"."""
    return " ".join(text[start:end].split(" ", 2)[:2]) in lexicon("en").known


def _is_opener(token: str) -> bool:
    return token in _JOINS or token.rstrip(",") in _openers()


def _said_twice(text: str, start: int, end: int) -> bool:
    """A key before its entry, in a glossary or a table: "Arena Arena Pharmaceuticals, Inc.", "EU European Union",
    "Roe Ann B. Roe"."""
    first, *others = text[start:end].split()
    if len(others) < _LEAST_ENTRY:
        return False
    if first == others[0].rstrip(",") or _stands_for(first, others):
        return True
    return first == others[-1] and _JOINS.isdisjoint(others) and any(map(_INITIAL.fullmatch, others))


def _stands_for(key: str, words: list[str]) -> bool:
    """True for capitals that are the first letters of the words."""
    if not (key.isupper() and 1 < len(key) <= _MOST_LETTERS):
        return False
    parts = [part for word in words for part in word.split("-") if part not in _JOINS]
    return "".join(part[0] for part in parts).startswith(key)


def _dot_belongs(piece: str) -> bool:
    last = piece.rsplit(" ", 1)[-1]
    return last.count(".") > 1 or re.fullmatch(_DOTTED, last) is not None
