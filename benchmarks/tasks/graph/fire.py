"""Entities and relations in English filings and news: FIRE (Hamad et al. 2024), sentences with labelled triples.

Money and Date are scored as spans (exact), by the patterns of ``core``. Of the relations those are scored that our
schema has: a triple is right when the gold joins the same two names by a relation that means the same, whatever the
direction the data set gives it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cliquerag.core.period_text import find_periods
from cliquerag.core.quantity import find_quantities
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage, Triple

from ...extraction import ByKind, Tally, count_spans, name_words
from .._shared import part, read_lines

MINUTES = 0.5
SAME = {
    "acquires": {"ActionBuy"},
    "sells_to": {"ActionSell", "ActionBuy"},
    "divests": {"ActionSell"},
    "merges_with": {"ActionMerge", "ActionBuy"},
    "subsidiary_of": {"Subsidiaryof", "Constituentof"},
    "owns_stake": {"Subsidiaryof", "Constituentof"},
    "leads": {"Employeeof"},
    "works_for": {"Employeeof"},
    "director_of": {"Employeeof"},
    "holds_role": {"Designation"},
    "produces": {"Productof"},
    "launches": {"Productof"},
    "headquartered_in": {"Locatedin"},
    "incorporated_in": {"Locatedin"},
    "operates_in": {"Locatedin"},
    "has_segment": {"Constituentof"},
}
"""Our relation -> labels of the data set for the same pair."""

_GLUED = frozenset({",", ".", ")", "'s", "’s", "%", ";", ":", "!", "?", "-"})


def run(folder: Path) -> Report:
    """Score spans of amounts and dates, and the triples that the rules read."""
    sentences = read_lines(part(folder))
    began = time.process_time()
    rows = [
        *_span_rows(sentences, "Money", _money),
        *_span_rows(sentences, "Date", _dates),
        *_relation_rows(sentences),
    ]
    return Report("fire", tuple(rows), (f"{len(sentences)} sentences.",), time.process_time() - began)


def _span_rows(sentences: Sequence[Mapping[str, Any]], kind: str, find: Any) -> list[Row]:
    tally = Tally()
    for number, sentence in enumerate(sentences):
        text, places = join_tokens(sentence["tokens"])
        gold = [(number, places[a][0], places[b - 1][1]) for name, a, b in sentence["entities"] if name == kind]
        count_spans(tally, [(number, *_to_tokens(span, places)) for span in find(text)], gold)
    return tally.rows("patterns", f"{kind} ")


def _money(text: str) -> list[tuple[int, int]]:
    return [(q.start, q.end) for q in find_quantities(text) if len(q.unit) == 3 and q.unit.isupper()]


def _dates(text: str) -> list[tuple[int, int]]:
    return [(mention.start, mention.end) for mention in find_periods(text)]


def _to_tokens(span: tuple[int, int], places: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The span widened to whole tokens, as the gold is."""
    touched = [place for place in places if place[0] < span[1] and place[1] > span[0]]
    return (touched[0][0], touched[-1][1]) if touched else span


def _relation_rows(sentences: Sequence[Mapping[str, Any]]) -> list[Row]:
    tallies = ByKind()
    for sentence in sentences:
        text, _ = join_tokens(sentence["tokens"])
        gold = list(_gold(sentence))
        triples = RulesExtractor(load_schema()).extract([Passage(text)])[0].triples
        for triple in triples:
            if triple.relation in SAME:
                tally = tallies.of(triple.relation)
                tally.found += 1
                tally.right += any(_agrees(triple, *labelled) for labelled in gold)
        everything = tallies.of("all")
        everything.gold += len(gold)
        everything.hit += sum(any(_agrees(triple, *labelled) for triple in triples) for labelled in gold)
    covered = tallies.kinds.pop("all")
    kinds = sorted(tallies.kinds.items(), key=lambda item: (-item[1].found, item[0]))
    return [
        Row("rules", "relation precision", tallies.total.precision, n=tallies.total.found),
        Row("rules", "relation coverage", covered.recall, n=covered.gold),
        *(Row(f"rules: {kind}", "relation precision", tally.precision, n=tally.found) for kind, tally in kinds),
    ]


def _gold(sentence: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(label, head, tail) of the relations between named things that our schema has."""
    labels = {label for same in SAME.values() for label in same}
    tokens, entities = sentence["tokens"], sentence["entities"]
    for label, head, tail in sentence["relations"]:
        kinds = {entities[head][0], entities[tail][0]}
        if label in labels and "FinancialEntity" not in kinds and "Quantity" not in kinds:
            yield label, *(" ".join(tokens[entities[end][1] : entities[end][2]]) for end in (head, tail))


def _agrees(triple: Triple, label: str, head: str, tail: str) -> bool:
    """The gold joins these two by a label of the same meaning; names meet when they share a word."""
    if label not in SAME.get(triple.relation, ()):
        return False
    ends = name_words(triple.head), name_words(triple.tail)
    gold = name_words(head), name_words(tail)
    return bool((ends[0] & gold[0] and ends[1] & gold[1]) or (ends[0] & gold[1] and ends[1] & gold[0]))


def join_tokens(tokens: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Text as it is printed, and where each token stands in it.

    >>> join_tokens(["Acme", ",", "Inc.", "paid", "$", "5", "."])[0]
    'Acme, Inc. paid $5.'
    """
    text, places = "", []
    quoted = False
    for token in tokens:
        after_quote = text.endswith('"') and quoted
        glued = token in _GLUED or (token == '"' and quoted) or text.endswith(("(", "$", "-")) or after_quote
        if text and not glued:
            text += " "
        places.append((len(text), len(text) + len(token)))
        text += token
        quoted ^= token == '"'
    return text, places
