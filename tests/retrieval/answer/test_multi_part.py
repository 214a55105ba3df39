"""A question with several parts: each answered or refused for itself, one list of sources."""

import re

import pytest
from cliquerag.models.language import Message, Reply, Usage
from cliquerag.retrieval.question.plan import Keywords
from cliquerag.retrieval.search.evidence import Answer, Evidence, dealt_in_turns
from support.canned_model import Canned
from support.shelf import Shelf, shelf_search

from benchmarks.asking import answer_question, stream_answer

STORE = Shelf(
    report="The plant in Ohio stopped because power failed.\n\n"
    "The second plant opens its gates in May 2026.\n\nThe weather was mild."
)
BOTH = "Why did the plant in Ohio stop, and when does the second plant open its gates?"


def ask(question, **how):
    return answer_question(
        STORE, how.pop("embedder", None), how.pop("model", None), question, search=shelf_search, **how
    )


def test_one_part_is_answered_and_the_other_refused():
    answer = ask("Why did the plant in Ohio stop, and who is the chairman of Zeta?")
    first, second = answer.text.split("\n\n")
    assert first.splitlines() == [
        "Why did the plant in Ohio stop?",
        "The plant in Ohio stopped because power failed [1].",
    ]
    assert second.startswith("Who is the chairman of Zeta?\n") and "Zeta" in second.splitlines()[1]
    assert not re.search(r"\[\d\]", second)
    assert [part["found"] for part in answer.trace["parts"]] == [True, False]
    assert "not found" not in answer.trace


def test_nothing_found_for_any_part_is_a_refusal():
    answer = ask("Who is the chairman of Zeta, and who audits Zeta?")
    assert answer.trace["not found"] and not answer.citations


def test_citations_run_through_and_evidence_stands_once():
    answer = ask(BOTH)
    assert [citation.number for citation in answer.citations] == [1, 2]
    assert all(f"[{citation.number}]" in answer.text for citation in answer.citations)
    ids = [item.id for item in answer.context.evidence]
    assert len(ids) == len(set(ids)) > 0
    assert answer.context.tokens == sum(item.tokens for item in answer.context.evidence)


def test_a_sentence_that_answers_two_parts_has_one_number():
    answer = ask("Why did the plant in Ohio stop, and where did power fail?")
    assert len({(c.start, c.end) for c in answer.citations}) == len(answer.citations)


def test_the_stream_is_the_same_text():
    *pieces, answer = stream_answer(STORE, None, None, BOTH, search=shelf_search)
    assert isinstance(answer, Answer)
    assert len(pieces) == 2, "a paragraph at a time"
    assert "".join(pieces) == answer.text == ask(BOTH).text


def test_a_model_is_asked_part_by_part_and_its_cost_is_added_up():
    model = Canned("The plant stopped because power failed [1].")
    answer = ask(BOTH, model=model)
    assert answer.text.count("\n\n") == 1 and answer.trace["usage"]["calls"] == len(model.sent) == 2
    assert answer.trace["usage"]["input_tokens"] == 20 and answer.model == model.name


def test_a_follow_up_with_parts_knows_what_it_is_about():
    history = [Message("user", "Why did the plant in Ohio stop?"), Message("assistant", "Power failed.")]
    answer = ask("And when does the second plant open its gates, and who is the chairman of Zeta?", history=history)
    assert [part["found"] for part in answer.trace["parts"]] == [True, False]


def test_a_value_that_a_program_expects_is_asked_for_whole():
    assert "parts" not in ask(BOTH, expect="date").trace


def test_evidence_is_dealt_in_turns():
    one, two, three, four = (Evidence("chunk", name, 1.0, "a", id=name) for name in ("1", "2", "3", "4"))
    assert dealt_in_turns([[one, two, three], [two, four]]) == [one, two, four, three]


class Reader(Canned):
    """Reads names and themes in a question, words it anew, and has one answer for all else."""

    def reply(self, messages, *, schema=None):
        self.sent.append(messages)
        if schema and "themes" in schema["properties"]:
            return Reply("", Usage(10, 5, 1), {"names": ["Ohio Works"], "themes": ["power cuts"]})
        return Reply(self.text, Usage(10, 5, 1))


@pytest.mark.parametrize(
    ("question", "queries", "searches", "calls"),
    [
        (BOTH, 1, 2, 3),
        ("Why did the plant in Ohio stop?", 1, 1, 2),
        ("Why did the plant in Ohio stop?", 2, 2, 3),
    ],
)
def test_names_and_themes_are_read_once_for_all_parts_and_wordings(question, queries, searches, calls):
    model, asked = Reader("The plant stopped because power failed [1]."), []

    def search(plan, embedder, **how):
        asked.append(plan.keywords)
        return shelf_search(plan, embedder, **how)

    answer = answer_question(STORE, None, model, question, search=search, keywords=True, queries=queries)
    assert asked == [Keywords(("Ohio Works",), ("power cuts",))] * searches
    assert len(model.sent) == answer.trace["usage"]["calls"] == calls
    assert answer.trace["graph keywords"]["names"] == ("Ohio Works",)
