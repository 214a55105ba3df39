"""Answers as values: read from an extractive answer, or given by a model and checked against the evidence."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import UsageError
from cliquerag.retrieval.answer.generative.cell_expression import cell_lines, evaluate_expression, number_cells
from cliquerag.retrieval.answer.typed import TypedReader, expected_named
from cliquerag.retrieval.search.evidence import Context, Evidence
from support.openai_server import OpenAIServer, say

REPORT = """# Acme Inc. annual report 2022

Consolidated statements of income (in millions)

| | 2022 | 2021 |
| --- | --- | --- |
| Net sales | $ 4,215 | $ 3,900 |
| Cost of sales | 2,530 | 2,379 |

Net sales of Acme Inc. were $4,215 million in fiscal 2022.

We have no material legal proceedings pending against Acme.

The dividend policy of Acme is to pay cash dividends twice a year.

Acme acquired Bolt GmbH in May 2022.

In June 2022 Acme announced changes to its range of pumps.
"""
ASKED = "What were the net sales of Acme Inc. in fiscal 2022?"


@pytest.fixture
def url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "cache"))
    url = f"sqlite:///{tmp_path / 'a.db'}"
    with Workspace(url, embedder="none") as workspace:
        workspace.add_text(REPORT, source="acme.md", company="Acme Inc.", period="FY2022", kind="10-K")
    return url


def typed(url, question, kind, reply=None):
    """The value; with what a model replies, where one is given."""
    if reply is None:
        with Workspace(url, embedder="none") as workspace:
            return workspace.ask(question, expect=kind).typed
    with (
        OpenAIServer(say(json.dumps(reply))) as server,
        Workspace(url, embedder="none", model="m", base_url=server.url) as workspace,
    ):
        return workspace.ask(question, expect=kind).typed


def test_a_number_without_a_model(url):
    value = typed(url, ASKED, "number")
    assert value.value * value.scale == 4_215_000_000 and value.unit == "USD" and value.checked
    assert value.period == "FY2022"


@pytest.mark.parametrize("kind", ["number", "name", "names", "date"])
def test_what_is_not_there_is_not_available(url, kind):
    value = typed(url, "What was the number of patents of Zenith Corp. in fiscal 2022?", kind)
    assert value.value is None and value.text == "N/A" and value.pages == ()


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("Did Acme Inc. acquire Bolt GmbH?", True),
        ("Did Acme Inc. mention any pending legal proceedings?", False),
        ("Did Acme Inc. announce any changes to its dividend policy?", False),
        ("Did Zenith Corp. issue any bonds?", False),
    ],
)
def test_yes_or_no_without_a_model(url, question, right):
    assert typed(url, question, "boolean").value is right


def test_a_number_by_a_model_is_checked(url):
    said = {"reason": "Net sales were $4,215 million [1].", "value": "4,215", "scale": "million", "unit": "USD"}
    value = typed(url, ASKED, "number", {**said, "period": "2022", "evidence": [1]})
    assert (value.value, value.scale, value.unit, value.period) == (Decimal(4215), Decimal(10**6), "USD", "2022")
    assert value.checked and value.text == "4215 million USD, 2022"
    assert not typed(url, ASKED, "number", {**said, "value": "9,999", "evidence": [1]}).checked
    assert not typed(url, ASKED, "number", {**said, "scale": "billion", "evidence": [1]}).checked


@pytest.mark.parametrize("absent", ["N/A", "not available", None, "", "The evidence does not state it."])
def test_a_model_may_say_that_it_is_not_there(url, absent):
    assert typed(url, ASKED, "number", {"value": absent}).text == "N/A"


def test_a_model_calculates_by_an_expression_over_cells(url):
    asked = "By how many percent did the net sales of Acme Inc. grow in fiscal 2022?"
    reply = {
        "reason": "It follows from net sales [1].",
        "value": "",
        "calculation": "([c1] - [c2]) / [c2] * 100",
        "unit": "%",
    }
    value = typed(url, asked, "number", reply)
    assert round(value.value, 1) == Decimal("8.1") and value.unit == "%" and value.checked
    assert value.note == "($ 4,215 - $ 3,900) / $ 3,900 * 100"


def test_expressions_are_checked():
    head = "(in millions)\n| | 2022 | 2021 |\n| --- | --- | --- |\n"
    table = f"{head}| Net sales | $ 4,215 | $ 3,900 |\n| Margin | 40.3% | 39% |"
    cells = number_cells([table], "net sales and margin")
    assert cell_lines(cells)[0] == "Net sales [1], million USD: c1 (2022) = $ 4,215; c2 (2021) = $ 3,900"
    assert evaluate_expression("[c1] + [c2]", cells).value == 8_115_000_000
    assert evaluate_expression("[c1] / [c2]", cells).unit == ""
    for bad in ("[c1] + [c3]", "[c9]", "1 + 1", "[c1] / 0", "[c1] * [c2] ^ 2", "__import__('os')", "before([c1])"):
        with pytest.raises(ValueError):
            evaluate_expression(bad, cells)


def test_names_by_a_model_have_to_stand_in_the_evidence(url):
    value = typed(url, "Whom did Acme Inc. acquire?", "names", {"value": ["Bolt GmbH", "Nut Ltd"], "evidence": [1]})
    assert value.value == ("Bolt GmbH",) and "Nut Ltd" in value.note
    assert typed(url, "Whom did Acme Inc. acquire?", "name", {"value": "Nut Ltd"}).value is None


@pytest.mark.parametrize(
    ("said", "value", "checked"),
    [
        ("September 1, 2022", "2022-09-01", True),
        ("1 September 2022", "2022-09-01", True),
        ("September 2, 2022", "September 2, 2022", False),
        ("as soon as possible", "as soon as possible", False),
    ],
)
def test_a_date_by_a_model_has_to_stand_in_what_it_cites(said, value, checked):
    evidence = Evidence(
        "chunk", "The Board appointed Mary Dillon, effective September 1, 2022.", 1.0, source="a.pdf", page=2
    )
    reader = TypedReader("date", "When was Mary Dillon appointed?", Context(vector=(evidence,)), ["Acme | 8-K"])
    typed, _, _ = reader.read({"value": said, "period": said, "evidence": [1]})
    assert (typed.value, typed.checked, typed.text) == (value, checked, value)


def test_a_text_by_a_model_is_checked_as_an_answer_is():
    evidence = Evidence("chunk", "Net sales rose 8% due to higher prices.", 1.0, source="a.pdf", page=2)
    reader = TypedReader("text", "Why did net sales rise?", Context(vector=(evidence,)), ["Acme | 10-K"])
    assert reader.read({"value": "Net sales rose 8% due to higher prices.", "evidence": [1]})[0].checked
    wrong = reader.read({"value": "Net sales rose 9% due to higher prices.", "evidence": [1]})[0]
    assert not wrong.checked


@pytest.mark.parametrize(("said", "right"), [(True, True), ("yes", True), ("false", False), ("No.", False)])
def test_yes_or_no_by_a_model(url, said, right):
    value = typed(url, "Did Acme Inc. acquire Bolt GmbH?", "boolean", {"value": said, "evidence": ["[1]"]})
    assert value.value is right


def test_prose_around_json_is_passed_over(url):
    chatty = say('Sure! ```json\n{"value": "4,215", "scale": "million", "evidence": [1],}\n```')
    with OpenAIServer(chatty) as server, Workspace(url, embedder="none", model="m", base_url=server.url) as workspace:
        assert workspace.ask(ASKED, expect="number").typed.value == 4215


def test_an_unknown_kind_is_an_error(url):
    with pytest.raises(UsageError, match="no kind of answer"):
        expected_named("colour")


def test_the_command_gives_the_value(url):
    from click.testing import CliRunner
    from cliquerag.cli import main

    command = ["ask", "--workspace", url, ASKED, "--expect", "number"]
    told = CliRunner().invoke(main, command, env={"CLIQUERAG_EMBEDDER": "none"})
    assert told.output.splitlines()[0].endswith("million USD, FY2022"), told.output
    data = json.loads(CliRunner().invoke(main, [*command, "--json"], env={"CLIQUERAG_EMBEDDER": "none"}).output)
    assert data["typed"]["kind"] == "number" and data["typed"]["unit"] == "USD"


CELLS = number_cells(
    ["| | 2022 | 2021 |\n| --- | --- | --- |\n| Net sales | 400 | 390 |\n| Cost of sales | 200 | 210 |"], "sales cost"
)
NAMES = {(cell.cell.label, cell.cell.periods[0].year): f"[{cell.name}]" for cell in CELLS}


@pytest.mark.parametrize(
    ("expression", "question", "told"),
    [
        ("{0} - {1}", "How did net sales change in 2022?", ""),
        ("{2} / {0}", "What share of sales is the cost of sales in 2022?", ""),
        ("{2} / (({0} + {1}) / 2)", "What is the cost of sales over average sales in 2022?", ""),
        ("{3} / {0}", "What share of sales is the cost of sales in 2022?", "are put together"),
        ("{3} / {0}", "What is the cost of sales of 2021 over the sales of 2022?", ""),
        ("{3} / {1}", "What share of sales is the cost of sales in 2022?", "not of 2022"),
    ],
)
def test_an_expression_keeps_to_the_time_that_is_asked(expression, question, told):
    rows = [("Net sales", 2022), ("Net sales", 2021), ("Cost of sales", 2022), ("Cost of sales", 2021)]
    written = expression.format(*(NAMES[row] for row in rows))
    if not told:
        assert evaluate_expression(written, CELLS, question).value
        return
    with pytest.raises(ValueError, match=told):
        evaluate_expression(written, CELLS, question)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("(([c1] / [c3]) ^ (1 / 2) - 1) * 100", "10.00"),
        ("abs([c4]) / [c1] * 100", "20.66"),
        ("([c1] + [c2]) / 2 / 1000000", "57.75"),
    ],
)
def test_growth_a_year_and_averages_are_calculated(expression, value):
    head = "(in millions)\n| | 2022 | 2021 | 2020 |\n| --- | --- | --- | --- |\n"
    table = f"{head}| Sales | 60.5 | 55 | 50 |\n| Cost | (12.5) | 9 | 8 |"
    cells = number_cells([table], "sales and cost")
    assert f"{evaluate_expression(expression, cells).value:.2f}" == value


@pytest.mark.parametrize(
    "expression", ["([c1] / [c2]) ^ [c3]", "([c1] - [c1]) ^ 2", "([c2] / [c1]) ^ 400", "average([c1])"]
)
def test_what_has_no_power_is_refused(expression):
    with pytest.raises(ValueError):
        evaluate_expression(expression, CELLS)


@pytest.mark.parametrize(
    ("expression", "question", "told"),
    [
        ("[c1] - [c3]", "How did net sales change from 2021 to 2022?", "c3 is of 2020"),
        ("[c1] - [c3]", "How did net sales change from 2020 to 2022?", ""),
        ("([c1] + [c2] + [c3]) / 3", "What were the average sales of 2020-2022?", ""),
        ("[c1] - [c2]", "How did net sales change in 2022?", ""),
        ("[c1] * 1.07", "What were net sales in 2022?", "1.07 stands in no cell"),
        ("[c1] * 365", "What were net sales in 2022?", ""),
    ],
)
def test_figures_of_years_that_nobody_asked_for_are_refused(expression, question, told):
    cells = number_cells(["| | 2022 | 2021 | 2020 |\n| --- | --- | --- | --- |\n| Sales | 60 | 55 | 50 |"], "sales")
    if not told:
        assert evaluate_expression(expression, cells, question, stated=()).value
        return
    with pytest.raises(ValueError, match=told):
        evaluate_expression(expression, cells, question, stated=())


def test_cells_of_metrics_that_a_formula_needs_come_first():
    head = "(in millions)\n| | 2022 | 2021 |\n| --- | --- | --- |\n"
    others = "".join(f"| Margin of segment {name} | 1{at} | 2{at} |\n" for at, name in enumerate("ABCDEFGH" * 10))
    table = f"{head}{others}| Operating profit | 500 | 400 |\n| Net revenue | 5,000 | 4,000 |\n| D&A | 70 | 60 |\n"
    cells = number_cells([table], "What is the EBITDA margin of 2022?")
    assert {cell.cell.label for cell in cells[:6]} == {"Operating profit", "Net revenue", "D&A"}


def test_figures_of_sentences_are_numbered_behind_those_of_tables():
    text = "In April 2019 we granted 346,453 PSUs to executives. In December 2019 we granted 375,000 PSUs to staff."
    asked = "How many PSUs were granted in April and December 2019?"
    cells = number_cells([text], asked)
    assert [cell.cell.text for cell in cells] == ["346,453", "375,000"]
    assert cell_lines(cells)[0].startswith('"In April 2019 we granted 346,453 PSUs to executives.')
    assert evaluate_expression("[c1] + [c2]", cells, asked).value == 721_453


def test_a_share_in_percent_is_given_in_percent(url):
    asked = "Which share of the net sales of fiscal 2022 did Acme Inc. have in fiscal 2021?"
    reply = {"reason": "It follows from net sales [1].", "value": "", "calculation": "[c2] / [c1]", "unit": "%"}
    assert round(typed(url, asked, "number", reply).value, 1) == Decimal("92.5")
