"""A document of one firm, as its lists and tables are read, and what they have in common."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ....core.period import Period
from ....core.records import dataclass
from ....ingest.document import Document, Table
from ...triple import Triple
from .cells import Known

PLAIN_BLANKS = dict.fromkeys((0xA0, *range(0x2002, 0x200B), 0x202F), " ")
"""For ``str.translate``: blanks of other kinds as the plain one, of the same length."""
CONFIDENCE = 0.9
"""Of what a table or list states."""
LONGEST_TITLE = 80
"""Characters of a heading that is a title."""
LEAD = 320
"""Characters of a paragraph's end that can be the lead-in of a list."""
_TITLE_LINE = re.compile(r"(?![^\n]{0,60}\b(?:include[sd]?|are|following|such as)\b)[A-Z][^\n.:;]{1,60}:\n")
"""The title of a paragraph on a line of its own: "Heinz India Transaction:"."""
SENTENCE = re.compile(
    r"\.(?<=[a-z\d)%”]\.)(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bNo\.)(?<!\bvs\.)[”\"]?\s{1,4}(?=[A-Z•“\"])|;\s"
)
"""What ends a sentence, or a part of one that stands by itself. The stop comes first: nothing else is looked at."""


@dataclass(frozen=True, slots=True)
class Filing:
    """A document, the firm that it is from, and the names that its text holds, with their types."""

    document: Document
    known: Known

    @property
    def text(self) -> str:
        """The document's text, into which all offsets point."""
        return self.document.text

    @property
    def filer(self) -> str:
        """The firm that the document is from."""
        return self.document.metadata.companies[0]

    def said(
        self,
        head: tuple[str, str],
        relation: str,
        tail: tuple[str, str],
        place: tuple[int, int],
        details: Mapping[str, str] | None = None,
        period: Period | None = None,
    ) -> Triple:
        """A statement that stands at a place of the text; both ends are (name, type).

        Its period is that of the document where none is given.
        """
        return Triple(
            head=head[0],
            head_type=head[1],
            relation=relation,
            tail=tail[0],
            tail_type=tail[1],
            sentence=self.text[place[0] : place[1]],
            start=place[0],
            end=place[1],
            period=period or self.document.metadata.period,
            confidence=CONFIDENCE,
            metadata=details or {},
        )

    @property
    def firm(self) -> tuple[str, str]:
        """The filer as an end of a statement."""
        return self.filer, "company"


def lines_of(text: str, start: int, end: int) -> Iterator[tuple[str, int]]:
    """The lines of a stretch without blanks around them, each with its offset."""
    at = start
    for line in text[start:end].split("\n"):
        bare = line.strip()
        if bare:
            yield bare, at + line.index(bare)
        at += len(line) + 1


def sentences_of(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The sentences of a paragraph, without line breaks, with their offsets."""
    title = _TITLE_LINE.match(text, start, end)
    at = title.end() if title else start
    for match in SENTENCE.finditer(text, at, end):
        yield text[at : match.start()].replace("\n", " "), at, match.start()
        at = match.end()
    if text[at:end].strip():
        yield text[at:end].replace("\n", " "), at, end


def split_lead(text: str) -> tuple[str, str, str]:
    """The lead-in of a list, its colon, and what follows on further lines; ("", "", "") where no line ends in one."""
    at = max(text.find(":\n"), text.find("：\n"))
    if at < 0 and text.rstrip().endswith((":", "：")):
        at = len(text.rstrip()) - 1
    if at < 0:
        return "", "", ""
    lead = " ".join(text[max(0, at + 1 - LEAD) : at + 1].split())
    return SENTENCE.split(lead)[-1] if lead else "", text[at], text[at + 1 :]


def row_lines(text: str, table: Table) -> list[tuple[int, int]]:
    """Where the rows of a table's body stand in the text, a line each."""
    lines: list[tuple[int, int]] = []
    at = table.start
    for line in text[table.start : table.end].split("\n"):
        if line.startswith("|"):
            lines.append((at, at + len(line)))
        at += len(line) + 1
    return lines[-len(table.body) :] if table.body else []
