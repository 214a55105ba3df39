"""Link prediction: whether a stated relation that is hidden comes back among the first ten predictions of its kind.

Hits@10 after Bordes et al. (2013), of tails only: the head and the relation are given, and what is still stated is not
predicted again. Each relation that sentences assert is hidden once, with a tenth of the others. Beside it the ten ends
that most heads of that relation have. The graph is read by rules from 13 filings, without vectors.
"""

from __future__ import annotations

import random
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cliquerag.core.errors import UsageError
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.pieces.page_classes import classify_pages
from cliquerag.ingest.read import read_document
from cliquerag.kg.graph import Relation
from cliquerag.kg.link_prediction import LinkPredictor
from cliquerag.kg.schema import Schema, load_schema

from ...ours import OURS, stored

FOLDER = "financebench"
MINUTES = 3.0
_FOLDS, _SEED, _TOP = 10, 7, 10
_SHOWN = 20
"""Hidden relations of a kind from which on it has a row of its own."""
_BASELINE = "ends of most heads"


@dataclass(frozen=True, slots=True)
class Hidden:
    """A relation that was hidden: its kind, and whether each system had it among its first ten."""

    relation: str
    is_known: bool
    """Both of its ends stand in other relations."""
    predicted: bool
    frequent: bool
    """The end is one of the ten that most heads of this relation have."""


def run(folder: Path) -> Report:
    """Read the filings and hide each relation of their graph once."""
    began = time.perf_counter()
    paths = sorted((folder / "pdfs_dev").glob("*.pdf"))
    if not paths:
        raise UsageError("no PDF under pdfs_dev", where=str(folder))
    documents = (classify_pages(read_document(path, source=path.name)) for path in paths)
    with stored(documents, None) as store:
        relations = list(store.all_relations())
    hidden = hide_each(relations, load_schema())
    notes = (f"{len(relations)} relations of {len(paths)} filings, {len(hidden)} of them asserted and hidden once.",)
    return Report("link_prediction", tuple(_rows(hidden)), notes, seconds=time.perf_counter() - began)


def hide_each(relations: Sequence[Relation], schema: Schema) -> list[Hidden]:
    """What becomes of each asserted relation when a tenth of all, itself among them, is hidden."""
    asserted = [one for one in relations if any(said.modality == "asserted" for said in one.statements)]
    random.Random(_SEED).shuffle(asserted)
    found: list[Hidden] = []
    for number in range(_FOLDS):
        left_out = asserted[number::_FOLDS]
        rest = [one for at, one in enumerate(asserted) if at % _FOLDS != number]
        found += _found_again(left_out, rest, schema)
    return found


def _found_again(left_out: Sequence[Relation], rest: Sequence[Relation], schema: Schema) -> Iterator[Hidden]:
    predictor, frequent = LinkPredictor(rest, schema), _most_frequent(rest)
    there = {entity.id for one in rest for entity in (one.head, one.tail)}
    for one in left_out:
        head, relation, tail = one.key
        guesses = predictor.predictions(head, _TOP, relation)
        yield Hidden(
            relation=relation,
            is_known=head in there and tail in there,
            predicted=any(guess.tail.id == tail for guess in guesses),
            frequent=tail in frequent.get(relation, ()),
        )


def _most_frequent(relations: Sequence[Relation]) -> Mapping[str, frozenset[str]]:
    """Relation -> the ids of its ten most frequent tails."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in relations:
        _, relation, tail = one.key
        counts[relation][tail] += 1
    return {relation: frozenset(tail for tail, _ in count.most_common(_TOP)) for relation, count in counts.items()}


def _rows(hidden: Sequence[Hidden]) -> Iterator[Row]:
    known = [one for one in hidden if one.is_known]
    for name, group in {"all": hidden, "both ends known": known}.items():
        yield Row.mean(OURS, f"{name}: hits@{_TOP}", [float(one.predicted) for one in group])
        yield Row.mean(_BASELINE, f"{name}: hits@{_TOP}", [float(one.frequent) for one in group])
    for relation, count in Counter(one.relation for one in hidden).most_common():
        if count < _SHOWN:
            break
        own = [one for one in hidden if one.relation == relation]
        yield Row.mean(OURS, f"{relation}: hits@{_TOP}", [float(one.predicted) for one in own])
        yield Row.mean(_BASELINE, f"{relation}: hits@{_TOP}", [float(one.frequent) for one in own])
