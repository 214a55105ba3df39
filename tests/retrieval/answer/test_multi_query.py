"""Rankings of several wordings as one."""

from __future__ import annotations

from cliquerag.retrieval.answer.generative.multi_query import search_each
from cliquerag.retrieval.search.evidence import Evidence, EvidenceKind


def piece(id: str, page: int | None = None, kind: EvidenceKind = "chunk") -> Evidence:
    return Evidence(kind, f"text of {id}", 1.0, "a.pdf", id, page)


def fused(*rankings: list[Evidence]) -> list[str]:
    wordings = [f"wording {number}" for number in range(len(rankings))]
    found = dict(zip(wordings, rankings, strict=True))
    return [item.id for item in search_each(found.__getitem__, wordings[0], wordings[1:])]


def test_two_pieces_of_the_page_that_answers_do_not_lose_to_one_piece_of_another() -> None:
    own = [piece("a1", 1), piece("b", 2)]
    other = [piece("a2", 1), piece("b", 2)]
    assert fused(own, other) == ["a1", "b"], "the page is shown as the question itself found it"


def test_what_the_question_finds_is_not_outvoted() -> None:
    own = [piece("a", 1), piece("b", 2), piece("c", 3)]
    other = [piece("x", 9), piece("y", 8)]
    assert fused(own, other, other) == ["a", "b", "c", "x", "y"]


def test_what_other_wordings_find_too_rises() -> None:
    own = [piece("a", 1), piece("b", 2), piece("c", 3)]
    assert fused(own, [piece("c", 3)], [piece("c", 3)])[0] == "c"


def test_further_pieces_of_a_page_stay_and_come_once() -> None:
    own = [piece("a1", 1), piece("b", 2), piece("a2", 1)]
    other = [piece("a2", 1), piece("a1", 1), piece("new", 4)]
    assert sorted(fused(own, other)) == ["a1", "a2", "b", "new"]


def test_without_pages_and_for_facts_each_piece_counts_for_itself() -> None:
    own = [piece("f1", 1, "fact"), piece("f2", 1, "fact"), piece("n1"), piece("n2")]
    assert fused(own, own) == ["f1", "f2", "n1", "n2"]


def test_one_wording_is_its_ranking() -> None:
    assert fused([piece("b", 2), piece("a", 1)]) == ["b", "a"]
