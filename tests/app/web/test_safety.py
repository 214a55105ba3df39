"""What strangers try: other hosts and origins, no key, paths that lead out, large files; and many at once."""

from __future__ import annotations

import http.client
import os
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.serving.guard import POLICY, is_own_origin
from cliquerag.web.desk import HERE, Desk, Wording
from cliquerag.web.notebook import Feedback, Notebook, Options
from cliquerag.web.reading import answer_lines

from tests.app.web.browsing import ask, reading
from tests.app.web.conftest import Served, serve


def send(url: str, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, str], bytes]:
    """A request as anybody can send it; "_" in a header's name stands for "-"."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, body, named)
    response = connection.getresponse()
    read = response.read()
    connection.close()
    return response.status, {name.lower(): value for name, value in response.getheaders()}, read


def test_only_its_own_names_are_answered(served: Served) -> None:
    assert send(served.url, "GET", "/")[0] == 200
    assert send(served.url, "GET", "/", Host="localhost:1")[0] == 200
    for name in ("evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:80"):
        assert send(served.url, "GET", "/", Host=name)[0] == 400, name


@pytest.mark.parametrize("path", ["/ask", "/feedback", "/library/remove", "/preferences"])
def test_only_its_own_pages_may_change_something(served: Served, path: str) -> None:
    form = urlencode({"question": "What was revenue?", "source": "documents/Halvern_2025_10K.pdf"})
    foreign = ({}, {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"})
    for headers in foreign:
        assert send(served.url, "POST", path, form, **headers)[0] == 403, headers
    assert send(served.url, "PUT", "/library/files/a.txt", "x", Origin="https://evil.example")[0] == 403
    assert len(served.desk.workspace.documents()) == 5 and not served.desk.notebook.conversations()


def test_an_origin_counts_with_its_port() -> None:
    assert is_own_origin("http://localhost:8766", "localhost:8766")
    assert not is_own_origin("http://localhost:9999", "localhost:8766")
    assert not is_own_origin("", "localhost:8766", "none")
    assert is_own_origin("", "localhost:8766", "same-origin")


def test_every_answer_forbids_what_stands_in_the_page(served: Served) -> None:
    for path in ("/", "/static/desk.js", "/nothing", "/sheet?source=x"):
        headers = send(served.url, "GET", path)[1]
        assert headers["content-security-policy"] == POLICY and headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY and "http" not in POLICY
    for template in (HERE / "templates").glob("*.html"):
        text = template.read_text(encoding="utf-8")
        assert "style=" not in text and "onclick" not in text and "|safe" not in text, template.name
        assert "<script>" not in text and "https://" not in text, template.name


def test_a_key_is_asked_for(desk: Desk) -> None:
    for served in serve(desk, hosts=("*",), key="open sesame"):
        status, headers, _ = send(served.url, "GET", "/")
        assert status == 303 and headers["location"] == "/enter"
        assert send(served.url, "GET", "/turn/x/stream")[0] == 303
        assert send(served.url, "GET", "/static/desk.css")[0] == 200
        assert send(served.url, "GET", "/static/../library")[0] != 200
        own = {"Origin": served.url}
        assert send(served.url, "POST", "/enter", "key=wrong", **own)[0] == 403
        status, headers, _ = send(served.url, "POST", "/enter", "key=open+sesame", **own)
        cookie = headers["set-cookie"]
        assert status == 303 and "samesite=strict" in cookie.lower() and "httponly" in cookie.lower()
        assert send(served.url, "GET", "/", Cookie=cookie.partition(";")[0])[0] == 200
        assert send(served.url, "GET", "/", Cookie="cliquerag_desk=guess")[0] == 303


def test_no_path_leads_out_of_the_workspace(served: Served, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("nobody's business")
    for source in ("../secret.txt", str(tmp_path / "secret.txt"), "documents/../../secret.txt", "/etc/passwd"):
        for path in ("/file", "/sheet", "/picture/x/1.png", "/table.csv"):
            status, _, body = send(served.url, "GET", f"{path}?source={quote(source)}&n=0")
            assert status == 404 and b"nobody" not in body and b"root:" not in body, (path, source)
    assert send(served.url, "GET", "/static/..%2f..%2fdesk.py")[0] == 404


def test_files_are_sent_to_the_folder_of_documents_alone(desk: Desk) -> None:
    library = desk.library
    assert library.place_for("a/b/report.pdf") == library.folder / "a" / "b" / "report.pdf"
    assert library.place_for("../../x.txt") == library.folder / "x.txt"
    assert library.place_for("C:\\Users\\me\\x.txt") == library.folder / "Users" / "me" / "x.txt"
    (library.folder / "away").symlink_to("/tmp")
    for name in ("away/x.txt", "x.exe", "..", "", ".hidden.txt", "/".join("abcdefghijk") + "/x.txt"):
        with pytest.raises(UsageError):
            library.place_for(name)


def test_a_file_that_is_too_large_leaves_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(served.desk.library), "most_bytes", property(lambda _: 1_000))
    before = sorted(served.desk.library.folder.iterdir())
    status, _, body = send(served.url, "PUT", "/library/files/big.txt", "x" * 5_000, Origin=served.url)
    assert status == 400 and b"larger than" in body
    assert sorted(served.desk.library.folder.iterdir()) == before


def test_a_long_form_is_refused(served: Served) -> None:
    status, _, body = send(served.url, "POST", "/ask", "question=" + "x" * 300_000, Origin=served.url)
    assert status == 400 and b"longer than" in body
    status, _, body = send(served.url, "POST", "/ask", "question=" + "x+" * 2_000, Origin=served.url)
    assert status == 400 and b"longer than 2,000" in body


def test_the_table_of_feedback_cannot_be_changed() -> None:
    notebook = Notebook(None)
    notebook.add_feedback(Feedback("t", "What?", "up"))
    for statement in ("UPDATE feedback SET verdict = 'down'", "DELETE FROM feedback"):
        with pytest.raises(sqlite3.IntegrityError):
            notebook._connection.execute(statement)
    assert [one.verdict for one in notebook.feedback()] == ["up"]


def test_two_readers_at_once_get_their_own_answers(browser: Any, served: Served) -> None:
    with reading(browser, served.url) as one, reading(browser, served.url, "zh") as other:
        one.fill("#question", "What was Halvern's operating margin in fiscal 2025?")
        other.fill("#question", "清源精密2025年的营业收入是多少？")
        one.keyboard.press("Enter")
        other.keyboard.press("Enter")
        one.locator("footer.tools").wait_for()
        other.locator("footer.tools").wait_for()
        assert "13.4 %" in one.locator(".answer").inner_text()
        assert "231,480.5" in other.locator(".answer").inner_text()
        assert one.locator("article.turn").count() == other.locator("article.turn").count() == 1


def test_many_threads_ask_while_a_document_comes_in(desk: Desk) -> None:
    questions = (
        "What was Halvern's net revenue in fiscal 2025?",
        "Who supplies Halvern Robotics?",
        "清源精密2025年的营业收入是多少？",
    )
    turns = []
    (desk.library.folder / "late.txt").write_text("Late Corp. acquired Early Inc. in 2024 for $5 million.\n" * 50)
    (job,) = desk.library.add(desk.library.folder / "late.txt")
    threads = [
        threading.Thread(target=lambda q=question: turns.append(desk.asking.begin(q, Options()).id))
        for question in questions * 8
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    while any(desk.asking.telling(turn) for turn in turns):
        time.sleep(0.02)
    desk.library.close()
    answered = [desk.notebook.turn(turn) for turn in turns]
    assert all(turn and turn.answer and not turn.error for turn in answered), [turn and turn.error for turn in answered]
    by_question = {(turn.question, turn.answer.text) for turn in answered if turn and turn.answer}
    assert job.stage == "done" and job.report and job.report.outcome == "added"
    assert len(by_question) <= 2 * len(questions)


def test_an_answer_that_is_kept_comes_back_as_it_was(desk: Desk) -> None:
    turn = desk.asking.begin("How did Halvern's gross margin change from 2024 to 2025?", Options())
    while desk.asking.telling(turn.id):
        time.sleep(0.02)
    kept = desk.notebook.turn(turn.id)
    fresh = desk.workspace.ask(turn.question)
    assert kept and kept.answer and kept.answer.text == fresh.text
    assert kept.answer.citations == fresh.citations and kept.answer.context == fresh.context
    assert any(line.formula for line in answer_lines(kept.answer))


def test_both_languages_say_everything() -> None:
    english, chinese = (Wording(language)._texts for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for key, text in english.items():
        assert set(_fields(text)) == set(_fields(chinese[key])), key
    used = "".join(
        path.read_text(encoding="utf-8") for path in (*(HERE / "templates").glob("*.html"), *HERE.glob("*.py"))
    )
    areas = (
        "mode",
        "chip",
        "evidence",
        "trace",
        "nav",
        "theme",
        "help",
        "feedback",
        "library",
        "stage",
        "company",
        "compare",
        "read",
        "judge",
    )
    begun = tuple(f"{area}." for area in (*areas, "facts", "scale"))
    assert [
        key for key in english if f'"{key}"' not in used and f"'{key}'" not in used and not key.startswith(begun)
    ] == []


def _fields(text: str) -> list[str]:
    from string import Formatter

    return [name for _, name, _, _ in Formatter().parse(text) if name]


def test_what_a_browser_loads_is_small_and_comes_with_its_licences() -> None:
    static = HERE / "static"
    assert sum(path.stat().st_size for path in static.rglob("*") if path.is_file()) < 1_000_000
    vendor = {path.name for path in (static / "vendor").iterdir()}
    assert vendor == {"htmx.min.js", "htmx.LICENSE.txt", "cytoscape.esm.min.js", "cytoscape.LICENSE.txt"}
    for script in static.glob("*.js"):
        assert (
            "http://" not in script.read_text().replace("http://www.w3.org", "")
            and "https://" not in script.read_text()
        )


def test_a_page_waits_for_nobody(browser: Any, served: Served) -> None:
    with reading(browser, served.url, viewport={"width": 420, "height": 860}) as page:
        turn = ask(page, "What was Halvern's operating margin in fiscal 2025?")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        turn.locator(".answer .cite").first.click()
        sheet = page.locator("#viewer .sheet")
        sheet.wait_for()
        box = sheet.bounding_box()
        assert box and box["width"] == 420
        page.locator("[data-close-sheet]").click()
        sheet.wait_for(state="detached")


def test_the_process_that_draws_ends_with_the_desk(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, time\n"
        "from cliquerag.web.drawing import PageDrawer\n"
        "if __name__ == '__main__':\n"
        "    drawer = PageDrawer()\n"
        "    print(drawer._workers().submit(os.getpid).result(60), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    script = tmp_path / "desk.py"
    script.write_text(code)
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    drawing = int(ended.stdout)
    for _ in range(600):
        try:
            os.kill(drawing, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    raise AssertionError("it goes on without the desk")
