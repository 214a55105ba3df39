"""cliquerag facts: filters, the reverse look-up, files for spreadsheets, trend pictures."""

from __future__ import annotations

import csv
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import UsageError
from cliquerag.views.fact_files import write_facts

from tests.app.conftest import Run, json_of

TEXT = """Acme Inc. annual report, fiscal year 2022

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Total revenue | 4,215 | 4,000 |
| Cost of revenue | 700 | 600 |
| =HYPERLINK("http://x","y") | 12 | 10 |

The board looked back on a busy year. Sales of 4.215 billion dollars set a record, it said. Nobody spoke of 42,151.
"""


@pytest.fixture
def workspace(private: Path) -> str:
    with Workspace("sqlite:///acme.db") as ws:
        ws.add_text(TEXT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        other = TEXT.replace("Acme", "Beta").replace("4,215", "2,000").replace("4.215", "2.1")
        ws.add_text(other, source="beta.md", company="Beta Inc.", period="FY2022", kind="10-K")
    return "sqlite:///acme.db"


def test_filters(cli: Run, workspace: str) -> None:
    found = json_of(cli("facts", "--source", "beta.md", "--period", "FY2022", "--metric", "revenue", "--json",
                        "--workspace", workspace))  # fmt: skip
    assert {row["company"] for row in found} == {"Beta Inc."}
    assert "2,000" in [row["text"] for row in found]


def test_a_source_may_be_named_by_the_end_of_its_path(cli: Run, workspace: str) -> None:
    with Workspace(workspace) as ws:
        ws.add_text(TEXT, source="reports/2022/gamma.md", company="Gamma Inc.", period="FY2022", kind="10-K")
    named = ("--source", "gamma.md", "--workspace", workspace, "--json")
    assert {row["company"] for row in json_of(cli("facts", *named))} == {"Gamma Inc."}
    assert {row["source"] for row in json_of(cli("search", "revenue", *named))} == {"reports/2022/gamma.md"}
    assert [c["source"] for c in json_of(cli("ask", "What was total revenue?", *named))["citations"]] == [
        "reports/2022/gamma.md"
    ]


@pytest.mark.parametrize("value", ["4215", "4,215,000,000", "4.215"])
def test_a_number_is_found_in_cells_and_sentences_in_any_scale(cli: Run, workspace: str, value: str) -> None:
    rows = json_of(cli("facts", "--value", value, "--json", "--workspace", workspace))
    places = {(row.get("kind", "fact"), row["source"]) for row in rows}
    assert ("fact", "acme.md") in places
    assert {source for _, source in places} == {"acme.md"}
    texts = [row.get("around", row["text"]) for row in rows]
    assert any("4,215" in text for text in texts) and any("set a record" in text for text in texts)


@pytest.mark.parametrize("value", ["abc", "", "NaN"])
def test_what_is_no_number_is_told(cli: Run, workspace: str, value: str) -> None:
    done = cli("facts", "--value", value, "--workspace", workspace)
    assert (done.returncode, f"Error: --value: {value!r} is not a number" in done.stderr) == (2, True)


def test_a_number_is_found_under_the_short_name_of_its_document(cli: Run, workspace: str) -> None:
    with Workspace(workspace) as ws:
        ws.add_text("Gamma Inc. had 9,876,543 readers.", source="/reports/long/way/gamma.md")
    done = cli("facts", "--value", "9876543", "--workspace", workspace)
    assert "gamma.md" in done.stdout and "/reports/long/way" not in done.stdout


def test_csv_holds_every_fact_and_no_formula(cli: Run, workspace: str, private: Path) -> None:
    done = cli("facts", "--export", "facts.csv", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    with (private / "facts.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    revenue = next(row for row in rows if row["metric"] == "revenue" and row["value"] == "4215")
    assert (revenue["company"], revenue["amount"], revenue["document"]) == ("Acme Inc.", "4215000000", "acme.md")
    labels = {row["as written"] for row in rows}
    assert any(label.startswith("'=HYPERLINK") for label in labels)
    assert not any(text.startswith(("=", "+", "@")) for row in rows for text in row.values())


def test_a_workbook_links_its_cells_and_holds_no_formula(cli: Run, workspace: str, private: Path) -> None:
    done = cli("facts", "--metric", "revenue", "--export", "facts.xlsx", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(private / "facts.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        links = book.read("xl/worksheets/_rels/sheet1.xml.rels").decode()
        ElementTree.fromstring(sheet)
    assert "<f>" not in sheet
    assert sheet.count("<hyperlink ") >= 2
    assert (private / "acme.md").as_uri().casefold() in links.casefold()


def test_an_unknown_ending_and_a_missing_package_are_named(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"\.xlsx"):
        write_facts(private / "facts.ods", [], Path)
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    with pytest.raises(UsageError, match=r"cliquerag\[excel\]"):
        write_facts(private / "facts.xlsx", [], Path)


def test_a_picture_of_a_metric_and_of_a_formula(cli: Run, workspace: str, private: Path) -> None:
    for metric, unit in (("revenue", "USD billion"), ("gross margin", "per cent")):
        done = cli("facts", "--metric", metric, "--plot", "trend.svg", "--workspace", workspace)
        assert done.returncode == 0, done.stderr
        text = (private / "trend.svg").read_text(encoding="utf-8")
        ElementTree.fromstring(text)
        assert all(word in text for word in ("Acme Inc.", "Beta Inc.", "FY2021", "FY2022", unit, "Sources: acme.md"))
        assert text.count("<circle") == 4


def test_a_picture_and_a_file_are_both_written(cli: Run, workspace: str, private: Path) -> None:
    asked = ("facts", "--metric", "revenue", "--workspace", workspace)
    done = cli(*asked, "--plot", "trend.svg", "--export", "revenue.csv")
    assert done.returncode == 0, done.stderr
    assert (private / "trend.svg").is_file() and "Acme" in (private / "revenue.csv").read_text(encoding="utf-8-sig")


def test_a_picture_in_json_names_its_file_and_the_series_drawn(cli: Run, workspace: str) -> None:
    asked = ("facts", "--metric", "revenue", "--plot", "trend.svg", "--json", "--workspace", workspace)
    found = json_of(cli(*asked))
    assert (found["plot"], found["left_out"]) == ("trend.svg", [])
    drawn = {s["company"]: {f["period"]: f["value"] for f in s["figures"]} for s in found["series"]}
    assert drawn["Acme Inc."] == {"FY2021": "4000000000", "FY2022": "4215000000"} and set(drawn) > {"Acme Inc."}
    both = json_of(cli(*asked, "--export", "revenue.csv"))
    assert both["series"] == found["series"] and {row["metric"] for row in both["facts"]} == {"revenue"}


def test_a_picture_needs_one_metric_that_is_there(cli: Run, workspace: str) -> None:
    done = cli("facts", "--plot", "trend.svg", "--workspace", workspace)
    assert (done.returncode, "one metric" in done.stderr) == (2, True)
    done = cli("facts", "--metric", "weather", "--plot", "trend.svg", "--workspace", workspace)
    assert (done.returncode, "no figure of 'weather'" in done.stderr) == (2, True)


def test_own_metrics_and_formulas_reach_questions(private: Path) -> None:
    (private / "metrics.toml").write_text('[metrics."net new seats"]\nen = ["seat additions"]\nkind = "count"\n')
    (private / "formulas.toml").write_text(
        '[formulas."seat yield"]\nen = ["yield of seats"]\ncompute = ["[revenue] / [net new seats]"]\nunit = "x"\n'
    )
    text = TEXT.replace("| Cost of revenue | 700 | 600 |", "| Seat additions | 500 | 400 |")
    own = {"metrics": "metrics.toml", "formulas": "formulas.toml"}
    with Workspace("sqlite://", **own) as ws:
        ws.add_text(text, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
        assert "500" in ws.ask("What were Acme's seat additions in FY2022?").text
        answer = ws.ask("What was Acme's yield of seats in FY2022?")
        assert "revenue / net new seats" in answer.text and answer.trace["numbers"]["by"] == "rules"
        found = ws.search("Acme seat additions FY2022", k=8)
        assert any(item.kind == "fact" and "Seat additions" in item.text for item in found)
