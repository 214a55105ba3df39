"""The sentences of a source that state something, and the clauses of a sentence."""

from __future__ import annotations

from functools import lru_cache

from ......core.records import dataclass
from ......ingest.sentences import split_text
from ...cells.reading import table_text
from ...wording import WORDING, terms

_FEW_WORDS = 5
"""Words of a sentence that only denies the one before it."""


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
