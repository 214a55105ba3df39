"""What the risks of one company are: told by their classes, each with the sentence that states it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag import Workspace

REPORT = """Acme Inc.

Annual report for fiscal 2022

Item 1A. Risk Factors

We depend on a limited number of suppliers, and an interruption of supply could harm our business.

If a supplier fails, our production could stop and our business would be adversely affected.

Fluctuations in foreign currency exchange rates could adversely affect our results of operations.

A cyber attack on our systems could disrupt our operations and harm our reputation.

Item 7. Management's Discussion

Net sales rose in fiscal 2022. We hedge part of our foreign currency risk with forward contracts.
"""


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder: Path = tmp_path_factory.mktemp("risks")
    with Workspace(f"sqlite:///{folder / 'a.db'}", embedder="none") as workspace:
        workspace.add_text(REPORT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        yield workspace


@pytest.mark.parametrize(
    "question",
    [
        "What are Acme's main risks?",
        "Which key risks does Acme Inc. describe in its 10-K?",
        "List the risk factors of Acme for fiscal 2022.",
    ],
)
def test_the_risks_of_a_company_are_told_by_their_classes(acme: Workspace, question: str) -> None:
    lines = acme.ask(question).text.splitlines()
    assert any(line.startswith("- Currency exchange rates: Fluctuations in foreign currency") for line in lines)
    assert any("cyber attack" in line.lower() for line in lines)


def test_a_sentence_is_told_once_for_a_risk(acme: Workspace) -> None:
    lines = acme.ask("What are Acme's main risks?").text.splitlines()
    assert len(lines) == len({line.split(": ", 1)[1] for line in lines})


def test_a_question_for_one_risk_is_none_for_all(acme: Workspace) -> None:
    assert not acme.ask("How does Acme hedge its foreign currency risk?").text.startswith("- ")


def test_words_and_vectors_alone_read_no_graph(acme: Workspace) -> None:
    assert not acme.ask("What are Acme's main risks?", mode="vector").text.startswith("- ")


def test_a_report_without_classes_of_risk_begins_to_tell_them(tmp_path: Path) -> None:
    told = "We depend on one quarry. Its owner may close it in any year, and then we would have nothing to cut."
    with Workspace(f"sqlite:///{tmp_path / 'b.db'}", embedder="none") as workspace:
        text = f"Bolt Inc.\n\nAnnual report\n\nItem 1A. Risk Factors\n\n{told}\n\nItem 2. Properties\n\nWe own a yard."
        workspace.add_text(text, source="bolt.md", company="Bolt Inc.", period="FY2022", kind="10-K")
        assert "one quarry" in workspace.ask("What are Bolt's main risks?").text


def test_chinese_risk_factors_are_shown_by_their_title(tmp_path: Path) -> None:
    told = "如果苏州工厂因停电停产，公司将无法按期交付。"
    with Workspace(f"sqlite:///{tmp_path / 'c.db'}", embedder="none") as workspace:
        parts = (
            "# 第二节 公司业务",
            "公司生产伺服驱动器。",
            "# 第三节 风险因素",
            told,
            "# 第四节 治理",
            "公司设董事会。",
        )
        text = "\n\n".join(("海文股份有限公司", *parts))
        workspace.add_text(text, source="h.md", company="海文股份有限公司", period="FY2025", kind="annual report")
        assert "苏州工厂" in workspace.ask("海文股份有限公司面临哪些风险？").text
