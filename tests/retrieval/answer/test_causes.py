"""Questions for causes, answered from the drivers of the documents."""

from __future__ import annotations

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.answer.extractive.quotations import is_as_telling
from cliquerag.retrieval.answer.extractive.sentence_scoring import Quote
from cliquerag.retrieval.search.evidence import Evidence
from support.shelf import Shelf

from benchmarks.asking import plan_of

REPORT = """Acme Inc. annual report for fiscal 2022

Net sales rose 8% to $4.1 billion in fiscal 2022, primarily due to higher volume, partially offset by currency.

Net sales fell 3% in fiscal 2021, driven by store closures.

Cloud operating income increased $40 million in fiscal 2022 as a result of lower hosting costs.

The decrease in net income in fiscal 2022 was attributable to a litigation settlement of $90 million.

Results by division

Europe
Operating income decreased 7% in fiscal 2022, primarily due to a strike at the mill that makes the rails.

EFNA
Operating income grew 9% in fiscal 2022, primarily reflecting lower freight rates on the routes that it uses.

Elm Foods North America is one of two divisions.

The board met nine times. Acme has 3,000 employees in Norway and pays them well.
"""
CHINESE = """四方科技股份有限公司2019年年度报告

报告期内，公司财务费用同比增长35%，主要系本期利息支出增加及汇兑收益减少所致。公司董事会召开九次会议。

| 项目 | 本期金额 | 上期金额 | 变动比例 | 变动原因 |
| --- | --- | --- | --- | --- |
| 经营活动产生的现金流量净额 | 369,100,908.49 | 22,934,667.53 | 1509.36 | 主要系本期购买商品支付的现金减少所致 |
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("CLIQUERAG_CACHE", str(tmp_path_factory.mktemp("cache")))
    with Workspace("sqlite://", embedder="none") as ws:
        ws.add_text(REPORT, source="acme_2022.md", company="Acme Inc.", period="FY2022", kind="10-K")
        ws.add_text(CHINESE, source="sf_2019.md", company="四方科技", period="2019")
        yield ws
    patch.undo()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Why did Acme's net sales rise in FY2022?", "higher volume"),
        ("What drove Acme's net sales in fiscal 2021?", "store closures"),
        ("What were the reasons for the decline in Acme's net income in FY2022?", "litigation settlement"),
        ("What factors contributed to the increase in Acme's Cloud operating income?", "lower hosting costs"),
        ("What dragged Acme's European operating income down in FY2022?", "a strike at the mill"),
        ("What lifted Acme's net sales in FY2022?", "higher volume"),
        ("Why did operating income of Acme's Elm Foods North America grow in FY2022?", "lower freight rates"),
        ("四方科技2019年经营现金流为什么大增?", "购买商品支付的现金减少"),
        ("四方科技2019年财务费用增长的主要原因是什么?", "利息支出增加"),
        ("是什么导致四方科技财务费用上升?", "汇兑收益减少"),
    ],
)
def test_the_sentence_that_says_why_is_cited(workspace, question, expected):
    answer = workspace.ask(question)
    assert expected in answer.text
    cited = [citation for citation in answer.citations if expected in citation.text]
    assert cited and cited[0].checked and all(0 < citation.number <= len(answer.citations) for citation in cited)


def test_the_other_direction_and_the_other_year_are_no_answer(workspace):
    assert "store closures" not in workspace.ask("Why did Acme's net sales rise in FY2022?").text
    assert "higher volume" not in workspace.ask("Why did Acme's net sales fall in fiscal 2021?").text


def test_the_passage_that_says_why_stands_first_in_hybrid(workspace):
    found = workspace.search("What dragged Acme's European operating income down in FY2022?", mode="hybrid")
    assert "a strike at the mill" in found[0].text


def test_what_no_driver_says_is_answered_as_before(workspace):
    from cliquerag.retrieval.search.pipeline import plan_question
    from cliquerag.retrieval.search.retrievers.causes import fitting_drivers

    for question in (
        "Why did Acme's goodwill rise in FY2022?",
        "How many employees does Acme have?",
        "Why did the revenue of Acme's network and edge business rise in FY2022?",
    ):
        assert fitting_drivers(plan_question(workspace.store, question, workspace.vocabulary, None)) == []


def test_a_model_is_given_what_the_passages_lack():
    from cliquerag.retrieval.answer.context import cause_evidence
    from cliquerag.retrieval.search.evidence import Evidence
    from support.bundles import bundle, driver

    chunk = bundle("a.txt", "Revenue rose by volume").chunks[0]
    found = [driver(chunk)]
    same = Evidence("chunk", chunk.text, 1.0, "a.txt", start=chunk.start, end=chunk.end)
    assert cause_evidence(found, [same]) == []
    (given,) = cause_evidence(found, [])
    assert (given.text, given.source, given.start) == (chunk.text, "a.txt", chunk.start)


HURT = """Bolt Corp. annual report for fiscal 2022

Revenue declined 4% in fiscal 2022, primarily due to unfavorable foreign exchange rates.

Interest expense increased $12 million in fiscal 2022 due to higher interest rates.
"""
HELPED = """Crux Ltd. annual report for fiscal 2022

Revenue increased 6% in fiscal 2022, driven by favorable currency movements.

Other income (expense) increased $3 million in fiscal 2022 due to higher interest rates.
"""


@pytest.fixture(scope="module")
def three():
    with Workspace("sqlite://", embedder="none", feedback="off") as ws:
        for text, source, company in (
            (REPORT, "acme_2022.md", "Acme Inc."),
            (HURT, "bolt_2022.md", "Bolt Corp."),
            (HELPED, "crux_2022.md", "Crux Ltd."),
        ):
            ws.add_text(text, source=source, company=company, period="FY2022", kind="10-K")
        yield ws


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("Whom did currency hurt in 2022?", {"Acme Inc.", "Bolt Corp."}),
        ("Which companies benefited from foreign exchange in 2022?", {"Crux Ltd."}),
        ("Who was hurt by higher interest rates?", {"Bolt Corp."}),
        ("Whose revenue was hit by currency?", {"Acme Inc.", "Bolt Corp."}),
        ("Which companies were affected by interest rates in 2022?", {"Bolt Corp.", "Crux Ltd."}),
        ("Whose interest expense was hit by interest rates?", {"Bolt Corp."}),
    ],
)
def test_whom_a_cause_hurt_or_helped(three, question, companies):
    answer = three.ask(question)
    assert {line.partition(":")[0] for line in answer.text.splitlines()} >= companies
    others = {"Acme Inc.", "Bolt Corp.", "Crux Ltd."} - companies
    assert not any(company in answer.text for company in others)
    assert all(f"[{citation.number}]" in answer.text for citation in answer.citations)


def test_who_is_asked_for_without_a_cause_is_another_question(three):
    assert "Acme Inc.:" not in three.ask("Who works for Acme and was hurt?").text


def test_causes_that_leave_out_what_else_is_asked_are_no_answer() -> None:
    store = Shelf(
        acme="Acme net sales rose due to higher volume.\n\n"
        "Acme has no net sales in supermarkets because it owns no trademarks there."
    )
    cause, other = (
        Evidence("chunk", chunk.text, 1.0, "acme", chunk.id, start=chunk.start, end=chunk.end)
        for chunk in store.kept.values()
    )
    told = [Quote(cause, cause.text, cause.start, cause.end)]
    assert is_as_telling(plan_of(store, "Why did Acme's net sales rise?"), None, told, [other])
    assert not is_as_telling(plan_of(store, "Why has Acme no net sales in supermarkets?"), None, told, [other])
