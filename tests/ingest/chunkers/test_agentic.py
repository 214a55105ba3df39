"""A model says which paragraphs go on; what it says is bounded, and cliques cut where it says nothing."""

from __future__ import annotations

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.ingest.chunk import Break, Sentence, Span
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.chunkers.agentic import AgenticChunker
from cliquerag.models.language import BudgetError
from cliquerag.models.replies import UnreadableError
from support.canned_answers import Answering

_PARAGRAPHS = [0, 2, 2, 2, 3, 2, 2]
"""The breaks before seven sentences of 30 tokens: four paragraphs, then three under another heading."""


def _sentences(breaks: list[int] = _PARAGRAPHS, tokens: int = 30) -> tuple[str, list[Sentence]]:
    text = "".join(f"word{i:03d}. " for i in range(len(breaks)))
    return text, [Sentence(9 * i, 9 * i + 8, tokens, Break(b)) for i, b in enumerate(breaks)]


def _cut(model: Answering | None, breaks: list[int] = _PARAGRAPHS, tokens: int = 30) -> list[Span]:
    text, sentences = _sentences(breaks, tokens)
    return AgenticChunker(model).chunk(text, sentences, None)


def test_one_call_a_section_groups_its_paragraphs() -> None:
    model = Answering(['{"starts": [1, 4]}', "[2]"])
    assert _cut(model) == [Span(0, 3), Span(3, 4), Span(4, 5), Span(5, 7)]
    assert len(model.sent) == model.usage.calls == 2
    assert model.sent[0][-1].content.count("\n[") == 4 and "[3] word006." in model.sent[1][-1].content


def test_what_fits_one_chunk_or_is_one_paragraph_is_not_asked() -> None:
    model = Answering(['{"starts": [1]}'])
    _cut(model, [0, 2, 3, 0, 0, 0, 0])
    assert not model.sent


def test_of_a_paragraph_that_is_too_long_the_sentences_are_asked() -> None:
    model = Answering(['{"starts": [1, 5]}'])
    assert _cut(model, [0] * 8, tokens=40) == [Span(0, 4), Span(4, 8)]
    assert model.sent[0][-1].content.count("\n[") == 8


@pytest.mark.parametrize("answer", ['{"starts": []}', '{"starts": ["x", 99, -1, true]}', '{"starts": {"1": 2}}'])
def test_an_answer_that_says_nothing_leaves_it_to_cliques(answer: str) -> None:
    assert _cut(Answering([answer])) == _cut(None)


def test_numbers_are_read_as_models_write_them() -> None:
    assert _cut(Answering(['{"starts": ["[1]", "3", 3.0]}', '{"starts": [1, 2]}'])) == [
        Span(0, 2), Span(2, 4), Span(4, 5), Span(5, 7),
    ]  # fmt: skip


def test_a_group_that_is_too_long_is_cut_by_cliques() -> None:
    spans = _cut(Answering(['{"starts": [1]}']), [0, 2, 2, 2, 2, 2, 2, 2], tokens=60)
    assert len(spans) > 1 and max(span.last - span.first for span in spans) <= 3
    assert [i for span in spans for i in range(span.first, span.last)] == list(range(8))


def test_one_section_that_fails_does_not_cost_the_others() -> None:
    model = Answering([ModelError("down"), '{"starts": [1, 3]}'])
    assert _cut(model) == [*(span for span in _cut(None) if span.last <= 4), Span(4, 6), Span(6, 7)]


def test_answers_that_cannot_be_read_are_left_to_cliques() -> None:
    assert _cut(Answering([UnreadableError("prose")])) == _cut(None)


def test_an_endpoint_that_is_down_is_said() -> None:
    with pytest.raises(ModelError, match="down"):
        _cut(Answering([ModelError("down")]))


def test_the_model_is_part_of_the_version_and_the_registry_knows_the_name() -> None:
    assert isinstance(make_chunker("agentic"), AgenticChunker)
    assert "answering" in AgenticChunker(Answering([])).label
    assert AgenticChunker().label == ""


def test_a_spent_budget_stops_it() -> None:
    class Spent(Answering):
        def replies(self, requests, *, schema=None, failed=None):
            raise BudgetError("used up")

    with pytest.raises(BudgetError):
        _cut(Spent([]))
