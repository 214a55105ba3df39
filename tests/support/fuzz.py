"""Feeds every reader damaged files, each on its whole way to a bundle, and keeps those that it does not bear.

``python tests/support/fuzz.py [--seconds 60] [--seed N] [--found FOLDER] [READER...]``: all readers, or those named,
for so many seconds each. A file may be read or refused by a DocumentError, within 20 CPU seconds; anything else is a
fault: another error, a crash, more time. Prints a line a reader and exits with 1 where a fault was found.
"""

from __future__ import annotations

import argparse
import io
import random
import signal
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

SLOW = 20.0
"""CPU seconds for one file: the seeds take under one."""
MOST_BYTES = 400_000
_MEMORY = 4_000_000_000
_STARTUP = 60.0
_NOT_BORNE = 3

# --- files to begin with


def seeds(reader: str) -> list[bytes]:
    """Whole files of that reader's format. Raises KeyError for a reader that has none: give it one here."""
    return _SEEDS[reader]()


def _demo(pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted((ROOT / "app" / "demo" / "documents").glob(pattern))]


def _pdfs() -> list[bytes]:
    from tests.support.pdf_samples import report

    with tempfile.TemporaryDirectory() as folder:
        return [report(Path(folder) / "a.pdf", pages=2).read_bytes()]


def _office(name: str) -> Callable[[], list[bytes]]:
    def made() -> list[bytes]:
        from tests.support import office_samples

        return [office_samples.saved(getattr(office_samples, name)())]

    return made


def _archives() -> list[bytes]:
    from tests.support.office_samples import saved, workbook, zipped

    return [zipped({"a.txt": _PLAIN, "deep/b.html": _HTML, "c.xlsx": saved(workbook())})]


def _mails() -> list[bytes]:
    from tests.support.office_samples import mail, saved, workbook

    return [mail({"a.txt": _PLAIN.encode(), "c.xlsx": saved(workbook())})]


_PLAIN = (
    "Acme Inc. annual report 2023\n\nItem 1. Business\n\nAcme Inc. acquired Beta Corp. in May 2023 for $40 million. "
    "Net revenue was $3.4 billion in fiscal 2023, up 12.5%.\n\n公司2019年实现营业收入12.5亿元，同比增长8.3%。\n"
)
_TRANSCRIPT = (
    "Acme Corp Q3 2023 Earnings Call\n\nOperator\n\nGood morning and welcome to the call of Acme Corp.\n\nJane Doe -- "
    "Chief Executive Officer\n\nWe sold more pumps.\n\nTom Lee -- Goldman Sachs -- Analyst\n\nWhat about prices?\n\n"
    "Jane Doe -- Chief Executive Officer\n\nPrices will rise.\n"
)
_MARKDOWN = (
    "# Acme report 2022\n\n(in millions)\n\n| | 2022 | 2021 |\n|---|---|---|\n| Revenue | $800 | $700 |\n\n- one\n  - "
    "two\n\n> quoted\n\n```\ncode\n```\n"
)
_HTML = (
    "<html><head><title>Acme</title></head><body><h1>Acme</h1><p>Acme Corp sold Zeta Ltd. to Eta AG in 2021.</p><table>"
    "<tr><th colspan=2>2023</th></tr><tr><td>Revenue</td><td>$ 1,234</td></tr></table><!-- x --></body></html>"
)
_SEEDS: dict[str, Callable[[], list[bytes]]] = {
    "PDF": lambda: [*_pdfs(), *_demo("*10K.pdf")],
    "Word document": _office("word_report"),
    "Excel workbook": _office("workbook"),
    "PowerPoint deck": _office("deck"),
    "ZIP archive": _archives,
    "mail message": _mails,
    "HTML": lambda: [_HTML.encode(), *_demo("*.html")],
    "text with pages": lambda: [f"{_PLAIN}\f{_PLAIN}\f".encode(), f"{_PLAIN}<PAGE>\n{_PLAIN}".encode()],
    "transcript": lambda: [_TRANSCRIPT.encode(), *_demo("*call.txt")],
    "Markdown": lambda: [_MARKDOWN.encode()],
    "text": lambda: [_PLAIN.encode(), _PLAIN.encode("gbk", "ignore"), _PLAIN.encode("utf-16")],
}

# --- damage

_TOKENS = (
    b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\n", b"\x0c", b"\r", b" ", b"|", b"[", b"<", b">", b"</", b"&", b"&#",
    b"<!--", b"]]>", b"<table>", b"<td colspan=999999999>", b"<td rowspan=-1>", b"<tr>", b"<p>",
    b"| a | b |\n|---|---|\n", b"# ", b"1,234", b"99999999999999999999", b"-1", b"0", b"1e999", b"obj", b"endobj",
    b"stream\n", b"/Length 9", b"<<", b">>", b"1 0 R", b"\xe5\xae\xa1", b"2023", b"(", b")", b"$", b"%", b"\\",
    b"Operator", b"Jane Doe -- ", b"Item 1.", b"Content-Type: multipart/mixed; boundary=x\n", b"--x\n",
    b"=?utf-8?q?=FF?=", b"<w:tbl>", b"<c r=\"ZZZ9999999\"/>",
)  # fmt: skip


def damaged(data: bytes, dice: random.Random) -> bytes:
    """The file with a few places changed; of a ZIP archive as often one of its parts as its own bytes."""
    if data.startswith(b"PK") and dice.random() < 0.7:
        return _with_damaged_part(data, dice)
    return _damaged_bytes(data, dice)


def _with_damaged_part(data: bytes, dice: random.Random) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        names = old.namelist()
        chosen = dice.choice(names)
        for name in names:
            part = old.read(name)
            new.writestr(name, _damaged_bytes(part, dice) if name == chosen else part)
    return out.getvalue()


def _damaged_bytes(data: bytes, dice: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(dice.choice((1, 1, 2, 4, 16, 64))):
        at, length = dice.randrange(len(changed) + 1), dice.choice((1, 2, 8, 100, 2_000))
        kind = dice.randrange(6)
        if kind == 0:
            changed[at : at + length] = b""
        elif kind == 1:
            changed[at:at] = dice.choice(_TOKENS) * dice.choice((1, 1, 3, 50, 2_000))
        elif kind == 2:
            changed[at : at + 1] = bytes([dice.randrange(256)])
        elif kind == 3:
            other = dice.randrange(len(changed) + 1)
            changed[at:at] = changed[other : other + length]
        elif kind == 4:
            changed[at : at + length] = bytes(dice.randrange(256) for _ in range(min(length, 8)))
        else:
            changed[at : at + length] = changed[at : at + length] * dice.choice((2, 20))
        del changed[MOST_BYTES:]
    return bytes(changed)


# --- one reader, in a process of its own


def read_whole(path: Path) -> bool:
    """True for a file that is read, with what is found in it, False for one that is refused."""
    from cliquerag.components import make_tools
    from cliquerag.core.errors import DocumentError
    from cliquerag.indexing.pipeline import Stopwatch, build_bundle, read_path
    from cliquerag.ingest.formats.registry import FileContent, reader_of
    from cliquerag.ingest.limits import ReadingLimits
    from cliquerag.ingest.read import NO_HINTS
    from cliquerag.settings import Settings

    try:
        file = FileContent(path.read_bytes(), path)
        reader = reader_of(file)
        for member in reader.members(file) if reader.members else ():
            member.load()
        document = read_path(path, path.name, NO_HINTS, ReadingLimits())
    except DocumentError:
        return False
    tools = make_tools(Settings(embedder="none"), None, None)
    bundle = build_bundle(document, tools, Stopwatch())
    for chunk in bundle.chunks:
        assert chunk.text == document.text[chunk.start : chunk.end], "a chunk that is not the text at its place"
    return True


def _attack(reader: str, seconds: float, seed: int, waiting: Path) -> None:
    """Damage and read until the time is over; the file that is read lies at ``waiting``. Exits with 3 at a fault."""
    import resource

    from cliquerag.ingest.formats.registry import readers

    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    signal.signal(signal.SIGPROF, _too_slow)
    suffix = next((own.suffixes[0] for own in readers() if own.name == reader and own.suffixes), ".txt")
    whole, dice = seeds(reader), random.Random(f"{reader} {seed}")
    path = waiting.with_suffix(suffix)
    deadline = time.monotonic() + seconds
    count = read = 0
    while time.monotonic() < deadline:
        path.write_bytes(damaged(dice.choice(whole), dice))
        signal.setitimer(signal.ITIMER_PROF, SLOW)
        try:
            read += read_whole(path)
        except Exception as error:  # the very thing that is looked for
            print(f"{type(error).__name__}: {error}"[:300])
            raise SystemExit(_NOT_BORNE) from error
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        count += 1
    print(f"{count} files, {read} of them read")


class _SlowError(Exception):
    pass


def _too_slow(*_: object) -> None:
    raise _SlowError(f"more than {SLOW:g} seconds")


def faults_of(reader: str, seconds: float, seed: int, found: Path) -> Iterator[str]:
    """Attack one reader: a line for each fault, whose file is kept in ``found``, and at the end what was read."""
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        while (left := deadline - time.monotonic()) > 0:
            waiting = Path(folder) / "waiting"
            command = [sys.executable, __file__, "--in-process", str(waiting), "--seconds", str(left)]
            command += ["--seed", str(seed), reader]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=left + _STARTUP + 3 * SLOW, check=False
                )
                code, said = done.returncode, done.stdout.strip() or done.stderr.strip()[-300:]
            except subprocess.TimeoutExpired:
                code, said = _NOT_BORNE, "it hangs"
            if code == 0:
                yield f"{reader}: {said}"
                return
            for path in Path(folder).glob("waiting.*"):
                found.mkdir(exist_ok=True)
                kept = found / f"{reader.replace(' ', '-')}-{seed}{path.suffix}"
                kept.write_bytes(path.read_bytes())
                yield f"FAULT {reader} (exit {code}): {said}. Kept as {kept}"
            seed += 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("readers", nargs="*", metavar="READER")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--found", type=Path, default=Path("fuzz-found"))
    parser.add_argument("--in-process", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.in_process:
        _attack(given.readers[0], given.seconds, given.seed, given.in_process)
        return
    faults = 0
    for reader in given.readers or list(_SEEDS):
        for line in faults_of(reader, given.seconds, given.seed, given.found):
            print(line, flush=True)
            faults += line.startswith("FAULT")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
