"""Two legs, two budgets, nothing twice."""

import pytest
from cliquerag.core.tokens import count_tokens
from cliquerag.retrieval.answer.context import adding_to_texts, build_context, split_legs
from cliquerag.retrieval.search.evidence import Evidence
from cliquerag.retrieval.search.retrievers.graph import WORDS


def piece(name, kind="chunk", text="Some text of ten tokens for the budget of it.", **more):
    return Evidence(kind, text, 1.0, more.pop("source", name), id=name, tokens=more.pop("tokens", 10), **more)


def built(*legs, question="", **how):
    return build_context(*legs, question=question, **how)


def ids(leg):
    return [item.id for item in leg]


def test_each_leg_has_its_budget_and_smaller_pieces_may_follow_a_large_one():
    vector = [piece("a", tokens=30), piece("b", tokens=80), piece("c", tokens=20)]
    context = built(vector, [piece("r", "relation", tokens=15)], budgets=(60, 10))
    assert ids(context.vector) == ["a", "c"]
    assert context.tokens <= 70


def test_what_the_first_leg_holds_is_left_out_of_the_second():
    chunk = piece("a", source="x", start=0, end=100)
    inside = piece("b", source="x", start=20, end=50)
    context = built([chunk], [inside, piece("r", "relation")])
    assert ids(context.vector) == ["a"] and ids(context.graph) == ["r"]
    assert ids(context.evidence) == ["a", "r"]
    turned = built([chunk], [chunk, piece("r", "relation")], order="graph-first")
    assert ids(turned.graph) == ["a", "r"] and turned.vector == ()
    assert ids(turned.evidence) == ["a", "r"]


def test_same_words_in_two_sources_are_two_pieces_of_evidence():
    assert len(built([piece("a"), piece("b")], []).vector) == 2


def test_stands_on_one_leg():
    only = built([], [piece("r", "relation")])
    assert only.vector == () and ids(only.evidence) == ["r"]
    assert built([], []).evidence == ()


def test_tokens_are_counted_where_the_search_gave_none():
    context = built([piece("a", tokens=0)], [])
    assert context.tokens == context.vector[0].tokens == count_tokens(context.vector[0].text)


def test_a_piece_above_the_budget_is_cut_around_its_best_sentence():
    lines = [f"Line {number} says something about nothing in particular.\n" for number in range(200)]
    text = "".join(lines)
    best = text.index("Line 150")
    long = Evidence(
        "chunk", text, 1.0, "x", start=1000, end=1000 + len(text), highlights=((1000 + best, 1000 + best + 9),)
    )
    (cut,) = built([long], [], budgets=(100, 0)).vector
    assert "Line 150" in cut.text
    assert cut.tokens <= 100
    assert text[cut.start - 1000 : cut.end - 1000] == cut.text


def test_one_line_above_the_budget_is_cut_too():
    text = "word " * 3000
    (cut,) = built([Evidence("chunk", text, 1.0, "x", end=len(text))], [], budgets=(50, 0)).vector
    assert 30 <= cut.tokens <= 50


def test_split_legs_keeps_the_order():
    texts, graph = split_legs([piece("a"), piece("r", "relation"), piece("t", "table"), piece("f", "fact")])
    assert ids(texts) == ["a", "t"] and ids(graph) == ["r", "f"]


def test_for_a_model_relations_of_one_sentence_are_one_line():
    sentence = "Acme bought Bolt and Crux."
    relations = [
        piece(name, "relation", source="x", start=40, end=66, text=f"Acme acquires {name}: {sentence}")
        for name in ("Bolt", "Crux")
    ]
    (line,) = built([], relations, lean=True).graph
    assert line.text == f"Acme acquires Bolt; Acme acquires Crux: {sentence}"
    assert line.tokens == count_tokens(line.text)
    assert len(built([], relations).graph) == 2


def test_for_a_model_what_a_passage_says_is_not_said_again():
    passage = piece("a", source="x", start=0, end=100)
    known = piece("r", "relation", source="x", start=40, end=66, text="Acme acquires Bolt: Acme bought Bolt.")
    new = piece("s", "relation", source="x", start=400, end=466, text="Acme sues Crux: Acme sued Crux.")
    assert ids(built([passage], [known, new], lean=True).graph) == ["s"]
    assert ids(built([passage], [known, new]).graph) == ["r", "s"]


def test_relations_that_say_nothing_of_what_is_asked_are_no_part_of_a_models_context():
    asked = piece("asked", "relation", why={WORDS: 0.1, "asked": 1.0})
    near = piece("near", "relation", why={WORDS: 0.6})
    far = piece("far", "relation", why={WORDS: 0.2})
    step = piece("step", "relation", why={"path": 3.0})
    fact = piece("fact", "fact")
    found = [asked, near, far, step, fact]
    assert ids(adding_to_texts(found)) == ["asked", "near", "fact"]
    assert ids(adding_to_texts(found, asks_figure=True)) == ["asked", "fact"]
    assert ids(adding_to_texts(found, asks_connection=True)) == ["asked", "near", "step", "fact"]


def said(name, text):
    """A relation; its letter is its place in the document."""
    return piece(name, "relation", text, source="x", start=10 * ord(name), end=10 * ord(name) + 1)


def test_lines_stand_in_the_order_of_the_question():
    question = "What did Acme pay for Bolt in 2021, who audits Acme, and who leads Crux?"
    lines = [
        said("c", "Ann Lee leads Crux: Ann Lee has led Crux since 2019."),
        piece("fact", "fact", "Revenue 2021: 4"),
        said("a", "Roe LLP audits Acme: Roe LLP is the auditor of Acme."),
        said("n", "Acme is listed on Nasdaq: It is listed on Nasdaq."),
        said("b", "Acme acquired Bolt (2021): It paid 4 million for Bolt in 2021."),
    ]
    leg = built([], lines, lean=True, question=question).graph
    assert ids(leg) == ["b", "fact", "a", "n", "c"]
    assert ids(built([], lines, lean=True).graph) == ids(lines)
    assert ids(built([], lines, question=question).graph) == ids(lines), "without a model nothing moves"


def test_lines_in_chinese_stand_in_the_order_of_the_question():
    lines = [said("d", "中信银行向博尔特提供贷款：贷款于2022年提供。"), said("a", "安永审计博尔特：安永担任审计机构。")]
    leg = built([], lines, lean=True, question="博尔特由谁审计，贷款由谁提供？").graph
    assert ids(leg) == ["a", "d"]


def test_a_context_is_not_built_without_saying_for_which_question():
    with pytest.raises(TypeError, match="question"):
        build_context([], [])
