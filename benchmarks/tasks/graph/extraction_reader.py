"""Extraction by a model: tokens in and out, what is kept, and how near the dry run comes, on thirteen real documents.

Sixteen windows drawn by chance (a 10-K, a 10-Q, two 8-Ks, an earnings release, two calls, annual reports from Germany,
Japan, the United Kingdom and China), the four of two further documents, an 8-K and an earnings release, the other eight
of a call and an annual report, and three of those in which causes are asked for were answered once, from our prompts
alone, by a reader who stood in for a mid-size model, slips included (``extraction_reader.jsonl``). A reply is found by
the sentences it was written on: a window that reads other sentences today is left out, and counted as such.
"""

from __future__ import annotations

import re
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from cliquerag.core.ids import stable_id
from cliquerag.core.tokens import estimate_tokens
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.indexing.report import spread_of, tokens_of_drivers, tokens_of_relations
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.extraction.build import passages_of
from cliquerag.kg.extraction.drivers.model import driver_windows, model_drivers, window_messages
from cliquerag.kg.extraction.llm import ModelExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.models.language import Message, Reply, Usage
from cliquerag.models.replies import parse_json

from .._shared import read_lines
from ..reader._recorded import RecordedReader

FOLDER = "."
"""Four data sets: the folder that holds them."""
MINUTES = 4
_SYSTEM = "reader"
_REPLIES = Path(__file__).with_name("extraction_reader.jsonl")
_BODY = re.compile(r"<document>\n(.*)\n</document>", re.DOTALL)
_NEAR = 0.15
_TEN = 10
_KEPT = "the relation is kept"
"""In the reason of an amount or a period that was left out of a good relation."""


class WindowReader(RecordedReader):
    """Gives the recorded reply to a window's sentences; to any other window that there is nothing in it."""

    def __init__(self, recorded: Mapping[str, str]) -> None:
        self.recorded = recorded
        """Window -> reply."""
        self.asked: dict[str, int] = {}
        """Window -> tokens of its chat, of those that have a reply."""

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded text, parsed as a model's is."""
        window = window_key(messages)
        if window not in self.recorded:
            return Reply("", Usage(), {"triples": [], "drivers": []})
        self.asked[window] = _tokens(messages)
        return Reply(self.recorded[window], Usage(calls=1), parse_json(self.recorded[window]))


@dataclass(slots=True)
class Spent:
    """Sums over the windows of one kind of document, tokens as the dry run says them and as they were."""

    windows: int = 0
    """All that the documents have, answered or not."""
    answered: int = 0
    chunks: int = 0
    asked: int = 0
    said_in: int = 0
    out: int = 0
    said_out: float = 0.0
    given: int = 0
    accepted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    fitted: list[tuple[int, int, int]] = field(default_factory=list)
    """Of English windows: names, sentences with "we", tokens out."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


def run(folder: Path) -> Report:
    """Read the documents, replay the windows, count."""
    began = time.process_time()
    rows_recorded = read_lines(_REPLIES)
    reader = WindowReader({row["window"]: row["reply"] for row in rows_recorded})
    kinds = {row["file"]: row["kind"] for row in rows_recorded}
    relations: dict[str, Spent] = defaultdict(Spent)
    drivers = Spent()
    errors: list[float] = []
    whole: list[float] = []
    in_range: list[float] = []
    fitted: list[list[tuple[int, int, int]]] = []
    for name, kind in kinds.items():
        own = _read(folder / name, reader, drivers)
        relations[kind] += own
        if own.out:
            errors.append(abs(own.said_out / own.out - 1))
            in_range.append(float(abs(own.said_out - own.out) <= spread_of(own.said_out)))
            whole += errors[-1:] if own.answered == own.windows else []
        if own.fitted:
            fitted.append(own.fitted)
    total = sum(relations.values(), Spent())
    rows = [Row(_SYSTEM, "windows that still hold the sentences answered", len(reader.asked) / len(reader.recorded))]
    for label, spent in (("", total), *((f" ({kind})", own) for kind, own in relations.items())):
        if spent.chunks:  # else none of the windows of a kind holds the sentences that were answered
            rows += _rows(label, spent)
    rows.append(Row.mean(_SYSTEM, "tokens out: error of the dry run for one document", errors))
    rows.append(Row.mean(_SYSTEM, "documents of which the dry run is within 15 %", [float(e <= _NEAR) for e in errors]))
    rows.append(Row.mean(_SYSTEM, "documents within the range that the dry run prints", in_range))
    rows.append(Row.mean(_SYSTEM, "documents answered whole: error of the dry run", whole))
    rows.append(Row.mean(_SYSTEM, "documents answered whole: within 15 %", [float(e <= _NEAR) for e in whole]))
    left_out = _told_without(fitted)
    missed = [abs(said / out - 1) for said, out in left_out]
    rows.append(Row.mean(_SYSTEM, "the same, fitted without the document: error", missed))
    rows.append(
        Row.mean(_SYSTEM, "the same, fitted without the document: within 15 %", [float(e <= _NEAR) for e in missed])
    )
    rows.append(Row(_SYSTEM, "tokens out of ten such documents for each expected", *_of_ten(left_out), n=len(left_out)))
    rows.append(Row(_SYSTEM, "relations accepted", total.accepted / total.given, n=total.given))
    rows.append(Row(_SYSTEM, "causes: tokens out of the dry run for each true one", drivers.said_out / drivers.out))
    notes = tuple(f"{count} x {reason}" for reason, count in total.reasons.most_common())
    return Report("extraction_reader", tuple(rows), notes, time.process_time() - began)


def _told_without(documents: Sequence[Sequence[tuple[int, int, int]]]) -> list[tuple[float, int]]:
    """Of each document what is expected by the weights of names and "we" that the others give, and what came."""
    told = []
    for at, own in enumerate(documents):
        rows = np.array([row for other in (*documents[:at], *documents[at + 1 :]) for row in other], dtype=float)
        drivers, out = rows[:, :2], rows[:, 2]
        weight = 1 / np.sqrt(out)
        weights, *_ = np.linalg.lstsq(drivers * weight[:, None], out * weight, rcond=None)
        weights *= out.sum() / (drivers @ weights).sum()
        told.append((float(sum(np.array(row[:2]) @ weights for row in own)), sum(row[2] for row in own)))
    return told


def _of_ten(told: Sequence[tuple[float, int]]) -> tuple[float, float, float]:
    """What came for each token expected of ten documents drawn by chance: the mean, and where four in five lie."""
    drawn = np.random.default_rng(7).choice(np.array(told), size=(5000, _TEN))
    shares = np.sort(drawn[:, :, 1].sum(axis=1) / drawn[:, :, 0].sum(axis=1))
    return float(shares.mean()), float(shares[500]), float(shares[4500])


def _rows(label: str, spent: Spent) -> list[Row]:
    """What a chunk takes, and what the dry run says for each token that is true."""
    figures = {
        "tokens in a chunk": spent.asked / spent.chunks,
        "tokens out a chunk": spent.out / spent.chunks,
        "tokens in of the dry run for each true one": spent.said_in / spent.asked,
        "tokens out of the dry run for each true one": spent.said_out / spent.out,
        "relations accepted a chunk": spent.accepted / spent.chunks,
    }
    return [Row(_SYSTEM, metric + label, value, n=spent.chunks) for metric, value in figures.items()]


def window_key(messages: Sequence[Message]) -> str:
    """What a reply is found by: the numbered sentences that were asked about, whatever stands around them."""
    body = _BODY.search(messages[-1].content)
    return stable_id(body[1] if body else messages[-1].content)


def _read(path: Path, reader: WindowReader, drivers: Spent) -> Spent:
    """Ask for the relations and the causes of one document as adding it does, and count its recorded windows."""
    spent = Spent()
    document = classify_pages(read_document(path, source=path.name))
    chunks = make_chunks(document, make_chunker("auto"), None).chunks
    passages = passages_of(document, chunks)
    extractor = ModelExtractor(reader, load_schema())
    for extraction in extractor.extract(passages):
        spent.accepted += len(extraction.triples)
        spent.reasons.update(_reason(triple.reason) for triple in extraction.rejected)
    model_drivers(document, chunks, reader, "llm")
    for window in extractor.windows(passages):
        reply = _count(spent, extractor.messages(window), reader, tokens_of_relations(window))
        spent.windows += 1
        if reply:
            spent.answered += 1
            spent.chunks += len({line.passage for line in window.lines})
            spent.given += len(parse_json(reply)["triples"])
            if window.language == "en":
                spent.fitted.append((window.mentions, window.of_itself, estimate_tokens(reply)))
    for sentences in driver_windows(document, chunks):
        text = sum(estimate_tokens(line.text) for line, _ in sentences)
        _count(drivers, window_messages(sentences), reader, tokens_of_drivers(text))
    return spent


def _count(spent: Spent, said: Sequence[Message], reader: WindowReader, said_out: float) -> str:
    """Add what a window took and what the dry run says of it; returns its reply, "" where there is none."""
    window = window_key(said)
    if window not in reader.asked:
        return ""
    spent.asked += reader.asked[window]
    spent.said_in += _tokens(said)
    spent.out += estimate_tokens(reader.recorded[window])
    spent.said_out += said_out
    return reader.recorded[window]


def _tokens(messages: Sequence[Message]) -> int:
    return sum(estimate_tokens(message.content) for message in messages)


def _reason(said: str) -> str:
    kind = said.partition(":")[0]
    return f"{kind} ({_KEPT})" if _KEPT in said else kind
