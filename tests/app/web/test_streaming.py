"""An answer of a language model, sentence by sentence: each is in the page before the next one is complete."""

from __future__ import annotations

import json
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from cliquerag import Workspace
from cliquerag.cli import main
from cliquerag.web.desk import Desk
from cliquerag.web.server import web_app
from starlette.testclient import TestClient

from tests.app.web.browsing import reading
from tests.app.web.conftest import serve
from tests.support.openai_server import Behaviour, Body, Handler, OpenAIServer, break_off, say

QUESTION = "Who supplies battery cells and servo drives to Halvern Robotics?"
SENTENCES = {
    "en": (
        "Norrland Cell AB supplies the battery cells of all Tern 5 robots [1].",
        "Qingyuan Precision Co., Ltd. supplies servo drives for the Tern and Plover families [1].",
    ),
    "zh": ("Norrland Cell AB 供应 Tern 5 机器人的电池 [1]。", "Qingyuan Precision 供应伺服驱动器 [1]。"),
}


class Speaker:
    """A model that says a sentence and begins the next one, which it ends when it is told to."""

    def __init__(self, first: str, second: str) -> None:
        words = second.split(" ")
        self.before, self.after = f"{first} {words[0]}", " ".join(words[1:])
        self.may_go_on = threading.Event()

    def behave(self, handler: Handler, body: Body) -> None:
        handler.start(200, {"Content-Type": "text/event-stream", "Connection": "close"})
        for word in self.before.split(" "):
            self._send(handler, {"content": f"{word} "})
        assert self.may_go_on.wait(60), "nobody saw the first sentence"
        self._send(handler, {"content": self.after})
        self._send(handler, {}, "stop")
        handler.wfile.write(b"data: [DONE]\n\n")
        handler.close_connection = True

    @staticmethod
    def _send(handler: Handler, delta: Body, finish: str | None = None) -> None:
        chunk = {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        handler.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        handler.wfile.flush()


def desk_with(stocked: Path, tmp_path: Path, behave: Behaviour, server: OpenAIServer) -> Desk:
    folder = tmp_path / "desk"
    shutil.copytree(stocked, folder)
    server.script = [behave]
    options = {"embedder": "none", "cache": str(tmp_path / "cache"), "model": "small", "base_url": server.url}
    return Desk(Workspace(f"sqlite:///{folder / 'demo.db'}", **options))


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_is_read_before_the_next_is_complete(
    browser: Any, stocked: Path, tmp_path: Path, language: str
) -> None:
    speaker = Speaker(*SENTENCES[language])
    with OpenAIServer() as server:
        desk = desk_with(stocked, tmp_path, speaker.behave, server)
        for served in serve(desk):
            with reading(browser, served.url, language) as page:
                page.fill("#question", QUESTION)
                page.keyboard.press("Enter")
                pieces = page.locator("article.turn[aria-busy] .pieces")
                pieces.wait_for()
                first, second = (sentence.split(" [")[0] for sentence in SENTENCES[language])
                assert first in pieces.inner_text() and second not in pieces.inner_text()
                assert not speaker.may_go_on.is_set()
                speaker.may_go_on.set()
                page.locator("article.turn footer.tools").wait_for()
                answer = page.locator("article.turn .answer")
                assert first in answer.inner_text() and second in answer.inner_text()
                assert answer.locator(".cite").count() == 2
                assert page.locator("article.turn .model").inner_text() == "small"
                page.locator("#viewer .sheet").wait_for()
        desk.close()
        desk.workspace.close()


def test_an_answer_that_breaks_off_says_so(browser: Any, stocked: Path, tmp_path: Path) -> None:
    with OpenAIServer() as server:
        desk = desk_with(stocked, tmp_path, break_off(f"{SENTENCES['en'][0]} And then"), server)
        for served in serve(desk):
            with reading(browser, served.url) as page:
                page.fill("#question", QUESTION)
                page.keyboard.press("Enter")
                page.locator("article.turn footer.tools, article.turn .error").first.wait_for()
                said = page.locator("article.turn").inner_text()
                assert "battery cells" in said and "broke off" in said
        desk.close()
        desk.workspace.close()


def test_a_reader_chooses_who_judges_the_sentences(browser: Any, stocked: Path, tmp_path: Path) -> None:
    sentence = SENTENCES["en"][0].replace(" [1].", "")
    verdict = {"number": 1, "verdict": "contradicted", "words": "battery cells"}

    def behave(handler: Handler, body: Body) -> None:
        is_judge = "You check sentences" in body["messages"][0]["content"]
        said = json.dumps({"verdicts": [verdict]}) if is_judge else f"{sentence} [1]."
        say(said)(handler, body)

    with OpenAIServer() as server:
        desk = desk_with(stocked, tmp_path, behave, server)
        for served in serve(desk):
            with reading(browser, served.url) as page:
                page.locator("details.filters summary").click()
                assert page.locator("#filter-checked option").all_inner_texts() == [
                    "rules",
                    "the model, in one more call",
                ]
                page.select_option("#filter-checked", "model")
                page.fill("#question", QUESTION)
                page.keyboard.press("Enter")
                page.locator("article.turn footer.tools").wait_for()
                said = page.locator("article.turn .answer").inner_text()
                assert "Checked by small. Not supported by the source" in said
        desk.close()
        desk.workspace.close()


def test_a_desk_judges_by_nobody_else_and_is_not_opened_with_one(stocked: Path, tmp_path: Path) -> None:
    with OpenAIServer() as server:
        desk = desk_with(stocked, tmp_path, say(SENTENCES["en"][0]), server)
        assert desk.judges == ["rules", "model"]
        client = TestClient(web_app(desk, ("testserver",)), headers={"origin": "http://testserver"})
        client.post("/ask", data={"question": QUESTION, "checked_by": "model:dearest"})
        turn = desk.notebook.conversations()[0]
        assert turn.options.checked_by == ""
        desk.close()
        desk.workspace.close()


def test_without_a_model_nobody_is_to_be_chosen(desk: Desk) -> None:
    assert desk.judges == []


@pytest.mark.parametrize("command", [["web", "--no-open"], ["serve"], ["mcp"]], ids=" ".join)
def test_a_server_says_at_once_that_nobody_of_that_name_judges(
    stocked: Path, tmp_path: Path, command: list[str]
) -> None:
    folder = tmp_path / "desk"
    shutil.copytree(stocked, folder)
    environment = {"CLIQUERAG_CHECKED_BY": "everyone", "CLIQUERAG_EMBEDDER": "none"}
    given = [*command, "--workspace", f"sqlite:///{folder / 'demo.db'}"]
    told = CliRunner().invoke(main, given, env={**environment, "CLIQUERAG_CACHE": str(tmp_path / "cache")})
    assert told.exit_code == 2 and "checked_by: nobody is called 'everyone'" in told.stderr
