"""What the search says of itself, and what metadata is made of, in the reader's language.

Search and ingest write their reasons in English, as a trace is to be read by programs too. A page shows them as
``translations.toml`` has them; what stands there in no form is shown as it was written.
"""

from __future__ import annotations

import re
from functools import cache

from ..core.errors import CliqueRAGError
from ..core.language import Language
from ..core.rules import load_rules

_FILE = "translations.toml"
_HOLE = re.compile(r"\{[012]\}")
_LONGEST = 2_000
"""Characters of a text that sentences are looked for in: no reason is as long."""


def in_words(text: str, language: Language) -> str:
    """A kind of document, a source of metadata or a reason of the search in a language.

    >>> in_words("annual report", "zh"), in_words("cover page, file name", "zh"), in_words("10-K", "zh")
    ('年度报告', '封面、文件名', '10-K')
    >>> in_words("companies named: 清源精密", "zh"), in_words("companies named: Acme", "en")
    ('提到的公司：清源精密', 'companies named: Acme')
    """
    if language == "en" or len(text) > _LONGEST:
        return text
    words: dict[str, str] = load_rules(__package__, _FILE)[language]["words"]
    if text in words:
        return words[text]
    parts = text.split(", ")
    if words.keys() >= set(parts):
        return "、".join(map(words.__getitem__, parts))
    return _as_sentence(text, language)


def _as_sentence(text: str, language: Language) -> str:
    """A sentence with what it names in its place; a text that is none as it is."""
    for pattern, written in _sentences(language):
        found = pattern.fullmatch(text)
        if found:
            return written.format(*[in_words(part, language) for part in found.groups()])
    return text


def error_in_words(error: CliqueRAGError, language: Language) -> str:
    """What was wrong and what to do; where it was wrong, the page shows beside it."""
    return ". ".join(in_words(part, language) for part in (error.what, error.hint) if part)


@cache
def _sentences(language: Language) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Sentences with holes for names and figures: {0}, {1}, {2} in this order."""
    rows: dict[str, str] = load_rules(__package__, _FILE)[language]["sentences"]
    return tuple((_as_pattern(sentence), written) for sentence, written in rows.items())


def _as_pattern(sentence: str) -> re.Pattern[str]:
    return re.compile("(.{1,600}?)".join(map(re.escape, _HOLE.split(sentence))))
