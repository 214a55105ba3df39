"""Values of the data model as compact JSON, drivers as rows: the form in which every engine keeps what it need not
search.

Vectors are kept in two bytes a number, those of sentences in one: small enough to keep them all.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, cast

from ...core.anchor import Anchor
from ...core.ids import stable_id
from ...core.names import company_key
from ...core.period import Period, Unit, label_of, last_day_of
from ...core.quantity import Quantity
from ...core.records import dataclass
from ...ingest.chunk import Chunk, SectionSummaries, SectionSummary
from ...ingest.document import Line, Page, Table
from ..drivers import Cause, Direction, Driver, DriverQuery, Role
from ..graph import Community, Finding, Place
from ..triple import Modality, Triple

if TYPE_CHECKING:
    import numpy as np

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""Made once: a report's 2,000 facts ask for it 8,000 times."""


def dumps(value: Any) -> str:
    """The shortest JSON; equal values give equal texts."""
    return _ENCODER.encode(value)


def compress(value: Any) -> bytes:
    """Compressed JSON."""
    return zlib.compress(dumps(value).encode("utf-8", "surrogatepass"))


Packed = bytes | str
"""Bytes as they are or, where files brought them into a Neo4j database, as base64 text."""


def plain(data: Packed) -> bytes:
    """The bytes themselves."""
    return data if isinstance(data, bytes) else b64decode(data)


def expand(data: Packed) -> Any:
    """What :func:`compress` was given; tuples come back as lists."""
    return json.loads(zlib.decompress(plain(data)).decode("utf-8", "surrogatepass"))


def day_text(day: date | None) -> str | None:
    """An ISO date."""
    return day.isoformat() if day else None


def read_day(text: str | None) -> date | None:
    """The date of :func:`day_text`."""
    return date.fromisoformat(text) if text else None


def period_json(period: Period | None) -> str | None:
    """A period with all its fields.

    >>> read_period(period_json(Period("quarter", 2023, 2, fiscal=True))).label
    'Q2 FY2023'
    """
    if period is None:
        return None
    values = [period.unit, period.year, period.number, int(period.fiscal), day_text(period.end), day_text(period.start)]
    return dumps(values)


def read_period(text: str | None) -> Period | None:
    """The period of :func:`period_json`."""
    if not text:
        return None
    unit, year, number, fiscal, end, start = json.loads(text)
    return Period(cast(Unit, unit), year, number, bool(fiscal), read_day(end), read_day(start))


def anchor_lists(anchors: Iterable[Anchor]) -> list[Any]:
    """Anchors as [page, boxes], with the name of the place where there is one."""
    return [[anchor.page, anchor.boxes, *filter(None, (anchor.place,))] for anchor in anchors]


def read_anchors(lists: Iterable[Sequence[Any]]) -> tuple[Anchor, ...]:
    """The anchors of :func:`anchor_lists`, also after JSON."""
    return tuple(Anchor(page, tuple(map(tuple, boxes)), *place) for page, boxes, *place in lists)


def pairs(value: Mapping[str, str]) -> str:
    """A mapping as JSON; "" when empty, which is the common case."""
    return dumps(dict(value)) if value else ""


def read_pairs(text: str) -> dict[str, str]:
    """The mapping of :func:`pairs`."""
    return cast("dict[str, str]", json.loads(text)) if text else {}


def chunk_extras(chunk: Chunk) -> bytes:
    """What a store keeps of a chunk beside its offsets and numbers; the text is the document's."""
    index_text = None if chunk.index_text == chunk.text else chunk.index_text
    sentences = [offset for pair in chunk.sentences for offset in pair]
    place = [chunk.headings, chunk.speaker, chunk.part]
    return compress([*place, anchor_lists(chunk.anchors), sentences, index_text])


def read_extras(data: Packed, text: str) -> dict[str, Any]:
    """The fields of :func:`chunk_extras`, by name."""
    headings, speaker, part, anchors, offsets, index_text = expand(data)
    return {
        "headings": tuple(headings),
        "speaker": speaker,
        "part": part,
        "anchors": read_anchors(anchors),
        "sentences": tuple(zip(offsets[::2], offsets[1::2], strict=True)),
        "index_text": text if index_text is None else index_text,
    }


def line_lists(lines: Iterable[Line]) -> list[Any]:
    """Printed lines as lists, with the name of the place where there is one."""
    return [[line.start, line.end, line.page, line.box, *filter(None, (line.place,))] for line in lines]


def read_lines(lists: Iterable[Sequence[Any]]) -> list[Line]:
    """The lines of :func:`line_lists`."""
    return [Line(start, end, page, tuple(box) if box else None, *place) for start, end, page, box, *place in lists]


def page_lists(pages: Iterable[Page]) -> list[Any]:
    """Pages as lists."""
    return [[p.number, p.start, p.end, p.width, p.height, dict(p.classes)] for p in pages]


def read_pages(lists: Iterable[Sequence[Any]]) -> tuple[Page, ...]:
    """The pages of :func:`page_lists`."""
    return tuple(Page(*values) for values in lists)


def table_records(tables: Iterable[Table]) -> list[dict[str, Any]]:
    """Tables as objects that name only what differs from the defaults."""
    records = []
    for table in tables:
        given = {item.name: getattr(table, item.name) for item in fields(table) if item.compare}
        given["anchors"] = anchor_lists(table.anchors)
        records.append({name: value for name, value in given.items() if value or name == "header_rows"})
    return records


def read_tables(records: Iterable[Mapping[str, Any]]) -> list[Table]:
    """The tables of :func:`table_records`."""
    return [
        Table(**{"rows": (), **_tuples(record), "anchors": read_anchors(record.get("anchors", ()))})
        for record in records
    ]


def _tuples(record: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _tuple(value) for name, value in record.items()}


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def triple_lists(triples: Iterable[Triple]) -> list[Any]:
    """Triples as lists."""
    return [
        [
            *(t.head, t.head_type, t.relation, t.tail, t.tail_type, t.sentence, t.start, t.end),
            *(period_json(t.period), t.modality, t.confidence, dict(t.metadata), t.reason),
        ]
        for t in triples
    ]


def read_triples(lists: Iterable[Sequence[Any]]) -> list[Triple]:
    """The triples of :func:`triple_lists`."""
    found = []
    for *where, start, end, period, modality, confidence, metadata, reason in lists:
        head, head_type, relation, tail, tail_type, sentence = where
        given = read_period(period), cast(Modality, modality), confidence, metadata, reason
        found.append(Triple(head, head_type, relation, tail, tail_type, sentence, start, end, *given))
    return found


def community_data(community: Community) -> list[Any]:
    """What a store keeps of a community beside its names: members, report and findings."""
    findings = [
        [f.kind, f.text, [[p.document, p.start, p.end, p.page, p.chunk] for p in f.places], f.relation]
        for f in community.findings
    ]
    return [community.entities, community.report, findings]


def read_community_data(data: Sequence[Any]) -> dict[str, Any]:
    """The fields of :func:`community_data`, by name."""
    members, report, findings = data
    return {
        "entities": tuple(members),
        "report": report,
        "findings": tuple(
            Finding(kind, text, tuple([Place(*place) for place in places]), relation)
            for kind, text, places, relation in findings
        ),
    }


def pack_vectors(vectors: np.ndarray) -> bytes:
    """Float16: the cosine to the original is above .999999."""
    import numpy as np

    packed: np.ndarray = np.ascontiguousarray(vectors, np.float16)
    return packed.tobytes()


def packed_rows(data: Packed, dim: int) -> np.ndarray:
    """The rows of :func:`pack_vectors` as they are, float16: nearly unit."""
    import numpy as np

    return np.frombuffer(plain(data), np.float16).reshape(-1, max(dim, 1))


def unpack_vectors(data: Packed, dim: int) -> np.ndarray:
    """The rows of :func:`pack_vectors`, float32 and unit again."""
    return unit(packed_rows(data, dim))


def split_sentences(vectors: np.ndarray, chunks: Iterable[Chunk]) -> Iterator[bytes]:
    """The packed rows of each chunk, of sentence vectors in chunk order."""
    start = 0
    for chunk in chunks:
        end = start + len(chunk.sentences)
        yield pack_sentences(vectors[start:end])
        start = end


def pack_sentences(vectors: np.ndarray) -> bytes:
    """Int8, each row scaled to its largest value; unit rows need no factor to come back."""
    import numpy as np

    largest = np.abs(vectors).max(axis=1, initial=1e-12, keepdims=True)
    scaled: np.ndarray = np.rint(vectors * (127.0 / largest))
    return scaled.astype(np.int8).tobytes()


def unpack_sentences(data: Packed, dim: int) -> np.ndarray:
    """Float32 unit rows; a zero row stays zero."""
    import numpy as np

    return unit(np.frombuffer(plain(data), np.int8).reshape(-1, dim))


def unit(rows: np.ndarray) -> np.ndarray:
    """Rows of any type scaled to length 1, float32; a zero row stays zero."""
    import numpy as np

    scaled: np.ndarray = rows.astype(np.float32)
    scale_to_unit(scaled)
    return scaled


def scale_to_unit(rows: np.ndarray) -> None:
    """Scale rows to length 1 in place, float32; a zero row stays zero."""
    import numpy as np

    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    rows /= np.maximum(lengths, 1e-12)[:, None]


def dots(rows: np.ndarray, query: np.ndarray) -> np.ndarray:
    """``rows @ query`` in one thread, float32 (n,), of rows float32 (n, dim).

    The library behind ``@`` wakes all processors from about a thousand rows on and lets them wait for each other:
    7 ms of them for what takes 0.4, of 6,000 rows of 384 on two cores.
    """
    import numpy as np

    scores: np.ndarray = np.einsum("ij,j->i", rows, query)
    return scores


TEXTS, VECTORS = "summaries", "summary_vectors"


def pack_summaries(found: SectionSummaries) -> dict[str, bytes]:
    """The two parts by name. Raises ValueError: vectors need one row a summary."""
    if len(found.vectors) != len(found.rows):
        raise ValueError("vectors need one row a summary")
    rows = [[row.first, row.last, row.text] for row in found.rows]
    texts = [found.author, int(found.vectors.shape[1]), rows]
    return {TEXTS: compress(texts), VECTORS: pack_vectors(found.vectors)}


def unpack_summaries(parts: Mapping[str, bytes]) -> SectionSummaries:
    """The summaries of :func:`pack_summaries`."""
    author, dim, rows = expand(parts[TEXTS])
    summaries = tuple(SectionSummary(first, last, text) for first, last, text in rows)
    return SectionSummaries(author, summaries, _vectors(parts[VECTORS], len(summaries), dim))


def _vectors(data: bytes, rows: int, dim: int) -> np.ndarray:
    import numpy as np

    return unpack_vectors(data, dim) if dim else np.zeros((rows, 0), np.float32)


Row = dict[str, Any]
FILTERS: Mapping[str, str] = {
    "company_key": "company_keys",
    "metric": "metrics",
    "period_label": "periods",
    "document": "sources",
}
"""Column -> the field of a query that it has to be among."""


@dataclass(frozen=True, slots=True)
class CauseRow:
    """One cause: ``parent`` is the number of the cause in front of it, None for one of the figure itself."""

    number: int
    parent: int | None
    cause: Cause


def driver_row(driver: Driver) -> Row:
    """A driver without its document and chunk; ``data`` holds causes and amounts exactly."""
    period = driver.period
    amounts = list(map(quantity_list, (driver.change, driver.percent, driver.level)))
    return {
        "id": driver.id,
        "company": driver.company,
        "company_key": company_key(driver.company),
        "segment": driver.segment,
        "metric": driver.metric,
        "label": driver.label,
        "direction": driver.direction,
        "outlook": driver.outlook,
        "period": period_json(period),
        "period_label": label_of(period),
        "period_end": last_day_of(period),
        "start": driver.start,
        "end": driver.end,
        "text": driver.text,
        "anchors": dumps(anchor_lists(driver.anchors)),
        "page": driver.page,
        "published": day_text(driver.published),
        "confidence": driver.confidence,
        "extractor": driver.extractor,
        "data": dumps([amounts, list(map(_cause_list, driver.causes))]),
    }


def read_driver(row: Mapping[str, Any], document: str, chunk: str) -> Driver:
    """The driver of :func:`driver_row`."""
    (change, percent, level), causes = json.loads(row["data"])
    return Driver(
        id=row["id"],
        company=row["company"],
        metric=row["metric"],
        label=row["label"],
        direction=cast(Direction, row["direction"]),
        causes=tuple(map(_read_cause, causes)),
        document=document,
        chunk=chunk,
        start=row["start"],
        end=row["end"],
        text=row["text"],
        segment=row["segment"],
        period=read_period(row["period"]),
        change=read_quantity(change),
        percent=read_quantity(percent),
        level=read_quantity(level),
        outlook=bool(row["outlook"]),
        anchors=read_anchors(json.loads(row["anchors"])),
        published=read_day(row["published"]),
        confidence=row["confidence"],
        extractor=row["extractor"],
    )


def cause_rows(driver: Driver) -> Iterator[CauseRow]:
    """All causes of a driver, numbered from 0, each after the one that it is behind."""
    waiting: list[tuple[int | None, Cause]] = [(None, cause) for cause in driver.causes]
    number = 0
    while waiting:
        parent, cause = waiting.pop(0)
        yield CauseRow(number, parent, cause)
        waiting += [(number, behind) for behind in cause.causes]
        number += 1


def cause_id(driver: Driver, number: int) -> str:
    """The public id of a cause."""
    return stable_id("cause", driver.id, number)


def wanted_values(query: DriverQuery) -> dict[str, list[str]]:
    """Column -> the values that a query asks for; columns that it leaves open are left out."""
    found: dict[str, list[str]] = {}
    for column, name in FILTERS.items():
        values = getattr(query, name)
        if values:
            found[column] = [period.label for period in values] if name == "periods" else list(values)
    return found


def quantity_list(quantity: Quantity | None) -> list[Any] | None:
    """A quantity as a list."""
    if quantity is None:
        return None
    return [quantity.text, str(quantity.value), quantity.unit, str(quantity.scale), quantity.start]


def read_quantity(values: Sequence[Any] | None) -> Quantity | None:
    """The quantity of :func:`quantity_list`."""
    if values is None:
        return None
    text, value, unit, scale, start = values
    return Quantity(text, Decimal(value), unit, Decimal(scale), start)


def _cause_list(cause: Cause) -> list[Any]:
    behind = list(map(_cause_list, cause.causes))
    place = [cause.text, cause.start, cause.end]
    return [*place, cause.sign, cause.category, cause.role, quantity_list(cause.amount), behind]


def _read_cause(values: Sequence[Any]) -> Cause:
    text, start, end, sign, category, role, amount, behind = values
    causes = tuple(map(_read_cause, behind))
    return Cause(text, start, end, sign, category, cast(Role, role), read_quantity(amount), causes)
