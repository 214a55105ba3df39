"""What the rules state of 13 filings: statements a chunk without a model, and how many of them are right.

``filing_statements.jsonl`` holds 200 statements drawn at random (``draw``, with the seed written there), half of them
from filings that nobody looked at while the rules were written. Each was read: who, the relation and whom have to be
right; amounts and periods beside them were not judged.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.extraction.build import build_graph, make_extractor
from cliquerag.kg.schema import load_schema

from .._shared import read_lines

FOLDER = "financebench"
MINUTES = 3.0
SEED, DRAWN = 11, 100
UNREAD = ("BOEING", "FOOTLOCKER", "NETFLIX_2017", "PEPSICO_2023_8K", "Pfizer_2023Q2")
"""Beginnings of the names of the filings that were left unread."""
_VERDICTS = Path(__file__).with_name("filing_statements.jsonl")

Said = tuple[str, str, str, str, str]
"""Source, head, relation, tail, and the words that say so."""


def run(folder: Path) -> Report:
    """Read the filings, count, and compare with the verdicts."""
    began = time.process_time()
    said: list[Said] = []
    chunks = drivers = 0
    for own, count, moved in _filings(folder):
        said += own
        chunks += count
        drivers += moved
    rows = [
        Row("rules", "statements a chunk", len(said) / chunks, n=chunks),
        Row("rules", "statements and drivers a chunk", (len(said) + drivers) / chunks, n=chunks),
        *_verdict_rows({one[:4] for one in said}),
    ]
    notes = (f"{len(said)} statements, {drivers} drivers.",)
    return Report("filing_statements", tuple(rows), notes, time.process_time() - began)


def draw(folder: Path) -> dict[str, list[Said]]:
    """The statements to be read: of the filings known while the rules were written, and of the unread ones."""
    parts: dict[str, list[Said]] = {"known": [], "unread": []}
    for own, _, _ in _filings(folder):
        for one in own:
            parts["unread" if one[0].startswith(UNREAD) else "known"].append(one)
    return {part: random.Random(SEED).sample(sorted(said), DRAWN) for part, said in parts.items()}


def _filings(folder: Path) -> Iterator[tuple[list[Said], int, int]]:
    """What is said of each filing, its number of chunks, and of drivers."""
    paths = sorted((folder / "pdfs_dev").glob("*.pdf"))
    if not paths:
        raise UsageError("no PDF under pdfs_dev", where=str(folder))
    extractor = make_extractor("rules", load_schema())
    for path in paths:
        document = classify_pages(read_document(path, source=path.name))
        chunks = make_chunks(document, make_chunker("auto"), None).chunks
        part = build_graph(document, chunks, extractor)
        names = {entity.id: entity.name for entity in part.entities}
        own = [(path.name, names[s.head], s.relation, names[s.tail], s.text) for s in part.statements]
        yield own, len(chunks), len(part.drivers)


def _verdict_rows(said: set[tuple[str, str, str, str]]) -> Iterator[Row]:
    """Precision as it was read, and the shares of what was right that is still said, and of what was wrong."""
    verdicts = read_lines(_VERDICTS)
    for part in ("known", "unread"):
        own = [verdict for verdict in verdicts if verdict["part"] == part]
        right = [verdict for verdict in own if verdict["right"]]
        yield Row("rules", f"{part}: right as read", len(right) / len(own), n=len(own))
        yield Row("rules", f"{part}: right and still said", _share(right, said), n=len(right))


def _share(verdicts: Sequence[Mapping[str, str]], said: set[tuple[str, str, str, str]]) -> float:
    keys = [(v["source"], v["head"], v["relation"], v["tail"]) for v in verdicts]
    return sum(key in said for key in keys) / len(keys) if keys else 0.0
