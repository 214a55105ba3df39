"""What is said where the documents do not answer."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Scope, Workspace
from cliquerag.retrieval.answer.extractive import quotations
from cliquerag.retrieval.answer.extractive import quotations as extractive


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        for name in ("Acme", "Beta", "光华电子"):
            text = f"{name} opened its plant in Ohio. Ms. Dale will receive a base salary of $1,300,000. 公司收入增长。"
            made.add_text(text, f"reports/{name}/10-K.txt", company=f"{name} Inc.", period="FY2022", kind="10-K")
        made.add_text(
            "Mary N. Dale, 61, was hired.", "reports/Acme/8-K.txt", company="Acme Inc.", period="FY2022", kind="8-K"
        )
        yield made


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("How many trucks does Acme own?", "(2 of 4 searched, for Acme Inc.)"),
        ("How many trucks did Beta own in FY2022?", "(1 of 4 searched, for Beta Inc., FY2022)"),
        ("How many trucks are there?", "(4 searched)"),
        ("光华电子有多少辆卡车？", "（已检索 4 份文档中的 1 份（光华电子 Inc.））"),
    ],
)
def test_it_says_what_was_searched(workspace: Workspace, question: str, searched: str) -> None:
    answer = workspace.ask(question)
    assert searched in answer.text and answer.trace["not found"] and not answer.citations


def test_the_closest_passage_is_named_by_the_shortest_path_that_tells_it(workspace: Workspace) -> None:
    assert "Closest passage: Beta/10-K.txt" in workspace.ask("How many trucks does Beta own?").text


def test_a_scope_given_is_what_was_searched(workspace: Workspace) -> None:
    text = workspace.ask("How many trucks are there?", scope=Scope(companies=("Beta",))).text
    assert "(1 of 4 searched)" in text


def test_a_person_is_also_named_by_title_and_surname(workspace: Workspace) -> None:
    assert "$1,300,000" in workspace.ask("What base salary will Mary Dale receive at Acme?").text
    assert "not found" in workspace.ask("What base salary will John Poe receive at Acme?").trace


def test_another_company_s_figure_does_not_stand_in_for_one_that_is_only_mentioned(workspace: Workspace) -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        for number in range(40):
            made.add_text(
                f"公司营业收入为{number}亿元，同比增长。",
                f"a{number}.txt",
                company="光华电子",
                period="2021",
                kind="annual report",
            )
        made.add_text("装机量前十名：宁德时代、比亚迪、国轩高科。比亚迪位列第二。", "news.txt")
        assert "亿元" not in made.ask("比亚迪2021年的营业收入是多少？").text
        assert "没有文档提到 贵州茅台" in made.ask("贵州茅台2021年的营业收入是多少？").text
        assert "第二" in made.ask("比亚迪2021年的装机量位列第几？").text


CHINESE = "公司地处中国，安全平稳运行，业务发展平安。招商引资，设立银行账户。2021年公司实现净利润五亿元。"


@pytest.fixture(scope="module")
def of_one() -> Iterator[Workspace]:
    """One Chinese and one English company, nothing of those that are asked about but parts of their names."""
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        table = "| | 2021 | 2020 |\n|---|---|---|\n| {} | 500 | 400 |\n| {} | 50 | 40 |\n"
        made.add_text(f"{CHINESE}\n\n{table.format('营业收入', '净利润')}", "a.md", company="光华电子", period="2021")
        made.add_text(table.format("Revenue", "Net income"), "b.md", company="Acme Inc.", period="FY2021")
        yield made


@pytest.mark.parametrize(
    ("question", "name", "there"),
    [
        ("中国平安2021年的净利润是多少？", "中国平安", "光华电子"),
        ("招商银行的营业收入是多少？", "招商银行", "光华电子"),
        ("招商银行的董事长是谁？", "招商银行", "光华电子"),
        ("2021年美的集团的净利润是多少？", "美的集团", "光华电子"),
        ("What was IBM's revenue in 2021?", "IBM", "Acme Inc."),
        ("What was 3M's net income in fiscal 2021?", "3M", "Acme Inc."),
        ("Who is the CEO of 3M?", "3M", "Acme Inc."),
        ("Who audits AT&T?", "AT&T", "Acme Inc."),
        ("what was globex's revenue in fiscal 2021?", "globex", "Acme Inc."),
        ("Globex net income 2021", "Globex", "Acme Inc."),
    ],
)
def test_no_company_s_figure_stands_for_another_s(of_one: Workspace, question: str, name: str, there: str) -> None:
    answer = of_one.ask(question)
    assert name in answer.text and there in answer.text and not answer.citations


def test_a_figure_is_given_where_its_own_company_or_none_is_named(of_one: Workspace) -> None:
    assert "500" in of_one.ask("光华电子2021年的营业收入是多少？").text
    assert "500" in of_one.ask("What was Acme's revenue in fiscal 2021?").text


def test_a_measure_that_stands_nowhere_is_not_answered_by_what_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    question = "What was Acme's profitability quotient in 2021?"
    monkeypatch.setattr(extractive, "_LEAST_ALONE", 0.0)
    with Workspace("sqlite://", workers=1) as made:
        made.add_text("Return on equity was 15 percent in 2021.", "b.txt", company="Acme Inc.", period="FY2021")
        assert made.ask(question).citations, "in a small store words say little"
        monkeypatch.setattr(quotations, "ALL_WORDS", 1)
        assert made.ask("What was Acme's return on equity in 2021?").citations
        assert not made.ask(question).citations


def test_one_company_in_two_writings_is_listed_once() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        for number, name in enumerate(("HALVERN ROBOTICS, INC.", "HALVERN ROBOTICS, INC.", "Halvern Robotics, Inc.")):
            made.add_text("The plant in Ohio opened.", f"{number}.txt", company=name, period="FY2022", kind="10-K")
        refused = made.ask("What does Borealis Marine say about its pension plans?").text
    assert "Halvern Robotics, Inc." in refused and "HALVERN" not in refused
