"""A Chinese company by its name in Latin letters, and one that files in English by its Chinese name."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.question.scope import companies

CHINESE = {
    "清源精密股份有限公司": "231,480.5",
    "泓远锂业股份有限公司": "764,220.0",
    "弘源建材股份有限公司": "215,640.0",
    "晨鸣纸业股份有限公司": "98,700.0",
    "江苏常荣电器股份有限公司": "55,300.0",
}
ENGLISH = """Halvern Inc. annual report 2024. Revenue was $1,284.6 million in fiscal 2024.
Qingyuan Precision Co., Ltd. supplies servo drives to Halvern Inc. A stop of the plant of Qingyuan Precision in
Suzhou would stop our deliveries within seven weeks. Chen Ming is a director. We sell in Jiangsu.
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        for company, revenue in CHINESE.items():
            text = (
                f"{company}2024年年度报告\n\n单位：万元\n\n| 项目 | 2024年 |\n| --- | --- |\n| 营业收入 | {revenue} |\n"
            )
            made.add_text(text, f"{company}.md", company=company, period="FY2024", kind="annual report")
        made.add_text(ENGLISH, "halvern.txt", company="Halvern Inc.", period="FY2024", kind="10-K")
        made.add_text(
            "Yunhe Semiconductor Holdings Limited. Revenue was $1,246.8 million in 2024.",
            "yunhe.txt",
            company="Yunhe Semiconductor Holdings Limited",
            period="FY2024",
            kind="annual report",
        )
        yield made


@pytest.mark.parametrize(
    ("question", "figures"),
    [
        ("What was Qingyuan's revenue in 2024?", ["231,480.5"]),
        ("qingyuan revenue 2024", ["231,480.5"]),
        ("Qingyuan Precision revenue 2024", ["231,480.5"]),
        ("What was Hongyuan Lithium's revenue in 2024?", ["764,220"]),
        ("What was Hongyuan Building Materials' revenue in 2024?", ["215,640"]),
        ("What was Hongyuan's revenue in 2024?", ["764,220", "215,640"]),
        ("云河半导体2024年的营业收入是多少？", ["1,246.8"]),
    ],
)
def test_a_figure_is_found_in_the_other_script(workspace: Workspace, question: str, figures: list[str]) -> None:
    answer = workspace.ask(question)
    assert [figure for figure in figures if figure not in answer.text] == []
    assert sum(revenue.removesuffix(".0") in answer.text for revenue in CHINESE.values()) <= len(figures)


def test_the_answer_says_what_a_name_was_taken_for(workspace: Workspace) -> None:
    answer = workspace.ask("What was Hongyuan's revenue in 2024?")
    assert "“Hongyuan” was taken for 弘源建材" in answer.text and "“Hongyuan” was taken for 泓远锂业" in answer.text


def test_what_others_say_of_it_in_the_language_of_the_question_is_searched_too(workspace: Workspace) -> None:
    answer = workspace.ask("What would a stop of Qingyuan's plant in Suzhou do?")
    assert "within seven weeks" in answer.text


@pytest.mark.parametrize(
    "text",
    [
        "What was Qingyuan Chemicals' revenue in 2024?",  # another company of that name
        "Who is Chen Ming?",
        "How much is sold in Jiangsu?",
        "运河云和的水位是多少？",
    ],
)
def test_what_only_sounds_so_names_none(workspace: Workspace, text: str) -> None:
    assert "taken for" not in workspace.ask(text).text and "理解" not in workspace.ask(text).text


def test_words_of_business_are_looked_at_behind_a_chinese_name_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(companies, "begins_with_business_word", lambda word: asked.append(word) or True)
    with Workspace("sqlite://", embedder="none", workers=1) as workspace:
        workspace.add_text("清源精密2024年营业收入为5亿元。", "q.txt", company="清源精密股份有限公司", period="FY2024")
        workspace.search("How does Bolt Precision supply Halvern Chemicals?")
        assert asked == []
        workspace.search("What was the revenue of Qingyuan Chemicals?")
        assert set(asked) == {"chemicals"}


def test_pinyin_is_loaded_where_a_name_may_be_pinyin_alone(tmp_path: Path) -> None:
    with Workspace(f"sqlite:///{tmp_path}/x.db", embedder="none") as made:
        made.add_text("清源精密2024年营业收入为5亿元。", "q.txt", company="清源精密股份有限公司", period="FY2024")
        made.add_text("Revenue of Bolt Inc. was $1 million.", "b.txt", company="Bolt Inc.", period="FY2024")
    code = (
        "import sys\nfrom cliquerag import Workspace\n"
        f"with Workspace('sqlite:///{tmp_path}/x.db', embedder='none') as workspace:\n"
        "    for question in ('What was the revenue of Bolt in 2024?', '清源精密2024年营业收入是多少？'):\n"
        "        workspace.ask(question)\n"
        "    print('pypinyin' in sys.modules)\n"
        "    workspace.ask('Qingyuan revenue')\n"
        "    print('pypinyin' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
