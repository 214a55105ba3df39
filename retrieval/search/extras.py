"""Parts of a search that are off by default and turned on by name: what each does, and for whom it is there."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.errors import UsageError

ALL_TEXT = "all_text"
VALUE = "value"
TOKENS = "tokens"
SUMMARIES = "summaries"
HYDE = "hyde"

EXTRAS: Mapping[str, str] = {
    ALL_TEXT: "contents pages, disclaimers, contacts and covers are searched too",
    VALUE: "the content value of a chunk counts in the ranking",
    TOKENS: "the first 30 places are ranked anew by late interaction of tokens (MaxSim), a second a question",
    SUMMARIES: "sections and documents are found by their summaries too",
    HYDE: "an answer that a model imagines is searched for as well (HyDE): one call a question",
}
"""A new one is a row here, and a look at ``extras`` where it acts."""

Extras = frozenset[str]
NO_EXTRAS: Extras = frozenset()


def extras_named(text: str) -> Extras:
    """The parts of a list with commas. Raises UsageError for one that there is not.

    >>> sorted(extras_named("tokens, value"))
    ['tokens', 'value']
    """
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    unknown = sorted(names - EXTRAS.keys())
    if unknown:
        hint = "There are: " + "; ".join(f"{name} ({says})" for name, says in EXTRAS.items())
        raise UsageError(f"no part of a search is called {', '.join(unknown)}", where="extras", hint=hint)
    return names
