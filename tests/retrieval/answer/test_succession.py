"""Who comes after somebody: another person who comes into office, never the one who left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace

REPORT = """# Acme Inc.

In January 2023, Jane Miller resigned as chief executive officer of Acme Inc. for personal reasons. On the same day,
John Doe was appointed as chief executive officer of Acme Inc.

In a release Acme Inc. announced that Helmut Weber, our chairman, would step down at the end of his term, and that Jens
Adler was proposed to be elected as his successor.

Mary Major was appointed chief financial officer of Acme Inc. in 2020. Paul Minor left Acme Inc. in 2021.
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(REPORT, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        yield made


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who succeeded Jane Miller as chief executive of Acme?", "John"),
        ("Who replaced Jane Miller at Acme?", "John"),
        ("Who is to follow Helmut Weber as chairman of Acme?", "Jens"),
        ("Who ran Acme before John Doe?", "Jane Miller resigned"),
    ],
)
def test_the_other_person_is_quoted(workspace: Workspace, question: str, name: str) -> None:
    assert name in workspace.ask(question).text


def test_without_a_successor_nothing_is_quoted(workspace: Workspace) -> None:
    assert workspace.ask("Who succeeded Paul Minor at Acme?").trace["not found"]


OFFICERS = """# Bolt Inc.

Executive officers of Bolt Inc.

Jane Roe has served in many offices. Ms. Roe served as Chief Financial Officer of Bolt Inc. from May 2012 to March 2015
and as Treasurer since April 2015.

John Poe has served in many offices. Mr. Poe served as Chief Financial Officer of Bolt Global Services from May 2016 to
March 2018 and as Chief Financial Officer of Bolt Inc. since April 2018.

Sue Law has served in many offices. Ms. Law served as Chief Financial Officer of Bolt Global Services from June 2017 to
March 2018 and as Secretary since April 2018.
"""


def test_the_office_of_a_unit_is_none_of_the_firm() -> None:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(OFFICERS, "bolt.md", company="Bolt Inc.", period="FY2022", kind="10-K")
        assert "Jane Roe" in made.ask("Who was CFO of Bolt before John Poe?").text.split("\n")[0]
        assert "John Poe" in made.ask("Who is the CFO of Bolt?").text.split("\n")[0]
