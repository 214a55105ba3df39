"""Contextual retrieval: a line for each chunk that says where it stands, embedded and searched with it, never cited.

Source: Anthropic, "Introducing Contextual Retrieval", 2024. There a model sees the whole document for every chunk; here
one call a section gives the lines of all its chunks, and without a model the line is what the document itself says.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...core.period import label_of
from ...core.records import dataclass
from ..document import Document, Metadata, Segment
from ..model_calls import ask_sections, rows_schema, section_chat, sections, texts_of
from ..pieces.page_classes import statement_classes

if TYPE_CHECKING:
    from ...models.language import LanguageModel

_SURE = 0.5
"""Score of a page's class from which it is said."""
_HEADINGS = 3
"""Titles above a chunk that are said, the innermost ones."""
_LONGEST_LINE = 300
_SCHEMA = rows_schema("lines", passage="integer", line="string")


@dataclass(frozen=True, slots=True)
class Place:
    """A chunk to be: where it begins, the segment it is of, and its text and tokens."""

    start: int
    segment: Segment
    text: str
    tokens: int


def context_lines(document: Document, places: Sequence[Place], model: LanguageModel | None = None) -> list[str]:
    """A line for each chunk: "Acme | 10-K | FY2023 | Item 8 > Leases | Maturities | balance sheet".

    With a model its lines follow the company, kind and period, one call a section; chunks that it leaves out keep the
    line of the rules. Raises ModelError: the endpoint fails.
    """
    about = about_line(document)
    lines = [_joined(about, *_where(document, place)) for place in places]
    if model is None:
        return lines
    parts = sections([place.segment.headings for place in places], [place.tokens for place in places])
    chats = [section_chat("chunk_context", [places[at].text for at in part], lines[part.start]) for part in parts]
    for number, data in ask_sections(model, chats, _SCHEMA).items():
        part = parts[number]
        for at, line in texts_of(data, "lines", "passage", "line", len(part)):
            lines[part[at]] = _joined(about, line[:_LONGEST_LINE])
    return lines


def about_line(document: Document) -> str:
    """Who, what and when: "Acme Corp | 10-K | FY2023"; whatever is not known is left out."""
    return about_of(document.metadata)


def about_of(metadata: Metadata) -> str:
    """The same of what is known of a document."""
    return _joined(", ".join(metadata.companies), metadata.kind, label_of(metadata.period))


def _where(document: Document, place: Place) -> list[str]:
    """Headings, title of the table, and the statement that its page is."""
    headings = place.segment.headings[-_HEADINGS:]
    parts = [" > ".join(headings)]
    table = place.segment.table
    title = document.tables[table].title if table is not None else ""
    if title and title not in headings:
        parts.append(title)
    parts.append(_statement(document, place.start))
    return parts


def _statement(document: Document, start: int) -> str:
    """The financial statement that a page surely is; "" for all other pages."""
    if not document.pages:
        return ""
    page = document.pages[max(0, bisect_right([page.start for page in document.pages], start) - 1)]
    best = max(statement_classes(), key=lambda name: page.classes.get(name, 0.0))
    return best if page.classes.get(best, 0.0) >= _SURE else ""


def _joined(*parts: str) -> str:
    return " | ".join(filter(None, parts))
