"""The word lists of the rules extractor, read from TOML into sets and one table of known names."""

from __future__ import annotations

from functools import cache

from ....core.records import dataclass
from ....core.rules import load_rules


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What is known of names before a document is read.

    ``known`` maps a name as written to its type; ``endings`` and ``openings`` map the last word and the first words of
    a name to a type; ``words`` holds the other lists by name.
    """

    known: dict[str, str]
    endings: dict[str, str]
    openings: dict[str, str]
    words: dict[str, frozenset[str]]


_TYPED_LISTS = {
    "companies": "company",
    "cities": "place",
    "states": "place",
    "regions": "place",
    "countries": "place",
    "regulations": "regulation",
    "event_names": "event",
    "markets": "market",
    "regulators": "regulator",
    "organizations": "organization",
    "roles": "role",
}
_ENDINGS = {
    "company_endings": "company",
    "facility_endings": "facility",
    "market_endings": "market",
    "organization_endings": "organization",
    "product_endings": "product",
    "place_endings": "place",
    "regulation_endings": "regulation",
    "regulator_endings": "regulator",
}
_OPENINGS = {
    "place_openings": "place",
    "company_openings": "company",
    "regulation_openings": "regulation",
    "regulator_openings": "regulator",
}


@cache
def lexicon(language: str) -> Lexicon:
    """The word lists of a language: "en" or "zh"."""
    data = load_rules(__package__, f"lexicon_{language}.toml")
    lists = {name: _entries(text) for name, text in data.items()}
    known = {name: kind for table, kind in _TYPED_LISTS.items() for name in lists.get(table, ())}
    endings = {word: kind for table, kind in _ENDINGS.items() for word in lists.get(table, ())}
    openings = {words: kind for table, kind in _OPENINGS.items() for words in lists.get(table, ())}
    return Lexicon(known, endings, openings, {name: frozenset(entries) for name, entries in lists.items()})


def _entries(text: str) -> list[str]:
    """Entries separated by ";" where there is one, else by white space."""
    if ";" in text:
        return [" ".join(entry.split()) for entry in text.split(";") if entry.strip()]
    return text.split()
