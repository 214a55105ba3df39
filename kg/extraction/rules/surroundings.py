"""What stands around a name of unknown type and shows its type: words beside it, and the other names of its list."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ....core.patterns import PatternTable
from ...triple import Name
from .lexicon import lexicon
from .runs import Run

_SHOWN = {
    kind: PatternTable(__package__, "names_en.toml", f"shown.{kind}") for kind in ("company", "product", "person")
}
_BESIDE = PatternTable(__package__, "names_en.toml", "beside")
_BEFORE, _BEHIND = 60, 80
"""Characters before and behind a name that are looked at."""
_A_WORD = r"[A-Za-z][\w'’&]{0,20}"
_SHORT = re.compile(r" (?:\(|or )[\"“'‘]?(?P<short>[A-Z][A-Z&]{1,6})s?[\"”'’]?(?=[),.; ])")
_SHORT_FOR = re.compile(rf"(?P<words>{_A_WORD}(?:[ /-]{_A_WORD}){{1,7}})(?:,(?= or ))?{_SHORT.pattern}")
"""Words and the capitals that stand for them: "days sales outstanding, or DSO", "funds from operations (FFO)"."""
_SMALL = frozenset({"of", "the", "and", "for", "in", "to", "on", "a"})
_BETWEEN = re.compile(r"[®™]?(?:,? (?:and|or) (?:the )?|, (?:the )?)")
_LEAST_OF_LIST = 3
_FEWEST_COMPANIES = 2
"""Names that make a list, and companies of them that show that the others are some: one alone may stand beside its
products ("Microsoft, Azure and Xbox")."""
_SPREADS = frozenset({"company", "person", "product"})
_OWN_LETTERS, _OWN_TIMES = 4, 5
"""Letters of a word of a firm's name, and how often it has to stand alone, to be a name of the firm."""


class Surroundings:
    """What a document shows of the types of its names, by the words that stand beside them.

    >>> shown = Surroundings()
    >>> sentence = "We signed a collaboration with Tern."
    >>> shown.see("Tern", sentence, 31, 35)
    >>> shown.type_of("Tern")
    'company'
    """

    def __init__(self) -> None:
        self._votes: dict[str, Counter[str]] = defaultdict(Counter)
        self._places: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        """Of names that were not asked about yet: most are of a type that they show by themselves."""

    def see(self, name: str, sentence: str, start: int, end: int) -> None:
        """Note one of the places of a name."""
        self._places[name].append((sentence, start, end))

    def _count(self, name: str, sentence: str, start: int, end: int) -> None:
        """Count what stands beside a name at one of its places."""
        before, behind = sentence[max(0, start - _BEFORE) : start], sentence[end : end + _BEHIND]
        for kind, patterns in _SHOWN.items():
            if kind == "person" and " " not in name:
                continue
            if patterns.any("before", before) or patterns.any("behind", behind):
                self._votes[name][kind] += 1

    def type_of(self, name: str) -> str:
        """The type that most places show; "" where none does or two are equal."""
        for place in self._places.pop(name, ()):
            self._count(name, *place)
        votes = self._votes.get(name)
        if not votes:
            return ""
        first, *others = votes.most_common()
        is_equal = bool(others) and others[0][1] == first[1]
        return "" if is_equal else first[0]


def abbreviations(sentence: str) -> set[str]:
    """The capitals that a sentence says to stand for the words before them.

    >>> sorted(abbreviations("Our funds from operations (FFO) and days sales outstanding, or DSO, fell at (SEC)."))
    ['DSO', 'FFO']
    """
    found: set[str] = set()
    if _SHORT.search(sentence) is None:
        return found
    for match in _SHORT_FOR.finditer(sentence):
        printed = re.split(r"[ /-]", match["words"].strip())
        is_name = printed[-1][:1].isupper() and printed[-1] not in lexicon("en").words["paper_endings"]
        if is_name:
            continue  # "New York University (NYU)"
        words = [word.lower() for word in printed]
        letters = match["short"].replace("&", "").lower()
        initials = "".join(word[0] for word in words if word)
        without_small = "".join(word[0] for word in words if word and word not in _SMALL)
        if initials.endswith(letters) or without_small.endswith(letters):
            found.add(match["short"])
    return found


def with_types_of_lists(
    names: Sequence[Name], sentence: str, offset: int, unknown: str, person: re.Pattern[str]
) -> list[Name]:
    """The names of a sentence, those of unknown type in a list of three or more with the type of their neighbours.

    ``unknown`` is the type of names whose type is not known, ``person`` what a person's name is written like.
    """
    typed = list(names)
    for low, high in _lists(names, sentence, offset):
        known = [name.type for name in names[low:high] if name.type != unknown]
        if len(set(known)) != 1:
            continue
        kind = known[0]
        if kind == "company" and len(known) < _FEWEST_COMPANIES:
            continue
        for place in range(low, high):
            name = names[place]
            is_one = kind in _SPREADS and (kind != "person" or person.fullmatch(name.name) is not None)
            if name.type == unknown and is_one:
                typed[place] = replace(name, type=kind)
    return typed


def _lists(names: Sequence[Name], sentence: str, offset: int) -> list[tuple[int, int]]:
    """Where the names stand in a row with nothing but commas and "and" between, as ranges of ``names``."""
    found: list[tuple[int, int]] = []
    low = 0
    for place in range(1, len(names) + 1):
        if place < len(names):
            between = sentence[names[place - 1].end - offset : names[place].start - offset]
            if _BETWEEN.fullmatch(between):
                continue
        if place - low >= _LEAST_OF_LIST:
            found.append((low, place))
        low = place
    return found


def own_words(given: Mapping[str, str], often: Mapping[str, int], lower: set[str]) -> dict[str, str]:
    """Word -> the firm of whose name it is: in its own report "Epson" alone is Seiko Epson Corporation.

    ``given`` are the names that are certain, ``often`` how often each name stands alone, ``lower`` the words that the
    document also writes small.
    """
    words = lexicon("en").words
    common = words["generic_stems"] | words["terms"]
    own: dict[str, str] = {}
    for name, kind in given.items():
        if kind != "company":
            continue
        written = name.title() if name.isupper() else name
        for word in written.replace(",", " ").split():
            is_common = word.lower() in common or word.lower() in lower or word in words["given_names"]
            is_long = len(word) >= _OWN_LETTERS and word.isalpha()
            if is_long and not is_common and word not in lexicon("en").known and often.get(word, 0) >= _OWN_TIMES:
                own[word] = name
    return own


def only_describes(text: str, end: int) -> bool:
    """True where a name that ends at ``end`` stands before a noun which it describes, and so does nothing itself."""
    return _BESIDE.all("acts")[0].match(text, end) is None


def is_described(run: Run, sentence: str) -> bool:
    """True where the last word is no part of a name but says what the next one is: "Equity Securities transactions"."""
    last = run.text.rpartition(" ")[2]
    return (
        last in lexicon("en").words["adjective_endings"]
        and _BESIDE.all("described")[0].match(sentence, run.end) is not None
    )
