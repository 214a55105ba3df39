"""The measures of the HybridRAG paper (Sarmah et al. 2024, table 2) over answers of a reader, by two judges.

42 questions on 18 earnings calls, put as analysts put them there and named for their company, and 20 of FinanceBench
over 13 filings; each in vector, graph and hybrid mode, as we read documents and as the paper's preset does (chunks of
2,024 characters that overlap by 204, read as found). A careful reader wrote one reply a question for each group of
modes whose contexts hold the same of it (``paper_measures.jsonl``), slips included.

The judges are our rules and that reader. What the reader judged is kept as places: of each sentence of the right answer
where in the documents it stands, of each question what helps besides. A context supports a sentence where it holds one
of its places, so that the judgement follows a search that changes. For FinanceBench the replies of
``financebench_reader.jsonl`` were written before anybody saw the gold, and so were those of the last 20 questions on
calls ("calls, blind"): from the prompts of hybrid mode alone, where other modes show the same passage it stands for
them, too, and only then the executives' answers were opened and cut into sentences with places. Of the first 22 one and
the same reader wrote replies, right answers and places, with the answers in sight.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cliquerag import Workspace
from cliquerag.cli.comparing import cut_as_preset, preset_settings
from cliquerag.evaluation.benchmark import Report, Row
from cliquerag.evaluation.compare import PRESETS
from cliquerag.evaluation.judge import Case, Judge, RuleJudge, rag_scores
from cliquerag.evaluation.scoring import as_judged
from cliquerag.ingest.sentences import split_text
from cliquerag.models.language import Message, Reply
from cliquerag.retrieval.search.evidence import Answer

from ...asking import answer_question
from .._shared import read_lines
from ._recorded import SayingReader
from .financebench_reader import is_damaged

FOLDER = "."
"""Two data sets: the folder that holds them."""
MINUTES = 9
_ROWS = Path(__file__).with_name("paper_measures.jsonl")
_MODES = ("vector", "graph", "hybrid")
_PRESET = PRESETS["hybridrag-paper"]
_FILES = {
    "earnings_qa/calls/*.txt": ("calls", "calls, blind"),
    "financebench/pdfs_dev/*.pdf": ("financebench",),
}
"""Documents of one store, and the sets of questions over them."""
_PIECE = re.compile(
    r"^\[(\d{1,3})\][^\n]*\n<(?P<mark>[\w-]{1,60})>\n(?P<text>.*?)\n</(?P=mark)>", re.MULTILINE | re.DOTALL
)
"""A numbered piece of evidence in a prompt."""
_CITED = 3
"""Pieces that a sentence cites."""
_VERDICTS = ("right", "partly", "refused", "wrong")

Verdicts = Sequence[bool]


@dataclass(frozen=True, slots=True)
class Place:
    """A place of a document: how the name of the document begins, and all that the text there says."""

    document: str
    texts: tuple[str, ...]

    def is_in(self, context: str) -> bool:
        """True where a context, headed by the name of its document, holds it."""
        head, _, text = context.partition("\n")
        return head.startswith(f"({self.document.casefold()}") and self.says(text)

    def says(self, text: str) -> bool:
        """True where a text says what stands there."""
        squeezed = _squeeze(text)
        return all(_squeeze(said) in squeezed for said in self.texts)


class ReaderJudge:
    """What the reader judged of one question, in the place of a model."""

    name = "reader"

    def __init__(self, row: Mapping[str, Any], reply: Mapping[str, Any], calls: Path) -> None:
        self._stands = {
            sentence["text"]: [place_of(place, calls) for place in sentence["stands"]] for sentence in row["reference"]
        }
        helps = [place_of(place, calls) for place in row["helps"]]
        self.places = [*helps, *(place for own in self._stands.values() for place in own)]
        """All that helps to the right answer."""
        self._questions = reply["questions"]
        said = sentences_of(reply["reply"])
        self._unsupported = {said[number] for number in reply.get("unsupported", ())}

    def statements(self, question: str, answer: str) -> list[str]:
        """The sentences of the right answer as the reader cut it, those of any other answer as they stand."""
        own = [text for text in self._stands if text in answer]
        return own or sentences_of(answer)

    def supported(self, statements: Sequence[str], contexts: Sequence[str]) -> list[bool]:
        """Of the right answer: whether it stands in a context; of the reply: what the reader said of the sentence."""
        return [self._is_supported(statement, contexts) for statement in statements]

    def questions(self, answer: str, n: int) -> list[str]:
        """Questions that the reader wrote from the reply alone."""
        return list(self._questions[:n])

    def relevant(self, question: str, reference: str, contexts: Sequence[str]) -> list[bool]:
        """True for each context that holds a place of the right answer, or what helps to it."""
        return [any(place.is_in(context) for place in self.places) for context in contexts]

    def _is_supported(self, statement: str, contexts: Sequence[str]) -> bool:
        if statement not in self._stands:
            return statement not in self._unsupported
        return any(place.is_in(context) for place in self._stands[statement] for context in contexts)


class CitingReader(SayingReader):
    """Gives one answer; each of its sentences cites the first pieces of evidence that hold a place of the question."""

    def __init__(self, answer: str, places: Sequence[Place]) -> None:
        super().__init__(answer)
        self._places = places

    def reply(self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None) -> Reply:
        """The recorded text with its citations."""
        reply = super().reply(messages, schema=schema)
        pieces = [(piece[1], piece["text"]) for piece in _PIECE.finditer(messages[-1].content)]
        cited = [number for number, text in pieces if any(place.says(text) for place in self._places)]
        marks = "".join(f"[{number}]" for number in cited[:_CITED])
        sentences = sentences_of(reply.text)
        return replace(reply, text=" ".join(f"{one[:-1]} {marks}{one[-1]}" if marks else one for one in sentences))


@dataclass(frozen=True, slots=True)
class Asked:
    """One question in one mode."""

    row: Mapping[str, Any]
    reply: Mapping[str, Any]
    answer: Answer
    judge: ReaderJudge

    @property
    def case(self) -> Case:
        """What is judged: the reply as the reader wrote it."""
        contexts = tuple(as_judged(item) for item in self.answer.context.evidence)
        return Case(self.row["question"], self.reply["reply"], contexts, reference_of(self.row))


def run(folder: Path) -> Report:
    """Read the documents both ways, replay the replies, let both judges judge."""
    rows: list[Row] = []
    recorded = read_lines(_ROWS)
    with TemporaryDirectory(prefix="cliquerag-paper-") as scratch:
        for pattern, sets in _FILES.items():
            files = sorted(folder.glob(pattern))
            for is_preset in (False, True):
                url = f"sqlite:///{Path(scratch) / sets[0]}{'-preset' if is_preset else ''}.db"
                settings = preset_settings(_PRESET) if is_preset else {}
                with Workspace(url, **settings) as workspace:
                    if is_preset:
                        cut_as_preset(workspace, _PRESET)
                    for path in files:
                        workspace.add(path)
                    for name in sets:
                        own = [row for row in recorded if row["set"] == name]
                        rows += score_workspace(workspace, own, folder, is_preset=is_preset)
    return Report("paper_measures", tuple(rows), (f"{len(recorded)} questions.",))


def score_workspace(
    workspace: Workspace, recorded: Sequence[Mapping[str, Any]], folder: Path, *, is_preset: bool
) -> Iterator[Row]:
    """The measures of each mode over a workspace that holds the documents of a set."""
    embedder = workspace.components.embedder_for_search
    name = recorded[0]["set"]
    for mode in _MODES:
        system = f"preset {mode}" if is_preset else mode
        asked = [_ask(workspace, row, mode, system, folder) for row in recorded]
        yield from _verdict_rows(system, name, asked)
        measured = {
            "by reader": _measured(asked, embedder, by_reader=True),
            "by rules": _measured(asked, embedder, by_reader=False),
            "without a model, by rules": _extractive_scores(workspace, recorded, mode, _parent_of(system)),
        }
        for how, scores in measured.items():
            for metric, values in scores.items():
                yield Row.mean(system, f"{name}: {metric}, {how}", values)
        for kind, equal in _agreement(asked).items():
            yield Row.mean(system, f"{name}: verdicts on {kind} that both judges share", equal)


def _verdict_rows(system: str, name: str, asked: Sequence[Asked]) -> Iterator[Row]:
    """How many replies are right, and how many right ones the checks marked."""
    for verdict in _VERDICTS:
        yield Row.mean(system, f"{name}: {verdict}", [float(one.reply["verdict"] == verdict) for one in asked])
    right = [float(is_damaged(one.answer)) for one in asked if one.reply["verdict"] == "right"]
    yield Row.mean(system, f"{name}: right replies damaged by checks (errors)", right)


def _measured(asked: Sequence[Asked], embedder: Any, *, by_reader: bool) -> dict[str, list[float]]:
    """Measure -> its values, by the reader or by rules."""
    rules = RuleJudge()
    values: dict[str, list[float]] = defaultdict(list)
    for one in asked:
        for metric, value in _scores(one, one.judge if by_reader else rules, embedder):
            values[metric].append(value)
    return values


def _ask(workspace: Workspace, row: Mapping[str, Any], mode: str, system: str, folder: Path) -> Asked:
    reply = next(reply for reply in row["replies"] if system in reply["modes"])
    judge = ReaderJudge(row, reply, folder / "earnings_qa" / "calls")
    reader = CitingReader(reply["reply"], judge.places)
    embedder = workspace.components.embedder_for_search
    answer = answer_question(workspace.store, embedder, reader, row["question"], mode=mode, parent=_parent_of(system))
    return Asked(row, reply, answer, judge)


def _parent_of(system: str) -> str:
    return _PRESET.parent if system.startswith("preset") else "auto"


def _extractive_scores(
    workspace: Workspace, recorded: Sequence[Mapping[str, Any]], mode: str, parent: str
) -> dict[str, list[float]]:
    """The measures of answers without a model; of those that find nothing, the context's alone."""
    embedder = workspace.components.embedder_for_search
    values: dict[str, list[float]] = defaultdict(list)
    for row in recorded:
        answer = answer_question(workspace.store, embedder, None, row["question"], mode=mode, parent=parent)
        contexts = tuple(as_judged(item) for item in answer.context.evidence)
        case = Case(row["question"], answer.text, contexts, reference_of(row))
        for metric, value in rag_scores(RuleJudge(), embedder, case).items():
            if metric.startswith("context") or not answer.trace.get("not found"):
                values[metric].append(value)
    return values


def _scores(one: Asked, judge: Judge, embedder: Any) -> Iterator[tuple[str, float]]:
    """The four measures; a reply that refuses claims nothing and answers no question."""
    for metric, value in rag_scores(judge, embedder, one.case).items():
        is_of_the_context = metric.startswith("context")
        if is_of_the_context or one.reply["verdict"] != "refused":
            yield metric, value


def _agreement(asked: Sequence[Asked]) -> dict[str, list[float]]:
    """Of each verdict that both judges gave on the same thing, whether it is the same."""
    rules = RuleJudge()
    equal: dict[str, list[float]] = defaultdict(list)
    for one in asked:
        case, contexts = one.case, one.case.contexts or ()
        reference = [sentence["text"] for sentence in one.row["reference"]]
        said = [] if one.reply["verdict"] == "refused" else sentences_of(case.answer)
        pairs: dict[str, tuple[Verdicts, Verdicts]] = {
            "sentences of replies": (one.judge.supported(said, contexts), rules.supported(said, contexts)),
            "sentences of right answers": (
                one.judge.supported(reference, contexts),
                rules.supported(reference, contexts),
            ),
            "contexts": (
                one.judge.relevant(case.question, case.reference, contexts),
                rules.relevant(case.question, case.reference, contexts),
            ),
        }
        for kind, (ours, theirs) in pairs.items():
            equal[kind] += [float(first == second) for first, second in zip(ours, theirs, strict=True)]
    return equal


def reference_of(row: Mapping[str, Any]) -> str:
    """The right answer in one text."""
    return " ".join(sentence["text"] for sentence in row["reference"])


def sentences_of(text: str) -> list[str]:
    """The sentences of a reply."""
    return [text[span.start : span.end].strip() for span in split_text(text, shortest=0, longest=10_000)]


def place_of(recorded: Sequence[Any], calls: Path) -> Place:
    """A place as it is recorded: the characters of a call, from and to, or what a page of a filing prints."""
    if isinstance(recorded[1], int):
        name, start, end = recorded
        return Place(name, (_text_of(calls / f"{name}.txt")[start:end],))
    name, said = recorded
    return Place(name, tuple(said))


@cache
def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def _squeeze(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()
