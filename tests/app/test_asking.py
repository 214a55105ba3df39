"""ask, chat and the page of an answer, as a user meets them."""

from __future__ import annotations

import json
import subprocess
import sys
import webbrowser
from pathlib import Path

import pymupdf
import pytest
from cliquerag import Workspace
from cliquerag.cli.asking import read_session
from cliquerag.core.errors import UsageError
from cliquerag.views.answer_page import Sources, answer_html, open_citation
from support.openai_server import OpenAIServer, break_off, rerank, say

from tests.app.conftest import Run, json_of

REPORT = """Acme Inc. annual report 2023

Net revenue was $3.4 billion in fiscal 2023 and $3.1 billion in fiscal 2022.
Gross margin rose to 41 percent in fiscal 2023 because freight costs fell.
Orion Gears GmbH supplies gears to Acme Inc.
"""


@pytest.fixture
def workspace(private: Path) -> Workspace:
    with Workspace("sqlite:///cliquerag.db") as made:
        made.add_text(REPORT, source="acme.txt", company="Acme Inc.", period="FY2023")
    return Workspace("sqlite:///cliquerag.db")


def test_a_session_goes_on_from_the_question_before(cli: Run, workspace: Workspace) -> None:
    first = cli("ask", "What was Acme's gross margin in fiscal 2023?", "--session", "s.json")
    assert "41 percent" in first.stdout, first.stderr
    second = json_of(cli("ask", "And why did it rise?", "--session", "s.json", "--json"))
    assert second["trace"]["searched for"] == "Why did Acme's gross margin in fiscal 2023 rise?"
    assert "freight costs" in second["text"]
    assert [turn["role"] for turn in json.loads(Path("s.json").read_text())] == ["user", "assistant"] * 2


def test_a_file_that_is_no_session_is_a_clear_error(cli: Run, workspace: Workspace) -> None:
    Path("s.json").write_text("[1]")
    done = cli("ask", "What was revenue?", "--session", "s.json")
    assert done.returncode == 2 and "s.json" in done.stderr
    with pytest.raises(UsageError):
        read_session(Path("s.json"))


def test_chat_answers_line_by_line(cli: Run, workspace: Workspace) -> None:
    done = cli(
        "chat", "--json", input="Who supplies gears to Acme?\nAnd why did its gross margin rise?\nexit\nignored\n"
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == 2 and "Orion Gears" in answers[0]["text"] and "freight" in answers[1]["text"]


def test_streaming_prints_what_ask_returns(cli: Run, workspace: Workspace) -> None:
    question = "Who supplies gears to Acme?"
    streamed, whole = (cli("ask", question, flag).stdout for flag in ("--stream", "--no-stream"))
    assert streamed == whole and "Orion Gears" in streamed


def test_a_model_streams_and_a_break_is_said(cli: Run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(break_off("Orion Gears GmbH supplies gears. [1] It also")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        done = cli("ask", "Who supplies gears to Acme?", "--model", "m", "--stream")
    assert "Orion Gears GmbH supplies gears [1]." in done.stdout and "broke off" in done.stdout


def test_workspace_streams_pieces_and_ends_with_the_answer(workspace: Workspace) -> None:
    *pieces, answer = workspace.stream("Who supplies gears to Acme?")
    assert "".join(pieces) == answer.text and answer.citations
    with pytest.raises(UsageError):
        workspace.stream(" ")


def test_the_settings_rerank_and_queries_reach_the_search(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(rerank(lambda question, text: len(text))) as reranker, OpenAIServer(say("NOT_FOUND")) as model:
        monkeypatch.setenv("CLIQUERAG_RERANK", f"endpoint:cross@{reranker.url}")
        monkeypatch.setenv("CLIQUERAG_QUERIES", "2")
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        with Workspace("sqlite:///cliquerag.db", model="m") as asked:
            answer = asked.ask("Who supplies gears to Acme?")
    assert answer.trace["rerank"]["model"] == "cross" and answer.trace["queries"] == ["NOT_FOUND"]
    assert len(reranker.calls) == 2, "one search a wording"


SECTION = (
    "# Pulp\n\n{}Pulp prices fell by a third.\n\nThe mill at Ware was closed for good in May.\n\n# Steam\n\nIt is sold."
)
FILLING = "The plant was looked at by the board in its meeting of that week, as in every year before. " * 12


def test_a_model_reads_the_section_and_cites_the_sentence(private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer(say("The mill at Ware was closed for good in May. [1]")) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        with Workspace("sqlite://", embedder="none", model="m") as ws:
            ws.add_text(SECTION.format(FILLING), source="mill.md")
            answer = ws.ask("How far did pulp prices fall?", mode="vector")
            small = ws.ask("How far did pulp prices fall?", mode="vector", parent="none")
    read = answer.context.vector[0]
    assert FILLING.strip() in read.text and "is sold" not in read.text
    assert "board in its meeting" in model.calls[0].body["messages"][1]["content"]
    assert answer.citations[0].text == "The mill at Ware was closed for good in May."
    assert not any(item.children for item in small.context.evidence)


def test_an_extract_quotes_what_was_found_whatever_is_read(cli: Run, private: Path) -> None:
    with Workspace("sqlite:///cliquerag.db", embedder="none") as ws:
        ws.add_text(SECTION.format(FILLING), source="mill.md")
        texts = {ws.ask("How far did pulp prices fall?", parent=parent).text for parent in ("none", "section", "page")}
    assert len(texts) == 1 and "Pulp prices fell by a third" in texts.pop()
    found = json_of(cli("search", "pulp prices", "--parent", "section", "--mode", "vector", "--json"))
    assert len(found[0]["text"]) > len(found[0]["children"][0]["text"])
    done = cli("ask", "How far did pulp prices fall?", "--parent", "section", "--explain")
    assert "read larger: mill.md: " in done.stdout
    assert cli("ask", "How?", "--parent", "chapter").returncode == 2


def test_explain_says_what_was_done(cli: Run, workspace: Workspace) -> None:
    done = cli("ask", "Who supplies gears to Acme?", "--mode", "auto", "--explain")
    for said in (
        "scope: companies named: acme",
        "mode: hybrid: ",
        "linked entities: ",
        "vector context: ",
        "rank by route",
        "CPU ms: ",
    ):
        assert said in done.stdout


def test_a_text_is_shown_around_the_passage(workspace: Workspace) -> None:
    question = "Who supplies gears to <Acme>?"
    html = answer_html(question, workspace.ask(question), Sources.of(workspace))
    assert "<mark>Orion Gears GmbH supplies gears to Acme Inc.</mark>" in html
    assert "freight costs fell" in html and "&lt;Acme&gt;" in html


def test_open_shows_one_citation(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    answer = workspace.ask("Who supplies gears to Acme?")
    path, in_browser = open_citation("Who?", answer, 1, Sources.of(workspace))
    assert in_browser and opened == [f"{path.as_uri()}#c1"] and "<mark>Orion" in path.read_text(encoding="utf-8")
    path.unlink()
    with pytest.raises(UsageError, match="no citation"):
        open_citation("Who?", answer, 9, Sources.of(workspace))


def test_open_prints_the_path_without_a_browser(
    cli: Run, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", "false")
    done = cli("ask", "Who supplies gears to Acme?", "--open", "1")
    path = Path(done.stderr.strip().rpartition(": ")[2])
    assert path.is_file()
    path.unlink()


def test_a_page_is_shown_with_its_lines_framed(private: Path) -> None:
    pdf = pymupdf.open()
    page = pdf.new_page(width=400, height=200)
    page.insert_text((50, 50), "Acme Inc. makes pumps in Ohio.")
    page.insert_text((50, 100), "Orion Gears GmbH supplies gears to Acme Inc.")
    pdf.save("acme.pdf")
    with Workspace("sqlite:///cliquerag.db") as space:
        space.add("acme.pdf", company="Acme Inc.")
        answer = space.ask("Who supplies gears to Acme?")
        html = answer_html("Who?", answer, Sources.of(space))
    (anchor,) = answer.citations[0].anchors
    assert anchor.page == 1 and all(y0 > 88 and y1 < 106 for _, y0, _, y1 in anchor.boxes), "its own line"
    assert html.count("<i style=") == len(anchor.boxes) and "data:image/png;base64," in html


@pytest.mark.parametrize(
    ("question", "said"), [("", "no question"), ("🙂 ?!", "no question"), ("revenue? " * 300, "longer than 2,000")]
)
def test_what_is_no_question(workspace: Workspace, question: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        workspace.ask(question)
    with pytest.raises(UsageError, match=said):
        workspace.search(question)


def test_a_first_question_loads_nothing_that_only_reads_documents(private: Path) -> None:
    """Of the .76 s of processor time that it took, .07 went into modules that no question needs."""
    code = (
        "import sys\n"
        "from cliquerag import Workspace\n"
        "with Workspace('sqlite:///x.db', embedder='none') as workspace:\n"
        "    workspace.ask('What was the revenue of Acme in 2023?')\n"
        "print('\\n'.join(sys.modules))\n"
    )
    with Workspace("sqlite:///x.db", embedder="none") as workspace:
        workspace.add_text("Revenue of Acme Inc. was $120 million in 2023.\n", source="acme.txt", company="Acme Inc.")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "cliquerag.retrieval.answer.pipeline" in loaded
    needless = {
        "cliquerag.ingest.facts.extract", "cliquerag.ingest.facts.table_facts", "cliquerag.ingest.tables.raw_text",
        "cliquerag.kg.extraction.rules.extractor", "cliquerag.kg.extraction.drivers.readings",
        "cliquerag.retrieval.answer.generative.grounding.checked_writer", "cliquerag.retrieval.answer.typed",
        "cliquerag.kg.extraction.structure.offices", "cliquerag.kg.extraction.structure.lists",
        "cliquerag.kg.extraction.structure.enumerations", "cliquerag.ingest.formats.speakers",
        "numpy.ma", "openai", "email.utils", "importlib.metadata",
    }  # fmt: skip
    assert not needless & loaded


def test_modules_of_a_question_compile_few_patterns_when_they_are_loaded() -> None:
    code = (
        "import re, sys\ncompiled = []\nmade = re._compiler.compile\n"
        "def compile(pattern, flags=0):\n"
        "    frame = sys._getframe(1)\n"
        "    while '/re/' in frame.f_code.co_filename:\n        frame = frame.f_back\n"
        "    compiled.append(frame.f_globals.get('__name__', ''))\n    return made(pattern, flags)\n"
        "re._compiler.compile = compile\nimport cliquerag.retrieval.answer.multi_part\n"
        "print(sum(name.startswith('cliquerag') for name in compiled))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 40, "on_demand of core/patterns.py compiles a pattern when it is first used"


def test_a_figure_of_the_question_finds_the_row_of_a_place_that_prints_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CLIQUERAG_EMBEDDER")
    places = (("United States", "601,353", "530,112"), ("Europe", "142,212", "131,905"))
    rows = (("", "2024", "2023"), *places, ("Total", "743,565", "662,017"))
    table = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    cover = ("FORM 10-K", "For the fiscal year ended June 30, 2024", "VELDORA SYSTEMS, INC.")
    told = ("(Exact name of registrant as specified in its charter)", "Item 7. Results", "Net revenue rose 12%.")
    lines = "".join(f"<p>{line}</p>" for line in (*cover, *told, "Revenue by geography (in thousands):"))
    filing = tmp_path / "veldora-20240630.htm"
    filing.write_text(f"{lines}<table>{table}</table>", encoding="utf-8")
    with Workspace("sqlite://") as workspace:
        workspace.add(filing)
        answer = workspace.ask("Which region brought Veldora 142,212 thousand?")
    assert "Europe" in answer.text and "United States" not in answer.text
