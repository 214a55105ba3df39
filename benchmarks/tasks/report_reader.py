"""Ten reports by a reader: sentences that are grounded, gold facts covered, tokens; and the same without a model.

Ten topics over the 13 FinanceBench filings that there are as PDF, with fifteen facts each that an analyst would want
in such a report, written with their pages before any report was made (``report_topics.jsonl``; every third topic was
left unread until the end). A fact is covered where one sentence, or two that follow each other, hold all that it names.
The replies were written once by a reader who saw the prompts and not the facts (``report_reader.jsonl``); here they are
replayed. With ``CLIQUERAG_BENCH_READER=NAME@URL`` they come from that endpoint instead, all topics at once, and are
written there. Wrong statements were counted by reading each sentence beside the page that it cites.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cliquerag import Workspace
from cliquerag.core.errors import ModelError
from cliquerag.core.ids import stable_id
from cliquerag.core.tokens import estimate_tokens
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.ingest.sentences import split_text
from cliquerag.models.language import Failed, LanguageModel, Message, Reply, Usage
from cliquerag.reports.parts import Report as Written

from ._shared import read_lines

FOLDER = "financebench"
MINUTES = 6
READER = "CLIQUERAG_BENCH_READER"
"""Names the endpoint of a reader whose replies are recorded, as NAME@URL."""
_TOPICS = Path(__file__).parents[1] / "report_topics.jsonl"
_REPLIES = Path(__file__).with_name("report_reader.jsonl")
_WRONG = Path(__file__).with_name("report_reader_wrong.jsonl")
_PATIENCE = 3_600
"""Seconds that a reader who is a person may take for a reply."""
_TAG = re.compile(r"\b(entry|section|digest)-[0-9a-f]{10}\b")
"""Marks around documents hold a hash of their path, which is another on every machine."""
_ANSWER_TOKENS = 150
"""Of an answer to a question, for its cost beside a report's."""


@dataclass(frozen=True, slots=True)
class Made:
    """A report on a topic, with what it cost; None where a reply to it was not recorded."""

    topic: Mapping[str, Any]
    report: Written | None
    why: str = ""


def run(folder: Path) -> Report:
    """Read the filings; make each report without a model and with the reader."""
    with TemporaryDirectory(prefix="cliquerag-reports-") as name:
        url = f"sqlite:///{Path(name) / 'reports.db'}"
        with Workspace(url) as workspace:
            for path in sorted((folder / "pdfs_dev").glob("*.pdf")):
                workspace.add(path)
        return score(url, read_lines(_TOPICS))


def score(url: str, topics: Sequence[Mapping[str, Any]]) -> Report:
    """The same over a workspace that holds the filings."""
    quoted = list(_reports(url, topics, lambda topic: None))
    wanted = os.environ.get(READER, "")
    if wanted:
        made = record(url, topics, wanted)
    else:
        replies = {row["key"]: row["reply"] for row in read_lines(_REPLIES)} if _REPLIES.is_file() else {}
        made = list(_reports(url, topics, lambda topic: RecordedReplies(replies)))
    whole = [one for one in made if one.report is not None]
    notes = [f"{len(topics)} topics, {len(whole)} with all replies recorded."]
    notes += [f"{one.topic['id']}: {one.why}" for one in made if one.report is None]
    rows = [*_rows("CliqueRAG, no model", quoted), *_rows("CliqueRAG, reader", whole)]
    if whole:
        rows += _cost_rows(url, whole)
        rows += _wrong_rows([one.topic["id"] for one in whole])
    return Report("report_reader", tuple(rows), tuple(notes))


def record(url: str, topics: Sequence[Mapping[str, Any]], endpoint: str) -> list[Made]:
    """Every report by the model behind an endpoint, all at once, so that its requests wait side by side."""
    lock = threading.Lock()

    def one(topic: Mapping[str, Any]) -> Made:
        with Workspace(url, create=False, model=endpoint, timeout=_PATIENCE) as workspace:
            model = workspace.components.language_model
            assert model is not None, "an endpoint is named"
            return _made(workspace, topic, Recorder(model, topic["id"], lock))

    with ThreadPoolExecutor(len(topics)) as pool:
        return list(pool.map(one, topics))


def _reports(
    url: str, topics: Sequence[Mapping[str, Any]], model_for: Callable[[Mapping[str, Any]], LanguageModel | None]
) -> Iterator[Made]:
    for topic in topics:
        with Workspace(url, create=False, model="") as workspace:
            yield _made(workspace, topic, model_for(topic))


def _made(workspace: Workspace, topic: Mapping[str, Any], model: LanguageModel | None) -> Made:
    workspace.components.__dict__["language_model"] = model
    try:
        return Made(topic, workspace.report(topic["question"]))
    except ModelError as error:
        return Made(topic, None, str(error))


# --- the reader's replies


def key_of(messages: Sequence[Message]) -> str:
    """The same for the same chat on every machine."""
    return stable_id(*(_TAG.sub(r"\1", message.content) for message in messages))


class RecordedReplies:
    """Gives the recorded reply to a chat; ModelError where there is none, as after a change of a prompt."""

    name = "recorded reader"

    def __init__(self, replies: Mapping[str, str]) -> None:
        self._replies = replies

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded text, with its JSON where that is asked for; its tokens are estimated."""
        text = self._replies.get(key_of(messages))
        if text is None:
            raise ModelError("this request was not recorded", hint=f"Record anew with {READER}=NAME@URL")
        asked = sum(estimate_tokens(message.content) for message in messages)
        data = json.loads(text) if schema is not None else None
        return Reply(text, Usage(asked, estimate_tokens(text), 1), data)

    def replies(
        self,
        requests: Sequence[Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        failed: Failed | None = None,
    ) -> Iterator[tuple[int, Reply]]:
        """One after another."""
        for index, messages in enumerate(requests):
            try:
                yield index, self.reply(messages, schema=schema)
            except ModelError as error:
                if failed is None:
                    raise
                failed(index, error)

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """The recorded text at once."""
        yield self.reply(messages).text


class Recorder:
    """A model whose replies are appended to the file of recorded ones as they come."""

    def __init__(self, model: LanguageModel, topic: str, lock: threading.Lock) -> None:
        self.name = RecordedReplies.name
        self._model, self._topic, self._lock = model, topic, lock

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """As the model's, written down."""
        reply = self._model.reply(messages, schema=schema)
        self._write(messages, reply)
        return reply

    def replies(
        self,
        requests: Sequence[Sequence[Message]],
        *,
        schema: Mapping[str, Any] | None = None,
        failed: Failed | None = None,
    ) -> Iterator[tuple[int, Reply]]:
        """As the model's, each written down."""
        for index, reply in self._model.replies(requests, schema=schema, failed=failed):
            self._write(requests[index], reply)
            yield index, reply

    def stream(self, messages: Sequence[Message]) -> Iterator[str]:
        """The reply at once."""
        yield self.reply(messages).text

    def _write(self, messages: Sequence[Message], reply: Reply) -> None:
        text = reply.text if reply.data is None else json.dumps(reply.data, ensure_ascii=False)
        row = {"topic": self._topic, "key": key_of(messages), "reply": text}
        with self._lock, _REPLIES.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


# --- what the reports are worth


def _rows(system: str, made: Sequence[Made]) -> Iterator[Row]:
    reports = [(one.topic, one.report) for one in made if one.report is not None]
    if not reports:
        return
    for split in ("dev", "unread"):
        facts = [
            float(is_covered(fact, sentences_of(report)))
            for topic, report in reports
            if topic["split"] == split
            for fact in topic["facts"]
        ]
        if facts:
            yield Row.mean(system, f"gold facts covered, {split}", facts)
    yield Row.mean(system, "words of a report", [float(_words(report)) for _, report in reports])
    written = [report for _, report in reports if report.model != "extractive"]
    if not written:
        return
    shown = [len(sentences_of(report)) for report in written]
    marked = [len(report.trace["unverified"]) + len(report.trace["unsupported"]) for report in written]
    dropped = [len(report.trace["dropped"]) for report in written]
    grounded = [1 - bad / max(1, all_) for bad, all_ in zip(marked, shown, strict=True)]
    left_out = [out / max(1, out + all_) for out, all_ in zip(dropped, shown, strict=True)]
    yield Row.mean(system, "sentences grounded", grounded)
    yield Row.mean(system, "sentences dropped by the checks (errors)", left_out)
    yield Row.mean(system, "calls a report", [float(report.trace["usage"]["calls"]) for report in written])
    tokens = [
        float(report.trace["usage"]["input_tokens"] + report.trace["usage"]["output_tokens"]) for report in written
    ]
    yield Row.mean(system, "tokens a report (cost)", tokens)


def _cost_rows(url: str, made: Sequence[Made]) -> Iterator[Row]:
    """The tokens of one hybrid answer to the same question."""
    tokens: list[float] = []
    with Workspace(url, create=False, model="") as workspace:
        for one in made:
            context = workspace.search(one.topic["question"], parent="section")
            tokens.append(float(sum(item.tokens for item in context) + _ANSWER_TOKENS))
    yield Row.mean("CliqueRAG, one hybrid answer", "tokens a report (cost)", tokens)


def _wrong_rows(topics: Sequence[str]) -> Iterator[Row]:
    """Statements that do not stand on the page, as somebody counted who read the recorded reports."""
    if not _WRONG.is_file():
        return
    counted = {row["topic"]: float(len(row["wrong"])) for row in read_lines(_WRONG)}
    own = [counted[topic] for topic in topics if topic in counted]
    if own:
        yield Row.mean("CliqueRAG, reader", "wrong statements a report (errors)", own)


def sentences_of(report: Written) -> list[str]:
    """The sentences of a report, and the rows of its tables."""
    found: list[str] = []
    for section in report.sections:
        for paragraph in section.paragraphs:
            text = paragraph.text
            found.extend(text[span.start : span.end] for span in split_text(text, shortest=0, longest=10_000))
        for grid in section.grids:
            found.extend(" ".join(cell.text for cell in row) for row in grid.rows)
    return found


def is_covered(fact: Mapping[str, Any], sentences: Sequence[str]) -> bool:
    """True where a sentence and the one behind it hold one of the alternatives of each thing that the fact names.

    >>> is_covered({"must": [["Figma"], ["20 billion", "$20bn"]]}, ["Figma costs about $20 billion."])
    True
    >>> is_covered({"must": [["5%"]]}, ["Sales rose 35%."])
    False
    """
    pairs = [f"{one} {other}" for one, other in zip(sentences, [*sentences[1:], ""], strict=True)]
    return any(all(any(_holds(pair, text) for text in group) for group in fact["must"]) for pair in pairs)


def _holds(sentence: str, text: str) -> bool:
    """True where the text stands there, a number not as part of a longer one."""
    said, wanted = _plain(sentence), _plain(text)
    at = said.find(wanted)
    while at >= 0:
        before, after = said[:at], said[at + len(wanted) :]
        is_part = wanted[0].isdigit() and before[-1:] and (before[-1].isalnum() or before[-1] in ".,")
        is_begin = wanted[-1].isdigit() and (after[:1].isdigit() or (after[:1] in ".," and after[1:2].isdigit()))
        if not (is_part or is_begin):
            return True
        at = said.find(wanted, at + 1)
    return False


def _plain(text: str) -> str:
    return text.replace("’", "'").lower()


def _words(report: Written) -> int:
    return sum(len(sentence.split()) for sentence in sentences_of(report))
