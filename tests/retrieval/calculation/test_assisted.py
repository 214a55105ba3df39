"""A model's help over HTTP: it names figures or writes SQL; never trusted, and its failures never stop an answer."""

import json

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.models.cache import Cache
from cliquerag.models.chat import ChatModel
from cliquerag.models.endpoint import Endpoint
from cliquerag.retrieval.calculation.assisted import facts_behind
from cliquerag.retrieval.calculation.sql_guard import select_facts
from support.number_store import fact, number_store
from support.openai_server import OpenAIServer, fail, say

from benchmarks.asking import answer_question, find_numbers

REVENUE = {"Alpha Inc.": "50", "Beta Inc.": "70", "Gamma Inc.": "20"}
VAGUE = "How much of each dollar of sales did Beta keep after running costs in 2022?"
MANY = "Which of these firms sold the most per head of staff in FY2022?"
RANKED = (
    "SELECT company, MAX(amount) AS revenue FROM facts_view WHERE metric = 'revenue' GROUP BY company ORDER BY 2 DESC"
)


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def model(server, tmp_path):
    return ChatModel(Endpoint("test-model", server.url, retries=0), Cache(tmp_path / "cache.db"))


@pytest.fixture(scope="module")
def store():
    store = number_store(
        **{
            name.split()[0].lower(): (name, "FY2022", [
                fact("revenue", "FY2022", amount, company=name),
                fact("operating income", "FY2022", "7", company=name),
            ])
            for name, amount in REVENUE.items()
        }
    )  # fmt: skip
    yield store
    store.close()


def reading(route="calculation", figures=(), **more):
    return say(json.dumps({"route": route, "figures": list(figures), "operation": "value", "companies": [],
                           "periods": ["FY2022"], **more}))  # fmt: skip


def sql(statement):
    return say(json.dumps({"sql": statement}))


def test_the_model_names_the_figure_and_the_program_calculates(server, model, store):
    server.script = [reading(figures=["operating margin"], companies=["Beta"])]
    outcome = find_numbers(store, VAGUE, model=model)
    assert outcome.answer.text.splitlines()[0] == "Operating margin, 2022: 10 % [1][2]"
    assert outcome.trace["by"] == "model"
    roles = [message["role"] for message in server.calls[0].body["messages"]]
    assert roles[:3] == ["system", "user", "assistant"] and roles[-1] == "user"


def test_no_model_is_asked_where_the_rules_answer_or_are_sure(server, model, store):
    server.script = [fail(500)]
    assert find_numbers(store, "What was Beta's revenue in FY2022?", model=model).answer.value == 70
    assert find_numbers(store, "Who leads Beta?", model=model).answer is None
    assert server.calls == []


@pytest.mark.parametrize(
    "question",
    [
        "What does Beta pay for a tonne of coal?", "How many lorries does Beta run?", "Why is Beta's backlog so high?",
        "Which three regions does Beta group its sales into?", "What was Beta's commission in FY2022?",
    ],
)  # fmt: skip
def test_what_a_passage_states_is_read_by_no_model(server, model, store, question):
    server.script = [fail(500)]
    assert find_numbers(store, question, model=model).answer is None
    assert server.calls == []


def test_a_select_that_the_model_writes_answers_with_its_cells(server, model, store):
    server.script = [reading("statistics", ["revenue"]), sql(RANKED)]
    outcome = find_numbers(store, MANY, model=model)
    assert outcome.answer.text.splitlines() == [
        "company Beta Inc., revenue 70,000,000 [1]",
        "company Alpha Inc., revenue 50,000,000 [2]",
        "company Gamma Inc., revenue 20,000,000 [3]",
    ]
    assert [citation.source for citation in outcome.answer.citations] == ["beta", "alpha", "gamma"]
    assert outcome.trace["sql"] == RANKED


def test_a_refused_statement_goes_back_once_with_the_reason(server, model, store):
    server.script = [reading("statistics"), sql("SELECT * FROM fact"), sql(RANKED)]
    assert "Beta" in find_numbers(store, MANY, model=model).answer.text
    assert "Refused" in server.calls[2].question and "facts_view" in server.calls[2].question


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE fact", "SELECT 1 FROM facts_view; DELETE FROM fact", "SELECT * FROM sqlite_master",
        "PRAGMA user_version",
        "ATTACH 'x.db' AS x", "SELECT load_extension('x') FROM facts_view", "UPDATE facts_view SET amount = 0",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n", "", "not sql at all",
        "SELECT writefile('x', text) FROM facts_view", "VACUUM INTO 'x.db'",
    ],
)  # fmt: skip
def test_what_the_model_writes_is_not_trusted(server, model, store, statement):
    server.script = [reading("statistics"), sql(statement)]
    before = select_facts(store, "SELECT count(*), total(amount) FROM facts_view").rows
    outcome = find_numbers(store, MANY, model=model)
    assert outcome.answer is None
    assert len(server.calls) <= 3
    assert select_facts(store, "SELECT count(*), total(amount) FROM facts_view").rows == before


@pytest.mark.parametrize("broken", [fail(500), fail(401), say("I cannot do that."), say("{}"), say('{"route": 7}')])
def test_a_failing_model_never_stops_the_answer(server, model, store, broken):
    server.script = [broken]
    outcome = find_numbers(store, VAGUE, model=model)
    assert outcome.answer is None and outcome.trace["declined"]


def test_sql_stays_within_the_scope_given(server, model, store):
    server.script = [reading("statistics"), sql(RANKED)]
    outcome = find_numbers(store, MANY, model=model, scope=Scope(companies=("Gamma Inc.",)))
    assert [c.source for c in outcome.answer.citations] == ["gamma"]
    assert "Beta" not in outcome.answer.text


def test_ask_gives_the_rows_to_the_model_that_writes(server, model, store):
    server.script = [reading("statistics"), sql(RANKED), say("NOT_FOUND")]
    answer = answer_question(store, None, model, MANY, search=lambda *_, **__: [])
    assert "revenue 70,000,000" in server.calls[-1].question
    assert answer.text.startswith("Not in these documents"), "the model has read the rows: its refusal stands"
    assert "not confirmed as the answer: company Beta Inc., revenue 70,000,000 [1]" in answer.text
    assert answer.trace["numbers"]["sql"] == RANKED


@pytest.mark.parametrize(
    ("statement", "count"),
    [
        (RANKED, 3),
        ("SELECT count(*) FROM facts_view WHERE metric = 'revenue' AND amount > 40000000", 2),
        ("SELECT company FROM facts_view WHERE company IN (SELECT company FROM facts_view WHERE amount > 60000000)", 2),
        ("SELECT a.amount FROM facts_view a JOIN facts_view b ON a.company = b.company", 0),
    ],
)
def test_the_facts_behind_a_statement(store, statement, count):
    assert len(facts_behind(store, statement)) == count


def test_the_guard_is_the_one_of_users(store):
    with pytest.raises(UsageError):
        select_facts(store, "SELECT * FROM document")
