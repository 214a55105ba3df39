"""A figure of a company is never given as that of a subsidiary, a customer or a rival that its documents name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace

REPORT = """# Craneford Holdings, Inc.

Craneford Holdings, Inc. makes valves. Bolt Fluidics, Ltd. makes pumps and is a wholly owned subsidiary of the Company.
Our largest customer is Teller Marine plc. Craneford Holdings, Inc. competes with Vanderpoel Hydraulics NV.

Total revenue rose 9% to $812.4 million in fiscal 2024 from $745.0 million, as Bolt Fluidics delivered more pumps.
Net income was $61.2 million in fiscal 2024. With the help of Sable Seals, net income may grow to $70 million.
In May 2024, Craneford Holdings, Inc. agreed to acquire Corvana Inc. for $20 million in cash.
Sable Seals LLC had revenue of $31.5 million in fiscal 2024.

| (in millions) | 2024 | 2023 |
| --- | --- | --- |
| Total revenue | 812.4 | 745.0 |
| Operating income | 96.3 | 84.1 |

Exhibit 21
Subsidiaries of the Registrant

| Name | Jurisdiction |
| --- | --- |
| Bolt Fluidics, Ltd. | England |
| Sable Seals LLC | Delaware |
"""
ZH = """云岭重工股份有限公司2024年年度报告

报告期内，云岭重工股份有限公司实现营业收入 52.30 亿元，净利润 4.15 亿元。
昆明云岭阀门有限公司为公司全资子公司，主要从事阀门制造。公司第一大客户为海川船舶集团有限公司。
重庆云泰液压有限公司为公司控股子公司，2024 年实现营业收入 3.62 亿元。
"""
OF_PARENT = ("812.4", "745.0", "96.3", "61.2", "70 million", "52.30", "4.15")


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(REPORT, "crane.md", company="Craneford Holdings, Inc.", period="FY2024", kind="10-K")
        made.add_text(ZH, "yun.txt", company="云岭重工股份有限公司", period="FY2024")
        yield made


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was Bolt Fluidics' operating income in 2024?", "No document here states this figure of Bolt Fluidics"),
        ("Net income of Bolt Fluidics, Ltd.", "No document here states this figure of Bolt Fluidics"),
        ("What was Craneford's subsidiary Bolt Fluidics' net income?", "No document here states this figure of Bolt"),
        ("What was Teller Marine's revenue in 2024?", "No document here is of Teller Marine plc"),
        ("Vanderpoel Hydraulics operating income 2024", "No document here is of Vanderpoel Hydraulics NV"),
        (
            "What was Corvana's revenue when Craneford agreed to buy it?",
            "No document here states this figure of Corvana",
        ),
        ("昆明云岭阀门的净利润", "这里没有"),
        ("海川船舶集团2024年营业收入是多少？", "这里没有海川船舶集团有限公司的文档"),
    ],
)
def test_a_figure_that_nobody_states_of_it_is_refused(workspace: Workspace, question: str, said: str) -> None:
    answer = workspace.ask(question)
    assert answer.text.startswith(said)
    assert answer.trace["not found"] and not answer.citations


@pytest.mark.parametrize(
    "question",
    [
        "What was Bolt Fluidics' revenue in 2024?",
        "What was revenue at the Bolt Fluidics subsidiary?",
        "What was the revenue of Craneford's subsidiary Bolt Fluidics in 2024?",
    ],
)
def test_a_figure_of_the_parent_beside_its_name_is_said_to_be_of_others(workspace: Workspace, question: str) -> None:
    text = workspace.ask(question).text
    assert text.startswith("Found nowhere as a figure of Bolt Fluidics, Ltd.")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was the revenue of Sable Seals in 2024?", "31.5 million"),
        ("重庆云泰液压2024年的营业收入是多少？", "3.62 亿元"),
    ],
)
def test_its_own_figure_is_told_alone(workspace: Workspace, question: str, told: str) -> None:
    text = workspace.ask(question).text
    assert told in text and "Found nowhere" not in text
    assert not [figure for figure in OF_PARENT if figure in text]


@pytest.mark.parametrize("question", ["What was Sable Seals' net income in 2024?"])
def test_a_name_that_is_a_circumstance_owns_nothing(workspace: Workspace, question: str) -> None:
    assert workspace.ask(question).text.startswith("Found nowhere as a figure of Sable Seals")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was Craneford's revenue in 2024?", "812.4"),
        ("What was the operating income in 2024?", "96.3"),
        ("云岭重工2024年的净利润是多少？", "4.15"),
        ("Who is the largest customer of Craneford?", "Teller Marine plc"),
    ],
)
def test_other_questions_are_answered_as_before(workspace: Workspace, question: str, told: str) -> None:
    assert told in workspace.ask(question).text
