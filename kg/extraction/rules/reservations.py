"""What a sentence takes back of a relation: it is denied, only possible, planned, alleged by others, or over.

The words are data: ``reservations.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping

from ....core.patterns import PatternTable
from ...triple import Modality

_WORDS: Mapping[str, PatternTable] = {
    language: PatternTable(__package__, "reservations.toml", language) for language in ("en", "zh")
}
_STRONGEST_FIRST: tuple[Modality, ...] = ("negated", "possible", "planned")
ENDINGS = frozenset({"closes", "leaves"})
"""Relations that tell of an end, in words that elsewhere deny."""
_BEFORE_OVER, _BEHIND_OVER = 40, 90
"""Characters before and behind a relation in which words say that it is over."""


def modality(text: str, language: str = "en", *, is_end: bool = False) -> Modality:
    """The strongest reservation in a stretch of text: denied, then possible, then planned, else asserted.

    ``is_end``: the text tells of an end ("closed", "discontinued"), whose words deny nothing; a plain "not" does.

    >>> modality("‹C0› may acquire ‹C1›"), modality("‹C0› did not acquire ‹C1›"), modality("In May ‹C0› acquired ‹C1›")
    ('possible', 'negated', 'asserted')
    >>> modality("we discontinued ‹D0›"), modality("we discontinued ‹D0›", is_end=True)
    ('negated', 'asserted')
    """
    words = _WORDS[language]
    for told in _STRONGEST_FIRST:
        for cue in words.each(told, text):
            if not (is_end and words.any("ends", cue[0])):
                return told
    return "asserted"


def reservation_before(before: str, language: str = "en") -> Modality:
    """What the words of a sentence before a relation reserve about all that follows them.

    "negated" behind "It is not the case that" or "No customer, ...", "possible" behind "the complaint alleges that".

    >>> [reservation_before(words) for words in ("No customer, including ", "Plaintiffs allege that ", "In May ")]
    ['negated', 'possible', 'asserted']
    """
    words = _WORDS[language]
    if words.any("denied_from_start", before):
        return "negated"
    return "possible" if words.any("reported", before) else "asserted"


def is_denied_right_before(before: str, language: str = "en") -> bool:
    """True where the words right before a state deny it.

    >>> is_denied_right_before("We have no "), is_denied_right_before("We do not know ")
    (True, False)
    """
    return _WORDS[language].any("denied_right_before", before[-_BEFORE_OVER:])


def is_conditional(before: str, after: str, language: str = "en") -> bool:
    """True for words of a sentence that only say what would be: behind "if", or before "could".

    >>> is_conditional("If", "in May, we grow"), is_conditional("An ", " could occur"), is_conditional("In May ", "")
    (True, True, False)
    """
    words = _WORDS[language]
    return words.any("condition", before) or words.any("only_possible", after)


def denies(text: str, language: str = "en") -> bool:
    """True where the text has a plain "not"; for verbs that are themselves denials ("withdrew its guidance").

    >>> denies("we withdrew our guidance"), denies("we did not cut the dividend")
    (False, True)
    """
    return _WORDS[language].any("not", text)


def is_obliged(before: str, language: str = "en") -> bool:
    """True where a contract or law demands what follows: "the agreement requires that we maintain".

    >>> is_obliged("The agreement would require that "), is_obliged("In May ")
    (True, False)
    """
    return _WORDS[language].any("obliged", before)


def end_told(before: str, match: str, after: str, language: str = "en") -> str:
    """Until when a state held that a sentence says is over, as printed: a date or words; "" where it goes on.

    >>> end_told("", "‹C0› was a customer of ‹us›", " until 2019."), end_told("Our ", "former CFO, ‹P0›", " spoke.")
    ('until 2019', 'former')
    >>> end_told("", "‹C0› is a customer of ‹us›", " and grows.")
    ''
    """
    words = _WORDS[language]
    match = words.without("aside", match)
    told = words.first("over", match) or words.first("over_before", before[-_BEFORE_OVER:])
    if told is None:
        told = words.first("over_behind", after[:_BEHIND_OVER])
    return (told["until"] or told[0]).strip(" ,") if told is not None else ""


def speaker_behind_quotation(text: str, language: str = "en") -> tuple[int, int] | None:
    """Where it is said who says the quotation that a sentence holds; None where it holds none or nobody is named.

    >>> text = '"We bought Bolt," said Jane Roe of Acme.'
    >>> text[slice(*speaker_behind_quotation(text))]
    'said Jane Roe of Acme.'
    """
    words = _WORDS[language]
    quoted = words.first("quoted", text)
    if quoted is None:
        return None
    rest = text[quoted.end("end") :]
    return (quoted.end("end") + len(rest) - len(rest.lstrip()), len(text)) if words.any("says", rest) else None
