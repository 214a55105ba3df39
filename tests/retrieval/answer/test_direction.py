"""Who does it to whom: what goes the other way is no answer, nor is a relation beside the one asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from cliquerag.kg.engines.opening import open_store
from cliquerag.kg.schema import load_schema
from cliquerag.kg.store import Store
from cliquerag.kg.triple import Extraction, Name, Passage, Triple
from cliquerag.retrieval.answer import multi_part
from cliquerag.retrieval.answer.preparation import AskOptions
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary
from support.library import filing, library

from benchmarks.asking import answer_question
from benchmarks.ours import make_bundle, text_documents

ACME = filing(
    "Acme Corporation",
    2022,
    "Item 7. In February 2022 we completed the purchase of Tessel Vision GmbH from Brunner Holding AG for $84 million. "
    "In 2020 we issued $200 million of 4.25% Senior Notes due 2030. "
    "We license gripper patents from the University of Tampere. "
    "We paid a quarterly cash dividend of $0.12 per share on our common stock.",
)
TEXTS = {"ACME_2022_10K.pdf": ACME} | {f"steel{i}.txt": f"Steel prices rose in year {i}." for i in range(5)}


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    filled = library(TEXTS, graph=True)
    yield filled
    filled.close()


@pytest.mark.parametrize(
    "question",
    [
        "Who acquired Acme Corporation?",
        "Who bought Acme?",
        "Whom did Acme sue?",
        "Who has been sued by Acme Corporation?",
        "Who licenses patents from Acme?",
        "Who regulates Acme Corporation?",
    ],
)
def test_what_goes_the_other_way_is_refused(store: Store, question: str) -> None:
    answer = answer_question(store, None, None, question)
    assert answer.trace.get("not found"), answer.text


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Whom did Acme acquire?", "Tessel Vision"),
        ("Who sued Acme?", "Cresta Tools"),
        ("By whom was Acme Corporation sued?", "Cresta Tools"),
        ("Who was sued by Cresta Tools?", "Acme"),
        ("From whom does Acme license patents?", "Tampere"),
        ("Does Acme pay a dividend?", "$0.12"),
    ],
)
def test_what_goes_as_it_is_asked_is_told(store: Store, question: str, told: str) -> None:
    answer = answer_question(store, None, None, question)
    assert told in answer.text and not answer.trace.get("not found")


def test_a_relation_beside_the_one_asked_is_no_answer(store: Store) -> None:
    assert "Senior Notes" not in answer_question(store, None, None, "Who is the trustee of Acme?").text


class _Insurers:
    """Reads who insures whom, as a model does with a schema of one's own."""

    name = "insurers"
    version = "1"

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        return [self._read(passage.text) for passage in passages]

    def _read(self, text: str) -> Extraction:
        said = "Policies of Harbour Mutual Ltd. cover the fire losses of Acme Corporation."
        start = text.find(said)
        if start < 0:
            return Extraction()
        head, tail = "Harbour Mutual Ltd.", "Acme Corporation"
        names = tuple(Name(name, "company", text.find(name), text.find(name) + len(name)) for name in (head, tail))
        triple = Triple(head, "company", "insures", tail, "company", said, start, start + len(said))
        return Extraction(names, (triple,))


def test_a_relation_of_the_users_own_schema_is_answered(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(
        '[relations.insures]\ninverse = "insured_by"\nheads = ["company"]\ntails = ["company"]\nen = "insures"\n',
        encoding="utf-8",
    )
    schema = load_schema(path)
    store = open_store("sqlite://", schema=schema)
    said = "Policies of Harbour Mutual Ltd. cover the fire losses of Acme Corporation. Steel was sold to mills."
    for document in text_documents({"policy.txt": said}):
        store.put(make_bundle(document, None, _Insurers()))
    vocabulary = replace(shipped_vocabulary(), schema=schema)
    asked = (store, None, None)
    answer = multi_part.answer_parts(*asked, "Who insures Acme Corporation?", vocabulary, AskOptions())
    assert "Harbour Mutual Ltd. insures Acme Corporation" in answer.text
    assert [citation.source for citation in answer.citations] == ["policy.txt"]
    other = multi_part.answer_parts(*asked, "Whom does Acme Corporation insure?", vocabulary, AskOptions())
    assert other.trace.get("not found"), other.text
    store.close()
