"""Reports of no certain company: each belongs to the scope of a company that it names in front and again and again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ....core.names import strip_legal_form
from ....core.words import search_words
from ....kg.store import DocumentRecord, Store

_LOOKED_THROUGH = 60
"""Chunks with the words of a name in which the name itself is looked for."""
_OFTEN = 5
"""Chunks that name a company: a report names its own on many pages, a competitor on one or two."""
_FRONT = 6_000
"""Characters at the head of a report, its cover and first pages, that name whose it is."""


def naming(store: Store, records: Sequence[DocumentRecord], names: Iterable[str]) -> tuple[str, ...]:
    """The sources among the records whose text names one of the companies in front and often, written as asked."""
    if not records:
        return ()
    sources = [record.source for record in records]
    found: dict[str, None] = {}
    for name in names:
        words = search_words(name)
        if not words:
            continue
        written = _pattern(name)
        hits = store.matching(set(words), _LOOKED_THROUGH, sources)
        counted = Counter(c.document for c in store.chunks([hit.id for hit in hits]) if written.search(c.text))
        often = [source for source, count in counted.items() if count >= _OFTEN]
        found |= dict.fromkeys(source for source in often if written.search(store.text(source)[:_FRONT]))
    return tuple(found)


def _pattern(name: str) -> re.Pattern[str]:
    """The name as asked, in capitals, or broken over lines; a word in small letters is no name."""
    plain = strip_legal_form(name) or name
    spellings = {plain, plain.upper(), plain.title()}
    forms = (r"\s+".join(map(re.escape, spelling.split())) for spelling in sorted(spellings))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)")
