"""The languages that questions are asked and answered in."""

from __future__ import annotations

from typing import Literal

from .names import is_chinese

Language = Literal["en", "zh"]


def language_of(text: str) -> Language:
    """The language to answer in.

    >>> language_of("营业收入是多少?"), language_of("How much revenue?")
    ('zh', 'en')
    """
    return "zh" if is_chinese(text) else "en"
