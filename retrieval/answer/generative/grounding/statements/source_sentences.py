"""The sentences of a source that state something, the clauses of a sentence, and where words quoted of it stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter

from ......core.chinese import simplified
from ......core.records import dataclass
from ......ingest.sentences import split_text
from ...cells.reading import table_text
from ...wording import WORDING, terms

_DENIAL = re.compile(r"\b(?:no|not|never|none|nor|neither|cannot|without)\b|n['’]t\b|[不未没沒无無非]", re.IGNORECASE)
_FEW_WORDS = 5
"""Words of a sentence that only denies the one before it."""
GAP = re.compile(r"\s{0,3}(?:\.{3,9}|…{1,3}|\[(?:\.{3}|…)\]|\((?:\.{3}|…)\))\s{0,3}")
"""Between quoted words of several places."""
PIECE = re.compile(r"\s{0,3}(?:[|\n;；]| / |[\"”’']\s{0,2}(?:and|,|&)\s{0,2}[\"“‘'])\s{0,3}")
"""The same, where nothing says that words are left out: cells of a table, quotations side by side."""
FEWEST_LETTERS = 4
"""Letters or digits that quoted words have at least: "the" stands everywhere."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]{1,60}")
_FEWEST_WORDS, _LOST_OF = 4, 8
"""Of words that are not quoted letter for letter: how many there are at least, and of how many one may be another."""
_FAR, _MOST_STARTS = 40, 50
"""Letters that may be left out between two of them, and places where they are looked for."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of evidence as the model read it; ``about`` is what is known of it: company, kind, period, headings."""

    text: str
    about: str = ""
    source: str = ""
    """Its document: figures may stand in another passage of it than the one that is cited."""

    @property
    def company(self) -> str:
        """The company that it is of, as far as that is known."""
        return self.about.partition("|")[0].strip()


def parts_of(text: str, name: str) -> list[str]:
    """The parts of a text between matches of a pattern of grounding.toml."""
    parts, start = [], 0
    for begin, end in sorted(match.span() for match in WORDING.each(name, text)):
        parts.append(text[start:begin])
        start = end
    return [*parts, text[start:]]


@lru_cache(maxsize=256)
def prose_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text outside its tables."""
    rows = set(table_text(text).splitlines())
    prose = "\n".join("" if line in rows else line for line in text.splitlines())
    spans = split_text(prose, shortest=0, longest=10_000)
    return tuple(prose[span.start : span.end] for span in spans)


@lru_cache(maxsize=256)
def statements_of(text: str) -> tuple[str, ...]:
    """The sentences of prose that state something: no questions, and a short denial with what it denies.

    >>> statements_of("Do you cut costs? Others are tempted to cut advertising. We are not going to do that.")
    ('Others are tempted to cut advertising. We are not going to do that.',)
    """
    stated: list[str] = []
    for said in prose_sentences(text):
        if said.rstrip().endswith(("?", "？")):
            continue
        if stated and len(terms(said)) <= _FEW_WORDS and WORDING.any("denies_that", said):
            stated[-1] = f"{stated[-1]} {said}"
        else:
            stated.append(said)
    return tuple(stated)


# --- where quoted words stand


@lru_cache(maxsize=256)
def _letters_of(text: str) -> tuple[str, tuple[int, ...]]:
    """Letters and digits of a text, and where each stands in it."""
    kept = [(at, letter) for at, letter in enumerate(simplified(text).lower()) if letter.isalnum()]
    return "".join(map(itemgetter(1), kept)), tuple(map(itemgetter(0), kept))


def letters_in(text: str) -> str:
    """Letters and digits, as two printings of the same words are compared.

    >>> letters_in("Re-opened, 營業")
    'reopened营业'
    """
    return _letters_of(text)[0]


def has_letters(text: str) -> bool:
    """Whether there is more than signs in a text."""
    return bool(letters_in(text))


def place_of(quote: str, text: str) -> tuple[int, int] | None:
    """Where quoted words stand in a text, from and to, whatever its marks, line ends, capitals and script.

    Words that are quoted in their order count as well, though some between them are left out or one is another.

    >>> text = "It was shut because orders from builders fell."
    >>> place_of("Shut, because orders", text), place_of("burned down", text)
    ((7, 26), None)
    >>> place_of("it was shut because the orders from builders fell", text)
    (0, 45)
    """
    wanted, (letters, places) = letters_in(quote), _letters_of(text)
    at = letters.find(wanted)
    if at >= 0:
        return places[at], places[at + len(wanted) - 1] + 1
    words = _WORD.findall(simplified(quote).lower())
    if len(words) < _FEWEST_WORDS:
        return None
    for start in islice(re.finditer(re.escape(words[0]), letters), _MOST_STARTS):
        end = _end_of(words, letters, start.start())
        if end:
            span = places[start.start()], places[end - 1] + 1
            return span if _denials(quote) == _denials(text[slice(*span)]) else None
    return None


def _denials(text: str) -> int:
    """How often something is denied: words that are left out of a quotation must not be these."""
    return len(_DENIAL.findall(text))


def _end_of(words: Sequence[str], letters: str, start: int) -> int:
    """Where words that begin at ``start`` end, each a little behind the one before; 0 where too many are lost."""
    end, lost = start, 0
    for word in words:
        at = letters.find(word, end, end + _FAR + len(word))
        if at >= 0:
            end = at + len(word)
        else:
            lost += len(words) if word[0].isdigit() else 1
    return end if lost * _LOST_OF <= len(words) else 0
