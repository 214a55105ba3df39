"""Relations between two marked companies in English sentences: CORE (Borchert et al. 2023), with their direction.

The two names are given to the extractor, as in the task; where one is a pronoun or "the company", it is the subject.
A triple is right when the gold joins the two by a relation of the same meaning in the same direction. Coverage is over
the sentences whose gold is a relation. Every third sentence is left unread: nobody looks at what came of it.

The set tells no types of the names, and a quarter of its relations are between a firm and what it makes. The first rows
take all names as firms; "types open" reads a sentence that says nothing of two firms with the one and then the other
name as a product.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from cliquerag.core.names import name_key
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.kg.extraction.rules import RulesExtractor
from cliquerag.kg.extraction.rules.lexicon import lexicon
from cliquerag.kg.schema import load_schema
from cliquerag.kg.triple import Passage, Triple

from ...extraction import Tally
from .fire import join_tokens

MINUTES = 0.5
Way = Literal["same", "turned", "either"]
MEANS: Mapping[str, Mapping[str, Way]] = {
    "acquired_by": {
        "acquires": "turned", "sells_to": "same", "divests": "turned", "subsidiary_of": "same", "owns_stake": "turned",
    },
    "client_of": {"customer_of": "same", "supplies": "turned", "licenses_from": "same", "partners_with": "either"},
    "shareholder_of": {"owns_stake": "same", "invests_in": "same", "founds": "same", "acquires": "same"},
    "traded_on": {"listed_on": "same"},
    "competitor_of": {"competes_with": "either"},
    "subsidiary_of": {
        "subsidiary_of": "same", "owns_stake": "turned", "acquires": "turned", "spins_off": "turned",
        "founds": "turned",
    },
    "merged_with": {"merges_with": "either", "acquires": "either"},
    "regulated_by": {"regulates": "turned", "approves": "turned"},
    "collaboration": {
        "partners_with": "either", "licenses_from": "either", "supplies": "either", "contracts_with": "either",
    },
    "product_or_service_of": {
        "produces": "turned", "launches": "turned", "develops": "turned", "owns_brand": "turned",
    },
    "brand_of": {"owns_brand": "turned", "produces": "turned", "subsidiary_of": "same", "acquires": "turned"},
    "undefined": {},
}  # fmt: skip
"""Relation of the data set -> ours with the same meaning, and whether head and tail are turned."""
_SUBJECT = re.compile(
    r"(?:(?:the|this|our) )?(?:company|firm|group|bank|corporation|business|organi[sz]ation|chain|brand|airline|studio)"
    r"|it|its|they|their|we",
    re.IGNORECASE,
)
_SMALL = frozenset({"of", "the", "and"})


_OF_GOODS = frozenset({"product_or_service_of", "brand_of"})
"""Relations one of whose ends is a product, which a name alone does not show: a film, a game, a brand."""
_ALL_FIRMS = ("",)
_READINGS: Mapping[str, Sequence[str]] = {"rules": _ALL_FIRMS, "rules, types open": ("", "first", "second")}
"""Which of the two names, as printed, is read as a product, in each reading of a sentence."""


def run(folder: Path) -> Report:
    """Read each sentence with its two names known."""
    sentences = json.loads((folder / "train.json").read_text(encoding="utf-8"))
    began = time.process_time()
    rows: list[Row] = []
    for part, wanted in (("known", (0, 1)), ("unread", (2,))):
        own = [sentence for number, sentence in enumerate(sentences) if number % 3 in wanted]
        for system, readings in _READINGS.items():
            tally = _tally(own, readings)
            rows.append(Row(system, f"{part} precision", tally.precision, n=tally.found))
            rows.append(Row(system, f"{part} coverage", tally.recall, n=tally.gold))
        of_firms = [sentence for sentence in own if sentence["relation"] not in _OF_GOODS]
        tally = _tally(of_firms, _ALL_FIRMS)
        rows.append(Row("rules", f"{part} coverage between firms", tally.recall, n=tally.gold))
    return Report("core_relations", tuple(rows), (f"{len(sentences)} sentences.",), time.process_time() - began)


def _tally(sentences: Sequence[Mapping[str, Any]], readings: Sequence[str]) -> Tally:
    tally = Tally()
    for sentence in sentences:
        head, tail = _ends(sentence)
        judged = list(_judged(sentence, head, tail, readings))
        tally.found += len(judged)
        tally.right += sum(judged)
        if sentence["relation"] != "undefined":
            tally.gold += 1
            tally.hit += any(judged)
    return tally


def _ends(sentence: Mapping[str, Any]) -> tuple[str, str]:
    """The marked names, turned where the gold is."""
    words = sentence["context"]
    first, second = (" ".join(words[sentence[f"{e}_start"] : sentence[f"{e}_end"] + 1]) for e in ("e1", "e2"))
    return (second, first) if sentence["invert_relation"] else (first, second)


def _judged(sentence: Mapping[str, Any], head: str, tail: str, readings: Sequence[str] = _ALL_FIRMS) -> Iterator[bool]:
    """For each triple that joins the two names in the first reading that joins them: whether the gold says so."""
    means = MEANS[sentence["relation"]]
    text = join_tokens(sentence["context"])[0]
    for product in readings:
        verdicts = list(_verdicts(_read(text, (head, tail), _named(sentence, product)), means, head, tail))
        if verdicts:  # what the sentence says of two firms holds before what it says of a product
            yield from verdicts
            return


def _verdicts(triples: Sequence[Triple], means: Mapping[str, Way], head: str, tail: str) -> Iterator[bool]:
    for triple in triples:
        way = means.get(triple.relation)
        if _joins(triple, head, tail):
            yield way in ("same", "either")
        elif _joins(triple, tail, head):
            yield way in ("turned", "either")


def _named(sentence: Mapping[str, Any], which: str) -> str:
    """The first or second of the marked names; "" for neither."""
    if not which:
        return ""
    end = "e1" if which == "first" else "e2"
    return " ".join(sentence["context"][sentence[f"{end}_start"] : sentence[f"{end}_end"] + 1])


def _read(text: str, names: Sequence[str], product: str = "") -> Sequence[Triple]:
    subject = next((name for name in names if _SUBJECT.fullmatch(name)), "")
    known = {name: _type_of(name) for name in names if name != subject}
    if known.get(product) == "company":
        known[product] = "product"
    return RulesExtractor(load_schema(), known).extract([Passage(text, subject=subject)])[0].triples


def _type_of(name: str) -> str:
    known = lexicon("en").known.get(name)
    return known or ("market" if name.endswith(("Exchange", "Index")) else "company")


def _joins(triple: Triple, head: str, tail: str) -> bool:
    return _same(triple.head, head) and _same(triple.tail, tail) and not _same(head, tail)


def _same(one: str, other: str) -> bool:
    """Two forms of a name share a word."""
    return one == other or bool(_words(one) & _words(other))


def _words(name: str) -> set[str]:
    return set(name_key(name).split()) - _SMALL
