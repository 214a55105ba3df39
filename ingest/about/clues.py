"""What is known of a document before it is asked whom and when it is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.records import dataclass
from ..document import Language, Segment
from ..formats.registry import Evidence
from .cover_page import HEAD, find_issuer
from .file_name import NameParts, read_name
from .given import DocumentHints
from .kinds import find_kind
from .names_in_print import Issuer

_HAN = re.compile(r"[\u4e00-\u9fff]")
_LETTER = re.compile(r"[A-Za-z]")
_COVER_LINES = 25
_LONGEST_TITLE_LINE = 160


@dataclass(frozen=True, slots=True)
class Clues:
    """The text and all that stands beside it; ``kind`` comes with how it was found."""

    text: str
    small: str
    """The text in small letters, place by place."""
    segments: Sequence[Segment]
    given: DocumentHints
    evidence: Evidence
    name: NameParts
    """What the file's name says."""
    title_lines: Sequence[str]
    """The first lines that are titles and labels."""
    issuer: Issuer
    """Whom the cover names."""
    kind: str
    kind_how: str

    @classmethod
    def of(cls, text: str, segments: Sequence[Segment], source: str, given: DocumentHints, evidence: Evidence) -> Clues:
        """Read the cover and the file's name."""
        head = [line for line in text[:HEAD].split("\n") if line.strip()]
        titles = title_lines(head)
        name = read_name(source)
        kind, kind_how = find_kind(text, titles, name.kind, given.kind, evidence)
        return cls(
            text,
            in_small_letters(text),
            segments,
            given,
            evidence,
            name,
            titles,
            find_issuer([line.lstrip("#* ") for line in head]),
            kind,
            kind_how,
        )


def in_small_letters(text: str) -> str:
    """The text in small letters, place by place: the one letter that would become two stands for its plain one."""
    return text.replace("\u0130", "I").lower()


def title_lines(head: Sequence[str]) -> list[str]:
    """The first lines that are no sentences: titles and labels of a cover."""
    first = [line.strip() for line in head[:_COVER_LINES]]
    return [line for line in first if len(line) <= _LONGEST_TITLE_LINE and not line.endswith((".", "。", "?", ","))]


def language_of(text: str) -> Language:
    """ "zh" where Chinese characters outweigh Latin words, else "en".

    >>> language_of("公司2019年实现营业收入 11.8 亿元"), language_of("Revenue of 腾讯 rose")
    ('zh', 'en')
    """
    sample = text[:50_000]
    characters = 0 if sample.isascii() else len(_HAN.findall(sample))
    return "zh" if characters and characters * 3 > len(_LETTER.findall(sample)) else "en"
