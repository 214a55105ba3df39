"""Contents pages, disclaimers, contacts and covers stay in the document and out of the way."""

from __future__ import annotations

import pytest
from cliquerag.ingest.pieces.value import left_out_below, sentence_value
from cliquerag.workspace import Workspace

DISCLAIMER = (
    "This release contains forward-looking statements about demand for robots in Europe. "
    "We disclaim any obligation to update forward-looking statements about demand for robots in Europe."
)
CONTACT = "Investor relations contact: Ann Lee, tel: +46 8 555 010, ir@halvern.example, www.halvern.example"
BODY = "Demand for robots in Europe fell by 12 percent in 2025, since car makers put off new lines."


@pytest.fixture
def workspace():
    pages = [
        f"Halvern Inc. reports its results\n\n{BODY}\n\nMore was said of it on the day.",
        f"Forward-Looking Statements\n\n{DISCLAIMER}\n\nInvestor Contact\n\n{CONTACT}",
    ]
    with Workspace("sqlite://", embedder="none") as opened:
        opened.add_text(pages, "release.txt")
        yield opened


def texts(found):
    return [item.text for item in found]


def test_a_disclaimer_does_not_stand_in_the_way(workspace):
    found = workspace.search("How did demand for robots in Europe develop?", k=20)
    assert BODY in found[0].text
    assert not any("obligation to update" in text for text in texts(found))
    everything = workspace.search("How did demand for robots in Europe develop?", k=20, all_text=True)
    assert any("obligation to update" in text for text in texts(everything))


@pytest.mark.parametrize("question", ["Which forward-looking statements are there?", "Whom do investors contact?"])
def test_who_asks_for_it_finds_it(workspace, question):
    wanted = DISCLAIMER if "forward" in question else "Ann Lee"
    assert any(wanted[-12:] in text or wanted in text for text in texts(workspace.search(question)))


def test_all_text_is_a_setting_too(workspace, tmp_path):
    asked = "How did demand for robots in Europe develop?"
    with Workspace("sqlite://", embedder="none", extras="all_text") as other:
        other.add_text([workspace.store.text("release.txt")], "release.txt")
        assert any("obligation to update" in text for text in texts(other.search(asked, k=20)))


def test_a_document_of_nothing_else_is_searched_whole():
    with Workspace("sqlite://", embedder="none") as opened:
        opened.add_text(CONTACT, "card.txt")
        assert opened.search("Who is Ann Lee?")


def test_contacts_are_worth_less_than_boilerplate():
    assert sentence_value(CONTACT).value <= left_out_below() < sentence_value("Item 4. Not applicable.").value
