"""Who holds which office on 18 earnings calls, without a model: recall and precision against the rosters of the calls.

A person is found when one of the offices of the roster's title is stated of somebody of that family name; of the
offices stated of those in the roster it is counted how many their titles name. The calls are read as they are, where
most leave out what their host assumes, and with the roster below, as transcripts are published.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunking import make_chunks
from cliquerag.ingest.read import read_text
from cliquerag.kg.extraction.build import build_graph, make_extractor
from cliquerag.kg.extraction.structure.cells import offices_in
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Extractor

from ...extraction import Tally
from .._shared import read_lines

FOLDER = "earnings_qa"
MINUTES = 0.5
_OFFICES = frozenset({"holds_role", "leads", "works_for", "director_of"})


def run(folder: Path) -> Report:
    """Read each call twice and compare with its roster."""
    began = time.process_time()
    extractor = make_extractor("rules", load_schema())
    rosters: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for person in read_lines(folder / "roles.jsonl"):
        rosters[person["call"]].append(person)
    rows: list[Row] = []
    for form in ("call", "call with roster"):
        tally = Tally()
        for call in read_lines(folder / "calls.jsonl"):
            text = (folder / call["file"]).read_text(encoding="utf-8")
            if form != "call":
                text += "\n\nCall participants:\n\n" + "\n\n".join(call["participants"]) + "\n"
            _add(tally, _stated(text, call["id"], extractor), rosters[call["id"]])
        rows.append(Row("rules", f"{form}: roles recall", tally.recall, n=tally.gold))
        rows.append(Row("rules", f"{form}: precision", tally.precision, n=tally.found))
    return Report("call_roles", tuple(rows), (f"{len(rosters)} calls.",), time.process_time() - began)


def _stated(text: str, name: str, extractor: Extractor) -> Mapping[str, set[str]]:
    """Family name -> the offices that are stated of somebody of that name."""
    document = read_text(text, source=f"{name}.txt")
    part = build_graph(document, make_chunks(document, make_chunker("auto"), None).chunks, extractor)
    names = {entity.id: entity.name for entity in part.entities}
    stated: dict[str, set[str]] = defaultdict(set)
    for statement in part.statements:
        if statement.relation in _OFFICES:
            words = names[statement.tail] if statement.relation == "holds_role" else statement.metadata.get("role", "")
            stated[_family_name(names[statement.head])] |= offices_in(words)
    return stated


def _add(tally: Tally, stated: Mapping[str, set[str]], roster: Sequence[Mapping[str, Any]]) -> None:
    for person in roster:
        wanted, found = offices_in(person["title"]), stated.get(_family_name(person["person"]), set())
        right = found & wanted
        tally.gold += 1
        tally.hit += bool(right)
        tally.found += len(found)
        tally.right += len(right)


def _family_name(person: str) -> str:
    return person.removesuffix(", Jr.").split()[-1].casefold()
