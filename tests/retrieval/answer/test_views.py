"""A broad question is told apart by a model in one call; what is of no use falls back to the rules."""

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.models.language import Reply, Usage
from cliquerag.retrieval.answer.generative.multi_query import views_of
from cliquerag.retrieval.question.sub_questions import may_have_parts
from cliquerag.retrieval.search.evidence import Trace
from cliquerag.retrieval.search.pipeline import plan_question
from cliquerag.workspace import Workspace


class Splitter:
    name = "splitter"

    def __init__(self, questions):
        self.questions, self.asked = questions, 0

    def reply(self, messages, *, schema=None):
        if schema is None or "questions" not in schema.get("properties", {}):
            return Reply("Bolt Foundry supplies castings to Acme [1].", Usage(10, 5, 1))
        self.asked += 1
        if self.questions is None:
            raise ModelError("the endpoint is gone", where="splitter")
        return Reply("", Usage(30, 20, 1), {"questions": self.questions})

    def replies(self, requests, *, schema=None, failed=None):
        for index, messages in enumerate(requests):
            yield index, self.reply(messages, schema=schema)

    def stream(self, messages):
        yield self.reply(messages).text


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("views")
    with Workspace(f"sqlite:///{folder / 'w.db'}", embedder="none") as made:
        made.add_text(
            "Bolt Foundry supplies castings to Acme. Zeta sued Acme.", "acme.md", "Acme Corporation", "FY2023"
        )
        made.add_text("Bolt Foundry casts iron.", "bolt.md", "Bolt Foundry", "FY2023")
        yield made


def plan(workspace, text):
    return plan_question(workspace.store, text, workspace.vocabulary)


@pytest.mark.parametrize(
    ("question", "may"),
    [
        ("Give me an overview of Acme in 2023", True),
        ("How did Acme do in 2023?", True),
        ("Acme's customers and how it depends on its suppliers", True),
        ("Who supplies Acme and what are its risks?", False),
        ("介绍一下Acme的经营情况", True),
        ("What was the revenue of Acme in 2023?", False),
        ("Why did the revenue and net income of Acme fall?", False),
        ("Who supplies Acme?", False),
        ("Compare the suppliers and customers of Acme and Bolt Foundry", False),
    ],
)
def test_few_questions_are_worth_a_call(workspace, question, may):
    assert may_have_parts(plan(workspace, question)) is may


BROAD = "Give me an overview of Acme in 2023"


def test_views_of_a_broad_question_each_name_the_company(workspace):
    views = views_of(Splitter(["Who supplies Acme?", "Who sued it in 2023?"]), plan(workspace, BROAD), Trace())
    assert views == ("Who supplies Acme?", "Who sued Acme in 2023?")


@pytest.mark.parametrize(
    "given",
    [
        None,
        [],
        "Who supplies Acme?",
        ["Who supplies Acme?", 7],
        ["Who supplies Acme?", "Who runs Bolt Foundry?"],
        ["Who supplies Acme?", "What did Acme earn in 2019?"],
        ["Who supplies Acme?", "x" * 400],
        [f"What is number {number} of Acme?" for number in "abcdef"],
    ],
)
def test_what_was_not_asked_falls_back_to_the_rules(workspace, given):
    assert views_of(Splitter(given), plan(workspace, BROAD), Trace()) == (BROAD,)


def test_a_model_may_say_that_it_is_one_question(workspace):
    assert views_of(Splitter([BROAD]), plan(workspace, BROAD), Trace()) == (BROAD,)


def test_a_question_that_is_one_costs_no_call(workspace):
    splitter = Splitter(["Who supplies Acme?", "Who sued Acme?"])
    views_of(splitter, plan(workspace, "Who supplies Acme?"), Trace())
    assert splitter.asked == 0


def test_an_answer_has_a_paragraph_a_view_and_counts_the_call(workspace):
    splitter = Splitter(["Who supplies Acme?", "Who sued Acme?"])
    workspace.components.__dict__["language_model"] = splitter
    try:
        answer = workspace.ask(BROAD)
    finally:
        workspace.components.__dict__["language_model"] = None
    assert splitter.asked == 1
    assert [part["question"] for part in answer.trace["parts"]] == ["Who supplies Acme?", "Who sued Acme?"]
    assert answer.trace["views"] == ["Who supplies Acme?", "Who sued Acme?"]
    parts = sum(part["trace"]["usage"]["calls"] for part in answer.trace["parts"])
    assert answer.trace["usage"]["calls"] == parts + 1
