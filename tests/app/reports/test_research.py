"""Research reports: a menu of sections, digests that are kept, sentences held against the sections, honest refusals."""

import json
import re
from dataclasses import replace

import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.core.scope import Scope
from cliquerag.models.language import Reply, Usage
from cliquerag.reports import reading
from cliquerag.reports.menu import Menu, MenuRow, gather
from cliquerag.reports.planning import ASPECTS, plan_report
from cliquerag.reports.research import sections_of
from cliquerag.views.report_files import report_text
from cliquerag.workspace import Workspace

TEXT = """# Acme Corporation Annual Report 2023

## Suppliers
Bolt Foundry supplies castings to Acme. Acme depends on Bolt Foundry for 80 percent of its castings.

## Legal proceedings
In March 2023 Zeta Pumps sued Acme over a patent on valves. Acme denies the claim.

## Outlook
Acme expects revenue of 4,100 million dollars in 2024.

## Canteen
The canteen serves soup on Mondays.
"""
QUESTION = "Report on Acme's suppliers, litigation and outlook"


class Analyst:
    """A model that plans, judges, digests and writes by the words of what it is sent, and can be made to fail."""

    name = "analyst"

    def __init__(self, breaks_at: str = "", report: str = "", verdicts=()) -> None:
        self.sent: list[str] = []
        self.verdicts, self.asked_to_judge = list(verdicts), ""
        self.breaks_at, self.report = breaks_at, report

    def reply(self, messages, *, schema=None):
        rules, asked = messages[0].content, messages[-1].content
        self.sent.append(rules.split("\n")[0])
        text = self._text(rules, asked)
        return Reply(text, Usage(100, 20, 1, 0.01), json.loads(text) if schema else None)

    def replies(self, requests, *, schema=None, failed=None):
        for index, messages in enumerate(requests):
            if self.breaks_at and self.breaks_at in messages[-1].content:
                failed(index, ModelError("the endpoint is gone", where="analyst"))
                continue
            yield index, self.reply(messages, schema=schema)

    def _text(self, rules, asked):
        if "six aspects" in rules:
            questions = ["Who supplies Acme?", "Who sued Acme?", "What does Acme expect for 2024?"]
            return json.dumps({"keywords": {"inputs": ["Acme suppliers castings"]}, "questions": questions})
        if "You judge" in rules:
            entries = [int(number) for number in re.findall(r"^\[(\d+)\]$", asked, re.MULTILINE)]
            verdicts = [{"question": number, "entries": entries} for number in _questions(asked)]
            return json.dumps({"relevant": verdicts})
        if "write down" in rules:
            return json.dumps({"digests": list(_digests(asked))})
        if "You check sentences" in rules:
            self.asked_to_judge = asked
            return json.dumps({"verdicts": self.verdicts})
        assert "research report" in rules
        return self.report


def _questions(asked):
    return [int(number) for number in re.findall(r"^(\d+)\. ", asked, re.MULTILINE)]


def _digests(asked):
    for section in re.finditer(r"^\[(\d+)\] [^\n]*\(([\d, ]+)\)\n<[^>]+>\n(.*?)\n</", asked, re.MULTILINE | re.DOTALL):
        for question in section[2].split(", "):
            yield {"section": int(section[1]), "question": int(question), "digest": " ".join(section[3].split())}


@pytest.fixture
def workspace(tmp_path):
    with Workspace(f"sqlite:///{tmp_path / 'w.db'}", embedder="none") as made:
        made.add_text(TEXT, "acme.md", "Acme Corporation", "FY2023", "10-K")
        made.add_text("Bolt Foundry casts iron in Ohio.", "bolt.md", "Bolt Foundry", "FY2023", "10-K")
        yield made


def with_model(workspace, model):
    workspace.components.__dict__["language_model"] = model
    return workspace


def test_without_a_model_each_part_is_quoted_or_named_as_missing(workspace):
    report = workspace.report(QUESTION + " and dividends policy")
    text = report_text(report)
    assert "Bolt Foundry supplies castings to Acme" in text and "sued Acme" in text and "4,100 million" in text
    assert any("dividends policy" in question for question in report.missing)
    assert "canteen" not in text.lower()
    assert set(re.findall(r"\[(\d+)\]", text)) == {str(one.number) for one in report.citations}


@pytest.mark.parametrize("question", ["Report on Zeta Robotics", "Acme's quantum teleportation plans"])
def test_a_topic_that_no_document_covers_is_one_line(workspace, question):
    report = workspace.report(question)
    assert report.trace["not found"] and not report.citations
    assert [p.text for section in report.sections for p in section.paragraphs] == [
        f"No document here covers this: {question}"
    ]


def test_a_row_belongs_to_one_company_and_points_to_a_whole_section(workspace):
    with workspace as open_one:
        menu = Menu(None)
        plan = plan_report(open_one, QUESTION, None, None)
        ids = gather(open_one, plan, None, menu, None)
        rows = menu.rows(ids)
        assert {aspect for aspect, _ in plan.keywords} >= set(ASPECTS)
        suppliers = next(row for row in rows if "Suppliers" in row.title)
        assert open_one.store.text("acme.md")[suppliers.start : suppliers.end].endswith("80 percent of its castings.")
        assert {row.company for row in rows if row.source == "acme.md"} == {"Acme Corporation"}
        assert all(row.period == "FY2023" for row in rows)
        found = menu.search("Who supplies castings?", None, ids, 3)
        assert found[0].section == suppliers.section
        assert len({row.section for row in found}) == len(found)


def test_the_menu_stays_beside_the_workspace(workspace, tmp_path):
    workspace.report(QUESTION)
    assert (tmp_path / "w.menu.db").exists()
    assert (tmp_path / "w.menu.db").stat().st_mode & 0o077 == 0


GOOD = """## Suppliers
Bolt Foundry supplies castings to Acme [1]. Acme was founded on the moon in 1999 [1].

## Litigation
Zeta Pumps sued Acme over a patent on valves in March 2023 [{sued}].
"""


def test_a_model_writes_from_digests_and_what_rests_on_nothing_is_marked_or_dropped(workspace):
    report = with_model(workspace, Analyst(report=GOOD.format(sued=2))).report(QUESTION)
    text = report_text(report)
    assert [section.title for section in report.sections][:2] == ["Suppliers", "Litigation"]
    assert "Bolt Foundry supplies castings to Acme [" in text
    assert "1999 [" not in text.replace("1999 (not found", "")
    assert report.model == "analyst"
    assert report.trace["usage"]["calls"] == round(report.trace["usage"]["cost"] * 100) > 3
    assert report.trace["estimate"]["calls"] >= report.trace["usage"]["calls"] - 1


def test_costs_are_told_before_and_during(workspace):
    told = []
    with_model(workspace, Analyst(report=GOOD.format(sued=2))).report(
        QUESTION, progress=lambda text, done, of: told.append(text)
    )
    before = next(at for at, text in enumerate(told) if text.startswith("up to "))
    during = next(at for at, text in enumerate(told) if text.startswith("digests: "))
    assert before < during and "calls" in told[during]


def test_a_section_is_read_once_for_all_that_it_helps_to_answer(workspace):
    analyst = Analyst(report=GOOD.format(sued=2))
    report = with_model(workspace, analyst).report(QUESTION)
    readings = sum(line.startswith("You read sections") for line in analyst.sent)
    views = [question["digests"] for question in report.trace["sub-questions"]]
    digests = sum(map(len, views))
    assert digests > len(set().union(*views)), "one section gives several views"
    assert readings == -(-digests // reading.DIGESTS_A_CALL)
    assert report.trace["usage"]["calls"] == 3 + readings, "a plan, a relevance check for all, the report"


def test_what_a_model_leaves_out_is_asked_for_again(workspace):
    class Forgetful(Analyst):
        def _text(self, rules, asked):
            if "write down" in rules:
                return json.dumps(
                    {"digests": [{"section": 99, "question": 1, "digest": "No such section."}, "no object"]}
                )
            return super()._text(rules, asked)

    first = with_model(workspace, Forgetful(report=GOOD.format(sued=2))).report(QUESTION)
    assert first.trace["not found"]
    again = with_model(workspace, Analyst(report=GOOD.format(sued=2))).report(QUESTION)
    assert again.citations


def test_a_model_that_fails_in_the_middle_loses_no_digest(workspace, monkeypatch):
    monkeypatch.setattr(reading, "DIGESTS_A_CALL", 1)
    with pytest.raises(ModelError, match="digests are kept"):
        with_model(workspace, Analyst(breaks_at="Zeta Pumps")).report(QUESTION)
    again = Analyst(report=GOOD.format(sued=2))
    with_model(workspace, again).report(QUESTION)
    digested = sum(line.startswith("You read sections") for line in again.sent)
    assert not any(line.startswith("You judge") for line in again.sent), "verdicts were kept"
    whole = Analyst(report=GOOD.format(sued=2))
    whole.name = "another"
    with_model(workspace, whole).report(QUESTION)
    assert 0 < digested < sum(line.startswith("You read sections") for line in whole.sent)


def test_a_plan_that_is_nonsense_falls_back_to_rules(workspace):
    class Rambling(Analyst):
        def _text(self, rules, asked):
            return "[]" if "six aspects" in rules else super()._text(rules, asked)

    report = with_model(workspace, Rambling(report=GOOD.format(sued=2))).report(QUESTION)
    assert report.citations


def test_a_scope_keeps_other_companies_out(workspace):
    report = workspace.report("Report on suppliers and litigation", Scope(companies=("Acme",)))
    assert {citation.source for citation in report.citations} == {"acme.md"}


def test_headings_of_a_models_text():
    assert sections_of("First [1].\n## A\nx\n### B\ny") == [("", "First [1]."), ("A", "x"), ("B", "y")]


def test_rows_of_an_older_version_are_other_sections():
    old, new = (MenuRow("a", 0, 9, "t", "k", "s", version=version) for version in ("1", "2"))
    assert old.section != new.section


def test_a_keyword_that_names_no_company_is_searched_within_those_of_the_question(workspace):
    plan = replace(plan_report(workspace, QUESTION, None, None), keywords=(("inputs", "castings of iron"),))
    menu = Menu(None)
    assert {row.source for row in menu.rows(gather(workspace, plan, None, menu, None))} == {"acme.md"}
    named = replace(plan, keywords=(("inputs", "iron castings of Bolt Foundry"),))
    assert "bolt.md" in {row.source for row in menu.rows(gather(workspace, named, None, menu, None))}


FREE = """## Suppliers
One foundry provides four fifths of what Acme casts [1].

## Litigation
Zeta Pumps paid Acme for a patent on valves in March 2023 [{sued}].
"""
VERDICTS = (
    {"number": 1, "verdict": "supported", "words": "Bolt Foundry for 80 percent of its castings"},
    {"number": 2, "verdict": "contradicted", "words": "Zeta Pumps sued Acme over a patent"},
)


def test_a_model_judges_the_sentences_of_a_report_and_the_report_says_so(workspace):
    analyst = Analyst(report=FREE.format(sued=2), verdicts=VERDICTS)
    plain = with_model(workspace, analyst).report(QUESTION)
    assert plain.trace["checked_by"] == "rules" and not analyst.asked_to_judge
    report = workspace.report(QUESTION, checked_by="model")
    assert report.trace["checked_by"] == "analyst" and "1. One foundry" in analyst.asked_to_judge
    assert len(report.trace["unsupported"]) == 1 and "paid Acme" in report.trace["unsupported"][0]
    assert report.sections[-1].title == "How it was checked"
    told = report.sections[-1].paragraphs[0].text
    assert told.startswith("Checked by analyst. Not supported by the source: Zeta Pumps paid Acme")
    assert set(re.findall(r"\[(\d+)\]", told)) <= {str(one.number) for one in report.citations}
    assert report.trace["usage"]["calls"] == plain.trace["usage"]["calls"] - 2, "digests and verdicts were kept"


def test_a_report_whose_judge_says_nothing_is_checked_by_rules(workspace):
    report = with_model(workspace, Analyst(report=GOOD.format(sued=2))).report(QUESTION, checked_by="model")
    assert "did not come about; checked by rules" in report_text(report)
    assert report.trace["checked_by"] == "rules" and report.trace["check failed"]


def test_nobody_of_that_name_judges_a_report(workspace):
    analyst = Analyst(report=GOOD.format(sued=2))
    with pytest.raises(UsageError, match="nobody is called 'me'"):
        with_model(workspace, analyst).report(QUESTION, checked_by="me")
    assert analyst.sent == []
