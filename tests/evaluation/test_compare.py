"""Comparison of modes: resumable, scored, and written whole."""

import csv
import json
from dataclasses import replace
from itertools import pairwise

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.evaluation.compare import PRESETS, CharacterChunker, compare, evaluate_answers, write_comparison
from cliquerag.evaluation.questions import Question, read_questions, read_rows
from cliquerag.evaluation.scoring import budget_recall, evidence_scores
from cliquerag.ingest.chunk import Break, Span
from cliquerag.ingest.chunkers import make_chunker
from cliquerag.ingest.sentences import split_text
from cliquerag.retrieval.search.evidence import Answer, Citation, Context, Evidence

QUESTIONS = (
    Question("What was revenue in 2023?", "$3.4 billion", "10-K.pdf", (4,), "extractive"),
    Question("Why did <b>costs</b> fall?", "Lower freight.", "10-K.pdf", (9,), "abstractive"),
)


def piece(page, text, kind="chunk", source="reports/10-K.pdf"):
    return Evidence(kind, text, 1.0, source, page=page, tokens=200)


RIGHT = piece(4, "Revenue was $3,400 million in 2023.")
WRONG = piece(7, "The weather was mild. <script>alert(1)</script>")
FREIGHT = piece(9, "Costs fell on lower freight.")
FOUND = {"vector": [WRONG, RIGHT], "hybrid": [RIGHT, FREIGHT, WRONG]}


class Asker:
    """Answers from a table and counts how often it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, question, mode):
        self.asked.append((question, mode))
        text = "Revenue was $3.4 billion [1]." if "revenue" in question and mode == "hybrid" else "Unknown."
        context = Context(tuple(FOUND[mode]), tokens=200 * len(FOUND[mode]))
        return Answer(text, (Citation(1, "10-K.pdf", "Revenue", 4),), context, mode, "extractive")


@pytest.fixture
def comparison():
    return compare(QUESTIONS, ("vector", "hybrid"), Asker())


def test_evidence_is_scored_by_page_whatever_the_folder():
    scores = evidence_scores(QUESTIONS[0], FOUND["vector"])
    assert scores == {"hit@1": 0.0, "hit@5": 1.0, "recall@10": 1.0, "MRR@10": 0.5, "MAP@10": 0.5}
    assert budget_recall(QUESTIONS[0], FOUND["vector"]) == {250: 0.0, 500: 1.0, 1000: 1.0, 2000: 1.0, 4000: 1.0}
    assert evidence_scores(Question("Where?", source="10-k.PDF"), FOUND["vector"])["hit@1"] == 1.0
    assert evidence_scores(Question("No gold?"), FOUND["vector"]) == {}


def test_winner_and_reason(comparison):
    first, second = (comparison.verdict(question) for question in QUESTIONS)
    assert first.winners == ("hybrid",) and first.reason == "number accuracy: vector 0.000, hybrid 1.000"
    assert second.winners == ("hybrid",) and second.metric == "recall@10"
    assert comparison.wins() == {"vector": 0, "hybrid": 2}


def test_table_has_paired_differences_and_splits_by_type(comparison):
    rows = {(row.system, row.metric): row for row in comparison.report().rows}
    assert rows["hybrid", "hit@1"].value == 0.5
    assert rows["hybrid minus vector", "recall@10"].value == 0.5
    assert comparison.types() == ["extractive", "abstractive"]
    assert rows["hybrid", "number accuracy"].n == 1, "only one reference has a number"
    text = comparison.as_text()
    assert "Questions of type abstractive" in text and "judge: rules" in text


def test_goes_on_where_it_was_stopped(tmp_path):
    asker, seen = Asker(), []
    settings = {"workspace": "a"}
    compare(QUESTIONS[:1], ("vector", "hybrid"), asker, out=tmp_path, settings=settings)
    with (tmp_path / "outcomes.jsonl").open("a") as file:
        file.write('{"key": "torn')
    again = compare(
        QUESTIONS, ("vector", "hybrid"), asker, out=tmp_path, settings=settings, progress=lambda *p: seen.append(p)
    )
    assert len(asker.asked) == 4, "the first question was not asked again"
    assert again.outcomes[1].scores["number accuracy"] == 1.0
    assert again.outcomes[0].recall[500] == 1.0
    assert seen[-1][:2] == (4, 4)
    compare(QUESTIONS[:1], ("vector",), asker, out=tmp_path, settings={"workspace": "b"})
    assert len(asker.asked) == 5, "other settings, other answers"
    compare(QUESTIONS, ("vector", "hybrid"), asker, out=tmp_path, settings=settings)
    assert len(asker.asked) == 5, "what came after the torn line was kept"


def test_lines_of_another_version_are_asked_again(tmp_path):
    asker = Asker()
    compare(QUESTIONS[:1], ("vector",), asker, out=tmp_path)
    kept = tmp_path / "outcomes.jsonl"
    kept.write_text(kept.read_text(encoding="utf-8").replace('"seconds"', '"minutes"'), encoding="utf-8")
    compare(QUESTIONS[:1], ("vector",), asker, out=tmp_path)
    assert len(asker.asked) == 2


def test_numbers_have_to_be_said_of_the_company_that_is_asked_for():
    def ask(question, mode):
        return replace(Asker()(question, mode), text=f"{'Acme' if mode == 'hybrid' else 'Beta'} earned $5 million.")

    asked = (Question("What did Acme Inc. earn?"), Question("What did Acme and Beta earn?"))
    found = compare(asked, ("vector", "hybrid"), ask, companies=["Acme Inc.", "Beta Corp."])
    assert [outcome.scores.get("entity attribution") for outcome in found.outcomes] == [0.0, 1.0, None, None]


def test_progress_says_what_it_has_cost():
    def ask(question, mode):
        return replace(Asker()(question, mode), trace={"usage": {"cost": 0.25, "input_tokens": 10}})

    seen = []
    compare(QUESTIONS, ("vector",), ask, progress=lambda *told: seen.append(told[2]))
    assert seen[-1].endswith("(0.5000 USD so far)")


def test_csv_and_json_hold_every_outcome(comparison, tmp_path):
    csv_path, json_path = write_comparison(comparison, tmp_path)
    lines = list(csv.DictReader(csv_path.open(encoding="utf-8", newline="")))
    assert [(line["mode"], line["won"]) for line in lines] == [("vector", ""), ("hybrid", "yes")] * 2
    data = json.loads(json_path.read_text(encoding="utf-8"))
    assert data["questions"][0]["verdict"]["winners"] == ["hybrid"]
    assert len(data["questions"][1]["outcomes"]) == 2


def test_questions_from_csv_and_jsonl(tmp_path):
    table = tmp_path / "q.csv"
    table.write_text('﻿Question,Answer,Source,Page,Type\n"What, then?",5,a.pdf,"3, 4",x\n', encoding="utf-8")
    assert read_questions(table) == [Question("What, then?", "5", "a.pdf", (3, 4), "x")]
    lines = tmp_path / "q.jsonl"
    lines.write_text('{"question": "营收?", "page": 2, "source": "b.pdf"}\n\n', encoding="utf-8")
    assert read_questions(lines) == [Question("营收?", "", "b.pdf", (2,))]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.csv", "answer\n5\n", "row 1: no question"),
        ("q.csv", "question\n", "no questions"),
        ("q.csv", "question,page\nx,four\n", "not a page: 'four'"),
        ("q.jsonl", "{oops\n", "line 1 is not JSON"),
        ("q.jsonl", "[1]\n", "line 1 is not a JSON object"),
    ],
)
def test_what_is_wrong_with_a_question_file_is_said(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=said):
        read_questions(path)


def test_finished_answers_are_scored(tmp_path):
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "answer", "reference", "contexts", "type"])
        contexts = json.dumps(["Revenue was $3,400 million in 2023."])
        writer.writerow(["Revenue in 2023?", "Revenue was $3.4 billion in 2023.", "$3.4 billion", contexts, "x"])
        writer.writerow(["Revenue in 2023?", "Revenue was $3.9 billion in 2023.", "$3.4 billion", contexts, "y"])
    rows = {(row.system, row.metric): row.value for row in evaluate_answers(path).rows}
    assert rows["all", "number accuracy"] == rows["all", "faithfulness"] == 0.5
    assert rows["x", "faithfulness"] == 1.0 and rows["y", "faithfulness"] == 0.0


def answers(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_what_a_file_does_not_allow_to_measure_is_said_and_no_zero(tmp_path):
    row = {"question": "Revenue in 2023?", "answer": "Revenue was $3.4 billion.", "reference": "$3.4 billion"}
    report = evaluate_answers(answers(tmp_path / "a.jsonl", row))
    assert [(r.metric, r.value) for r in report.rows] == [("number accuracy", 1.0)]
    assert "faithfulness: not measured (no answer has contexts)." in report.notes
    assert "answer relevancy: not measured (no embedder)." in report.notes
    assert "judge: rules" in report.notes[0]


def test_a_file_without_answers_is_an_error(tmp_path):
    with pytest.raises(UsageError, match="no answers"):
        evaluate_answers(answers(tmp_path / "empty.jsonl"))
    with pytest.raises(UsageError, match=r"row 2: no answer"):
        evaluate_answers(answers(tmp_path / "a.jsonl", {"question": "a", "answer": "b"}, {"question": "c"}))


def test_the_papers_chunks_have_its_size_and_overlap():
    preset = PRESETS["hybridrag-paper"]
    assert preset.order == "vector-first"
    text = " ".join(f"Sentence number {number} says a little." for number in range(300))
    sentences = split_text(text, shortest=0)
    spans = make_chunker(preset.chunker, **preset.chunker_options).chunk(text, sentences, None)
    sizes = [sentences[s.last - 1].end - sentences[s.first].start for s in spans]
    overlaps = [sentences[a.last - 1].end - sentences[b.first].start for a, b in pairwise(spans)]
    assert max(sizes) <= 2024 and min(sizes[:-1]) > 1900
    assert all(100 < overlap <= 204 for overlap in overlaps)
    assert spans[0].first == 0 and spans[-1].last == len(sentences)
    assert all(a.first < b.first for a, b in pairwise(spans))


def test_the_papers_chunks_stop_at_headings():
    text = "One two three. Four five six. Seven eight nine."
    one, two, three = split_text(text, shortest=0)
    spans = CharacterChunker(2024, 204).chunk(text, [one, replace(two, before=Break.HARD), three], None)
    assert spans == [Span(0, 1), Span(1, 3)]


def test_contexts_in_a_csv_cell_are_divided_by_blank_lines(tmp_path):
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "answer", "contexts"])
        writer.writerow(["Why?", "Because.", "The first reason.\n\nThe second reason."])
    (row,) = read_rows(path)
    assert row["contexts"].split("\n\n") == ["The first reason.", "The second reason."]


def test_separators_inside_a_text_end_no_json_line(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "Net\u2028sales\x85?"}\n', encoding="utf-8")
    assert [question.question for question in read_questions(path)] == ["Net\u2028sales\x85?"]
