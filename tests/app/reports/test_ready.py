"""Ready reports: sections from TOML, tables whose cells point to pages, two filings held against each other."""

import re
import zipfile
from io import BytesIO
from xml.etree import ElementTree

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.core.scope import Scope
from cliquerag.reports.sections import in_language, read_ready, ready_report, ready_reports
from cliquerag.views.report_files import report_docx, report_html, report_markdown, report_text
from cliquerag.workspace import Workspace

OLDER = """# Acme Corporation Annual Report 2022

## Item 1. Business
Acme Corporation makes pumps in Ohio.

## Item 1A. Risk Factors

### Our only supplier of castings may fail to deliver them in time.
Bolt Foundry is our only supplier of castings. A strike there would stop our lines.

### Postal strikes could delay our shipments to many customers.
We ship small pumps by mail, and a strike would delay them.

## Financial statements
(in millions)

| | 2022 | 2021 |
| --- | --- | --- |
| Revenue | 3,412 | 3,038 |
| Net income | 212 | 198 |
"""
NEWER = OLDER.replace("2022", "2023").replace("2021", "2022").replace("3,412", "3,900").replace("3,038", "3,420")
NEWER = NEWER.replace("A strike there would stop our lines.", "A fire there in May stopped our lines for nine weeks.")
NEWER = NEWER.replace(
    """### Postal strikes could delay our shipments to many customers.
We ship small pumps by mail, and a strike would delay them.""",
    """### New tariffs on steel may raise what we pay for casings.
Tariffs of 25 percent were announced in March <script>alert(1)</script>.""",
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    with Workspace(f"sqlite:///{folder / 'w.db'}", embedder="none") as made:
        made.add_text(OLDER, "acme_2022.md", "Acme Corporation", "FY2022", "10-K")
        made.add_text(NEWER, "acme_2023.md", "Acme Corporation", "FY2023", "10-K")
        made.add_text("Bolt Foundry casts iron.\n", "bolt.md", "Bolt Foundry", "FY2023", "10-K")
        yield made


@pytest.fixture(scope="module")
def brief(workspace):
    return workspace.report(ready="brief", scope=Scope(companies=("Acme",)))


def cells(report, title):
    section = next(one for one in report.sections if one.title == title)
    return [[cell.text for cell in row] for grid in section.grids for row in grid.rows]


def test_figures_stand_in_a_table_by_year_and_each_cites_its_cell(brief, workspace):
    figures = next(one for one in brief.sections if one.title == "Figures").grids[0]
    assert figures.head[:3] == ("Figure", "FY2023", "FY2022")
    revenue = figures.rows[0]
    assert "3,900" in revenue[1].text
    cited = {one.number: one for one in brief.citations}[revenue[1].citations[0]]
    assert (cited.source, workspace.store.text(cited.source)[cited.start : cited.end]) == ("acme_2023.md", "3,900")


def test_what_is_not_there_is_named_and_not_guessed(brief):
    assert any("audits Acme" in question for question in brief.missing)
    assert "Litigation" not in [section.title for section in brief.sections]


def test_every_mark_of_a_report_has_its_source(brief):
    numbers = {citation.number for citation in brief.citations}
    assert numbers == set(range(1, len(numbers) + 1))
    text = report_text(brief).partition("\nSources\n")[0]
    assert {int(number) for number in re.findall(r"\[(\d+)\]", text)} == numbers


def test_two_filings_are_compared(workspace):
    report = workspace.report(ready="diff", scope=Scope(sources=("acme_2023.md", "acme_2022.md")))
    assert report.title == "What changed: acme_2022.md → acme_2023.md", "the older first, however they are named"
    changes = {row[1]: (row[0], row[2], row[3]) for row in cells(report, "Risk factors")}
    assert changes["New tariffs on steel may raise what we pay for casings."][0] == "added"
    assert changes["Postal strikes could delay our shipments to many customers."][0] == "dropped"
    change, before, after = changes["Our only supplier of castings may fail to deliver them in time."]
    assert change == "changed" and "strike" in before and "nine weeks" in after
    restated = cells(report, "Figures that both state")
    assert ["revenue", "FY2022", "3,412 (Revenue)", "3,420 (Revenue)"] in restated
    assert not any(row[0] == "net income" and row[2] == row[3] for row in restated)


def test_peers_stand_side_by_side(workspace):
    report = workspace.report(ready="peers", scope=Scope(companies=("Acme", "Bolt Foundry")))
    assert report.title == "Side by side: Acme, Bolt Foundry"


def test_documents_cannot_write_into_the_page(workspace):
    report = workspace.report(ready="diff", scope=Scope(sources=("acme_2022.md", "acme_2023.md")))
    html = report_html(report, workspace.path_of)
    assert "<script>alert" not in html and "&lt;script&gt;alert" in html
    assert "\\<script\\>" in report_markdown(report, workspace.path_of)


def test_a_word_processor_can_read_it(brief, workspace):
    with zipfile.ZipFile(BytesIO(report_docx(brief, workspace.path_of))) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for data in parts.values():
        ElementTree.fromstring(data)
    space = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
    document = ElementTree.fromstring(parts["word/document.xml"])
    notes = ElementTree.fromstring(parts["word/footnotes.xml"])
    assert document.find(f".//{space}tbl") is not None
    used = {mark.get(f"{space}id") for mark in document.iter(f"{space}footnoteReference")}
    known = {note.get(f"{space}id") for note in notes.iter(f"{space}footnote")}
    assert used and used <= known


def test_the_cells_link_to_the_pages_of_files(tmp_path, workspace):
    from cliquerag.retrieval.search.evidence import Citation
    from cliquerag.views.report_files import page_link

    pdf = tmp_path / "a b.pdf"
    pdf.write_bytes(b"%PDF-1.4")
    assert page_link(Citation(1, "x", "t", 7), lambda _: pdf) == f"{pdf.as_uri()}#page=7"
    assert page_link(Citation(1, "https://x.org/a", "t"), lambda _: pdf) == "https://x.org/a"
    assert page_link(Citation(1, "x", "t", 7), lambda _: tmp_path / "gone.pdf") == ""


OWN = """
needs = "company"
title = "Pumps of $company"
[[section]]
title = "Pumps"
ask = ["What does $company make?"]
"""


def test_a_users_own_report(tmp_path, workspace):
    (tmp_path / "pumps.toml").write_text(OWN, encoding="utf-8")
    assert "pumps" in ready_reports(str(tmp_path)) and "brief" in ready_reports(str(tmp_path))
    report = workspace.report(ready=str(tmp_path / "pumps.toml"), scope=Scope(companies=("Acme",)))
    assert report.title == "Pumps of Acme"
    assert "makes pumps in Ohio" in report.sections[0].paragraphs[0].text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = 'x'", "no [[section]]"),
        ("[[section]]\nask = ['x']", "no title"),
        ("[[section]]\ntitle = 'x'\nasks = ['y']", "unknown: asks"),
        ("needs = 'money'\n[[section]]\ntitle = 'x'", "needs = 'money'"),
        ("[[section]]\ntitle = 'x'\ncompare = ['colours']", "compare"),
        ("[[section]]\ntitle = 'x'\nask = 5", "list of texts"),
        ("[[section", "pumps.toml"),
    ],
)
def test_a_wrong_file_is_said_with_its_place(tmp_path, text, said):
    path = tmp_path / "pumps.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"pumps\.toml") as wrong:
        read_ready(path)
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("ready", "scope", "said"),
    [
        ("brief", Scope(), "which company"),
        ("brief", Scope(companies=("Zeta",)), "no document is of 'Zeta'"),
        ("peers", Scope(companies=("Acme",)), "several companies"),
        ("diff", Scope(sources=("acme_2022.md",)), "two documents"),
        ("nonsense", Scope(), "no ready report"),
    ],
)
def test_what_cannot_be_made_is_refused(workspace, ready, scope, said):
    with pytest.raises(UsageError, match=said):
        workspace.report(ready=ready, scope=scope)


def test_every_shipped_report_speaks_both_languages():
    for ready in ready_reports().values():
        assert {"en", "zh"} <= ready.title.keys() and {"en", "zh"} <= ready.about.keys()
        for section in ready.sections:
            assert {"en", "zh"} <= section.title.keys()
            assert not section.ask or {"en", "zh"} <= section.ask.keys()
    assert in_language(ready_report("brief").title, "zh").startswith("公司概览")
