"""Ideas of indexing side by side: sets in one form, rows kept one by one, a page that compares them in pairs."""

from __future__ import annotations

import json

import pytest
from cliquerag.core.errors import ModelError
from cliquerag.core.ids import stable_id
from cliquerag.models.chat import load_language_model
from cliquerag.models.language import Message
from cliquerag.retrieval.search.evidence import Evidence

from benchmarks.tasks.ideas import _index_kept, _index_sets, index_ideas
from benchmarks.tasks.ideas._index_kept import Measured, keep, kept_rows
from benchmarks.tasks.ideas._index_page import write_page
from benchmarks.tasks.ideas._recorded_endpoint import recorded_endpoint

CALL = (
    "Operator\nWelcome to the call. We take questions now.\n\n"
    "Ann Lee\nWhy did the margin fall in spring?\n\n"
    "Bo Berg\nFreight was dearer, so the margin fell, and the strike at Ware closed a line.\n\n"
)
QUESTION = "Why did the margin fall in spring?"


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "earnings_qa"
    (folder / "calls").mkdir(parents=True)
    (folder / "calls" / "A_q1.txt").write_text(CALL, encoding="utf-8")
    (folder / "calls.jsonl").write_text(json.dumps({"id": "A_q1", "file": "calls/A_q1.txt"}), encoding="utf-8")
    answer = CALL.index("Freight")
    record = {
        "call": "A_q1",
        "question": QUESTION,
        "q_start": CALL.index(QUESTION),
        "q_end": CALL.index(QUESTION) + len(QUESTION),
        "answer_start": answer,
        "answer_end": CALL.index("line.") + 5,
    }
    (folder / "questions.jsonl").write_text(json.dumps(record), encoding="utf-8")
    return tmp_path


def hit(text, start):
    return Evidence("chunk", text, 1.0, "A_q1.txt", start=start, end=start + len(text))


def test_the_turn_of_the_question_is_no_hit(data):
    (asked,) = _index_sets.read_set("earnings_qa", data).questions
    turn = hit(QUESTION, CALL.index(QUESTION))
    answer = hit("Freight was dearer", CALL.index("Freight"))
    assert asked.score([turn])["hit@5"] == 0
    assert asked.score([turn, answer])["MRR@10"] == 1
    assert asked.score([hit("Operator", 0), answer])["MRR@10"] == 0.5


def test_an_unspoken_question_leaves_nothing_of_its_words(data):
    read = _index_sets.read_set("earnings_qa_unspoken", data)
    text = read.texts["A_q1.txt"]
    assert QUESTION not in text
    (asked,) = read.questions
    assert asked.score([hit("Freight was dearer", text.index("Freight"))])["hit@5"] == 1
    assert asked.score([hit("Welcome", text.index("Welcome"))])["hit@5"] == 0


def test_a_row_is_measured_in_a_workspace_of_its_settings(data, tmp_path, monkeypatch):
    read = _index_sets.read_set("earnings_qa_unspoken", data)
    rows = [index_ideas.Idea("plain", "", add={"embedder": "none"})]
    found = index_ideas.measure(read, "earnings_qa_unspoken", rows, tmp_path / "stores")
    assert found["plain"].values["hit@5"] == {0: 1.0}
    monkeypatch.setattr(index_ideas, "_added", None)  # the second run finds the workspace that the first one made
    again = index_ideas.measure(read, "earnings_qa_unspoken", rows, tmp_path / "stores")
    assert again["plain"].values == found["plain"].values


def test_samples_leave_the_unread_questions_aside():
    questions = [_index_sets.Asked(number, "", None, lambda found: {}) for number in range(9)]
    whole = _index_sets.IdeaSet({}, questions)
    assert [asked.number for asked in whole.sample(None, "unread").questions] == [2, 5, 8]
    assert [asked.number for asked in whole.sample(3, "read").questions] == [0, 3, 6]


def test_rows_are_compared_over_the_questions_that_both_were_asked(tmp_path):
    keep(tmp_path, "default", "tatqa", Measured({"hit@5": {0: 0.0, 1: 0.0, 2: 0.0, 3: 1.0}}, {"ms a question": 9.0}))
    keep(tmp_path, "late", "tatqa", Measured({"hit@5": {0: 1.0}}, {"ms a question": 9.0}))
    keep(tmp_path, "late", "tatqa", Measured({"hit@5": {1: 1.0, 2: 1.0}}, {"ms a question": 9.0}))
    keep(tmp_path, "late", "", Measured({}, {"CPU s a page": 0.5}))
    kept = kept_rows(tmp_path)
    assert list(kept) == ["default", "late"]
    write_page(tmp_path, kept, {"late": ("token states", "never")}, ["tatqa"])
    page = (tmp_path / "index_ideas.md").read_text(encoding="utf-8")
    assert "| `late` | 1.000 (**+1.000 [1.000, 1.000]**) | 3 |" in page
    assert "| `default` | 0.250 | 4 |" in page
    assert "| `late` | token states | never |" in page


def test_a_row_decided_by_all_sets_has_a_table_over_them(tmp_path):
    for name in ("tatqa", "ectsum"):
        keep(tmp_path, "default", name, Measured({"hit@5": {0: 0.0, 1: 1.0, 2: 1.0}}, {}))
    keep(tmp_path, "int8", "tatqa", Measured({"hit@5": {0: 1.0, 1: 1.0, 2: 1.0}}, {}))
    keep(tmp_path, "int8", "ectsum", Measured({"hit@5": {0: 0.0}}, {}))
    write_page(tmp_path, kept_rows(tmp_path), {}, ["tatqa", "ectsum"])
    page = (tmp_path / "index_ideas.md").read_text(encoding="utf-8")
    assert (
        "## `int8` over all sets" in page and "| ectsum | hit@5 | 0.000 | 0.000 (+0.000 [0.000, 0.000]) | 1 |" in page
    )
    assert "| all questions |  | 0.500 | 0.750 (+0.250 [0.000, 0.750]) | 4 |" in page


def test_a_row_is_left_out_beside_a_default_of_other_code(tmp_path, monkeypatch):
    def measured(code, row, values):
        monkeypatch.setattr(_index_kept, "code_of_search", lambda: code)
        keep(tmp_path, row, "tatqa", Measured({"hit@5": values}, {}))
        write_page(tmp_path, kept_rows(tmp_path), {}, ["tatqa"])
        return (tmp_path / "index_ideas.md").read_text(encoding="utf-8")

    measured("old", "default", {0: 0.0, 1: 1 / 3})
    measured("old", "BM25", {0: 1.0, 1: 0.0})
    assert "| `late` | 1.000" in measured("old", "late", {0: 1.0, 1: 1.0})
    assert "| `late` | 1.000" in measured("new", "default", {0: 0.0, 1: 1 / 3})  # the same, asked again
    page = measured("newer", "default", {0: 1.0, 1: 1 / 3})
    assert "| `late`" not in page and "Left out, beside another default: `late`." in page
    assert "| `BM25` | 0.500" in page  # asks nothing of that code
    assert "| `late` | 0.500" in measured("newer", "late", {1: 0.5})  # and nothing of the old ones is mixed in


def test_the_hash_of_the_code_changes_with_it(tmp_path, monkeypatch):
    import cliquerag.models

    before = _index_kept.code_of_search()
    (tmp_path / "encoder.py").write_text("SIZE = 384\n", encoding="utf-8")
    monkeypatch.setattr(cliquerag.models, "__path__", [str(tmp_path)])
    _index_kept.code_of_search.cache_clear()
    assert _index_kept.code_of_search() != before
    _index_kept.code_of_search.cache_clear()


def test_every_row_names_settings_that_there_are():
    from cliquerag.settings import resolve_settings

    for idea in index_ideas.ideas().values():
        assert resolve_settings({**idea.add, **idea.ask}).settings
        assert idea.says


def test_a_row_that_asks_a_model_runs_only_where_one_is_set(monkeypatch):
    monkeypatch.delenv("CLIQUERAG_MODEL", raising=False)
    assert "agentic" in index_ideas.ideas() and "agentic" not in index_ideas.runnable()
    monkeypatch.setenv("CLIQUERAG_MODEL", "some-model")
    assert index_ideas.runnable() == index_ideas.ideas()


def test_rows_that_ask_a_model_replay_what_a_reader_answered(tmp_path, monkeypatch):
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    chat = [{"role": "user", "content": "Which paragraphs?"}]
    key = stable_id(json.dumps(chat, ensure_ascii=False, sort_keys=True))
    recorded = tmp_path / "reader.jsonl"
    recorded.write_text(json.dumps({"key": key, "text": "the first"}) + "\n", encoding="utf-8")
    with recorded_endpoint(recorded) as settings:
        model = load_language_model(settings["model"], base_url=settings["base_url"])
        assert model.reply([Message("user", "Which paragraphs?")]).text == "the first"
        with pytest.raises(ModelError, match="nobody has answered"):
            model.reply([Message("user", "Which tables?")])


def test_news_count_where_one_passage_states_the_answer_once(tmp_path):
    folder = tmp_path / "fincuge_zh"
    folder.mkdir()
    news = "长实集团收购英国酒馆业。" + "麦格理发表报告表示维持评级。" * 30
    lines = [["谁收购？" + news, "长实集团"], ["谁评级？" + news, "麦格理"], ["谁收购？长实集团收购。", "长实集团"]]
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (folder / "finqa.jsonl").write_text(text, encoding="utf-8")
    (asked,) = _index_sets.read_set("fincuge_zh", tmp_path).questions
    assert (asked.text, asked.needs) == ("谁收购？", ("0.txt",))
    holding = Evidence("chunk", news[:12], 1.0, "0.txt", start=0, end=12)
    beside = Evidence("chunk", news[12:24], 1.0, "0.txt", start=12, end=24)
    assert asked.score([beside, holding]) == {"MRR@10": 0.5, "hit@1": 0.0}
