"""A sentence with its names replaced by placeholders, so that one pattern fits all names of a type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ...triple import Name

LETTERS = {
    "company": "C",
    "person": "P",
    "role": "R",
    "product": "D",
    "segment": "S",
    "place": "L",
    "facility": "F",
    "industry": "I",
    "regulator": "G",
    "regulation": "W",
    "event": "E",
    "risk": "K",
    "metric": "M",
    "instrument": "N",
    "market": "Q",
    "technology": "T",
    "organization": "O",
    "thing": "X",
}
"""Type -> letter of its placeholder: the third name, if a company, is ‹C2›."""

_BRACKETS = re.compile(r"(?<!\s)\s*[(（\[][^()（）\[\]]*[)）\]]")
_QUOTES = re.compile(r"[\"“”®™]")
_BLANKS = re.compile(r"\s{2,}")
_REPORTS = re.compile(
    r"(‹[CX]\d+›)(?:[^‹›,，;；。]{0,14}(?:公告|披露|宣布|透露)(?:称|显示|说)?[,，:：]|[:：])(?:公司|该公司|其)?"
)
"""A company announces what it does itself: "X今日公告,公司拟收购Y" reads as "X拟收购Y"."""
_PRONOUNS = {
    "en": (
        (
            re.compile(
                r"\b(?:the (?:Company|Registrant|Corporation|Group|Bank|Trust|Partnership|Firm)(?:'s|’s)|our)\b",
                re.IGNORECASE,
            ),
            "‹our›",
        ),
        (
            re.compile(
                r"\b(?:(?:T|t)he (?:[Cc]ompany|Registrant|Corporation|[Gg]roup|Bank|Trust|Partnership|[Ff]irm)|[Ww]e)\b"
            ),
            "‹we›",
        ),
        (re.compile(r"\bus\b"), "‹us›"),
    ),
    "zh": (
        (
            re.compile(
                r"(?:本公司|我公司|该公司|我司|(?<![\u4e00-\u9fff子母分])公司)(?=的|所|旗下|全资|控股|董事|总经理|总部|主要|合并|子公司|客户|供应商)"
            ),
            "‹our›",
        ),
        (
            re.compile(
                r"本公司|我公司|我司|(?<![\u4e00-\u9fff])公司|(?<=[为是系向由给与和对])公司(?![债法章治制股财内规管员运经名])"
            ),
            "‹we›",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Shadow:
    """The text with placeholders, the letters in it, and the names that the placeholders number."""

    text: str
    letters: frozenset[str]
    names: Sequence[Name]

    def name(self, placeholder: str) -> Name | None:
        """The name behind "C2"; None for a pronoun or words."""
        if len(placeholder) > 1 and placeholder[0] in "CPRDSLFIGWEKMNQTOX" and placeholder[1:].isdigit():
            return self.names[int(placeholder[1:])]
        return None


def cast_shadow(sentence: str, offset: int, names: Sequence[Name], language: str, subject: bool) -> Shadow:
    """Replace names, then "we" and "our" where the subject is known; drop brackets.

    >>> name = Name("Acme", "company", 0, 4)
    >>> cast_shadow("Acme (the seller) sold our unit.", 0, [name], "en", True).text
    '‹C0› sold ‹our› unit.'
    """
    parts, last = [], 0
    for number, name in enumerate(names):
        start, end = name.start - offset, name.end - offset
        if start < last:
            continue
        parts += [sentence[last:start], f"‹{LETTERS.get(name.type, 'X')}{number}›"]
        last = end
    text = "".join([*parts, sentence[last:]])
    text = _BLANKS.sub(" ", _QUOTES.sub("", _BRACKETS.sub("", text)))
    if language == "zh":
        text = _REPORTS.sub(r"\1", text)
    if subject:
        for pattern, placeholder in _PRONOUNS[language]:
            text = pattern.sub(placeholder, text)
    letters = frozenset(match if match.isalpha() else match[0] for match in re.findall(r"‹(\w+)›", text))
    return Shadow(text, letters, names)
