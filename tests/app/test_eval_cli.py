"""``cliquerag eval`` and ``compare`` as typed: who judges, what was not measured, a model behind a real endpoint."""

import csv
import json

import pytest
from click.testing import CliRunner
from cliquerag.cli import main
from support.openai_server import OpenAIServer, say

REPLIES = {"statements": ["Revenue was $5 million."], "questions": ["What was revenue?"], "verdicts": [True]}


def judge(handler, body):
    """Answers in the form that is asked for."""
    schema = body["response_format"]["json_schema"]["schema"]
    (key,) = schema["required"]
    say(json.dumps({key: REPLIES[key]}))(handler, body)


@pytest.fixture
def answers(tmp_path, monkeypatch):
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("CLIQUERAG_EMBEDDER", "none")
    path = tmp_path / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["question", "answer", "contexts", "reference"])
        writer.writerow(["What was revenue?", "Revenue was $5 million.", '["Sales: $5m."]', "$5 million"])
    return path


def run(*arguments):
    return CliRunner().invoke(main, [str(a) for a in arguments], catch_exceptions=False)


def test_the_configured_model_judges(answers, monkeypatch):
    with OpenAIServer(judge) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        told = run("eval", answers, "--model", "judge-model")
        asked = len(server.calls)
        by_rules = run("eval", answers, "--model", "judge-model", "--judge", "rules")
        assert asked > 0 and len(server.calls) == asked, "rules ask nobody"
    assert "judge: the model judge-model" in told.output and "faithfulness" in told.output
    assert "judge: rules" in by_rules.output
    assert "answer relevancy: not measured (no embedder)." in told.output


def test_tables_are_no_wider_than_the_terminal(answers):
    told = run("eval", answers, "--judge", "rules")
    assert told.exit_code == 0
    assert max(map(len, told.output.splitlines())) <= 110


def test_wrong_files_and_modes_are_wrong_use(answers, tmp_path):
    absent = run("eval", tmp_path / "absent.csv")
    assert absent.exit_code == 2 and "Check the path" in absent.output
    questions = tmp_path / "q.csv"
    questions.write_text("question\nWhat?\n", encoding="utf-8")
    url = f"sqlite:///{tmp_path}/w.db"
    note = tmp_path / "note.txt"
    note.write_text("Acme Inc. acquired Beta Corp. in 2021.", encoding="utf-8")
    assert run("add", note, "--workspace", url).exit_code == 0
    wrong = run("compare", questions, "--modes", "vector,lightrag:best", "--workspace", url)
    assert wrong.exit_code == 2 and "LightRAG has no mode 'best'" in wrong.output
    done = run("compare", questions, "--modes", "vector, naive", "--workspace", url, "--out", tmp_path / "out")
    assert done.exit_code == 0 and "modes vector, naive" in done.output
