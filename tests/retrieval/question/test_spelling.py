"""Slips of the pen are put right where the documents print what was meant; words of the language stay as they are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from cliquerag import Workspace
from cliquerag.core.words import is_english
from cliquerag.retrieval.question.plan import understand
from cliquerag.retrieval.question.scope.catalogue import Catalogue
from cliquerag.retrieval.question.vocabulary.vocabulary import shipped_vocabulary

_SECTIONS = (
    "Our plans for severance are funded. Members ended the dispute over thirty covenants in all.",
    "We print fulfillment, infrastructure and guidance. Vaccines and restaurants did well; the local state of it.",
    "Revenue and total assets rose. Goodwill was tested. Boards are done per year, and the ills are told.",
)


@pytest.fixture(scope="module")
def store():
    with Workspace("sqlite://", embedder="none") as workspace:
        for number in range(4):  # a word counts from three passages on
            text = "\n\n".join(f"{section} Part {number}." for section in _SECTIONS)
            workspace.add_text(text, f"{number}.md", company="Acme Corp.", kind="10-K")
        yield workspace.store


def taken(question: str, store) -> dict[str, str]:
    catalogue = Catalogue.of(store.documents())
    return dict(understand(question, store, catalogue, shipped_vocabulary()).asked.taken)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("severence", "severance"), ("infrastucture", "infrastructure"), ("vacines", "vaccines"),
        ("restuarants", "restaurants"), ("guidence", "guidance"), ("covenents", "covenants"), ("revenu", "revenue"),
        ("goodwil", "goodwill"), ("memebers", "members"),
    ],
)  # fmt: skip
def test_a_slip_is_put_right(written: str, meant: str, store) -> None:
    assert taken(f"What does Acme say of {written} here?", store) == {written: meant}


@pytest.mark.parametrize(
    "word", ["planes", "thirsty", "vending", "slate", "loyal", "drones", "malls", "pills", "perks", "tills"]
)
def test_a_word_of_the_language_is_no_slip(word: str, store) -> None:
    assert taken(f"How many {word} does Acme have?", store) == {}


def test_a_word_of_the_language_is_put_right_within_the_name_of_a_figure(store) -> None:
    assert taken("What were Acme's capitol expenditures?", store) == {"capitol": "capital"}


def test_words_of_the_language_are_known_with_their_endings() -> None:
    assert all(map(is_english, ("plane", "planes", "jumpers", "shipping", "stories", "makes", "making")))
    assert not any(map(is_english, ("plaens", "revenu", "gros", "opearting", "liabilites")))


_TWO_FORMS = """
from cliquerag import Workspace
from cliquerag.retrieval.question.wording.spelling import _Passages, _in_store
from cliquerag.retrieval.search.index.corpus import corpus_of

with Workspace("sqlite://", embedder="none") as workspace:
    for number in range(4):
        text = f"A dividend was paid, as dividends are, under a covenant of many covenants. {number}"
        workspace.add_text(text, f"{number}.md", company="Acme Corp.")
    passages = _Passages(workspace.store, corpus_of(workspace.store).catalogue.looked_up)
    print(*[_in_store(slip, passages) for slip in ("dividens", "covenans", "dividensd")])
"""


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_a_slip_is_read_alike_by_every_process(seed: str) -> None:
    """Of two forms that are as near the one with the same number is taken, in whatever order a set gives them."""
    run = subprocess.run(
        [sys.executable, "-c", _TWO_FORMS], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True
    )
    assert run.stdout.split() == ["dividends", "covenants", "dividend"], run.stderr
