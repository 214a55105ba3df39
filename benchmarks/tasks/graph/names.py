"""Names in sentences of filings, calls and reports, English and Chinese: precision and recall by type.

``names.jsonl`` holds sentences drawn at random, each with its names and their types (the first of several is the one
that is counted) as they were read before the rules were run; "maybe" are names that one may take or leave. Half of the
documents were left unread: nobody looked at what was found or missed there. What is compared is what stands in the
graph: the mentions of the whole document that lie within the sentence.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.document import Document
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document, read_text
from cliquerag.kg.extraction.build import build_graph, make_extractor
from cliquerag.kg.schema import load_schema

from ...extraction import ByKind
from ...ours import text_documents
from .._shared import read_lines
from ..retrieval.docugami_10q import read_task

FOLDER = "financebench"
"""The other data sets (quarterly reports as page texts, calls, a Chinese report, annual reports) lie beside it."""
MINUTES = 5.0
_GOLD = Path(__file__).with_name("names.jsonl")
_FOLDERS_OF_FILES = ("financebench/pdfs_dev", "zh_annual_reports", "erc2/pdfs", "earnings_qa/calls")
_NOT_ASKED = frozenset({"role", "metric", "risk", "event"})
"""Types of what is no name of somebody or something, or is told by a list of words."""


@dataclass(frozen=True, slots=True)
class Mentioned:
    """A name that the graph holds at a place of a document."""

    start: int
    end: int
    text: str
    type: str


def run(folder: Path) -> Report:
    """Read the documents of the sample and compare the names of its sentences with the graph."""
    began = time.process_time()
    wanted: dict[str, list[dict[str, Any]]] = {}
    for sentence in read_lines(_GOLD):
        wanted.setdefault(sentence["source"], []).append(sentence)
    typed = {"known": ByKind(), "unread": ByKind()}
    untyped = {"known": ByKind(), "unread": ByKind()}
    for document in _documents(folder, wanted):
        mentions = mentions_of(document)
        for sentence in wanted[document.source]:
            found = _within(mentions, document.text, sentence["sentence"])
            part = sentence["part"]
            count(typed[part], found, sentence)
            count(untyped[part], found, sentence, by_type=False)
    rows = [row for part in typed for row in _rows(part, typed[part], untyped[part])]
    names = sum(len(sentence["names"]) for own in wanted.values() for sentence in own)
    notes = (f"{names} names in {sum(map(len, wanted.values()))} sentences.",)
    return Report("names", tuple(rows), notes, time.process_time() - began)


def mentions_of(document: Document) -> list[Mentioned]:
    """What the graph of a document holds as names, in the order of the text."""
    part = build_graph(
        document, make_chunks(document, make_chunker("auto"), None).chunks, make_extractor("rules", load_schema())
    )
    types = {entity.id: entity.type for entity in part.entities}
    found = [Mentioned(m.start, m.end, m.name, types[m.entity]) for m in part.mentions if m.entity in types]
    return sorted(found, key=lambda mention: (mention.start, mention.end))


def count(tally: ByKind, found: Iterable[Mentioned], sentence: Mapping[str, Any], *, by_type: bool = True) -> None:
    """Compare the different names of a sentence: same words, and of one of the right types where types count."""
    named: dict[str, str] = {}
    for mention in found:
        if mention.type not in _NOT_ASKED:
            named.setdefault(_plain(mention.text), mention.type)
    left = dict(named)
    for gold in sentence["names"]:
        kind = gold["types"][0]
        of_kind = tally.of(kind)
        of_kind.gold += 1
        form = next((form for form in _forms(gold) if form in left), "")
        if not form:
            continue
        is_right = not by_type or left[form] in gold["types"]
        counted = of_kind if is_right else tally.of(left[form])
        counted.found += 1
        counted.right += is_right
        counted.hit += is_right
        del left[form]
    tolerated = {form for gold in [*sentence.get("maybe", ()), *sentence["names"]] for form in _forms(gold)}
    for form, kind in left.items():
        if form not in tolerated:
            tally.of(kind).found += 1


def _rows(part: str, typed: ByKind, untyped: ByKind) -> Iterator[Row]:
    yield Row("rules", f"{part} precision", typed.total.precision, n=typed.total.found)
    yield Row("rules", f"{part} recall", typed.total.recall, n=typed.total.gold)
    yield Row("rules", f"{part} precision, any type", untyped.total.precision, n=untyped.total.found)
    yield Row("rules", f"{part} recall, any type", untyped.total.recall, n=untyped.total.gold)
    for kind, tally in sorted(typed.kinds.items()):
        yield Row("rules", f"{part} {kind} precision", tally.precision, n=tally.found)
        yield Row("rules", f"{part} {kind} recall", tally.recall, n=tally.gold)


def _within(mentions: Sequence[Mentioned], text: str, sentence: str) -> list[Mentioned]:
    """The mentions that lie within the sentence; UsageError where the document does not hold it."""
    place = re.search(r"\s+".join(map(re.escape, sentence.split())), text)
    if place is None:
        raise UsageError("a sentence of the sample is not in its document", where=sentence[:80])
    first = bisect_left(mentions, place.start(), key=lambda mention: mention.start)
    return [m for m in mentions[first:] if m.start < place.end() and m.end <= place.end()]


def _forms(gold: Mapping[str, Any]) -> list[str]:
    return [_plain(form) for form in (gold["name"], *gold.get("also", ()))]


def _plain(name: str) -> str:
    """A name for comparison: on one line, without article, marks, possessive and full stop."""
    name = re.sub(r"[®™©《》]", "", " ".join(name.replace("’", "'").split()))
    return name.removeprefix("The ").removeprefix("the ").removesuffix("'s").rstrip(".").casefold()


def _documents(folder: Path, wanted: Mapping[str, object]) -> Iterator[Document]:
    """The documents of the sample, from the folders of data that lie beside this one."""
    reports, _, _ = read_task(folder.parent / "docugami_10q")
    yield from text_documents({source: pages for source, pages in reports.items() if source in wanted})
    for name in _FOLDERS_OF_FILES:
        for path in sorted((folder.parent / name).iterdir()):
            if path.name not in wanted:
                continue
            if path.suffix == ".txt":
                yield read_text(path.read_text(encoding="utf-8"), source=path.name)
            else:
                yield classify_pages(read_document(path, source=path.name))
