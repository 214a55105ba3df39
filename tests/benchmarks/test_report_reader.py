"""Reports by a recorded reader: facts are found as they are meant, replies wherever the documents lie."""

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.models.language import Message
from cliquerag.reports.parts import Cell, Grid, Paragraph, Report, Section

from benchmarks.tasks._shared import read_lines
from benchmarks.tasks.report_reader import _TOPICS as TOPICS
from benchmarks.tasks.report_reader import RecordedReplies, is_covered, key_of, sentences_of


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


def chat(tag):
    return [Message("system", f"Between <{tag}> and </{tag}>."), Message("user", "Debt?")]


def test_a_recorded_reply_is_found_whatever_folder_the_documents_are_in():
    replies = {key_of(chat("section-0123456789")): '{"digests": []}'}
    reader = RecordedReplies(replies)
    assert reader.reply(chat("section-abcdef0123"), schema={}).data == {"digests": []}
    with pytest.raises(ModelError, match="not recorded"):
        reader.reply([Message("user", "Another?")])
    failures = []
    assert not list(reader.replies([[Message("user", "Another?")]], failed=lambda _, error: failures.append(error)))
    assert len(failures) == 1


def test_rows_of_tables_count_as_sentences():
    grid = Grid("Debt", ("Metric", "FY2022"), ((Cell("Total debt"), Cell("57.0 billion")),))
    report = Report("Debt", "en", (Section("Debt", (Paragraph("It fell [1]. It rose [2]."),), (grid,)),), ())
    assert sentences_of(report) == ["It fell [1].", "It rose [2].", "Total debt 57.0 billion"]
