"""Words that reports put between what documents say, in the language of the report."""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

from ..core.rules import load_rules

if TYPE_CHECKING:
    from ..core.language import Language


_ABBREVIATION = 3
"""Letters of a name that stay capitals."""


def word(key: str, language: Language, /, **values: object) -> str:
    """A word or sentence of ours with ``$name`` filled in.

    >>> word("restated", "en", value=5, other=4)
    '5, before 4'
    """
    text: str = load_rules(__package__, "words.toml")[language][key]
    return Template(text).substitute({name: str(value) for name, value in values.items()})


def metric_name(name: str, language: Language) -> str:
    """A metric as a table of a report names it; "" where its own name does.

    >>> metric_name("operating cash flow", "zh"), metric_name("revenue", "en")
    ('经营活动现金流量净额', '')
    """
    named: str = load_rules(__package__, "words.toml")["metrics"][language].get(name, "")
    return named


def spoken_name(company: str) -> str:
    """A company as people write it, where a cover prints it in capitals; short ones are abbreviations.

    >>> spoken_name("THE BOEING"), spoken_name("IBM"), spoken_name("The Coca-Cola Company")
    ('Boeing', 'IBM', 'The Coca-Cola Company')
    """
    if not company.isupper():
        return company
    words = [word if len(word) <= _ABBREVIATION else word.capitalize() for word in company.removeprefix("THE ").split()]
    return " ".join(words)
