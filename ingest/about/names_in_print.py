"""Names of companies in print: what is one, where it begins and ends, and whom a text often says to do something."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from ...core.names import has_legal_form, strip_legal_form
from ...core.records import dataclass
from ...core.rules import load_rules

_LONGEST = 90
"""Characters of a name."""
_NAME = re.compile(rf"(?=.*[^\W\d_]).{{2,{_LONGEST}}}")
"""With a letter, and neither too short nor too long."""
_WORD = re.compile(r"[^\s.,()“”\"'’*:–-]+")
_FORM_WORDS, _FORM_WIDTH = 5, 60
"""Words and characters after a name among which its legal form is looked for."""
_SHORT_WORD = re.compile(r"(?:^|\s)(?![A-Z]{1,2},?$)\w{1,2},?$")
"""What a legal form of two letters may be as well: "as", "co"."""
_SMALL_CAPITALS = re.compile(r"\b([A-Z]) (?=[A-Z]{3,}\b)")


@dataclass(frozen=True, slots=True)
class Issuer:
    """Company and ticker as printed; ``short`` is the Chinese name that its shares trade under (四方科技)."""

    company: str = ""
    ticker: str = ""
    short: str = ""
    how: str = "cover page"
    """The kind of witness."""


@cache
def rules() -> dict[str, Any]:
    """How issuers are recognised (issuer.toml)."""
    return load_rules(__package__, "issuer.toml")


@cache
def words(key: str) -> frozenset[str]:
    """A list of words of the rules for names."""
    return frozenset(rules()["names"][key])


@lru_cache(maxsize=1 << 14)
def is_company(name: str) -> bool:
    """False for what stands on covers beside the name: states, forms, dates, labels, addresses, "Holding Company".

    >>> is_company("Foot Locker, Inc."), is_company("Delaware"), is_company("(Mark One)"), is_company("New York")
    (True, False, False, False)
    """
    name = name.strip(" .,:;*")
    if not _NAME.fullmatch(name):
        return False
    return not any((name.lower() in _places(), is_generic(name), _no_company().search(name)))


def is_generic(name: str) -> bool:
    """True where every word is one that any company may be called by.

    >>> is_generic("Parent Holding Company"), is_generic("The Boeing Company")
    (True, False)
    """
    own = set(_WORD.findall(name.lower())) - words("generic")
    return all(map(str.isdigit, own))


@lru_cache(maxsize=1 << 14)
def role_of_others(name: str) -> str:
    """What a name stands for that is mostly found in the reports of others: an exchange, an auditor, a registry.

    >>> role_of_others("Australian Securities Exchange Limited"), role_of_others("Acme Limited")
    ('exchange', '')
    """
    return next((role for role, form in _others() if form.search(name)), "")


def written_in_full(name: str, text: str) -> str:
    """The name with the legal form that the text adds to it somewhere, else as it is.

    >>> written_in_full("acme", "Acme rose. Acme, Inc. fell."), written_in_full("Acme", "Acme rose")
    ('Acme, Inc.', 'Acme')
    """
    if not name or has_legal_form(name):
        return name
    places = re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    spelled = (_with_form(place.group(), text, place.end()) for place in places)
    return next(filter(None, spelled), name)


def is_full_name(name: str) -> bool:
    """True for a name that ends in its legal form; a short form counts in capitals or with its dot ("AB", "Co.")."""
    if len(name) > _LONGEST or _SHORT_WORD.search(name) or ": " in name:
        return False
    return all((is_capitalised(name), has_legal_form(name), strip_legal_form(name) != name))


def is_capitalised(line: str) -> bool:
    """True where all words but the smallest begin with a capital: a line that is a name, no sentence."""
    lower = {word for word in line.split() if word[:1].islower()}
    return lower <= words("small") | {"plc"}


def without_small_capitals(name: str) -> str:
    """ "MGM R ESORTS I NTERNATIONAL" -> "MGM RESORTS INTERNATIONAL": initials in larger type were taken for words."""
    joined, initials = _SMALL_CAPITALS.subn(r"\1", name)
    return joined if initials > 1 else name


def any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One form for all the patterns, case ignored."""
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


def _with_form(name: str, text: str, end: int) -> str:
    """The name with the longest legal form that follows it in the text; "" where none does, or it has no capital."""
    if not name[:1].isupper():
        return ""
    after = text[end : end + _FORM_WIDTH].split("\n")[0].split(" ")[:_FORM_WORDS]
    for count in range(len(after), 0, -1):
        full = (name + " ".join(after[:count])).rstrip(",:; ")
        if full != name and is_full_name(full) and strip_legal_form(full) == name:
            return _without_last_dot(full)
    return ""


def _without_last_dot(full: str) -> str:
    """Without the last dot where it is the sentence's: "Acme AB." but not "Acme Inc."."""
    last = full.rstrip(".").split()[-1]
    return full.removesuffix(".") if last.isupper() and "." not in last else full


@cache
def _others() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((other["role"], re.compile(other["pattern"], re.IGNORECASE)) for other in rules()["other"])


@cache
def _no_company() -> re.Pattern[str]:
    return any_of(load_rules(__package__, "metadata.toml")["not_company"]["patterns"])


@cache
def _places() -> frozenset[str]:
    excluded = load_rules(__package__, "metadata.toml")["not_company"]
    return frozenset(excluded["places"].split()) | frozenset(excluded["place_names"])


_REACH = 120
"""Characters before its end within which a name begins."""
_AHEAD = 160
_NAMELESS = re.compile(r"(?:\b(?:the|our|this|a|such|each|any|its|parent|holding)[ \n]|[^ \n,.])$", re.IGNORECASE)
"""What stands before a form of which no name ends there: "the Company", or the rest of a longer word."""
_SHORTEST = 9
"""Characters before a form that tell."""
_BREAK = re.compile(r"[\u2e80-\uffef]|--")
"""Parts a name from what is no part of it: a Chinese word, the dashes behind the town of a release."""
_CAPITAL = r"(?:[a-z]{1,6}(?=[A-Z]))?[^\W_a-zß-öø-ÿ\u2e80-\uffef][^\s|\u2e80-\uffef]*"
"""A word with a capital or a digit at its beginning, in "easyJet" after small letters."""
_PARTS = re.compile(r"\s[|•·–—]\s")
_MOST_TITLE_WORDS = 6
"""Words of a name without a legal form."""
_EDGES = ' ,;:“”"‘*#|•·—–-('
_PLURAL = re.compile(r"['’]s?$")
_DATE = (
    r"\d{1,2}(?:st|nd|rd|th)?\s+(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)"
)


@dataclass(frozen=True, slots=True)
class Name:
    """A name as printed; ``formed`` where it ends in a legal form."""

    text: str
    formed: bool


def form_ends(text: str) -> Iterator[int]:
    """Where in a text a word ends that may be a legal form: "Inc", "LIMITED", "plc"."""
    for match in _form().finditer(text):
        if not _NAMELESS.search(text, max(0, match.start() - _SHORTEST), match.start()):
            yield match.end()


def name_before(text: str, end: int) -> Name | None:
    """The name that ends at ``end``, read backwards to where its line or its capitals begin."""
    line = text[max(0, end - _REACH) : end].rpartition("\n")[2]
    stretch = _BREAK.split(line)[-1].rstrip(" ,(–-")
    runs = _run(" ").finditer(stretch)
    return next((_trimmed(run.group()) for run in runs if run.end() == len(stretch)), None)


def name_after(text: str, start: int) -> Name | None:
    """The name that begins at ``start``: up to its legal form, else to the end of its capitals or its line."""
    run = _run(r"[ \n]").match(text, start, start + _AHEAD)
    if run is None:
        return None
    formed = _to_form().match(run.group())
    return _trimmed(formed.group() if formed else run.group().partition("\n")[0])


def name_of_title(line: str) -> Name | None:
    """The name in a title: "Acme plc Annual Report 2023" is Acme plc, "Report 2023 | Acme Group" is Acme Group.

    Without a legal form it is one only beside the name of a kind of report.
    """
    bare = without_report_titles(line)
    for part in (bare, *map(without_report_titles, _PARTS.split(line[:300]))):
        if found := _formed_name(part):
            return found
    titled = bare != " ".join(line.split()) and len(bare.split()) <= _MOST_TITLE_WORDS
    return _trimmed(bare) if titled and is_capitalised(bare) else None


def without_report_titles(line: str) -> str:
    """A title without the kind of report, years and page numbers at both ends.

    >>> without_report_titles("2023 Annual Report | Acme Group"), without_report_titles("Acme plc - Report 2022/23")
    ('Acme Group', 'Acme plc')
    """
    head, tail = _title_ends()
    return tail.sub("", head.sub("", " ".join(line[:300].split()))).strip(_EDGES)


def _formed_name(title: str) -> Name | None:
    """The first name in a title that has a legal form."""
    runs = (_to_form().match(run.group()) for run in _run(" ").finditer(title))
    names = (_trimmed(without_report_titles(run.group())) for run in runs if run)
    return next(filter(None, names), None)


@lru_cache(maxsize=1 << 14)
def _trimmed(text: str) -> Name | None:
    """What is left without what stands before or after a name; None where that is no name."""
    before, after = _outside()
    text = after.sub("", before.sub("", " ".join(text.split()).lstrip(_EDGES))).strip(_EDGES)
    text = _PLURAL.sub("", text).rstrip(")]")
    text = without_small_capitals(_without_sentence_end(text))
    return Name(text, has_legal_form(text)) if is_company(text) else None


def _without_sentence_end(text: str) -> str:
    """Without the last dot where it is the sentence's: after "Acme plc." or "Acme AB.", not after "Acme Inc."."""
    last = text.split(" ")[-1]
    is_abbreviated = last.count(".") > 1 or last.rstrip(".").lower() in words("with_dot")
    return text if is_abbreviated else text.removesuffix(".")


@cache
def _form() -> re.Pattern[str]:
    return re.compile(rf"(?:{_spelled('forms')})\.?(?!\w)")


@cache
def _to_form() -> re.Pattern[str]:
    """From the beginning of a run to the last legal form in it."""
    return re.compile(rf"\S.*[\s,](?:{_spelled('forms')})\.?(?![\w])", re.DOTALL)


@cache
def _run(blank: str) -> re.Pattern[str]:
    """Words with a capital, joined by small ones: a run ends with its sentence, at a comma, or after a firm's form."""
    form = rf"(?:{_spelled('forms')})\.?(?!\w)"
    firm = rf"(?:{_spelled('firm_forms')})(?!\w)"
    after_abbreviation = "".join(
        rf"|(?<=\b{short}\.){blank}" for short in ("[A-Z]", "St", "Mt", "Dr", "Co", "No", "Bros")
    )
    no_firm = "".join(rf"(?<!\b{end})" for end in rules()["names"]["closing_forms"])
    joint = rf"(?:(?<![.,:;!?…)\]”\"]){no_firm}{blank}{after_abbreviation}|(?<![:;!?…)\]”\"]){blank}(?={form}))"
    small = rf"(?:{'|'.join(sorted(words('small')))}|[&+])(?={blank})"
    lower = rf"[a-zà-ÿ]{{2,}}(?= (?:[a-z]+ )?{firm})"
    word = rf"(?:{_CAPITAL}|{lower}|{form})"
    return re.compile(rf"(?<![\w.]){word}(?:{joint}(?:{word}|{small}))*")


@cache
def _outside() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What may stand before a name, and after it, and is no part of it."""
    small = "|".join(map(re.escape, words("small")))
    before = "|".join(map(re.escape, words("before") | words("small")))
    edges = re.escape(_EDGES)
    first = re.compile(rf"^(?:(?:{before}|(?:19|20)\d\d[:,]?|{_DATE}),?[\s{edges}]+)+", re.IGNORECASE)
    return first, re.compile(rf"(?<!\s)(?:\s+(?:{small}|[^\w\s]+)){{1,12}}\s*$")


@cache
def _title_ends() -> tuple[re.Pattern[str], re.Pattern[str]]:
    names = rules()["names"]
    head = re.compile(rf"^(?:\.|{names['titles']}|{names['joints']}){{1,12}}", re.IGNORECASE)
    tail = re.compile(rf"(?:\s|\b)(?:{names['titles']})(?!\w).*$|(?:{names['joints']}){{1,12}}$", re.IGNORECASE)
    return head, tail


def _spelled(key: str) -> str:
    """Forms as alternatives of a pattern, also in capitals, the longest first."""
    forms = rules()["names"][key]
    return "|".join(sorted({*forms, *map(str.upper, forms)}, key=len, reverse=True))


_MOST_WORDS = 3
_FIRST, _NEXT = r"[A-Z][\w&’'-]*", r"[A-Z&][\w&’'-]*"
_RUNS = tuple(
    re.compile(rf"(?<![\w&’'-])(?=({_FIRST}(?:\s{_NEXT}){{{more}}})(?![\w&’'-]))") for more in range(_MOST_WORDS)
)
"""Every run of one to three capitalised words, also those within longer ones."""
_POSSESSIVE = re.compile(r"['’]s?$")
_NOT_LETTERS = re.compile(r"[^a-z]+")
_DOES = "has|is|will|was|continues|delivered|reported|team"
_OFTEN = 4
"""Times that a text names its own company at least; a name that is said once may be anybody's."""
_SHORT_TICKER = 2
"""Letters of a ticker that many single words would fit."""
_NAMED = r"[A-Z][\w&’-]{0,40}(?:\s[A-Z&][\w&’-]{0,40}){0,3}"
_HOME = re.compile(
    r"\b(?:[Aa]t|[Jj]oin(?:ed|ing)|[Ww]elcome to|[Ww]ithin|[Aa]cross|[Ii]nvest(?:ed|ing|ment)? in|[Ii]nterest in"
    rf"|[Oo]n behalf of)\s+(?P<at>{_NAMED})"
    rf"|\b(?P<own>{_NAMED}?)(?:['’]s\s(?:\w+\s)?(?:total|business|strategy|customers|stores|results|earnings"
    r"|shareholders|stockholders|board|management|team|brand|brands|products|platform|portfolio|performance|growth"
    r"|future|mission|website|employees|stock|financial|quarter|first|second|third|fourth)\b"
    r"|\s(?:team|teammates|associates|employees|shareholders|stockholders|family|brand)\b)"
)
"""What is said of the company that speaks: its home, its people, its shareholders."""
_PERIOD = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Q\d|FY)\b"
)
_CANDIDATES = 8
_MOST_TEXT = 60_000
"""Characters that are looked at."""


def spelled_out(ticker: str, text: str) -> str:
    """The name said often whose letters hold the ticker's in order, all first letters among them; else "".

    >>> spelled_out("BBY", "We at Best Buy care. " * 4), spelled_out("HE", "However, it rained. " * 4)
    ('Best Buy', '')
    """
    if len(ticker) < _SHORT_TICKER:
        return ""
    counted = Counter(_POSSESSIVE.sub("", name) for run in _RUNS for name in run.findall(text))
    often = [name for name, count in counted.items() if count >= _OFTEN]
    form = _form_of(ticker)
    fitting = [name for name in often if form.fullmatch(_NOT_LETTERS.sub(" ", name.lower()).strip())]
    named = [name for name in fitting if _is_somebody(name, text) and not name.startswith(ticker)]
    best = max(named, key=counted.__getitem__, default="")
    rivals = [name for name in named if 2 * counted[name] > counted[best]]
    return best if all(_is_related(name, best) for name in rivals) else ""


def speakers_own(text: str) -> Counter[str]:
    """Names by how often they are spoken of as one speaks of one's own company, words of the language left out.

    >>> speakers_own("At Acme we care. Acme's customers know that.").most_common(1)
    [('Acme', 2)]
    """
    text = text[:_MOST_TEXT]
    said: Counter[str] = Counter()
    for found in _HOME.finditer(text):
        said[_POSSESSIVE.sub("", found["at"] or found["own"])] += 1
    likely = [name for name, _ in said.most_common(_CANDIDATES) if not _PERIOD.match(name)]
    return Counter({name: said[name] for name in likely if not _is_common_word(name, text)})


def _form_of(ticker: str) -> re.Pattern[str]:
    """Names in small letters that a ticker may stand for: its letters in order, each word begun by one of them."""
    joint = r"[a-z]* " if len(ticker) <= _SHORT_TICKER else r"[a-z]*? ?"
    letters = joint.join(map(re.escape, ticker.lower()))
    return re.compile(rf"(?!{re.escape(ticker.lower())}(?![a-z])){letters}[a-z]*")


def _is_related(name: str, other: str) -> bool:
    return name.startswith(other) or other.startswith(name)


def _is_somebody(name: str, text: str) -> bool:
    """True for a name that owns or does something, or is spoken from, and is no word of the language."""
    plain = re.escape(name)
    acts = rf"\b(?:at|joined|joining) {plain}\b|\b{plain}(?:['’]|\s(?:{_DOES})\b)"
    return re.search(acts, text) is not None and not _is_common_word(name, text)


def _is_common_word(name: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(name.lower())}\b", text) is not None
