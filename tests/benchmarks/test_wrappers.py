"""What counts as the same answer and the same pages where a question is put in another way."""

import pytest
from cliquerag.core.quantity import find_quantities
from cliquerag.retrieval.search.evidence import Answer, Citation, Context, Evidence

from benchmarks.tasks.answers._filings import Question
from benchmarks.tasks.answers.wrappers import (
    WRAPPERS,
    Wrapper,
    _bare,
    _pairs,
    _Reply,
    same_answer,
    same_figure,
    same_pages,
)

PAGES = [("a.pdf", n) for n in range(1, 6)]


def question(text, kind="figure"):
    return Question("q1", "dev", text, frozenset({("a.pdf", 1)}), (("5",),), (), kind, frozenset())


def reply(text, page=None, *, figure=False, refused=False, pages=PAGES):
    why = {"numbers": 1.0} if figure else {}
    cited = (Citation(1, "a.pdf", text, page),) if page else ()
    context = Context(graph=(Evidence("fact", text, 1.0, "a.pdf", why=why),))
    return _Reply(Answer(text, cited, context, "hybrid", "extractive", {"not found": True} if refused else {}), pages)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("USD 7,396 million", "USD 7.4 billion", True),
        ("USD 7,396 million", "USD 7,396.00 million", True),
        ("24.23 %", "24.2 %", True),
        ("24.23 %", "24.4 %", False),
        ("USD 7,396 million", "USD 7.3 billion", False),
        ("USD -17 million", "USD 17 million", False),
    ],
)
def test_the_same_figure(one, other, same):
    assert same_figure(find_quantities(one)[0], find_quantities(other)[0]) is same


def test_the_same_answer():
    figure = reply("Revenue, FY2022: USD 17,606 million [1]", 1, figure=True)
    assert same_answer(figure, reply("Revenue, FY2022: USD 17.6 billion [1]", 9, figure=True))
    assert not same_answer(figure, reply("Revenue, FY2021: USD 15,785 million [1]", 1, figure=True))
    assert not same_answer(figure, reply("Revenue rose [1].", 1))
    assert same_answer(reply("Revenue rose [1].", 3), reply("It rose in 2022 [1].", 3))
    assert not same_answer(reply("Revenue rose [1].", 3), reply("Revenue rose [1].", 4))
    assert same_answer(reply("Not there.", refused=True), reply("Not here.", refused=True))
    assert not same_answer(reply("Not there.", refused=True), figure)


def test_the_same_pages():
    assert same_pages(reply("x"), reply("x", pages=[*PAGES[:1], *PAGES[2:5], ("b.pdf", 1)]))
    assert not same_pages(reply("x"), reply("x", pages=[PAGES[1], PAGES[0], *PAGES[2:]]))
    assert not same_pages(reply("x"), reply("x", pages=[*PAGES[:3], ("b.pdf", 1), ("b.pdf", 2)]))


def test_ways_of_putting_a_question():
    asked = question("What was Acme's revenue in 2022?")
    assert Wrapper("", "read", "{X}: what was it?").wrapped(asked) == "Acme's revenue in 2022: what was it?"
    assert Wrapper("", "read", letters="no mark").wrapped(asked) == "What was Acme's revenue in 2022"
    assert Wrapper("", "read", "Tell me {x}.").wrapped(question("Why did revenue fall?")) is None
    assert Wrapper("", "read", "{q} In millions.", figures=True).wrapped(question("Who leads Acme?", "legal")) is None


def test_forty_ways_and_sixty_questions():
    assert len({wrapper.name for wrapper in WRAPPERS}) == 40
    assert [wrapper.part for wrapper in WRAPPERS].count("unread") == 18
    asked = _bare()
    assert len(asked) == 60
    assert all(q.answerable for q in asked)
    used = {wrapper.name for _, wrapper, _ in _pairs(asked)}
    assert len(used) == 40
