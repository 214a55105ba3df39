"""How an answer to an analyst's question is marked, on invented answers, and whether the questions are well formed."""

from collections import Counter

import pytest
from cliquerag.retrieval.search.evidence import Answer, Citation, Context, Evidence

from benchmarks.tasks.answers._filings import Question, read_asked, recall_of_documents
from benchmarks.tasks.answers._marking import holds, mark, normalised


def question(must=(("7,396", "7.4 billion"),), must_not=("7,838",), kind="calculated", gold=(("a.pdf", 57),)):
    return Question("q1", "dev", "What was free cash flow?", frozenset(gold), must, must_not, kind, frozenset())


def answer(text, quoted="", *, figure=False, trace=None):
    why = {"numbers": 1.0} if figure else {"words": 1.0}
    cited = (Citation(1, "a.pdf", quoted),) if quoted else ()
    context = Context(vector=(Evidence("fact", text, 1.0, "a.pdf", why=why),))
    return Answer(text, cited, context, "hybrid", "extractive", trace or {})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (answer("Free cash flow, FY2022: USD 7,396 million [1]", figure=True), "right"),
        (answer("Free cash flow, FY2022: USD 7.4 billion [1]", figure=True), "right"),
        (answer("Free cash flow, FY2022: USD 8,280 million [1]", figure=True), "wrong"),
        (answer("Operating cash flow: 7,838 million [1]", "7,838"), "wrong"),
        (answer("Purchases of property: 442 million [1]", "442"), "beside"),
        (answer("It was as below [1].", "free cash flow of $7,396 million"), "right"),
        (answer("Not in these documents ...", trace={"not found": True}), "refused"),
    ],
)
def test_a_figure(given, expected):
    assert mark(question(), given) == expected


def test_a_remark_on_another_value_is_no_answer():
    said = answer("Free cash flow: USD 1 million [1]\nNote: 7,396 on page 3 was not taken", figure=True)
    assert mark(question(), said) == "wrong"


def test_the_figure_that_comes_first_counts():
    said = answer("Cash flow, FY2022: USD 7,838 million [1]\nFree cash flow: USD 7,396 million [2]", figure=True)
    assert mark(question(), said) == "wrong"


def test_part_of_what_is_asked():
    asked = question(must=(("Walmart",), ("Kroger",)), must_not=(), kind="who/when/where")
    assert mark(asked, answer("It competes with Walmart [1].")) == "partly"
    assert mark(asked, answer("It competes with Walmart and KROGER [1].")) == "right"
    assert mark(asked, answer("It sells food [1].")) == "beside"


def test_what_no_filing_says():
    asked = question(must=(), must_not=(), kind="unanswerable", gold=())
    assert mark(asked, answer("No document here mentions Azure.", trace={"not found": True})) == "right"
    assert mark(asked, answer("No document of 2009 for Acme; from FY2021:\nSales rose [1].")) == "right"
    assert mark(asked, answer("Sales rose [1].")) == "beside"
    assert mark(asked, answer("Revenue, FY2021: USD 5 million [1]", figure=True)) == "wrong"


def test_figures_and_words():
    assert holds(normalised("fell by 5.93 % in the quarter"), "-5.9%")
    assert not holds(normalised("rose by 5.93 % in the quarter"), "-5.9%")
    assert holds(normalised("a margin of (5.9)%"), "-5.9")
    assert not holds(normalised("27,396 units"), "7,396")
    assert holds(normalised("The Company’s  last‑in, first‑out method"), "last-in, first-out")


def test_several_documents():
    gold = [("a.pdf", 1), ("b.pdf", 2), ("b.pdf", 3)]
    assert recall_of_documents([("b.pdf", 3)], gold) == 0.5
    assert recall_of_documents([("b.pdf", 3), ("a.pdf", 1)], gold) == 1.0


def test_the_questions_are_well_formed():
    asked = read_asked()
    assert Counter(q.part for q in asked) == {"dev": 50, "unread": 100}
    assert len({q.id for q in asked}) == len({q.text for q in asked}) == 150
    assert sum(not q.answerable for q in asked) == 15
    assert all(bool(q.must) == q.answerable for q in asked)
    assert len({source for q in asked for source, _ in q.gold}) == 25
