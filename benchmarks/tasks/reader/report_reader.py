"""Ten reports by a reader: sentences that are grounded, gold facts covered, tokens; and the same without a model.

Ten topics over the 13 FinanceBench filings that there are as PDF, with fifteen facts each that an analyst would want
in such a report, written with their pages before any report was made (``report_topics.jsonl``; every third topic was
left unread until the end). A fact is covered where one sentence, or two that follow each other, hold all that it names.
The replies were written once by a reader who saw the prompts and not the facts (``report_reader.jsonl``); here they are
replayed. With ``CLIQUERAG_BENCH_READER=NAME@URL`` they come from that endpoint instead, all topics at once, and are
written there. Wrong statements were looked for by a script (is each figure on the page cited or beside it?) and by
reading; two of the reports were read whole. The reader's reports mostly say again what its digests say.
"""

from __future__ import annotations

import json
import os
import random
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
from cliquerag.models.replies import parse_json
from cliquerag.reports.parts import Report as Written
from cliquerag.retrieval.answer.generative.grounding.answer_check import Passage

from .._shared import read_lines
from ._recorded import RecordedReader
from .grounding import rows_of
from .grounding_free import Checked, checked_forms, sentences_in

FOLDER = "financebench"
MINUTES = 6
READER = "CLIQUERAG_BENCH_READER"
"""Names the endpoint of a reader whose replies are recorded, as NAME@URL."""
_TOPICS = Path(__file__).with_name("report_topics.jsonl")
_REPLIES = Path(__file__).with_name("report_reader.jsonl")
_WRONG = Path(__file__).with_name("report_reader_wrong.jsonl")
_PATIENCE = 3_600
"""Seconds that a reader who is a person may take for a reply."""
_QUESTION = re.compile(r"^(\d{1,3})\. (.+)$", re.MULTILINE)
_BLOCK = re.compile(r"^\[(\d{1,3})\][^\n]{0,2000}\n<([a-z]+-[0-9a-f]+)>\n(.*?)\n</\2>", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"\[\d{1,3}(?:\s?[,;]\s?\d{1,3}){0,20}\]")
_OF_ITS_KIND = re.compile(
    r"(?:It is|These are|This is|The figures? (?:is|are)|The (?:note|text|section|statement)|Unaudited|These figures)\b"
)
"""Begins what a digest says of its section: "It is management's own view"."""
_UNREAD = ("costco", "netflix")
"""In the heads of the sections of topics that were left unread."""
_SEED = 11
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
    wanted, unseen = os.environ.get(READER, ""), ""
    digested: list[Row] = []
    if wanted:
        made = record(url, topics, wanted)
    else:
        reader = ReportingReader(read_lines(_REPLIES) if _REPLIES.is_file() else ())
        made = list(_reports(url, topics, lambda topic: reader))
        digested = list(_digest_rows(reader))
        unseen = f"{reader.unknown} rows and readings that the reader had not seen."
    whole = [one for one in made if one.report is not None]
    notes = [f"{len(topics)} topics, {len(whole)} with all replies recorded."]
    notes += [f"{one.topic['id']}: {one.why}" for one in made if one.report is None]
    notes += [unseen] if unseen else []
    rows = [*_rows("CliqueRAG, no model", quoted), *_rows("CliqueRAG, reader", whole)]
    if whole:
        rows += _written_rows("CliqueRAG, reader", [one.report for one in whole if one.report is not None])
        rows += _cost_rows(url, whole)
        rows += _wrong_rows([one.topic["id"] for one in whole])
    return Report("report_reader", (*rows, *digested), tuple(notes))


def record(url: str, topics: Sequence[Mapping[str, Any]], endpoint: str) -> list[Made]:
    """Every report by the model behind an endpoint, all at once, so that its requests wait side by side."""
    lock = threading.Lock()

    def one(topic: Mapping[str, Any]) -> Made:
        with Workspace(url, create=False, model=endpoint, timeout=_PATIENCE) as workspace:
            model = workspace.components.language_model
            assert model is not None, "an endpoint is named"
            return _made(workspace, topic, Recorder(model, lock))

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


class ReportingReader(RecordedReader):
    """Gives what the reader said of a topic, a row, a section: kept apart, so that a change of the search can be seen.

    A row or section that the reader did not see is not relevant, or says nothing; ``unknown`` counts them. Marks of a
    report are moved to the numbers that its digests have now.
    """

    def __init__(self, items: Sequence[Mapping[str, Any]] = ()) -> None:
        self._items: dict[tuple[str, ...], Any] = {}
        self.unknown = 0
        self.read: dict[tuple[str, str], str] = {}
        """Digest and section -> the company and period of the section."""
        for item in items:
            self._items[tuple(item["of"])] = item["said"]

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """What was said of what the messages hold. Raises ModelError for a topic that was not recorded."""
        asked = messages[-1].content
        wanted = next(iter((schema or {}).get("required", ())), "report")
        answers = {"keywords": self._plan, "relevant": self._verdicts, "digests": self._digests, "report": self._report}
        data = answers[wanted](asked)
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        tokens = sum(estimate_tokens(message.content) for message in messages)
        return Reply(text, Usage(tokens, estimate_tokens(text), 1), None if schema is None else data)

    def _recorded(self, *of: str) -> Any:
        found = self._items.get(of)
        if found is None:
            raise ModelError(f"no {of[0]} was recorded", where=of[1], hint=f"Record one with {READER}=NAME@URL")
        return found

    def _plan(self, asked: str) -> Any:
        return self._recorded("plan", asked)

    def _verdicts(self, asked: str) -> Any:
        verdicts = []
        for number, question in questions_in(asked).items():
            ranked: list[tuple[int, int]] = []
            for entry, text in blocks_in(asked).items():
                rank = self._items.get(("verdict", question, text_key(text)))
                self.unknown += rank is None
                if rank:
                    ranked.append((rank, entry))
            verdicts.append({"question": number, "entries": [entry for _, entry in sorted(ranked)]})
        return {"relevant": verdicts}

    def _digests(self, asked: str) -> Any:
        questions = questions_in(asked)
        said: list[dict[str, Any]] = []
        heads = {int(match[1]): match[0].partition("\n")[0].partition("]")[2] for match in _BLOCK.finditer(asked)}
        for section, text in blocks_in(asked).items():
            for number, question in questions.items():
                digest = self._items.get(("digest", question, text_key(text)))
                if digest is not None:
                    said.append({"section": section, "question": number, "digest": digest})
                    self.read[digest, text] = heads[section].strip()
        self.unknown += not said
        return {"digests": said}

    def _report(self, asked: str) -> Any:
        recorded = self._recorded("report", asked.partition("\n")[0])
        now = {text_key(text): number for number, text in blocks_in(asked).items()}
        moved = {old: now.get(key) for old, key in enumerate(recorded["digests"], 1)}

        def mark(match: re.Match[str]) -> str:
            numbers = [moved.get(int(number)) for number in re.findall(r"\d+", match[0])]
            return "".join(f"[{number}]" for number in numbers if number)

        return _MARK.sub(mark, recorded["text"])


def items_of(messages: Sequence[Message], reply: str) -> Iterator[dict[str, Any]]:
    """What a reply says of each thing that was asked about, as it is recorded."""
    rules, asked = messages[0].content, messages[-1].content
    if rules.startswith("You write"):
        digests = [text_key(text) for text in blocks_in(asked).values()]
        yield {"of": ["report", asked.partition("\n")[0]], "said": {"text": reply, "digests": digests}}
        return
    data = parse_json(reply)
    if rules.startswith("You plan"):
        yield {"of": ["plan", asked], "said": data}
        return
    questions, blocks = questions_in(asked), blocks_in(asked)
    if rules.startswith("You judge"):
        ranks = {
            (item["question"], entry): rank
            for item in data["relevant"]
            for rank, entry in enumerate(item["entries"], 1)
        }
        for number, question in questions.items():
            for entry, text in blocks.items():
                yield {"of": ["verdict", question, text_key(text)], "said": ranks.get((number, entry), 0)}
        return
    for item in data["digests"]:
        text = blocks.get(item["section"], "")
        yield {"of": ["digest", questions[item["question"]], text_key(text)], "said": item["digest"].strip()}


def questions_in(asked: str) -> dict[int, str]:
    """The numbered questions at the head of a request.

    >>> questions_in("1. Who?\\n2. Why?\\n\\n[1]\\n<a>\\n3. x\\n</a>")
    {1: 'Who?', 2: 'Why?'}
    """
    head = asked.partition("\n\n")[0]
    return {int(match[1]): match[2] for match in _QUESTION.finditer(head)}


def blocks_in(asked: str) -> dict[int, str]:
    """The numbered texts between marks: entries, sections or digests."""
    return {int(match[1]): match[3] for match in _BLOCK.finditer(asked)}


def text_key(text: str) -> str:
    """The same for the same words, wherever the document lies."""
    return stable_id(" ".join(text.split()))[:12]


class Recorder(RecordedReader):
    """A model whose replies are written to the file of recorded ones as they come."""

    def __init__(self, model: LanguageModel, lock: threading.Lock) -> None:
        self._model, self._lock = model, lock

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

    def _write(self, messages: Sequence[Message], reply: Reply) -> None:
        with self._lock, _REPLIES.open("a", encoding="utf-8") as lines:
            for item in items_of(messages, reply.text):
                lines.write(json.dumps(item, ensure_ascii=False) + "\n")


# --- what the reports are worth


def _rows(system: str, made: Sequence[Made]) -> Iterator[Row]:
    reports = [(one.topic, one.report) for one in made if one.report is not None]
    for split in ("dev", "unread"):
        own = [(topic, sentences_of(report)) for topic, report in reports if topic["split"] == split]
        facts = [float(is_covered(fact, said)) for topic, said in own for fact in topic["facts"]]
        if facts:
            yield Row.mean(system, f"gold facts covered, {split}", facts)
    if reports:
        yield Row.mean(system, "words of a report", [float(_words(report)) for _, report in reports])


def _written_rows(system: str, reports: Sequence[Written]) -> Iterator[Row]:
    """What the checks found in sentences that a model wrote, and what they cost."""
    grounded: list[float] = []
    left_out: list[float] = []
    for report in reports:
        shown = len(sentences_of(report))
        marked = len(report.trace["unverified"]) + len(report.trace["unsupported"])
        dropped = len(report.trace["dropped"])
        grounded.append(1 - marked / max(1, shown))
        left_out.append(dropped / max(1, dropped + shown))
    usage = [report.trace["usage"] for report in reports]
    yield Row.mean(system, "sentences grounded", grounded)
    yield Row.mean(system, "sentences dropped by the checks (errors)", left_out)
    yield Row.mean(system, "calls a report", [float(used["calls"]) for used in usage])
    tokens = [float(used["input_tokens"] + used["output_tokens"]) for used in usage]
    yield Row.mean(system, "tokens a report (cost)", tokens)


def _digest_rows(reader: ReportingReader) -> Iterator[Row]:
    """The sentences of the digests, which a reader worded freely, and one error in each, against their sections."""
    draw = random.Random(_SEED)
    checked: list[Checked] = []
    for (digest, text), about in sorted(reader.read.items()):
        is_unread = any(name in about.lower() for name in _UNREAD)
        for sentence in sentences_in(digest):
            if not _OF_ITS_KIND.match(sentence):
                checked += checked_forms(sentence, [Passage(text, about)], draw, unread=is_unread)
    for label, is_unread in (("in digests", False), ("in digests, unread", True)):
        yield from rows_of("CliqueRAG, reader", label, [one for one in checked if one[0].unread == is_unread])


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
