"""Long and large in full size: ``python tests/support/endurance.py serve|tiny-files|one-line [SIZE]``.

The tests run the same functions in miniature; docs/trust.md keeps what the full sizes measured.

    serve       20,000 questions to one server: memory and open handles every tenth of them
    tiny-files  a folder of 10,000 files of one sentence: seconds, memory, size of the store and of the report
    one-line    50 MB without a line end, in five formats, English and Chinese: seconds, memory
"""

from __future__ import annotations

import http.client
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SIZES = {"serve": 20_000, "tiny-files": 10_000, "one-line": 50}
_NAMES = ("Acme", "Beta", "Gamma", "Delta", "Vexel", "Zeta")
_KINDS = (
    "What was the revenue of {name} in {year}?",
    "Whom did {name} acquire in {year}?",
    "How much did revenue of {name} grow from {before} to {year}?",
    "Who supplies {name}?",
    "{name}{year}年的营业收入是多少？",
    "What does the report say about {name} number {number}?",
)
_SENTENCE = "In 2023 {name} Inc. number {number} sold pumps for ${number} million and acquired Beta {number} Corp.\n"


@dataclass(frozen=True)
class Sample:
    """A server after so many questions."""

    questions: int
    megabytes: float
    """Of memory that it holds."""
    handles: int


def question(number: int) -> str:
    """One of endlessly many questions, no two the same."""
    year = 1990 + number % 37
    name = _NAMES[number % len(_NAMES)]
    return _KINDS[number % len(_KINDS)].format(name=name, year=year, before=year - 1, number=number)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, int]]:
    """Port and process of a server on a small workspace in that folder."""
    from cliquerag import Workspace

    url = f"sqlite:///{folder}/served.db"
    with Workspace(url, embedder="none") as workspace:
        for name in _NAMES:
            text = "".join(_SENTENCE.format(name=name, number=number) for number in range(1, 30))
            workspace.add_text(text, source=f"{name}.txt", company=f"{name} Inc.")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none"}
    command = [sys.executable, "-m", "cliquerag", "serve", "--workspace", url, "--port", str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_for(port, process)
            yield port, process.pid
        finally:
            process.terminate()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    raise RuntimeError("the server does not answer")


def serve(port: int, process: int, count: int, every: int) -> Iterator[Sample]:
    """Ask ``count`` questions, one in five as a stream, one in seven with a history; a sample every so many."""
    for number in range(count):
        _ask(port, number)
        if (number + 1) % every == 0:
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
            handles = len(list(Path(f"/proc/{process}/fd").iterdir()))
            yield Sample(number + 1, pages * resource.getpagesize() / 1e6, handles)


def _ask(port: int, number: int) -> None:
    messages = [{"role": "user", "content": question(number)}]
    if number % 7 == 0:
        messages.insert(0, {"role": "user", "content": question(number + 1)})
    body = json.dumps({"messages": messages, "stream": number % 5 == 0})
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    try:
        connection.request("POST", "/v1/chat/completions", body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        said = reply.read()
        if reply.status != 200:
            raise RuntimeError(f"{reply.status} for {question(number)!r}: {said[:200]!r}")
    finally:
        connection.close()


def make_tiny_files(folder: Path, count: int) -> None:
    """So many files of one sentence, a hundred to a folder."""
    for number in range(count):
        own = folder / f"{number // 100:03}"
        own.mkdir(parents=True, exist_ok=True)
        text = _SENTENCE.format(name=_NAMES[number % len(_NAMES)], number=number)
        (own / f"note{number:05}.txt").write_text(text, encoding="utf-8")


ONE_LINE = ("line.txt", "line.html", "line.md", "line.csv", "line.json")
ONE_LINE_FILES = (*ONE_LINE, *(f"chinese_{name}" for name in ONE_LINE))
_AROUND = {
    ".txt": ("", "{} ", ""),
    ".html": ("<html><body><p>", "{} ", "</p></body></html>"),
    ".md": ("# Acme **2023** ", "- [{}](note.md) ", ""),
    ".csv": ("name,text,amount", ',"{}",1', ""),
    ".json": ('{"segments":[', '{{"start":1,"end":2,"speaker":"Jane Doe","text":"{}"}},', "{}]}"),
}
"""What begins a file of one line, what stands around each sentence of it, and what ends it."""


def make_one_line(path: Path, megabytes: float) -> None:
    """A file of one line, of sentences that differ; a name that begins with "chinese" has Chinese ones."""
    sentence = "In 2023 Acme Inc. sold {} pumps for ${} million."
    if path.name.startswith("chinese"):
        sentence = "2023年四方科技销售水泵{}台，收入{}万元。"
    before, around, after = _AROUND[path.suffix]
    written = number = 0
    with path.open("wb") as file:
        file.write(before.encode())
        while written < megabytes * 1e6:
            written += file.write(around.format(sentence.format(number, number % 900)).encode())
            number += 1
        file.write(after.encode())


_MEASURED = """import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, used = os.wait4(process.pid, 0)
with open(sys.argv[1], "w") as file:
    file.write(str(used.ru_maxrss))
sys.exit(os.waitstatus_to_exitcode(status))
"""
"""Started from a process of its own: what a process holds counts for those that it starts."""


@dataclass(frozen=True)
class Added:
    """What `cliquerag add` took and left."""

    seconds: float
    megabytes: float
    """The most memory that it held."""
    store: float
    """Megabytes of the store, its log among them."""
    said: int
    """Characters that it printed."""
    code: int


def add(given: Path, folder: Path) -> Added:
    """Add a file or folder by the command, to a new store in another folder."""
    environment = {**os.environ, "CLIQUERAG_EMBEDDER": "none"}
    command = [sys.executable, "-m", "cliquerag", "add", str(given), "--workspace", f"sqlite:///{folder}/new.db"]
    start = time.monotonic()
    with tempfile.TemporaryFile() as said, tempfile.NamedTemporaryFile("r") as used:
        measured = [sys.executable, "-c", _MEASURED, used.name, *command]
        code = subprocess.run(measured, env=environment, stdout=said, stderr=said, check=False).returncode
        characters, kilobytes = said.tell(), int(used.read())
    store = sum(path.stat().st_size for path in folder.glob("new.db*")) / 1e6
    return Added(time.monotonic() - start, kilobytes * 1024 / 1e6, store, characters, code)


def main() -> None:
    what = sys.argv[1]
    size = int(sys.argv[2]) if len(sys.argv) > 2 else SIZES[what]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        if what == "serve":
            with serving(folder) as (port, process):
                start = time.monotonic()
                for sample in serve(port, process, size, max(1, size // 10)):
                    print(sample, f"{time.monotonic() - start:.0f} s", flush=True)
        elif what == "tiny-files":
            make_tiny_files(folder / "files", size)
            print(add(folder / "files", folder), flush=True)
        else:
            for name in ONE_LINE_FILES:
                make_one_line(folder / name, size)
                print(name, add(folder / name, folder), flush=True)
                (folder / name).unlink()
                (folder / "new.db").unlink(missing_ok=True)


if __name__ == "__main__":
    main()
