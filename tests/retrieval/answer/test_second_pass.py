"""What stands behind the first hits is found: the reason for one figure among many, what a period brought."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cliquerag import Workspace

FILLER = "\n\n".join(f"Operating income of unit {n} is shown in the fall of each year of the plan." for n in range(40))
REPORT = f"""# Acme Inc. results

{FILLER}

Lease expense was higher, due to new stores; operating income was $1.4 billion compared to $2.3 billion.

Revenue grew 9 percent to $3.4 billion, a record.

We thank all who made the highlights of this great year 2022 possible, a year of highlights.
"""


@pytest.fixture(scope="module")
def workspace() -> Iterator[Workspace]:
    with Workspace("sqlite://", embedder="none", workers=1) as made:
        made.add_text(REPORT, "acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        yield made


def test_the_sentence_that_explains_the_figure_is_found(workspace: Workspace) -> None:
    assert "due to new stores" in workspace.ask("Why did Acme's operating income fall in 2022?").text


@pytest.mark.parametrize("question", ["What were Acme's highlights in 2022?", "How did Acme perform in 2022?"])
def test_highlights_are_figures_that_moved(workspace: Workspace, question: str) -> None:
    text = workspace.ask(question).text
    assert "Revenue grew 9 percent" in text and "thank" not in text


def test_where_nothing_explains_it_what_is_near_is_quoted_as_before(workspace: Workspace) -> None:
    assert "due to" not in workspace.ask("Why did Acme's tax rate rise in 2022?").text
