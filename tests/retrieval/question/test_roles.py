"""Who holds an office: which sentences say so, and that an answer finds them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace
from cliquerag.retrieval.question.wording.answer_type import role_asked

CEO = role_asked("Who is the chief executive officer of Acme?")


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Mr. Roe currently serves as our Chairman of the Board and Chief Executive Officer.", True),
        ("Name Age Positions Jane Roe 59 Chairman and Chief Executive Officer", True),
        ("“We grew 8 percent (previously 6),” said Chairman and CEO Jane Q. Roe.", True),
        ("Jane Roe, 55, is President and Chief Executive Officer, a position held since 2019.", True),
        ("Prior to joining Acme, Mr. Doe served as Bolt's Chief Executive Officer.", False),
        ("Mr. Doe's positions include Chief Executive Officer of Acme from 2001.", False),
        ("John Doe, Executive Vice President and Chief Executive Officer, Acme Robots since 2019.", False),
        ("Our Chief Executive Officer, the chief operating decision maker, reviews revenue.", False),
        ("The Code of Conduct for Senior Officers is certified by our chief executive officer.", False),
        ("Ms. Chen currently serves as Chief People Officer.", False),
        ("We rely on our managers, including our Chief Executive Officer and co-founder Jane Roe.", True),
        ("The report is signed by our Chief Executive Officer, Jane Roe.", True),
        ("It is signed by our Chief Executive Officer and Chief Financial Officer.", False),
    ],
)
def test_the_present_holder_in_the_firm_asked_about(text: str, held: bool) -> None:
    assert CEO is not None and CEO.is_held(text) is held


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("| 黄杰 | 董事长、总经理 | 男 |", True),
        ("王明曾任公司董事长。", False),
        ("公司董事长为黄杰。", True),
        ("黄杰先生，现任公司董事长、总经理。", True),
        ("现任南京管理顾问有限公司董事长兼首席顾问。", False),
        ("| 任职人员姓名 | 其他单位名称 | 职务 | | 黄杰 | 罐储 | 董事长 |", False),
    ],
)
def test_chinese_offices(text: str, held: bool) -> None:
    chair = role_asked("公司的董事长是谁？")
    assert chair is not None and chair.is_held(text) is held


def test_a_deputy_is_not_the_holder() -> None:
    manager = role_asked("公司的总经理是谁？")
    assert manager is not None and manager.is_held("| 黄杰 | 董事长、总经理 |")
    assert not manager.is_held("| 傅晶 | 副总经理 |")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who leads it?", True),
        ("Who is Acme's CFO?", True),
        ("谁是公司的总经理？", True),
        ("Who will succeed Jane Roe as CEO?", False),
        ("Who was CEO before?", False),
        ("Who supplies Acme?", False),
        ("What does the CEO expect?", False),
        ("Who is head of Acme?", True),
        ("Who is the head of Acme's cloud business?", False),
    ],
)
def test_only_the_present_holder_of_an_office_is_asked_so(question: str, asked: bool) -> None:
    assert (role_asked(question) is not None) is asked


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    officers = "\n\n".join(f"The chief executive officer approved plan {n} of the year." for n in range(30))
    report = f"# Acme Inc. annual report\n\n{officers}\n\nJane Roe, 55, is President and Chief Executive Officer.\n"
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(report, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        made.add_text(
            "| Name | Age | Office |\n| --- | --- | --- |\n| Kim Poe | 61 | Chief Executive Officer since 2017 |\n",
            "beta.md",
            company="Beta Corp.",
            period="FY2022",
            kind="10-K",
        )
        yield made


@pytest.mark.parametrize("question", ["Who is the CEO of Acme?", "Who leads Acme?", "Who runs Acme?"])
def test_the_one_sentence_among_many_is_found(workspace: Workspace, question: str) -> None:
    assert workspace.ask(question).text == "Jane Roe, 55, is President and Chief Executive Officer [1]."


def test_a_row_of_officers_is_written_as_words(workspace: Workspace) -> None:
    assert workspace.ask("Who leads Beta?").text == "Kim Poe, 61, Chief Executive Officer since 2017 [1]"


def test_an_office_that_nobody_holds_is_declined(workspace: Workspace) -> None:
    answer = workspace.ask("Who is Acme's chief financial officer?")
    assert answer.trace["not found"] and not answer.citations
