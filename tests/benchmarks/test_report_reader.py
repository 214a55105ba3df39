"""Reports by a recorded reader: facts are found as they are meant, replies wherever the documents lie."""

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.models.language import Message
from cliquerag.reports.parts import Cell, Grid, Paragraph, Report, Section

from benchmarks.tasks._shared import read_lines
from benchmarks.tasks.reader.report_reader import _TOPICS as TOPICS
from benchmarks.tasks.reader.report_reader import ReportingReader, is_covered, items_of, sentences_of


def fact(*must):
    return {"must": [list(group) for group in must]}


@pytest.mark.parametrize(
    ("sentences", "wanted", "covered"),
    [
        (["Debt was $57.0 billion [1]."], fact(["57.0 billion", "57 billion"]), True),
        (["Debt was $157.0 billion [1]."], fact(["57.0 billion"]), False),
        (["The fee is $60."], fact(["$60"]), True),
        (["The fee is $600."], fact(["$60"]), False),
        (["Sales rose 35%."], fact(["5%"]), False),
        (["It bought Figma.", "The price is $20 billion."], fact(["figma"], ["20 billion"]), True),
        (["It bought Figma.", "It is late.", "The price is $20 billion."], fact(["figma"], ["20 billion"]), False),
        (["Sam's Club competes."], fact(["Sam’s Club"]), True),
    ],
)
def test_a_fact_is_covered_by_what_stands_together(sentences, wanted, covered):
    assert is_covered(wanted, sentences) is covered


def test_every_topic_has_fifteen_facts_with_pages_and_a_third_is_unread():
    topics = read_lines(TOPICS)
    assert len(topics) == 10
    assert all(len(topic["facts"]) == 15 for topic in topics)
    assert all(fact["page"] > 0 and fact["must"] and all(fact["must"]) for topic in topics for fact in topic["facts"])
    assert [topic["split"] for topic in topics] == ["dev", "dev", "unread"] * 3 + ["dev"]


def chat(rules, asked):
    return [Message("system", rules), Message("user", asked)]


READ = "1. Debt?\n2. Cash?\n\n[{n}] Acme | FY2023 | Debt (1, 2)\n<section-{tag}>\n{text}\n</section-{tag}>"
SECTIONS = {"required": ["digests"]}


def test_what_was_read_is_found_wherever_it_stands_in_a_request():
    first = READ.format(n=1, tag="0123456789", text="Debt is $5.")
    said = '{"digests": [{"section": 1, "question": 1, "digest": "Debt of $5."}]}'
    reader = ReportingReader(list(items_of(chat("You read sections", first), said)))
    again = READ.format(n=7, tag="abcdef0123", text="Debt  is $5.")
    found = reader.reply(chat("You read sections", again), schema=SECTIONS).data
    assert found == {"digests": [{"section": 7, "question": 1, "digest": "Debt of $5."}]}
    assert reader.unknown == 0
    other = READ.format(n=1, tag="abcdef0123", text="Another section.")
    assert reader.reply(chat("You read sections", other), schema=SECTIONS).data == {"digests": []}
    assert reader.unknown == 1


def test_verdicts_are_kept_row_by_row_in_their_order():
    rows = "1. Debt?\n\n" + "\n\n".join(f"[{n}]\n<entry-ab12>\nrow {n}\n</entry-ab12>" for n in (1, 2, 3))
    said = '{"relevant": [{"question": 1, "entries": [3, 1]}]}'
    reader = ReportingReader(list(items_of(chat("You judge", rows), said)))
    turned = "1. Debt?\n\n" + "\n\n".join(f"[{n}]\n<entry-ab12>\nrow {4 - n}\n</entry-ab12>" for n in (1, 2, 3))
    found = reader.reply(chat("You judge", turned), schema={"required": ["relevant"]}).data
    assert found == {"relevant": [{"question": 1, "entries": [1, 3]}]}


def test_marks_of_a_report_follow_their_digests():
    digests = ["[1] a\n<digest-ab12>\nDebt.\n</digest-ab12>", "[2] b\n<digest-ab12>\nCash.\n</digest-ab12>"]
    asked = "\n".join(["Report on Acme\n\nDebt?", *digests])
    items = list(items_of(chat("You write a report", asked), "## Debt\nIt is $5 [1]. Cash is $6 [1, 2]."))
    turned = "Report on Acme\n\nDebt?\n[4] b\n<digest-ff12>\nDebt.\n</digest-ff12>"
    assert (
        ReportingReader(items).reply(chat("You write a report", turned)).text
        == "## Debt\nIt is $5 [4]. Cash is $6 [4]."
    )
    with pytest.raises(ModelError, match="no report was recorded"):
        ReportingReader(items).reply(chat("You write a report", "Report on Bolt\n"))


def test_rows_of_tables_count_as_sentences():
    grid = Grid("Debt", ("Metric", "FY2022"), ((Cell("Total debt"), Cell("57.0 billion")),))
    report = Report("Debt", "en", (Section("Debt", (Paragraph("It fell [1]. It rose [2]."),), (grid,)),), ())
    assert sentences_of(report) == ["It fell [1].", "It rose [2].", "Total debt 57.0 billion"]
