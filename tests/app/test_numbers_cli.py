"""cliquerag calc and cliquerag sql, as a user runs them."""

from __future__ import annotations

import pytest
from cliquerag import Workspace

from tests.app.conftest import json_of

TEXT = """Acme Inc. annual report, fiscal year 2022

| (in millions) | 2022 | 2021 |
| --- | --- | --- |
| Total revenue | 1,200 | 1,000 |
| Cost of revenue | 700 | 600 |
| Operating income | 300 | 200 |
| Net income | 240 | 150 |
"""


@pytest.fixture
def workspace(private):
    with Workspace("sqlite:///acme.db") as ws:
        ws.add_text(TEXT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
    return "sqlite:///acme.db"


def test_calc_shows_formula_and_cells(cli, workspace):
    done = cli("calc", "operating margin", "--company", "Acme", "--period", "FY2022", "--workspace", workspace)
    assert done.returncode == 0, done.stderr
    assert "Operating margin, FY2022: 25 %" in done.stdout
    assert "300 / 1,200" in done.stdout
    assert "acme.md" in done.stdout


def test_calc_as_json(cli, workspace):
    found = json_of(cli("calc", "revenue growth", "--json", "--workspace", workspace))
    assert (found["value"], found["unit"]) == ("20.0", "%")
    assert len(found["citations"]) == 2


def test_calc_names_what_is_missing(cli, workspace):
    done = cli("calc", "current ratio", "--workspace", workspace)
    assert done.returncode == 1
    assert "total current assets" in done.stderr
    assert done.stdout == ""


def test_calc_of_several_companies_names_those_that_state_it(cli, workspace):
    with Workspace(workspace) as ws:
        for name, row in (("Beta Inc.", "Operating income"), ("Crux Ltd.", "Spare parts")):
            text = TEXT.replace("Acme Inc.", name).replace("Operating income", row)
            ws.add_text(text, source=f"{name}.md", company=name, period="FY2022", kind="10-K")
    done = cli("calc", "operating margin", "--workspace", workspace)
    assert (done.returncode, done.stderr) == (1, "Not calculated: name one company: Acme Inc.; Beta Inc.\n")
    found = json_of(cli("calc", "operating margin", "--json", "--workspace", workspace))
    assert found == {"declined": "name one company", "missing": [], "companies": ["Acme Inc.", "Beta Inc."]}
    unnamed = cli("calc", "2022", "--workspace", workspace)
    assert (unnamed.returncode, unnamed.stderr) == (1, "Not calculated: no figure is named\n")
    none = cli("calc", "current ratio", "--workspace", workspace)
    assert (none.returncode, none.stderr) == (1, "Not calculated: no company states what it takes\n")


def test_own_formulas(cli, workspace, private):
    (private / "own.toml").write_text(
        '[formulas."overhead share"]\ncompute = ["1 - [operating income] / [revenue]"]\nunit = "%"\n', encoding="utf-8"
    )
    done = cli("calc", "overhead share", "--formulas", "own.toml", "--workspace", workspace)
    assert "75 %" in done.stdout


def test_sql(cli, workspace):
    statement = "select metric, amount from facts_view where period like '%2022' order by amount desc limit 1"
    assert json_of(cli("sql", statement, "--json", "--workspace", workspace)) == [
        {"metric": "revenue", "amount": 1200000000.0}
    ]
    assert "1,200,000,000" in cli("sql", statement, "--workspace", workspace).stdout


def test_sql_reads_only(cli, workspace):
    done = cli("sql", "delete from fact", "--workspace", workspace)
    assert done.returncode == 2
    assert "facts_view" in done.stderr
    with Workspace(workspace) as ws:
        assert ws.facts(metric="revenue")


def test_python_api(workspace):
    with Workspace(workspace) as ws:
        assert str(ws.calc("gross margin", "Acme").answer.value) == "41.7"
        assert ws.sql("select count(*) from facts_view").rows[0][0] >= 8
